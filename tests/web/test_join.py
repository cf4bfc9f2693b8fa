"""Joining with a code: free seats for people without a link, and nothing else.

Verified by manual mutations: codes without a limit of attempts, codes that open a table
as keys do, seats that two people take, codes that outlast the free seats or the game,
codes and keys on pages of others, and seats that a restart or a rematch loses.
"""

import asyncio
import re

import httpx
import pytest

from tests.web.support import OPEN, found_again, hosted
from tests.web.test_foreign import foreign, remote_table_of
from tests.web.test_secrets import guarded, see_no_key
from tests.web.test_turn_clock import FAR
from tests.web.visiting import SCRIPT, Made, Server, with_server
from workbench.web.host import Host
from workbench.web.keys import (
    CODE_LENGTH,
    CODE_LETTERS,
    OWNER,
    WATCH,
    code_digest,
    derive_code,
    key_digest,
    new_key,
)
from workbench.web.sessions import key_link
from workbench.web.storage.journal import LineKind
from workbench.web.storage.table_errors import InvalidName, SeatTaken
from workbench.web.store import Store
from workbench.web.table import Table

NEWS = "id: 1\ndata: 1\n\n"
"""Event of a stream without secrets."""


def code_of(made: Made) -> str:
    """Return the code of a table."""
    return derive_code(made.keys[OWNER, ""])


async def ask(browser: httpx.AsyncClient, code: str) -> httpx.Response:
    """Post a code as the lobby does."""
    return await browser.post("/join", data={"code": code})


async def take(
    browser: httpx.AsyncClient, code: str, seat: str, name: str = "Ann"
) -> httpx.Response:
    """Post the form for a free seat."""
    data = {"code": code, "seat": seat, "name": name}
    return await browser.post("/join/seat", data=data)


# ------------------------------------------------------------ taking a seat


@with_server(bounds=FAR)
async def test_person_takes_a_free_seat(server: Server) -> None:
    made = await server.table(is_full=False)
    owner, browser = await made.sat(OWNER, "left"), server.browser()
    links = (await owner.get(f"{made.home}links")).text
    (code,) = re.findall('id="join-code">([^<]+)<', links)
    assert code.replace("-", "") == code_of(made)

    page = await ask(browser, code.lower())
    assert page.status_code == 200
    assert re.findall('name="seat" value="([^"]+)"', page.text) == ["right"]
    assert not browser.cookies
    answer = await take(browser, code, "right")
    assert answer.status_code == 303
    assert answer.headers["location"] == made.home
    assert made.home in answer.headers["set-cookie"]
    table = await browser.get(made.home)
    assert table.status_code == 200
    assert made.table.seat_state("right").name == "Ann"
    assert '"seat": "right"' in table.text
    assert made.home in (await browser.get("/")).text
    while made.due != "right":
        await made.do(owner, made.action())
    assert (await made.do(browser, made.action())).status_code == 200


@with_server(bounds=FAR)
async def test_code_expires_when_all_seats_are_taken(server: Server) -> None:
    made = await server.table(is_full=False)
    code, owner = code_of(made), await made.sat(OWNER)
    assert "join-code" in (await owner.get(f"{made.home}links")).text
    first, second = server.browser(), server.browser()
    assert (await take(first, code, "left")).status_code == 303
    answer = await take(second, code, "left")
    assert answer.status_code == 409
    assert not second.cookies
    assert (await take(second, code, "right")).status_code == 303
    for answer in (
        await ask(server.browser(), code),
        await take(server.browser(), code, "left"),
    ):
        assert answer.status_code == 404
        assert "No table with free seats has this code." in answer.text
    assert "join-code" not in (await owner.get(f"{made.home}links")).text


@with_server(bounds=FAR)
async def test_code_expires_with_the_game(server: Server) -> None:
    made = await server.table(is_full=False)
    table = made.table
    while not table.over:
        table.decide(made.due, made.action(), table.version)
    assert (await ask(server.browser(), code_of(made))).status_code == 404


