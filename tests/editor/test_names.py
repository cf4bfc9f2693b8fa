"""Jumps, uses, hovers and new names, over the real protocol and beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from rulebook import loads, syntax
from rulebook.parse import parse
from rulebook.syntax.base_nodes import Name
from rulebook.tooling import walk
from tests.support.editors import Editor, Refusal, opened
from workbench.editor import hover
from workbench.editor.navigation import NameTables, all_files
from workbench.editor.rename import RESERVED_NAMES, Renaming
from workbench.editor.workspace import Workspace, path_of
from workbench.errors import RequestError
from workbench.presentation.localization.localizer import Localizer

ROOT = Path(__file__).parents[2]
VARIANTS = ROOT / "variants"
GAME = """rules language 1
rulebook mine "Mine"
  players 2 to 2
  seats north, south

kind good (goods)
  good | worth
  salt | 1
  silk | 2

cost stall: 1 salt

game has
  market: bag of good, seen by all, starts with 5 of each

each player has
  pouch: bag of good, seen by all, starts with 2 of each
  worth: 0 to 99, seen by all

define player's wealth: 0 to 99
  number of cards in player's pouch + player's worth

action take(good)
  needs there: market has good  "there is none left"
  move 1 good from market to your pouch
  if your worth < 90: increase your worth by good's worth

turn
  phase trade
    you do take

rule rich
  whenever any player where player's wealth >= 20:
    player wins

words de
  take = "{good} nehmen"
"""
GAPS = (
    GAME.replace("take(good)", "take(good spice)")
    .replace(
        """there: market has good  "there is none left"
  move 1 good from market to your pouch
  if your worth < 90: increase your worth by good's worth""",
        """there: market has spice  "there is no {spice} left"
  move 1 spice from market to your pouch
  if your worth < 90: increase your worth by spice's worth
  you choose good gift where your pouch has gift
  move 1 gift from your pouch to market""",
    )
    .replace(
        '  take = "{good} nehmen"',
        """  take = "{spice} nehmen, {worth} wert"
  choose_gift = "{gift} schenken"
  pay = "{worth} zahlen"

action pay(1 to 3 worth)
  needs less: your worth >= worth  "{worth} is too much"
  decrease your worth by worth""",
    )
)
HOUSE = """rules language 1
rulebook house "House"
  over mine

in action take
  add needs cheap: good's worth < 2  "only cheap ones"

replace define player's wealth: 0 to 99
  number of cards in player's pouch
"""


