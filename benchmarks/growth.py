"""Growth of the native engine's cost with the board, the seats and the clauses.

    python -m benchmarks.growth [--seconds N] [--rings N …]

The standard game is played on boards of 1 + 3 n (n + 1) hexes, in n rings around one. 2
rings are the printed board; 10 rings are 331 hexes. It is also played with each number
of players. Further actions are then added that are never legal, with a rule for each
ten of them (at most 30). The board with its terrains and number tokens is written to a
copy of the shipped files.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.whole_games import loop_of
from interpreter.native.c_file import NotTranslatable
from interpreter.planning import plan_for
from rulebook import RulesError
from workbench import load

VARIANTS = Path(__file__).parents[1] / "variants"
RINGS = (2, 3, 4, 6, 8, 10)
CLAUSES = (0, 16, 64, 256)
ROUNDS = 5
RULES_MAX = 30
OPTIONS = {"offers_per_turn": 0}
TERRAINS = ("forest", "pasture", "fields", "hills", "mountains")
NUMBERS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
COMPANIONS = re.compile(r"^  comes with .*\n", re.MULTILINE)
"""Pattern for companion files, which fit only the usual board."""

SEARCH = re.compile(r" +otherwise if red_numbers_apart:.*\n.*next_to_frequent\n")
"""Pattern for the deal under a condition, whose search is bounded for usual boards."""

AROUND = ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0))
"""Steps along a ring, from its northern corner counter-clockwise."""


def spiral(rings: int) -> Iterator[tuple[int, int]]:
    """Yield the hexes of a board in a spiral from its rim inwards."""
    for ring in range(rings, 0, -1):
        q, r = 0, -ring
        for step_q, step_r in AROUND:
            for _ in range(ring):
                yield q, r
                q, r = q + step_q, r + step_r
    yield 0, 0


def table(text: str, head: str, rows: list[str]) -> str:
    """Return a text with the rows of a table replaced."""
    pattern = re.compile(rf"(^ +{head} *\|.*\n)(?: +\S+ *\|.*\n)+", re.MULTILINE)
    changed, count = pattern.subn(lambda m: m[1] + "".join(rows), text)
    assert count == 1, head
    return changed


def enlarged(folder: Path, rings: int) -> None:
    """Write a board with a number of rings to a copy of the shipped files."""
    hexes = list(spiral(rings))
    names = [f"H{n:03}" for n in range(1, len(hexes) + 1)]
    board = folder / "classic" / "classic_board.rules"
    text = table(
        board.read_text(encoding="utf-8"),
        "hex",
        [
            f"  {h} | {q} | {r} | - | -\n"
            for h, (q, r) in zip(names, hexes, strict=True)
        ],
    )
    coast = [index * rings for index in range(6)]  # the corners of the coast
    sides = ("NW", "W", "SW", "SE", "E", "NE")
    old = re.findall(r"^ +(harbour_\w+) +\| \w+ of H\d+", text, re.MULTILINE)
    lie = [f"{sides[n % 6]} of {names[coast[n % 6] + n // 6]}" for n in range(len(old))]
    rows = [f"  {name} | {at} | -\n" for name, at in zip(old, lie, strict=True)]
    board.write_text(table(text, "harbour", rows), encoding="utf-8")
    deal(folder, len(hexes))


def deal(folder: Path, hexes: int) -> None:
    """Write as many terrains and number tokens as there are hexes."""
    game = folder / "classic" / "classic.rules"
    each, more = divmod(hexes - 1, len(TERRAINS))
    rows = [
        f"  {terrain}_hex | {each + (n < more)} | {terrain}\n"
        for n, terrain in enumerate(TERRAINS)
    ]
    text = game.read_text(encoding="utf-8")
    text = text.replace("extends island, classic_rulings", "extends island")
    text = COMPANIONS.sub("", text)
    text = SEARCH.sub("", text)
    text = table(text, "terrain_hex", [*rows, "  desert_hex | 1 | desert\n"])
    game.write_text(text, encoding="utf-8")
    common = folder / "common" / "island.rules"
    tokens = [
        f"  token_{chr(64 + n) if n < 19 else n} | {n} | {NUMBERS[n % 18]}\n"
        for n in range(1, hexes)
    ]
    text = common.read_text(encoding="utf-8")
    common.write_text(table(text, "number_token", tokens), encoding="utf-8")


def many_clauses(number: int) -> str:
    """Return a small game with a number of actions that are never legal."""
    idle = [f"idle_{n}" for n in range(number)]
    listed = ",\n      ".join(["go_on", "turn_round", *idle])
    actions = "\n".join(
        f'action {name}\n  needs never: steps < 0 - {n % 7} "never"\n  set steps to 0'
        for n, name in enumerate(idle)
    )
    rules = "\n".join(
        f"rule rest_{n}\n  whenever steps < 0 - {n}: set steps to 0"
        for n in range(min(number // 10, RULES_MAX))
    )
    return f"""rules language 1
