"""Tables of values in files that extend them."""

import pytest

import rulebook
from rulebook import model as m

BASE = """rules language 1
rulebook market "A market"
  players 2
  seats red, blue
  turns 5

kind good (goods)
  good | worth
  salt | 1
  silk | 2

game has
  height: 0 to 9

turn
  phase main
    step trade: set height to price(salt, 1)

end
  nobody wins

define price(good, 1 to 2 age): 0 to 9
  good | age | price
  salt | 1   | 1
  salt | 2   | 2
  -    | -   | 3
"""
HEAD = 'rules language 1\nrulebook house "A house"\n  extends market\n\n'


def load(text: str) -> rulebook.Rulebook:
    return rulebook.loads(HEAD + text, "house", {"market": BASE}.get)


@pytest.mark.parametrize(
    "line", ["add line: rich: 7 if age = 1", "add row: salt | 1 | 7", "remove row salt"]
)
def test_a_table_is_not_changed_row_by_row(line: str) -> None:
    with pytest.raises(rulebook.RulesError) as caught:
        load(f"in define price\n  {line}\n")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB161"
    assert "replace define" in str(diagnostic.help)


def test_a_table_replaces_lines_and_the_other_way_round() -> None:
    table = "replace define price(good, 1 to 2 age): 0 to 9\n"
    lines = (
        f"{table}  1 if good = salt and age = 1\n  2 if good = salt\n  otherwise 3\n"
    )
    rows = f"{table}  age | salt | silk\n  1   | 1    | 4\n  2   | 5    | 6\n"

    assert load(lines).digest != load('option spare: no "unused"\n').digest
    values = [
        line.value for line in load(rows).model.defines["price(good,number)"].lines
    ]
    assert [value.value for value in values if isinstance(value, m.Const)] == [
        1,
        4,
        5,
        6,
    ]


def test_the_last_row_may_be_for_members_that_an_extension_removes() -> None:
    book = load("in kind good\n  remove row silk\n")

    assert len(book.model.defines["price(good,number)"].lines) == 3
