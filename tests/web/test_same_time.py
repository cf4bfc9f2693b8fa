"""Simultaneous choices: in any order, hidden until all have been made."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

from interpreter import IllegalAction
from tests.web.support import found_again, new_table, texts_of
from workbench.web.storage.journal import LineKind
from workbench.web.store import Store
from workbench.web.table import NoDecisionDue, NothingToUndo, StalePage, Table

SEATS = ("red", "blue", "green", "yellow")
BIDS = {"red": 3, "blue": 7, "green": 5, "yellow": 4}

DRAWN = """rules language 1
rulebook drawing "Drawing at the same time"
  players 3
  seats red, blue, green

cards sign (signs)
  sign | copies
  sun  |      9
  moon |      9

game has
  stock: stack of sign, seen by nobody, starts with every sign

each player has
  first: 0 to 9, seen by owner
  hand:  bag of sign, seen by owner
  shown: bag of sign, seen by all

setup
  shuffle stock
  red starts

action begin
  stop

action pick(0 to 9 number)
  set your first to number

action answer(sign)
  needs held: sign is in your hand  "you do not have it"
  move 1 sign from your hand to your shown

turn
  phase work
    you do begin
    at the same time each player: draw_and_choose(player)

to draw_and_choose(player)
  player does pick
  step draw: move the top card from stock to player's hand
  player does answer

points of player
  sum: player's first

rule done
  whenever round >= 4: the game ends

end
  the players with the most points win
