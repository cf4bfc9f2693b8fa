"""Do all games end, for every bot, number of players and option?

    python -m benchmarks.finish germany --games 20 --jobs 2
    python -m benchmarks.finish germany --readings --option offers_per_turn

A cell of the table is one bot in all seats with one setting. The first settings are the
default rules, for each number of players. The others change one option to its other
value, or to either end of its range. Game i of a cell has seed S + i.
"""

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import median
from typing import Any

import attrs

from rulebook.model import Truth
from workbench.analysis.simulation.setting_variations import settings_variations
from workbench.analysis.simulation.settings import Settings, option_text
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    bots_by_seat,
    play_game,
)
from workbench.bots import BOTS
from workbench.bots.bot_lists import parse_bot_names
from workbench.files.library.loading import load

ROW = "{:8} {:>7}  {:36} {:>13} {:>6} {:>7}"
HEAD = ROW.format("bots", "players", "option", "finished", "turns", "seconds")


@attrs.frozen
class Cell:
    """Bot in all seats, and a setting."""

    bot: str
    settings: Settings

    @property
    def option(self) -> str:
        """Options that differ from their defaults."""
        pairs = self.settings.options.items()
        return ", ".join(f"{name}={option_text(value)}" for name, value in pairs) or "-"


@attrs.frozen
class CellResult:
    """Results of the games of a cell."""

    cell: Cell
    games: int
    unfinished: tuple[int, ...]
    turns: float
    seconds: float

    @property
    def line(self) -> str:
        """Row of the table."""
        done = f"{self.games - len(self.unfinished)}/{self.games}"
        players = self.cell.settings.players
        row = ROW.format(
            self.cell.bot,
            players,
            self.cell.option,
            done,
            round(self.turns),
            round(self.seconds, 1),
        )
        return f"{row} seeds {self.unfinished}" if self.unfinished else row


_worker: dict[str, Any] = {}


def prepare(variant: str) -> None:
    """Load the rules once in a worker process."""
    _worker["book"] = load(variant)


def play_cell(cell: Cell, games: int, seed: int) -> CellResult:
    """Play the games of a cell."""
    book, begun = _worker["book"], time.perf_counter()
    seats = book.seats[: cell.settings.players]
    settings = attrs.evolve(cell.settings, seed=seed)
    task = GameTask(bots_by_seat([cell.bot], seats), settings, GameLimits())
    results = [play_game(book, task, number) for number in range(games)]
    unfinished = tuple(
        game_result.seed for game_result in results if not game_result.finished
    )
    turns = median(game_result.turns for game_result in results)
    return CellResult(cell, games, unfinished, turns, time.perf_counter() - begun)


def cells(
    variant: str, bots: Sequence[str], only: Sequence[str], *, readings: bool
) -> list[Cell]:
    """Return all cells, those with default rules first."""
    book = load(variant)
    chosen = {
        name
        for name, option in book.options.items()
        if name in only or (isinstance(option.type, Truth) if readings else not only)
    }
    every_cell = [
        Cell(bot, settings)
        for bot in bots
        for settings in settings_variations(book, Settings())
        if set(settings.options) <= chosen
    ]
    return sorted(every_cell, key=lambda cell: len(cell.settings.options))


def main() -> int:
    """Play the table and print it row by row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", default="germany")
    parser.add_argument(
        "--games", type=int, default=10, help="number of games in each cell"
    )
    parser.add_argument("--bots", default=",".join(BOTS))
    parser.add_argument("--option", help="comma-separated options to vary")
    parser.add_argument(
        "--readings",
        action="store_true",
        help="options of yes or no, and --option",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    only = chosen.option.split(",") if chosen.option else ()
    bots = parse_bot_names(chosen.bots)
    table = cells(chosen.variant, bots, only, readings=chosen.readings)
    print(HEAD)
    total = failed = 0
    with ProcessPoolExecutor(
        chosen.jobs, initializer=prepare, initargs=(chosen.variant,)
    ) as pool:
        rows = [
            pool.submit(play_cell, cell, chosen.games, chosen.seed) for cell in table
        ]
        for row in rows:
            outcome = row.result()
            print(outcome.line, flush=True)
            total += outcome.games
            failed += len(outcome.unfinished)
    print(f"{total - failed} of {total} games finished")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
