"""Several pieces on a space: counts, moves, messages, positions, rejected positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, PositionError
from rulebook import Rulebook, RulesError, load, loads
from workbench.bots import BOTS, bot_random, decide

WORKERS = Path(__file__).parent / "workers.rules"


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load(WORKERS)


def started(book: Rulebook, players: int = 2, **options: Any) -> Game:
    return Game.start(book, players=players, options=options)


def done(game: Game, *actions: str) -> dict[str, Any]:
    for action in actions:
        game.apply(action)
    pieces: dict[str, Any] = game.position["pieces"]
    return pieces


def test_a_space_can_hold_several_pieces_of_a_kind(book: Rulebook) -> None:
    pieces = done(started(book), "put(mill)", "put_two(mill)", "rest", "put(mill)")

    assert pieces["worker"] == {"mill": {"red": 3, "blue": 1}}


def test_no_more_pieces_are_placed_than_remain(book: Rulebook) -> None:
    game = started(book)
    done(game, "put_two(mill)", "put(grove)")

    explanation = game.why("put_two(mill)")
    assert not explanation.legal
    assert explanation.requirement == "stock"
    assert game.why("put(mill)").legal


def test_some_or_all_pieces_are_moved(book: Rulebook) -> None:
    game = started(book)
    done(game, "put_two(mill)", "put(mill)", "rest", "put(mill)")

    assert not game.why("shift(mill, grove)").legal
    pieces = done(game, "rest", "shift(mill, grove)")
    assert pieces["worker"] == {"mill": {"red": 1, "blue": 1}, "grove": {"red": 2}}
    pieces = done(game, "sweep(mill, grove)")
    assert pieces["worker"] == {"grove": {"red": 3, "blue": 1}}
    assert done(game, "sweep(mill, court)")["worker"] == pieces["worker"]


def test_a_move_to_the_same_space_changes_nothing(book: Rulebook) -> None:
    game = started(book)
    before = done(game, "put_two(mill)", "put_two(mill)")["worker"]

    assert done(game, "shift(mill, mill)")["worker"] == before


@pytest.mark.parametrize("crowd", [1, 2, 4])
def test_a_space_can_limit_the_total_number_of_pieces(
    book: Rulebook, crowd: int
) -> None:
    game = started(book, crowd=crowd)
    for number in range(crowd):
        assert game.why("visit(court)").legal, number
        game.apply("visit(court)")
        game.apply("rest")

    explanation = game.why("visit(court)")
    assert explanation.requirement == "room"
    assert explanation.values == {
        "number of guests on spot + 1": crowd + 1,
        "crowd": crowd,
    }
    assert game.why("visit(mill)").legal


def test_a_space_can_limit_the_number_for_each_player(book: Rulebook) -> None:
    game = started(book)
    done(game, "send(mill)")

    assert game.why("send(mill)").requirement == "alone"
    assert done(game, "rest", "send(mill)")["envoy"] == {"mill": {"red": 1, "blue": 1}}


def test_a_replaced_piece_returns_to_the_supply(book: Rulebook) -> None:
    game = started(book)
    done(game, "visit(mill)", "rest", "visit(mill)")

    assert done(game, "push_in(mill)")["guest"] == {"mill": {"blue": 1}}


def test_nobodys_pieces_are_counted(book: Rulebook) -> None:
    game = started(book)

    assert done(game, "stock(mill)")["fish"] == {"mill": 2}
    assert game.why("stock(mill)").requirement == "room"
    assert done(game, "stock(grove)")["fish"] == {"mill": 2, "grove": 2}
    assert game.why("stock(court)").requirement == "stock"


def test_the_only_piece_can_move_to_an_occupied_space(book: Rulebook) -> None:
    game = started(book)
    pieces = done(game, "ride(mill)", "rest", "ride(mill)", "ride(grove)")

    assert pieces["king"] == {"mill": {"red": 1}, "grove": {"blue": 1}}


def test_removing_all_pieces_is_allowed_if_there_are_none(book: Rulebook) -> None:
    game = started(book)
    done(game, "clear", "put_two(mill)", "rest", "put(mill)", "rest")

    assert done(game, "clear")["worker"] == {"mill": {"blue": 1}}


def test_pieces_of_other_players_are_counted(book: Rulebook) -> None:
    game = started(book, players=3)
    done(game, "put_two(mill)", "rest", "put(mill)", "rest", "put(mill)", "count(mill)")

    assert game.position["player"]["white"]["told"] == 3


def test_a_mistake_missed_by_the_checker_is_reported_at_the_effect(
    book: Rulebook,
) -> None:
    game = started(book, crowd=1)
    before = game.position
    with pytest.raises(RulesError) as caught:
        game.apply("crowd_in(court)")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB142"
    assert diagnostic.message == "there is no room for this guest here"
    assert (diagnostic.span.file, diagnostic.span.line) == (str(WORKERS), 58)
    assert game.position == before


HARD = """rules language 1
rulebook hard "What a procedure did"
  players 2
  seats red, blue
