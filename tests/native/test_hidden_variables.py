"""Samples in C redraw hidden variables like the interpreter, or leave it the sample.

Failures seen before the redraw: samples in C kept the real arguments, and assigned an
increase of a tally to its first number.
"""

from __future__ import annotations

import pytest

from interpreter.c_engine import PendingGame, PlayoutLimits
from interpreter.documents.positions import write_position
from interpreter.knowledge.samples import draw_sample
from interpreter.native.engine import Engine, engine_for
from interpreter.planning import plan_for
from interpreter.playouts import PLAYED, PlayoutMemory
from interpreter.state.state import State
from rulebook import loads
from tests.native.compilers import NEEDS_C
from tests.native.test_whole_games import described
from tests.support.hidden_variables import CASES, rules

GAMES, STEPS = 10, 60
IN_C = {
    "argument",
    "argument_passed_on",
    "computed_argument",
    "argument_for_another",
    "argument_of_another",
    "set_argument",
    "bag_argument",
    "argument_in_a_branch",
    "argument_after_an_answer",
    "variable_of_an_ended_loop",
}
"""Actions whose variables C redraws itself."""

OWN_SPOT = {"argument", "argument_passed_on", "argument_for_another"}
"""Actions that pass the spot of their player."""

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


def test_samples_in_c_equal_those_of_the_interpreter() -> None:
    made = engine_for(plan_for(loads(rules(), "hiding.rules"), 3, {}), with_greedy=True)
    assert isinstance(made, Engine), made
    room = PlayoutMemory(made, len(made.plan.actions.listed) + 1, None)
    room.set_bots(["random"] * 3, PlayoutLimits(0))
    drawn, left_to_interpreter = set(), set()
    for seed in range(GAMES):
        room.play_games([PendingGame(seed, (3 * seed, 3 * seed + 1, 3 * seed + 2))])
        for step in range(STEPS):
            here = made.states.state(room.cells, seed)
            if here.is_over:
                break
            here.run()
            world = room.sample(step)
            if world is None:
                left_to_interpreter |= cases(here)
            else:
                mine = made.states.state(world, step)
                other = draw_sample(here, room.cells.who, step)
                assert described(mine) == described(other), (seed, step)
                drawn |= cases(here)
                if cases(here) & OWN_SPOT:
                    assert has_redrawn_argument(mine)
            room.table.most += 1
            assert room.resume() == PLAYED
        room.table.most = 0

    assert drawn >= IN_C
    assert left_to_interpreter.isdisjoint(IN_C)
    assert left_to_interpreter | drawn == set(CASES)


def has_redrawn_argument(g: State) -> bool:
    """Return whether the argument is the redrawn spot of the active player."""
    position = write_position(g.plan, g)
    area = position["pending"][-1]["values"]["area"]
    spot: str = position["player"][position["active"]]["spot"]
    return bool(area == spot)


def cases(g: State) -> set[str]:
    """Return the names of the actions that a state is executing."""
    return {g.plan.units[frame[0]].name for frame in g.frames} & set(CASES)
