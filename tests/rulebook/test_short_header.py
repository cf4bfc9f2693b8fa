"""A house rule in two lines: `extends GAME`, and the change."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulebook
from rulebook.parse import parse
from rulebook.write import write
from rulebook.write.format import format_text

FIRST = Path(__file__).parents[2] / "examples" / "first" / "first.rules"
TWO_LINES = "extends first\nreplace cost hut: 3 reed\n"


def load(text: str, name: str = "inline") -> rulebook.Rulebook:
    return rulebook.loads(text, name, {"first": FIRST.read_text()}.get)


def test_the_name_comes_from_the_file_and_the_version_is_1() -> None:
    parsed = parse(TWO_LINES, "games/dear huts.rules")

    assert parsed.diagnostics == ()
    assert parsed.file is not None and parsed.file.header is not None
    assert parsed.file.version == 1
    assert parsed.file.header.name.text == "dear_huts"
    assert [extend.text for extend in parsed.file.header.extends] == ["first"]


def test_two_lines_form_a_complete_game() -> None:
    base, house = load(FIRST.read_text()), load(TWO_LINES, "dear_huts.rules")

    assert house.digest != base.digest
    assert house.name == "dear_huts"
    assert house.title == f"{base.title} (dear_huts)"
    assert (house.players, house.seats) == (base.players, base.seats)


@pytest.mark.parametrize("head", ["", "rules language 1\n", "# a house rule\n\n"])
def test_the_short_header_equals_the_long_one(head: str) -> None:
    long = 'rules language 1\nrulebook dear "Dear"\n  extends first\n\n'

    assert load(head + TWO_LINES).digest == load(long + TWO_LINES[14:]).digest


def test_the_short_header_is_written_and_formatted() -> None:
    file = parse(TWO_LINES, "dear.rules").file
    assert file is not None

    again = parse(write(file), "dear.rules").file

    assert again is not None
    assert (again.header, again.clauses) == (file.header, file.clauses)
    assert format_text(TWO_LINES, "dear.rules") == TWO_LINES


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("replace cost hut: 3 reed\n", "RB004", 1),
        ("extends\n", "RB011", 1),
        ("extends first\nextends second\n", "RB012", 2),
        ("extends first\n  players 3\n", "RB010", 2),
        ("extends first\nreplace cost hat: 3 reed\n", "RB163", 2),
        ("extends frist\nreplace cost hut: 3 reed\n", "RB164", 1),
    ],
)
def test_mistakes_are_reported_at_their_place(text: str, code: str, line: int) -> None:
    with pytest.raises(rulebook.RulesError) as caught:
        load(text)

    first = caught.value.diagnostics[0]
    assert (first.code, first.span.line) == (code, line)
