"""Misspelt names next to clauses that cannot be parsed: all typos at once."""

from __future__ import annotations

from random import Random

import pytest

from rulebook import examine_text
from rulebook.source.source_text import text_at
from tests.support.fuzz_texts import small_files
from workbench.files.library.loading import shipped_text

GAME = """rules language 1
rulebook mine "Mine"
  players 2 to 2
  seats north, south

kind good: salt, silk

game has
  market: bag of good, seen by all

each player has
  pouch: bag of good, seen by all
  wealth: 0 to 9, seen by all

action take(good)
  needs it: market has good  "there is none"
  move 1 good from market to your pouch

action give(good)
  needs it: your pouch has good  "you have none"
  move 1 good from your pouch to market

turn
  phase trade
    you do take

rule rich
  whenever any player where player's wealth > 8: player wins
"""


def marked(*typos: tuple[str, str]) -> list[str]:
    """The codes and marked texts of the diagnostics after some typos."""
    text = GAME
    for old, new in typos:
        assert old in text
        text = text.replace(old, new, 1)
    diagnostics = examine_text(text, "mine.rules")[1]
    return [f"{it.code} {text_at({'mine.rules': text}, it.span)}" for it in diagnostics]


def test_syntax_errors_and_unknown_names_are_reported_together() -> None:
    assert marked() == []
    typos = (
        ("bag of good", "bag of goood"),
        ("move 1 good from market", "mov 1 good from market"),
        ("your pouch has", "your puoch has"),
        ("whenever any", "whenevr any"),
    )
    assert marked(*typos) == [
        "RB101 goood",
        "RB011 mov",
        "RB101 puoch",
        "RB011 whenevr",
    ]


def test_names_of_a_broken_clause_are_not_unknown() -> None:
    assert marked(("kind good:", "kind good::")) == ["RB011 :"]
    assert marked(("wealth: 0 to 9", "wealth: 0 too 9")) == ["RB011 too"]


def test_only_names_that_resemble_others_are_reported() -> None:
    typos = ("bag of good", "bag of xyzzy"), ("move 1", "mov 1")
    assert marked(*typos) == ["RB011 mov"]


@pytest.mark.parametrize("seed", range(12))
def test_one_broken_clause_makes_no_names_unknown(seed: int) -> None:
    """In rules without unknown names, none follows from a clause that is broken."""
    numbers = Random(seed)
    lines = numbers.choice(list(small_files())).split("\n")
    row = numbers.choice([n for n, line in enumerate(lines) if line[:1].isspace()])
    lines[row] += " ) ("
    diagnostics = examine_text("\n".join(lines), "x", shipped_text)[1]
    assert [it for it in diagnostics if it.code == "RB101"] == []
