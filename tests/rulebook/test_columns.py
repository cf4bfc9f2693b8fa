"""Further columns of a table: equal to one wide table, with correct errors."""

import pytest

from rulebook import RulesError, loads

HEAD = """rules language 1
rulebook wares "Wares"
  players 2

"""

WIDE = """cards ware (wares)
  ware | copies | price | weight | sort
  salt |      3 |     1 |      0 | dry
  silk |      2 |     4 |      0 | -
  iron |      1 |     2 |      5 | -
"""

NARROW = """cards ware (wares)
  ware | copies | price
  salt |      3 |     1
  silk |      2 |     4
  iron |      1 |     2
"""

WEIGHT = """
columns of ware
  ware      | weight
  iron      |      5
  otherwise |      0
"""

SORT = """
columns of ware
  ware      | sort
  salt      | dry
  otherwise | -
"""

REST = """
kind sort: dry, wet

game has
  shop: bag of ware, seen by all, starts with every ware

turn
  phase only
    nobody wins

points of player
  none: 0
"""


def digest(text: str) -> str:
    return loads(f"{HEAD}{text}{REST}").digest


def first_mistake(text: str) -> tuple[str, str, str | None]:
    with pytest.raises(RulesError) as caught:
        loads(f"{HEAD}{text}{REST}")
    diagnostic = caught.value.diagnostics[0]
    return diagnostic.code, diagnostic.message, diagnostic.help


def test_narrow_tables_equal_one_wide_table() -> None:
    assert digest(NARROW + WEIGHT + SORT) == digest(WIDE)


def test_a_table_that_names_all_needs_no_last_row() -> None:
    whole = WEIGHT.replace("  otherwise |      0\n", "  salt | 0\n  silk | 0\n")

    assert digest(NARROW + whole + SORT) == digest(WIDE)


def test_a_kind_on_one_line_gets_columns() -> None:
    line, more = "kind mood: calm, wild\n", "columns of mood\n  mood | strength\n"
    rows = "  wild | 3\n  otherwise | 1\n"
    table = "kind mood\n  mood | strength\n  calm | 1\n  wild | 3\n"

    assert digest(line + more + rows + WIDE) == digest(table + WIDE)


@pytest.mark.parametrize("row", ["gold | 1 | 9", "gold | 1 | 9 | 0 | -"])
def test_an_added_row_has_all_cells_or_those_of_the_first_table(
    row: str,
) -> None:
    added = f"\nin cards ware\n  add row: {row}\n"
    wide = WIDE + "  gold | 1 | 9 | 0 | -\n"

    assert digest(NARROW + WEIGHT + SORT + added) == digest(wide)


@pytest.mark.parametrize(
    ("more", "code", "said", "help"),
    [
        (
            "columns of waer\n  waer | weight\n  iron | 5\n",
            "RB163",
            "there is no table of `waer`",
            "did you mean `ware`?",
        ),
        (
            "columns of ware\n  ware | weight\n  iron | 5\n",
            "RB022",
            "this table has no row for `salt`",
            "add a row for it, or a last row `otherwise` for all other rows",
        ),
        (
            "columns of ware\n  ware | price\n  otherwise | 5\n",
            "RB024",
            "`ware` has the column `price` twice",
            None,
        ),
        (
            "columns of ware\n  ware | weight\n  irom | 5\n  otherwise | 0\n",
            "RB101",
            "the first table of `ware` has no row `irom`",
            "did you mean `iron`?",
        ),
        (
            "columns of ware\n  ware | weight\n  iron | 5\n  iron | 6\n",
            "RB024",
            "`iron` has two rows",
            None,
        ),
        (
            "columns of player\n  player | weight\n  otherwise | 5\n",
            "RB163",
            "there is no table of `player`",
            "declare it first, with its rows",
        ),
    ],
)
def test_reports_tables_that_do_not_fit(
    more: str, code: str, said: str, help: str | None
) -> None:
    assert first_mistake(f"{NARROW}\n{more}{SORT}") == (code, said, help)


def test_files_side_by_side_may_add_other_columns_but_not_the_same() -> None:
    base = f"{HEAD}{NARROW}{REST}"
    files = {
        "wares": base,
        "heavy": f"extends wares\n{WEIGHT}",
        "sorted": f"extends wares\n{SORT}",
        "light": "extends wares\n" + WEIGHT.replace("5", "1"),
    }

    def both(*names: str) -> str:
        top = f'rules language 1\nrulebook all "All"\n  extends {", ".join(names)}\n'
        return loads(top, "all", files.get).digest

    assert both("wares", "heavy", "sorted") == digest(NARROW + WEIGHT + SORT)
    with pytest.raises(RulesError) as caught:
        both("wares", "heavy", "light")
    assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"RB167"}
