"""Duplicates of unique declarations are reported with both places."""

import re

import pytest

from rulebook import RulesError, loads

TEXT = """rules language 1
rulebook coast "A coast"
  players 2 to 2
  source map "The map"
kind good (goods): wood, clay
hexes land (lands) pointy_top
  land  | q | r
  north | 0 | 0
  west  | 0 | 1
corners site (sites)
  site  | lies
  Haven | N of north
links path (paths)
piece house (houses): 3 for each player, stands on site
dice die: 1 to 6
turn
  phase day
    you win
"""
NEEDS = """
  needs free: die = 1 "not one"
  needs free: die = 2 "not two"
  roll die"""
CARD, ACTION = f"card act{NEEDS}", f"action wait{NEEDS}"
SCENARIO = 'scenario "seats"\n  then\n    require die > 0\n'
INVARIANT = 'invariant "faces"\n  require die > 0\n'


def label(line: str) -> str:
    """Return the label of a line of a clause."""
    match = re.match(r'\s*(?:step |needs |scenario |invariant )?"?(\w+)"?:?', line)
    return match[1] if match else ""


@pytest.mark.parametrize(
    ("first", "again", "code"),
    [
        (
            "hexes land",
            "hexes sea (seas) pointy_top\n  sea | q | r\n  x | 5 | 5",
            "102",
        ),
        ("corners site", "corners spot (spots)", "102"),
        ("links path", "links way (ways)", "102"),
        ("dice die", "dice other, die: 1 to 8", "102"),
        ("  Haven |", "  Haven | S of north", "102"),
        ("  source map", '  source map "Another map"', "024"),
    ],
)
def test_a_duplicate_is_reported_with_both_places(
    first: str, again: str, code: str
) -> None:
    lines = TEXT.split("\n")
    place = next(n for n, line in enumerate(lines) if line.startswith(first))
    at = place + 1 if first.startswith(" ") else lines.index("turn")
    text = "\n".join([*lines[:at], again, *lines[at:]])

    with pytest.raises(RulesError) as caught:
        loads(text, "coast.rules")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == f"RB{code}"
    assert diagnostic.span.line == at + 1
    assert [span.line for span, _ in diagnostic.related] == [place + 1]


def test_rejects_a_duplicate_column() -> None:
    with pytest.raises(RulesError) as caught:
        loads(TEXT.replace("land  | q | r", "land  | q | q"), "coast.rules")

    twice = caught.value.diagnostics[0]
    assert twice.code == "RB024"
    assert [(span.line, span.column) for span, _ in twice.related] == [(7, 11)]
    assert (twice.span.line, twice.span.column) == (7, 15)


@pytest.mark.parametrize(
    ("clause", "name"),
    [
        ("to wait\n  step one: roll die\n  step one: roll die", "one"),
        ("to wait\n  step one:\n    step one: roll die", "one"),
        ("points of player\n  few: 1\n  few: 2", "few"),
        ("hint value of player\n  few: 1\n  few: 2", "few"),
        ("define total: 0 to 9\n  few: 1 if die = 1\n  few: 2 if die = 2\n  3", "few"),
        ("cards deed (deeds)\n  deed | copies\n  act | 1\n" + CARD, "free"),
        (ACTION, "free"),
        (SCENARIO + SCENARIO.rstrip(), "seats"),
        (INVARIANT + INVARIANT.rstrip(), "faces"),
    ],
)
def test_rejects_duplicate_labels_in_a_clause(clause: str, name: str) -> None:
    text = f"{TEXT}{clause}\n"
    places = [n for n, line in enumerate(text.split("\n"), 1) if label(line) == name]

    with pytest.raises(RulesError) as caught:
        loads(text, "coast.rules")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB102"
    assert name in diagnostic.message
    assert [span.line for span, _ in diagnostic.related] + [
        diagnostic.span.line
    ] == places
    assert diagnostic.help


def test_accepts_clauses_without_duplicates() -> None:
    assert loads(TEXT, "coast.rules")
