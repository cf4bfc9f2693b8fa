"""Files with a fault are told the same by both engines, and no other way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rulebook as rb
from interpreter.native.engine import Engine, engine
from interpreter.plan.specialise.rewrites import ALL
from rulebook import RulesError
from tests.native.compilers import CC
from tests.support.side_by_side import Setting, begun, play
from workbench.cli import main

FAULTS = Path(__file__).parents[1] / "faults"
FILES = sorted(str(path.relative_to(FAULTS)) for path in FAULTS.rglob("*.rules"))
STEPS = 60

pytestmark = pytest.mark.skipif(
    CC is None, reason="NO COMPILER OF C: the native engine is not tested"
)


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of these tests' own: nothing is left in that of the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("name", FILES)
def test_a_fault_is_told_the_same(
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
        made = engine(setting.plan())
        assert isinstance(made, Engine), made
        begins = [begun(setting.reference, ALL), begun(made.start, 1)]
        assert begins[0] == begins[1]
        if not begins[0]:
            assert play(setting, STEPS) > 0


def told(
    path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """What `simulate` says with an engine; it says that there is a fault."""
    code = main(["simulate", str(path), "--games", "2", "--engine", kind])
    said = capsys.readouterr()
    assert code == 1
    assert "error RB" in said.err
    return code, said.out, said.err
