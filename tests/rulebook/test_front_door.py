"""The front door of `rulebook` is small, and deprecated names still work."""

import importlib
import sys

import pytest

import rulebook
from rulebook import tooling

NAMES_MAX = 30
"""Maximum number of names at the front door."""


def test_has_few_names() -> None:
    assert len(rulebook.__all__) <= NAMES_MAX
    assert not set(rulebook.__all__) & set(tooling.__all__)


def test_returns_names_for_tools_with_a_warning() -> None:
    for name in tooling.__all__:
        with pytest.warns(DeprecationWarning, match=rf"use `rulebook.tooling.{name}`"):
            assert getattr(rulebook, name) is getattr(tooling, name)


def test_returns_renamed_names_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="use `rulebook.quick_check`"):
        assert rulebook.glance is rulebook.quick_check
    with pytest.warns(DeprecationWarning, match="use `rulebook.tooling.range_of`"):
        assert rulebook.surely is tooling.range_of


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("interpreter.compiled", "interpreter.c_engine", "Batch"),
        ("interpreter.tree_search", "interpreter.search", "search"),
        ("workbench.bots.named", "workbench.bots.registry", "bot_of"),
    ],
)
def test_renamed_modules_warn(old: str, new: str, name: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"use `{new}`"):
        module = importlib.import_module(old)
    assert getattr(module, name) is getattr(importlib.import_module(new), name)


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("interpreter", "foreseen", "evaluate_turn"),
        ("interpreter.c_engine", "NotNative", "NoNativeEngine"),
        ("interpreter.compiled", "NotNative", "NoNativeEngine"),
        ("interpreter.tracing", "traced", "trace_game"),
        ("rulebook", "visible", "printable_line"),
        ("workbench.bots", "own_numbers", "bot_random"),
    ],
)
def test_earlier_names_work_and_warn(module: str, old: str, new: str) -> None:
    home = importlib.import_module(module)
    with pytest.warns(DeprecationWarning, match=rf"use `[\w.]*{new}`"):
        assert getattr(home, old) is getattr(home, new)
    with pytest.raises(AttributeError, match="has no attribute `none_such`"):
        _ = home.none_such


def test_rejects_unknown_names() -> None:
    with pytest.raises(AttributeError, match="has no attribute `board`"):
        _ = rulebook.board