@with_server(bounds=FAR)
async def test_seats_with_an_opened_link_and_bots_are_not_free(server: Server) -> None:
    seats = dict.fromkeys(("red", "white", "orange"), "person") | {"blue": "greedy"}
    made = await server.table("germany", is_full=False, seats=seats)
    browser = await made.sat("red")
    await browser.get(made.home)
    page = await ask(server.browser(), code_of(made))
    free = re.findall('name="seat" value="([^"]+)"', page.text)
    assert sorted(free) == ["orange", "white"]
    assert (await take(server.browser(), code_of(made), "blue")).status_code == 409


@with_server(bounds=FAR)
async def test_invalid_seats_and_names_change_nothing(server: Server) -> None:
    made = await server.table(is_full=False)
    version, code = made.table.version, code_of(made)
    for seat, name, status in (
        ("nobody", "Ann", 409),
        ("", "Ann", 409),
        ("left", "x" * 41, 400),
        ("left", "\u202e", 400),
    ):
        answer = await take(server.browser(), code, seat, name)
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers
    assert made.table.version == version
    assert (await take(server.browser(), code, "left", "")).status_code == 303
    assert made.table.seat_state("left").name == ""


@with_server(bounds=FAR)
async def test_names_are_escaped(server: Server) -> None:
    made = await server.table(is_full=False)
    browser = server.browser()
    await take(browser, code_of(made), "left", "<b>Ann</b>")
    page = (await browser.get(made.home)).text
    assert "<b>Ann" not in page
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page
    text = '"><script>alert(1)</script>'
    assert text not in (await ask(browser, text)).text


# ------------------------------------------------------------ guessing


@pytest.mark.parametrize(
    "code", ["", "ABCD", "ABCD-EFG0", "ABCD-EFGHJ", "ABCD-EFGH", "Ä" * 8, "x" * 9_000]
)
@with_server(bounds=FAR)
async def test_wrong_codes_open_nothing(server: Server, code: str) -> None:
    await server.table(is_full=False)
    for answer in (
        await ask(server.browser(), code),
        await take(server.browser(), code, "left"),
    ):
        assert answer.status_code == 404
        assert "set-cookie" not in answer.headers


@with_server(bounds=FAR)
async def test_attempts_of_an_address_are_limited(server: Server) -> None:
    made = await server.table(is_full=False)
    guesses = [await ask(server.browser(), "ABCD-EFGH") for _ in range(20)]
    guesses += [await take(server.browser(), "ABCDEFGH", "left") for _ in range(10)]
    assert {answer.status_code for answer in guesses} == {404}
    for answer in (
        await ask(server.browser(), code_of(made)),
        await take(server.browser(), code_of(made), "left"),
    ):
        assert answer.status_code == 429
    other = server.browser("203.0.113.5")
    assert (await ask(other, code_of(made))).status_code == 200


@with_server(bounds=FAR)
async def test_code_is_no_key(server: Server) -> None:
    made = await server.table(is_full=False)
    code = code_of(made)
    assert (await server.browser().get(f"{made.home}sit/{code}")).status_code == 404
    forged = server.browser(cookie=f"key-12345678={code}")
    assert (await forged.get(made.home)).status_code == 404


def test_codes_are_random_and_readable() -> None:
    codes = {derive_code(new_key()) for _ in range(1_000)}
    assert len(codes) == 1_000
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert set("".join(codes)) == set(CODE_LETTERS)
    assert not set(CODE_LETTERS) & set("01ILO")
    assert code_digest("abcd-efgh") == code_digest(" ABCD EFGH ")
    assert code_digest("ABCDEFGH") not in {None, code_digest("ABCDEFGJ")}


@with_server(bounds=FAR)
async def test_only_the_owner_sees_the_code(server: Server) -> None:
    made = await server.table(is_full=False)
    assert code_of(made) in set(guarded(made))
    joined = server.browser()
    taken = await take(joined, code_of(made), "left")
    key = re.findall(r"key-\w+=([\w-]+)", taken.headers["set-cookie"])[0]
    watcher, right = await made.sat(WATCH), await made.sat("right")
    for browser in (joined, watcher, right):
        told = {}
        for path in ("", "now", "replay", "links"):
            answer = await browser.get(made.home + path, headers=SCRIPT)
            told[path] = answer.text
        see_no_key(made, {**told, "news": NEWS})
        code = code_of(made)
        for text in told.values():
            assert f"{code[:4]}-{code[4:]}" not in text
            assert key not in text
    stored = server.host.store.read(made.table.id)
    assert stored is not None
    assert key not in str(stored)
    assert code_of(made) not in str(stored)


