"""Links between spaces by coordinates, and rejected strides."""

import pytest

import rulebook

HEAD = """rules language 1
rulebook tour "A tour"
  players 2 to 2

kind side: port, lee
spaces {spaces}
links way (ways) between {between} by {strides}
piece cart (carts): 9 for each player, stands on camp

setup
  p1 starts

action halt(camp)
  needs empty: camp has no cart "taken"
  place your cart on camp

turn
  phase day
    you do halt

rule full
  whenever number of carts = 9: nobody wins
"""
CAMPS = "camp (camps) by column 1 to 3, row 1 to 2"


def tour(strides: str, spaces: str = CAMPS, between: str = "camp") -> rulebook.Rulebook:
    text = HEAD.format(spaces=spaces, between=between, strides=strides)
    return rulebook.loads(text)


@pytest.mark.parametrize(
    ("strides", "expected"),
    [
        ("(0, 1)", "11-12 21-22 31-32"),
        ("(0, -1)", "11-12 21-22 31-32"),
        ("(1, 0), (-1, 0)", "11-21 12-22 21-31 22-32"),
        ("(1, -1)", "12-21 22-31"),
        ("(2, 1), (0, 1)", "11-12 11-32 21-22 31-32"),
        ("(5, 0)", ""),
    ],
)
def test_strides_join_spaces(strides: str, expected: str) -> None:
    links = tour(strides).model.domains["way"].members
    short = [link.replace("camp_", "").replace("_", "") for link in links]
    assert short == expected.split()


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (["(1, 0, 0)"], "RB116", "one number for each coordinate, 2 here"),
        (["(0, 0)"], "RB106", "this stride leads back to the same space"),
        (["(1, 0)", CAMPS, "cmp"], "RB101", "unknown kind `cmp`"),
        (["(1, 0)", CAMPS, "side"], "RB106", "a side has no coordinates"),
        (
            ["(1, 0)", "camp (camps) by column 1 to 3, row in side"],
            "RB106",
            "strides need numbers, but `row` of a camp is not a number",
        ),
    ],
)
def test_rejects_invalid_strides(given: list[str], code: str, message: str) -> None:
    with pytest.raises(rulebook.RulesError) as caught:
        tour(*given)
    by_code = {diagnostic.code: diagnostic for diagnostic in caught.value.diagnostics}
    assert message in by_code[code].message
    assert by_code[code].span.line == 7


@pytest.mark.parametrize("rows", [["dale", "dale-firth"], ["dale-firth", "dale"]])
def test_each_row_of_a_table_of_links_is_a_link(rows: list[str]) -> None:
    table = "".join(f"  {row}\n" for row in ["way", *rows])
    text = HEAD.format(
        spaces="camp (camps)\n  camp\n  dale\n  firth", between="camp", strides="(1, 0)"
    ).replace(" between camp by (1, 0)\n", f"\n{table}")

    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(text)

    first = caught.value.diagnostics[0]
    assert (first.code, first.span.line) == ("RB105", 12 + rows.index("dale"))
    assert "the first column must contain links" in first.message
