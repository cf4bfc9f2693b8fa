"""What a seat had best do to the end of its turn: thought over in samples of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.core.action_index import Action
from interpreter.game import Game, state_of
from interpreter.knowledge.turn_search import Thought, has_values, thought
from interpreter.state.state import State


def foreseen(
    sample: Callable[[int], Game], legal: Sequence[Action], seeds: Sequence[int]
) -> Thought | None:
    """Return what the seat to act had best do, by the end of its own turn.

    It is tried in samples of the game, by these seeds. None: the rules do not say what
    a position is worth, neither by points nor by hints.
    """
    made: list[State] = []

    def world(number: int) -> State:
        while len(made) <= number:
            made.append(state_of(sample(seeds[len(made)])))
        return made[number]

    if not has_values(world(0).plan):
        return None
    return thought([action.index for action in legal], world, seeds[0])
