"""Deals that exceed the search limit are rejected by both engines. The limit is small
here, so that some deals are rejected; one step more or less in one engine would cause a
difference.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

import interpreter.play.start
import rulebook as rb
from interpreter import Game, counted_copy
from interpreter.algorithms import constrained_deal
from interpreter.kernel.passes.pipeline import EVERY_PASS, Pass
from interpreter.native.engine import Engine, engine_for
from interpreter.planning import plan_for
from rulebook import tooling
from tests.native.compilers import NEEDS_C

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]

BOARD = """rules language 1
rulebook rows "Rows"
  players 2 to 2

cards chip (chips)
  chip | copies | worth
  low  | 2      | 1
  even | {even} | 2
  six  | {six}  | 6
  nine | 2      | 9

spaces plot (plots) by column 1 to 4, row 1 to 4
links way (ways) between plot by (0, 1), (1, 0)
each plot has
  worth: 0 to 9, seen by all, starts at 0

define plot is heavy
  plot's worth = 6 or plot's worth = 9

define plot is crowded
  plot is heavy and (some plot other in plot's neighbours where other is heavy)

setup
  chance spreads chip over plot as worth so that {condition}
  p1 starts

action rest
  stop

turn
  phase day
    you do rest
"""

CONDITIONS = {
    "apart": "no plot where plot is crowded",
    "differ": (
        "no plot where some plot other in plot's neighbours where other's worth ="
        " plot's worth"
    ),
    "few": (
        "no plot where plot is heavy and (number of plots other in plot's neighbours"
        " where other is heavy) > 1"
    ),
    "sum": (
        "not (some plot where plot is heavy and plot's row = 1) and"
        " (sum over plot of plot's worth * plot's column) = 130"
    ),
}
"""Conditions on two cells (the first by a definition), on a count, and on all cells."""

NONE: frozenset[str] = frozenset()

TIGHT = {
    "apart": (7, 4, 60),
    "differ": (7, 4, 900),
    "few": (5, 5, 100),
    "sum": (5, 5, 850),
}
"""Number of chips of two kinds, and the maximum number of steps."""


def begun(book: rb.Rulebook, seed: int, **how: Any) -> str:
    """Return the start of a game, or the error message if its deal is rejected."""
    try:
        return str(Game.start(book, seed=seed, **how).position)
    except rb.RulesError as refused:
        return str(refused)


@pytest.mark.parametrize("name", CONDITIONS)
def test_both_engines_reject_the_same_deals(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    even, six, bound = TIGHT[name]
    monkeypatch.setattr(constrained_deal, "DEAL_SEARCHES_MAX", bound)
    monkeypatch.setattr(tooling, "DEAL_SEARCHES_MAX", bound)
    book = rb.loads(BOARD.format(condition=CONDITIONS[name], even=even, six=six))
    told: Counter[bool] = Counter()
    assert isinstance(engine_for(plan_for(book, 2, {})), Engine)
    with_counters, _ = counted_copy(book)
    for seed in range(16):
        dealt = begun(book, seed)
        told["arrangements" in dealt] += 1
        assert begun(book, seed, engine="native") == dealt
        assert begun(with_counters, seed) == dealt
        for names in (NONE, EVERY_PASS - {Pass.INLINE}, EVERY_PASS - {Pass.SPLIT}):
            planned = partial(plan_for, passes=names)
            with monkeypatch.context() as patch:
                patch.setattr(interpreter.play.start, "plan_for", planned)
                assert begun(book, seed) == dealt, names
    assert min(told[True], told[False]) > 1