spaces spot (spots) by column 1 to 3
piece pawn (pawns): 2 for each player, stands on spot
piece worker (workers): 4 for each player, stands on spot, any number
to leave(spot)
  if spot has your pawn: remove your pawn from spot
  if spot has your worker: remove your worker from spot
to come(spot)
  if spot has no pawn and your pawns_left > 0: place your pawn on spot
action put(spot)
  needs free: spot has no pawn "taken"
  place your pawn on spot
action twice(spot)
  needs here: spot has your pawn "not here"
  leave(spot)
  remove your pawn from spot
action send(spot)
  place your worker on spot
action gone(spot)
  needs here: spot has your worker "not here"
  leave(spot)
  remove your worker from spot
action both(spot, spot goal)
  needs free: spot has no pawn "taken"
  come(spot)
  if your pawns_left > 0: place your pawn on spot
action off(spot)
  needs here: spot has your pawn "not here"
  let goal be spot(spot's column + 1)
  if goal = spot(4) and goal is not none: stop
  move your pawn from spot to goal in place of what stands there
turn
  phase day
    you may, until rest: put, twice, both, send, gone, off
action rest
  stop
"""


@pytest.mark.parametrize(
    ("before", "action", "message"),
    [
        ("put(spot_1)", "twice(spot_1)", "there is no pawn here"),
        ("rest", "both(spot_1, spot_2)", "a pawn is already here"),
        ("send(spot_1)", "gone(spot_1)", "there is no worker here"),
    ],
)
def test_a_conflict_caused_by_a_procedure_fails_in_play(
    before: str, action: str, message: str
) -> None:
    text = HARD.replace("you may, until rest: ", "you may, until rest:\n      ")
    a, _, b = text.partition("action off(spot)")
    text = a + b[b.index("turn\n") :].replace(", off", "")
    game = Game.start(loads(text, "hard"))
    game.apply(before)
    kept = game.position
    with pytest.raises(RulesError) as caught:
        game.apply(action)

    assert message in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].span.file == "hard"
    assert game.position == kept


def test_the_checker_reports_a_space_that_may_be_none() -> None:
    text = HARD.replace("you may, until rest: ", "you may, until rest:\n      ")
    with pytest.raises(RulesError) as caught:
        loads(text, "hard")

    (diagnostic,) = caught.value.diagnostics
    assert (
        diagnostic.help
        == "write `if goal is not none:` above it, or add a `needs` line"
    )


# ---------------------------------------------------------------- positions and views


@pytest.mark.parametrize("players", [2, 3])
def test_a_position_restores_the_game_at_every_step(
    book: Rulebook, players: int
) -> None:
    for seed in range(3):
        game = Game.start(book, players=players, seed=seed)
        for step in range(150):
            if game.to_act is None:
                break
            assert Game.from_position(book, game.position) == game, step
            for seat in game.seats:
                assert game.sample(seat, step).view(seat) == game.view(seat)
                assert game.view(seat)["pieces"] == game.position["pieces"]
            numbers = bot_random(seed, step, game.to_act)
            try:
                game.apply(decide(BOTS["random"], game, game.to_act, numbers))
            except RulesError:
                game.apply("rest")
        assert Game.replay(game.record, book) == game


@pytest.mark.parametrize(
    ("piece", "where", "path", "message"),
    [
        ("worker", {"mill": "red"}, "pieces.worker.mill", "expected {seat: count}"),
        ("worker", {"mill": {"red": 5}}, "pieces.worker", "the game has only 4"),
        (
            "worker",
            {"mill": {"red": -1}},
            "pieces.worker.mill.red",
            "-1 is not a count",
        ),
        (
            "worker",
            {"mill": {"pink": 1}},
            "pieces.worker.mill",
            "'pink' is not a player",
        ),
        (
            "worker",
            {"moor": {"red": 1}},
            "pieces.worker.moor",
            "cannot be placed there",
        ),
        (
            "guest",
            {"mill": {"red": 2, "blue": 1}},
            "pieces.guest.mill",
            "room for only 2",
        ),
        ("envoy", {"mill": {"red": 2}}, "pieces.envoy.mill", "room for only 1"),
        ("fish", {"mill": True}, "pieces.fish.mill", "True is not a count"),
        ("fish", {"mill": 3, "grove": 3}, "pieces.fish", "the game has only 5"),
    ],
)
def test_rejects_an_impossible_position(
    book: Rulebook, piece: str, where: Any, path: str, message: str
) -> None:
    position = {**started(book).position, "pieces": {piece: where}}
    with pytest.raises(PositionError) as caught:
        Game.from_position(book, position)

    assert caught.value.value == path
    assert message in str(caught.value)
