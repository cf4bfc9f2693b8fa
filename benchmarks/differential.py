"""Does the native engine play as the interpreter does, at every step?

    python -m benchmarks.differential [GAME …] [--steps N] [--games N] [--most N]
                                      [--kept FILE]

Plays games of every file, for all numbers of players and each option at both ends. They
are played in the native engine, in the interpreter, and in the interpreter without
rewrites. Cells, stacks, the control stack, legal actions and chance events are compared
at every step; keys and the knowledge of a seat at intervals; the record at the end. At
intervals, the interpreter also continues from the native engine's state.

At least `--steps` steps are played of each file. `--games` is the number of games for
each number of players, with the default options and with each option at either end.
`--kept` names a file for the progress: an interrupted run continues from there. The
exit code is 1 at the first difference, which is printed with its place.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from attrs import evolve

import variants
from interpreter.native.engine import NoNativeEngine, engine_for
from tests.support.side_by_side import Different, Setting, ends, play
from workbench import load

ROOT = Path(__file__).parents[1]
SHIPPED = ("classic", "germany", "base", "cardgame")
EXAMPLES = sorted((ROOT / "examples").rglob("*.rules"))


def setting_kinds(name: str) -> list[Setting]:
    """Return one setting of each kind: options, then numbers of players."""
    book = load(name)
    low, high = book.players
    return [
        Setting(book, players, 0, given)
        for given in ends(book)
        for players in range(low, high + 1)
    ]


def settings(those: list[Setting]) -> Iterator[Setting]:
    """Yield settings without end: one of each kind, then again with the next seed."""
    for seed in count(1):
        for kind in those:
            yield evolve(kind, seed=seed)


def load_progress(path: Path | None) -> dict[str, list[int]]:
    """Return the number of compared games and steps of each file."""
    if path is None or not path.exists():
        return {}
    played: dict[str, list[int]] = json.loads(path.read_text(encoding="utf-8"))
    return played


def save_progress(path: Path | None, done: dict[str, list[int]]) -> None:
    """Store what has been compared; an interrupted write leaves the file as it was."""
    if path is not None:
        new = path.with_suffix(".new")
        new.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        new.replace(path)


def difference_notes(error: Different) -> list[str]:
    """Return the notes of a difference: the scenario of the step."""
    return getattr(error, "__notes__", [])


def run(name: str, steps: int, games: int, most: int, path: Path | None) -> bool:
    """Compare games of one file; return whether all were the same."""
    played, compared = load_progress(path).get(name, [0, 0])
    those, begin, before = setting_kinds(name), time.process_time(), compared
    for number, setting in enumerate(settings(those)):
        if compared >= steps and played >= games * len(those):
            break
        if number < played:
            continue
        made = engine_for(setting.plan())
        if isinstance(made, NoNativeEngine):
            print(f"{name}: no native engine, {made.reason}")
            return False
        try:
            compared += play(setting, most)
        except Different as error:
            print(f"{name}: DIFFERENT\n{error}", *difference_notes(error), sep="\n")
            return False
        played = number + 1
        save_progress(path, {**load_progress(path), name: [played, compared]})
    speed = (compared - before) / max(time.process_time() - begin, 0.001)
    print(
        f"{name}: {played:,} games of {len(those)} kinds, {compared:,} steps, "
        f"0 differences ({speed:,.0f} steps a second)",
        flush=True,
    )
    return True


def main() -> int:
    """Compare and print; return 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="GAME", nargs="*")
    parser.add_argument(
        "--steps",
        type=int,
        default=20_000,
        help="minimum number of steps for each file",
    )
    parser.add_argument(
        "--games", type=int, default=0, help="number of games for each setting"
    )
    parser.add_argument(
        "--most", type=int, default=2_000, help="maximum number of steps of one game"
    )
    parser.add_argument("--kept", type=Path, help="file for the progress")
    given = parser.parse_args()
    names = given.names or [*SHIPPED, *variants.house_rules(), *map(str, EXAMPLES)]
    good = [
        run(name, given.steps, given.games, given.most, given.kept) for name in names
    ]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
