"""Both engines count the same number of leaves of a game tree."""

from __future__ import annotations

import pytest

from interpreter.game import course_of
from tests.native.compilers import NEEDS_C
from tests.native.test_either_engine import course_in_c, started, told
from tests.native.test_same_games import GAMES, SCORE, small
from workbench import load

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize("chance", ["drawn", "given"])
@pytest.mark.parametrize("name", GAMES)
def test_both_engines_count_the_same_leaves(name: str, chance: str) -> None:
    native, other = started(load(name), 1, chance=chance)
    for depth in (1, 2, 3):
        counted = told(other.leaves, depth)
        assert told(native.leaves, depth) == counted
        if isinstance(counted, str) or counted > 150:
            break


def test_the_interpreter_counts_leaves_beyond_a_mistake() -> None:
    native, other = started(small(SCORE), 1)
    assert native.leaves(4) == other.leaves(4) == 1
    course_in_c(native).step = lambda *_: -1
    assert [after.turn for after in course_in_c(native).branches()] == [
        after.turn for after in course_of(other).branches()
    ]
