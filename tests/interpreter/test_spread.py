"""Dealing under a condition against all arrangements, and which values are alike."""

import itertools
from functools import partial

import pytest

from interpreter import Game
from interpreter.searches.constrained_deal import Test, spread_outcomes
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


def light(place: int, s: list[int]) -> bool:
    return not heavy_beside(s, place)


def heavy_beside(s: list[int], place: int) -> bool:
    return s[place] > 5 and s[(place + 1) % len(RING)] > 5


@pytest.mark.parametrize("dealt", [(), (6,), (6, 2), (2, 8, 3), (2, 3, 6, 2)])
def test_what_can_come_next_is_exact(dealt: tuple[int, ...]) -> None:
    cards = [2, 2, 1, 1]
    for value in dealt:
        cards[VALUES.index(value)] -= 1
    rest = tuple(RING)[len(dealt) :]
    s = [*dealt, *([0] * len(rest))]
    tests: list[Test] = [partial(light, place) for place in RING]
    deck = [VALUES[card] for card, number in enumerate(cards) for _ in range(number)]

    outcomes = spread_outcomes(s, 0, tuple(cards), rest, VALUES, (0, 0, 2, 2), tests)

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
        ("chip", "no plot where plot's chip's tint's warm and plot's place = 1", "012"),
        ("chip", "no plot where plot's chip is six and plot's place = 1", "002"),
    ],
)
def test_values_are_alike_that_are_asked_alike(
    what: str, condition: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []

    def spy(*arguments: object) -> list[tuple[int, int]]:
        told.append(arguments[-2])
        return spread_outcomes(*arguments)  # type: ignore[arg-type]

    monkeypatch.setitem(RUNTIME, "spread_outcomes", spy)
    Game.start(rows(what, condition), seed=1)

    assert told[0] == tuple(map(int, expected))
