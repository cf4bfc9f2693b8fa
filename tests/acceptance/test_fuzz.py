"""What nobody wrote on purpose breaks nothing; the long form takes minutes.

The controls are part of each run: inputs that must be found to fail, planted faults of
the product among them.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fuzz import CONTROLS, Input, controls, failures

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"
INPUTS, DEEP_INPUTS = 60, 3_000


def test_no_input_breaks_anything(deep: bool, tmp_path: Path) -> None:
    count = DEEP_INPUTS if deep else INPUTS
    command = [sys.executable, str(SCRIPT), "--inputs", str(count)]

    done = subprocess.run(
        [*command, "--keep", str(tmp_path / "failures")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{count} inputs" in done.stdout
    assert "0 hangs, 0 kills, 0 tracebacks" in done.stdout


@pytest.mark.parametrize("control", controls(), ids=list(CONTROLS))
def test_what_is_planted_is_reported_as_what_it_is(control: Input) -> None:
    (failure,) = failures([control])

    assert failure.sort == CONTROLS[control.data.decode()][0]


def test_a_planted_name_error_is_reported_with_its_traceback() -> None:
    planted = next(control for control in controls() if b"NameError" in control.data)

    (failure,) = failures([planted])

    assert "NameError: name 'v99' is not defined" in failure.message
