"""Control stack in a position: each variable with a value at its step is required."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import rulebook
from interpreter import Game, PositionError
from rulebook.model import POSITION_KEYS

RULES = """rules language 1
rulebook rounds "Rounds"
  players 2 to 2
kind ware (wares): salt, silk
dice die: 1 to 6
game has
  store: bag of ware, seen by all, starts with 9 of each
each player has
  hand: bag of ware, seen by all
to haul(ware)
  repeat 3 times:
    each player:
      let heap be 1
      player may choose ware other in store:
        player gathers heap to 2 ware in store as taken
        move taken from store to player's hand
setup
  p1 starts
turn
  phase day
    each ware: haul(ware)
"""


@pytest.fixture(scope="module")
def book() -> rulebook.Rulebook:
    return rulebook.loads(RULES)


def without(position: dict[str, Any], frame: int, name: str) -> dict[str, Any]:
    """Return a position without one value of a frame."""
    changed = copy.deepcopy(position)
    del changed["pending"][frame]["values"][name]
    return changed


def stopped(book: rulebook.Rulebook, *actions: str) -> dict[str, Any]:
    """Return the position after some actions."""
    game = Game.start(book, seed=1)
    for action in actions:
        game.apply(action)
    return game.position


@pytest.mark.parametrize(
    ("actions", "names"),
    [
        ((), ["ware", "heap", "remaining player", "player", "times left"]),
        (
            ("choose_other(salt)",),
            ["heap", "other", "taken", "player", "remaining player", "times left"],
        ),
    ],
)
def test_rejects_a_position_without_a_needed_local_value(
    book: rulebook.Rulebook, actions: tuple[str, ...], names: list[str]
) -> None:
    position = stopped(book, *actions)
    frame = len(position["pending"]) - 1

    assert Game.from_position(book, position).position == position
    for name in names:
        with pytest.raises(PositionError) as caught:
            Game.from_position(book, without(position, frame, name))
        assert caught.value.value == f"pending.{frame}.values.{name}"


def test_rejects_wrong_remaining_rounds_of_a_loop(book: rulebook.Rulebook) -> None:
    position = stopped(book)
    for wrong in ("often", -1, 4, [2]):
        position["pending"][-1]["values"]["times left"] = wrong
        with pytest.raises(PositionError, match="times left"):
            Game.from_position(book, position)


def test_every_position_restores_the_game(book: rulebook.Rulebook) -> None:
    game = Game.start(book, seed=1)
    for number in range(60):
        legal = game.legal_actions()
        if not legal:
            break
        game.apply(legal[number % len(legal)])
        assert Game.from_position(book, game.position).position == game.position


PARTS = """rules language 1
rulebook parts "Parts"
  players 2 to 2
kind {part} (many): one, two
kind ware (wares): salt, silk
dice die: 1 to 6
game has
  value: 0 to 9, seen by all, starts at 1
  price({part}): 0 to 9, seen by all, starts at 2
each ware has
  stock: 0 to 9, seen by nobody, starts at 3
each player has
  secret: 0 to 9, seen by owner, starts at 4
points of player
  secrets: player's secret
action wait
  set value to 2
turn
  phase day
    you do wait
"""


CALLED = [part for part in POSITION_KEYS if part != "players"]
"""Names that positions reserve, so that a kind with fields may not have them."""


def test_positions_have_only_reserved_parts() -> None:
    """The reserved names are exactly the possible parts of a position."""
    game = Game.start(rulebook.loads(PARTS.format(part="thing")), seed=1)
    kinds = {"player", "ware"}

    written = {*game.position, *game.view("p1")} - kinds

    assert "at_least" in written
    assert written <= set(POSITION_KEYS)


@pytest.mark.parametrize("part", CALLED)
def test_a_kind_without_fields_may_have_a_reserved_name(part: str) -> None:
    game = Game.start(rulebook.loads(PARTS.format(part=part)), seed=1)
    game.apply("wait")

    again = Game.from_position(game.book, game.position)

    assert again.position == game.position
    assert again.position["game"]["price"] == {"one": 2, "two": 2}
    assert again.view("p1")["ware"]["silk"] == {"stock": None}


@pytest.mark.parametrize("part", CALLED)
def test_a_kind_with_fields_may_not_have_a_reserved_name(part: str) -> None:
    rules = PARTS.format(part=part).replace("each ware has", f"each {part} has")

    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(rules)

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("RB107", 10)
    assert [span.line for span, _ in diagnostic.related] == [4]
