"""What the server says is wrong is what `rulebook check` says of the saved files.

The server is a process of its own and is spoken to by the real protocol.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from random import Random

import pytest
from lsprotocol import types as lsp

from tests.editor.test_every_answer import answer, requests
from tests.editor.test_names import GAME
from tests.editor.test_publishing import SCENARIOS, put
from tests.editor.test_server import WITH_SCENARIOS
from tests.support.editors import Editor, opened, told_by_check
from tests.support.fuzz_texts import mutated
from workbench.editor.text import Text

EDITS = 40
EDITS_DEEP = 500
EDITS_OF_TWO = 20
SECOND = 1.0
GERMANY = Path(__file__).parents[2] / "variants" / "germany"


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """A server that many tests speak to."""
    made = Editor()
    yield made
    assert made.leave() == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a game with its files, and a house rule over it."""
    for path in GERMANY.glob("*.rules"):
        shutil.copy(path, tmp_path)
    house = 'rules language 1\nrulebook mine "Mine"\n  over germany\n\n'
    house += "in points\n  remove towns\n"
    (tmp_path / "mine.rules").write_text(house, encoding="utf-8")
    return tmp_path


def plain(several: list[lsp.Diagnostic]) -> list[tuple[object, ...]]:
    """What is compared of diagnostics: all of it."""
    return [
        (
            it.range,
            it.message,
            it.code,
            it.severity,
            tuple(it.related_information or ()),
        )
        for it in several
    ]


def agrees(editor: Editor, *paths: Path) -> None:
    """Assert that all was said that `check` says of files, in each file."""
    told = told_by_check(*paths)
    files = {Path(name.removeprefix("file://")) for name in editor.said}
    for file in files | set(told):
        assert plain(editor.of(file)) == plain(told.get(file, [])), file


def test_a_mistake_is_said_where_it_is_and_gone_when_mended(
    editor: Editor, tiny_path: Path, tmp_path: Path
) -> None:
    path = tmp_path / "tiny.rules"
    text = tiny_path.read_text(encoding="utf-8")
    editor.open(path, text)
    assert editor.of(path) == []
    at = text.index("dice die")
    line = text.count("\n", 0, at)
    editor.change(path, ((line, 0), (line, 4), "dce"))
    (said,) = editor.of(path)
    assert (said.code, said.source) == ("RB012", "rulebook")
    assert said.range == lsp.Range(lsp.Position(line, 0), lsp.Position(line, 3))
    assert "did you mean `dice`?" in said.message
    editor.change(path, ((line, 0), (line, 3), "dice"))
    assert editor.of(path) == []
    editor.close(path)


def test_a_house_rule_is_read_with_its_game(editor: Editor, folder: Path) -> None:
    path = folder / "mine.rules"
    editor.open(path)
    editor.settle()
    agrees(editor, path)
    game = folder / "germany.rules"
    whole = game.read_text(encoding="utf-8")
    editor.open(game, whole + "\nkind player: x\n")
    assert editor.of(game)
    editor.change(game, whole)
    assert editor.of(game) == []
    editor.close(game)
    editor.close(path)
    assert editor.of(path) == []


def test_a_file_beside_a_game_is_read_with_it(editor: Editor, folder: Path) -> None:
    path = folder / "germany.scenarios.rules"
    text = path.read_text(encoding="utf-8")
    editor.open(path)
    assert editor.of(path) == []
    lines = text.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("scenario "))
    editor.change(path, ((at, 0), (at, 8), "scenrio"))
    assert [it.code for it in editor.of(path)] == ["RB012"]
    editor.close(path)


def test_edits_say_what_check_says_of_the_saved_file(
    editor: Editor, tiny_path: Path, tmp_path: Path, deep: bool
) -> None:
    path, numbers = tmp_path / "tiny.rules", Random(1)
    first = text = tiny_path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    editor.open(path, text)
    slowest = 0.0
    for number in range(EDITS_DEEP if deep else EDITS):
        new = first if number % 20 == 0 else mutated(numbers, text)
        editor.change(path, *patch(text, new))
        before = time.perf_counter()
        editor.settle()
        slowest = max(slowest, time.perf_counter() - before)
        save(path, new)
        agrees(editor, path)
        text = new if len(new) < 3 * len(first) else first
        if text is first:
            editor.change(path, first)
    assert slowest < SECOND or not deep
    editor.close(path)
    editor.settle()


