"""Small games for the tests of the interpreter."""

from pathlib import Path

import pytest

from rulebook import Rulebook, loads

SUPPORT = Path(__file__).parents[1] / "support"


@pytest.fixture(scope="session")
def tiny() -> Rulebook:
    text = (SUPPORT / "tiny.rules").read_text(encoding="utf-8")
    return loads(text, name="tiny.rules")


@pytest.fixture(scope="session")
def meadow() -> Rulebook:
    """Game with a board, hidden stacks, offers, awards and simultaneous choices."""
    text = (Path(__file__).parent / "meadow.rules").read_text(encoding="utf-8")
    return loads(text, name="meadow.rules")
