"""Tables of the corners and links of a map: rows name their members, in any order."""

import pytest

from rulebook import RulesError, loads
from rulebook.model.value_types import NONE, Member

HEAD = """rules language 1
rulebook coast "A coast"
  players 2

kind stream (streams): brook, river
hexes land (lands) pointy_top
  land  | q | r
  north | 0 | 0
  west  | 0 | 1
corners site (sites)
links path (paths)
  path  | stream | ferry | toll
"""
TURN = """
turn
  phase day
    nobody wins
"""


def test_each_row_belongs_to_the_link_that_it_names() -> None:
    rows = "  C6-C8 | river  | yes   |    3\n  C1-C3 | brook  | no    |    2\n"
    path = loads(f"{HEAD}{rows}{TURN}").model.domains["path"]

    def values(column: str) -> dict[str, object]:
        pairs = zip(path.members, path.columns[column].values, strict=True)
        return dict(pairs)

    listed = ("C6-C8", "C1-C3")
    assert [values("stream")[link] for link in listed] == [1, 0]
    assert [values("ferry")[link] for link in listed] == [True, False]
    assert [values("toll")[link] for link in listed] == [3, 2]


def test_links_without_a_row_have_empty_cells() -> None:
    rows = "  C6-C8 | river  | yes   |    3\n"
    path = loads(f"{HEAD}{rows}{TURN}").model.domains["path"]

    others = [number for number, link in enumerate(path.members) if link != "C6-C8"]
    assert {path.columns["stream"].values[number] for number in others} == {NONE}
    assert {path.columns["toll"].values[number] for number in others} == {NONE}
    assert not any(path.columns["ferry"].values[number] for number in others)
    assert path.columns["stream"].type == Member("stream", optional=True)


def test_corners_without_a_row_have_empty_cells() -> None:
    corners = """corners site (sites)
  site  | lies       | stream | depth
  Haven | N of north | river  |     2
"""
    text = HEAD.replace("corners site (sites)\n", corners)
    site = loads(f"{text}  Haven-C1 | river | yes | 3\n{TURN}").model.domains["site"]

    assert site.members[:2] == ("Haven", "C1")
    assert site.columns["stream"].values == (1, *[NONE] * (len(site.members) - 1))
    assert site.columns["stream"].type == Member("stream", optional=True)
    assert site.columns["depth"].values[1] == NONE


@pytest.mark.parametrize(
    ("rows", "code", "message"),
    [
        (["C1-C10"], "RB106", "no path joins C1 and C10"),
        (["C6-C8", "C8-C6"], "RB102", "`C6-C8` is declared twice"),
        (["C6-C8", "C6"], "RB105", "must contain links"),
    ],
)
def test_reports_rows_that_name_no_link_of_their_own(
    rows: list[str], code: str, message: str
) -> None:
    table = "".join(f"  {row} | river | yes | 3\n" for row in rows)
    with pytest.raises(RulesError) as caught:
        loads(f"{HEAD}{table}{TURN}")

    first = caught.value.diagnostics[0]
    assert (first.code, first.span.line) == (code, 12 + len(rows))
    assert message in first.message
