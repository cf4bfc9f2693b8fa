"""Where tables are kept: in SQLite, or by the same code in PostgreSQL.

A line is there when `append` returns, also after the machine has lost its power. A table
has each number of a line once: who would write the same again is refused.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from workbench.web.kept.errors import Conflict
from workbench.web.kept.lines import Line, Sort

OPEN, OVER = "open", "over"

META = sql.MetaData()

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
    sql.Column("digest", sql.String(64), nullable=False),
    sql.Column("who", sql.Text, nullable=False),
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
class Key:
    """What a key opens: a seat, looking on (`watch`), or the table (`owner`).

    Of the key itself only a digest is kept.
    """

    sort: str
    seat: str
    digest: str
    who: str = ""


@attrs.frozen
class Kept:
    """A table as it is kept. `texts` are the rules it began with, by name.

    `settings` are plain data: the header of its record, its seeds.
    """

    id: str
    created: float
    variant: str
    settings: Mapping[str, Any]
    texts: Mapping[str, str]
    keys: tuple[Key, ...]
    lines: tuple[Line, ...] = ()
    state: str = OPEN


class Store:
    """All tables of a server."""

    def __init__(self, engine: sql.Engine) -> None:
        self.engine = engine
        META.create_all(engine)

    @classmethod
    def open(cls, url: str) -> Store:
        """The store at an address of SQLAlchemy, made if it is not there."""
        address = sql.make_url(url)
        engine = sql.create_engine(address, pool_pre_ping=True)
        if engine.dialect.name == "sqlite":
            sql.event.listen(engine, "connect", _durable)
        return cls(engine)

    def close(self) -> None:
        """Let the database go."""
        self.engine.dispose()

    # ------------------------------------------------------------ writing

    def add(self, kept: Kept) -> None:
        """Keep a new table with its first lines."""
        with self.engine.begin() as connection:
            digest = _keep_rules(connection, kept.texts)
            row = {
                "id": kept.id,
                "created": kept.created,
                "variant": kept.variant,
                "settings": json.dumps(kept.settings),
                "rules": digest,
                "state": kept.state,
            }
            connection.execute(TABLES.insert(), row)
            rows = [{"table": kept.id, **attrs.asdict(key)} for key in kept.keys]
            connection.execute(SEATS.insert(), rows)
            _add_lines(connection, kept.id, kept.lines)

    def append(
        self,
        id: str,
        lines: Sequence[Line],
        *,
        over: bool | None = None,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """Keep further lines of a table, all or none.

        `over` says what has become of the table; `texts` are rules to which the lines
        refer. Raises `Conflict` where a line of the number is there already.
        """
        try:
            with self.engine.begin() as connection:
                _add_lines(connection, id, lines)
                if texts is not None:
                    _keep_rules(connection, texts)
                if over is not None:
                    state = {"state": OVER if over else OPEN}
                    connection.execute(
                        TABLES.update().where(TABLES.c.id == id).values(state)
                    )
        except IntegrityError as error:
            raise Conflict(id) from error

    def renew(self, id: str, key: Key) -> None:
        """Let another key open a seat of a table."""
        here = (SEATS.c.table == id) & (SEATS.c.sort == key.sort)
        with self.engine.begin() as connection:
            connection.execute(
                SEATS.update()
                .where(here & (SEATS.c.seat == key.seat))
                .values(digest=key.digest)
            )

    def remove(self, id: str) -> None:
        """Forget a table."""
        with self.engine.begin() as connection:
            for rows, column in (
                (LINES, LINES.c.table),
                (SEATS, SEATS.c.table),
                (TABLES, TABLES.c.id),
            ):
                connection.execute(rows.delete().where(column == id))

    # ------------------------------------------------------------ reading

    def read(self, id: str) -> Kept | None:
        """A table with all its lines; None: there is no such table."""
        with self.engine.connect() as connection:
            table = connection.execute(
                sql.select(TABLES, RULES.c.texts)
                .join_from(TABLES, RULES)
                .where(TABLES.c.id == id)
            ).first()
            if table is None:
                return None
            keys = connection.execute(sql.select(SEATS).where(SEATS.c.table == id))
            lines = connection.execute(
                sql.select(LINES).where(LINES.c.table == id).order_by(LINES.c.number)
            )
            return Kept(
                table.id,
                table.created,
                table.variant,
                json.loads(table.settings),
                json.loads(table.texts),
                tuple(Key(row.sort, row.seat, row.digest, row.who) for row in keys),
                tuple(
                    Line(row.number, Sort(row.sort), row.text, row.by, row.decision)
                    for row in lines
                ),
                table.state,
            )

    def texts(self, digest: str) -> dict[str, str]:
        """The texts of rules that are kept."""
        asked = sql.select(RULES.c.texts).where(RULES.c.digest == digest)
        with self.engine.connect() as connection:
            texts: dict[str, str] = json.loads(connection.execute(asked).scalar_one())
            return texts

    def count(self) -> int:
        """How many tables are kept."""
        asked = sql.select(sql.func.count()).select_from(TABLES)
        with self.engine.connect() as connection:
            return int(connection.execute(asked).scalar_one())


def digest_of(texts: Mapping[str, str]) -> str:
    """What rules are kept under: the same texts in the same order are there once."""
    return hashlib.sha256(json.dumps(list(texts.items())).encode()).hexdigest()


def _keep_rules(connection: sql.Connection, texts: Mapping[str, str]) -> str:
    """Keep texts of rules, and say under which digest."""
    digest = digest_of(texts)
    there = sql.select(RULES.c.digest).where(RULES.c.digest == digest)
    if connection.execute(there).first() is None:
        row = {"digest": digest, "texts": json.dumps(dict(texts))}
        connection.execute(RULES.insert(), row)
    return digest


def _add_lines(connection: sql.Connection, id: str, lines: Sequence[Line]) -> None:
    rows = [{"table": id, **attrs.asdict(line)} for line in lines]
    if rows:
        connection.execute(LINES.insert(), rows)


def _durable(connection: Any, _record: Any) -> None:
    """Let SQLite keep what it has said to be written, whatever happens."""
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "busy_timeout=10000",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def now() -> float:
    """The time at which something is kept."""
    return time.time()
