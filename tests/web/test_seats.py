"""Seats of a table: people, bots that stand in for them, and names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.support import (
    OPEN,
    found_again,
    limited,
    new_table,
    play,
    state_of,
    texts_of,
)
from workbench.web.storage.table_errors import UnknownBot
from workbench.web.store import Store
from workbench.web.table import (
    BotPlaysSeat,
    InvalidName,
    NoDecisionDue,
    Table,
)

OPENLY = {"openly": OPEN}


@pytest.fixture
def table(store: Store) -> Table:
    """Return a game of three people without hidden information; red starts."""
    return new_table(store, OPENLY)


# ------------------------------------------------------------ seating


def test_bot_stands_in_and_returns_the_seat(table: Table) -> None:
    table.hand_to_bot("red", "random")

    assert table.seat_state("red").stand_in == "random"
    assert table.seat_state("red").kind == "person"
    assert table.bot_is_due()
    with pytest.raises(BotPlaysSeat):
        table.decide("red", "load", table.version)
    assert table.play_bot()

    table.take_back("red")
    assert not table.bot_is_due()
    assert not table.play_bot()
    table.decide("red", "take(1)", table.version)
    assert [event["seat"] for event in table.game.events] == ["red", "red"]


def test_a_person_cannot_take_the_seat_of_a_bot(store: Store) -> None:
    table = new_table(store, OPENLY, {"red": "random", "blue": "person"})

    table.take_back("red")
    table.hand_to_bot("red", "greedy")

    assert table.seat_state("red").bot == "random"
    assert table.seat_state("red").stand_in is None
    with pytest.raises(NoDecisionDue):
        table.decide("red", "load", table.version)


@pytest.mark.parametrize(
    "name",
    [
        "nobody",
        "/etc/passwd.py:bot",
        "os:system",
        "mcts(1000000)",
        "mcts(99999999 decisions)",
        "mcts(3600 s)",
        "mcts(x)",
        "",
    ],
)
def test_page_cannot_name_an_unknown_bot(table: Table, name: str) -> None:
    before = state_of(table)

    with pytest.raises(UnknownBot):
        table.hand_to_bot("red", name)

    assert state_of(table) == before


@pytest.mark.parametrize("name", ["random", "greedy", "mcts(20)", "mcts(0.5 s)"])
def test_shipped_bots_play(table: Table, name: str) -> None:
    table.hand_to_bot("red", name)

    assert table.play_bot()
    assert table.play_bot()
    assert table.waits_for() == ("blue",)


@pytest.mark.parametrize(
    ("given", "kept"), [("  Ann \t Lee ", "Ann Lee"), ("<i>", "<i>"), ("", "")]
)
def test_valid_names_are_stored(table: Table, given: str, kept: str) -> None:
    table.rename("red", "before")
    table.rename("red", given)

    assert table.seat_state("red").name == kept


@pytest.mark.parametrize(
    "name", ["x" * 41, "a\x00b", "\u202eevil", "a\u200bb", "\ud800", "\x1b[31mred"]
)
def test_invalid_names_are_rejected(table: Table, name: str) -> None:
    with pytest.raises(InvalidName):
        table.rename("red", name)

    assert table.seat_state("red").name == ""
    assert table.version == 0


def test_only_keys_open_a_seat(table: Table) -> None:
    assert table.key_target("") is None
    assert table.key_target("x" * 32) is None
    assert table.key_target("ü\ud800") is None
    for key in table.stored.keys:
        assert table.key_target(key.digest) is None


# ------------------------------------------------------------ bots


def test_bots_decide_the_same_after_a_restart(store: Store) -> None:
    seats = dict.fromkeys(("red", "blue", "green"), "random")
    table = new_table(store, texts_of("sealed_bids"), seats)
    copy = store.read(table.id)
    assert copy is not None
    records = []
    for restarted in (False, True):
        now = Table(store, copy, table.book)
        store.remove(table.id)
        store.add(copy)
        for _ in range(12):
            now = found_again(store, table.id) if restarted else now
            assert now.play_bot()
        records.append(now.game.record)

    assert records[0] == records[1]


def test_bots_have_their_own_random_numbers(store: Store) -> None:
    seats = dict.fromkeys(("red", "blue", "green"), "random")
    games = []
    for _ in range(3):
        table = new_table(store, OPENLY, seats)
        play(table, 12)
        games.append([event["action"] for event in table.game.events])

    assert table.game.seed == 1
    assert games[0] != games[1] or games[0] != games[2]


def test_outdated_choice_of_a_bot_is_dropped(table: Table) -> None:
    table.hand_to_bot("red", "random")
    task = table.bot_task()
    assert task is not None
    table.take_back("red")
    table.decide("red", "load", table.version)
    table.hand_to_bot("red", "random")
    before = state_of(table)

    assert not table.apply_bot_choice(task, "load")
    assert not table.apply_bot_choice(task, "take(1)")

    assert state_of(table) == before


def test_failed_decision_of_a_bot_is_replaced_by_a_random_one(
    store: Store, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong_at_tables.py"
    wrong.write_text(
        "def bot(view, legal, sample, numbers):\n    raise ValueError(3)\n"
    )
    name = f"{wrong}:bot"
    table = new_table(store, OPENLY)
    own = limited(store, table, bots=(name,))
    own.hand_to_bot("red", name)

    assert own.play_bot()

    assert own.game.steps == 1
    assert own.notices[-1].key == "failed"
    assert own.notices[-1].gaps == {"seat": "red", "bot": name}
