"""Definitions that are looked up: what counts as a table, and the steps it takes."""

import pytest

import rulebook
from rulebook import Limits, RulesError
from rulebook.tooling import constant_table

GAME = """rules language 1
rulebook priced "Prices"
  players 2
  seats red, blue

kind good (goods): hay, corn, wool
kind size: small, middle, large
spaces stall (stalls) by place 1 to 20
spaces edge (edges) by stall, good

game has
  total: 0 to 99

each stall has
  used: yes/no

define price(good, size): 0 to 9
  size   | hay | corn | wool
  small  |   1 |    2 |    3
  middle |   4 |    5 |    6
  large  |   7 |    8 |    9

define grade(good): 0 to 9
  1 if good is hay
  2 if good is corn
  3 if good is wool and total > 4
  4 if good is wool
  5

define short(good): 0 to 9
  1 if good is hay
  2

define good's bounds(0 to 9 n): 0 to 9
  1 if n >= 2 and n >= 5 and n <= 7
  2 if n >= 2 and n <= 3
  3 if n <= 0
  4

action pay(good, size)
  set total to price(good, size) + good's bounds(3)

turn
  phase work
    you do pay
"""


def test_a_table_compares_parameters_with_constants() -> None:
    defines = rulebook.loads(GAME, "priced").model.defines
    tables = {name for name, define in defines.items() if constant_table(define)}

    assert tables == {"price(good,size)", "bounds(good,number)"}
    lines = constant_table(defines["bounds(good,number)"])
    assert lines is not None
    assert [(dict(line.bounds), line.value) for line in lines] == [
        ({2: (5, 7)}, 1),
        ({2: (2, 3)}, 2),
        ({2: (None, 0)}, 3),
        ({}, 4),
    ]


SEARCH = """
to look_at_prices
  set total to smaller of (99, sum over good of price(good, small) + price(good, large))
"""


def test_a_table_takes_the_steps_of_a_lookup() -> None:
    """Two calls for each of three goods; line by line, each has nine lines."""
    assert rulebook.loads(GAME + SEARCH, "priced", limits=Limits(steps=100)).digest
    with pytest.raises(RulesError, match="look_at_prices"):
        rulebook.loads(GAME + SEARCH, "priced", limits=Limits(steps=20))


LISTED = """rules language 1
rulebook walls "Walls"
  players 2

kind side: north, east, south, west
spaces cell (cells) by column 1 to 5, row 1 to 5
spaces edge (edges) on the sides of cell by side

each edge has
  built: yes/no

action build(cell, edge)
  {first}
  {second}
  set edge's built to yes

turn
  phase work
    you do build
"""
HERE = 'needs here: edge is in cell\'s edges  "elsewhere"'
COSTLY = 'needs few: (number of edges x where x\'s built and x != edge) < 9  "no"'


def test_a_requirement_limits_the_values_of_a_parameter() -> None:
    """The second requirement is tested for 25 times 4 edges, or for 25 times 100."""
    limits = Limits(steps=100_000)
    cheap = LISTED.format(first=HERE, second=COSTLY)
    assert rulebook.loads(cheap, "walls", limits=limits).digest

    with pytest.raises(RulesError, match="`build` may take"):
        rulebook.loads(LISTED.format(first=COSTLY, second=HERE), "walls", limits=limits)


@pytest.mark.parametrize(
    "here",
    [
        "needs here: edge is in edge's cell's edges  \"no\"",
        'needs here: edge is in goal\'s edges  "no"',
    ],
)
def test_a_set_that_reads_the_parameter_or_a_later_one_limits_nothing(
    here: str,
) -> None:
    """The engine tests the next requirement for all edges there."""
    text = LISTED.format(first=here, second=COSTLY)
    text = text.replace("build(cell, edge)", "build(edge, cell goal)")

    with pytest.raises(RulesError, match="`build` may take"):
        rulebook.loads(text, "walls", limits=Limits(steps=50_000))


def test_a_table_with_numbers_is_tested_line_by_line_outside_its_range() -> None:
    text = GAME + "\nto look_at_bounds\n  set total to hay's bounds(3)\n"

    with pytest.raises(RulesError, match="look_at_bounds"):
        rulebook.loads(
            text.replace("0 to 99", "0 to 9"), "priced", limits=Limits(steps=9)
        )


STEPPED = """rules language 1
rulebook stepped "Steps"
  players 2
spaces cell (cells) by column 1 to 5, row 1 to 5
links bond between cell by (1, 0), (0, 1), (1, 1), (1, -1)
define cell's reach: set of cell
  reach from cell over cell one to other where (number of cells where cell != one) > 5
action go(cell)
  needs far: number of cells in cell's reach > 1 "no"
  stop
turn
  phase work
    you do go
"""


def test_the_condition_on_a_step_counts_for_each_neighbour() -> None:
    """25 starts, 25 places, up to 8 neighbours, and 25 cells for each of them."""
    with pytest.raises(RulesError, match="`go` may take"):
        rulebook.loads(STEPPED, "stepped", limits=Limits(steps=25 * 25 * 8 * 25))
