"""A database that cannot store: people see the reason, and no data is lost.

Verified by manual mutations: database errors without a message, bots that give up, a
lost note that a browser returned.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError

from tests.support.commands import Output, errors_of
from tests.web.support import state_of
from tests.web.test_host import until
from tests.web.visiting import DARE, SCRIPT, Server, played, serving, with_server
from workbench.web.hosting import bot_driver
from workbench.web.storage.table_errors import DatabaseDown, DatabaseReadOnly, DiskFull
from workbench.web.store import Store


@contextmanager
def limited(store: Store, pragma: str, after: str) -> Iterator[None]:
    """Limit each connection of a store by a pragma until the end of the block."""

    def checked_out(connection: Any, *_: Any) -> None:
        connection.execute(f"PRAGMA {pragma}")

    sql.event.listen(store.engine, "checkout", checked_out)
    try:
        yield
    finally:
        sql.event.remove(store.engine, "checkout", checked_out)
        with store.engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA {after}")


def full(server: Server) -> Any:
    """Simulate a full disk."""
    store = server.host.store
    return limited(store, "max_page_count=1", "max_page_count=1000000")


@with_server()
async def test_full_disk_is_reported_without_data_loss(server: Server) -> None:
    made = await server.table()
    browser, id = await made.sat(made.due), made.table.id
    stored, begun = [], made.table.version
    with full(server):
        for number in range(2_000):
            before = state_of(made.table)
            form = {"name": f"{number:040}"}
            url = f"{made.home}name"
            answer = await browser.post(url, data=form, headers=SCRIPT)
            if answer.status_code != 200:
                break
            stored.append(form["name"])
        assert answer.status_code == 507
        told = answer.json()
        assert told["refused"]["words"] == (
            "The server cannot store your action: the disk is full."
            " Nothing was changed."
        )
        assert told["version"] == made.table.version
        assert state_of(made.table) == before
        german = {"accept-language": "de"}
        page = await browser.post(url, data=form, headers=german)
        assert page.status_code == 507
        assert "ger ist voll. Nichts" in page.text
        new = await browser.post("/tables", data={"game": "classic"})
        assert new.status_code == 507
    again = server.host.store.read(id)
    assert again is not None
    assert len(again.lines) == made.table.version == begun + len(stored)
    answer = await made.do(browser, made.action())
    assert answer.status_code == 200


@with_server()
async def test_read_only_database_is_reported(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    before = state_of(made.table)
    with limited(server.host.store, "query_only=1", "query_only=0"):
        answer = await made.do(browser, made.action())
        assert answer.status_code == 507
        assert answer.json()["refused"]["key"] == "read_only"
        assert (await browser.get(made.home)).status_code == 200
    assert state_of(made.table) == before
    assert (await made.do(browser, made.action())).status_code == 200


@played
async def test_bots_and_presence_wait_until_the_disk_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_driver, "MAX_STORE_WAIT_SECONDS", 0.05)
    async with serving(tmp_path) as server:
        bots = {"left": "person", "right": "random"}
        made = await server.table(seats=bots)
        id = made.table.id
        await server.host.change_table(
            id, lambda table: table.set_away("left", away=True)
        )
        server.host.bot_driver.bot_delay = 0
        server.host.bot_driver.tasks.retry_delay = server.host.presence.away_after = (
            0.02
        )
        with limited(server.host.store, "query_only=1", "query_only=0"):
            server.host.presence.add_browser(id, "left")
            await asyncio.sleep(0.2)
            assert made.table.seat_state("left").away
        await until(lambda: not made.table.seat_state("left").away)


class Failed(Exception):
    """Error of a database library."""

    def __init__(self, **codes: Any) -> None:
        super().__init__("failed")
        for name, code in codes.items():
            setattr(self, name, code)


@pytest.mark.parametrize(
    ("codes", "error"),
    [
        ({"sqlstate": "53100"}, DiskFull),
        ({"sqlstate": "25006"}, DatabaseReadOnly),
        ({"sqlstate": None}, DatabaseDown),
        ({"sqlite_errorcode": 13}, DiskFull),
        ({"sqlite_errorcode": 1032}, DatabaseReadOnly),
        ({"sqlite_errorcode": 5}, DatabaseDown),
    ],
)
def test_errors_of_databases(
    codes: Any, error: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'x.sqlite'}")

    def begin(*_: Any) -> Any:
        raise DBAPIError("INSERT", {}, Failed(**codes))

    monkeypatch.setattr(store.engine, "begin", begin)
    with pytest.raises(error):
        store.append("x", ())


def test_a_table_that_cannot_be_stored_is_refused_at_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    def add(*_: Any) -> None:
        raise DiskFull

    monkeypatch.setattr(Store, "add", add)
    given = ["serve", DARE, "--port", "0"]
    given += ["--database", f"sqlite:///{tmp_path / 'x.sqlite'}"]
    assert "the disk is full" in errors_of(capsys, *given, status=1)
