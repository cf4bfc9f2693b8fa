"""Places in a text as rules and as editors count them: each way, and there and back."""

import json
from random import Random

import pytest

from rulebook.parse import parse
from rulebook.source.source_text import normalise
from workbench.editor.text import Text, Units

ACCENT = "e\u0301"
CARD = "\N{PLAYING CARD ACE OF SPADES}"
PIECES = ("a", " ", "é", ACCENT, CARD, "\n", "\r\n", "\r", '"', "\u0301", "ß", "\u2028")


@pytest.mark.parametrize(
    ("units", "column"), [(Units.UTF8, 9), (Units.UTF16, 6), (Units.UTF32, 5)]
)
def test_columns_are_counted_in_units_of_the_editor(units: Units, column: int) -> None:
    text = Text(f"a\nkd {CARD}é x", units)
    assert text.position(2, 6) == (1, column)
    assert text.place((1, column)) == (2, 6)


def test_letters_that_join_are_one_column_of_the_rules() -> None:
    text = Text(f"{ACCENT}{ACCENT}x")
    assert [text.position(1, at) for at in (1, 2, 3, 4)] == [
        (0, 0),
        (0, 2),
        (0, 4),
        (0, 5),
    ]
    assert [text.place((0, at)) for at in (0, 2, 4, 5)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (1, 4),
    ]


def test_a_byte_order_mark_is_no_column_of_the_rules() -> None:
    text = Text("\ufeffknd x\nabc")
    assert text.position(1, 1) == (0, 1)
    assert text.position(2, 2) == (1, 1)
    assert text.place((0, 1)) == (1, 1)


def test_places_that_are_not_there_are_the_nearest() -> None:
    text = Text("ab\ncd")
    assert text.position(9, 9) == (1, 2)
    assert text.place((7, 3)) == (2, 3)
    assert text.place((0, 70)) == (1, 3)


@pytest.mark.parametrize("units", list(Units))
@pytest.mark.parametrize("seed", range(20))
def test_a_mistake_stands_where_the_parser_says(units: Units, seed: int) -> None:
    numbers = Random(seed)
    before = "".join(numbers.choices([p for p in PIECES if p != '"'], k=12))
    raw = f"rules language 1\r\n# {before.replace(chr(0x2028), 'x')}\nknd {CARD}"
    for diagnostic in parse(raw, "x").diagnostics:
        normal = normalise(raw, "x")
        assert isinstance(normal, str)
        span = diagnostic.span
        wanted = normal.split("\n")[span.line - 1][span.column - 1 :]
        text = Text(raw, units)
        line, column = text.position(span.line, span.column)
        rest = text.lines[line][units.offset(text.lines[line], column) :]
        assert normalise(rest, "x") == wanted
        assert text.place((line, column)) == (span.line, span.column)


@pytest.mark.parametrize("units", list(Units))
@pytest.mark.parametrize("seed", range(10))
def test_changes_are_those_of_the_editor(units: Units, seed: int) -> None:
    numbers = Random(seed)
    whole = "".join(numbers.choices(PIECES, k=40))
    text = Text(whole, units)
    for _ in range(30):
        first, last = sorted(numbers.choices(range(len(whole) + 1), k=2))
        if (
            whole[first - 1 : first + 1] == "\r\n"
            or whole[last - 1 : last + 1] == "\r\n"
        ):
            continue  # no position is between the two
        new = "".join(numbers.choices(PIECES, k=3))
        text = text.with_change(at(whole, first, units), at(whole, last, units), new)
        whole = whole[:first] + new + whole[last:]
        assert text.text == whole


def at(whole: str, index: int, units: Units) -> tuple[int, int]:
    """The position of a character, counted by the encoding itself."""
    lines = whole[:index].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    width = {Units.UTF8: 1, Units.UTF16: 2, Units.UTF32: 4}[units]
    name = {Units.UTF8: "utf-8", Units.UTF16: "utf-16-le", Units.UTF32: "utf-32-le"}
    return len(lines) - 1, len(lines[-1].encode(name[units])) // width


def test_halves_of_a_character_are_taken() -> None:
    half = json.loads('"\\ud83c"')
    assert Text(f"{half}a", Units.UTF8).position(1, 2) == (0, 3)
