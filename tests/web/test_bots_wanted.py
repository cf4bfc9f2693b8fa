"""A bot takes over a person's seat only with consent or after an announced wait.

All players hear which keys one browser has. Verified by manual mutations: a bot that
plays at once, a wait that runs while the person is present or acts, a wait that a
restart loses, an owner who need not ask, links opened without a notice.
"""

import asyncio
from typing import Any

import httpx
import pytest

from tests.web.support import OPEN, found_again, new_table, state_of
from tests.web.test_host import host_of, openly, until
from tests.web.visiting import SCRIPT, Made, Server, played, with_server
from workbench.web.host import HostLimits
from workbench.web.keys import OWNER, WATCH
from workbench.web.store import Store
from workbench.web.table import GameOver, Table

WAIT = 0.2


async def asks(made: Made, browser: httpx.AsyncClient, seat: str, **more: str) -> int:
    """Post the request for a bot in a seat; return the status."""
    form = {"seat": seat, "bot": "random", **more}
    url = f"{made.home}bot"
    return (await browser.post(url, data=form, headers=SCRIPT)).status_code


def is_there(made: Made, seat: str, *, there: bool) -> Any:
    """Connect or disconnect the browser of a seat."""
    id, away = made.table.id, not there
    return made.server.host.change_table(
        id, lambda table: table.set_away(seat, away=away)
    )


async def moment(made: Made, browser: httpx.AsyncClient) -> str:
    """Return all parts of a browser's page."""
    answer = await browser.get(f"{made.home}now")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["parts"])


@with_server()
async def test_a_bot_plays_after_an_announced_wait(server: Server) -> None:
    server.host.limits = HostLimits(bot_delay=0, away=3_600, bot_wait=WAIT)
    made = await server.table()
    seat, other = made.due, made.other
    browsers = {name: await made.sat(name) for name in (seat, other)}
    watcher = await made.sat(WATCH)
    assert await asks(made, watcher, seat) == 403
    await is_there(made, seat, there=False)

    assert await asks(made, browsers[other], seat) == 200
    assert made.table.seat_state(seat).stand_in is None
    for browser in (browsers[other], watcher):
        shown = await moment(made, browser)
        assert "random takes over after" in shown
        assert "suggests letting the bot random play for" in shown
    await until(lambda: made.table.seat_state(seat).stand_in == "random")
    assert "the bot random play for" in await moment(made, watcher)

    back = await browsers[other].post(f"{made.home}person", data={"seat": seat})
    assert back.status_code == 403
    back = await browsers[seat].post(f"{made.home}person", headers=SCRIPT)
    assert back.status_code == 200
    assert made.table.seat_state(seat).stand_in is None
    assert "plays" in await moment(made, watcher)


@with_server()
async def test_connected_player_is_asked_for_consent(server: Server) -> None:
    server.host.limits = HostLimits(bot_delay=0, away=3_600, bot_wait=WAIT)
    made = await server.table()
    seat, other = made.other, made.due
    person, asker = await made.sat(seat), await made.sat(other)
    assert await asks(made, asker, seat) == 200
    await asyncio.sleep(2 * WAIT)
    assert made.table.seat_state(seat).stand_in is None
    assert "random play for you" in await moment(made, person)
    assert "random play for you" not in await moment(made, asker)
    answer = await person.post(f"{made.home}keep", headers=SCRIPT)
    assert answer.status_code == 200
    assert "declined the bot" in await moment(made, asker)
    assert not made.table.state.bot_requests
    await is_there(made, seat, there=False)
    await asyncio.sleep(2 * WAIT)
    assert made.table.seat_state(seat).stand_in is None

    assert await asks(made, asker, seat) == 200
    assert await asks(made, person, seat) == 200
    assert made.table.seat_state(seat).stand_in == "random"


@with_server()
async def test_owner_can_request_a_bot(server: Server) -> None:
    made = await server.table()
    owner, seat = await made.sat(OWNER), made.due
    await is_there(made, seat, there=False)
    assert await asks(made, owner, seat, back="links") == 200
    assert made.table.seat_state(seat).stand_in is None
    assert made.table.state.bot_requests[seat].seconds == HostLimits().bot_wait == 60
    assert "The owner of the table suggests letting the bot random" in await moment(
        made, owner
    )
    page = await owner.get(f"{made.home}links")
    assert "random takes over after 60 s of absence" in page.text


