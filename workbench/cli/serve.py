"""Command `rulebook serve`: the game server for browsers."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import resource
import signal
import socket
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

import attrs

from rulebook import Rulebook, read_file
from workbench.analysis.simulation.settings import Settings
from workbench.bots.registry import check_bot
from workbench.cli.frame.arguments import (
    FROM_SYSTEM,
    JSON,
    LANGUAGE,
    OPTIONAL_VARIANT,
    OPTIONS,
    PLAYERS,
    seed,
)
from workbench.cli.frame.declarations import command, integer, option
from workbench.cli.frame.error_messages import write_error
from workbench.cli.frame.output import write_json, write_line, write_note
from workbench.defaults import BOT_NAMES, DEFAULT_ADDRESS, DEFAULT_PORT
from workbench.defaults import LANGUAGE as DEFAULT_LANGUAGE
from workbench.errors import RequestError
from workbench.extras import Extra, import_library
from workbench.files.records.autosave import autosave_folder
from workbench.files.records.record_files import MAX_RECORD_BYTES

FEATURE = "the table in the browser"
LIBRARIES = ("starlette", "uvicorn", "sqlalchemy", "jinja2")
DRIVERS = {"postgresql": ("psycopg", "postgresql+psycopg")}
"""For each database: the required Python package, and its name in SQLAlchemy."""
DATABASE_FILE = "tables.sqlite"
MAX_BACKLOG = 2048
SHUTDOWN_GRACE_SECONDS = 2
"""Seconds that pending responses have to finish at shutdown."""
RESERVED_FILES = 512
"""Number of open files reserved for databases, processes, and sockets that are accepted
and then closed."""
EXIT_DEADLINE_SECONDS = 4.5
"""Seconds after the first signal until the process exits in any case."""
ACCEPT_ROUNDS = 5
"""Number of event loop rounds until an excess connection is closed."""
KEEP_ALIVE_SECONDS = 65
"""Seconds for which an idle connection of a browser stays open."""
URL_SCHEMES = frozenset({"http", "https"})
SIGNAL_EXIT_CODES: dict[int, int] = {signal.SIGINT: 130, signal.SIGTERM: 143}


@command(
    "serve",
    OPTIONAL_VARIANT,
    PLAYERS,
    option(
        "--bots NAME[,NAME...]",
        f"bots for the last seats, one per seat: {BOT_NAMES}, or your own as"
        " FILE.py:NAME or MODULE:NAME",
        "",
        default_text="no bots",
    ),
    OPTIONS,
    seed(None, default_text=FROM_SYSTEM),
    option(
        "--host ADDRESS",
        "address to listen on; 0.0.0.0 accepts connections from every network",
        DEFAULT_ADDRESS,
    ),
    integer(
        "--port N",
        "port to listen on; 0 picks a free port",
        DEFAULT_PORT,
        minimum=0,
        maximum=65_535,
    ),
    option(
        "--url URL",
        "public base URL when the server is behind a proxy, such as"
        " https://tables.example",
        default_text="the address it listens on",
    ),
    option(
        "--database URL",
        "database that stores the tables, such as sqlite:///tables.sqlite or"
        " postgresql://NAME@HOST/BASE",
        default_text="a file in your state folder",
    ),
    option("--record FILE", "record of a game to show in the browser"),
    option(
        "--save DIR",
        "folder where the workshop may save rule files",
        default_text="files can only be downloaded",
    ),
    LANGUAGE,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Start a game server for browsers."""
    for name in LIBRARIES:
        import_library(name, Extra.WEB, FEATURE)
    _check_options(arguments)
    listening = listen(arguments.host, arguments.port)
    try:
        store, kept_in = open_store(arguments.database)
        return asyncio.run(_serve(arguments, listening, store, kept_in))
    finally:
        listening.close()