def at(text: str, line: str, word: str) -> tuple[int, int]:
    """The place of a word in the line that holds a text, as editors count."""
    lines = text.split("\n")
    number = next(n for n, each in enumerate(lines) if line in each)
    return number, lines[number].index(line) + line.index(word)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game and a house rule over it."""
    (tmp_path / "mine.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "house.rules").write_text(HOUSE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def editor(folder: Path) -> Iterator[Editor]:
    """An editor that shows both."""
    made = opened(folder, "mine.rules", "house.rules")
    assert made.of(folder / "mine.rules") == made.of(folder / "house.rules") == []
    yield made
    assert made.leave() == 0


def places(answer: list[dict[str, object]]) -> set[tuple[str, int, int]]:
    """The file, line and column of locations."""
    return {
        (
            str(it["uri"]).rpartition("/")[2],
            it["range"]["start"]["line"],  # type: ignore[index]
            it["range"]["start"]["character"],  # type: ignore[index]
        )
        for it in answer
    }


def test_a_name_leads_to_what_declares_it(editor: Editor, folder: Path) -> None:
    path = folder / "mine.rules"
    field = at(GAME, "  worth: 0", "worth")
    column = at(GAME, "good | worth", "worth")
    for line, word, wanted in (
        ("by good's worth", "worth", column),
        ("your worth <", "worth", field),
        ("player's worth", "worth", field),
        ("from market", "market", at(GAME, "  market: bag", "market")),
    ):
        place = at(GAME, line, word)
        answer = editor.at(lsp.TEXT_DOCUMENT_DEFINITION, path, *place)
        assert places(answer) == {("mine.rules", *wanted)}, line


def test_a_house_rule_leads_to_its_game(editor: Editor, folder: Path) -> None:
    path = folder / "house.rules"
    for line, word, wanted in (
        ("in action take", "take", at(GAME, "action take", "take")),
        ("needs cheap: good's", "good", at(GAME, "kind good", "good")),
    ):
        place = at(HOUSE, line, word)
        answer = editor.at(lsp.TEXT_DOCUMENT_DEFINITION, path, *place)
        assert places(answer) == {("mine.rules", *wanted)}


def test_uses_are_those_of_all_files(editor: Editor, folder: Path) -> None:
    place = at(GAME, "each player has\n  pouch"[16:], "pouch")
    answer = editor.at(
        lsp.TEXT_DOCUMENT_REFERENCES,
        folder / "mine.rules",
        *place,
        context={"includeDeclaration": True},
    )
    assert len(places(answer)) == GAME.count("pouch") + HOUSE.count("pouch")
    assert {name for name, _, _ in places(answer)} == {"mine.rules", "house.rules"}


def test_hovers_say_what_a_name_is(editor: Editor, folder: Path) -> None:
    place = at(GAME, "player's worth", "worth")
    answer = editor.at(lsp.TEXT_DOCUMENT_HOVER, folder / "mine.rules", *place)
    said = answer["contents"]["value"]
    assert "**field** `worth` (player)" in said
    assert "worth: 0 to 99, seen by all" in said
    assert "type: 0 to 99" in said
    place = at(HOUSE, "define player's wealth", "wealth")
    answer = editor.at(lsp.TEXT_DOCUMENT_HOVER, folder / "house.rules", *place)
    line = at(GAME, "define player's wealth", "wealth")[0] + 1
    assert f"amended; original in mine.rules:{line}" in answer["contents"]["value"]


TYPED = (
    GAME
    + """
define good's rank: 0 to 5
  good's worth                                                       [ours "Of goods"]

define player's rank: 0 to 99
  player's worth                                                    [ours "Of players"]

define player's wares: 0 to 99
  let held be number of cards in player's pouch
  let twice be held * 2
  twice if held > 3
  otherwise held

to share(good, 1 to 3 many)
  let taken be good
  move up to many taken from market to north's pouch
"""
)


@pytest.mark.parametrize(
    ("line", "word", "said"),
    [
        ("good's rank", "rank", ["type: 0 to 5", "Of goods"]),
        ("player's rank", "rank", ["type: 0 to 99", "Of players"]),
        ("let taken", "taken", ["type: good"]),
        ("1 to 3 many", "many", ["type: 1 to 3"]),
        ("let held", "held", ["let held be number of cards", "type: 0 to"]),
        ("twice if held", "twice", ["let twice be held * 2", "type: 0 to"]),
        ("good | worth", "worth", ["type: 1 to 2"]),
    ],
)
def test_hovers_say_the_type_of_what_is_meant(
    tmp_path: Path, line: str, word: str, said: list[str]
) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(TYPED, encoding="utf-8")
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == {}
    row, column = at(TYPED, line, word)
    here = NameTables(space).use_at(path, row + 1, column + 1)
    assert here is not None
    hovered = hover.hover_text(space, *here, Localizer.for_book(None))
    assert [it for it in said if it not in hovered] == [], hovered


def test_a_new_name_stands_wherever_the_old_one_meant_it(
    editor: Editor, folder: Path
) -> None:
    place = at(GAME, "kind good", "good")
    answer = editor.at(
        lsp.TEXT_DOCUMENT_RENAME, folder / "mine.rules", *place, newName="ware"
    )
    for path, text in ((folder / "mine.rules", GAME), (folder / "house.rules", HOUSE)):
        (edit,) = answer["changes"][path.as_uri()]
        begin, end = edit["range"]["start"]["line"], edit["range"]["end"]["line"]
        lines = text.split("\n")
        lines[begin:end] = edit["newText"].split("\n")[:-1]
        new = "\n".join(lines)
        assert "good's" not in new and "{good}" not in new
        editor.change(path, new)
    assert editor.of(folder / "mine.rules") == editor.of(folder / "house.rules") == []


@pytest.mark.parametrize(
    ("line", "word", "changed"),
    [
        (
            "take(good spice)",
            "spice",
            [
                "action take(good new)",
                "needs there: market has new",
                "move 1 new from",
                "increase your worth by new's",
                'take = "{new} nehmen, {worth} wert"',
            ],
        ),
        (
            "good gift",
            "gift",
            [
                "you choose good new where your pouch has new",
                "move 1 new from",
                'choose_new = "{new} schenken"',
            ],
        ),
        (
            "1 to 3 worth",
            "worth",
            [
                'pay = "{new} zahlen"',
                "action pay(1 to 3 new)",
                'needs less: your worth >= new  "{worth} is too much"',
                "decrease your worth by new",
            ],
        ),
        (
            "good | worth",
            "worth",
            ["good | new", "increase your worth by spice's new"],
        ),
    ],
)
def test_gaps_in_words_are_parameters_of_what_the_words_are_for(
    tmp_path: Path, line: str, word: str, changed: list[str]
) -> None:
    """What reasons have in braces is their text: nothing fills it."""
    path = tmp_path / "mine.rules"
    path.write_text(GAPS, encoding="utf-8")
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == {}
    row, column = at(GAPS, line, word)
    renamed = Renaming(space, NameTables(space)).rename(
        path, row + 1, column + 1, "new"
    )
    pairs = zip(GAPS.split("\n"), renamed.texts[path].split("\n"), strict=True)
    differ = [after for before, after in pairs if before != after]
    assert len(differ) == len(changed)
    for after, wanted in zip(differ, changed, strict=True):
        assert wanted in after


NAMED = """extends mine

