"""Does the native engine play as the interpreter does? At every step, for millions.

    python -m benchmarks.differential [GAME …] [--steps N] [--most N] [--kept FILE]

Plays games of every file, for all numbers of players and each option at both ends, in
the native engine, the interpreter, and the interpreter with every rewrite off. What is
compared are cells, stacks, the control stack, legal actions, chance events, and now and
then the key; at the end of a game the record. `--kept` is a file in which it is noted
what has been played: a run that was stopped goes on there. Ends with 1 at the first
difference, and says where it is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from interpreter.native.engine import NotNative, engine
from tests.support.side_by_side import Different, Setting, ends, play
from workbench import load

ROOT = Path(__file__).parents[1]
SHIPPED = ("classic", "germany", "base", "cardgame")
EXAMPLES = sorted((ROOT / "examples").rglob("*.rules"))


def settings(name: str) -> Iterator[Setting]:
    """Yield games of a file for ever: seeds, then options, then numbers of players."""
    book = load(name)
    low, high = book.players
    options = list(ends(book))
    seed = 0
    while True:
        seed += 1
        for given in options:
            for players in range(low, high + 1):
                yield Setting(book, players, seed, given)


def kept(path: Path | None) -> dict[str, list[int]]:
    """Return for each file how many games and steps have been compared."""
    if path is None or not path.exists():
        return {}
    played: dict[str, list[int]] = json.loads(path.read_text(encoding="utf-8"))
    return played


def keep(path: Path | None, done: dict[str, list[int]]) -> None:
    """Note what has been compared; a stopped run leaves the file as it was."""
    if path is not None:
        new = path.with_suffix(".new")
        new.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        new.replace(path)


def run(name: str, steps: int, most: int, path: Path | None) -> bool:
    """Compare so many steps of one file; whether all were the same."""
    done = kept(path)
    games, compared = done.get(name, [0, 0])
    for number, setting in enumerate(settings(name)):
        if compared >= steps:
            break
        if number < games:
            continue
        made = engine(setting.plan())
        if isinstance(made, NotNative):
            print(f"{name}: no native engine, {made.reason}")
            return False
        try:
            compared += play(setting, most)
        except Different as error:
            print(f"{name}: DIFFERENT\n{error}")
            return False
        games = number + 1
        keep(path, {**kept(path), name: [games, compared]})
    print(f"{name}: {games:,} games, {compared:,} steps, 0 differences", flush=True)
    return True


def main() -> int:
    """Compare, print, end with 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*")
    parser.add_argument("--steps", type=int, default=20_000, help="of each file")
    parser.add_argument("--most", type=int, default=2_000, help="steps of one game")
    parser.add_argument("--kept", type=Path, help="where it is noted what was played")
    given = parser.parse_args()
    names = given.games or [*SHIPPED, *map(str, EXAMPLES)]
    good = [run(name, given.steps, given.most, given.kept) for name in names]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
