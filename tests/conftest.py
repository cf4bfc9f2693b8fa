"""Options and fixtures for all tests."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebook import Rulebook
from workbench import load
from workbench.cli import GC_THRESHOLDS

# Background jobs of a shell ignore Ctrl-C, and their child processes inherit this.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


gc.set_threshold(*GC_THRESHOLDS)  # as the command does: there are few reference cycles


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--deep",
        action="store_true",
        help="run the long form of tests, which play many games",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Disable the time limit of each test in the long form."""
    if config.getoption("--deep") or os.environ.get("RULEBOOK_DEEP"):
        config.option.timeout = 0


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exempt all collected tests from garbage collection."""
    gc.freeze()


@pytest.fixture(scope="session")
def deep(request: pytest.FixtureRequest) -> bool:
    """Whether the option `--deep` requests the long form of tests."""
    return bool(request.config.getoption("--deep") or os.environ.get("RULEBOOK_DEEP"))


@pytest.fixture(autouse=True, scope="session")
def state_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Redirect the folder of unrecorded games to a temporary one."""
    folder = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True, scope="session")
def root_folder() -> Iterator[None]:
    """Change to the folder that paths of rule files are relative to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[1])
        yield


@pytest.fixture(autouse=True, scope="session")
def no_progress() -> Iterator[None]:
    """Disable progress lines, which slow machines would print."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "workbench.presentation.console.progress_bar.PLAIN_SECONDS", 3600.0
        )
        yield


@pytest.fixture
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder, which is the working folder of the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def tiny_path() -> Path:
    """Path of a small rule file that shares no word with a shipped game."""
    return Path(__file__).parent / "support" / "tiny.rules"


@pytest.fixture(scope="session")
def tiny(tiny_path: Path) -> Rulebook:
    """Small rulebook that shares no word with a shipped game."""
    return load(str(tiny_path))