in define wares
  add first line: rich: held - 1 if held > 9
"""


@pytest.mark.parametrize("new", ["x", "abc", "fiver"])
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("kind good", "good"),
        ("salt | 1", "salt"),
        ("cost stall", "stall"),
        ("  pouch:", "pouch"),
        ("  worth: 0", "worth"),
        ("action take", "take"),
        ("needs there", "there"),
        ("phase trade", "trade"),
        ("rule rich", "rich"),
    ],
)
def test_short_names_are_renamed(
    tmp_path: Path, line: str, word: str, new: str
) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(GAME, encoding="utf-8")
    space = Workspace((tmp_path,))
    row, column = at(GAME, line, word)
    renamed = Renaming(space, NameTables(space)).rename(path, row + 1, column + 1, new)
    assert renamed.texts[path].split("\n")[row][column:].startswith(new)


def test_a_named_value_is_renamed_in_amendments_too(tmp_path: Path) -> None:
    path, house = tmp_path / "mine.rules", tmp_path / "poor.rules"
    path.write_text(TYPED, encoding="utf-8")
    house.write_text(NAMED, encoding="utf-8")
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == space.check_and_store(house) == {}
    row, column = at(TYPED, "otherwise held", "held")
    renaming = Renaming(space, NameTables(space))
    texts = renaming.rename(path, row + 1, column + 1, "new").texts
    assert texts[house] == NAMED.replace("held", "new")
    assert texts[path].count("new") == TYPED.count("held") == 4


@pytest.mark.parametrize(
    ("line", "word", "new", "why"),
    [
        ("kind good", "good", "player", "keyword"),
        ("kind good", "good", "each", "keyword"),
        ("kind good", "good", "2x", "is not a valid name"),
        ("  market: bag", "market", "good", "mine.rules would be wrong|something else"),
        ("rulebook mine", "mine", "ours", "rename a file in the file explorer"),
        ("seen by all", "seen", "x", "there is no renamable name here"),
    ],
)
def test_a_name_that_cannot_be_changed_says_why(
    editor: Editor, folder: Path, line: str, word: str, new: str, why: str
) -> None:
    with pytest.raises(Refusal, match=why):
        editor.at(
            lsp.TEXT_DOCUMENT_RENAME,
            folder / "mine.rules",
            *at(GAME, line, word),
            newName=new,
        )


def refusal(space: Workspace, path: Path, text: str, line: str, word: str) -> str:
    """Why a name cannot be changed."""
    row, column = at(text, line, word)
    with pytest.raises(RequestError) as refused:
        Renaming(space, NameTables(space)).rename(path, row + 1, column + 1, "new")
    return str(refused.value)


def test_files_that_were_shipped_are_not_changed(tmp_path: Path) -> None:
    """Also not where a jump has opened them."""
    path = VARIANTS / "germany" / "germany.rules"
    text = path.read_text(encoding="utf-8")
    space = Workspace((tmp_path,))
    for other in path.parent.glob("*.rules"):
        space.set_text(other, other.read_text(encoding="utf-8"))
    said = refusal(space, path, text, "piece landmark", "landmark")
    assert "in no open folder" in said
    mine = tmp_path.parent / "mine.rules"
    space.set_text(mine, GAME)
    row, column = at(GAME, "cost stall", "stall")
    renamed = Renaming(space, NameTables(space)).rename(
        mine, row + 1, column + 1, "new"
    )
    assert list(renamed.texts) == [mine]


@pytest.mark.parametrize("foreign", [".git", "node_modules", "env"])
def test_what_is_hidden_or_installed_in_a_folder_is_somebody_elses(
    folder: Path, foreign: str
) -> None:
    inside = folder / foreign / "rules"
    inside.mkdir(parents=True)
    (folder / "env").mkdir(exist_ok=True)
    (folder / "env" / "pyvenv.cfg").touch()
    (folder / "house.rules").rename(inside / "house.rules")
    (folder / "mine.rules").rename(inside / "mine.rules")
    (folder / "own").mkdir()
    (folder / "own" / "mine.rules").write_text(GAME, encoding="utf-8")
    space = Workspace((folder,))
    assert all_files(space) == [folder / "own" / "mine.rules"]
    house = inside / "house.rules"
    said = refusal(space, house, HOUSE, "needs cheap: good", "good")
    assert "is in no open folder" in said


def test_no_name_is_changed_where_some_files_were_not_looked_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.editor.rename.FILES_MAX", 1)
    path = folder / "mine.rules"
    said = refusal(Workspace((folder,)), path, GAME, "kind good", "good")
    assert "more than 1 rule files" in said


def test_nearly_every_name_of_the_shipped_games_means_something() -> None:
    """Only words of the language and spaces that layouts name mean nothing."""
    space = Workspace((VARIANTS,))
    path = VARIANTS / "germany" / "germany.rules"
    space.check_and_store(path)
    table = NameTables(space).table_of(path)
    for name, text in space.texts(path).items():
        if path_of(name).stem.endswith((".look", ".theme")):
            continue
        file = parse(text, name).file
        assert file is not None
        for node in walk(file):
            if isinstance(node, syntax.Within | syntax.Edit | syntax.HintClause):
                continue
            if isinstance(node, Name) and node.text not in RESERVED_NAMES | LANGUAGE:
                span = node.span
                use = table.uses.at(name, span.line, span.end_column) or (
                    table.uses.at(name, span.line, span.column)
                )
                assert use is not None, (name, span.line, node.text)


LANGUAGE = {
    "all",
    "spectators",
    "pays",
    "en",
    "de",
    "ends",
    "scenarios",
    "look",
    "give",
    "want",
    "get",
} | {
    *("counter_give", "counter_want", "colour", "tie", "bag", "lost", "count", "your"),
    "discard",
}
"""More words of the language, and of texts that name what is gathered."""


OWNERS = """rules language 1
rulebook owners "Pieces of a kind"
  players 2
