"""Runs of another version of this project, in a separate process.

Scripts of this folder import this module by its name alone. They are run by their path,
in a process whose other modules are those of a checkout.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def printed(script: str, checkout: Path, *arguments: str) -> str:
    """Return what a script prints when it imports a checkout; exit if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(  # noqa: S603
        [sys.executable, script, *arguments],
        cwd=checkout,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr}")
    return done.stdout
