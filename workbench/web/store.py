"""Storage of tables in SQLite or PostgreSQL, with the same code.

A line is durable when `append` returns, even if the machine loses power. Line numbers
of a table are unique, so a second writer of the same number is rejected.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import attrs
import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from workbench.errors import RequestError
from workbench.web.storage.journal import (
    CLOCK_KINDS,
    MAX_MESSAGES,
    JournalLine,
    LineKind,
)
from workbench.web.storage.table_errors import (
    DatabaseDown,
    DatabaseReadOnly,
    DiskFull,
    NotStored,
    WriteConflict,
)

OPEN, OVER = "open", "over"
SQLITE, POSTGRESQL = "sqlite", "postgresql+psycopg"
POSTGRESQL_NAMES = frozenset({"postgresql"})
"""Schemes of PostgreSQL URLs that do not specify a driver."""
CODE_SETTING = "code"
"""Setting of a table with the digest of its join code."""
VERSION = 2
"""Version of the database format."""

PRIMARY_CODE_MASK = 0xFF
"""Bit mask for the primary part of an SQLite error code."""
WRITE_ERRORS: Mapping[Any, type[NotStored]] = {
    sqlite3.SQLITE_FULL: DiskFull,
    sqlite3.SQLITE_READONLY: DatabaseReadOnly,
    "53100": DiskFull,
    "25006": DatabaseReadOnly,
}
"""Errors after which nothing was stored, by SQLite code or PostgreSQL SQLSTATE."""

META = sql.MetaData()

ABOUT = sql.Table("about", META, sql.Column("version", sql.Integer, primary_key=True))
RULES = sql.Table(
    "rules",
    META,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("texts", sql.Text, nullable=False),
)
TABLES = sql.Table(
    "tables",
    META,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("used", sql.Float, nullable=False),
    sql.Column("variant", sql.Text, nullable=False),
    sql.Column("settings", sql.Text, nullable=False),
    sql.Column("rules", sql.String(64), sql.ForeignKey("rules.digest"), nullable=False),
    sql.Column("state", sql.String(8), nullable=False),
)
SEATS = sql.Table(
    "seats",
    META,
    sql.Column("table", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("sort", sql.String(8), primary_key=True),
    sql.Column("seat", sql.String(200), primary_key=True),
    sql.Column("place", sql.Integer, nullable=False),
    sql.Column("digest", sql.String(64), nullable=False),
    sql.Column("who", sql.Text, nullable=False),
)
CODES = sql.Table(
    "codes",
    META,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("table", sql.String(32), sql.ForeignKey("tables.id"), nullable=False),
)
LINES = sql.Table(
    "lines",
    META,
    sql.Column("table", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("sort", sql.String(16), nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("by", sql.Text, nullable=False),
    sql.Column("decision", sql.Integer, nullable=False),
)


@attrs.frozen
class StoredKey:
    """Stored key of a seat, of spectators (`watch`), or of the table (`owner`).

    Only the digest of the key is stored. `who` is `person` or the bot of a seat.
    """

    sort: str
    seat: str
    digest: str
    who: str = ""


@attrs.frozen
class StoredTable:
    """Stored form of a table.

    `texts` are its original rule texts, by file name. `settings` contains the header
    of its record and the seed of its bots.
    """

    id: str
    created: float
    variant: str
    settings: Mapping[str, Any]
    texts: Mapping[str, str]
    keys: tuple[StoredKey, ...]
    lines: tuple[JournalLine, ...] = ()
    state: str = OPEN


@attrs.frozen
class TableSummary:
    """Summary of a stored table for lists."""

    id: str
    created: float
    variant: str
    is_over: bool


class TableStore(Protocol):
    """Protocol of the store operations that a table needs."""

    def read(self, id: str) -> StoredTable | None:
        """Return a table with all its lines, or None if there is none."""

    def texts(self, digest: str) -> dict[str, str]:
        """Return the stored rule texts with this digest."""

    def append(
        self,
        id: str,
        lines: Sequence[JournalLine],
        *,
        is_over: bool | None = None,
        texts: Mapping[str, str] | None = None,
        new_table: StoredTable | None = None,
    ) -> None:
        """Append lines to a table, all or none. May raise `WriteConflict`."""


class Store:
    """Database of all tables of a server."""

    def __init__(self, engine: sql.Engine) -> None:
        self.engine = engine

    @classmethod
    def open(cls, url: str) -> Store:
        """Open the database at an SQLAlchemy URL; create it if necessary.

        Raises `RequestError` if it cannot be opened.
        """
        try:
            store = cls(_engine(url))
        except ModuleNotFoundError as error:
            help = "PostgreSQL requires the package psycopg"
            raise RequestError(f"{error.name} is not installed", help) from error
        except (SQLAlchemyError, OSError) as error:
            raise _open_error(error) from error
        try:
            store.prepare()
        except SQLAlchemyError as error:
            store.close()
            raise _open_error(error) from error
        except RequestError:
            store.close()
            raise
        return store

    def prepare(self) -> None:
        """Create missing database tables.

        Raises `RequestError` if the database has another format.
        """
        with self.engine.begin() as connection:
            META.create_all(connection)
            version = connection.execute(sql.select(ABOUT.c.version)).scalar()
            if version is None:
                connection.execute(ABOUT.insert(), {"version": VERSION})
            elif version != VERSION:
                message = f"the database has format {version}, not {VERSION}"
                help = "use another database, or the version that created it"
                raise RequestError(message, help, exit_code=1)

    def close(self) -> None:
        """Close the database."""
        self.engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[sql.Connection]:
        """Yield a connection with a transaction that stores all of its changes or none.

        Raises `NotStored` if the database fails.
        """
        with _convert_errors(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def _read_connection(self) -> Iterator[sql.Connection]:
        """Yield a connection for reading.

        Raises `NotStored` if the database fails.
        """
        with _convert_errors(), self.engine.connect() as connection:
            yield connection

    # ------------------------------------------------------------ writing

    def add(self, stored: StoredTable) -> None:
        """Store a new table with its first lines."""
        digest = self._store_rules(stored.texts)
        with self._transaction() as connection:
            _add_table(connection, stored, digest)

    def append(
        self,
        id: str,
        lines: Sequence[JournalLine],
        *,
        is_over: bool | None = None,
        texts: Mapping[str, str] | None = None,
        new_table: StoredTable | None = None,
    ) -> None:
        """Append lines to a table, all or none.

        `is_over` is true if the game is now over; None means no change. `texts` are
        new rules. `new_table` is a new table to which the lines refer. Raises
        `WriteConflict` if a line with the same number exists, and `NotStored`.
        """
        if texts is not None:
            self._store_rules(texts)
        digest = "" if new_table is None else self._store_rules(new_table.texts)
        try:
            with self._transaction() as connection:
                _add_lines(connection, id, lines)
                if any(line.sort is LineKind.CHAT for line in lines):
                    _delete_old_messages(connection, id)
                if new_table is not None:
                    _add_table(connection, new_table, digest)
                changes: dict[str, Any] = {"used": current_time()}
                if is_over is not None:
                    changes["state"] = OVER if is_over else OPEN
                connection.execute(
                    TABLES.update().where(TABLES.c.id == id).values(changes)
                )
        except IntegrityError as error:
            raise WriteConflict(id) from error

    def _store_rules(self, texts: Mapping[str, str]) -> str:
        """Store rule texts, and return their digest."""
        digest = texts_digest(texts)
        existing = sql.select(RULES.c.digest).where(RULES.c.digest == digest)
        with suppress(IntegrityError), self._transaction() as connection:
            if connection.execute(existing).first() is None:
                row = {"digest": digest, "texts": json.dumps(dict(texts))}
                connection.execute(RULES.insert(), row)
        return digest

    def remove(self, id: str) -> None:
        """Delete a table with its keys and lines."""
        with self._transaction() as connection:
            connection.execute(LINES.delete().where(LINES.c.table == id))
            connection.execute(CODES.delete().where(CODES.c.table == id))
            connection.execute(SEATS.delete().where(SEATS.c.table == id))
            connection.execute(TABLES.delete().where(TABLES.c.id == id))

    # ------------------------------------------------------------ reading

    def read(self, id: str) -> StoredTable | None:
        """Return a table with all its lines, or None if there is none."""
        query = sql.select(TABLES, RULES.c.texts).join_from(TABLES, RULES)
        keys = sql.select(SEATS).where(SEATS.c.table == id).order_by(SEATS.c.place)
        lines = sql.select(LINES).where(LINES.c.table == id)
        lines = lines.order_by(LINES.c.number)
        with self._read_connection() as connection:
            table = connection.execute(query.where(TABLES.c.id == id)).first()
            if table is None:
                return None
            return StoredTable(
                table.id,
                table.created,
                table.variant,
                json.loads(table.settings),
                json.loads(table.texts),
                tuple(
                    StoredKey(row.sort, row.seat, row.digest, row.who)
                    for row in connection.execute(keys)
                ),
                tuple(_line_of(row) for row in connection.execute(lines)),
                table.state,
            )

    def table_with_code(self, digest: str) -> str | None:
        """Return the id of the table with a join code, or None if there is none."""
        query = sql.select(CODES.c.table).where(CODES.c.digest == digest)
        with self._read_connection() as connection:
            id: str | None = connection.execute(query).scalar()
            return id

    def texts(self, digest: str) -> dict[str, str]:
        """Return the stored rule texts with this digest."""
        query = sql.select(RULES.c.texts).where(RULES.c.digest == digest)
        with self._read_connection() as connection:
            texts: dict[str, str] = json.loads(connection.execute(query).scalar_one())
            return texts

    def summaries(self, ids: Sequence[str]) -> tuple[TableSummary, ...]:
        """Return summaries of tables in the order of *ids*; unknown ids are skipped."""
        columns = (TABLES.c.id, TABLES.c.created, TABLES.c.variant, TABLES.c.state)
        query = sql.select(*columns).where(TABLES.c.id.in_(ids))
        with self._read_connection() as connection:
            rows = {row.id: row for row in connection.execute(query)}
        return tuple(
            TableSummary(id, row.created, row.variant, row.state == OVER)
            for id in ids
            if (row := rows.get(id)) is not None
        )

    def unused_table_ids(self, since: float) -> tuple[str, ...]:
        """Return the ids of tables unchanged since a time, longest unchanged first."""
        query = sql.select(TABLES.c.id).where(TABLES.c.used < since)
        with self._read_connection() as connection:
            return tuple(connection.execute(query.order_by(TABLES.c.used)).scalars())

    def clock_lines(
        self,
    ) -> dict[str, tuple[Mapping[str, Any], tuple[JournalLine, ...]]]:
        """Return settings and last clock lines of the tables in play, by table id."""
        last = (
            sql.select(LINES.c.table, sql.func.max(LINES.c.number).label("number"))
            .join_from(TABLES, LINES)
            .where(TABLES.c.state == OPEN, LINES.c.sort == LineKind.CLOCK)
            .group_by(LINES.c.table)
            .subquery()
        )
        query = (
            sql.select(TABLES.c.settings, LINES)
            .join_from(TABLES, LINES)
            .join(last, last.c.table == LINES.c.table)
            .where(LINES.c.number >= last.c.number, LINES.c.sort.in_(CLOCK_KINDS))
            .order_by(LINES.c.table, LINES.c.number)
        )
        clocks: dict[str, tuple[Mapping[str, Any], tuple[JournalLine, ...]]] = {}
        with self._read_connection() as connection:
            for row in connection.execute(query):
                _, before = clocks.get(row.table, ({}, ()))
                lines = (*before, _line_of(row))
                clocks[row.table] = json.loads(row.settings), lines
        return clocks

    def count(self) -> int:
        """Return the number of stored tables."""
        query = sql.select(sql.func.count()).select_from(TABLES)
        with self._read_connection() as connection:
            return int(connection.execute(query).scalar_one())


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Convert database errors to `NotStored`, except `IntegrityError`."""
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, sqlite3.Error) as error:
        cause = getattr(error, "orig", error)
        code = getattr(cause, "sqlite_errorcode", 0) & PRIMARY_CODE_MASK
        state = getattr(cause, "sqlstate", None)
        raise (
            WRITE_ERRORS.get(code) or WRITE_ERRORS.get(state) or DatabaseDown
        ) from error


