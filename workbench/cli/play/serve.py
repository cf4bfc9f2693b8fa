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
from workbench.web.storage.table_options import CHAT_PLAYERS, TableOptions

FEATURE = "the table in the browser"
LIBRARIES = ("starlette", "uvicorn", "sqlalchemy", "jinja2")
DRIVERS = {"postgresql": ("psycopg", "postgresql+psycopg")}
"""Required Python package and SQLAlchemy driver name, by database scheme."""
TABLE_ARGUMENTS = (
    *("players", "bots", "options", "seed"),
    *("clock", "late_bot", "chat"),
)
"""Arguments that describe the table, so that they require a game."""
DATABASE_FILE = "tables.sqlite"
MAX_BACKLOG = 2048
SHUTDOWN_GRACE_SECONDS = 2
"""Maximum time in seconds for pending responses to finish at shutdown."""
RESERVED_FILES = 512
"""Number of open files reserved for databases, processes, and rejected connections."""
EXIT_DEADLINE_SECONDS = 4.5
"""Seconds after the first stop signal until the process is forced to exit."""
ACCEPT_ROUNDS = 5
"""Maximum number of event loop rounds before an excess connection is closed."""
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
    integer("--clock N", "seconds for each decision", default_text="unlimited"),
    option(
        "--late-bot NAME",
        f"bot that makes a decision when its time is up: {BOT_NAMES}, or your own",
        "",
        default_text="the pages only show it",
    ),
    option(
        "--chat WHO",
        "who can write in the chat: players, all (also spectators), or none for no"
        " chat",
        default_text=CHAT_PLAYERS,
    ),
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
    listening_socket = listen(arguments.host, arguments.port)
    try:
        store, location = open_store(arguments.database)
        return asyncio.run(_serve(arguments, listening_socket, store, location))
    finally:
        listening_socket.close()


def _check_options(arguments: Namespace) -> None:
    """Raise `RequestError` for invalid arguments, before anything is opened."""
    for name in (*_bots(arguments), *filter(None, [arguments.late_bot])):
        check_bot(name)
    _table_options(arguments)
    if arguments.late_bot and not arguments.clock:
        raise RequestError("--late-bot requires --clock")
    if arguments.variant is None:
        for name in TABLE_ARGUMENTS:
            if getattr(arguments, name) not in (None, "", []):
                flag = {"options": "option"}.get(name, name.replace("_", "-"))
                raise RequestError(f"--{flag} requires a VARIANT")
    if arguments.save is not None and not Path(arguments.save).is_dir():
        raise RequestError(f"--save {arguments.save} is not a folder")
    if arguments.url is not None:
        parts = urlsplit(arguments.url)
        is_base = not (parts.path.strip("/") or parts.query or parts.fragment)
        if parts.scheme not in URL_SCHEMES or not parts.hostname or not is_base:
            message = (
                f"--url {arguments.url} is not of the form http://NAME or https://NAME"
            )
            raise RequestError(message, "all links begin with this address")


def _table_options(arguments: Namespace) -> TableOptions:
    """Return the options of the table. Raise `RequestError` if one is out of range."""
    chat = CHAT_PLAYERS if arguments.chat is None else arguments.chat
    return TableOptions(arguments.clock or 0, arguments.late_bot, chat)


def _bots(arguments: Namespace) -> list[str]:
    """Return the names of the bots for the last seats."""
    return [name for name in arguments.bots.split(",") if name]


# ------------------------------------------------------------ addresses


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
        reason = error.strerror or str(error)
        message = f"cannot listen on port {port} of {host}: {reason.lower()}"
        help = "choose another with --port N, or any free port with --port 0"
        raise RequestError(message, help, exit_code=1) from error


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
    other addresses, only the name in `--url` is accepted; without `--url`, any name is.
    """
    from workbench.web.guard import LOOPBACK

    public_name = urlsplit(arguments.url or "").hostname
    if not _is_loopback(listening_socket):
        return None if public_name is None else frozenset({public_name})
    own_names = {listening_socket.getsockname()[0], public_name} - {None}
    return frozenset(LOOPBACK | own_names)


def open_store(url: str | None) -> tuple[Any, str]:
    """Open the database of the tables; return its store, and its location as text.

    Raise `RequestError` if it cannot be opened.
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    from workbench.web.store import Store

    if url is None:
        folder = autosave_folder()
        if not folder.is_absolute():
            raise RequestError(
                "there is no home folder", "choose one with --database", exit_code=1
            )
        folder.mkdir(parents=True, exist_ok=True)
        url = f"sqlite:///{folder / DATABASE_FILE}"
    try:
        address = make_url(url)
    except ArgumentError as error:
        help = "write sqlite:///FILE or postgresql://NAME@HOST/BASE"
        raise RequestError("--database is not a valid database URL", help) from error
    if address.drivername in DRIVERS:
        package, driver_name = DRIVERS[address.drivername]
        import_library(package, Extra.POSTGRES, "a table in PostgreSQL")
        address = address.set(drivername=driver_name)
    store = Store.open(address.render_as_string(hide_password=False))
    return store, address.render_as_string(hide_password=True)


