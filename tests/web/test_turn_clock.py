"""Turn clocks: what each seat has left, reminders, and bots that decide for late seats.

Verified by manual mutations: clocks that an undo restarts, that run before anybody has
opened the link of the seat or after the end of the game, or that a restart loses; a bot
that keeps the seat; a reminder in every update.
"""

import re
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.web.support import OPEN, found_again, hosted, limited, state_of, texts_of
from tests.web.test_foreign import decide, foreign, remote_table_of
from tests.web.test_host import host_of, until
from tests.web.visiting import SCRIPT, Server, played, serving, with_server
from workbench.bots import shipped_bot
from workbench.errors import RequestError
from workbench.web.host import Host, HostLimits
from workbench.web.storage.bot_players import BotTask
from workbench.web.storage.journal import LineKind, event_lines, new_line
from workbench.web.storage.table_errors import UnknownBot
from workbench.web.storage.table_options import TableOptions
from workbench.web.storage.table_state import TableState
from workbench.web.storage.turn_clock import TurnClock
from workbench.web.store import Store
from workbench.web.table import Table
from workbench.web.worker_pool.base_table import BaseTable

SEATS = ("red", "blue", "green")
ALONE = {"red": "person", "blue": "random", "green": "random"}
FAR = HostLimits(bot_delay=0, away=3_600)


class Time:
    """Time of the server, which a test sets."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """Time in the place of the system's clock."""
    time = Time()
    for module in ("table", "worker_pool.base_table"):
        monkeypatch.setattr(f"workbench.web.{module}.current_time", time)
    return time


def timed(
    store: Store, clock: int = 60, late_bot: str = "", seats: Any = None
) -> Table:
    """Return a table with a clock at which all people have sat down."""

    async def made(host: Host) -> Table:
        table, _ = await host.create_table(
            "own",
            {},
            seats,
            seed=1,
            texts={"openly": OPEN},
            table_options=TableOptions(clock, late_bot),
        )
        return table

    table = hosted(store, made)
    table.mark_taken(SEATS)
    table.update_clock()
    return table


def does(table: Table, seat: str, text: str) -> None:
    """Make a decision of a seat, as the host does."""
    table.decide(seat, text, table.version)
    table.update_clock()


def used(table: Table, time: Time) -> dict[str, float]:
    """Return the seconds that each seat has used for its decision."""
    running = table.state.clock.running
    return {seat: time.now - clock.started for seat, clock in running.items()}


def kinds(table: Table) -> list[LineKind]:
    """Return the kinds of all stored lines of a table."""
    stored = table.store.read(table.id)
    assert stored is not None
    return [line.sort for line in stored.lines]


# ------------------------------------------------------------ running clocks


def test_each_decision_has_a_new_clock(store: Store, time: Time) -> None:
    table = timed(store)
    time.now += 20
    assert used(table, time) == {"red": 20}
    does(table, "red", "load")
    assert used(table, time) == {"red": 0}
    time.now += 5
    does(table, "red", "take(1)")
    assert used(table, time) == {"blue": 0}


def test_other_changes_do_not_restart_a_clock(store: Store, time: Time) -> None:
    table = timed(store)
    time.now += 20
    table.rename("red", "Ann")
    table.set_away("red", away=True)
    table.hand_to_bot("red", "random")
    table.take_back("red")
    table.update_clock()
    assert used(table, time) == {"red": 20}
    assert kinds(table).count(LineKind.CLOCK) == 1


def test_clock_starts_when_somebody_opens_the_link(store: Store, time: Time) -> None:
    async def made(host: Host) -> Table:
        options = TableOptions(60)
        table, _ = await host.create_table(
            "own", texts={"openly": OPEN}, table_options=options
        )
        await host.change_table(table.id, lambda table: table.rename("red", "Ann"))
        assert used(table, time) == {}
        await host.append_lines(table.id, lambda table: table.mark_taken(["blue"]))
        assert used(table, time) == {}
        time.now += 30
        await host.append_lines(table.id, lambda table: table.mark_taken(["red"]))
        return table

    assert used(hosted(store, made), time) == {"red": 0}


def test_undo_does_not_give_back_time(store: Store, time: Time) -> None:
    """Neither the time for the decision nor the time after it."""
    table = timed(store, seats=ALONE)
    time.now += 20
    does(table, "red", "load")
    time.now += 10
    table.request_undo("red", table.version)
    table.update_clock()
    assert used(table, time) == {"red": 30}
    again = found_again(store, table.id)
    assert used(again, time) == {"red": 30}
    time.now += 5
    does(table, "red", "load")
    assert used(table, time) == {"red": 0}
    table.request_undo("red", table.version)
    table.update_clock()
    assert used(table, time) == {"red": 35}


