"""Table: decisions are stored before notification, applied once, and survive a kill."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pytest
from sqlalchemy.exc import OperationalError

from interpreter import IllegalAction
from tests.web.support import (
    OPEN,
    ROOT,
    changed_to,
    found_again,
    go_on_under,
    limited,
    new_table,
    play,
    some_decision,
    state_of,
    texts_of,
)
from workbench.web.store import Store
from workbench.web.table import (
    BotPlaysSeat,
    LimitReached,
    NoDecisionDue,
    RulesFailed,
    StalePage,
    Table,
    UnknownTable,
)

OPENLY = {"openly": OPEN}
AGAIN = "againagainag"


@pytest.fixture
def table(store: Store) -> Table:
    """Return a game of three people without hidden information; red starts."""
    return new_table(store, OPENLY)


def steps_of(table: Table) -> tuple[int, int]:
    return table.version, table.game.steps


# ------------------------------------------------------------ deciding


def test_decision_is_stored_before_it_returns(store: Store, table: Table) -> None:
    table.decide("red", "load", table.version)

    lines = store.read(table.id).lines  # type: ignore[union-attr]
    assert lines[-1].text == '{"seat": "red", "action": "load"}'
    assert lines[-1].number == table.version
    assert lines[-1].by == "red"


def test_decision_that_cannot_be_stored_has_no_effect(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise OperationalError("INSERT", {}, Exception("disk full"))

    before = state_of(table)
    monkeypatch.setattr(table.store, "append", broken)
    with pytest.raises(OperationalError):
        table.decide("red", "load", table.version)

    assert state_of(table) == before

    monkeypatch.undo()
    table.decide("red", "load", table.version)
    assert table.game.events[-1]["action"] == "load"


def test_same_decision_is_applied_once(table: Table) -> None:
    at = table.version
    table.decide("red", "load", at)
    after = steps_of(table)

    with pytest.raises(StalePage):
        table.decide("red", "load", at)

    assert steps_of(table) == after


def test_two_servers_apply_a_decision_once(store: Store, table: Table) -> None:
    other = found_again(store, table.id)
    at = table.version
    table.decide("red", "load", at)

    with pytest.raises(StalePage):
        other.decide("red", "load", at)

    assert state_of(other) == state_of(table)
    other.decide("red", "take(2)", other.version)
    assert other.game.events[-1]["action"] == "take(2)"


def test_rejects_a_future_page_version(table: Table) -> None:
    with pytest.raises(StalePage):
        table.decide("red", "load", table.version + 1)


def test_notices_do_not_make_a_page_stale(table: Table) -> None:
    at = table.version
    table.rename("blue", "Berta")
    table.set_away("green", away=True)

    table.decide("red", "load", at)

    assert table.game.steps == 1


def test_rejects_a_decision_out_of_turn(table: Table) -> None:
    before = state_of(table)

    with pytest.raises(NoDecisionDue):
        table.decide("blue", "load", table.version)
    with pytest.raises(UnknownTable):
        table.decide("nobody", "load", table.version)
    with pytest.raises(NoDecisionDue):
        table.decide("red", [], table.version)

    assert state_of(table) == before


def test_rejects_an_illegal_decision(table: Table) -> None:
    before = state_of(table)

    for text in ("take(1)", "take(9)", "nonsense", "", "load("):
        with pytest.raises(IllegalAction):
            table.decide("red", text, table.version)

    assert state_of(table) == before


def test_several_actions_are_one_decision(store: Store, table: Table) -> None:
    table.decide("red", ["load", "take(3)"], table.version)

    assert [line.decision for line in table.state.events] == [1, 1]
    assert table.waits_for() == ("blue",)

    before = state_of(table)
    with pytest.raises(IllegalAction):
        table.decide("blue", ["load", "take(7)"], table.version)
    with pytest.raises(StalePage):
        table.decide("blue", ["load", "take(1)", "load"], table.version)
    assert state_of(table) == before == state_of(found_again(store, table.id))


def test_offer_is_applied_completely_or_not_at_all(store: Store) -> None:
    """The owner of a hand learns nothing when others learn what it holds."""
    table = new_table(store, "germany", 4, seed=3)
    numbers = Random(5)
    while not _can_offer(table):
        seat, text = some_decision(table, numbers)
        table.decide(seat, text, table.version)
    seat, before = str(table.game.to_act), state_of(table)
    (hand,) = [table.game.view(seat)["player"][seat]["hand"]]
    (card,) = [name for name, count in hand.items() if count][:1]
    other = next(name for name in hand if name != card)

    with pytest.raises(IllegalAction):
        table.decide(
            seat, ["offer_trade", f"give(1 {card})", "want(50 stone)"], table.version
        )
    assert state_of(table) == before

    table.decide(
        seat,
        ["offer_trade", f"give(1 {card})", "pass", f"want(1 {other})", "pass"],
        table.version,
    )
    assert seat not in table.waits_for()


def _can_offer(table: Table) -> bool:
    return any(action.name == "offer_trade" for action in table.game.legal_actions())


def test_game_can_be_played_to_its_end(store: Store, table: Table) -> None:
    play(table, 500)

    assert table.over
    assert table.waits_for() == ()
    assert table.game.outcome is not None
    assert store.read(table.id).state == "over"  # type: ignore[union-attr]
    assert state_of(found_again(store, table.id)) == state_of(table)
    with pytest.raises(NoDecisionDue):
        table.decide("red", "load", table.version)


def test_number_of_journal_lines_is_limited(store: Store) -> None:
    table = new_table(store, OPENLY)
    small = limited(store, table, max_lines=10)

    with pytest.raises(LimitReached):
        play(small, 11)

    assert small.version == 10
    assert len(store.read(table.id).lines) == 10  # type: ignore[union-attr]


def test_renaming_does_not_use_up_the_lines_of_others(store: Store) -> None:
    table = new_table(store, OPENLY)
    small = limited(store, table, max_lines=200)

    for number in range(10):
        small.rename("red", f"R{number}")
    with pytest.raises(LimitReached):
        small.rename("red", "R10")

    small.rename("blue", "B")
    small.hand_to_bot("red", "random")
    small.take_back("red")
    small.set_away("red", away=True)
    small.set_away("red", away=False)
    small.decide("red", "load", small.version)
    small.request_undo("red", small.version)
    with pytest.raises(LimitReached):
        limited(store, table, max_lines=200).rename("red", "R10")


def test_frequently_disconnecting_seat_ends_as_away(store: Store) -> None:
    """A seat that connects and disconnects often is still away at the end."""
    small = limited(store, new_table(store, OPENLY), max_lines=60)
    small.set_away("red", away=True)
    for _ in range(3):
        small.set_away("red", away=False)
        small.set_away("red", away=True)
    with pytest.raises(LimitReached):
        small.set_away("red", away=False)

    assert small.seat_state("red").away
    for _ in range(3):
        small.hand_to_bot("red", "random")
        with pytest.raises(BotPlaysSeat):
            small.hand_to_bot("red", "greedy")
        small.take_back("red")
    small.hand_to_bot("red", "random")
    with pytest.raises(LimitReached):
        small.take_back("red")


def test_full_table_can_have_a_rematch(store: Store) -> None:
    """The rematch is stored together with the line that announces it, or not at all."""
    table = new_table(store, OPENLY)
    small = limited(store, table, max_lines=10)
    with pytest.raises(LimitReached):
        play(small, 11)
    kept = store.read(table.id)
    assert kept is not None

    small.add_rematch(attrs.evolve(kept, id=AGAIN, lines=()))

    assert found_again(store, table.id).rematch == AGAIN
    assert found_again(store, AGAIN).game.steps == 0
    small.state.version -= 1
    with pytest.raises(StalePage):
        small.add_rematch(attrs.evolve(kept, id="orphan", lines=()))
    assert store.read("orphan") is None


# ------------------------------------------------------------ rebuilt


@pytest.mark.parametrize(
    ("texts", "seats"),
    [
        (OPENLY, 3),
        (texts_of("sealed_bids"), 4),
        (texts_of("hearts"), 4),
    ],
    ids=["openly", "sealed_bids", "hearts"],
)
def test_a_table_is_the_same_after_every_line(
    store: Store, texts: Any, seats: int
) -> None:
    table = new_table(store, texts, seats)
    numbers = Random(7)
    for _ in range(60):
        if table.over:
            break
        seat, text = some_decision(table, numbers)
        table.decide(seat, text, table.version)
        undoing = [each for each in table.game.seats if table.can_undo(each)]
        if undoing and numbers.random() < 0.2:
            table.request_undo(numbers.choice(undoing), table.version)
            for each in table.seats_to_agree():
                table.agree(each, table.version)
        if seats < 4 or numbers.random() < 0.5:
            again = found_again(store, table.id)
            assert state_of(again) == state_of(table)


def test_all_player_actions_are_stored(store: Store, table: Table) -> None:
    table.rename("red", "Rosa <b>")
    table.set_away("blue", away=True)
    table.hand_to_bot("blue", "random")
    table.decide("red", "load", table.version)
    table.decide("red", "take(1)", table.version)
    assert table.play_bot()
    table.take_back("blue")
    table.request_undo("red", table.version)
    table.agree("green", table.version)

    again = found_again(store, table.id)

    assert state_of(again) == state_of(table)
    assert again.seat_state("red").name == "Rosa <b>"
    assert again.seat_state("blue").away
    assert again.seats_to_agree() == ("blue",)
    assert [note.key for note in again.notices] == [
        "named",
        "left",
        "bot",
        "person",
        "asked",
    ]


# ------------------------------------------------------------ other rules


def test_game_continues_under_other_rules(store: Store, table: Table) -> None:
    play(table, 6)
    texts = {"openly": OPEN.replace("(1 to 3 number)", "(1 to 4 number)")}

    go_on_under(table, texts, "red", clauses="action.take")
    table = found_again(store, table.id)

    assert table.notices[-1].key == "rules"
    assert table.notices[-1].gaps["clauses"] == "action.take"
    assert set(table.notices[-1].gaps) == {"clauses", "seat", "rules"}
    assert table.texts == texts
    (seat,) = table.waits_for()
    table.decide(seat, ["load", "take(4)"], table.version)
    assert state_of(found_again(store, table.id)) == state_of(table)


def test_unset_option_takes_the_default_of_the_new_rules(store: Store) -> None:
    option = "option most (1 to 9): 4\n\n"
    before = {"openly": OPEN.replace("setup\n", f"{option}setup\n")}
    after = {"openly": before["openly"].replace("): 4", "): 7")}
    table = new_table(store, before)
    play(table, 5)

    go_on_under(table, after, "red")

    assert found_again(store, table.id).game.options == {"most": 7}


def test_trial_of_an_earlier_position_is_not_applied(
    store: Store, table: Table
) -> None:
    table.decide("red", ["load", "take(3)"], table.version)
    texts = {"openly": OPEN.replace("(1 to 3 number)", "(1 to 4 number)")}
    trial = changed_to(table, texts)
    table.decide("blue", ["load", "take(1)"], table.version)
    before = state_of(table)

    with pytest.raises(StalePage):
        table.continue_under(texts, trial["record"], "red", is_over=False)

    assert state_of(table) == before == state_of(found_again(store, table.id))


def test_failing_rules_change_nothing(store: Store) -> None:
    text = (ROOT / "tests" / "interpreter" / "failing.rules").read_text()
    table = new_table(store, {"failing": text}, 2)
    (seat,) = table.waits_for()
    before = state_of(table)

    with pytest.raises(RulesFailed):
        table.decide(seat, "climb", table.version)
    assert state_of(table) == before

    table.decide(seat, "done", table.version)


def test_a_bot_for_which_the_rules_fail_halts_the_table(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "tests" / "interpreter" / "failing.rules").read_text()
    table = new_table(store, {"failing": text}, 2)
    (seat,) = table.waits_for()
    table.hand_to_bot(seat, "random")
    task = table.bot_task()
    assert task is not None

    assert not table.apply_bot_choice(task, "climb")

    assert not table.bot_is_due()
    assert table.game.steps == 0
    table.take_back(seat)
    table.decide(seat, "done", table.version)