def _check_options(arguments: Namespace) -> None:
    """Raise `RequestError` for invalid arguments, before anything is opened."""
    for name in _bots(arguments):
        check_bot(name)
    if arguments.variant is None:
        for name in ("players", "bots", "options", "seed"):
            if getattr(arguments, name) not in (None, "", []):
                flag = {"options": "option"}.get(name, name)
                raise RequestError(f"--{flag} requires a VARIANT")
    if arguments.save is not None and not Path(arguments.save).is_dir():
        raise RequestError(f"--save {arguments.save} is not a folder")
    if arguments.url is not None:
        parts = urlsplit(arguments.url)
        plain = not (parts.path.strip("/") or parts.query or parts.fragment)
        if parts.scheme not in URL_SCHEMES or not parts.hostname or not plain:
            said = (
                f"--url {arguments.url} is not of the form http://NAME or https://NAME"
            )
            raise RequestError(said, "all links begin with this address")


def _bots(arguments: Namespace) -> list[str]:
    """Return the names of the bots for the last seats."""
    return [name for name in arguments.bots.split(",") if name]


# ------------------------------------------------------------ where


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port. Raise `RequestError` if that fails."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, address = addresses[0]
        return socket.create_server(address, family=family, backlog=MAX_BACKLOG)
    except socket.gaierror as error:
        raise RequestError(
            f"cannot resolve the address {host}: {error.strerror}"
        ) from error
    except OSError as error:
        why = error.strerror or str(error)
        said = f"cannot listen on port {port} of {host}: {why.lower()}"
        help = "choose another with --port N, or any free port with --port 0"
        raise RequestError(said, help, exit_code=1) from error


def base_url(arguments: Namespace, listening_socket: socket.socket) -> str:
    """Return the URL that all links start with."""
    if arguments.url is not None:
        return str(arguments.url).rstrip("/")
    name, port = listening_socket.getsockname()[:2]
    if ipaddress.ip_address(name.partition("%")[0]).is_unspecified:
        name = socket.gethostname()
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def _is_loopback(listening_socket: socket.socket) -> bool:
    name = listening_socket.getsockname()[0]
    return ipaddress.ip_address(name.partition("%")[0]).is_loopback


def accepted_hosts(
    arguments: Namespace, listening_socket: socket.socket
) -> frozenset[str] | None:
    """Return the host names that the server accepts, or None for any.

    On a loopback address, only local names and the name in `--url` are accepted. On
    other addresses, only the name in `--url` is accepted, or any name without it.
    """
    from workbench.web.guard import LOOPBACK

    named = urlsplit(arguments.url or "").hostname
    if not _is_loopback(listening_socket):
        return None if named is None else frozenset({named})
    own = {listening_socket.getsockname()[0], named} - {None}
    return frozenset(LOOPBACK | own)


