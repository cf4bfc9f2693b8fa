"""The table of mistakes holds: each example gives what its row says.

The rows are the expectations: a row that is never reached, because another one fits
first or the parser does not stop where it should, fails here.
"""

from pathlib import Path

import pytest

from rulebook.parse import parse
from rulebook.parse.errors import likeness, table
from rulebook.parse.errors.table import BadTable, Row, read, rows, words_of
from rulebook.source.diagnostics import Diagnostic

HEAD = "rules language 1\n"


def said_of(text: str) -> Diagnostic:
    (diagnostic,) = parse(HEAD + text, "t.rules").diagnostics
    return diagnostic


def each_row() -> list[object]:
    return [
        pytest.param(row, id=f"{index}: {row.line.strip()}")
        for index, row in enumerate(rows())
    ]


@pytest.mark.parametrize("row", each_row())
def test_an_example_gives_what_its_row_says(row: Row) -> None:
    at = likeness.example(row)
    words = frozenset(word for word, _, _ in words_of(f"{at.code} {at.text}"))
    own = likeness.fits(row, at, words)
    assert own is not None, "the row does not fit its own example"

    diagnostic = said_of(row.chunk.text)

    assert diagnostic.help == own.help
    if row.message:
        assert (diagnostic.code, diagnostic.message) == (row.code, own.message)
    if row.message and "^" in row.marks:
        marked = (row.marks.index("^"), row.marks.rindex("^") + 1)
        span = diagnostic.span
        assert (span.column - 1, span.end_column - 1) == marked
    assert span_line(diagnostic) == len(row.above) + 2


def span_line(diagnostic: Diagnostic) -> int:
    return diagnostic.span.line


@pytest.mark.parametrize("row", each_row())
def test_what_a_right_line_has_could_stand_in_the_example(row: Row) -> None:
    shape = likeness.shape_of(row)

    assert shape.instead <= shape.accepts, (
        f"{sorted(shape.instead - shape.accepts)} of the line with `+` could not stand "
        f"where the line with `-` stops, only {sorted(shape.accepts)}: end its example "
        "before that, or leave the line with `+` out"
    )


@pytest.mark.parametrize("row", each_row())
def test_a_help_has_no_braces_left(row: Row) -> None:
    at = likeness.example(row)
    words = frozenset(word for word, _, _ in words_of(f"{at.code} {at.text}"))
    own = likeness.fits(row, at, words)

    assert own is not None
    assert own.help
    assert "{…}" not in own.help + own.message


# ---------------------------------------------------------------- a new habit

NEW = """  to NAME
-   PLAYER rolls THING
    ~~~~~~ ^^^^^ ~~~~~
RB011: nobody `{rolls}` anything
help: write `roll {THING}`: it is said without who does it

  to NAME
-   if HEIGHT exceeds 7: stop
       ~~~~~~ ^^^^^^^
+   if HEIGHT > 7: stop
help: {} `{HEIGHT}`
    exceeds  write `>` behind
    beats    write `>` behind
"""


def test_a_new_habit_costs_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    before = said_of("to rain\n  p1 rolls die\n")
    new = read(NEW)
    monkeypatch.setattr(likeness, "rows", lambda: (*new, *rows()))

    other = said_of("to snow\n  if height = 3: p2 rolls luck\n")
    first = said_of("to rain\n  p1 rolls die\n")
    second = said_of("to rain\n  set x to 3\n  if size beats 3: harvest\n")

    assert before.message.startswith("expected a verb")
    assert (first.code, first.message) == ("RB011", "nobody `rolls` anything")
    assert first.help == "write `roll die`: it is said without who does it"
    assert (first.span.line, first.span.column, first.span.end_column) == (3, 6, 11)
    assert other.message != first.message, "it stands first on the line in the example"
    assert second.message == "expected `:` but found `beats`"
    assert second.help == "write `>` behind `size`"


def test_the_row_of_the_page_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "extend-the-language.md"
    block = page.read_text(encoding="utf-8").split("```table\n")[1].split("```")[0]
    monkeypatch.setattr(likeness, "rows", lambda: (*read(block), *rows()))

    compared = said_of("to snow\n  if (3 + 4) exceeds goal: stop\n")
    elsewhere = said_of("to snow\n  shuffle pile exceeds goal\n")

    assert compared.help == "numbers are compared: `>` is more than"
    assert elsewhere.help != compared.help


def test_a_row_does_not_fit_where_its_right_line_could_not_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = "  to rain\n-   if height over 3: stop\n              ^^^^\n"
    right = "+   if height > 3: stop\n"
    text = "to snow\n  shuffle pile over 3\n"
    monkeypatch.setattr(likeness, "rows", lambda: read(f"{row}help: write `>`\n"))
    anywhere = said_of(text).help
    monkeypatch.setattr(
        likeness, "rows", lambda: read(f"{row}{right}help: write `>`\n")
    )
    only_there = said_of(text).help

    assert anywhere == "write `>`"
    assert only_there != anywhere
    assert said_of("to snow\n  if height over 4: stop\n").help == "write `>`"


@pytest.mark.parametrize(
    "text",
    [
        "help: an example is missing\n",
        "  to rain\n-   harvest, stop\nwhat: is this\n",
    ],
)
def test_what_nobody_can_read_is_refused(text: str) -> None:
    with pytest.raises(BadTable):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "  to rain\n-   harvest\nhelp: nothing is wrong here\n",
        "  to rain\n-   harvest, stop\n+   stop\nhelp: another beginning\n",
        "  to rain\n-   harvest, stop\n           ^\nhelp: {WHO} knows\n",
        "  to rain\n-   if a is b c: stop\n+   if a is b d: stop\nhelp: not right\n",
    ],
)
def test_an_example_that_shows_nothing_is_refused(text: str) -> None:
    (row,) = read(text)

    with pytest.raises(BadTable):
        likeness.shape_of(row)


def test_the_table_is_read_when_the_first_mistake_is_made() -> None:
    table.rows.cache_clear()

    assert parse(f"{HEAD}kind a: b\n", "t.rules").diagnostics == ()
    assert table.rows.cache_info().currsize == 0
    assert said_of("kind a b\n").code == "RB011"
    assert table.rows.cache_info().currsize == 1
