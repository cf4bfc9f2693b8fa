"""What may be said once only is told with both places when it is said again."""

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
def test_both_places_are_named(first: str, again: str, code: str) -> None:
    lines = TEXT.split("\n")
    place = next(n for n, line in enumerate(lines) if line.startswith(first))
    at = place + 1 if first.startswith(" ") else lines.index("turn")
    text = "\n".join([*lines[:at], again, *lines[at:]])

    with pytest.raises(RulesError) as caught:
        loads(text, "coast.rules")

    (found,) = caught.value.diagnostics
    assert found.code == f"RB{code}"
    assert found.span.line == at + 1
    assert [span.line for span, _ in found.related] == [place + 1]


def test_a_column_stands_once_in_a_table() -> None:
    with pytest.raises(RulesError) as caught:
        loads(TEXT.replace("land  | q | r", "land  | q | q"), "coast.rules")

    twice = caught.value.diagnostics[0]
    assert twice.code == "RB024"
    assert [(span.line, span.column) for span, _ in twice.related] == [(7, 11)]
    assert (twice.span.line, twice.span.column) == (7, 15)


def test_each_said_once_is_taken() -> None:
    assert loads(TEXT, "coast.rules")
