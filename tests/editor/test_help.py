"""What is offered while somebody types, and what is done for them, by the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from lsprotocol import types as lsp

from rulebook import Diagnostic, examine_text
from tests.editor.test_names import GAME, HOUSE, at
from tests.support.editors import REFRESHED, Editor, opened
from tests.support.fuzz_texts import small_files
from tests.support.uses import misspelt, put, uses
from workbench.editor.hover import keyword_at
from workbench.files.library.loading import shipped_text

MORE = """
option most (5 to 30): 20  "what is wanted"

define player's rest: 0 to 99
  most

to hand_out(player, good, 0 to 5 many)
  move up to many good from market to player's pouch

invariant "nobody is rich"
  require no player where player's worth = 99

scenario "a card is taken"
  when
    north does take(silk)
  then
    require north's worth = 2

scenario "it goes wrong"
  when
    north does take(silk)
  then
    require north's worth = 7
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game and a house rule over it."""
    (tmp_path / "mine.rules").write_text(GAME + MORE, encoding="utf-8")
    (tmp_path / "house.rules").write_text(HOUSE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def editor(folder: Path) -> Iterator[Editor]:
    """An editor that shows both."""
    made = opened(folder, "mine.rules", "house.rules")
    yield made
    assert made.leave() == 0


def offered(
    editor: Editor, path: Path, line: str, *, typed: bool = False
) -> dict[str, str]:
    """What is offered at the end of lines below a text, with how it is sorted.

    Where it was `typed`, the blank at the end asked for it, not the writer.
    """
    text = path.read_text(encoding="utf-8")
    editor.change(path, f"{text}\n{line}")
    *above, last = f"{text}\n{line}".split("\n")
    context = {"triggerKind": 2, "triggerCharacter": " "} if typed else None
    answer = editor.at(
        lsp.TEXT_DOCUMENT_COMPLETION, path, len(above), len(last), context=context
    )
    return {it["label"]: it["sortText"] for it in answer["items"]}


def test_names_that_can_stand_there_are_offered(editor: Editor, folder: Path) -> None:
    path = folder / "house.rules"
    assert set(offered(editor, path, "in action ta")) == {"take"}
    assert set(offered(editor, path, "replace to ")) == {"hand_out"}
    assert set(offered(editor, path, "remove option ")) == {"most"}
    step = 'scenario "it costs"\n  then\n    north may not take(silk) because '
    assert set(offered(editor, path, step)) == {"there", "cheap"}
    parts = offered(editor, path, "to pay(player)\n  set player's ")
    assert {"pouch", "worth", "wealth", "rest"} <= set(parts)
    assert not {"silk", "market", "take"} & set(parts)
    assert "mine" in offered(editor, path, 'rulebook own "Own"\n  over ')


@pytest.mark.parametrize(
    "line",
    ["# a remark ", '  needs it: your worth > 2  "say ', '  pays salt  # "and" '],
)
def test_nothing_is_offered_in_remarks_and_texts(
    editor: Editor, folder: Path, line: str
) -> None:
    assert offered(editor, folder / "house.rules", line) == {}


def test_only_what_is_below_can_be_amended(editor: Editor, folder: Path) -> None:
    path = folder / "house.rules"
    own = "action extra(good)\n  move 1 good from market to your pouch\n"
    path.write_text(f"{HOUSE}\n{own}", encoding="utf-8")
    editor.change(path, path.read_text(encoding="utf-8"))
    assert editor.of(path) == []
    assert set(offered(editor, path, "in action ")) == {"take"}
    assert offered(editor, path, "in card ") == {}
    assert set(offered(editor, path, "in each ")) == {"player"}
    assert set(offered(editor, path, "remove invariant ")) == {'"nobody is rich"'}


def test_what_begins_an_amendment_is_followed_by_sorts_of_clauses(
    editor: Editor, folder: Path
) -> None:
    path = folder / "house.rules"
    within = offered(editor, path, "in ", typed=True)
    assert {"action", "define", "game", "each", "turn"} <= set(within)
    assert not {"option", "scenario", "take", "market"} & set(within)
    assert {"option", "invariant"} <= set(offered(editor, path, "remove "))
    edited = "in action take\n  remove "
    assert set(offered(editor, path, edited, typed=True)) >= {"needs", "step", "row"}
    assert set(offered(editor, path, f"{edited}needs ")) == {"there", "cheap"}
    assert set(offered(editor, path, "in kind good\n  remove row ")) >= {"silk"}


def test_clauses_begin_in_the_first_column(editor: Editor, folder: Path) -> None:
    path = folder / "mine.rules"
    heads = offered(editor, path, "")
    assert {"option", "action", "in", "rulebook"} <= set(heads)
    assert not {"market", "silk", "move"} & set(heads)
    inside = offered(editor, path, "setup\n  ")
    assert {"move", "if"} <= set(inside)
    inside = offered(editor, path, "setup\n  if ")
    assert {"market", "no"} <= set(inside)
    assert not {"option", "scenario", "move", "take"} & set(inside)


def test_a_blank_asks_only_where_few_things_can_stand(
    editor: Editor, folder: Path
) -> None:
    path = folder / "mine.rules"
    head = "action extra\n"
    assert offered(editor, path, f"{head}  set x to ", typed=True) == {}
    assert set(offered(editor, path, f"{head}  pays ", typed=True)) == {"stall"}


def test_a_word_is_replaced_as_rules_cut_it(editor: Editor, folder: Path) -> None:
    """Editors end words at letters that they do not know."""
    path = folder / "mine.rules"
    text = path.read_text(encoding="utf-8").replace("market", "größe")
    line = "  set 𝔞 to größ"
    editor.change(path, f"{text}\nsetup\n{line}")
    editor.settle()
    place = text.count("\n") + 2, len(line) + 1
    answer = editor.at(lsp.TEXT_DOCUMENT_COMPLETION, path, *place)
    (item,) = (it for it in answer["items"] if it["label"] == "größe")
    assert item["textEdit"]["newText"] == "größe"
    begin, end = (item["textEdit"]["range"][side] for side in ("start", "end"))
    assert (begin["line"], begin["character"]) == (place[0], place[1] - len("größ"))
    assert (end["line"], end["character"]) == place


def test_members_of_the_kind_that_fits_come_first(editor: Editor, folder: Path) -> None:
    values = offered(
        editor, folder / "mine.rules", "action a(good)\n  needs it: good = "
    )
    first = {name for name, order in values.items() if order.startswith("0")}
    assert first == {"salt", "silk"}
    assert values["market"] > values["silk"]
    assert "every" in values and "each" not in values


def test_variables_of_the_clause_that_is_written_are_offered(
    editor: Editor, folder: Path
) -> None:
    lines = "action give(good spice)\n  let heaps be 2\n  set your worth to "
    text = (folder / "mine.rules").read_text(encoding="utf-8")
    assert "spice" not in offered(editor, folder / "mine.rules", "  set x to ")
    editor.change(folder / "mine.rules", f"{text}\n{lines}")
    place = text.count("\n") + 3, len(lines.rpartition("\n")[2])
    answer = editor.at(lsp.TEXT_DOCUMENT_COMPLETION, folder / "mine.rules", *place)
    assert {"spice", "heaps"} <= {it["label"] for it in answer["items"]}


@pytest.mark.parametrize(
    ("line", "argument"),
    [
        ("  hand_out(north, salt, ", 2),
        ("  hand_out(north, (salt), ", 2),
        ("  hand_out(north, number of wealth(1, 2), ", 2),
        ("  hand_out(north, (salt", 1),
        ("  # hand_out(north, ", None),
        ('  needs it: yes "hand_out(north, ', None),
        ("  hand_out(north, salt, 2) ", None),
    ],
)
def test_a_call_is_explained_with_the_argument_that_is_written(
    editor: Editor, folder: Path, line: str, argument: int | None
) -> None:
    path = folder / "mine.rules"
    text = path.read_text(encoding="utf-8")
    editor.change(path, f"{text}\nto x\n{line}")
    place = text.count("\n") + 2, len(line)
    answer = editor.at(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, path, *place)
    if argument is None:
        assert answer is None
        return
    (signature,) = answer["signatures"]
    assert signature["label"].startswith("to hand_out(player, good, 0 to 5 many)")
    assert answer["activeParameter"] == argument
    assert [it["label"] for it in signature["parameters"]][1] == "good"


def test_a_cure_mends_its_mistake(editor: Editor, folder: Path) -> None:
    path = folder / "mine.rules"
    text = path.read_text(encoding="utf-8").replace(
        "from market to your", "from markt to your"
    )
    editor.change(path, text)
    (said,) = editor.of(path)
    place = {"start": {"line": said.range.start.line, "character": 0}}
    place["end"] = {"line": said.range.end.line, "character": 99}
    (action,) = editor.about(
        lsp.TEXT_DOCUMENT_CODE_ACTION, path, range=place, context={"diagnostics": []}
    )
    assert action["title"] == "write `market`"
    (edit,) = action["edit"]["changes"][path.as_uri()]
    begin, end = (edit["range"][side] for side in ("start", "end"))
    editor.change(
        path,
        (
            (begin["line"], begin["character"]),
            (end["line"], end["character"]),
            edit["newText"],
        ),
    )
    assert editor.of(path) == []


@pytest.mark.parametrize("seed", range(5))
def test_every_change_that_is_offered_mends_what_it_is_for(seed: int) -> None:
    numbers = Random(seed)
    texts = [text for text in small_files() if not examine(text)]
    text = numbers.choice(texts)
    known = {use.name for use in uses(text, AnyName())}
    offered = 0
    for use in numbers.sample(list(uses(text, known)), 6):
        wrong = put(text, use.span, misspelt(use.name, numbers, known))
        for diagnostic in examine(wrong):
            if diagnostic.edit is not None:
                offered += 1
                mended = put(wrong, diagnostic.span, diagnostic.edit)
                assert diagnostic not in examine(mended), (use, diagnostic)
    assert offered


class AnyName(set[str]):
    """Holds every name."""

    def __contains__(self, name: object) -> bool:
        return True


def examine(text: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a text."""
    return examine_text(text, "x", shipped_text)[1]