def _line_of(row: Any) -> JournalLine:
    """Return the journal line in a row of the database."""
    kind = LineKind(row.sort)
    return JournalLine(row.number, kind, row.text, row.by, row.decision)


def texts_digest(texts: Mapping[str, str]) -> str:
    """Return the digest of rule texts, which also depends on their order."""
    return hashlib.sha256(json.dumps(list(texts.items())).encode()).hexdigest()


def _add_table(connection: sql.Connection, stored: StoredTable, digest: str) -> None:
    row = {
        "id": stored.id,
        "created": stored.created,
        "used": stored.created,
        "variant": stored.variant,
        "settings": json.dumps(stored.settings),
        "rules": digest,
        "state": stored.state,
    }
    connection.execute(TABLES.insert(), row)
    rows = [
        {"table": stored.id, "place": place, **attrs.asdict(key)}
        for place, key in enumerate(stored.keys)
    ]
    connection.execute(SEATS.insert(), rows)
    _add_lines(connection, stored.id, stored.lines)
    digest = stored.settings.get(CODE_SETTING, "")
    taken = connection.execute(sql.select(CODES).where(CODES.c.digest == digest))
    if digest and taken.first() is None:
        connection.execute(CODES.insert(), {"digest": digest, "table": stored.id})


def _add_lines(
    connection: sql.Connection, id: str, lines: Sequence[JournalLine]
) -> None:
    rows = [{"table": id, **attrs.asdict(line)} for line in lines]
    if rows:
        connection.execute(LINES.insert(), rows)


