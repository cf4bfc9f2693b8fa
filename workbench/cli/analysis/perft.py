"""Command `rulebook perft`: the number of leaves of the game tree."""

import time
from argparse import Namespace
from typing import Any

from interpreter import Game
from workbench import budget
from workbench.analysis.simulation.leaf_counts import (
    count_interruptibly,
    count_leaves,
    count_turn_leaves,
)
from workbench.budget import TimedBlock
from workbench.cli.frame.arguments import (
    JSON,
    TIME_LIMIT,
    UNSEEDED_SETTINGS,
    VARIANT,
    bot_seed,
    engine,
)
from workbench.cli.frame.declarations import command, integer, option
from workbench.cli.frame.game_arguments import game_settings
from workbench.cli.frame.output import write_json, write_line_now, write_note
from workbench.cli.frame.time_up import report_time_up
from workbench.defaults import AUTO, NATIVE
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import show_phase

PLIES = {"decisions": count_leaves, "turns": count_turn_leaves}
NATIVE_MIN_LEAVES = 2_000
"""Number of leaves of a tree above which building the native engine pays off."""


@command(
    "perft",
    VARIANT,
    integer("--depth D", "depth of the tree in plies", required=True, minimum=0),
    option(
        "--plies",
        "unit of depth: decisions and chance outcomes, or whole turns with all their"
        " decisions",
        "decisions",
        choices=tuple(PLIES),
    ),
    engine(
        "auto uses native for large counts where possible; counts do not depend on it"
    ),
    *UNSEEDED_SETTINGS,
    bot_seed(note="; has no effect here, because no bot plays"),
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Count the leaves of the game tree to a given depth."""
    engine: str = arguments.engine
    game = _start_game(arguments, engine)
    may_switch = engine == AUTO
    rows: list[dict[str, Any]] = []
    with TimedBlock() as timed:
        for depth in range(1, arguments.depth + 1):
            show_phase(f"counting the leaves at depth {depth}")
            start_time = time.perf_counter()
            count = count_interruptibly(PLIES[arguments.plies], game, depth)
            seconds = round(time.perf_counter() - start_time, 3)
            row = {"depth": depth, "leaves": count, "seconds": seconds}
            rows.append({**row, "engine": game.engine})
            if not arguments.json:
                write_line_now(f"{depth:>3} {count:>14} {seconds:>9} s")
            budget.check_time()
            if may_switch and count > NATIVE_MIN_LEAVES and depth < arguments.depth:
                may_switch, game = False, _try_native(arguments, game)
    if arguments.json:
        write_json(rows)
    report_time_up(timed.stopped, f"depth {len(rows)} of {arguments.depth}")
    return 0


def _start_game(arguments: Namespace, engine: str) -> Game:
    """Return the game at the root; without a seed, each chance outcome is a branch."""
    chance = "given" if arguments.seed is None else "drawn"
    book = load(arguments.variant)
    return game_settings(arguments).start(book, chance=chance, engine=engine)


def _try_native(arguments: Namespace, game: Game) -> Game:
    """Return the game in the native engine, or write a note and return *game*."""
    try:
        return _start_game(arguments, NATIVE)
    except RequestError as error:
        write_note(f"using the interpreter: {error.message}")
        return game
