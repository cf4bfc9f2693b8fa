"""What nobody wrote on purpose breaks nothing; the long form takes minutes.

The controls are part of each run: inputs that must be found to fail.
"""

import subprocess
import sys
from pathlib import Path

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
    assert "0 failures" in done.stdout
