"""From a text in C to a library that is loaded, for as long as this process runs.

The compiler is the one called `cc`. Its flags are fixed, and nothing of the rules
stands on its command line or in a file's name.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import attrs

FLAGS = ("-std=gnu11", "-O2", "-shared", "-fPIC", "-w")
SECONDS = 300


@attrs.frozen
class NotBuilt:
    """Why there is no library: in a few words."""

    reason: str


def loaded(source: str) -> ctypes.CDLL | NotBuilt:
    """Return the library of a text in C, or why there is none."""
    compiler = shutil.which("cc")
    if compiler is None:
        return NotBuilt("there is no compiler of C called `cc`")
    try:
        with tempfile.TemporaryDirectory(prefix="rulebook-") as folder:
            return made(compiler, Path(folder), source)
    except (OSError, subprocess.SubprocessError) as error:
        return NotBuilt(f"`cc` did not work: {error}")


def made(compiler: str, folder: Path, source: str) -> ctypes.CDLL | NotBuilt:
    """Compile in a folder; the library stays loaded when the folder goes."""
    text, library = folder / "engine.c", folder / "engine.so"
    text.write_text(source, encoding="utf-8")
    command = [compiler, *FLAGS, "-o", str(library), str(text)]
    done = subprocess.run(  # noqa: S603  (found on PATH, and no text of the rules)
        command, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    if done.returncode:
        return NotBuilt(f"`cc` refused it: {done.stderr.strip()[:400]}")
    return ctypes.CDLL(str(library))
