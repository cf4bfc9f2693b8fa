"""`rulebook perft`: count the game tree."""

import time
from argparse import Namespace

from workbench.cli.frame.games import settings
from workbench.cli.frame.output import put, put_json
from workbench.errors import Refused
from workbench.library.loading import load
from workbench.simulation.perft import leaves, turn_leaves

PLIES = {"decisions": leaves, "turns": turn_leaves}


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook perft`."""
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
