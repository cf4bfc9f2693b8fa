"""`rulebook perft`: count the game tree."""

import sys
import time
from argparse import Namespace

from interpreter import Game
from rulebook import visible
from workbench.cli.frame.games import settings
from workbench.cli.frame.output import put, put_json
from workbench.defaults import AUTO, NATIVE
from workbench.errors import Refused
from workbench.library.loading import load
from workbench.simulation.perft import leaves, turn_leaves

PLIES = {"decisions": leaves, "turns": turn_leaves}
MUCH = 2_000
"""Leaves at one depth after which it is worth to make an engine for the next."""


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook perft`."""
    if arguments.depth < 0:
        raise Refused(f"--depth {arguments.depth} is less than 0")
    engine: str = arguments.engine
    game = _begun(arguments, engine)
    may_change = engine == AUTO
    rows = []
    for depth in range(1, arguments.depth + 1):
        begun = time.perf_counter()
        count = PLIES[arguments.plies](game, depth)
        seconds = round(time.perf_counter() - begun, 3)
        row = {"depth": depth, "leaves": count, "seconds": seconds}
        rows.append({**row, "engine": game.engine})
        if not arguments.json:
            put(f"{depth:>3} {count:>14} {seconds:>9} s")
        if may_change and count > MUCH and depth < arguments.depth:
            may_change, game = False, _quicker(arguments, game)
    if arguments.json:
        put_json(rows)
    return 0


def _begun(arguments: Namespace, engine: str) -> Game:
    """The game whose tree is counted; with no seed its chance is counted too."""
    chance = "given" if arguments.seed is None else "drawn"
    book = load(arguments.variant)
    return settings(arguments).start(book, chance=chance, engine=engine)


def _quicker(arguments: Namespace, game: Game) -> Game:
    """The same game in C, or itself, and then a note why."""
    try:
        return _begun(arguments, NATIVE)
    except Refused as error:
        sys.stderr.write(f"note: the interpreter counts: {visible(error.message)}\n")
        return game
