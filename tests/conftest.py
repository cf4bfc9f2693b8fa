"""Options and fixtures that every test may use."""

import os
from pathlib import Path

import pytest

from rulebook import Rulebook
from workbench import load


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--deep", action="store_true", help="play many games where one would do"
    )


@pytest.fixture(scope="session")
def deep(request: pytest.FixtureRequest) -> bool:
    """Whether the long form of a test was asked for."""
    return bool(request.config.getoption("--deep") or os.environ.get("RULEBOOK_DEEP"))


@pytest.fixture(scope="session")
def tiny_path() -> Path:
    """A small rule file that no shipped game shares a word with."""
    return Path(__file__).parent / "support" / "tiny.rules"


@pytest.fixture(scope="session")
def tiny(tiny_path: Path) -> Rulebook:
    """The small rule file, checked."""
    return load(str(tiny_path))
