"""Of which changes it is known that they change nothing.

Broken by hand, each seen to fail: what a statement reads passed over; what a called
procedure does passed over; who is asked passed over.
"""

from collections.abc import Callable

import pytest

from rulebook import Idle, Rulebook, Span, loads

TEXT = """rules language 1
rulebook mill "A mill"
  players 2
  seats north, south

cards grain (grains)
  grain | copies
  oats  | 4
  rye   | 4

game has
  wind:  0 to 9, seen by all
  wheel: 0 to 9, seen by all
  sack:  bag of grain, seen by all, starts with every grain
  loft:  bag of grain, seen by all
  chest: stack of grain, seen by nobody

setup
  north starts

turn
  phase work
    you may do grind

to blow
  set wind to 1

to follow
  set wheel to wind

to pause(player)
  player may do rest

action grind
  set wind to 5
  follow
  shuffle chest
  pause(you)
  set wheel to 1
  set wind to 2
  set wheel to wind
  blow
  forget loft
  shuffle chest
  you may do rest
  set wind to 3
  if wheel = 1: set wind to 4
  if wheel = 1: set wheel to 4
  move up to 1 oats from sack to loft
  move up to 1 rye from loft to sack

action rest
  set wheel to 0
"""


@pytest.fixture(scope="module")
def mill() -> Rulebook:
    return loads(TEXT, "mill.rules")


def lines_where(mill: Rulebook, holds: Callable[[Span], bool]) -> list[str]:
    lines = TEXT.splitlines()
    spans = [part.span for part in mill.model.actions["grind"].body]
    return [lines[span.line - 1].strip() for span in spans if holds(span)]


def test_only_what_shares_nothing_has_no_order(mill: Rulebook) -> None:
    assert lines_where(mill, Idle(mill.model).is_swap) == [
        "follow",
        "set wheel to 1",
        "blow",
        "forget loft",
        "if wheel = 1: set wheel to 4",
    ]


def test_only_what_sets_is_done_at_once(mill: Rulebook) -> None:
    assert lines_where(mill, Idle(mill.model).is_double) == [
        "set wind to 5",
        "follow",
        "set wheel to 1",
        "set wind to 2",
        "set wheel to wind",
        "blow",
        "forget loft",
        "set wind to 3",
        "if wheel = 1: set wind to 4",
    ]
