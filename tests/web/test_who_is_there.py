"""Presence: a seat is away if no browser of it is connected."""

from __future__ import annotations

import asyncio

from tests.web.test_host import host_of, openly, until
from tests.web.visiting import played
from workbench.web.store import Store


@played
async def test_seat_is_away_until_its_browser_returns(store: Store) -> None:
    async with host_of(store, away=0.05) as host:
        alone = dict.fromkeys(("blue", "green"), "random") | {"red": "person"}
        table = await openly(host, alone)
        for _ in range(2):
            host.presence.add_browser(table.id, "red")
        host.presence.remove_browser(table.id, "red")
        await asyncio.sleep(0.15)
        assert not table.seat_state("red").away, "another of its browsers is there"

        host.presence.remove_browser(table.id, "red")
        host.presence.add_browser(table.id, "red")
        await asyncio.sleep(0.15)
        assert table.version == 0, "a page that is loaded again is nothing"

        host.presence.remove_browser(table.id, "red")
        await until(lambda: table.seat_state("red").away)
        host.presence.add_browser(table.id, "red")
        await until(lambda: not table.seat_state("red").away)
        assert [note.key for note in table.notices] == ["left", "came"]


@played
async def test_seat_that_never_connected_is_away(store: Store) -> None:
    async with host_of(store, away=0.05) as host:
        seats = {"red": "person", "blue": "person", "green": "random"}
        table = await openly(host, seats)
        host.presence.add_browser(table.id, "red")
        await until(lambda: table.seat_state("blue").away)
        assert not table.seat_state("red").away
        assert not table.seat_state("green").away, "a bot is always there"


@played
async def test_connected_seat_is_away_after_a_kill(store: Store) -> None:
    async def before() -> str:
        async with host_of(store, away=60) as host:
            table = await openly(host)
            host.presence.add_browser(table.id, "red")
            host.presence.add_browser(table.id, "blue")
            return table.id

    id = await before()

    async with host_of(store, away=0.05) as host:
        table = await host.get_table(id)
        host.presence.add_browser(id, "blue")
        await until(lambda: table.seat_state("red").away)
        assert not table.seat_state("blue").away


@played
async def test_bots_are_fast_if_all_connected_browsers_want_it(store: Store) -> None:
    async with host_of(store, bot_delay=30) as host:
        seats = {"red": "person", "blue": "person", "green": "random"}
        other, table = await openly(host, seats), await openly(host, seats)
        presence = host.presence
        presence.add_browser(other.id, "red")

        def wanted() -> bool:
            return presence.wants_fast_bots(table.id)

        assert not wanted(), "nobody is connected"
        for _ in range(2):
            presence.add_browser(table.id, "red", is_fast=True)
        assert wanted()
        presence.add_browser(table.id, "blue")
        assert not wanted()
        presence.remove_browser(table.id, "blue")
        presence.remove_browser(table.id, "red", is_fast=True)
        assert wanted()
        presence.remove_browser(table.id, "red", is_fast=True)
        assert not wanted()


@played
async def test_fast_bots_do_not_wait_for_the_usual_delay(store: Store) -> None:
    async with host_of(store, bot_delay=30) as host:
        seats = {"red": "person", "blue": "random", "green": "random"}
        table = await openly(host, seats)
        host.presence.add_browser(table.id, "red", is_fast=True)
        while table.waits_for() == ("red",):
            action = table.game.legal_actions("red")[0].text
            table.decide("red", action, table.version)
        steps = table.game.steps
        host.bot_driver.start(table)
        await until(lambda: table.game.steps > steps + 1)
