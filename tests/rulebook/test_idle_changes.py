"""Detection of changes without effect. Failures seen after breaking: ignoring what a
statement reads, what a called procedure does, or who is asked; ignoring that a deal
depends on what it deals, on rules in between, or on cards that look like nothing.
"""

from collections.abc import Callable

import pytest

from rulebook import Rulebook, Span, loads
from rulebook.tooling import EquivalenceDetector

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


def test_finds_statements_that_may_be_swapped_without_effect(mill: Rulebook) -> None:
    assert lines_where(mill, EquivalenceDetector(mill.model).is_ineffective_swap) == [
        "follow",
        "set wheel to 1",
        "blow",
        "forget loft",
        "if wheel = 1: set wheel to 4",
    ]


def test_finds_statements_that_may_be_doubled_without_effect(mill: Rulebook) -> None:
    assert lines_where(mill, EquivalenceDetector(mill.model).is_ineffective_double) == [
        "set wind to 5",
        "follow",
        "shuffle chest",
        "set wheel to 1",
        "set wind to 2",
        "set wheel to wind",
        "blow",
        "forget loft",
        "shuffle chest",
        "set wind to 3",
        "if wheel = 1: set wind to 4",
    ]


MARKET = """rules language 1
rulebook market "A market"
  players 2
  seats north, south

kind ware (wares): bread, cloth

cards load (loads)
  load | copies | ware  | size
  cart |      2 | bread |    1
  sled |      1 | cloth |    2

cards crate (crates)
  crate | ware
  empty | -
  full  | cloth

spaces stall (stalls)
  stall | quiet
  left  | yes
  right | no

spaces shelf (shelves)
  shelf | over
  upper | left
  lower | right

spaces booth (booths)
  booth
  north_booth
  south_booth

each stall has
  ware: ware or none, seen by all
  size: 0 to 2, seen by all
  load: load or none, seen by all

each shelf has
  ware: ware or none, seen by all
  load: stack of load, seen by nobody

each booth has
  ware: ware or none, seen by all

game has
  chest: stack of load, seen by nobody

setup
  chance chooses player other
  shuffle chest
  step chest: shuffle chest
  other starts
  next player starts
  chance spreads load over stall as ware
  step wares: chance spreads load over shelf where shelf's over is calm as ware
  chance spreads load over stall as size
  chance spreads load over stall where stall's quiet as load
  chance spreads load over stall where stall's load is none as load
  chance spreads load over stall as ware so that left's ware is bread
  chance spreads crate over stall as ware
  chance spreads load over booth as ware
  chance spreads load over stall where north_booth's ware is none as size
  chance spreads load over shelf as load

define stall is calm
  stall's ware is not none

rule taxed
  whenever north_booth's ware is none: set north_booth's ware to bread

turn
  phase work
    you may do rest

action rest
  shuffle chest
"""


def test_finds_deals_that_may_be_doubled_without_effect() -> None:
    market = loads(MARKET, "market.rules")
    idle = EquivalenceDetector(market.model)
    places = [
        part.span
        for step in market.model.procedures["setup"].body
        for part in (step, *getattr(step, "body", ()))
    ]
    lines = MARKET.splitlines()
    told = [
        lines[span.line - 1].strip()
        for span in places
        if idle.is_ineffective_double(span)
    ]
    assert list(dict.fromkeys(told)) == [
        "shuffle chest",
        "step chest: shuffle chest",
        "other starts",
        "chance spreads load over stall as ware",
        "step wares: chance spreads load over shelf where shelf's over is calm as ware",
        "chance spreads load over stall as size",
        "chance spreads load over stall where stall's quiet as load",
    ]