def acts(table: Table) -> None:
    """Let red decide."""
    table.decide("red", "load", table.version)


@pytest.mark.parametrize(
    "returns",
    [
        acts,
        lambda table: table.rename("red", "Ann"),
        lambda table: table.set_away("red", away=False),
        lambda table: table.keep_seat("red"),
    ],
)
@played
async def test_a_person_who_does_anything_keeps_the_seat(
    store: Store, returns: Any
) -> None:
    async with host_of(store, away=60) as host:
        table = await openly(host)
        id = table.id
        await host.change_table(id, lambda table: table.set_away("red", away=True))
        asked = ("red", "random", "blue", WAIT)
        await host.change_table(id, lambda table: table.ask_for_bot(*asked))
        await host.change_table(id, lambda table: table.rename("blue", "Bob"))
        assert table.due_bot_requests()
        await host.change_table(id, returns)
        assert not table.due_bot_requests()
        await asyncio.sleep(2 * WAIT)
        assert table.seat_state("red").stand_in is None


@played
async def test_connected_browser_keeps_the_seat(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with host_of(store, away=60) as host:
        table = await openly(host)
        await host.change_table(
            table.id, lambda table: table.set_away("red", away=True)
        )
        asked = ("red", "random", "blue", 0.0)
        monkeypatch.setattr(Table, "set_away", lambda *_, **__: None)
        # The connection is not stored yet.
        host.presence.add_browser(table.id, "red")
        await host.change_table(table.id, lambda table: table.ask_for_bot(*asked))
        await asyncio.sleep(WAIT)
        assert table.seat_state("red").stand_in is None


@played
async def test_wait_starts_with_absence_and_survives_a_restart(store: Store) -> None:
    async def before() -> str:
        async with host_of(store, away=60) as host:
            table = await openly(host)
            asked = ("red", "random", "blue", WAIT)
            await host.change_table(table.id, lambda table: table.ask_for_bot(*asked))
            await asyncio.sleep(2 * WAIT)
            assert table.seat_state("red").stand_in is None
            await host.change_table(
                table.id, lambda table: table.set_away("red", away=True)
            )
            return table.id

    id = await before()

    async with host_of(store, away=60) as host:
        table = await host.get_table(id)
        assert table.seat_state("red").stand_in is None
        await until(lambda: table.seat_state("red").stand_in == "random")


def test_requests_survive_a_restart(store: Store) -> None:
    table = new_table(store, {"openly": OPEN})
    table.set_away("red", away=True)
    table.ask_for_bot("red", "random", "blue", 60)
    table.ask_for_bot("red", "greedy", "green", 60)
    table.announce_keys(["red", "blue"], has_owner_key=True)
    again = found_again(store, table.id)

    assert state_of(again) == state_of(table)
    assert [each.bot for each in again.due_bot_requests()] == ["random"]
    assert again.state.key_pairs == table.state.key_pairs
    while not table.over:
        table.hand_to_bot(table.game.to_act or "", "random")
        table.play_bot()
    with pytest.raises(GameOver):
        table.ask_for_bot("red", "random", "blue", 60)


# ------------------------------------------------------------ opened links


@pytest.mark.parametrize("order", [1, -1])
@with_server()
async def test_all_are_notified_when_the_owner_opens_a_link(
    server: Server, order: int
) -> None:
    made = await server.table()
    player = await made.sat(made.due)
    told = "browser has opened the link of"
    assert told not in await moment(made, player)
    browser = await made.sat(*(OWNER, made.other)[::order])
    for _ in range(2):
        assert (await browser.get(made.home)).status_code == 200
    shown = await moment(made, player)
    assert shown.count(told) == 1
    assert made.table.state.key_pairs == {("", made.other)}


@with_server()
async def test_all_are_notified_when_one_browser_has_two_seats(server: Server) -> None:
    made = await server.table()
    watcher, browser = await made.sat(WATCH), await made.sat(made.due, made.other)
    assert (await browser.get(made.home)).status_code == 200
    assert "One browser has opened the links of both" in await moment(made, watcher)
    assert len(made.table.state.key_pairs) == 1


@with_server()
async def test_no_notice_at_a_table_of_one_person(server: Server) -> None:
    made = await server.table(seats={"left": "person", "right": "random"})
    browser = await made.sat(OWNER, "left")
    assert (await browser.get(made.home)).status_code == 200
    assert not made.table.state.key_pairs
