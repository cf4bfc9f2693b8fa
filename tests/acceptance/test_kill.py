"""The commands that the benchmark kills hear every signal, wherever it is run."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import kill


@pytest.fixture
def deaf() -> Iterator[None]:
    """Ctrl-C is ignored, as in what a shell runs in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("how", kill.SIGNALS)
def test_a_command_that_is_killed_hears_it(
    how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeps = [sys.executable, "-c", "import time; time.sleep(20)"]
    monkeypatch.setattr(kill, "COMMAND", sleeps)

    process = kill.started([], tmp_path, 0)
    process.send_signal(how)

    assert process.wait(15) == -how
