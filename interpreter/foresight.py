"""Best actions for a seat up to the end of its turn, evaluated in samples of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.core.action_index import Action
from interpreter.game import Game, state_of
from interpreter.knowledge.turn_search import BestActions, best_actions, has_values
from interpreter.state.state import State


def evaluate_turn(
    sample: Callable[[int], Game], legal: Sequence[Action], seeds: Sequence[int]
) -> BestActions | None:
    """Return the best actions for the seat to act, evaluated up to the end of its turn.

    Actions are evaluated in samples of the game, drawn with these seeds. Return None if
    the rules do not value positions, either by points or by hints.
    """
    made: list[State] = []

    def sampled_state(number: int) -> State:
        while len(made) <= number:
            made.append(state_of(sample(seeds[len(made)])))
        return made[number]

    if not has_values(sampled_state(0).plan):
        return None
    return best_actions([action.index for action in legal], sampled_state, seeds[0])
