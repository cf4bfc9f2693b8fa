"""Outlines, folding, the canonical form and the colours of names, by the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lsprotocol import types as lsp

from rulebook import format_text
from tests.support.editors import Editor
from tests.support.fuzz_texts import mutated
from workbench.editor.outline import TYPES, foldable_lines
from workbench.editor.protocol import ProtocolConverter
from workbench.editor.text import Text
from workbench.editor.workspace import Workspace

GERMANY = Path(__file__).parents[2] / "variants" / "germany"


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """A server in a workspace with one game."""
    made = Editor(GERMANY)
    yield made
    assert made.leave() == 0


@pytest.fixture
def game(editor: Editor, tiny_path: Path, tmp_path: Path) -> Iterator[Path]:
    """A small game that is shown, with a character that takes two units."""
    path = tmp_path / "tiny.rules"
    text = tiny_path.read_text(encoding="utf-8")
    path.write_text(text.replace("A tiny game", "A 🂡 game"), encoding="utf-8")
    editor.open(path)
    yield path
    editor.close(path)


def test_the_outline_is_what_a_file_declares(editor: Editor, game: Path) -> None:
    answer = editor.about(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, game)
    named = {it["name"]: it for it in answer}
    assert {"tiny", "pebble", "goal", "die", "heap", "pouch"} <= named.keys() | {
        inner["name"] for it in answer for inner in it["children"]
    }
    inside = {it["name"] for it in named["catch"]["children"]}
    assert {"roll", "take"} <= inside
    for it in answer:
        begin, end = it["range"]["start"], it["range"]["end"]
        chosen = it["selectionRange"]
        assert before(begin, chosen["start"]) and before(chosen["end"], end)


def before(left: dict[str, int], right: dict[str, int]) -> bool:
    """Whether a position is not behind another."""
    places = [(it["line"], it["character"]) for it in (left, right)]
    return places[0] <= places[1]


def test_things_of_a_workspace_are_searched_for(editor: Editor) -> None:
    answer = editor.ask(lsp.WORKSPACE_SYMBOL, {"query": "bldtwnhll"})
    assert {it["name"] for it in answer} == {"build_town_hall"}
    assert all(it["location"]["uri"].endswith(".rules") for it in answer)


def test_lines_fold_with_what_is_below_them() -> None:
    text = Text("# a\n# b\nkind x\n  a\n\n  b\n    c\n\n# d\nkind y\n")
    assert sorted(foldable_lines(text)) == [(0, 1), (2, 6), (5, 6)]


@pytest.mark.parametrize("seed", range(5))
def test_folds_lie_in_one_another(seed: int, tiny_path: Path) -> None:
    text = Text(mutated(Random(seed), tiny_path.read_text(encoding="utf-8")))
    several = list(foldable_lines(text))
    for begin, end in several:
        assert 0 <= begin < end < len(text.lines)
        for other, last in several:
            assert not begin < other <= end < last


def test_the_form_is_that_of_the_command(editor: Editor, game: Path) -> None:
    text = game.read_text(encoding="utf-8")
    loose = text.replace("roll die", "roll   die").replace("\n\n", "\n\n\n")
    editor.change(game, loose)
    options = {"tabSize": 2, "insertSpaces": True}
    (edit,) = editor.about(lsp.TEXT_DOCUMENT_FORMATTING, game, options=options)
    assert applied(loose, edit) == format_text(loose, "x")
    editor.change(game, loose.replace("\n", "\r\n"))
    (edit,) = editor.about(lsp.TEXT_DOCUMENT_FORMATTING, game, options=options)
    made = applied(loose.replace("\n", "\r\n"), edit)
    assert made == format_text(loose, "x").replace("\n", "\r\n")
    editor.change(game, format_text(loose, "x"))
    assert editor.about(lsp.TEXT_DOCUMENT_FORMATTING, game, options=options) == []
    editor.change(game, "kind a b c d\n")
    assert editor.about(lsp.TEXT_DOCUMENT_FORMATTING, game, options=options) == []


@pytest.mark.parametrize("tail", ["", "\n", "\n\n", "\n\n\n", "\n  \n", "  "])
@pytest.mark.parametrize("other", ["", "\n", "\n\n", "x\n"])
def test_one_change_leads_from_any_end_of_a_file_to_any_other(
    tail: str, other: str
) -> None:
    space, path = Workspace(), Path("/a.rules")
    for body in ("", "a", "a\nb"):
        space.set_text(path, f"{body}{tail}")
        edit = ProtocolConverter(space).smallest_edit(path, f"{body}{other}")
        begin, end = (
            (it.line, it.character) for it in (edit.range.start, edit.range.end)
        )
        made = Text(f"{body}{tail}").with_change(begin, end, edit.new_text).text
        assert made == f"{body}{other}", body


def applied(text: str, edit: dict[str, Any]) -> str:
    """A text after a change, as an editor makes it."""
    begin, end = (
        (edit["range"][side]["line"], edit["range"][side]["character"])
        for side in ("start", "end")
    )
    return Text(text).with_change(begin, end, edit["newText"]).text


def test_names_are_coloured_by_what_they_are(editor: Editor, game: Path) -> None:
    editor.settle()
    data = editor.about(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, game)["data"]
    lines = Text(game.read_text(encoding="utf-8")).lines
    coloured = set()
    line = column = 0
    for at in range(0, len(data), 5):
        down, right, length, kind, declares = data[at : at + 5]
        column = right if down else column + right
        line += down
        word = lines[line].encode("utf-16-le")[2 * column : 2 * (column + length)]
        coloured.add((word.decode("utf-16-le"), TYPES[kind], bool(declares)))
    assert ("pebble", "class", True) in coloured
    assert ("pebble", "class", False) in coloured
    assert ("pouch", "property", False) in coloured
    assert ("white", "enumMember", True) in coloured
    assert all(word.isidentifier() for word, _, _ in coloured)
