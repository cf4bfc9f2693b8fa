"""Completions at each kind of place: right answers, and nothing that cannot be there.

The parser reads each completion after the text before it. Broken by hand, and seen to
fail: all names offered everywhere, parts of no model, cells that are not counted.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from lark import UnexpectedInput

from rulebook import Desk, Rulebook, Uses, examine_text, uses_in
from rulebook.parse.errors.clause_words import start_rule
from rulebook.parse.parser import parse_chunk
from rulebook.source.source_text import Chunk
from workbench.editor.completion_items import CompletionItem, completion_items

VILLAGE = Path(__file__).parents[2] / "docs" / "language" / "village.rules"
MORE = """
kind fish: trout, pike

spaces cell (cells) by row 1 to 2, column 1 to 2

spaces edge (edges) on the sides of cell by side

kind side: north, east, south, west

drawing boat
  path    | fill
  "M0 7V0" | brown
"""
FOLLOWING = (" x", " x's y", " after x", " of any x")
"""Texts that may follow a completion; some keywords depend on the words after them."""

ACTION = "action extra(player partner, land)\n"

PLACES: dict[str, tuple[str, str, str]] = {
    # place: text before the cursor, names offered there, names not offered there
    "first word of a clause": ("", "option define questions in", "move red harvest"),
    "statement": (f"{ACTION}  ", "move if needs pays gain harvest", "option define"),
    "statement of set-up": ("setup\n  ", "move chance place gain", "needs pays"),
    "cards to move": (f"{ACTION}  move 1 ", "wood feast of", "from option"),
    "after move CARDS": (f"{ACTION}  move 1 wood ", "from", "to store wood"),
    "after from": (f"{ACTION}  move 1 wood from ", "store partner your", "to move"),
    "after to": (f"{ACTION}  move 1 wood from store to ", "store your", "from move"),
    "after your": (
        f"{ACTION}  move 1 wood from your ",
        "hand fame house roads houses_left points",
        "store number row yields red neighbours",
    ),
    "after a variable's": (
        f"{ACTION}  set partner's ",
        "hand fame",
        "store number row red",
    ),
    "after a space's": (
        f"{ACTION}  if land's ",
        "number ground sites neighbours",
        "hand fame row points",
    ),
    "after a corner's": (
        "define site is near = site's ",
        "neighbours paths lands",
        "hand row",
    ),
    "after a part's": (f"{ACTION}  if land's ground's ", "yields", "number hand"),
    "after a member's": ('invariant "x"\n  require pit\'s ', "yields", "number hand"),
    "after a side's": (
        "define edge is open\n  edge's ",
        "facing side cell neighbours",
        "hand number",
    ),
    "after has": (f"{ACTION}  if land has ", "no a crow at", "move from"),
    "after has no": (f"{ACTION}  if land has no ", "crow", "move from no"),
    "after is": (f"{ACTION}  if land's ground is ", "pit not none", "move from"),
    "after is not": (f"{ACTION}  if your hand is not ", "empty", "move from"),
    "label of needs": (f"{ACTION}  needs ", "as", "land store move"),
    "condition of needs": (
        f"{ACTION}  needs it: ",
        "land partner some no number",
        "move from draw_fortune gain",
    ),
    "after needs as": (f"{ACTION}  needs as ", "found build_house", "store land"),
    "after except": (
        f"{ACTION}  needs as found except ",
        "free",
        "reached elsewhere store",
    ),
    "after pays": (f"{ACTION}  pays ", "house road store", "move from wood"),
    "after you do": ("to x\n  you do ", "found build_house", "harvest store house_x"),
    "menu": ("turn\n  phase x\n    you may, until a:\n      ", "found", "store gain"),
    "after each": (f"{ACTION}  each ", "player land good", "store red found"),
    "after each KIND": (f"{ACTION}  each land ", "where in", "store red move"),
    "after where": (f"{ACTION}  each land where ", "land no", "move found"),
    "after piece, stands on": (
        "piece inn: 2 for each player, stands on ",
        "site path land cell player",
        "red wood store hand found",
    ),
    "after piece,": ("piece inn: 2 for each player, ", "stands", "site store"),
    "owner of pieces": ("piece inn: 2 for each ", "player good", "red store"),
    "type of a field": ("game has\n  x: ", "bag stack good", "red store move"),
    "kind of a bag": ("game has\n  x: bag of ", "good fortune", "red store move"),
    "features of a field": ("game has\n  x: bag of good, ", "starts", "store move"),
    "after seen by": ("game has\n  x: bag of good, seen by ", "all owner", "store"),
    "after starts with every": (
        "game has\n  x: bag of good, starts with every ",
        "good fortune",
        "red store",
    ),
    "fields of": ("each ", "player land house", "red store found"),
    "columns of": ("columns of ", "ground fortune land", "red store found"),
    "row of columns": ("columns of ground\n  ground | x\n  ", "pit", "wood store red"),
    "cell of a kind": (
        "kind boat\n  boat | good | x\n  raft | ",
        "wood nothing",
        "store found hand",
    ),
    "costs": ("costs\n  inn: 1 ", "wood good", "store hand found"),
    "dice": (f"{ACTION}  roll ", "white_die red_die", "store wood"),
    "parameter": ("action x(", "player land good", "store red found"),
    "payments": ("payments of ", "player", "store found"),
    "points": ("points of ", "player", "store found"),
    "line of points": ("points of player\n  x: ", "player number", "move found"),
    "award": ("award x of player\n  ", "most only when", "store move found"),
    "rule": ("rule x\n  ", "whenever", "store move"),
    "whenever": ("rule x\n  whenever ", "any your no", "move found"),
    "limit": ("limit x: at most 1 each turn of ", "found", "store red harvest"),
    "option": ("option x: ", "yes no shared_roads wood", "move found hand"),
    "place a piece": (f"{ACTION}  place your ", "house road", "number"),
    "after place": (f"{ACTION}  place crow on ", "land bank", "move found"),
    "carry out": ("to x\n  carry out ", "harvest", "move found"),
    "scenario": ('scenario "x"\n  ', "given when then examples", "store move"),
    "scenario when": ('scenario "x"\n  when\n    red does ', "found", "store hand"),
    "scenario then": (
        'scenario "x"\n  then\n    ',
        "all spectators nobody harvest",
        "store",
    ),
    "because": (
        'scenario "x"\n  then\n    red may not found(x) because ',
        "free",
        "store elsewhere",
    ),
    "amendment": ("in ", "action define each", "option scenario found"),
    "edit": ("in action found\n  ", "add replace remove", "store move"),
    "edit of add": ("in action found\n  add ", "needs pays", "store free move"),
    "removed needs": ("in action found\n  remove needs ", "free", "reached store"),
    "removed points": ("in points of\n  remove ", "houses", "store"),
    "words": ("words de\n  ", "found good wood house", "from move"),
    "path of words": ("words de\n  found.", "free", "reached store"),
    "questions": ("questions\n  ", "found building gain", "wood store move"),
    "path of questions": ("questions\n  found.", "site", "store free land"),
    "reports": ("reports\n  ", "found first_player", "wood store building"),
    "gap of a report": ('reports\n  found = "{', "you site", "move your_hand"),
    "field in a gap": ('reports\n  found = "{your ', "fame hand", "found store"),
    "counted kind in a gap": ('reports\n  found = "{n ', "good house", "found hand"),
    "look": ("look\n  land | colour\n  ", "river house red", "from move found"),
    "cell of a look": (
        "look\n  land | colour\n  river | ",
        "red blue",
        "move land boat",
    ),
    "shape": ("look\n  land | shape\n  house | ", "boat tower", "move land"),
    "half a keyword": ("define x\n  number ", "of", "store number"),
    "continued line": (f"{ACTION}  move 1 wood\n    ", "from", "store"),
    "header": ('rulebook x "X"\n  ', "players over seats", "store option"),
    "file": ('rulebook x "X"\n  over ', "village", "store option"),
    "colour": ("colours\n  ", "", "store option"),
    "new name": ("kind ", "", "good store option"),
}


@cache
def village() -> tuple[Rulebook, Uses]:
    """The village with more kinds of spaces, checked."""
    text = VILLAGE.read_text(encoding="utf-8") + MORE
    book, diagnostics = examine_text(text, "village.rules")
    assert book is not None, diagnostics
    return book, uses_in(book.files, book, Desk())


def completions(clause: str) -> list[CompletionItem]:
    """The completions at the end of an unfinished clause."""
    book, uses = village()
    return completion_items(uses.things, book, "house.rules", clause)


def fits(text: str) -> bool:
    """Return whether the parser reads a text to its end, with some text after it."""
    row, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    start = start_rule(Chunk(1, tuple(text.split("\n"))))
    for following in FOLLOWING:
        try:
            parse_chunk(f"{text}{following}\n", start)
        except UnexpectedInput as problem:
            if problem.line > 0 and (problem.line, problem.column) < (row, column):
                continue
        return True
    return False


@pytest.mark.parametrize("place", PLACES)
def test_completions_fit_and_contain_the_right_answers(place: str) -> None:
    before, right, wrong = PLACES[place]
    names = [item.name for item in completions(before)]
    first_words = {name.split()[0] for name in names}
    assert set(right.split()) <= first_words, names
    assert not set(wrong.split()) & set(names)
    if before and before.count('"') % 2 == 0:
        assert [name for name in names if not fits(before + name)] == []


def test_few_names_fit_at_most_places() -> None:
    everything = len(village()[1].things)  # type: ignore[arg-type]
    counts = [len(completions(before)) for before, _, _ in PLACES.values()]
    assert sum(count < everything / 2 for count in counts) > len(counts) * 2 / 3


def test_a_mistake_above_hides_no_completions() -> None:
    before = "action extra\n  mov 1 wood from\n  move 1 wood from "
    assert "store" in [item.name for item in completions(before)]
