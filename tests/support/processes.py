"""Processes that tests start."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def run_process(
    words: Sequence[str | Path], *, check: bool = False, **settings: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program and return the finished process, with its output as text."""
    return subprocess.run(
        words, capture_output=True, text=True, check=check, **settings
    )
