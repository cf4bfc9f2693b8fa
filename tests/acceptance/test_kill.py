"""Commands killed by the benchmark receive every signal, wherever it is run."""

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import kill


@pytest.fixture
def ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C, as in a background process of a shell."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ignore_interrupts")
@pytest.mark.parametrize("how", kill.SIGNALS)
def test_a_killed_command_receives_the_signal(
    how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    awake = tmp_path / "awake"
    program = f"import pathlib, time; pathlib.Path({str(awake)!r}).touch(); "
    sleeps = [sys.executable, "-c", program + "time.sleep(20)"]
    monkeypatch.setattr(kill, "COMMAND", sleeps)

    process = kill.start_command([], tmp_path, 0)
    while not awake.exists():  # a Python that begins does not yet end by a signal
        time.sleep(0.01)
    process.send_signal(how)

    assert process.wait(15) == -how
