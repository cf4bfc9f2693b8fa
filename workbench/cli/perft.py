"""`rulebook perft`: count the game tree."""

import time
from argparse import ArgumentParser, Namespace

from workbench.cli.command import (
    Command,
    add_bot_seed,
    add_json,
    add_settings,
    add_variant,
    put,
    put_json,
    settings,
)
from workbench.counting import leaves, turn_leaves
from workbench.errors import Refused
from workbench.loading import load

PLIES = {"decisions": leaves, "turns": turn_leaves}


def _arguments(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "--depth",
        type=int,
        required=True,
        metavar="D",
        help="how many plies deep",
    )
    parser.add_argument(
        "--plies",
        choices=PLIES,
        default="decisions",
        help="what a ply is: decisions and outcomes of chance, or whole turns, a move"
        " with all that it takes (default: decisions)",
    )
    add_settings(parser, seed=None)
    add_bot_seed(parser, note="; no bot plays here, and no count depends on it")
    add_json(parser)


def _run(arguments: Namespace) -> int:
    if arguments.depth < 0:
        raise Refused(f"--depth {arguments.depth} is less than 0")
    chance = "given" if arguments.seed is None else "drawn"
    game = settings(arguments).start(load(arguments.variant), chance=chance)
    rows = []
    for depth in range(1, arguments.depth + 1):
        begun = time.perf_counter()
        count = PLIES[arguments.plies](game, depth)
        seconds = round(time.perf_counter() - begun, 3)
        rows.append({"depth": depth, "leaves": count, "seconds": seconds})
        if not arguments.json:
            put(f"{depth:>3} {count:>14} {seconds:>9} s")
    if arguments.json:
        put_json(rows)
    return 0


PERFT = Command("perft", "count the leaves of the game tree", _arguments, _run)
