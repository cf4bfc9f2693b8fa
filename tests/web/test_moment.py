"""A snapshot shows what the seat may know and what it must do."""

import html
import json
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import attrs

from interpreter import Game
from rulebook import loads
from tests.web.support import OPEN, new_table, url_in
from tests.web.visiting import DARE, ROOT, Server, with_server
from workbench import load
from workbench.bots.bot_failures import DEFAULT_POLICY
from workbench.bots.seated_bots import SeatedBots
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_text import turn_lines
from workbench.web.store import Store
from workbench.web.table import Table
from workbench.web.views.board_view import board_view, cached_board
from workbench.web.views.choices import choices
from workbench.web.views.click_targets import (
    argument_spaces,
    click_target,
    click_targets,
)
from workbench.web.views.rendering import render_parts
from workbench.web.views.snapshot import snapshot
from workbench.web.views.turn_panel import turn_text

SEATS = ("red", "blue", "white", "orange")


def plain(shown: dict[str, Any]) -> str:
    """Return a snapshot as text, with its board as drawn."""
    return json.dumps({**shown, "board": shown["board"].svg}, default=attrs.asdict)


def go_on(table: Table, decisions: int) -> None:
    """Let bots decide at the table."""
    bots = SeatedBots(dict.fromkeys(table.game.seats, "greedy"), 1, 0, DEFAULT_POLICY)
    for _ in range(decisions):
        seat = table.game.to_act
        if seat is None:
            return
        table.decide(seat, bots.decide(table.game, seat).text, table.version)


@with_server()
async def test_snapshot_tells_each_seat_what_to_do(server: Server) -> None:
    """The deciding seat has buttons; the others see for whom the game waits."""
    made = await server.table("germany", seats=4, seed=3)
    mine, theirs = (
        snapshot(made.table, "orange", "en"),
        snapshot(made.table, "red", "de"),
    )
    assert mine["turn"]["state"] == "yours"
    assert [b["action"] for b in mine["turn"]["buttons"]] == ["end_turn"]
    assert theirs["turn"]["state"] == "waiting"
    assert theirs["turn"]["title"] == "Orange ist am Zug"
    assert not theirs["choices"]["decides"]
    assert not theirs["places"]
    watched = snapshot(made.table, None, "en")
    assert watched["hand"] is None
    assert watched["turn"]["state"] == "waiting"


@with_server()
async def test_seat_that_decides_in_the_turn_of_another_is_asked(
    server: Server,
) -> None:
    """The page sounds another tone for offers and other questions."""
    made = await server.table("germany", seats=4, seed=3)
    asked = set()
    for _ in range(120):
        go_on(made.table, 1)
        seat = str(made.table.game.to_act)
        turn = snapshot(made.table, seat, "en")["turn"]
        is_own = made.table.game.view(seat)["active"] == seat
        assert turn["asked"] == (not is_own)
        asked.add(turn["asked"])
    assert asked == {True, False}


@with_server()
async def test_snapshot_does_not_contain_other_hands(server: Server) -> None:
    """Two games that differ only in hidden information give the same snapshot."""
    made = await server.table("germany", seats=4, seed=3)
    go_on(made.table, 60)
    table, seat = made.table, "red"
    truth = plain(snapshot(table, seat, "en"))
    table.game = table.game.sample(seat, 5)
    hands = [table.game.position["player"][s]["hand"] for s in SEATS if s != seat]
    assert hands
    shown = snapshot(table, seat, "en")
    own = json.loads(truth)
    for part in ("hand", "players", "costs", "board", "turn", "for_all"):
        assert json.loads(plain(shown))[part] == own[part]


@with_server()
async def test_click_targets_are_the_spaces_of_legal_actions(server: Server) -> None:
    """Each has a name, and a location for screen readers."""
    options = {"variable_setup": True}
    made = await server.table("germany", options=options, seats=4, seed=3)
    seat = str(made.table.game.to_act)
    shown = snapshot(made.table, seat, "en")
    legal = {action.arguments[0] for action in made.table.game.legal_actions()}
    assert {place["name"] for place in shown["places"]} == legal
    assert all(place["where"] for place in shown["places"])
    aachen = next(p for p in shown["places"] if p["name"] == "Aachen")
    assert aachen["where"] == "Niederrhein and Münsterland"


def test_click_targets_of_neighbours_do_not_overlap() -> None:
    """A click at the centre of a target must not choose another."""
    path = ROOT / "examples" / "games" / "ramparts.rules"
    game = Game.start(load(str(path)), seed=19)
    board = board_view(game, None, "en")
    targets = [
        click_target(position, board.unit)
        for name, position in board.positions.items()
        if name.startswith("edge_6_6_")
    ]
    assert len(targets) == 4
    for target, other in combinations(targets, 2):
        apart = dist((target["x"], target["y"]), (other["x"], other["y"]))
        assert target["reach"] + other["reach"] <= apart
        assert target["ring"] < target["reach"]