def test_undo_by_agreement_returns_the_clock(store: Store, time: Time) -> None:
    table = timed(store)
    time.now += 20
    does(table, "red", "load")
    time.now += 7
    does(table, "red", "take(1)")
    time.now += 100
    table.request_undo("red", table.version)
    for seat in table.seats_to_agree():
        table.agree(seat, table.version)
    table.update_clock()
    assert used(table, time) == {"red": 7}


def test_seats_that_choose_at_the_same_time_have_separate_clocks(
    store: Store, time: Time
) -> None:
    async def made(host: Host) -> Table:
        table, _ = await host.create_table(
            "own",
            seats=4,
            seed=1,
            texts=texts_of("sealed_bids"),
            table_options=TableOptions(60),
        )
        return table

    table = hosted(store, made)
    first = table.waits_for()[0]
    table.mark_taken(table.game.seats)
    does(table, first, table.game.legal_actions()[0].text)
    due = table.waits_for()
    assert len(due) > 1
    assert used(table, time) == dict.fromkeys(due, 0)
    time.now += 10
    last = due[-1]
    does(table, last, table.game_for(last).legal_actions(last)[0].text)
    assert used(table, time) == dict.fromkeys(due[:-1], 10)
    time.now += 10
    table.request_undo(last, table.version)
    table.update_clock()
    assert used(table, time) == {**dict.fromkeys(due[:-1], 20), last: 10}
    does(table, last, table.game_for(last).legal_actions(last)[0].text)
    for seat in due[:-1]:
        does(table, seat, table.game_for(seat).legal_actions(seat)[0].text)


COUNTING = """rules language 1
rulebook counting "Counting"
  players 2
  seats red, blue
each player has
  number: 0 to 9, seen by owner
action add
  needs room: your number < 9  "enough"
  increase your number by 1
action done
  set your number to your number
turn
  phase choose
    at the same time each player:
      player may, until done:
        add, done
"""


def test_secret_decisions_of_a_block_have_one_clock(store: Store, time: Time) -> None:
    """Otherwise, the others could count them."""

    async def made(host: Host) -> Table:
        options = TableOptions(60)
        texts = {"counting": COUNTING}
        table, _ = await host.create_table(
            "own", seed=1, texts=texts, table_options=options
        )
        return table

    table = hosted(store, made)
    table.mark_taken(("red", "blue"))
    table.update_clock()
    for seat in ("blue", "red", "blue"):
        time.now += 10
        does(table, seat, "add")
    assert used(table, time) == {"red": 30, "blue": 30}
    does(table, "blue", "done")
    assert used(table, time) == {"red": 30}


def test_undo_of_one_seat_leaves_the_times_of_others() -> None:
    clock = TurnClock().update({"running": {"a": [1, 0.0]}, "spent": {}})
    clock = clock.update(
        {"running": {"b": [2, 50.0]}, "spent": {2: ["a", 50.0]}}
    ).update({"running": {"a": [3, 90.0]}, "spent": {3: ["b", 40.0]}})
    undone = clock.withdraw({2, 3})
    content = undone.changes({"a": 4}, {}, 100.0)
    assert content is not None
    later = undone.update(content)
    assert later.carried == {"b": 40.0}
    assert later.changes({"a": 4}, {}, 100.0) is None
    last = later.changes({"b": 6}, {"a": 6}, 200.0)
    assert last is not None
    assert last["running"] == {"b": [6, 160.0]}


def test_no_clock_runs_after_the_game(store: Store, time: Time) -> None:
    table = timed(store, seats=dict.fromkeys(SEATS, "person"))
    while not table.over:
        seat = table.waits_for()[0]
        does(table, seat, table.game.legal_actions()[-1].text)
    time.now += 10_000
    assert table.state.clock.running == {}
    assert table.late_seats() == ()
    assert table.next_clock_time() is None
    table.add_clock_notices()
    assert LineKind.LATE not in kinds(table)
    assert store.clock_lines() == {}


def test_table_that_is_over_has_no_timer(store: Store, time: Time) -> None:
    table = timed(store)
    store.append(table.id, [], is_over=True)
    stored = store.read(table.id)
    assert stored is not None
    again = BaseTable(store, stored)
    assert again.state.clock.running
    assert again.next_clock_time() is None


