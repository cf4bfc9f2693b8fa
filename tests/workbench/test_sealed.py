"""Objects passed to a bot give no access to the game."""

import gc
from collections.abc import Mapping, Sequence
from itertools import chain
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import workbench
from interpreter import Action, Game
from interpreter.game import state_of
from tests.support.knowing import steps
from workbench.bots import Sample, bot_random, decide, greedy


def reached(*things: Any) -> set[int]:
    """Return everything reachable from some objects, except modules and code."""
    by_id: dict[int, Any] = {}
    left = list(things)
    while left:
        thing = left.pop()
        if id(thing) in by_id or isinstance(thing, ModuleType | type):
            continue
        by_id[id(thing)] = thing
        if isinstance(thing, FunctionType):
            left.extend(cell.cell_contents for cell in thing.__closure__ or ())
        else:
            left.extend(gc.get_referents(thing))
    return set(by_id)


def test_the_game_cannot_be_reached() -> None:
    handed: list[tuple[Any, ...]] = []

    def spy(
        view: Mapping[str, Any],
        legal: Sequence[Action],
        sample: Sample,
        numbers: Random,
    ) -> Action:
        handed.append((view, legal, sample, sample(1)))
        return greedy(view, legal, sample, numbers)

    inside, book = 0, workbench.load("classic")
    for number, game in enumerate(chain(*(steps(book, seed) for seed in range(1, 9)))):
        if inside > 3:
            break
        split = "split" in game.position
        if game.to_act is None or not (split or number % 150 == 0):
            continue
        inside += split
        handed.clear()
        decide(spy, game, game.to_act, bot_random(1, 0, "spy"))
        ids = reached(*handed[0])

        assert id(state_of(handed[0][3])) in ids
        assert id(game) not in ids
        assert id(state_of(game)) not in ids
        assert id(state_of(game).s) not in ids

    assert inside


def test_bot_gets_the_same_samples_as_the_game() -> None:
    got: list[Game] = []

    def look(
        view: Mapping[str, Any],
        legal: Sequence[Action],
        sample: Sample,
        _numbers: Random,
    ) -> Action:
        assert type(view) is dict
        got.append(sample(5))
        return legal[0]

    game = Game.start(workbench.load("classic"), seed=2)
    for _ in range(60):
        assert game.to_act is not None
        expected = game.sample(game.to_act, 5)
        game.apply(decide(look, game, game.to_act, bot_random(1, 0, "look")))
        assert got[-1] == expected
