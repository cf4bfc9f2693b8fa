"""Cache folder for the engines that tests compile."""

import os
from pathlib import Path

import pytest

from interpreter.native.build import compilers
from interpreter.native.build.compilers import FLAGS


def engines_of_all(factory: pytest.TempPathFactory) -> Path:
    """Return the cache folder of one test run, the same for all its processes.

    Compiling takes most of the time of such tests, so they share the compiled engines.
    The user's cache stays untouched.
    """
    base = factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "engines"


def compile_quickly(patch: pytest.MonkeyPatch) -> None:
    """Compile all engines once, with `-O1`, which takes half as long as with `-O3`."""
    quick = FLAGS["quick"]
    patch.setattr(compilers, "FLAGS", {**FLAGS, "first": quick, "play": quick})


def compile_best(patch: pytest.MonkeyPatch) -> None:
    """Compile all engines once, at the best level of users."""
    patch.setattr(compilers, "FLAGS", {**FLAGS, "first": FLAGS["play"]})