def test_click_targets_are_the_spaces_that_numbers_mean() -> None:
    """Black counts the points from the other side; the bar is beside the board."""
    backgammon = str(ROOT / "examples" / "games" / "backgammon.rules")
    game = Game.start(load(backgammon), seed=3)
    while game.to_act != "black":
        game.apply(game.legal_actions()[0])
    choice = choices(game, "black", Localizer.for_book(game.book))
    numbers = {n for entry in choice["actions"] for (n,) in entry["options"]}

    spaces = argument_spaces(game, "black", choice)
    assert spaces == {n: f"spot_{25 - int(n)}" for n in numbers}
    board = board_view(game, "black", "en")
    words = Localizer.for_book(game.book)
    targets = click_targets(game, "black", board, choice, words)
    assert {target["name"] for target in targets} == numbers
    at = {target["name"]: (target["x"], target["y"]) for target in targets}
    for number, point in at.items():
        position = board.positions[spaces[number]].centre
        assert point == tuple(round(value, 1) for value in position)


FAR_SPOTS = """rules language 1
rulebook far "Far"
  players 2
spaces spot (spots) by place 1 to 5
piece pawn: 1 for each player, stands on spot, any number
define spot_at(1 to 5 far): 1 to 9 = far
define player's spot_at(1 to 5 far): spot or none = spot(far)
action step(1 to 5 far)
  place your pawn on spot(far)
action put(spot far)
  place your pawn on far
hint at far: spot_at
turn
  phase go
    you may, until stop:
      step, put
"""


def test_a_hint_of_a_number_ignores_spaces_with_the_same_name() -> None:
    game = Game.start(loads(FAR_SPOTS, "far.rules"), seed=1)
    seat = str(game.to_act)
    choice = choices(game, seat, Localizer.for_book(game.book))
    spaces = argument_spaces(game, seat, choice)
    assert spaces == {
        **{str(n): f"spot_{n}" for n in range(1, 6)},
        **{f"spot_{n}": f"spot_{n}" for n in range(1, 6)},
    }


@with_server()
async def test_gains_of_a_roll_are_listed_with_it(server: Server) -> None:
    """The log shows gains to a seat whose page was rendered before and after."""
    made = await server.table("germany", seats=4, seed=3)
    told: list[dict[str, Any]] = []
    for _ in range(40):
        told += snapshot(made.table, "red", "en")["happened"]["lines"]
        go_on(made.table, 1)
    rolls = [line for line in told if " rolled " in line["text"]]
    assert any("Red got " in line["brought"] for line in rolls)
    mine = [line for line in rolls if "Red got " in line["brought"]]
    assert all(line["touches"] for line in mine)


@with_server()
async def test_finished_game_names_the_winner(server: Server) -> None:
    """The panel also offers the replay."""
    for seed in range(20):
        made = await server.table(DARE, seats=2, seed=seed)
        go_on(made.table, 1_000)
        outcome = made.table.game.outcome
        assert outcome is not None
        if outcome.winners:
            break
    shown = snapshot(made.table, made.table.game.seats[0], "en")
    assert outcome is not None
    assert shown["over"]
    assert shown["turn"]["state"] == "over"
    winner = outcome.winners[0]
    assert shown["turn"]["title"] == f"{winner.capitalize()} has won"
    assert [call["call"] for call in shown["turn"]["calls"]] == ["replay", "again"]
    watched = snapshot(made.table, None, "en")["turn"]["calls"]
    assert [call["call"] for call in watched] == ["replay"]


@with_server()
async def test_replaced_player_can_take_the_seat_back(server: Server) -> None:
    """Nothing else is offered meanwhile."""
    made = await server.table("germany", seats=4, seed=3)
    made.table.hand_to_bot("orange", "greedy")
    shown = snapshot(made.table, "orange", "en")
    assert shown["turn"]["state"] == "bot"
    assert not shown["choices"]["actions"]
    orange = next(p for p in shown["players"] if p["seat"] == "orange")
    assert orange["who"] == "greedy for you"


@with_server()
async def test_a_board_is_drawn_again_only_where_it_has_changed(server: Server) -> None:
    """All seats share the board, identified by its digest."""
    made = await server.table("germany", seats=4, seed=3)
    before = board_view(made.table.game, "red", "en")
    assert board_view(made.table.game, None, "en") is before
    for _ in range(200):
        go_on(made.table, 1)
        after = board_view(made.table.game, "red", "en")
        if after is not before:
            break
    changed = after.changed_marks(before)
    assert after.digest != before.digest
    assert 0 < len(changed) < 6
    assert cached_board(before.digest) is before
    assert all(mark != before.marks.get(key) for key, mark in changed.items())


