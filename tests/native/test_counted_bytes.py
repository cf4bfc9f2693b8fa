"""A generated rule file whose C code GCC 12 miscompiled. With `-O3` it vectorises
comparisons of a short row of bytes (superword level parallelism) and sometimes
miscounts them. Fails without the compiler flag that prevents this.
"""

from pathlib import Path

import pytest

from tests.native.compilers import CC
from tests.support.side_by_side import Setting, play
from workbench import load

RULES = Path(__file__).with_name("counted_bytes.rules")
STEPS = 40


@pytest.mark.skipif(CC is None, reason="NO COMPILER OF C: nothing is counted in C")
def test_counts_pieces_as_the_interpreter_does() -> None:
    assert play(Setting(load(str(RULES)), 2, -1, {}), STEPS) == STEPS
