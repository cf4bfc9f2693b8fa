"""The table of exported functions contains exactly the functions that Python calls."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest

import interpreter
import rulebook as rb
from interpreter.native import engine as engines
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.cache import user_cache
from interpreter.native.build.loading import load_library
from interpreter.native.engine import Engine, NoNativeEngine
from interpreter.native.symbols import BASE_SYMBOLS, SEARCHES, TRACES
from interpreter.planning import plan_for
from tests.native.compilers import CC, fake
from tests.native.conftest import Places
from tests.native.texts import use

ROOT = Path(interpreter.__file__).parent
TINY = ROOT.parent / "examples" / "tiny" / "dare.rules"
KINDS = (
    {"with_greedy": False, "with_traces": False, "with_search": False},
    {"with_greedy": True, "with_traces": False, "with_search": False},
    {"with_greedy": True, "with_traces": False, "with_search": True},
    {"with_greedy": False, "with_traces": True, "with_search": False},
)
"""Engines for the bots: `random`, `greedy` and `mcts`; and one for measures."""


def test_the_table_names_all_functions_called_by_python() -> None:
    texts = [path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")]
    called = {name for text in texts for name in re.findall(r"library\.(rb_\w+)", text)}

    assert called == {*BASE_SYMBOLS, *TRACES, *SEARCHES}


@pytest.mark.parametrize("kind", KINDS)
def test_engines_export_exactly_the_listed_functions(
    kind: dict[str, bool], places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def noted(text: str, *, symbols: tuple[str, ...]) -> ctypes.CDLL | BuildFailure:
        asked.extend(symbols)
        return load_library(text, symbols=symbols)

    monkeypatch.setattr(engines, "load_library", noted)

    made = engines.build_engine(plan_for(rb.load(TINY), 2, {}), **kind)

    assert isinstance(made, Engine)
    assert {*TRACES} <= {*asked} if kind["with_traces"] else not {*TRACES} & {*asked}
    searches = {*SEARCHES} & {*asked}
    assert searches == ({*SEARCHES} if kind["with_search"] else set())


@pytest.mark.parametrize("kind", KINDS)
def test_rejects_a_compiler_that_hides_the_functions(
    kind: dict[str, bool],
    places: Places,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hidden = 's/visibility(.default.)/visibility("hidden")/'
    body = f"sed '{hidden}' engine.c > e && mv e engine.c\nexec {CC} \"$@\""
    use(fake(tmp_path / "bin", body), monkeypatch)

    made = engines.build_engine(plan_for(rb.load(TINY), 2, {}), **kind)

    assert isinstance(made, NoNativeEngine)
    assert "does not export rb_numbers and" in made.reason
    cached = user_cache()
    assert cached is not None
    assert list(cached.folder.glob("*.so")) == []