def test_undo_counts_the_time_of_a_decision_in_advance() -> None:
    spent: dict[str, Any] = {"running": {}, "spent": {"1": ["red", 7.0]}}
    state = TableState.from_lines(
        [
            new_line(1, LineKind.HELD, "red", seat="red", texts=["load"]),
            new_line(2, LineKind.CLOCK, **spent),
            *event_lines([{"seat": "red", "action": "load"}], 2, "red"),
            new_line(4, LineKind.UNDONE, "red", seat="red", to=3),
        ]
    )
    assert state.clock.carried == {"red": 7.0}
    assert state.clock.spent == {}


def test_no_clock_without_the_option(store: Store, time: Time) -> None:
    table = timed(store, clock=0)
    time.now += 10_000
    table.add_clock_notices()
    assert not {LineKind.CLOCK, LineKind.REMINDED, LineKind.LATE} & set(kinds(table))
    assert table.next_clock_time() is None


@pytest.mark.parametrize("clock", [-1, 0.5, 10**9])
def test_rejects_a_time_out_of_range(clock: int) -> None:
    with pytest.raises(RequestError):
        TableOptions(clock)


def test_rejects_an_unknown_bot(store: Store) -> None:
    with pytest.raises(UnknownBot):
        timed(store, late_bot="os:system")


def test_times_of_earlier_decisions_are_limited() -> None:
    clock = TurnClock()
    for line in range(1_000):
        due, decided = {"red": 2 * line}, {"red": 2 * line - 1}
        content = clock.changes(due, decided, float(line))
        assert content is not None
        clock = clock.update(content)
    assert len(clock.spent) == 200
    assert max(clock.spent) == 1997


def test_full_journal_still_runs_the_clocks(store: Store, time: Time) -> None:
    table = timed(store)
    table = limited(store, table, max_lines=table.version)
    time.now += 40
    table.add_clock_notices()
    assert kinds(table)[-1] is LineKind.REMINDED


# ------------------------------------------------------------ reminders


def test_reminds_once_after_half_of_the_time(store: Store, time: Time) -> None:
    table = timed(store)
    assert table.next_clock_time() == time.now + 30
    time.now += 29
    table.add_clock_notices()
    assert LineKind.REMINDED not in kinds(table)
    time.now += 1
    for _ in range(2):
        table.add_clock_notices()
    assert kinds(table).count(LineKind.REMINDED) == 1
    assert table.next_clock_time() == time.now + 30
    time.now += 30
    assert table.late_seats() == ("red",)
    for _ in range(2):
        table.add_clock_notices()
    assert kinds(table).count(LineKind.LATE) == 1
    assert table.next_clock_time() is None
    assert state_of(found_again(store, table.id)) == state_of(table)
    assert used(table, time) == {"red": 60}


def test_flags_belong_to_one_decision(store: Store, time: Time) -> None:
    table = timed(store)
    time.now += 70
    table.add_clock_notices()
    does(table, "red", "load")
    assert table.next_clock_time() == time.now + 30


# ------------------------------------------------------------ late seats


def test_bot_makes_one_decision_for_a_late_seat(store: Store, time: Time) -> None:
    table = timed(store, late_bot="random")
    assert table.late_task() is None
    time.now += 60
    task = table.late_task()
    assert task is not None
    before = len(table.state.events)
    table.apply_late_choice(task, task.choose_action())
    table.update_clock()
    assert [event.by for event in table.state.events[before:]] == ["red/random"]
    assert table.seat_state("red").is_person_deciding
    assert table.late_task() is None
    assert used(table, time) == dict.fromkeys(table.waits_for(), 0)
    table.apply_late_choice(task, "load")
    assert len(table.state.events) == before + 1


def test_undo_request_does_not_stop_the_clock(store: Store, time: Time) -> None:
    table = timed(store, late_bot="random")
    does(table, "red", "load")
    time.now += 60
    table.request_undo("red", table.version)
    assert table.undo is not None
    task = table.late_task()
    assert task is not None
    table.apply_late_choice(task, task.choose_action())
    assert table.undo is None


def test_bot_leaves_a_seat_alone_that_has_decided(store: Store, time: Time) -> None:
    """Even if the clocks could not be stored after the decision."""
    table = timed(store, late_bot="random")
    does(table, "red", "load")
    time.now += 60
    task = table.late_task()
    table.decide("red", "take(1)", table.version)
    assert task is not None
    assert table.late_task() is None
    events = list(table.state.events)
    table.apply_late_choice(task, "take(2)")
    assert table.state.events == events