def save(path: Path, text: str) -> None:
    """Put a text into its file as it is."""
    path.write_bytes(text.encode("utf-8", "surrogatepass"))


def test_edits_of_a_game_and_its_scenarios_say_what_check_says(
    editor: Editor, tmp_path: Path, deep: bool
) -> None:
    """Several at a time, with requests between them that nobody has waited for."""
    numbers = Random(2)
    first = {
        put(tmp_path, "mine", WITH_SCENARIOS): WITH_SCENARIOS,
        put(tmp_path, "mine.scenarios", SCENARIOS): SCENARIOS,
    }
    texts = dict(first)
    for path in texts:
        editor.open(path)
    done = 0
    while done < (EDITS_DEEP if deep else EDITS_OF_TWO):
        for _ in range(numbers.choice((1, 1, 2, 3))):
            path = numbers.choice(list(texts))
            whole = numbers.random() < 0.25 or len(texts[path]) > 2 * len(first[path])
            new = first[path] if whole else mutated(numbers, texts[path])
            editor.change(path, *patch(texts[path], new))
            texts[path] = new
            done += 1
            asked = requests(path, new, numbers)
            for method in numbers.sample(list(asked), 3):
                answer(editor, method, asked[method])
        editor.settle()
        for path, text in texts.items():
            save(path, text)
        agrees(editor, *texts)
    for path in texts:
        editor.close(path)


def patch(old: str, new: str) -> list[object]:
    """The change from one text to another as an editor sends it."""
    same = alike(old, new)
    rest = alike(old[same:][::-1], new[same:][::-1])
    begin, end = (position(old, at) for at in (same, len(old) - rest))
    if "\r" in old + new:
        return [new]
    return [(begin, end, new[same : len(new) - rest])]


def alike(left: str, right: str) -> int:
    """How many characters two texts begin with that are the same."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    return sum(1 for _ in pairs)


def position(text: str, at: int) -> tuple[int, int]:
    """The position of a character."""
    before = Text(text[:at])
    return before.end


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_are_in_the_units_that_were_agreed(
    encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.rules"
    editor = Editor(tmp_path, encodings=(encoding,))
    assert editor.result.capabilities.position_encoding == encoding
    card = "\N{PLAYING CARD ACE OF SPADES}"
    editor.open(path, f'rules language 1\nrulebook x "{card}" oops\n')
    editor.settle()
    widths = {"utf-8": 4, "utf-16": 2, "utf-32": 1}
    (said,) = editor.of(path)
    assert said.range.start == lsp.Position(1, 14 + widths[encoding])
    assert editor.leave() == 0


def test_hostile_texts_and_files_that_vanish(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "odd.rules"
    path.write_text("", encoding="utf-8")
    for text in (
        "",
        "\0",
        "(" * 5000,
        "kind x: " + "a, " * 50_000,
        "\ud83c",
        "é" * 200,
    ):
        editor.open(path, text)
        assert editor.of(path), text[:9]
        editor.close(path)
    editor.open(path, "rules language 1\nextends gone\n")
    path.unlink()
    editor.close(path)
    assert editor.of(path) == []


def test_a_request_that_is_cancelled_is_no_trouble(
    editor: Editor, tiny_path: Path, tmp_path: Path
) -> None:
    path = tmp_path / "tiny.rules"
    editor.open(path, tiny_path.read_text(encoding="utf-8"))
    for number in range(5):
        asked = f"c{number}"
        editor.send({"id": asked, "method": "rulebook/settled", "params": {}})
        editor.tell(lsp.CANCEL_REQUEST, lsp.CancelParams(asked))
    assert editor.of(path) == []
    editor.close(path)


def test_all_typos_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    text = GAME.replace("bag of good", "bag of goood", 1)
    text = text.replace("move 1 good", "mov 1 good")
    path = tmp_path / "mine.rules"
    path.write_text(text, encoding="utf-8")
    editor = opened(tmp_path, "mine.rules")
    assert {it.code for it in editor.of(path)} == {"RB011", "RB101"}
    editor.change(path, GAME)
    assert editor.of(path) == []
    assert editor.leave() == 0