kind guild (guilds): weavers, brewers
spaces town (towns) by column 1 to 3
piece hall (halls): 2 for each guild, stands on town
piece sign (signs): 4 for each guild, stands on town, up to 2 for each guild
action buy(guild, town)
  needs other: town has another guild's hall "no"
  needs signs: number of another guild's signs > 0 "no"
  needs most: number of any other guild's halls on town > 0 "no"
  place guild's hall on town in place of what stands there
turn
  phase day
    you may do buy
points of player
  one: 1
"""


def test_a_kind_that_owns_pieces_is_renamed_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "owners.rules"
    path.write_text(OWNERS, encoding="utf-8")
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == {}
    row, column = at(OWNERS, "kind guild", "guild")
    tables = NameTables(space)
    here = tables.use_at(path, row + 1, column + 1)
    assert here is not None
    table, use = here
    spans = table.uses.of(use.thing)

    assert {it.span.line for it in spans} >= {6, 7, 8, 9, 10, 11}
    lines = OWNERS.split("\n")
    for it in spans:
        text = lines[it.span.line - 1]
        assert text[it.span.column - 1 :].startswith("guild")
    assert len([it for it in spans if it.span.line == 7]) == 2


PRICED = """rules language 1
rulebook priced "Priced"
  players 2
  seats red, blue
  turns 5

