"""Positions and records of every file restore the same game at every step.

Quick: the first steps of one game of each file. `--deep`: 300 steps, with every value
of every option.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import variants
import workbench
from interpreter import Game
from rulebook import Rulebook
from workbench.analysis.simulation.setting_variations import settings_variations
from workbench.analysis.simulation.settings import Settings

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(ROOT.glob("examples/*/*.rules"))
FILES = [*variants.names(), *(str(path.relative_to(ROOT)) for path in EXAMPLES)]
STEPS, STEPS_DEEP, APART, REPLAYED = 24, 300, 4, 50
"""Steps of a game; steps between two checks in the quick form; between two replays of
a long game, each of which plays the whole game again."""


def settings(book: Rulebook, *, deep: bool) -> Iterator[dict[str, Any]]:
    """Yield arguments of `Game.start`: chance, limit of turns, players, options."""
    few, many = book.players
    yield {"chance": "given", "turns": 2, "players": few}
    yield {"chance": "drawn", "seed": 3, "players": many}
    if deep:
        yield {"chance": "drawn", "seed": 4, "turns": 1, "players": many}
        for each in settings_variations(book, Settings()):
            options = dict(each.options)
            yield {"chance": "given", "players": each.players, "options": options}


@pytest.mark.parametrize("name", FILES)
def test_positions_and_records_restore_the_same_game(name: str, deep: bool) -> None:
    book = workbench.load(str(ROOT / name) if "/" in name else name)
    for chosen in settings(book, deep=deep):
        game, numbers = Game.start(book, **chosen), Random(1)
        for step in range(STEPS_DEEP if deep else STEPS):
            if deep or step % APART == 0:
                again = Game.from_position(book, game.position)
                assert (again, again.seed, again.over) == (game, game.seed, game.over)
                assert again.position == game.position
            if step % (REPLAYED if step > STEPS else APART) == 0 or game.over:
                again = Game.replay(game.record, book)
                assert (again, again.seed, again.over) == (game, game.seed, game.over)
                assert again.turn_limit == chosen.get("turns")
            if game.to_act is None:
                break
            game.apply(numbers.choice(game.legal_actions()))
