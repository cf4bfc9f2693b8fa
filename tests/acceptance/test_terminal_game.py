"""A whole game at a real terminal, in German, against three bots."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.processes import run_process

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "tmux_game.py"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_germany_in_german_from_start_to_end(tmp_path: Path) -> None:
    arguments = ["germany", "--language", "de", "--out", str(tmp_path)]

    done = run_process([sys.executable, str(SCRIPT), *arguments], cwd=ROOT)

    assert done.returncode == 0, done.stdout + done.stderr
    last = (tmp_path / "last.txt").read_text(encoding="utf-8")
    assert "gewinnt" in last
    assert "Rot: W" in last
    lines = (tmp_path / "game.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[-1])["end"]["winners"]
    assert json.loads(lines[0])["options"]["variable_setup"] is False
