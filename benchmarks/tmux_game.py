"""A game in a real terminal, played in tmux by a script that reads the screen.

    python benchmarks/tmux_game.py germany --language de --out screens

The script looks for the prompt, chooses from the menu by a list of wishes, types the
number, and goes on until the game ends. Screens are saved in --out: the first of its
own turns, every tenth, and the last. The exit code is 0 if the game ended.
"""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

WISHES = (
    "build_landmark|build_town_hall|build_city|build_settlement",
    "buy_development_card",
    "build_road",
    "claim_award|take_reward|play_",
    "refuse_offer|trade_with_nobody",
    "end_turn",
)
NUMBERED = re.compile(r"^ +(\d+) {1,2}(\S.*)")
SESSION = "rulebook-game"
PATIENCE = 60.0


def tmux(*arguments: str) -> str:
    """Return the output of a tmux command."""
    command = ["tmux", "-L", SESSION, *arguments]
    done = subprocess.run(  # noqa: S603  (the terminal that the script plays in)
        command, capture_output=True, text=True, check=False
    )
    return done.stdout


def screen() -> str:
    """Return the content of the terminal, without blank lines at its end."""
    return tmux("capture-pane", "-p", "-t", SESSION).rstrip()


def wait_for_prompt(prompt: str, before: str) -> str:
    """Wait for a changed screen with a prompt, or for the end; return the screen."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        now = screen()
        last = now.splitlines()[-1:] or [""]
        if now != before and (last[0].strip() == prompt or "exit code" in now):
            return now
        time.sleep(0.05)
    sys.exit(f"nothing happened for {PATIENCE:.0f} s:\n{screen()}")


def wish(shown: str) -> str:
    """Return the number of the preferred entry in the menu on the screen."""
    lines = shown.splitlines()[:-1]
    entries: list[tuple[str, str]] = []
    heading = ""
    for line in lines:
        if line.rstrip().endswith("):"):
            heading = line
        match = NUMBERED.match(line)
        if match is not None:
            text = match[2]
            entries.append((match[1], text if "(" in text else f"{heading} {text}"))
    last = [n for n, (number, _) in enumerate(entries) if number == "1"][-1:]
    menu = entries[last[0] :] if last else entries
    for liked in WISHES:
        for number, text in menu:
            if re.search(liked, text):
                return number
    return menu[0][0] if menu else "1"


def main() -> int:
    """Play one game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant")
    parser.add_argument("--language", default="en")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--prompt", default="Rot>", help="text of the prompt")
    parser.add_argument("--size", default="100x60", help="number of columns and rows")
    parser.add_argument("--out", type=Path, default=Path("screens"))
    chosen = parser.parse_args()
    if shutil.which("tmux") is None:
        print("tmux is not installed: nothing was played")
        return 0
    chosen.out.mkdir(parents=True, exist_ok=True)
    columns, rows = chosen.size.split("x")
    record = chosen.out / "game.jsonl"
    play = [sys.executable, "-m", "workbench", "play", chosen.variant]
    seeds = ["--seed", chosen.seed, "--bot-seed", chosen.seed]
    settings = ["--language", chosen.language, *seeds]
    command = shlex.join([*play, *settings, "--record", str(record)])
    shell = f"{command}; echo exit code $?; sleep 600"
    tmux("new-session", "-d", "-s", SESSION, "-x", columns, "-y", rows, shell)
    try:
        count = answer_prompts(chosen.prompt, chosen.out)
        last = screen()
    finally:
        tmux("kill-server")
    (chosen.out / "last.txt").write_text(last + "\n", encoding="utf-8")
    events = len(record.read_text(encoding="utf-8").splitlines()) - 1
    print(f"{count} answers typed, {events} lines of record, seed {chosen.seed}")
    print("\n".join(last.splitlines()[-4:]))
    return 0 if "exit code 0" in last else 1


def answer_prompts(prompt: str, out: Path) -> int:
    """Answer every prompt; return how many there were."""
    count, shown = 0, ""
    while "exit code" not in (shown := wait_for_prompt(prompt, shown)):
        if count % 10 == 0:
            (out / f"{count:03}.txt").write_text(shown + "\n", encoding="utf-8")
        tmux("send-keys", "-t", SESSION, wish(shown), "Enter")
        count += 1
    return count


if __name__ == "__main__":
    sys.exit(main())
