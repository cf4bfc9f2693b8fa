"""Fuzzed inputs break nothing; the long form takes minutes. Each run includes controls:
inputs that must fail, including planted faults of the product.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import rulebook
from tests.support.fuzz import CONTROLS, LIMITS, Input, controls, failures, shipped
from tests.support.fuzz_sizes import from_ways
from tests.support.fuzz_texts import GAME, files_of, with_companions
from tests.support.processes import run_process

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"
INPUTS, DEEP_INPUTS = 60, 3_000


def test_no_input_breaks_anything(deep: bool, tmp_path: Path) -> None:
    count = DEEP_INPUTS if deep else INPUTS
    command = [sys.executable, str(SCRIPT), "--inputs", str(count)]

    done = run_process([*command, "--keep", str(tmp_path / "failures")])

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{count} inputs" in done.stdout
    assert "0 hangs, 0 kills, 0 tracebacks" in done.stdout


@pytest.mark.parametrize("control", controls(), ids=list(CONTROLS))
def test_planted_faults_are_reported_correctly(control: Input) -> None:
    (failure,) = failures([control])

    assert failure.sort == CONTROLS[control.data.decode()][0]


def test_a_planted_name_error_is_reported_with_its_traceback() -> None:
    planted = next(control for control in controls() if b"NameError" in control.data)

    (failure,) = failures([planted])

    assert "NameError: name 'v99' is not defined" in failure.message


@pytest.mark.parametrize(("make", "share"), [(from_ways, 0.5), (with_companions, 0.1)])
def test_enough_inputs_of_these_sorts_are_played(
    make: Callable[[Random], str], share: float
) -> None:
    count, accepted = 40, 0
    for number in range(count):
        files = files_of(make(Random(number)))
        texts = shipped() | files
        try:
            rulebook.loads(files[""], f"{GAME}.rules", texts.get, LIMITS)
        except rulebook.RulesError:
            continue
        accepted += 1

    assert accepted >= share * count
