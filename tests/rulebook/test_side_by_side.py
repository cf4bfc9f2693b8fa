"""Files side by side: rejected if they conflict, otherwise equal in either order."""

from pathlib import Path

import pytest

from rulebook import Rulebook, RulesError, loads

CAMPS = Path(__file__).parents[2] / "docs" / "diagnostics" / "camps.rules"

STEPS = """rules language 1
rulebook camps "Camps"
  extends plain

replace turn
  phase day
    step morning:
      step roll: roll die
      step work: harvest
    step evening:
      you may, until rest:
        pitch
"""

PARTS = {
    "price": "replace cost tent: 1 salt",
    "other price": "replace cost tent: 1 silk",
    "no pitch": "replace action pitch(spot)\n  place your tent on spot",
    "empty": 'in action pitch\n  add needs empty: your glory < 9 "enough"',
    "calm": 'in action pitch\n  add needs calm: height = 0 "a wind"',
    "quiet": 'in action pitch\n  add needs calm: height < 9 "a wind"',
    "low": "in action pitch\n"
    '  replace needs free: spot has no tent and height < 5 "no"',
    "cheap": "in action pitch\n  remove pays",
    "roll": "in phase day\n  replace step roll: set height to 3",
    "no roll": "in phase day\n  remove step roll",
    "before roll": "in phase day\n  before step roll: set height to 0",
    "after roll": "in phase day\n  after step roll: set height to 1",
    "late": "in phase day\n  after step roll: set height to 2",
    "morning": "in phase day\n  replace step morning: harvest",
    "work": "in phase day\n  replace step work: roll die",
    "last": "in phase day\n  at the end: set height to 3",
    "very last": "in phase day\n  at the end: set height to 4",
    "first of all": "in phase day\n  at the beginning: set height to 4",
    "no tents": "in points\n  remove tents",
    "more tents": "in points\n  replace tents: 2 * number of player's tents",
    "evening": "in phase day\n  remove step evening",
    "menu": "in phase day\n  add action loiter\naction loiter\n  set height to 0",
    "near": "in define near\n  add first line: high: no if height = 9",
    "nearer": "in define near\n  add first line: low: no if height = 0",
    "glory": "in points\n  add glory: player's glory",
    "dusk": "in turn\n  add phase dusk after day\n    set height to 0",
    "dawn": "in turn\n  add phase dawn before day\n    set height to 0",
    "night": "in turn\n  add phase night after day\n    set height to 0",
    "field": "in game\n  replace field height: 0 to 9, seen by all, starts at 1",
    "own": 'option pace (1 to 9): 2 "how fast"',
    "own too": 'option pace (1 to 9): 3 "how slow"',
    "own faster": "replace option pace (1 to 9): 4",
}

MEETING = [
    ("price", "other price", "cost tent", "cost tent"),
    ("no pitch", "calm", "action pitch", "`needs calm` in `action pitch`"),
    ("calm", "quiet", "`needs calm` in", "`needs calm` in"),
    ("roll", "no roll", "`step roll` in `phase day`", "`step roll` in"),
    ("last", "very last", "`at the end` in `phase day`", "`at the end` in"),
    ("no tents", "more tents", "`points tents` in `points`", "`points tents`"),
    ("before roll", "roll", "`step roll`", "`step roll`"),
    ("after roll", "late", "`step roll`", "`step roll`"),
    ("morning", "roll", "`step morning`", "`step roll`"),
    ("morning", "before roll", "`step morning`", "`step roll`"),
    ("evening", "menu", "`step evening`", "`action loiter`"),
    ("near", "nearer", "`line high` in `define near`", "`line low` in"),
    ("dusk", "night", "`phase dusk` in `turn`", "`phase night` in `turn`"),
    ("own", "own too", "option pace", "option pace"),
]

APART = [
    ("price", "empty"),
    ("empty", "calm"),
    ("empty", "low"),
    ("calm", "cheap"),
    ("before roll", "after roll"),
    ("roll", "work"),
    ("roll", "evening"),
    ("last", "first of all"),
    ("last", "roll"),
    ("roll", "menu"),
    ("near", "glory"),
    ("dusk", "dawn"),
    ("field", "own"),
]


def laid(*parts: str) -> Rulebook:
    """Return the game with some parts over it, each in a separate file."""
    names = [part.replace(" ", "_") for part in parts]
    texts = {
        name: f"extends camps\n{PARTS[part]}\n"
        for name, part in zip(names, parts, strict=True)
    }
    texts["camps"] = STEPS
    texts["plain"] = CAMPS.read_text().replace("rulebook camps", "rulebook plain")
    over = (
        f'rules language 1\nrulebook all "All"\n  extends camps, {", ".join(names)}\n'
    )
    return loads(over, "all", texts.get)


@pytest.mark.parametrize(("rule", "other", "mine", "theirs"), MEETING)
def test_conflicting_files_are_rejected_with_both_places_and_clauses(
    rule: str, other: str, mine: str, theirs: str
) -> None:
    for order in ((rule, other), (other, rule)):
        with pytest.raises(RulesError) as caught:
            laid(*order)

        (diagnostic,) = caught.value.diagnostics
        files = {diagnostic.span.file, *(span.file for span, _ in diagnostic.related)}
        said = " ".join([diagnostic.message, *(text for _, text in diagnostic.related)])
        assert diagnostic.code == "RB167"
        assert files == {f"{name.replace(' ', '_')}.rules" for name in (rule, other)}
        assert mine in said
        assert theirs in said


@pytest.mark.parametrize(("rule", "other"), APART)
def test_independent_files_give_the_same_game_in_either_order(
    rule: str, other: str
) -> None:
    first, second = laid(rule, other), laid(other, rule)

    assert first.digest == second.digest
    assert first.digest not in {laid(rule).digest, laid(other).digest}


def test_three_files_may_be_in_any_order() -> None:
    parts = ["empty", "calm", "price"]

    assert len({laid(*parts[n:], *parts[:n]).digest for n in range(3)}) == 1


def test_a_file_may_change_what_another_beside_it_declares() -> None:
    assert laid("own", "own faster").digest == laid("own faster", "own").digest


def test_a_file_that_names_another_may_change_the_same_clause() -> None:
    texts = {
        "camps": CAMPS.read_text(),
        "low": "extends camps\nreplace option goal: 2\n",
        "lower": "extends low\nreplace option goal: 1\n",
    }
    head = 'rules language 1\nrulebook all "All"\n  extends '

    books = [
        loads(f"{head}{names}\n", "all", texts.get)
        for names in ("camps, low, lower", "camps, lower, low")
    ]

    assert len({book.digest for book in books}) == 1
    assert str(books[0].clauses["option.goal"].span.file) == "lower.rules"
