"""Whether there is a compiler of C here; where there is none, tests say so."""

from __future__ import annotations

import shutil

import pytest

COMPILER = shutil.which("cc")

needs_compiler = pytest.mark.skipif(
    COMPILER is None, reason="NO COMPILER OF C (`cc`): the native engine is not tested"
)
