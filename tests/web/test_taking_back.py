"""Undo: only if nobody has learnt anything, and with the consent of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import IllegalAction
from tests.web.support import OPEN, found_again, new_table, play
from tests.web.visiting import SCRIPT, played, serving
from workbench.web.store import Store
from workbench.web.table import GameOver, NothingToUndo, NoUndoRequest, StalePage, Table
from workbench.web.views.snapshot import snapshot

THROWN = (
    OPEN.replace("setup\n", "dice die: 1 to 6\n\nsetup\n")
    .replace("action load\n", "action throw\n  roll die\n\naction load\n")
    .replace("    you do load\n", "    you do load, throw\n")
)


@pytest.fixture
def table(store: Store) -> Table:
    """Return a game of three people without hidden information; red has acted twice."""
    table = new_table(store, {"openly": OPEN})
    table.decide("red", "load", table.version)
    table.decide("red", "take(2)", table.version)
    return table


def test_all_others_must_agree(store: Store, table: Table) -> None:
    table.request_undo("red", table.version)
    assert table.undo is not None
    assert table.seats_to_agree() == ("blue", "green")

    table.agree("green", table.version)
    assert table.game.steps == 2
    with pytest.raises(NoUndoRequest):
        table.agree("green", table.version)
    with pytest.raises(NoUndoRequest):
        table.agree("red", table.version)
    table.agree("blue", table.version)

    for now in (table, found_again(store, table.id)):
        assert now.undo is None
        assert now.game.steps == 1
        assert now.waits_for() == ("red",)
        assert now.notices[-1].key == "undone"


def test_several_decisions_can_be_undone(table: Table) -> None:
    table.decide("blue", "load", table.version)
    for steps in (1, 0):
        table.request_undo("red", table.version)
        table.agree("blue", table.version)
        table.agree("green", table.version)
        assert table.game.steps == steps
    with pytest.raises(NothingToUndo):
        table.request_undo("red", table.version)


def test_undone_decision_can_be_replaced(store: Store, table: Table) -> None:
    table.request_undo("red", table.version)
    table.agree("blue", table.version)
    table.agree("green", table.version)
    table.decide("red", "take(3)", table.version)
    play(table, 7)

    actions = [event["action"] for event in table.game.events[:2]]
    assert actions == ["load", "take(3)"]
    assert found_again(store, table.id).game.record == table.game.record


def test_page_from_before_an_undo_is_stale(table: Table) -> None:
    at = table.version
    table.request_undo("red", table.version)
    table.agree("blue", table.version)
    table.agree("green", table.version)

    with pytest.raises(StalePage):
        table.decide("blue", "load", at)
    with pytest.raises(StalePage):
        table.decide("red", "take(1)", at)


def test_undo_request_can_be_declined(store: Store, table: Table) -> None:
    table.request_undo("red", table.version)
    table.decline("green", table.version)

    for now in (table, found_again(store, table.id)):
        assert now.undo is None
        assert now.game.steps == 2
        assert now.notices[-1].key == "declined"
    with pytest.raises(NoUndoRequest):
        table.agree("blue", table.version)
    with pytest.raises(NoUndoRequest):
        table.decline("blue", table.version)


def test_requester_can_withdraw_an_undo(table: Table) -> None:
    table.request_undo("red", table.version)
    table.decline("red", table.version)

    assert table.undo is None


def test_repeated_undo_request_is_applied_once(store: Store) -> None:
    seats = {"red": "person", "blue": "random", "green": "random"}
    table = new_table(store, {"openly": OPEN}, seats)
    table.decide("red", "load", table.version)
    table.decide("red", "take(2)", table.version)
    at = table.version
    table.request_undo("red", at)

    with pytest.raises(StalePage):
        table.request_undo("red", at)

    assert table.game.steps == 1


@pytest.mark.parametrize("answer", [Table.agree, Table.decline])
def test_answer_must_refer_to_the_current_request(table: Table, answer: Any) -> None:
    table.request_undo("red", table.version)
    at = table.version
    table.decline("red", at)
    table.decide("blue", "load", table.version)
    table.request_undo("red", table.version)
    asked = table.undo

    with pytest.raises(StalePage):
        answer(table, "green", at)

    assert table.undo == asked
    answer(table, "green", table.version)
    assert table.undo != asked


def test_playing_on_cancels_an_undo_request(store: Store, table: Table) -> None:
    table.request_undo("red", table.version)
    table.decide("blue", "load", table.version)

    for now in (table, found_again(store, table.id)):
        assert now.undo is None
        assert now.game.steps == 3


def test_only_one_undo_request_at_a_time(table: Table) -> None:
    table.decide("blue", "load", table.version)
    table.request_undo("red", table.version)

    with pytest.raises(NothingToUndo):
        table.request_undo("blue", table.version)


def test_bots_need_not_agree_and_wait(store: Store) -> None:
    seats = {"red": "person", "blue": "random", "green": "person"}
    table = new_table(store, {"openly": OPEN}, seats)
    table.decide("red", ["load", "take(2)"], table.version)
    table.request_undo("red", table.version)

    assert table.seats_to_agree() == ("green",)
    assert not table.play_bot()

    table.hand_to_bot("green", "random")
    assert table.game.steps == 0


def test_undo_is_immediate_when_alone_with_bots(store: Store) -> None:
    seats = {"red": "person", "blue": "random", "green": "random"}
    table = new_table(store, {"openly": OPEN}, seats)
    table.decide("red", ["load", "take(2)"], table.version)
    assert table.play_bot()
    assert table.play_bot()

    table.request_undo("red", table.version)

    assert table.game.steps == 0
    assert table.waits_for() == ("red",)


def test_decision_of_a_stand_in_bot_cannot_be_undone(table: Table) -> None:
    table.hand_to_bot("blue", "random")
    assert table.play_bot()
    table.take_back("blue")

    with pytest.raises(NothingToUndo):
        table.request_undo("blue", table.version)


def test_chance_is_never_undone(store: Store) -> None:
    table = new_table(store, {"openly": THROWN})
    table.decide("red", "throw", table.version)

    for now in (table, found_again(store, table.id)):
        assert not now.can_undo("red")
        with pytest.raises(NothingToUndo):
            now.request_undo("red", now.version)

    table.decide("red", "take(1)", table.version)
    table.request_undo("red", table.version)
    table.agree("blue", table.version)
    table.agree("green", table.version)
    assert table.game.steps == 2, "the throw and what it brought"


def test_random_action_cannot_be_retried(store: Store) -> None:
    table = new_table(store, {"openly": THROWN})

    with pytest.raises(IllegalAction):
        table.decide("red", ["throw", "take(9)"], table.version)

    assert [*table.game.events[0]] == ["seat", "action"]
    assert "chance" in table.game.events[1], "who has seen it has thrown"
    assert found_again(store, table.id).game.record == table.game.record
    table.decide("red", "take(1)", table.version)


def test_finished_game_cannot_be_undone(store: Store) -> None:
    """A player who has seen all hands in the replay cannot decide again."""
    table = new_table(store, {"openly": OPEN})
    play(table, 500)
    (winner,) = table.game.outcome.winners  # type: ignore[union-attr]
    longer = {"openly": OPEN.replace("points >= 30", "points >= 31")}

    assert not table.can_undo(winner)
    with pytest.raises(GameOver):
        table.request_undo(winner, table.version)
    with pytest.raises(GameOver):
        table.continue_under(longer, table.record, "red", is_over=False)

    assert table.over
    assert store.read(table.id).state == "over"  # type: ignore[union-attr]


@played
async def test_undo_sent_twice_is_applied_once(tmp_path: Path) -> None:
    openly = tmp_path / "openly.rules"
    openly.write_text(OPEN, encoding="utf-8")
    async with serving(tmp_path, games=(str(openly),)) as server:
        bots = dict.fromkeys(("blue", "green"), "random")
        made = await server.table(str(openly), seats={"red": "person", **bots})
        browser = await made.sat("red")
        for action in ("load", "take(2)"):
            made.table.decide("red", action, made.table.version)
        form = {"at": str(made.table.version)}
        posts = [
            await browser.post(f"{made.home}undo", data=form, headers=SCRIPT)
            for _ in range(2)
        ]

        assert [answer.status_code for answer in posts] == [200, 409]
        assert posts[1].json()["refused"]["key"] == "stale"
        assert made.table.game.steps == 1
        assert (await browser.post(f"{made.home}undo")).status_code == 400


def test_the_button_says_whose_steps_it_undoes(store: Store, table: Table) -> None:
    def title(at: Table, seat: str = "red") -> str:
        return str(snapshot(at, seat, "en")["turn"]["calls"][0]["title"])

    assert title(table) == "Ask to undo"
    table.decide("blue", "load", table.version)
    assert title(table) == "Ask to undo your last step"
    assert title(table, "blue") == "Ask to undo"

    seats = {"red": "person", "blue": "random", "green": "random"}
    alone = new_table(store, {"openly": OPEN}, seats)
    alone.decide("red", ["load", "take(2)"], alone.version)
    assert title(alone) == "Undo"
    assert alone.play_bot()
    assert title(alone) == "Undo your last step"
