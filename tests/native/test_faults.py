"""Both engines report files with a fault identically."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulebook as rb
from interpreter.kernel.passes.pipeline import EVERY_PASS
from interpreter.native.engine import Engine, engine_for
from rulebook import RulesError
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Setting, begun, play
from workbench.cli import main

FAULTS = Path(__file__).parents[1] / "faults"
FILES = sorted(str(path.relative_to(FAULTS)) for path in FAULTS.rglob("*.rules"))
STEPS = 60

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize("name", FILES)
def test_both_engines_report_a_fault_identically(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = FAULTS / name
    try:
        book = rb.load(path)
    except RulesError:
        assert told(path, "native", capsys) == told(path, "reference", capsys)
        return
    for players in {*book.players}:
        setting = Setting(book, players, 1, {})
        made = engine_for(setting.plan())
        assert isinstance(made, Engine), made
        begins = [begun(setting.reference, EVERY_PASS), begun(made.start, 1)]
        assert begins[0] == begins[1]
        if not begins[0]:
            assert play(setting, STEPS) > 0


def told(
    path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """Return the output of `simulate` with an engine, which must report a fault."""
    code = main(["simulate", str(path), "--games", "2", "--engine", kind])
    said = capsys.readouterr()
    assert code == 1
    assert "error RB" in said.err
    return code, said.out, said.err