@pytest.mark.parametrize(
    ("line", "column", "word", "text"),
    [
        ("replace define x = 1", 2, "replace", "the game below"),
        ("replace define x = 1", 9, "define", "derived value"),
        ("  over mine", 4, "over", "house rule"),
        ("points of player", 0, "points", "gives a player points"),
        ("each player has", 1, "each", "fields"),
        ("  each player: stop", 3, "each", "Repeats"),
        ("  move 1 good from x to y", 22, None, ""),
        ("  # move it", 6, None, ""),
        ("", 0, None, ""),
    ],
)
def test_keywords_are_explained(
    line: str, column: int, word: str | None, text: str
) -> None:
    keyword = keyword_at(line, column)
    assert (keyword and line[keyword[0] : keyword[1]]) == word
    assert text in (keyword[2] if keyword else "")


def test_hover_explains_a_keyword(editor: Editor, folder: Path) -> None:
    path = folder / "mine.rules"
    line, _ = at(GAME, "rule rich", "rule")
    answer = editor.at(lsp.TEXT_DOCUMENT_HOVER, path, line, 1)
    assert "docs/language/ending.md#rules" in answer["contents"]["value"]
    assert answer["range"]["end"] == {"line": line, "character": 4}


def test_options_show_what_they_come_to(editor: Editor, folder: Path) -> None:
    path = folder / "mine.rules"
    text = path.read_text(encoding="utf-8")
    all_ = {
        "start": {"line": 0, "character": 0},
        "end": {"line": text.count("\n"), "character": 0},
    }
    (hint,) = editor.about(lsp.TEXT_DOCUMENT_INLAY_HINT, path, range=all_)
    assert hint["label"] == " = 20"
    line, column = at(text, "\n  most"[1:], "most")
    assert hint["position"] == {"line": line, "character": column + 4}