def _delete_old_messages(connection: sql.Connection, id: str) -> None:
    """Delete the messages of a table except the latest `MAX_MESSAGES`."""
    messages = sql.and_(LINES.c.table == id, LINES.c.sort == LineKind.CHAT)
    latest_first = sql.select(LINES.c.number).where(messages)
    latest_first = latest_first.order_by(LINES.c.number.desc()).offset(MAX_MESSAGES)
    newest = connection.execute(latest_first.limit(1)).scalar()
    if newest is not None:
        connection.execute(LINES.delete().where(messages, LINES.c.number <= newest))


def _engine(url: str) -> sql.Engine:
    """Create a database engine whose error messages omit stored values."""
    address = sql.make_url(url)
    if address.drivername in POSTGRESQL_NAMES:
        address = address.set(drivername=POSTGRESQL)
    engine = sql.create_engine(address, pool_pre_ping=True, hide_parameters=True)
    if engine.dialect.name == SQLITE:
        _create_private_file(address.database)
        sql.event.listen(engine, "connect", _configure_sqlite)
    return engine


def _open_error(error: Exception) -> RequestError:
    """Return the error for a database address that cannot be opened."""
    message = str(getattr(error, "orig", None) or error).strip()
    return RequestError(f"the database cannot be opened: {message}", exit_code=1)


def _create_private_file(name: str | None) -> None:
    """Create a database file that only its owner may read: it contains secrets."""
    if name not in {None, "", ":memory:"}:
        os.close(os.open(str(name), os.O_CREAT | os.O_RDWR, 0o600))


def _configure_sqlite(connection: Any, _record: Any) -> None:
    """Configure SQLite so that committed data survives a crash or power failure."""
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "busy_timeout=10000",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def current_time() -> float:
    """Return the current time in seconds since the epoch, as stored with tables."""
    return time.time()
