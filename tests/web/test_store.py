"""Writes are atomic and durable, and no line is written twice."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError
from starlette.requests import Request

from tests.web.support import (
    binaries,
    found_again,
    hosted,
    new_table,
    play,
    postgresql,
    text_of,
    texts_of,
    url_in,
)
from workbench.errors import RequestError
from workbench.web.host import Host
from workbench.web.sessions import joined_tables
from workbench.web.storage.journal import JournalLine, LineKind, new_line
from workbench.web.storage.table_errors import UnknownTable, WriteConflict
from workbench.web.store import Store, StoredKey, StoredTable

KEYS = (StoredKey("seat", "red", "a" * 64, "person"), StoredKey("owner", "", "b" * 64))
LINES = (
    JournalLine(1, LineKind.EVENT, '{"seat": "rød"}', "red", 1),
    new_line(2, LineKind.NAMED, seat="x"),
)


@pytest.fixture(scope="module")
def server() -> Iterator[str | None]:
    """Return the address of a PostgreSQL server, or None without one."""
    if binaries() is None:
        yield None
        return
    with postgresql() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database of either kind."""
    if request.param == "sqlite":
        return url_in(tmp_path)
    server: str | None = request.getfixturevalue("server")
    if server is None:
        pytest.skip("PostgreSQL is not on this machine: the package `postgresql`")
    engine = sql.create_engine(server.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(sql.text("DROP SCHEMA public CASCADE"))
        connection.execute(sql.text("CREATE SCHEMA public"))
    engine.dispose()
    return server


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Return a store of either kind."""
    store = Store.open(url)
    yield store
    store.close()


def stored_table(id: str = "abc", **changes: Any) -> StoredTable:
    begun = StoredTable(
        id, 1.5, "own", {"bot_seed": 3}, {"b": "1", "a": "2"}, KEYS, LINES
    )
    return attrs.evolve(begun, **changes)


def test_added_table_can_be_read(store: Store) -> None:
    store.add(stored_table())

    assert store.read("abc") == stored_table()
    assert list(store.read("abc").texts) == ["b", "a"]  # type: ignore[union-attr]
    assert store.read("abd") is None


def test_appended_lines_are_visible_to_other_programs(store: Store, url: str) -> None:
    store.add(stored_table())

    store.append("abc", [JournalLine(3, LineKind.EVENT, "{}", "", 3)], is_over=True)

    other = Store.open(url)
    again = other.read("abc")
    other.close()
    assert again is not None
    assert [each.number for each in again.lines] == [1, 2, 3]
    assert again.state == "over"


def test_line_numbers_are_unique(store: Store) -> None:
    store.add(stored_table())

    with pytest.raises(WriteConflict):
        store.append(
            "abc",
            [new_line(3, LineKind.CAME), new_line(2, LineKind.LEFT)],
            is_over=True,
        )

    assert store.read("abc") == stored_table()


def test_errors_contain_no_hidden_values(store: Store) -> None:
    """Errors go to the server's log, which others may read."""
    store.add(stored_table())
    hidden = new_line(2, LineKind.HELD, seat="red", texts=["bid(31415)"])

    with pytest.raises(WriteConflict) as raised:
        store.append("abc", [hidden])
    with pytest.raises(IntegrityError) as again:
        store.add(stored_table(settings={"bot_seed": 27182}))

    told = f"{raised.value.__cause__} {again.value}"
    assert "INSERT" in told
    assert "31415" not in told
    assert "27182" not in told


def test_tables_do_not_share_numbers(store: Store) -> None:
    store.add(stored_table())
    store.add(stored_table("other", lines=LINES[:1]))

    store.append("other", LINES[1:])

    assert store.read("other") == stored_table("other")


def test_rejects_a_line_of_an_unknown_table(store: Store) -> None:
    with pytest.raises(WriteConflict):
        store.append("nobody", LINES)


def test_equal_rules_are_stored_once(store: Store) -> None:
    store.add(stored_table())
    store.add(stored_table("other"))
    store.append("other", [], texts={"b": "3"})

    with store.engine.connect() as connection:
        count = connection.execute(sql.text("SELECT count(*) FROM rules")).scalar_one()
    assert count == 2


def test_table_is_deleted_completely(store: Store) -> None:
    store.add(stored_table())
    store.add(stored_table("other"))

    store.remove("abc")

    assert store.read("abc") is None
    assert store.read("other") == stored_table("other")
    assert store.count() == 1


def test_summaries_of_tables(store: Store) -> None:
    store.add(stored_table())
    store.add(stored_table("other", state="over"))

    briefs = store.summaries(["other", "none", "abc"])

    assert [(each.id, each.is_over) for each in briefs] == [
        ("other", True),
        ("abc", False),
    ]
    assert briefs[1].variant == "own"
    assert briefs[1].created == 1.5


def test_rejects_an_unknown_database_format(store: Store, url: str) -> None:
    with store.engine.begin() as connection:
        connection.execute(sql.text("UPDATE about SET version = 99"))

    with pytest.raises(RequestError, match="format 99"):
        Store.open(url)


def test_whole_game_can_be_reloaded(store: Store) -> None:
    table = new_table(store, texts_of("sealed_bids"), 3)
    play(table, 40)

    again = found_again(store, table.id)

    assert again.game.record == table.game.record
    assert again.version == table.version


@pytest.mark.parametrize("id", ["\0" * 12, "\ud800" * 12, "x" * 5000, "ABCDEFGHIJKL"])
def test_invalid_ids_cause_no_query(store: Store, id: str) -> None:
    async def doing(host: Host) -> None:
        with pytest.raises(UnknownTable):
            await host.get_table(id)

    hosted(store, doing)


def test_cookie_with_an_invalid_id_is_ignored() -> None:
    """Octal numbers in a cookie stand for characters."""
    cookie = rb'tables="\000\000.k7m3n9p2q4r8.\303\277.nosuchtable1"'
    request = Request({"type": "http", "headers": [(b"cookie", cookie)]})

    assert joined_tables(request) == ("k7m3n9p2q4r8",)


# ------------------------------------------------------------ SQLite alone


def test_sqlite_commits_are_durable(tmp_path: Path) -> None:
    store = Store.open(url_in(tmp_path))

    with store.engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    store.close()

    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_others_cannot_read_the_file(tmp_path: Path) -> None:
    store = Store.open(url_in(tmp_path))
    store.add(stored_table())

    modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    store.close()

    assert modes == {0o600}


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:////nowhere/at/all/x.db", "the database cannot be opened"),
        ("what is this", "the database cannot be opened"),
        ("nosuch://here", "the database cannot be opened"),
        ("postgresql://127.0.0.1:9/x", "the database cannot be opened"),
        ("oracle://127.0.0.1:9/x", "is not installed"),
    ],
)
def test_rejects_an_unusable_database(url: str, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        Store.open(url)


def test_rejects_a_file_that_is_not_a_database(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_text(text_of("sealed_bids") * 20)

    with pytest.raises(RequestError, match="not a database"):
        Store.open(url_in(tmp_path))
