"""Tables for tests: small rules, a database in a folder, and a PostgreSQL server."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from workbench.web.host import Host, HostLimits
from workbench.web.sandbox.rule_texts import load_book
from workbench.web.sandbox.trial import try_record
from workbench.web.store import Store
from workbench.web.table import Table

T = TypeVar("T")
ROOT = Path(__file__).parents[2]

OPEN = """rules language 1
rulebook openly "Everything lies open"
  players 2 to 3
  seats red, blue, green
  turns 40

each player has
  score: 0 to 40

each player has
  loads: 0 to 40

setup
  red starts

action take(1 to 3 number)
  needs room: your score < 30  "there is no room for it"
  set your score to your score + number

action load
  needs hands: your loads < 40  "nobody can carry more"
  set your loads to your loads + 1

turn
  phase work
    you do load
    you do take

points of player
  score: player's score

rule full
  whenever your points >= 30: you win
"""
"""Game with two public decisions per turn, all of which can be undone."""


def text_of(name: str) -> str:
    """Return the text of an example."""
    (path,) = (ROOT / "examples").glob(f"*/{name}.rules")
    return path.read_text(encoding="utf-8")


def texts_of(name: str) -> dict[str, str]:
    """Return the files of an example, in the format of a table."""
    return {name: text_of(name)}


def url_in(folder: Path) -> str:
    """Return the URL of a database in a folder."""
    return f"sqlite:///{folder / 'tables.sqlite'}"


def hosted(store: Store, doing: Callable[[Host], Coroutine[Any, Any, T]]) -> T:
    """Return the result of a coroutine function, called with a host without delays."""

    async def within() -> T:
        host = Host(store, HostLimits(bot_delay=0))
        try:
            async with asyncio.timeout(100):
                return await doing(host)
        finally:
            await host.close()

    return asyncio.run(within())


def new_table(
    store: Store,
    texts: Mapping[str, str] | str,
    seats: Mapping[str, str] | int | None = None,
    seed: int = 1,
    **options: Any,
) -> Table:
    """Create a table at which bots do not act automatically."""
    named = isinstance(texts, str)

    async def made(host: Host) -> Table:
        variant = str(texts) if named else "own"
        own = None if isinstance(texts, str) else dict(texts)
        table, _ = await host.create_table(variant, options, seats, seed, own)
        return table

    return hosted(store, made)


def found_again(store: Store, id: str) -> Table:
    """Return a table as loaded by a server that has just started."""

    async def asked(host: Host) -> Table:
        return await host.get_table(id)

    return hosted(store, asked)


def changed_to(table: Table, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the worker's trial of a table's game under other rules."""
    return try_record(table.record, table.texts, load_book("", texts))


def go_on_under(table: Table, texts: Mapping[str, str], by: str, **gaps: Any) -> None:
    """Continue a table under other rules, under which its record must be valid."""
    trial = changed_to(table, texts)
    assert trial["holds"], trial
    table.continue_under(texts, trial["record"], by, is_over=trial["over"], **gaps)


def limited(store: Store, table: Table, **bounds: Any) -> Table:
    """Return a table loaded again, with other limits."""
    kept = store.read(table.id)
    assert kept is not None
    return Table(store, kept, table.book, **bounds)


def some_decision(table: Table, numbers: Random) -> tuple[str, str]:
    """Return a random seat of a person who must decide, and a random legal action."""
    due = [
        seat for seat in table.waits_for() if table.seat_state(seat).is_person_deciding
    ]
    seat = numbers.choice(due)
    legal = table.game_for(seat).legal_actions(seat)
    return seat, numbers.choice(legal).text


def state_of(table: Table) -> tuple[Any, ...]:
    """Return everything that a restart of the server must preserve."""
    seats = table.game.seats
    return (
        table.game.record,
        table.version,
        table.seats,
        table.waits_for(),
        table.undo,
        table.notices,
        table.rematch,
        table.texts,
        [(seat, table.decision_due_line(seat), table.can_undo(seat)) for seat in seats],
        [(seat, table.log_since_decision(seat)) for seat in seats],
        [(seat, table.game_for(seat).legal_actions(seat)) for seat in seats],
    )


def play(table: Table, decisions: int, seed: int = 1) -> None:
    """Make up to *decisions* random decisions for people."""
    numbers = Random(seed)
    for _ in range(decisions):
        if table.over:
            return
        if table.play_bot():
            continue
        seat, text = some_decision(table, numbers)
        table.decide(seat, text, table.version)


# ------------------------------------------------------------ PostgreSQL


def binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None if it is not installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    on_path = shutil.which("initdb")
    folders += [Path(on_path).parent] if on_path else []
    return next(
        (each for each in reversed(folders) if (each / "initdb").exists()), None
    )


@contextmanager
def postgresql() -> Iterator[str]:
    """Yield the URL of a temporary PostgreSQL server.

    It listens on 127.0.0.1. If started by root, it runs as the user `postgres`.
    """
    programs, port = binaries(), _free_port()
    assert programs is not None
    own = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if own is not None:
            os.chown(folder, own.pw_uid, own.pw_gid)
        data = f"{folder}/data"

        def call(*command: str) -> None:
            subprocess.run(
                [f"{programs}/{command[0]}", *command[1:]],
                check=True,
                capture_output=True,
                cwd=folder,
                user=None if own is None else own.pw_uid,
                group=None if own is None else own.pw_gid,
                extra_groups=None if own is None else [],
            )

        call("initdb", "-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8")
        options = f"-h 127.0.0.1 -p {port} -k {folder}"
        begin = ("-w", "-l", f"{folder}/log", "-o", options, "start")
        call("pg_ctl", "-D", data, *begin)
        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            call("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
