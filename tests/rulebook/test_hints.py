"""Hints: every hint can be drawn, and hints of removed parts are removed too."""

from pathlib import Path

import pytest

import rulebook
import workbench
from rulebook.check.looks.hints import HINT_SORTS
from rulebook.model.predefined_looks import FIGURES, PATTERNS, Look
from workbench.presentation.picture.shapes import MARKS, SHAPES_BY_NAME

GAME = """\
rules language 1
rulebook stalls "Stalls"
  players 2 to 2
  seats blue, green

kind good: salt, silk
piece tent: 1 for each player, stands on lot
piece bell: 1 in all, stands on lot
spaces lot (lots) by number 1 to 3
game has
  store: bag of good, seen by all, starts with 9 of each
hint colour salt:  "#eeeeee"
hint colour silk:  "#ee0000"
hint colour bell:  "#000000"
hint shape  bell:  "ring"
hint colour green: "#00ee00"
turn
  phase day
    you win
"""
HEAD = "extends stalls"
SEATS = 'rules language 1\nrulebook house "A house rule"\n  extends stalls\n  seats '


def hinted(house: str) -> set[str]:
    """Return the names with hints when a house rule is combined with the game."""
    book = rulebook.loads(f"{house}\n", "house", {"stalls": GAME}.get)
    return {hint.name for hint in book.model.hints}


@pytest.mark.parametrize(
    ("house", "gone"),
    [
        (f"{HEAD}\nkind taste: salty", set()),
        (f"{HEAD}\nremove piece bell", {"bell"}),
        (f"{HEAD}\nreplace kind good: salt, iron", {"silk"}),
        (f"{SEATS}blue, red", {"green"}),
    ],
)
def test_hints_of_removed_parts_are_removed_too(house: str, gone: set[str]) -> None:
    assert hinted(house) == {"salt", "silk", "bell", "green"} - gone


def test_a_hint_about_an_unknown_name_is_a_mistake() -> None:
    with pytest.raises(rulebook.RulesError) as caught:
        hinted(f'{HEAD}\nremove piece bell\nhint colour tnet: "#000000"')

    assert [diagnostic.help for diagnostic in caught.value.diagnostics] == [
        "did you mean `tent`?"
    ]


def test_every_shape_and_pattern_can_be_drawn() -> None:
    assert set(FIGURES) == set(SHAPES_BY_NAME)
    assert set(PATTERNS) == {*MARKS, "chequered", "holes"}


def test_each_sort_of_hint_is_checked_and_used() -> None:
    tools = Path(workbench.__file__).parent
    asked = "".join(path.read_text(encoding="utf-8") for path in tools.rglob("*.py"))

    assert list(HINT_SORTS) == list(Look)
    assert [look for look in Look if f"Look.{look.name}" not in asked] == []
