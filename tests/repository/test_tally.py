"""The last line of `.ci/run`."""

import subprocess
import sys
from pathlib import Path

import pytest

TALLY = Path(__file__).parents[2] / ".ci" / "tally.py"
SUITE = (
    '<testsuites><testsuite tests="{}" failures="{}" errors="{}" skipped="{}"/>'
    "</testsuites>"
)


@pytest.mark.parametrize(
    ("counts", "status", "line", "code"),
    [
        ((5, 0, 0, 1), "0", "4 passed, 0 failed", 0),
        ((5, 1, 1, 0), "1", "3 passed, 2 failed", 1),
        ((0, 0, 0, 0), "0", "0 passed, 1 failed", 1),
        ((5, 0, 0, 0), "2", "5 passed, 1 failed", 1),
    ],
)
def test_tally(
    counts: tuple[int, ...], status: str, line: str, code: int, tmp_path: Path
) -> None:
    junit = tmp_path / "junit.xml"
    junit.write_text(SUITE.format(*counts))

    done = subprocess.run(
        [sys.executable, str(TALLY), str(junit), status],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.stdout.strip(), done.returncode) == (line, code)