@with_server()
async def test_notices_are_in_the_log(server: Server) -> None:
    """Notices are placed among the events, in the page's log."""
    made = await server.table("germany", seats=4, seed=3)
    table = made.table
    assert told_in(table, "red", "en") == []
    table.rename("blue", "Berta")
    table.decide("orange", "end_turn", table.version)
    table.hand_to_bot("white", "random")
    table.take_back("white")
    assert told_in(table, "red", "en") == [
        "Blue is now called Berta",
        "The bot random now plays for White",
        "A person plays for White again",
    ]
    log = render_parts(snapshot(table, "red", "de"))["log"]
    order = [log.index("Berta"), log.rindex("gewürfelt"), log.index("für Weiß")]
    assert order == sorted(order)


def test_result_of_an_undo_is_reported(tmp_path: Path) -> None:
    """The requester and spectators are notified in their languages."""
    table = new_table(Store.open(url_in(tmp_path)), {"openly": OPEN})
    table.decide("red", "load", table.version)
    table.request_undo("red", table.version)
    table.decline("blue", table.version)
    assert told_in(table, "red", "en") == [
        "red asks to undo",
        "blue declined the undo",
    ]
    table.request_undo("red", table.version)
    table.agree("blue", table.version)
    table.agree("green", table.version)
    assert told_in(table, None, "de")[-1] == "red hat eine Aktion zurückgenommen"


def test_undo_request_can_be_withdrawn_and_does_not_block_the_turn(
    tmp_path: Path,
) -> None:
    """Bots wait meanwhile, because nobody else might ever answer."""
    table = new_table(Store.open(url_in(tmp_path)), {"openly": OPEN})
    table.decide("red", "load", table.version)
    table.request_undo("red", table.version)
    mine, theirs = (snapshot(table, seat, "en")["turn"] for seat in ("red", "blue"))
    assert mine["calls"] == [{"call": "decline", "title": "Withdraw the request"}]
    assert [call["call"] for call in theirs["calls"]] == ["agree", "decline"]
    assert (mine["asked"], theirs["asked"]) == (False, True)
    assert mine["state"] == theirs["state"] == "undo"
    assert "Your turn" in mine["lines"]
    assert [each["arguments"] for each in mine["buttons"]] == [["1"], ["2"], ["3"]]
    assert not theirs["buttons"]
    table.decline("red", table.version)
    assert snapshot(table, "red", "en")["turn"]["state"] == "yours"


def told_in(table: Table, seat: str | None, language: str) -> list[str]:
    """Return the notices in a page's log."""
    lines = snapshot(table, seat, language)["happened"]["lines"]
    log = html.unescape(render_parts(snapshot(table, seat, language))["log"])
    told = [line["text"] for line in lines if line["is_notice"]]
    assert all(text in log for text in told)
    return told


def test_cards_to_choose_have_their_columns_unless_the_page_shows_them(
    tmp_path: Path,
) -> None:
    shop = """
kind stone (stones): jade, coral
cards jewel (jewels)
  jewel | worth | price   | copies
  ring  |     1 | 2 jade  |      2
  crown |     3 | 1 coral |      1

each player has
  made: bag of jewel, seen by all

action pick(jewel)
  move up to 1 jewel from bank to your made

game has
  bank: bag of jewel, not shown, starts with 2 of each
"""
    text = OPEN.replace("    you do load\n", "    you do pick\n", 1) + shop
    table = new_table(Store.open(url_in(tmp_path)), {"openly": text})

    assert snapshot(table, "red", "en")["choices"]["details"] == {
        "ring": "worth 1 · price 2 jade",
        "crown": "worth 3 · price 1 coral",
    }
    table.decide("red", ["pick(ring)", "take(1)"], table.version)
    assert [*snapshot(table, "blue", "en")["choices"]["details"]] == ["crown"]


def test_running_action_is_named_with_its_arguments(tmp_path: Path) -> None:
    text = OPEN.replace(
        "  set your score to your score + number\n",
        "  set your score to your score + number\n  you do load\n",
    )
    text += '\nwords en\n  take = "take {number} out"\n'
    table = new_table(Store.open(url_in(tmp_path)), {"openly": text})
    table.decide("red", ["load", "take(2)"], table.version)

    why = snapshot(table, "red", "en")["turn"]["why"]
    assert why == "Turn 1 · work · take 2 out"


def test_phase_with_the_name_of_an_action_is_named_without_gaps() -> None:
    text = OPEN.replace("phase work", "phase take")
    book = loads(text + '\nwords en\n  take = "take {number} out of {number}"\n')
    game, words = Game.start(book, seed=1), Localizer.for_book(book)

    assert "{" not in turn_text(game, game.view("red"), words)
    assert "{" not in "".join(turn_lines(game.view("red"), words))
