"""Every request is answered, at any place of any text, and soon.

On germany, on a house rule over it, and on a file that is broken in many ways. Broken
by hand, each seen to fail: a place behind the last line, a file that is in no folder, a
text whose header is gone, a request that is not asked here.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.support.editors import Editor, Refusal
from tests.support.fuzz_texts import mutated
from workbench.editor.features import FEATURES
from workbench.editor.quick_fixes import RUN_COMMAND

ROOT = Path(__file__).parents[2]
GERMANY = ROOT / "variants" / "germany"
HOUSE = ROOT / "variants" / "house" / "endless_bank.rules"
BROKEN = 10
BROKEN_DEEP = 50
SECOND = 1.0

AT_PLACES: tuple[tuple[str, dict[str, Any]], ...] = (
    (lsp.TEXT_DOCUMENT_HOVER, {}),
    (lsp.TEXT_DOCUMENT_DEFINITION, {}),
    (lsp.TEXT_DOCUMENT_REFERENCES, {"context": {"includeDeclaration": True}}),
    (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, {}),
    (lsp.TEXT_DOCUMENT_COMPLETION, {}),
    (lsp.TEXT_DOCUMENT_SIGNATURE_HELP, {}),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, {}),
    (lsp.TEXT_DOCUMENT_RENAME, {"newName": "quite_new"}),
)
REFUSING = (lsp.TEXT_DOCUMENT_PREPARE_RENAME, lsp.TEXT_DOCUMENT_RENAME)
"""What is answered with a reason at places where no name can be changed."""
ALL = {
    "start": {"line": 0, "character": 0},
    "end": {"line": 9_999, "character": 0},
}
OF_FILES: tuple[tuple[str, dict[str, Any]], ...] = (
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, {}),
    (lsp.TEXT_DOCUMENT_FOLDING_RANGE, {}),
    (lsp.TEXT_DOCUMENT_FORMATTING, {"options": {"tabSize": 2, "insertSpaces": True}}),
    (lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, {}),
    (lsp.TEXT_DOCUMENT_CODE_ACTION, {"range": ALL, "context": {"diagnostics": []}}),
    (lsp.TEXT_DOCUMENT_INLAY_HINT, {"range": ALL}),
    (lsp.TEXT_DOCUMENT_CODE_LENS, {}),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the game, and a house rule over it."""
    folder = tmp_path_factory.mktemp("games")
    for path in (*GERMANY.glob("*.rules"), HOUSE):
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    """A server that many texts are shown to."""
    made = Editor(folder)
    yield made
    assert made.leave() == 0


def requests(path: Path, text: str, numbers: Random) -> dict[str, dict[str, Any]]:
    """What is asked of a file by each request; places are by chance."""
    uri = path.as_uri()
    asked = {method: {**more} for method, more in (*OF_FILES, *AT_PLACES)}
    for params in asked.values():
        params["textDocument"] = {"uri": uri}
    for method, _ in AT_PLACES:
        line = numbers.randrange(text.count("\n") + 3)
        place = {"line": line, "character": numbers.randrange(90)}
        asked[method]["position"] = place
    asked[lsp.WORKSPACE_SYMBOL] = {"query": numbers.choice("aeiou")}
    titles = re.findall(r'^scenario "(.*?)"', text, re.MULTILINE) or ["it is gone"]
    title = numbers.choice(titles)
    asked[lsp.WORKSPACE_EXECUTE_COMMAND] = {
        "command": RUN_COMMAND,
        "arguments": [uri, title],
    }
    return asked


def answer(editor: Editor, method: str, params: dict[str, Any]) -> Any:
    """The answer to a request; None where it says why there is none."""
    try:
        return editor.ask(method, params)
    except Refusal as refusal:
        if method in REFUSING and refusal.code == lsp.ErrorCodes.InvalidParams:
            return None
        raise


def ask_all(editor: Editor, path: Path, text: str, numbers: Random) -> dict[str, Any]:
    """The answers to every request; how long the slowest took is `slowest`."""
    answers: dict[str, Any] = {"slowest": (0.0, "")}
    for method, params in requests(path, text, numbers).items():
        begin = time.perf_counter()
        answers[method] = answer(editor, method, params)
        took = time.perf_counter() - begin, method
        answers["slowest"] = max(answers["slowest"], took)
    return answers


def test_every_request_is_asked_here() -> None:
    asked = requests(HOUSE, "", Random(1)).keys() - {lsp.WORKSPACE_EXECUTE_COMMAND}
    assert asked == {feature.method for feature in FEATURES}


@pytest.mark.parametrize("name", ["germany.rules", "endless_bank.rules"])
def test_every_request_is_answered_of_whole_rules(
    editor: Editor, folder: Path, name: str
) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    editor.open(path)
    assert editor.of(path) == []
    answers = ask_all(editor, path, text, Random(1))
    for method in (
        lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
        lsp.TEXT_DOCUMENT_FOLDING_RANGE,
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.TEXT_DOCUMENT_COMPLETION,
    ):
        assert answers[method], method
    editor.close(path)


def test_every_request_is_answered_of_broken_rules(
    editor: Editor, folder: Path, deep: bool
) -> None:
    path, numbers = folder / "endless_bank.rules", Random(7)
    whole = path.read_text(encoding="utf-8")
    editor.open(path)
    slowest = 0.0, ""
    for _ in range(BROKEN_DEEP if deep else BROKEN):
        text = mutated(numbers, mutated(numbers, whole))
        editor.change(path, text)
        slowest = max(slowest, ask_all(editor, path, text, numbers)["slowest"])
    editor.settle()
    editor.change(path, whole)
    assert editor.of(path) == []
    assert slowest[0] < SECOND or not deep, slowest
    editor.close(path)


def test_a_file_in_no_folder_and_one_that_is_saved_nowhere(editor: Editor) -> None:
    nowhere = {"uri": "untitled:Untitled-1"}
    item = {**nowhere, "languageId": "rulebook", "version": 1, "text": "kind a: b\n"}
    editor.tell(lsp.TEXT_DOCUMENT_DID_OPEN, {"textDocument": item})
    editor.settle()
    assert [it.code for it in editor.said[nowhere["uri"]]][:1] == ["RB004"]
    answer = editor.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, {"textDocument": nowhere})
    assert answer is not None
    editor.tell(lsp.TEXT_DOCUMENT_DID_CLOSE, {"textDocument": nowhere})