def open_store(url: str | None) -> tuple[Any, str]:
    """Return the store of the tables, and its location as text.

    Raise `RequestError` if it cannot be opened.
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    from workbench.web.store import Store

    if url is None:
        place = autosave_folder()
        if not place.is_absolute():
            raise RequestError(
                "there is no home folder", "choose one with --database", exit_code=1
            )
        place.mkdir(parents=True, exist_ok=True)
        url = f"sqlite:///{place / DATABASE_FILE}"
    try:
        address = make_url(url)
    except ArgumentError as error:
        help = "write sqlite:///FILE or postgresql://NAME@HOST/BASE"
        raise RequestError("--database is not a valid database URL", help) from error
    if address.drivername in DRIVERS:
        driver, spoken = DRIVERS[address.drivername]
        import_library(driver, Extra.POSTGRES, "a table in PostgreSQL")
        address = address.set(drivername=spoken)
    store = Store.open(address.render_as_string(hide_password=False))
    return store, address.render_as_string(hide_password=True)


# ------------------------------------------------------------ serving


def connection_limit(requested: int) -> int:
    """Return the number of connections that can be open at once, at most *requested*.

    Raise the soft limit of open files if that is needed and permitted.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= requested + RESERVED_FILES:
        return requested
    needed = requested + RESERVED_FILES
    reachable = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (reachable, hard))
        soft = reachable
    return min(requested, max(soft - RESERVED_FILES, soft // 2))


def _request_limits() -> Any:
    """Return the limits of the server; connections are limited by open files."""
    from workbench.web.request_limits import RequestLimits

    limits = RequestLimits()
    room = connection_limit(limits.connections)
    if room == limits.connections:
        return limits
    write_note(
        f"limited to {room:,} connections by the maximum number of open files; run"
        f" `ulimit -n {limits.connections + RESERVED_FILES}` to allow"
        f" {limits.connections:,}"
    )
    return attrs.evolve(limits, connections=room)


async def _serve(
    arguments: Namespace, listening_socket: socket.socket, store: Any, location: str
) -> int:
    """Serve until the server is stopped; return the exit code."""
    from workbench.web.app import create_app
    from workbench.web.host import Host
    from workbench.web.worker_pool.pool import WorkerPool
    from workbench.web.workshop.uploads import UploadedRecords

    named = [arguments.variant] if arguments.variant is not None else []
    bots, workers = _bots(arguments), WorkerPool()
    own = tuple(dict.fromkeys(bots))
    host = Host(store, games=named, bots=own, workers=workers)
    records = UploadedRecords(host)
    address = base_url(arguments, listening_socket)
    limits = _request_limits()
    app = create_app(
        host,
        limits=limits,
        hosts=accepted_hosts(arguments, listening_socket),
        base_url=address,
        secure=address.startswith("https:"),
        language=arguments.language or DEFAULT_LANGUAGE,
        records=records,
        save_folder=None if arguments.save is None else Path(arguments.save),
    )
    try:
        document = await _links_document(arguments, host, address, location, bots)
        if arguments.record is not None:
            document["record"] = await _record_link(arguments, records, address)
        _announce(document, arguments, quiet=_is_loopback(listening_socket))
    except BaseException:
        await host.close()
        raise
    server = _http_server(app, limits, proxied=arguments.url is not None)
    message = f"stopped; the tables are stored in {location}"
    with _stop_on_signals(server, app, message) as stopped:
        await server.serve(sockets=[listening_socket])
    return SIGNAL_EXIT_CODES[stopped[0]] if stopped else 0


def _http_server(app: Any, limits: Any, *, proxied: bool) -> Any:
    """Return the HTTP server of the app, with limits of its connections."""
    import uvicorn

    from workbench.web.network.connections import (
        PROXIES,
        BoundedProtocol,
        Connections,
        HttpServer,
    )
    from workbench.web.network.logs import configure_logging

    configure_logging()
    connections = Connections(limits, PROXIES if proxied else frozenset())
    config = uvicorn.Config(
        app,
        http=partial(BoundedProtocol, connections),  # type: ignore[arg-type]
        backlog=min(RESERVED_FILES, limits.connections) // ACCEPT_ROUNDS,
        access_log=False,
        log_config=None,
        proxy_headers=proxied,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_GRACE_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        ws="none",
    )
    return HttpServer(config)


@contextmanager
def _stop_on_signals(server: Any, app: Any, message: str) -> Iterator[list[int]]:
    """Stop the server on Ctrl-C or SIGTERM; a second signal exits at once.

    Threads that render, run bots or wait for the database cannot be stopped. After the
    deadline the process exits without them. All acknowledged actions are stored by
    then, and the database rolls back incomplete transactions.
    """
    loop, stopped = asyncio.get_running_loop(), list[int]()

    def shut_down() -> None:
        server.should_exit = True
        app.state.listeners.end_all()
        app.state.host.workers.stop_all()

    def stop(number: int, _frame: Any) -> None:
        if stopped:
            os._exit(SIGNAL_EXIT_CODES[number])
        stopped.append(number)
        write_error(message)
        deadline = Timer(EXIT_DEADLINE_SECONDS, os._exit, [SIGNAL_EXIT_CODES[number]])
        deadline.daemon = True
        deadline.start()
        loop.call_soon_threadsafe(shut_down)

    before = {number: signal.signal(number, stop) for number in SIGNAL_EXIT_CODES}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ------------------------------------------------------------ reports


async def _links_document(
    arguments: Namespace, host: Any, address: str, location: str, bots: Sequence[str]
) -> dict[str, Any]:
    """Return the links to the server and to the requested table, as plain data."""
    document: dict[str, Any] = {"url": f"{address}/", "database": location}
    document |= {"table": None, "record": None}
    if arguments.variant is None:
        return document
    from workbench.web.catalogue import book_of
    from workbench.web.keys import OWNER, derive_keys
    from workbench.web.lobby import links_document
    from workbench.web.storage.table_errors import TableError
    from workbench.web.views.phrases import Phrases

    book = await asyncio.to_thread(book_of, arguments.variant)
    options = Settings.parsed(arguments.players, None, arguments.options, None).options
    seats = _seat_assignment(book, arguments.players, bots)
    try:
        table, keys = await host.create_table(
            arguments.variant, options, seats, arguments.seed
        )
    except TableError as error:
        said = Phrases(DEFAULT_LANGUAGE)(f"refused.{error.key}", **error.gaps)
        raise RequestError(said, exit_code=1) from error
    made = derive_keys(keys[OWNER], table.game.seats)
    links = links_document(address, table.id, made)
    sitting = {place.seat: place.bot for place in table.seats}
    document["table"] = {"variant": table.variant, "bots": sitting, **links}
    return document


async def _record_link(arguments: Namespace, records: Any, address: str) -> str:
    """Return the link to view a record. Raise `RequestError` if it is invalid."""
    from workbench.web.sessions import RequestDenied
    from workbench.web.views.phrases import Phrases

    data = read_file(arguments.record, MAX_RECORD_BYTES)
    try:
        id = await records.add(data, arguments.record)
    except RequestDenied as denied:
        sentence = Phrases(DEFAULT_LANGUAGE)(f"refused.{denied.key}", **denied.gaps)
        said = denied.gaps.get("details", sentence)
        raise RequestError(f"{arguments.record}: {said}") from None
    return f"{address}/replay/{id}"


def _seat_assignment(
    book: Rulebook, players: int | None, bots: Sequence[str]
) -> dict[str, str] | int:
    """Return the player of each seat: bots in the last seats, people in the others."""
    from workbench.web.storage.table_seats import PERSON

    number = book.players[1] if players is None else players
    if len(bots) > number:
        raise RequestError(f"{len(bots)} bots are too many for {number} seats")
    if not bots or not book.players[0] <= number <= book.players[1]:
        return number
    seats = dict.fromkeys(book.seats[:number], PERSON)
    return seats | dict(zip(book.seats[number - len(bots) : number], bots, strict=True))


def _announce(document: dict[str, Any], arguments: Namespace, *, quiet: bool) -> None:
    """Write the links, before anybody connects."""
    if arguments.json:
        write_json(document)
    else:
        _write_links(document)
    if not quiet and not document["url"].startswith("https:"):
        write_note(
            "connections are not encrypted; to encrypt them, use an HTTPS proxy and"
            " --url https://NAME"
        )
    sys.stdout.flush()


def _write_links(document: dict[str, Any]) -> None:
    """Write the links as text."""
    write_line(f"{document['url']}  lobby; press Ctrl-C to stop the server")
    write_line(f"tables are stored in {document['database']}")
    if document["record"] is not None:
        write_line(f"{document['record']}  record")
    if document["table"] is None:
        return
    table = document["table"]
    write_line(
        f"{table['variant']}: one link per seat; anyone with the link can play the seat"
    )
    rows = [
        (seat, f"a bot, {table['bots'][seat]}" if table["bots"][seat] else link)
        for seat, link in table["seats"].items()
    ]
    rows += [("spectators", table["watch"]), ("owner, all links", table["owner"])]
    width = max(len(name) for name, _ in rows)
    for name, link in rows:
        write_line(f"  {name:<{width}}  {link}")
