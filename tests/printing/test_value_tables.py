"""Definitions that are tables of values, in printed rules and in digests."""

from typing import Any

import pytest

import rulebook
from rulebook import format_text
from tests.printing.pages import printed, sheet
from workbench.presentation.printing.formats.markdown import markdown
from workbench.presentation.printing.pages import PrintedTable, lines_of
from workbench.presentation.printing.sentences.text_runs import unstyled

HEAD = """rules language 1
rulebook market "A market"
  players 2 to 3
  seats red, blue, green
  turns 5

kind good (goods): salt, silk

game has
  height: 0 to 99

turn
  phase main
    step trade: set height to USE

end
  nobody wins

"""
SPREAD = """define supply(2 to 3 age, good): 0 to 9
  age | salt | silk
  2   | 3    | 2
  3   | 4    | 1
"""
LINES = """define supply(2 to 3 age, good): 0 to 9
  3 if age = 2 and good = salt
  2 if age = 2 and good = silk
  4 if age = 3 and good = salt
  1 if age = 3 and good = silk
"""
LONG = """define supply(2 to 3 age, good): 0 to 9
  good | age | supply
  salt | 2   | 3
  silk | 2   | 2
  salt | 3   | 4
  silk | 3   | 1
"""
USE = "supply(number of players, salt)"


def book(text: str, use: str = USE) -> Any:
    return rulebook.loads(HEAD.replace("USE", use) + text, "market")


def said(text: str, use: str = USE) -> str:
    """Return the sentences of the printed rules."""
    page = printed(book(text, use))
    sections = [part for _, _, part in page.numbered_sections()]
    lines = [line for part in sections for line in lines_of(part)]
    return "\n".join(unstyled(line.text) for line in lines)


def tables(text: str, use: str = USE) -> list[list[str]]:
    """Return the rows of the tables in the section of definitions."""
    page = printed(book(text, use))
    sections = [part for _, _, part in page.numbered_sections()]
    blocks = [
        block
        for part in sections
        if part.place.startswith("define.")
        for block in part.blocks
        if isinstance(block, PrintedTable)
    ]
    return [
        [
            " ".join(map(unstyled, row))
            for row in (each.heads, *(x.cells for x in each.rows))
        ]
        for each in blocks
    ]


@pytest.mark.parametrize("text", [SPREAD, LINES, LONG], ids=["wide", "lines", "long"])
def test_values_of_the_last_parameter_are_columns(text: str) -> None:
    assert tables(text) == [["Age salt silk", "2 3 2", "3 4 1"]]


def test_ranges_and_other_values_have_keys() -> None:
    text = """define fee(0 to 9 size): 0 to 9
  size   | fee
  0      | 1
  1 to 4 | 2
  -      | 3
"""
    assert tables(text, "fee(3)") == [["Size Fee", "0 1", "1–4 2", "– 3"]]


def test_the_rest_is_a_row_of_its_own() -> None:
    text = """define supply(2 to 5 age, good): 0 to 9
  age | good | supply
  2   | salt | 3
  2   | silk | 2
  3   | salt | 4
  -   | -    | 1
"""
    rows = ["Age Good Supply", "2 salt 3", "2 silk 2", "3 salt 4", "– – 1"]
    assert tables(text) == [rows]
    assert "The first row that applies counts." in said(text)


def test_negative_numbers_are_keys_and_values() -> None:
    text = """define fee(-1 to 1 size): -5 to 9
  size | fee
  -1   | -5
  0    | 2
  1    | 3
"""
    assert tables(text, "larger of (0, fee(0))") == [
        ["Size Fee", "-1 -5", "0 2", "1 3"]
    ]


def test_named_values_are_explained_above_a_table() -> None:
    text = """define fee(0 to 2 size): 0 to 9
  let best be smaller of (height, 3)
  best if size = 0
  2 if size = 1
  otherwise 1
"""
    assert tables(text, "fee(0)") == [["Size Fee", "0 best", "1 2", "– 1"]]
    assert "Let best be" in said(text, "fee(0)")


