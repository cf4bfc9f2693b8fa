"""Which mistakes are shown, and at what: beside the protocol, settled by hand.

Each broken by hand and seen to fail: the text that mistakes are of left out, the files
that a root is made of noted only by whole checks, a folder that is not looked at.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.editor.test_names import GAME, HOUSE
from workbench.editor import quick_fixes
from workbench.editor.protocol import ProtocolConverter
from workbench.editor.publication import PublishedDiagnostics
from workbench.editor.workspace import Workspace
from workbench.files.library.companions import companion_diagnostics

WHOLE = lsp.Range(lsp.Position(0, 0), lsp.Position(999, 0))
SCENARIOS = """rules language 1
scenarios of mine

scenario "a card is taken"
  when
    north does take(silk)
  then
    require north's worth = 2
"""


class Seen:
    """What an editor shows that is told what the server tells."""

    def __init__(self) -> None:
        self.space = Workspace()
        self.published = PublishedDiagnostics(self.space)
        self.converter = ProtocolConverter(
            self.space, published_diagnostics=self.published.diagnostics_of
        )
        self.said: dict[str, list[tuple[int, str]]] = {}
        self.due: set[Path] = set()

    def open(self, path: Path) -> None:
        """Show a file."""
        self.space.set_text(path, path.read_text(encoding="utf-8"))
        self.published.open(path)
        self.changed(path)

    def write(self, path: Path, text: str) -> None:
        """Type a text."""
        self.space.set_text(path, text)
        self.changed(path)

    def changed(self, path: Path) -> None:
        """Look at the texts."""
        tell, late = self.published.handle_change(path)
        self._take(tell)
        self.due |= late

    def settle(self) -> None:
        """Look at what they mean."""
        while self.due:
            root = self.due.pop()
            self._take(self.published.store(root, self.space.check_and_store(root)))

    def _take(self, paths: set[Path]) -> None:
        for path in paths:
            several = self.published.diagnostics_of(path)
            self.said[path.name] = [(it.span.line, it.code) for it in several]

    def cures(self, path: Path) -> list[lsp.CodeAction]:
        """The quick fixes of a file."""
        document = lsp.TextDocumentIdentifier(path.as_uri())
        context = lsp.CodeActionContext([])
        params = lsp.CodeActionParams(document, WHOLE, context)
        return quick_fixes.quick_fixes(self.converter, path, params)


@pytest.fixture
def seen() -> Seen:
    """An editor without a text."""
    return Seen()


def put(folder: Path, name: str, text: str) -> Path:
    """A file with a text."""
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return path


def test_nothing_is_said_or_mended_at_places_of_an_older_text(
    seen: Seen, tmp_path: Path
) -> None:
    path = put(tmp_path, "mine", GAME.replace("from market to", "from markt to"))
    seen.open(path)
    seen.settle()
    (first,) = seen.said["mine.rules"]
    assert first[1] == "RB101" and len(seen.cures(path)) == 1
    seen.write(path, "# a\n# b\n" + seen.space.text(path))
    assert seen.said["mine.rules"] == [first]  # the editor moves it itself
    assert seen.cures(path) == []
    seen.settle()
    assert seen.said["mine.rules"] == [(first[0] + 2, "RB101")]
    (action,) = seen.cures(path)
    assert action.edit is not None and action.edit.changes is not None
    (edit,) = action.edit.changes[path.as_uri()]
    assert edit.range.start.line == first[0] + 1


def test_what_is_wrong_in_a_file_below_goes_with_it(seen: Seen, tmp_path: Path) -> None:
    put(tmp_path, "mine", GAME)
    bad = put(tmp_path, "bad", GAME.replace("action take", "acton take"))
    house = put(tmp_path, "house", HOUSE)
    seen.open(house)
    seen.settle()
    seen.write(house, HOUSE.replace("over mine", "over bad"))
    assert [code for _, code in seen.said["bad.rules"]] == ["RB012"]
    seen.write(bad, GAME.replace("rulebook mine", "rulebook bad"))
    assert seen.said["bad.rules"] == []
    seen.settle()
    assert not any(seen.said.values())


def test_a_file_that_is_no_text_is_read_again(seen: Seen, tmp_path: Path) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_bytes(GAME.replace('"Mine"', '"Mäne"').encode("latin-1"))
    seen.open(put(tmp_path, "house", HOUSE.replace("over mine", "over bad")))
    assert [code for _, code in seen.said["bad.rules"]] == ["RB001"]
    bad.write_text(GAME.replace("rulebook mine", "rulebook bad"), encoding="utf-8")
    seen.changed(bad)
    seen.settle()
    assert not any(seen.said.values())


def test_files_that_come_and_go_are_noticed(seen: Seen, tmp_path: Path) -> None:
    said = GAME.replace('"Mine"\n', '"Mine"\n  comes with de, scenarios\n')
    game, other = put(tmp_path, "mine", said), put(tmp_path, "else", GAME)
    seen.open(game)
    seen.open(other)
    seen.settle()
    assert [code for _, code in seen.said["mine.rules"]] == ["RB169", "RB169"]
    words = put(tmp_path, "mine.de", "rules language 1\nwords de of mine\n")
    seen.changed(words)
    seen.settle()
    assert len(seen.said["mine.rules"]) == 1
    seen.changed(put(tmp_path, "mine.scenarios", SCENARIOS))
    seen.settle()
    assert seen.said["mine.rules"] == []
    words.unlink()
    seen.changed(words)
    seen.settle()
    assert len(seen.said["mine.rules"]) == 1


@pytest.mark.parametrize("there", [False, True])
def test_a_part_that_is_shown_before_its_game_says_its_name(
    seen: Seen, tmp_path: Path, there: bool
) -> None:
    part, game = put(tmp_path, "mine.scenarios", SCENARIOS), tmp_path / "mine.rules"
    if there:
        game.write_text(GAME, encoding="utf-8")
        seen.open(game)
    seen.open(part)
    seen.settle()
    assert [code for _, code in seen.said[part.name]] == ["RB170"]
    said = GAME.replace('"Mine"\n', '"Mine"\n  comes with scenarios\n')
    if there:
        seen.write(game, said)
    else:
        game.write_text(said, encoding="utf-8")
        seen.changed(game)
    seen.settle()
    assert not any(seen.said.values())


def test_the_game_that_a_part_is_called_after_is_its_first(tmp_path: Path) -> None:
    game = GAME.replace('"Mine"\n', '"Mine"\n  comes with scenarios\n')
    part = put(tmp_path, "mine.scenarios", SCENARIOS)
    below = HOUSE.replace("rulebook house", "rulebook a_house")
    roots = (put(tmp_path, "mine", game), put(tmp_path, "a_house", below))
    space = Workspace((tmp_path,))
    assert space.roots(part) == roots
    # `check` asks the same files
    assert companion_diagnostics(part, {}).keys() == set(roots)


def test_what_is_closed_is_forgotten(seen: Seen, tmp_path: Path) -> None:
    house, game = put(tmp_path, "house", HOUSE), put(tmp_path, "mine", GAME)
    for path in (house, game):
        seen.open(path)
    seen.settle()
    assert seen.space.books.keys() == seen.space.files_by_root.keys() == {house, game}
    seen.space.close(house)
    seen.published.close(house)
    assert seen.space.books.keys() == seen.space.files_by_root.keys() == {game}


def test_what_is_open_is_read_as_it_is() -> None:
    space, path = Workspace(), Path("/nowhere/mine.rules")
    space.set_text(path, "# \ud83c half of a letter\n")
    assert space.text(path) == "# \ud83c half of a letter\n"
    text = ProtocolConverter(space).text(path)
    assert text.with_change((0, 3), (0, 4), "").text == "# \ud83chalf of a letter\n"
