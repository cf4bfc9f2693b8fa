"""Deals under a condition, compared with all arrangements, and equivalent values."""

import itertools
from random import Random
from typing import Any

import pytest

from interpreter import Game, counted_copy
from interpreter.algorithms.constrained_deal import Deal, DealTest, spread_outcomes
from interpreter.source.runtime import RUNTIME
from rulebook import Rulebook, loads

VALUES = (2, 3, 6, 8, -1)
RING = range(6)

GAME = """rules language 1
rulebook rows "Rows"
  players 2 to 2

kind tint (tints)
  tint | warm
  rose | yes
  rust | yes
  teal | no

cards chip (chips)
  chip | copies | worth | tint
  one  | 2      | 1     | rose
  two  | 2      | 2     | rust
  six  | 2      | 6     | teal

spaces plot (plots) by place 1 to 5
each plot has
  worth: 0 to 9, seen by all, starts at 0
  chip: chip or none, seen by all

define plot is heavy = plot's worth > 4

setup
  step all_alike: chance spreads chip over plot as {what} so that {condition}
  p1 starts

action rest
  stop

turn
  phase day
    you do rest
"""


def heavy_beside(s: list[int], place: int) -> bool:
    return s[place] > 5 and s[(place + 1) % len(RING)] > 5


@pytest.mark.parametrize("dealt", [(), (6,), (6, 2), (2, 8, 3), (2, 3, 6, 2)])
def test_the_possible_next_cards_are_exact(dealt: tuple[int, ...]) -> None:
    cards = [2, 2, 1, 1]
    for value in dealt:
        cards[VALUES.index(value)] -= 1
    rest = tuple(RING)[len(dealt) :]
    s = [*dealt, *([0] * len(rest))]
    tests = [DealTest(0, (x,), (x, (x + 1) % len(RING))) for x in RING]
    deal = Deal(VALUES[:-1], (0, 0, 2, 2), tuple(tests))
    deck = [VALUES[card] for card, number in enumerate(cards) for _ in range(number)]

    outcomes = spread_outcomes(s, 0, tuple(cards), rest, deal, [heavy_beside], None)

    possible = {
        order[0]
        for order in itertools.permutations(deck)
        if not any(heavy_beside([*dealt, *order], place) for place in RING)
    }
    assert {VALUES[card] for card, _ in outcomes} == possible
    assert all(number == cards[card] for card, number in outcomes)


def rows(what: str, condition: str) -> Rulebook:
    return loads(GAME.format(what=what, condition=condition))


@pytest.mark.parametrize(
    ("what", "condition", "expected"),
    [
        ("worth", "no plot where plot is heavy and plot's place < 3", "002"),
        ("worth", "no plot where plot's worth = 1 and plot's place < 3", "011"),
        ("worth", "no plot where plot's worth = plot's place", "012"),
        ("chip", "no plot where plot's chip's tint's warm and plot's place = 1", "002"),
        ("chip", "no plot where plot's chip is six and plot's place = 1", "002"),
    ],
)
def test_values_that_tests_treat_alike_are_equivalent(
    what: str, condition: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []

    def spy(*arguments: object) -> list[tuple[int, int]]:
        told.append(arguments[-3].kinds)  # type: ignore[attr-defined]
        return spread_outcomes(*arguments)  # type: ignore[arg-type]

    monkeypatch.setitem(RUNTIME, "spread_outcomes", spy)
    Game.start(rows(what, condition), seed=1)

    assert told[0] == tuple(map(int, expected))


# ---------------------------------------------------------------- what is tested

BOARD = """rules language 1
rulebook rows "Rows"
  players 2 to 2

cards chip (chips)
  chip | copies | worth
  one  | 4      | 1
  two  | 4      | 2
  six  | 4      | 6

spaces plot (plots) by column 1 to 4, row 1 to 3
links way (ways) between plot by (0, 1), (1, 0)
each plot has
  worth: 0 to 9, seen by all, starts at 0
the game has
  chosen: plot or none, seen by all

define plot is heavy
  plot's worth > 1

define plot is crowded
  plot is heavy and (some plot other in plot's neighbours where other is heavy)

define plot is odd
  no  if plot's row = 1
  yes if plot's worth = 1

define plot's east: plot or none
  plot(plot's column + 1, plot's row)

setup
  set chosen to plot(2, 2)
  chance spreads chip over plot as worth so that {condition}
  p1 starts

action rest
  stop

turn
  phase day
    you do rest
"""

SHAPES: dict[str, tuple[int, list[int]]] = {
    "plot(1, 1)'s worth = 1": (1, [1]),
    "plot(1, 1)'s worth = 1 and plot(2, 1)'s worth = 2": (2, [1]),
    "not (plot(1, 1) is heavy or plot(2, 1) is heavy)": (2, [1]),
    "plot(1, 1) is heavy or plot(2, 1) is heavy": (1, [2]),
    "no plot where plot is heavy and plot's row = 1": (12, [1]),
    "no plot where plot is crowded": (34, [2]),
    "not (some plot where plot is crowded and plot's row = 1)": (34, [2]),
    "not (some plot where plot's row = 1 and not (plot is heavy))": (12, [1]),
    "no plot where plot is odd": (12, [1]),
    "no plot where plot's east is not none and plot's worth = plot's east's worth": (
        (12, [1, 2])
    ),
    "no plot where (number of plots other in plot's neighbours where other is heavy)"
    " > 3": (12, [2, 3, 4]),
    "no plot where plot is chosen and plot is heavy": (12, [1]),
    "chosen is not heavy": (1, [12]),
    "no plot other in chosen's neighbours where other is heavy": (12, [1]),
    "(sum over plot of plot's worth) = 36": (1, [12]),
    "no n in 1 to 3 where plot(n, 1)'s worth > plot(n + 1, 1)'s worth": (3, [2]),
    "no plot where plot is crowded or plot's worth = 9": (46, [1, 2]),
    "no plot where plot is heavy and (plot is crowded or plot's row = 1)": (46, [1, 2]),
    "plot(1, 1) is heavy or (no plot where plot is crowded)": (34, [2, 3]),
}
"""Conditions, each with the number of its tests, and the numbers of plots that they
read.
"""


@pytest.mark.parametrize("condition", SHAPES)
def test_a_condition_is_true_if_all_its_tests_pass(
    condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plots in its scope alone decide a test, and all tests together agree with the
    rules.
    """
    told: list[Any] = []

    def spy(*arguments: Any) -> list[tuple[int, int]]:
        told[:] = arguments
        return []

    monkeypatch.setitem(RUNTIME, "spread_outcomes", spy)
    book, _ = counted_copy(loads(BOARD.format(condition=condition)))
    Game.start(book, seed=1)
    s, base, _, _, deal, broken, whole = told

    sizes = sorted({len(test.scope) for test in deal.tests})
    assert (len(deal.tests), sizes) == SHAPES[condition]
    numbers, truths = Random(1), set()
    for _ in range(60):
        cells = list(s)
        cells[base : base + 12] = numbers.choices((1, 1, 1, 2, 6), k=12)
        failing = [
            test
            for test in deal.tests
            if broken[test.function_number](cells, *test.members)
        ]
        assert bool(whole(cells)) == (not failing)
        truths.add(bool(failing))
        other = list(cells)
        other[base : base + 12] = numbers.choices((1, 1, 2, 6), k=12)
        for test in deal.tests:
            mixed = list(other)
            for member in test.scope:
                mixed[base + member] = cells[base + member]
            same = bool(broken[test.function_number](mixed, *test.members))
            assert same == (test in failing)
    assert True in truths