# ------------------------------------------------------------ storage


def seated_with_code(store: Store) -> tuple[Table, str]:
    """Return a table at which somebody has joined as red, and the key."""
    key = new_key()

    async def made(host: Host) -> Table:
        table, _ = await host.create_table("own", texts={"openly": OPEN}, seed=1)
        table.take_seat("red", "Ann", key_digest(key))
        return table

    return hosted(store, made), key


def test_seat_survives_a_restart(store: Store) -> None:
    table, key = seated_with_code(store)
    again = found_again(store, table.id)
    for each in (table, again):
        assert each.key_target(key) == ("seat", "red")
        assert each.key_target(key[:-1]) is None
        assert each.free_seats() == ("blue", "green")
        assert each.seat_state("red").name == "Ann"
    assert [notice.key for notice in again.notices] == ["named"]


def test_taken_seats_and_invalid_names_are_refused(store: Store) -> None:
    table, _ = seated_with_code(store)
    version = table.version
    with pytest.raises(SeatTaken):
        table.take_seat("red", "Bob", "0")
    with pytest.raises(InvalidName):
        table.take_seat("blue", "x" * 41, "0")
    assert table.version == version


def test_deleted_table_has_no_code(store: Store) -> None:
    async def made(host: Host) -> str:
        table, keys = await host.create_table("own", texts={"openly": OPEN})
        digest = code_digest(derive_code(keys[OWNER]))
        assert digest is not None
        assert store.table_with_code(digest) == table.id
        store.remove(table.id)
        return digest

    assert store.table_with_code(hosted(store, made)) is None


@with_server(bounds=FAR)
async def test_rematch_keeps_the_seat_and_has_no_code(server: Server) -> None:
    made = await server.table(is_full=False)
    browser = server.browser()
    await take(browser, code_of(made), "left")
    table = made.table
    while not table.over:
        table.decide(made.due, made.action(), table.version)
    answer = await browser.post(f"{made.home}again")
    assert answer.status_code == 303
    address = answer.headers["location"]
    page = await browser.get(address)
    assert page.status_code == 200
    assert '"seat": "left"' in page.text
    new = await server.host.get_table(address.split("/")[2])
    owner = made.keys[OWNER, ""]
    assert (await ask(server.browser(), code_of(made))).status_code == 404
    holder = server.browser()
    await holder.get(key_link("", new.id, owner))
    assert "join-code" not in (await holder.get(f"{address}links")).text


# ------------------------------------------------------------ workers


@with_server(bounds=FAR)
async def test_person_joins_an_untrusted_table(server: Server) -> None:
    made = await foreign(server, is_full=False)
    table, owner = await remote_table_of(made), await made.sat(OWNER)
    code = code_of(made)
    assert f"{code[:4]}-{code[4:]}" in (await owner.get(f"{made.home}links")).text
    browser = server.browser()
    page = await ask(browser, code)
    assert re.findall('name="seat" value="([^"]+)"', page.text) == ["left", "right"]
    assert (await take(browser, code, "left")).status_code == 303
    seat = await browser.get(made.home)
    assert seat.status_code == 200, seat.text
    assert '"seat": "left"' in seat.text
    assert "Ann" in seat.text
    assert table.free_seats() == ("right",)
    stored = server.host.store.read(table.id)
    assert stored is not None
    kinds = [line.sort for line in stored.lines]
    assert kinds.count(LineKind.KEY) == kinds.count(LineKind.TAKEN) == 1


@with_server(bounds=FAR)
async def test_two_people_cannot_take_one_seat(server: Server) -> None:
    made = await server.table(is_full=False)
    requests = (take(server.browser(), code_of(made), "left") for _ in range(5))
    answers = await asyncio.gather(*requests)
    assert sorted(each.status_code for each in answers) == [303, *[409] * 4]