def test_scenarios_are_run_and_say_how_it_went(editor: Editor, folder: Path) -> None:
    path = folder / "mine.rules"
    good, bad = editor.about(lsp.TEXT_DOCUMENT_CODE_LENS, path)
    assert good["command"]["title"] == bad["command"]["title"] == "run scenario"
    for lens, wanted in ((good, "passed"), (bad, "worth = 7")):
        said = editor.ask(lsp.WORKSPACE_EXECUTE_COMMAND, lens["command"])
        assert wanted in said
        again = editor.about(lsp.TEXT_DOCUMENT_CODE_LENS, path)
        assert said in {it["command"]["title"] for it in again}
    text = path.read_text(encoding="utf-8").replace("worth = 7", "worth = 2")
    editor.change(path, text)
    said = editor.ask(lsp.WORKSPACE_EXECUTE_COMMAND, bad["command"])
    assert said == "passed"


@pytest.mark.parametrize("refreshes", [True, False])
def test_what_is_known_of_checked_rules_is_asked_for_again_when_they_are(
    tiny_path: Path, refreshes: bool
) -> None:
    editor = Editor(refreshes=refreshes)
    editor.open(tiny_path)
    editor.settle()
    editor.about(lsp.TEXT_DOCUMENT_CODE_LENS, tiny_path)

    asked = [f"workspace/{name}/refresh" for name in REFRESHED]
    assert [editor.asked[method] > 0 for method in asked] == [refreshes] * len(asked)
    assert editor.leave() == 0
