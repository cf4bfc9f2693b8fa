"""The search for rare actions uses the requested options."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks import rare


def test_options_are_those_of_simulate(
    tiny_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    times = []
    for goal in (1, 9):
        options = ["--option", f"goal={goal}", "--option", "quick=yes"]
        words = ["rare", str(tiny_path), "--games", "3", *options, "--json"]
        monkeypatch.setattr(sys, "argv", words)
        assert rare.main() == 0
        what = json.loads(capsys.readouterr().out)["what"]
        times.append(sum(counted["times"] for counted in what.values()))

    assert times[0] < times[1]