rulebook many "Many clauses"
  players 2 to 2
  seats left, right
  turns 1000
game has
  steps: 0 to 2000
setup
  left starts
action go_on
  needs more: steps < 1000 "this is the end"
  increase steps by 1
action turn_round
  needs more: steps < 1000 "this is the end"
  increase steps by 1
{actions}
turn
  phase move
    you do {listed}
{rules}
rule finish
  whenever steps = 1000: nobody wins
"""


def measure_game(label: str, path: str, players: int, seconds: float) -> None:
    """Measure one game, and print its line."""
    begun = time.process_time()
    try:
        book = load(path)
    except RulesError as error:
        print(f"{label:28} REFUSED: {str(error).splitlines()[0]}")
        return
    known = {name: OPTIONS[name] for name in OPTIONS if name in book.model.options}
    read = time.process_time() - begun
    begun = time.process_time()
    plan = plan_for(book, players, known)
    planned = time.process_time() - begun
    try:
        loop = loop_of(plan)
    except NotTranslatable as error:
        print(f"{label:28} NO C: {error}")
        return
    rates, copies, decisions, games = [], [], 0, 0
    for number in range(ROUNDS):
        count, done, taken, copy = loop.play(seconds / ROUNDS, number * 1_000_000)
        rates.append(taken / done * 1e9)
        copies.append(copy * 1e9)
        decisions, games = decisions + done, games + count
    print(
        f"{label:28}{plan.actions.size:9,}{statistics.median(rates):9.0f}"
        f"{decisions / games:9,.0f}{read:7.1f}{planned:7.1f}{loop.took:7.1f}"
        f"{loop.lines:8,}{loop.size:9,}{statistics.median(copies):9,.0f}",
        flush=True,
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="seconds for each figure"
    )
    parser.add_argument("--rings", type=int, nargs="*", default=RINGS)
    given = parser.parse_args()
    print(
        f"{'':28}{'actions':>9}{'ns/dec':>9}{'dec/game':>9}{'read':>7}{'plan':>7}"
        f"{'cc':>7}{'lines':>8}{'bytes':>9}{'copy ns':>9}"
    )
    with tempfile.TemporaryDirectory() as place:
        for rings in given.rings:
            folder = Path(place) / f"rings_{rings}"
            shutil.copytree(VARIANTS, folder)
            enlarged(folder, rings)
            hexes = 1 + 3 * rings * (rings + 1)
            path = str(folder / "classic" / "classic.rules")
            measure_game(f"classic, {hexes} hexes", path, 4, given.seconds)
        for players in (2, 3, 4, 5, 6):
            game = "classic" if players < 5 else "base"
            measure_game(f"{game}, {players} players", game, players, given.seconds)
        for number in CLAUSES:
            path = str(Path(place) / f"many_{number}.rules")
            Path(path).write_text(many_clauses(number), encoding="utf-8")
            measure_game(f"{number} actions never legal", path, 2, given.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
