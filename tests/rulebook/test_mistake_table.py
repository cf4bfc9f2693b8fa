"""Table of mistakes: the example of each row gives the diagnostic of the row. A row
fails if it is never reached because another row matches first or the parser stops
elsewhere.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebook.parse import parse
from rulebook.parse.errors import example_matching, mistake_table
from rulebook.parse.errors.mistake_table import (
    BadTable,
    MistakeRow,
    mistake_rows,
    parse_table,
    split_words,
)
from rulebook.source.diagnostics import Diagnostic

HEAD = "rules language 1\n"


def said_of(text: str) -> Diagnostic:
    (diagnostic,) = parse(HEAD + text, "t.rules").diagnostics
    return diagnostic


def problems_of_row(row: MistakeRow) -> Iterator[str]:
    """Yield the differences between a row and the diagnostic of its example."""
    at = example_matching.failure_of_example(row)
    words = frozenset(word for word, _, _ in split_words(f"{at.code} {at.text}"))
    own = example_matching.match_row(row, at, words)
    diagnostics = parse(HEAD + row.chunk.text, "t.rules").diagnostics
    if own is None or len(diagnostics) != 1:
        yield f"it does not match its example, which gives {diagnostics}"
        return
    (diagnostic,) = diagnostics
    span = diagnostic.span
    if diagnostic.help != own.help:
        yield f"the help is {diagnostic.help!r}, not {own.help!r}"
    if not own.help or "{…}" in own.help + own.message:
        yield f"a gap is not filled: {own.help!r}, {own.message!r}"
    said = diagnostic.code, diagnostic.message
    if row.message and said != (row.code, own.message):
        yield f"the message is {said}, not {(row.code, own.message)}"
    if row.message and "^" in row.marks:
        marked = (row.marks.index("^"), row.marks.rindex("^") + 1)
        if (span.column - 1, span.end_column - 1) != marked:
            yield f"columns {span.column} to {span.end_column} are marked"
    if span.line != len(row.lines_above) + 2:
        yield f"line {span.line} is marked"


def test_the_example_of_each_row_gives_its_diagnostic() -> None:
    """Help, code, message and marked place of each example match its row."""
    problems = [
        f"{index}: {row.line.strip()}: {problem}"
        for index, row in enumerate(mistake_rows())
        for problem in problems_of_row(row)
    ]

    assert len(mistake_rows()) > 200
    assert not problems, "\n".join(problems)


def test_each_correct_line_fits_its_example() -> None:
    """A `+` line shows only words that the parser accepts where the `-` line stops."""
    problems = []
    for index, row in enumerate(mistake_rows()):
        shape = example_matching.shape_of(row)
        if unexpected := shape.expected_tokens - shape.accepts:
            problems.append(
                f"{index}: {row.line.strip()}: {sorted(unexpected)}"
                f" of the line with `+` cannot follow where the line with `-` stops,"
                f" only {sorted(shape.accepts)}: end its example before that, or leave"
                " the line with `+` out"
            )

    assert not problems, "\n".join(problems)


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
    new = parse_table(NEW)
    with_new = (*new, *mistake_rows())
    monkeypatch.setattr(example_matching, "mistake_rows", lambda: with_new)

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


def test_the_row_in_the_documentation_works(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "extend-the-language.md"
    block = page.read_text(encoding="utf-8").split("```table\n")[1].split("```")[0]
    monkeypatch.setattr(
        example_matching, "mistake_rows", lambda: (*parse_table(block), *mistake_rows())
    )

    compared = said_of("to snow\n  if (3 + 4) exceeds goal: stop\n")
    elsewhere = said_of("to snow\n  shuffle pile exceeds goal\n")

    assert compared.help == "numbers are compared: `>` is more than"
    assert elsewhere.help != compared.help


def test_a_row_does_not_match_where_its_correct_line_cannot_continue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = "  to rain\n-   if height over 3: stop\n              ^^^^\n"
    right = "+   if height > 3: stop\n"
    text = "to snow\n  shuffle pile over 3\n"
    alone = parse_table(f"{row}help: write `>`\n")
    monkeypatch.setattr(example_matching, "mistake_rows", lambda: alone)
    anywhere = said_of(text).help
    with_line = parse_table(f"{row}{right}help: write `>`\n")
    monkeypatch.setattr(example_matching, "mistake_rows", lambda: with_line)
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
def test_rejects_a_malformed_table(text: str) -> None:
    with pytest.raises(BadTable):
        parse_table(text)


@pytest.mark.parametrize(
    "text",
    [
        "  to rain\n-   harvest\nhelp: nothing is wrong here\n",
        "  to rain\n-   harvest, stop\n+   stop\nhelp: another beginning\n",
        "  to rain\n-   harvest, stop\n           ^\nhelp: {WHO} knows\n",
        "  to rain\n-   if a is b c: stop\n+   if a is b d: stop\nhelp: not right\n",
    ],
)
def test_rejects_an_example_that_shows_nothing(text: str) -> None:
    (row,) = parse_table(text)

    with pytest.raises(BadTable):
        example_matching.shape_of(row)


def test_the_table_is_read_when_the_first_mistake_is_made() -> None:
    mistake_table.mistake_rows.cache_clear()

    assert parse(f"{HEAD}kind a: b\n", "t.rules").diagnostics == ()
    assert mistake_table.mistake_rows.cache_info().currsize == 0
    assert said_of("kind a b\n").code == "RB011"
    assert mistake_table.mistake_rows.cache_info().currsize == 1
