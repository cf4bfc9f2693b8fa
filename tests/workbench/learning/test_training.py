"""The learning example beats chance clearly, but not before training.

Verified by manual mutations: rewards of the other seat, a network that is not updated.
"""

from __future__ import annotations

import os
import re
import sys

import pytest

from tests.native.compilers import NEEDS_C
from tests.support.processes import run_process
from tests.workbench.learning import files

pytest.importorskip("pettingzoo")

EXAMPLE = "examples/learning/connect_four.py"


@NEEDS_C
def test_training_beats_chance(deep: bool) -> None:
    games = [] if deep else ["--games", "2500", "--tries", "100"]
    played = run_process(
        [sys.executable, EXAMPLE, *games],
        cwd=files.ROOT,
        env=os.environ | {"PYTHONPATH": str(files.ROOT), "OMP_NUM_THREADS": "1"},
    )
    assert played.returncode == 0, played.stderr
    before, after = map(int, re.findall(r"(\d+)%", played.stdout))
    assert before <= 75
    assert after >= max(78, before + 8)
