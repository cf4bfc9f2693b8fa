"""Host of all tables: creation, loading, notifications, bots and unloading."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, RecordError, UsageError
from tests.web.support import OPEN, ROOT, hosted, play, texts_of
from tests.web.visiting import played
from workbench.errors import RequestError
from workbench.web.host import Host, HostLimits
from workbench.web.storage.table_errors import (
    DatabaseDown,
    LimitReached,
    UnknownBot,
    UnknownTable,
)
from workbench.web.store import Store
from workbench.web.table import StalePage, Table
from workbench.web.worker.application import WorkerHost

OPENLY = {"openly": OPEN}
BOTS = dict.fromkeys(("red", "blue", "green"), "random")


@asynccontextmanager
async def host_of(store: Store, **bounds: Any) -> AsyncIterator[Host]:
    host = Host(store, HostLimits(**{"bot_delay": 0.0, **bounds}))
    try:
        yield host
    finally:
        await host.close()


async def openly(host: Host, seats: Any = None) -> Table:
    table, _ = await host.create_table("own", {}, seats, seed=1, texts=OPENLY)
    return table


async def until(happened: Any, seconds: float = 20) -> None:
    """Wait for an effect of another task."""
    async with asyncio.timeout(seconds):
        while not happened():
            await asyncio.sleep(0.005)


# ------------------------------------------------------------ making


def test_each_key_opens_only_its_seat(store: Store) -> None:
    async def doing(host: Host) -> None:
        table, keys = await host.create_table("own", texts=OPENLY)
        other, _ = await host.create_table("own", texts=OPENLY)

        assert set(keys) == {"red", "blue", "green", "watch", "owner"}
        assert len(set(keys.values())) == 5
        opened = {what: table.key_target(key) for what, key in keys.items()}
        assert opened == {
            "red": ("seat", "red"),
            "blue": ("seat", "blue"),
            "green": ("seat", "green"),
            "watch": ("watch", ""),
            "owner": ("owner", ""),
        }
        assert {other.key_target(key) for key in keys.values()} == {None}
        assert all(len(key) >= 32 for key in keys.values())

    hosted(store, doing)


def test_no_key_is_in_the_store(store: Store, tmp_path: Path) -> None:
    async def doing(host: Host) -> dict[str, str]:
        _, keys = await host.create_table("own", texts=OPENLY)
        return keys

    keys = hosted(store, doing)

    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"openly" in written
    assert not [key for key in keys.values() if key.encode() in written]


def test_the_seed_is_drawn(store: Store) -> None:
    async def doing(host: Host) -> set[int | None]:
        made = [await host.create_table("own", texts=OPENLY) for _ in range(3)]
        return {table.game.seed for table, _ in made}

    assert len(hosted(store, doing)) == 3


def test_options_and_seats(store: Store) -> None:
    async def doing(host: Host) -> None:
        seats = {"blue": "random", "red": "person", "green": "greedy"}
        texts = texts_of("sealed_bids")
        table, _ = await host.create_table("own", {"coins": 7}, seats, texts=texts)

        assert table.game.options["coins"] == 7
        places = [(place.seat, place.kind, place.bot) for place in table.seats]
        assert places == [
            ("red", "person", None),
            ("blue", "bot", "random"),
            ("green", "bot", "greedy"),
        ]
        again = await host.get_table(table.id)
        assert again is table

    hosted(store, doing)


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"variant": "nothing"}, RequestError),
        ({"variant": str(ROOT / "examples" / "tiny" / "dare.rules")}, RequestError),
        ({"variant": "germany+../../etc/passwd"}, RequestError),
        ({"variant": "dare.rules"}, RequestError),
        ({"variant": ""}, RequestError),
        (
            {"texts": OPENLY, "seats": {"red": "person", "nobody": "person"}},
            RequestError,
        ),
        (
            {"texts": OPENLY, "seats": {"red": "os:system", "blue": "random"}},
            UnknownBot,
        ),
        ({"texts": OPENLY, "seats": 9}, UsageError),
        ({"texts": OPENLY, "options": {"what": 3}}, UsageError),
    ],
)
def test_rejects_an_impossible_table(store: Store, wish: Any, error: type) -> None:
    async def doing(host: Host) -> None:
        with pytest.raises(error):
            await host.create_table(**{"variant": "own", **wish})
        assert store.count() == 0

    hosted(store, doing)


@played
async def test_file_named_by_the_operator_is_allowed(store: Store) -> None:
    path = str(ROOT / "examples" / "tiny" / "dare.rules")

    host = Host(store, HostLimits(bot_delay=0), games=(path,))
    table, _ = await host.create_table(path)
    assert table.title == "Dare"
    await host.close()


@played
async def test_number_of_tables_is_limited(store: Store) -> None:
    async with host_of(store, tables=2) as host:
        first = await openly(host)
        await openly(host)
        with pytest.raises(LimitReached):
            await openly(host)
        with pytest.raises(LimitReached):
            await host.rematch_of(first.id)
        store.remove(first.id)
        await openly(host)


@played
async def test_idle_tables_are_deleted_to_make_room(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1_000.0]
    monkeypatch.setattr(
        "workbench.web.hosting.table_creation.current_time", lambda: clock[0]
    )
    monkeypatch.setattr("workbench.web.store.current_time", lambda: clock[0])

    async with host_of(store, tables=3, idle_seconds=100, in_memory=1) as host:
        tables = []
        for _ in range(3):
            tables.append(await openly(host))
            clock[0] += 1
        first, second, third = tables
        await host.change_table(first.id, lambda table: play(table, 1))
        clock[0] += 99
        await openly(host)

        assert store.read(second.id) is None, "the other was used after it"
        assert store.read(first.id) is not None
        with pytest.raises(LimitReached):
            await openly(host)
        clock[0] += 100
        await host.get_table(third.id)
        await host.rematch_of(third.id)
        assert store.read(first.id) is None
        assert store.read(third.id) is not None, "somebody looks at it"


# ------------------------------------------------------------ loading and unloading


@pytest.mark.parametrize("id", ["", "nothing", "x" * 5000, "'; DROP TABLE lines", "ü"])
def test_unknown_table_is_an_error(store: Store, id: str) -> None:
    async def doing(host: Host) -> None:
        with pytest.raises(UnknownTable):
            await host.get_table(id)
        with pytest.raises(UnknownTable):
            await host.change_table(id, lambda table: table.version)
        with pytest.raises(UnknownTable):
            await host.wait_for_news(id, 0)
        assert host.loaded_count == 0

    hosted(store, doing)


@played
async def test_idle_tables_are_unloaded_and_reloaded(store: Store) -> None:
    async with host_of(store, unload_after=0.1) as host:
        table = await openly(host)
        await host.change_table(table.id, lambda table: play(table, 5))
        record = table.game.record
        await until(lambda: host.loaded_count == 0)

        again = await host.get_table(table.id)

        assert again is not table
        assert again.game.record == record
        assert again.version == table.version


@played
async def test_watched_table_is_not_unloaded(store: Store) -> None:
    async with host_of(store, unload_after=0.05) as host:
        table, other = await openly(host), await openly(host)
        news = asyncio.create_task(host.wait_for_news(table.id, table.version))
        await until(lambda: host.loaded_count == 1)
        assert await host.get_table(table.id) is table
        assert await host.get_table(other.id) is not other

        await host.change_table(table.id, lambda table: play(table, 1))
        assert await news == table.version


@played
async def test_number_of_loaded_tables_is_limited(store: Store) -> None:
    async with host_of(store, in_memory=3) as host:
        tables = [await openly(host) for _ in range(8)]
        assert host.loaded_count <= 3
        for table in tables:
            await host.change_table(table.id, lambda table: play(table, 3))
            assert host.loaded_count <= 3
        for table in tables:
            assert (await host.get_table(table.id)).game.steps == 3


# ------------------------------------------------------------ concurrency


def test_repeated_answer_is_applied_once(store: Store) -> None:
    async def doing(host: Host) -> None:
        table = await openly(host)
        at = table.version

        async def answer() -> str:
            try:
                await host.change_table(
                    table.id, lambda table: table.decide("red", "load", at)
                )
            except StalePage:
                return "stale"
            return "done"

        answers = await asyncio.gather(*(answer() for _ in range(20)))

        assert sorted(answers) == ["done"] + ["stale"] * 19
        assert table.game.steps == 1
        assert len(store.read(table.id).lines) == 1  # type: ignore[union-attr]

    hosted(store, doing)


def test_changes_of_a_table_run_one_at_a_time(store: Store) -> None:
    within: list[int] = []

    def slowly(_table: Table) -> None:
        within.append(1)
        assert len(within) == 1
        time.sleep(0.01)
        within.pop()

    async def doing(host: Host) -> None:
        table = await openly(host)
        await asyncio.gather(*(host.change_table(table.id, slowly) for _ in range(8)))

    hosted(store, doing)


def test_many_tables_at_once(store: Store) -> None:
    async def doing(host: Host) -> None:
        tables = [await openly(host) for _ in range(12)]
        await asyncio.gather(
            *(
                host.change_table(table.id, lambda table: play(table, 20))
                for table in tables
            )
        )
        for table in tables:
            lines = store.read(table.id).lines  # type: ignore[union-attr]
            assert [line.number for line in lines] == list(range(1, 21))

    hosted(store, doing)


def test_slow_table_does_not_block_others(store: Store) -> None:
    async def doing(host: Host) -> None:
        slow, quick = await openly(host), await openly(host)
        begun, ends = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def sleeps(_table: Table) -> None:
            loop.call_soon_threadsafe(begun.set)
            asyncio.run_coroutine_threadsafe(ends.wait(), loop).result(20)

        waiting = asyncio.create_task(host.change_table(slow.id, sleeps))
        await begun.wait()
        await host.change_table(quick.id, lambda table: play(table, 4))
        assert not waiting.done()
        ends.set()
        await waiting

    hosted(store, doing)


# ------------------------------------------------------------ news


def test_news_of_a_version(store: Store) -> None:
    async def doing(host: Host) -> None:
        table = await openly(host)
        waiting = [
            asyncio.create_task(host.wait_for_news(table.id, table.version))
            for _ in range(5)
        ]
        await asyncio.sleep(0.02)
        assert not any(task.done() for task in waiting)

        await host.change_table(table.id, lambda table: table.decide("red", "load", 0))

        assert await asyncio.gather(*waiting) == [1] * 5
        assert await host.wait_for_news(table.id, 0) == 1
        assert await host.wait_for_news(table.id, 99) == 1, (
            "of a page that knows too much"
        )

    hosted(store, doing)


def test_rejected_decision_is_not_announced(store: Store) -> None:
    async def doing(host: Host) -> None:
        table = await openly(host)
        news = asyncio.create_task(host.wait_for_news(table.id, table.version))
        with pytest.raises(StalePage):
            await host.change_table(
                table.id, lambda table: table.decide("red", "load", 7)
            )
        await asyncio.sleep(0.02)
        assert not news.done()
        news.cancel()

    hosted(store, doing)


# ------------------------------------------------------------ bots


def test_bots_play_automatically(store: Store) -> None:
    async def doing(host: Host) -> None:
        table = await openly(host, BOTS)
        await until(lambda: table.over)
        assert {event["seat"] for event in table.game.events} == set(BOTS)

    hosted(store, doing)


def test_bots_continue_after_a_kill(store: Store) -> None:
    async def begun(host: Host) -> str:
        table = await openly(host, BOTS)
        await until(lambda: table.game.steps > 3)
        return table.id

    id = hosted(store, begun)

    async def gone_on(host: Host) -> None:
        table = await host.get_table(id)
        await until(lambda: table.over)

    hosted(store, gone_on)


def test_bot_stands_in_until_the_person_returns(store: Store) -> None:
    async def doing(host: Host) -> None:
        table = await openly(host)
        await host.change_table(
            table.id, lambda table: table.hand_to_bot("red", "random")
        )
        await until(lambda: table.waits_for() == ("blue",))
        await host.change_table(table.id, lambda table: table.take_back("red"))
        await host.change_table(
            table.id, lambda t: t.decide("blue", ["load", "take(1)"], t.version)
        )
        await host.change_table(
            table.id, lambda t: t.decide("green", ["load", "take(1)"], t.version)
        )
        await asyncio.sleep(0.05)
        assert table.waits_for() == ("red",)

    hosted(store, doing)


@played
async def test_bots_wait_between_decisions(store: Store) -> None:
    async with host_of(store, bot_delay=0.1) as host:
        table = await openly(host, BOTS)
        await asyncio.sleep(0.35)
        assert 1 <= table.game.steps <= 4


@played
async def test_bots_retry_if_the_store_does_not_respond(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = []

    def broken(*_: Any, **__: Any) -> None:
        failed.append(1)
        raise DatabaseDown

    async with host_of(store, bot_delay=0.0) as host:
        monkeypatch.setattr(
            "workbench.web.hosting.bot_driver.MAX_STORE_WAIT_SECONDS", 0.05
        )
        with monkeypatch.context() as broke:
            broke.setattr(store, "append", broken)
            table = await openly(host, BOTS)
            await until(lambda: len(failed) > 2)
            assert table.game.steps == 0
        await until(lambda: table.over)


# ------------------------------------------------------------ further events


def test_rematch_has_the_same_rules_and_seats(store: Store) -> None:
    async def doing(host: Host) -> None:
        seats = {"red": "person", "blue": "person", "green": "random"}
        table, keys = await host.create_table("own", {}, seats, texts=OPENLY)
        new = await host.rematch_of(table.id)
        same = await host.rematch_of(table.id)

        assert same is new
        assert new.id != table.id == (await host.get_table(table.id)).id
        assert table.rematch == new.id
        assert new.key_target(keys["red"]) == ("seat", "red")
        assert new.seat_state("green").bot == "random"
        assert new.game.steps == 0
        assert new.game.seed != table.game.seed
        assert new.texts == table.texts
        assert table.notices[-1].gaps == {"table": new.id}

    hosted(store, doing)


def test_continues_from_a_record(store: Store) -> None:
    async def doing(host: Host) -> None:
        texts = texts_of("sealed_bids")
        table, _ = await host.create_table("own", {}, 3, seed=4, texts=texts)
        play(table, 9)
        record = table.record

        new, _ = await host.create_table("own", texts=texts, record=record)

        assert new.waits_for() == table.waits_for()
        before, after = dict(table.game.position), dict(new.game.position)
        chance = before.pop("chance"), after.pop("chance")
        assert before == after
        assert chance[0]["seed"] != chance[1]["seed"]
        play(new, 10)
        again = Table(store, store.read(new.id), new.book)  # type: ignore[arg-type]
        assert again.game.record == new.game.record
        assert Game.replay(new.record, new.book) == new.game

    hosted(store, doing)


def test_rejects_continuing_an_invalid_record(store: Store) -> None:
    async def doing(host: Host) -> None:
        for record in ("nonsense", "", '{"format": "rulebook-record/1"}'):
            with pytest.raises((RequestError, RecordError)):
                await host.create_table("own", texts=OPENLY, record=record)
        assert store.count() == 0

    hosted(store, doing)


def test_a_worker_overrides_only_methods_of_the_host() -> None:
    overridden = {name for name in vars(WorkerHost) if not name.startswith("__")}
    assert overridden <= vars(Host).keys()
