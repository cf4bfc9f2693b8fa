"""Where tests keep the engines that they make."""

import os
from pathlib import Path

import pytest


def engines_of_all(factory: pytest.TempPathFactory) -> Path:
    """A cache folder of one run of the tests, the same one in all its processes.

    Nothing is left in that of the user; compiling is most of what such tests do, and
    what one has compiled no other need compile.
    """
    base = factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "engines"