# ------------------------------------------------------------ serving


def connection_limit(requested: int) -> int:
    """Return the number of connections that can be open at once, at most *requested*.

    Increase the soft limit on open files if that is necessary and permitted.
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
    """Return the server's limits; the open-file limit may reduce connections."""
    from workbench.web.request_limits import RequestLimits

    limits = RequestLimits()
    capacity = connection_limit(limits.connections)
    if capacity == limits.connections:
        return limits
    write_note(
        f"limited to {capacity:,} connections by the maximum number of open files; run"
        f" `ulimit -n {limits.connections + RESERVED_FILES}` to allow"
        f" {limits.connections:,}"
    )
    return attrs.evolve(limits, connections=capacity)


async def _serve(
    arguments: Namespace, listening_socket: socket.socket, store: Any, location: str
) -> int:
    """Serve until the server is stopped; return the exit code."""
    from workbench.web.app import create_app
    from workbench.web.host import Host
    from workbench.web.worker_pool.pool import WorkerPool
    from workbench.web.workshop.uploads import UploadedRecords

    games = [arguments.variant] if arguments.variant is not None else []
    bots, workers = _bots(arguments), WorkerPool()
    bot_names = tuple(dict.fromkeys(filter(None, [*bots, arguments.late_bot])))
    host = Host(store, games=games, bots=bot_names, workers=workers)
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
    """Return the HTTP server of the app, with a limit on connections."""
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

    Yield a list to which the first signal's number is added. Threads that render, run
    bots or wait for the database cannot be stopped. After the deadline the process
    exits without them. All acknowledged actions are stored by then, and the database
    rolls back incomplete transactions.
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

    old_handlers = {number: signal.signal(number, stop) for number in SIGNAL_EXIT_CODES}
    try:
        yield stopped
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)


# ------------------------------------------------------------ reports


async def _links_document(
    arguments: Namespace, host: Any, address: str, location: str, bots: Sequence[str]
) -> dict[str, Any]:
    """Create the requested table; return its links and the server's as plain data."""
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
    options = Settings.parse(arguments.players, None, arguments.options, None).options
    seats = _seat_assignment(book, arguments.players, bots)
    try:
        table, keys = await host.create_table(
            arguments.variant,
            options,
            seats,
            arguments.seed,
            table_options=_table_options(arguments),
        )
    except TableError as error:
        message = Phrases(DEFAULT_LANGUAGE)(f"refused.{error.key}", **error.gaps)
        raise RequestError(message, exit_code=1) from error
    seat_keys = derive_keys(keys[OWNER], table.game.seats)
    links = links_document(address, table.id, seat_keys)
    bots_by_seat = {place.seat: place.bot for place in table.seats}
    document["table"] = {"variant": table.variant, "bots": bots_by_seat, **links}
    return document


async def _record_link(arguments: Namespace, records: Any, address: str) -> str:
    """Add a record to the server; return its link. Raise `RequestError` if invalid."""
    from workbench.web.sessions import RequestDenied
    from workbench.web.views.phrases import Phrases

    data = read_file(arguments.record, MAX_RECORD_BYTES)
    try:
        id = await records.add(data, arguments.record)
    except RequestDenied as denied:
        default = Phrases(DEFAULT_LANGUAGE)(f"refused.{denied.key}", **denied.gaps)
        reason = denied.gaps.get("details", default)
        raise RequestError(f"{arguments.record}: {reason}") from None
    return f"{address}/replay/{id}"


def _seat_assignment(
    book: Rulebook, players: int | None, bots: Sequence[str]
) -> dict[str, str] | int:
    """Return the player of each seat, bots last; without bots, the number of seats."""
    from workbench.web.storage.table_seats import PERSON

    number = book.players[1] if players is None else players
    if len(bots) > number:
        raise RequestError(f"{len(bots)} bots are too many for {number} seats")
    if not bots or not book.players[0] <= number <= book.players[1]:
        return number
    seats = dict.fromkeys(book.seats[:number], PERSON)
    return seats | dict(zip(book.seats[number - len(bots) : number], bots, strict=True))


def _announce(document: dict[str, Any], arguments: Namespace, *, quiet: bool) -> None:
    """Write the links and, unless *quiet*, a note about unencrypted connections."""
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
