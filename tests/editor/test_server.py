"""What happens beside one another: checks, searches, and an editor that goes on.

Each broken by hand and seen to fail: two checks at a time, what is checked noted where
it is checked, a crash not caught, a search in the server's own thread, results kept
by file alone, documents of other schemes taken for files, nothing asked to be watched.
"""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

import rulebook
from tests.editor.test_names import GAME, HOUSE
from tests.editor.test_publishing import SCENARIOS, put
from tests.support.editors import Editor, Refusal
from workbench.editor import navigation, workspace
from workbench.editor.outline import workspace_symbols
from workbench.editor.server import RulesServer

ROOT = Path(__file__).parents[2]
WITH_SCENARIOS = GAME.replace('"Mine"\n', '"Mine"\n  comes with scenarios\n')


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> RulesServer:
    """A server that nobody is told by."""
    monkeypatch.setattr(RulesServer, "publish", lambda self, paths: None)
    monkeypatch.setattr(RulesServer, "refresh", lambda self: None)
    return RulesServer()


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    """An editor of a folder, which can watch files."""
    made = Editor(tmp_path, watches=True)
    yield made
    assert made.leave() == 0


def show(server: RulesServer, path: Path, text: str) -> None:
    """Open a text, or change it."""
    server.space.set_text(path, text)
    server.published.open(path)
    server.handle_change(path)


