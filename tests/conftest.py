"""Options and fixtures that every test may use."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebook import Rulebook
from workbench import load
from workbench.cli import GC_THRESHOLDS

# What a shell runs in the background ignores Ctrl-C, and so would what it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


gc.set_threshold(
    *GC_THRESHOLDS
)  # as the command does: little of what is made are circles


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--deep", action="store_true", help="play many games where one would do"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let the long form of a test take as long as it needs."""
    if config.getoption("--deep") or os.environ.get("RULEBOOK_DEEP"):
        config.option.timeout = 0


@pytest.fixture(scope="session")
def deep(request: pytest.FixtureRequest) -> bool:
    """Whether the long form of a test was asked for."""
    return bool(request.config.getoption("--deep") or os.environ.get("RULEBOOK_DEEP"))


@pytest.fixture(autouse=True, scope="session")
def state_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Games that nobody records are kept in a folder of the tests."""
    folder = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True, scope="session")
def no_progress() -> Iterator[None]:
    """Commands write no lines of progress, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workbench.presentation.console.progress.PLAIN_SECONDS", 3600.0)
        yield


@pytest.fixture(scope="session")
def tiny_path() -> Path:
    """A small rule file that no shipped game shares a word with."""
    return Path(__file__).parent / "support" / "tiny.rules"


@pytest.fixture(scope="session")
def tiny(tiny_path: Path) -> Rulebook:
    """The small rule file, checked."""
    return load(str(tiny_path))