kind good (goods): salt, silk

game has
  price: 0 to 18

define fee(1 to 2 age, good): 0 to 9
  age | salt | silk
  1   |    2 |    3
  2   |    4 |    5

define duty(good): 0 to 9
  good | duty
  salt |    1
  -    |    2

define bag of good lot is full = number of cards in lot > 3

define variety(set of good wares): 0 to 2 = number of goods in wares

turn
  phase trade
    step set_price: set price to fee(2, salt) + duty(silk)

end
  nobody wins
"""


@pytest.mark.parametrize(
    ("line", "word", "uses"),
    [
        ("define fee(1 to 2 age", "age", 2),
        ("define duty", "duty", 3),
        ("salt, silk", "silk", 3),
        ("kind good", "good", 6),
    ],
)
def test_names_are_changed_in_tables_of_values(
    tmp_path: Path, line: str, word: str, uses: int
) -> None:
    path = tmp_path / "priced.rules"
    path.write_text(PRICED, encoding="utf-8")
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == {}
    row, column = at(PRICED, line, word)
    renaming = Renaming(space, NameTables(space))
    texts = renaming.rename(path, row + 1, column + 1, "new").texts
    assert texts[path].count("new") == uses
    assert loads(texts[path], "priced").digest


ACTED = """rules language 1
rulebook acted "Players who act"
  players 2 to 3
  seats red, blue, white

each player has
  coins: 0 to 99, seen by all, starts at 5

action rest
  decrease your coins by up to 1

to share(1 to 5 amount)
  increase your coins by up to amount

round
  phase gifts, each player guest in order of coins
    guest does rest
    next player carries out share(2)
    guest carries out share(1)

end
  the players with the most coins win
"""


@pytest.mark.parametrize(
    ("line", "word", "uses"),
    [
        ("to share", "share", 3),
        ("each player guest", "guest", 3),
        ("in order of coins", "coins", 5),
    ],
)
def test_names_are_changed_in_phases_and_calls_by_others(
    tmp_path: Path, line: str, word: str, uses: int
) -> None:
    path = tmp_path / "acted.rules"
    path.write_text(ACTED, encoding="utf-8")
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == {}
    row, column = at(ACTED, line, word)
    renaming = Renaming(space, NameTables(space))
    texts = renaming.rename(path, row + 1, column + 1, "new").texts
    assert texts[path].count("new") == uses
    assert loads(texts[path], "acted").digest


SIDED = """rules language 1
rulebook sided "Values on sides"
  players 2

kind side: north, east, south, west
spaces cell (cells) by column 1 to 2, row 1 to 2
spaces edge (edges) on the sides of cell by side

define edge's mark: side = 1 place after edge's side

turn
  phase work
    stop

hint shows edge: mark
"""


@pytest.mark.parametrize(
    ("line", "word", "uses"),
    [
        ("define edge's mark", "mark", 2),
        ("kind side", "side", 4),
        ("spaces cell", "cell", 2),
        ("spaces edge", "edge", 4),
    ],
)
def test_names_are_changed_in_spaces_on_sides_and_looks(
    tmp_path: Path, line: str, word: str, uses: int
) -> None:
    path = tmp_path / "sided.rules"
    path.write_text(SIDED, encoding="utf-8")
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == {}
    row, column = at(SIDED, line, word)
    renaming = Renaming(space, NameTables(space))
    texts = renaming.rename(path, row + 1, column + 1, "renamed").texts
    assert texts[path].count("renamed") == uses
    assert loads(texts[path], "sided").digest