REST = """define supply(2 to 5 age, good): 0 to 9
  age | good | supply
  2   | salt | 3
  2   | silk | 2
  3   | salt | 4
  -   | -    | 1
"""


def test_changed_rows_are_on_the_errata_sheet() -> None:
    new = book(REST.replace("silk | 2", "silk | 7"))
    text = markdown(sheet(new, book(REST)))
    assert "Changed: “The supply for age and the good: 2, silk”" in text
    assert "- **Before:** Supply: 2\n- **Now:** Supply: 7" in text
    assert text.count("**Now:**") == 1


UNEVEN = """define supply(2 to 3 age, good): 0 to 9
  good | age | supply
  salt | 2   | 3
  silk | 2   | 2
  silk | 3   | 1
  -    | -   | 4
"""


def test_uneven_rows_are_not_spread_over_columns() -> None:
    rows = ["Age Good Supply", "2 salt 3", "2 silk 2", "3 silk 1", "– – 4"]
    assert tables(UNEVEN) == [rows]
    incomplete = "\n".join(LINES.splitlines()[:-1]) + "\n"
    assert tables(incomplete) == [
        ["Age Good Supply", "2 salt 3", "2 silk 2", "3 salt 4"]
    ]


def test_rows_with_different_keys_are_not_spread_over_columns() -> None:
    lines = """define supply(2 to 4 age, 1 to 2 place, good): 0 to 9
  3 if age = 2 and place = 1 and good = salt
  2 if age = 2 and place = 1 and good = silk
  1 if age = 3 and place = 1 and good = salt
  4 if age = 3 and place = 2 and good = silk
"""
    (rows,) = tables(lines, "supply(2, 1, salt)")
    assert rows[0] == "Age Place Good Supply"
    assert len(rows) == 5


def test_labelled_lines_are_sentences() -> None:
    lines = LINES.replace("  3 if age", "  few: 3 if age")
    assert tables(lines) == []
    assert "3, if age is 2 and the good is salt." in said(lines)


def test_rows_have_only_their_own_citations() -> None:
    head = HEAD.replace("turns 5\n", 'turns 5\n  source rules "The rules" in en\n')
    text = """headings rules
  "Costs"
  "Salt"

define supply(2 to 3 age, good): 0 to 9 ["Costs"]
  age | salt | silk
  2   | 3    | 2 ["Salt"]
  3   | 4    | 1 ["Costs"]
"""
    market = rulebook.loads(head.replace("USE", USE) + text, "market")
    sections = [part for _, _, part in printed(market).numbered_sections()]
    (table,) = (
        block
        for part in sections
        if part.place.startswith("define.")
        for block in part.blocks
        if isinstance(block, PrintedTable)
    )
    assert [[cite.heading for cite in row.cites] for row in table.rows] == [
        ["Salt"],
        [],
    ]


@pytest.mark.parametrize(
    "line",
    ["3 if age = 2 and height = 1", "3 if age > 2", "3 if age = height"],
)
def test_lines_with_other_conditions_are_sentences(line: str) -> None:
    text = f"define supply(2 to 3 age, good): 0 to 9\n  {line}\n" + "\n".join(
        LINES.splitlines()[2:]
    )
    assert tables(text + "\n") == []


def test_a_table_has_the_digest_of_its_lines() -> None:
    assert book(SPREAD).digest == book(LINES).digest
    assert book(LONG).digest != book(LINES).digest  # the rows are in another order


def test_a_table_is_written_as_it_was_read() -> None:
    text = format_text(HEAD.replace("USE", USE) + SPREAD, "market")
    assert text.endswith(
        "define supply(2 to 3 age, good): 0 to 9\n"
        "  age | salt | silk\n"
        "  2   |    3 |    2\n"
        "  3   |    4 |    1\n"
    )
    assert format_text(text, "market") == text