"""


@pytest.fixture
def table(store: Store) -> Table:
    """Return an auction of four people: the first has put up a card, three must bid."""
    table = new_table(store, texts_of("sealed_bids"), 4)
    (seller,) = table.waits_for()
    table.decide(seller, table.game.legal_actions()[0].text, table.version)
    return table


def bid(table: Table, seat: str, at: int | None = None) -> None:
    at = table.version if at is None else at
    table.decide(seat, f"offer({BIDS[seat]})", at)


def bids_in(table: Table) -> list[str]:
    return [
        event["seat"]
        for event in table.game.events
        if event.get("action", "").startswith("offer")
    ]


def test_all_seats_can_decide_simultaneously(table: Table) -> None:
    due = table.waits_for()

    assert len(due) == 3
    for seat in due:
        game = table.game_for(seat)
        assert game.to_act == seat
        assert {action.seat for action in game.legal_actions(seat)} == {seat}
        assert len(game.legal_actions(seat)) == 21
        bid(table, seat)
    assert len(bids_in(table)) == 3
    assert len(table.waits_for()) == 1


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_order_of_answers_does_not_matter(store: Store, order: tuple[int, ...]) -> None:
    table = new_table(store, texts_of("sealed_bids"), 4)
    (seller,) = table.waits_for()
    table.decide(seller, table.game.legal_actions()[0].text, table.version)
    due = table.waits_for()
    for number in order:
        bid(table, due[number])
        again = found_again(store, table.id)
        assert again.waits_for() == table.waits_for()
        assert again.game.record == table.game.record
        assert again.state.advance_decisions == table.state.advance_decisions

    straight = new_table(store, texts_of("sealed_bids"), 4)
    straight.decide(seller, straight.game.legal_actions()[0].text, straight.version)
    for _ in due:
        bid(straight, str(straight.game.to_act))
    assert straight.game.record == table.game.record


def test_answer_does_not_make_other_pages_stale(table: Table) -> None:
    at, due = table.version, table.waits_for()

    for seat in reversed(due):
        bid(table, seat, at)

    assert sorted(bids_in(table)) == sorted(due)


def test_seat_answers_only_once(store: Store, table: Table) -> None:
    at, due = table.version, table.waits_for()
    last = next(seat for seat in reversed(due) if seat != table.game.to_act)
    bid(table, last, at)

    for now in (table, found_again(store, table.id)):
        assert last not in now.waits_for()
        with pytest.raises(StalePage):
            bid(now, last, at)
        with pytest.raises(NoDecisionDue):
            bid(now, last)
    assert last not in bids_in(table)


def test_advance_decisions_are_hidden(table: Table) -> None:
    first = str(table.game.to_act)
    due = [seat for seat in table.waits_for() if seat != first]
    held, other = due
    before = {
        seat: (
            table.game_for(seat).view(seat),
            table.log(seat),
            table.log_since_decision(seat),
        )
        for seat in (first, other)
    }
    watched = table.game_for(None).view(None), table.log(None)

    bid(table, held)

    for seat in (first, other):
        now = (
            table.game_for(seat).view(seat),
            table.log(seat),
            table.log_since_decision(seat),
        )
        assert now == before[seat]
    assert (table.game_for(None).view(None), table.log(None)) == watched
    assert table.notices == ()


def test_arbitrary_answers_in_the_copy_are_hidden(table: Table) -> None:
    first = str(table.game.to_act)
    for seat in table.waits_for():
        if seat == first:
            continue
        view, game = table.game_for(seat).view(seat), table.game
        said = json.dumps(view["player"], sort_keys=True)
        assert said == json.dumps(game.view(seat)["player"], sort_keys=True)
        assert table.log(seat) == game.log(seat)


def test_only_legal_advance_decisions_are_stored(store: Store, table: Table) -> None:
    seat = next(each for each in table.waits_for() if each != table.game.to_act)
    version = table.version

    for text in ("offer(21)", "offer", "put_up(cloth)", "nonsense"):
        with pytest.raises(IllegalAction):
            table.decide(seat, text, version)

    assert table.version == version == found_again(store, table.id).version


def test_advance_decisions_end_with_the_block(table: Table) -> None:
    *_, last = (seat for seat in table.waits_for() if seat != table.game.to_act)
    version = table.version

    for other in ("offer(2)", "put_up(cloth)", "put_up(glass)", "pass"):
        with pytest.raises(NoDecisionDue):
            table.decide(last, ["offer(1)", other], version)

    assert table.version == version


def test_advance_decision_is_undone_without_consent(store: Store, table: Table) -> None:
    seat = next(each for each in table.waits_for() if each != table.game.to_act)
    bid(table, seat)
    assert table.can_undo(seat)

    table.request_undo(seat, table.version)

    assert table.undo is None
    assert seat in table.waits_for()
    assert seat in found_again(store, table.id).waits_for()
    table.decide(seat, "offer(1)", table.version)
    for each in table.waits_for():
        bid(table, each)
    assert {"seat": seat, "action": "offer(1)"} in table.game.events
    assert sorted(bids_in(table))[:3] == sorted(set(bids_in(table)))[:3]


def test_first_answer_needs_consent_for_undo(table: Table) -> None:
    first, others = table.game.to_act, list(table.waits_for())
    assert first is not None
    others.remove(first)
    bid(table, others[-1])
    bid(table, first)
    assert first not in table.waits_for()

    table.request_undo(first, table.version)
    for seat in table.seats_to_agree():
        table.agree(seat, table.version)

    assert first in table.waits_for()
    assert others[-1] not in table.waits_for(), "what another holds stays"
    bid(table, first)
    bid(table, others[0])
    assert len(bids_in(table)) == 3


def test_undoing_the_start_of_a_block_drops_advance_decisions(
    store: Store, table: Table
) -> None:
    seller = table.game.events[-1]["seat"]
    holder = next(each for each in table.waits_for() if each != table.game.to_act)
    bid(table, holder)

    table.request_undo(seller, table.version)
    for seat in table.seats_to_agree():
        table.agree(seat, table.version)

    again = found_again(store, table.id)
    for now in (table, again):
        assert now.waits_for() == (seller,)
        assert not any(now.state.advance_decisions.values())
    kept = store.read(table.id)
    assert kept is not None
    assert kept.lines[-1].sort is LineKind.DROPPED
    table.decide(seller, table.game.legal_actions()[0].text, table.version)
    assert bids_in(table) == []
    assert holder in table.waits_for()


def test_no_undo_after_all_have_answered(table: Table) -> None:
    for seat in table.waits_for():
        bid(table, seat)

    for seat in SEATS:
        with pytest.raises(NothingToUndo):
            table.request_undo(seat, table.version)


def test_bot_answers_in_turn(store: Store) -> None:
    seats = dict.fromkeys(("red", "blue"), "person") | {"green": "random"}
    table = new_table(store, texts_of("sealed_bids"), seats)
    for _ in range(30):
        if table.play_bot():
            continue
        seat = next(
            s for s in table.waits_for() if table.seat_state(s).is_person_deciding
        )
        game = table.game_for(seat)
        table.decide(seat, game.legal_actions(seat)[0].text, table.version)
    assert table.game.steps > 30


def test_several_seats_choose_several_cards(store: Store) -> None:
    table = new_table(store, texts_of("hearts"), 4)
    due = table.waits_for()
    assert len(due) == 4
    last = due[-1]

    for number in range(3):
        for seat in (last, due[0], due[1]):
            game = table.game_for(seat)
            table.decide(seat, game.legal_actions(seat)[0].text, table.version)
            again = found_again(store, table.id)
            assert again.waits_for() == table.waits_for()
        assert (last in table.waits_for()) == (number < 2)

    assert table.waits_for() == (due[2],)
    for _ in range(3):
        game = table.game_for(due[2])
        table.decide(due[2], game.legal_actions(due[2])[0].text, table.version)
    answers = [event for event in table.game.events if "action" in event]
    assert [event["seat"] for event in answers] == [s for s in due for _ in range(3)]


def test_own_chance_events_cannot_be_foreseen(store: Store) -> None:
    table = new_table(store, {"drawing": DRAWN}, 3)
    table.decide("red", "begin", table.version)
    assert table.waits_for() == ("red", "blue", "green")

    table.decide("green", "pick(4)", table.version)

    assert table.waits_for() == ("red", "blue")
    assert table.game_for("green").view("green") == table.game.view("green")
    table.decide("blue", "pick(1)", table.version)
    table.decide("red", "pick(2)", table.version)
    for seat in ("red", "blue", "green"):
        assert table.game.to_act == seat
        (answer,) = table.game.legal_actions()
        table.decide(seat, answer.text, table.version)
    assert {"seat": "green", "action": "pick(4)"} in table.game.events
    assert found_again(store, table.id).game.record == table.game.record


def test_seat_waits_for_information_it_will_receive(store: Store) -> None:
    text = DRAWN.replace("  player does pick\n", "")
    table = new_table(store, {"drawing": text}, 3)
    table.decide("red", "begin", table.version)
    seen = []

    for seat in ("red", "blue", "green"):
        assert table.waits_for() == (seat,)
        (answer,) = table.game_for(seat).legal_actions(seat)
        seen.append(answer.text)
        table.decide(seat, answer.text, table.version)

    assert len(seen) == 3


def test_chance_outcomes_cannot_be_probed(store: Store) -> None:
    table = new_table(store, {"drawing": DRAWN}, 3)
    table.decide("red", "begin", table.version)
    version = table.version

    for sign in ("sun", "moon"):
        with pytest.raises(NoDecisionDue):
            table.decide("green", ["pick(4)", f"answer({sign})"], version)

    assert table.version == version