def test_bot_without_an_action_does_not_try_again(store: Store, time: Time) -> None:
    table = timed(store, late_bot="random")
    time.now += 60
    task = table.late_task()
    assert task is not None
    table.apply_late_choice(task, None)
    assert table.late_task() is None
    assert table.notices[-1].gaps["bot"] == ""


def test_another_bot_decides_if_the_chosen_one_is_gone(
    store: Store, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = timed(store, late_bot="random")
    time.now += 60

    def bot_of(bot: str, seconds: float) -> Any:
        if bot == "random":
            raise RequestError("there is no bot random")
        return shipped_bot(bot)

    monkeypatch.setattr("workbench.web.storage.bot_players.bot_of", bot_of)
    late = table.late_task()
    assert late is not None
    assert late.bot == "greedy"
    table.apply_late_choice(late, late.choose_action())
    assert table.state.events[-1].by == "red/greedy"


def test_late_seat_decides_in_advance(store: Store, time: Time) -> None:
    async def made(host: Host) -> Table:
        table, _ = await host.create_table(
            "own",
            seats=4,
            seed=1,
            texts=texts_of("sealed_bids"),
            table_options=TableOptions(60, "random"),
        )
        return table

    table = hosted(store, made)
    first = table.waits_for()[0]
    table.mark_taken([seat for seat in table.game.seats if seat != first])
    table.decide(first, table.game.legal_actions()[0].text, table.version)
    late = [seat for seat in table.waits_for() if seat != table.game.to_act]
    table.state.taken.discard(table.game.to_act or "")
    table.mark_taken(late)
    table.update_clock()
    time.now += 60
    for seat in late:
        task = table.late_task()
        assert task is not None
        assert task.seat == seat
        table.apply_late_choice(task, task.choose_action())
        table.update_clock()
    assert set(table.state.advance_decisions) == set(late)
    assert table.late_task() is None
    held = [lines[-1] for lines in table.state.advance_decisions.values()]
    assert {line.by for line in held} == {f"{seat}/random" for seat in late}
    assert not any(table.can_undo(seat) for seat in late)


# ------------------------------------------------------------ on the server


@played
async def test_server_lets_a_bot_decide_in_time(store: Store) -> None:
    async with host_of(store, away=3_600) as host:
        table, _ = await host.create_table(
            "own",
            texts={"openly": OPEN},
            seed=1,
            table_options=TableOptions(1, "random"),
        )
        await host.append_lines(table.id, lambda table: table.mark_taken(["red"]))
        await until(lambda: any(e.by == "red/random" for e in table.state.events))
        await until(lambda: "late" in [notice.key for notice in table.notices])
        assert "reminded" in [notice.key for notice in table.notices]


@played
async def test_changes_start_no_second_check_of_a_clock(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot may think for long, and each message announces a change."""
    thoughts = []

    def slow(task: BotTask) -> str | None:
        thoughts.append(task.seat)
        sleep(0.5)
        return choose(task)

    choose = BotTask.choose_action
    monkeypatch.setattr(BotTask, "choose_action", slow)
    async with host_of(store, away=3_600) as host:
        table, _ = await host.create_table(
            "own",
            texts={"openly": OPEN},
            seed=1,
            table_options=TableOptions(1, "random"),
        )
        await host.append_lines(table.id, lambda table: table.mark_taken(["red"]))
        await until(lambda: bool(thoughts))
        for number in range(8):
            rename = partial(Table.rename, seat="red", name=f"Ann {number}")
            await host.append_lines(table.id, rename)
        await until(lambda: any(e.by == "red/random" for e in table.state.events))
        assert thoughts == ["red"]


@played
async def test_restarted_server_continues_clocks_without_a_visitor(
    store: Store,
) -> None:
    async with host_of(store, away=3_600) as host:
        table, _ = await host.create_table(
            "own",
            texts={"openly": OPEN},
            seed=1,
            table_options=TableOptions(2, "random"),
        )
        await host.append_lines(table.id, lambda table: table.mark_taken(["red"]))
        started = table.state.clock.running["red"].started

    async with host_of(store, away=3_600) as host:
        assert host.loaded_count == 0
        await host.start_clocks()
        await until(lambda: table.id in host.tables)
        again = await host.get_table(table.id)
        assert again.state.clock.running["red"].started == started
        await until(lambda: any(e.by == "red/random" for e in again.state.events))


@played
async def test_timers_of_unloaded_tables_go_on(store: Store) -> None:
    async with host_of(store, away=3_600, unload_after=0.1) as host:
        table, _ = await host.create_table(
            "own",
            texts={"openly": OPEN},
            seed=1,
            table_options=TableOptions(2),
        )
        await host.append_lines(table.id, lambda table: table.mark_taken(["red"]))
        await until(lambda: table.id not in host.tables)
        await until(lambda: kinds(table)[-1] is LineKind.LATE)


@with_server(bounds=FAR)
async def test_page_shows_the_clocks_and_the_notices(server: Server) -> None:
    made = await server.table(table_options=TableOptions(60, "random"))
    browser, other = await made.sat(made.due), await made.sat(made.other)
    page = await browser.get(made.home)
    running = made.table.state.clock.running[made.due]
    ends = re.findall('role="timer" data-clock-end="([^"]+)"', page.text)
    assert [float(end) for end in ends] == [running.started + 60]
    answer = (await other.get(f"{made.home}now")).json()
    assert abs(answer["now"] - running.started) < 30
    assert str(running.started + 60) in answer["parts"]["players"]
    id, due = made.table.id, made.due

    def elapse(table: Table) -> None:
        clock = table.state.clock
        table.state.clock = clock.update(
            {"running": {due: [running.line, running.started - 31]}, "spent": {}}
        )
        table.add_clock_notices()

    await server.host.change_table(id, elapse)
    answer = (await other.get(f"{made.home}now")).json()
    assert "has used half of the time" in answer["parts"]["log"]


@with_server(bounds=FAR)
async def test_page_without_a_clock_has_no_timer(server: Server) -> None:
    made = await server.table()
    page = await (await made.sat(made.due)).get(made.home)
    assert "data-clock-end" not in page.text
    assert '"now": null' in page.text


@with_server(bounds=FAR)
async def test_rematch_has_the_same_clock(server: Server) -> None:
    made = await server.table(table_options=TableOptions(60, "random"))
    new = await server.host.rematch_of(made.table.id)
    assert new.options == TableOptions(60, "random")


@played
async def test_bot_decides_for_a_late_seat_of_an_untrusted_table(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, bounds=FAR) as server:
        options = TableOptions(2, "random")
        made = await foreign(server, is_full=False, table_options=options)
        browsers = [await made.sat(seat) for seat in ("left", "right")]
        table = await remote_table_of(made)
        before = len(table.state.events)
        for browser in browsers:
            page = await browser.get(made.home)
            assert page.status_code == 200
        assert 'role="timer"' in (await browsers[0].get(made.home)).text

        def bot_has_decided() -> bool:
            return any(
                line.by[-7:] == "/random" for line in table.state.events[before:]
            )

        await until(bot_has_decided, 60)
        assert table.state.clock.running or table.over


@with_server(bounds=FAR)
async def test_worker_restarts_the_clock_after_a_decision(server: Server) -> None:
    made = await foreign(server, table_options=TableOptions(600))
    browser, table = await made.sat("left", "right"), await remote_table_of(made)
    browser = await made.sat("left")
    other = await made.sat("right")
    assert (await other.get(made.home)).status_code == 200
    assert (await browser.get(made.home)).status_code == 200
    before = table.state.clock.running
    assert before
    seat = next(iter(before))
    answer = await decide(made, browser if seat == "left" else other)
    assert answer.status_code == 200, answer.text
    assert table.state.clock.running != before


# ------------------------------------------------------------ lobby


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ({}, TableOptions()),
        ({"clock": "0", "late": "bot"}, TableOptions()),
        ({"clock": "300"}, TableOptions(300)),
        ({"clock": "300", "late": "remind"}, TableOptions(300)),
        ({"clock": "60", "late": "bot", "bot": "random"}, TableOptions(60, "random")),
    ],
    ids=str,
)
@with_server(bounds=FAR)
async def test_form_sets_the_clock(
    server: Server, form: dict[str, str], options: TableOptions
) -> None:
    browser = server.browser()
    answer = await browser.post(
        "/tables", data={"game": "dare", **form}, headers=SCRIPT
    )
    table = await server.host.get_table(answer.json()["table"])
    assert table.options == options
    assert "1 day" in (await browser.get("/?game=dare&clock=60&late=bot")).text


@pytest.mark.parametrize(
    "form", [{"clock": "1"}, {"clock": "-60"}, {"clock": "60", "late": "x"}], ids=str
)
@with_server(bounds=FAR)
async def test_form_rejects_other_clocks(server: Server, form: dict[str, str]) -> None:
    data = {"game": "dare", **form}
    answer = await server.browser().post("/tables", data=data, headers=SCRIPT)
    assert answer.status_code == 400
