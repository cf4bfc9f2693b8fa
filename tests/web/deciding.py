"""Random decisions of people at a table."""

import random
from collections.abc import Callable

from tests.web.visiting import Made
from workbench.web.table import Table


async def play(made: Made, steps: int, seed: int = 3) -> None:
    """Make random decisions until the game has *steps* events or is over."""
    numbers = random.Random(seed)
    while made.table.game.steps < steps and not made.table.over:
        seat = made.table.waits_for()[0]
        legal = made.table.game_for(seat).legal_actions(seat)
        does = decision(seat, numbers.choice(legal).text, made.table.version)
        await made.server.host.change_table(made.table.id, does)


def decision(seat: str, text: str, version: int) -> Callable[[Table], None]:
    """Return a function that makes a decision for a seat at a table."""
    return lambda table: table.decide(seat, text, version)
