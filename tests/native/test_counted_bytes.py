"""A file that nobody wrote, in whose C a compiler counted pieces wrongly.

GCC 12 lays the comparisons of a short row of bytes side by side (`-O3`: superword level
parallelism) and miscounts them in some surroundings: these are such. Broken by hand,
seen to fail: the flag left out that keeps it from doing so.
"""

from pathlib import Path

import pytest

from tests.native.compilers import CC
from tests.support.side_by_side import Setting, play
from workbench import load

RULES = Path(__file__).with_name("counted_bytes.rules")
STEPS = 40


@pytest.mark.skipif(CC is None, reason="NO COMPILER OF C: nothing is counted in C")
def test_stones_are_counted_as_the_interpreter_does() -> None:
    assert play(Setting(load(str(RULES)), 2, -1, {}), STEPS) == STEPS