def test_a_check_of_an_older_text_is_not_noted(
    server: RulesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, examine = put(tmp_path, "mine", GAME), rulebook.examine
    begun, ends = threading.Event(), threading.Event()
    at_work: list[int] = []
    most: list[int] = []

    def slow(*given: Any, **named: Any) -> Any:
        at_work.append(1)
        most.append(len(at_work))
        answer = examine(*given, **named)
        if not begun.is_set():
            begun.set()
            ends.wait(20)
        at_work.pop()
        return answer

    monkeypatch.setattr(workspace, "examine", slow)

    async def main() -> None:
        show(server, path, GAME)
        server.skip_pause.set()
        await asyncio.to_thread(begun.wait, 20)
        new = "# new\n\n" + GAME.replace("from market to your", "from markt to your")
        show(server, path, new)
        settled = asyncio.create_task(server.settled())
        await asyncio.sleep(0.2)
        ends.set()
        await settled
        (mistake,) = server.published.diagnostics_of(path)
        assert mistake.code == "RB101"

    asyncio.run(main())
    assert len(most) == 2 and max(most) == 1
    assert path not in server.space.books  # the first had one, and was not noted


def test_a_root_that_cannot_be_checked_stops_no_other(
    server: RulesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, path = put(tmp_path, "a", GAME), put(tmp_path, "mine", GAME)
    check = workspace.Workspace.check

    def crashing(self: workspace.Workspace, root: Path) -> workspace.CheckedRoot:
        if root == bad:
            raise RuntimeError(root)
        return check(self, root)

    monkeypatch.setattr(workspace.Workspace, "check", crashing)

    async def main() -> None:
        show(server, bad, GAME.replace("rulebook mine", "rulebook a"))
        show(server, path, GAME)
        await asyncio.wait_for(server.settled(), 20)
        assert server.space.books.keys() == {path}
        show(server, path, GAME.replace("from market to", "from markt to"))
        await asyncio.wait_for(server.settled(), 20)
        assert [it.code for it in server.published.diagnostics_of(path)] == ["RB101"]

    asyncio.run(main())


def test_the_names_of_a_workspace_are_found_before_somebody_asks(
    server: RulesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "mine", GAME)
    put(tmp_path, "house", HOUSE)
    asked: list[object] = []
    uses_in = rulebook.uses_in

    def counted(*given: Any) -> Any:
        asked.append(given)
        return uses_in(*given)

    monkeypatch.setattr(navigation, "uses_in", counted)
    server.space.folders = (tmp_path,)
    asyncio.run(server.read_all_names())
    assert len(asked) == 2
    query = lsp.WorkspaceSymbolParams("pouch")
    assert len(workspace_symbols(server.converter, None, query)) == 1
    assert len(asked) == 2


def test_a_search_over_the_workspace_holds_up_no_other_request(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("*.py", "__pycache__")
    shutil.copytree(ROOT / "variants", tmp_path / "all", ignore=ignored)
    path = put(tmp_path, "mine", GAME)
    editor = Editor(tmp_path)
    editor.open(path)
    searched = {"id": "search", "method": lsp.WORKSPACE_SYMBOL}
    editor.send({**searched, "params": {"query": "build"}})
    about = {"textDocument": {"uri": path.as_uri()}}
    folded = {"id": "fold", "method": lsp.TEXT_DOCUMENT_FOLDING_RANGE}
    editor.send({**folded, "params": about})
    answers = [editor.answers.get(timeout=60) for _ in range(2)]
    assert [answer["id"] for answer in answers] == ["fold", "search"]
    assert answers[0]["result"] and answers[1]["result"]
    editor.send({**searched, "params": {"query": "build"}})
    editor.change(path, "# else\n" + GAME)
    answer = editor.answers.get(timeout=60)
    assert answer["error"]["code"] == lsp.LSPErrorCodes.ContentModified
    assert editor.leave() == 0


def test_how_a_scenario_went_is_said_only_of_the_same_rules(
    editor: Editor, tmp_path: Path
) -> None:
    game = put(tmp_path, "mine", WITH_SCENARIOS)
    part = put(tmp_path, "mine.scenarios", SCENARIOS)
    editor.open(game)
    editor.open(part)
    editor.settle()

    def said() -> str:
        (lens,) = editor.about(lsp.TEXT_DOCUMENT_CODE_LENS, part)
        return str(lens["command"]["title"])

    (lens,) = editor.about(lsp.TEXT_DOCUMENT_CODE_LENS, part)
    before, command = said(), lens["command"]
    went = editor.ask(lsp.WORKSPACE_EXECUTE_COMMAND, command)
    assert said() == went != before
    editor.change(game, WITH_SCENARIOS.replace("silk | 2", "silk | 3"))
    assert said() == before
    editor.settle()
    assert said() == before
    other = editor.ask(lsp.WORKSPACE_EXECUTE_COMMAND, command)
    assert said() == other != went
    editor.change(game, WITH_SCENARIOS)
    editor.settle()
    assert said() == before


def test_a_document_of_another_scheme_is_not_the_file(
    editor: Editor, tmp_path: Path
) -> None:
    path = put(tmp_path, "mine", GAME)
    editor.open(path)
    outline = editor.about(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, path)
    for scheme in ("git", "untitled"):
        for name in (path, path.with_suffix("")):
            item = {"languageId": "rulebook", "version": 1, "text": "kind a: b\n"}
            document = {"uri": f"{scheme}:{name}"}
            shown = {"textDocument": {**document, **item}}
            editor.tell(lsp.TEXT_DOCUMENT_DID_OPEN, shown)
            editor.settle()
            assert [it.code for it in editor.said[document["uri"]]][:1] == ["RB004"]
            assert editor.about(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, path) == outline
            assert editor.of(path) == []
            editor.tell(lsp.TEXT_DOCUMENT_DID_CLOSE, {"textDocument": document})
            editor.settle()
            assert editor.said[document["uri"]] == []


def test_an_editor_that_can_is_asked_to_watch_files(
    editor: Editor, tmp_path: Path
) -> None:
    editor.open(put(tmp_path, "mine", GAME))
    editor.settle()
    assert editor.asked[lsp.CLIENT_REGISTER_CAPABILITY] == 1
    other = Editor(tmp_path)
    other.settle()
    assert other.asked[lsp.CLIENT_REGISTER_CAPABILITY] == 0
    assert other.leave() == 0


def test_a_refusal_is_an_answer_and_no_crash(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path, "mine", GAME)
    editor = Editor(tmp_path)
    editor.open(path)
    with pytest.raises(Refusal, match="there is no renamable name here"):
        editor.at(lsp.TEXT_DOCUMENT_RENAME, path, 0, 0, newName="x")
    with pytest.raises(Refusal, match="arguments"):
        editor.ask(lsp.WORKSPACE_EXECUTE_COMMAND, {"command": "rulebook.runScenario"})
    assert editor.leave() == 0
    assert JsonRpcInvalidParams.__name__ not in capfd.readouterr().err
