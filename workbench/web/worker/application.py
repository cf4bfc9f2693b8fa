"""Application inside a worker process, for one table or one record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.types import Message

from workbench.bots.registry import bot_of
from workbench.web.app import create_app
from workbench.web.host import Host, HostLimits, update_clock
from workbench.web.responses import VISIBLE_ERRORS, to_request_denied
from workbench.web.table import Table
from workbench.web.worker_pool.remote_store import RemoteStore, lines_from_rows
from workbench.web.workshop.uploads import UploadedRecord


class WorkerHost(Host):
    """Host in a worker. Bots, presence and table limits are left to the server."""

    def _start_bots(self, table: Any) -> None:
        """Do nothing: the server starts the bots."""

    def _start_away_timer(self, id: str, seat: str) -> None:
        """Do nothing: the server monitors presence."""

    def _start_takeover_timers(self, table: Any) -> None:
        """Do nothing: the server decides when a requested bot takes over a seat."""

    def _start_clock_timer(self, table: Any) -> None:
        """Do nothing: the server runs the timers of the turn clocks."""

    def _make_room(self) -> None:
        """Do nothing: the server limits the number of tables."""


class WorkerApplication:
    """Application of a worker, which handles messages according to their operation."""

    def __init__(
        self,
        ask: Callable[[Mapping[str, Any]], Mapping[str, Any]],
        settings: Mapping[str, Any],
    ) -> None:
        store: Any = RemoteStore(ask)
        self.host = WorkerHost(
            store,
            HostLimits(**settings["bounds"]),
            games=settings["games"],
            bots=tuple(settings["bots"]),
        )
        saves = settings["saves"]
        self.records: dict[str, UploadedRecord] = {}
        self._language = settings["language"]
        self._app = create_app(
            self.host,
            hosts=None,
            base_url=settings["base"],
            secure=settings["secure"],
            language=settings["language"],
            uploaded_records=self.records,
            save_folder=None if saves is None else Path(saves),
        )

    def import_bots(self) -> None:
        """Import the custom bots that the operator named."""
        for name in self.host.bots:
            bot_of(name)

    async def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Handle a message, and return the answer as plain data."""
        try:
            record = message.get("record")
            if record is not None:
                self._read_record(record)
            known_table = self.host.tables.get(message.get("table", ""))
            if isinstance(known_table, Table):
                known_table.apply_stored_lines(lines_from_rows(message["lines"]))
                update_clock(known_table)
            match message["op"]:
                case "http":
                    return await self._handle_http(message)
                case "bot":
                    return await self._play_bot(message["table"])
                case "late":
                    return await self._decide_for_late_seats(message["table"])
                case "takeover":
                    return await self._take_over(message["table"], message["number"])
                case "new":
                    table, keys = await self.host.create_table(**message["given"])
                    return {"id": table.id, "keys": keys}
                case _:
                    return {}
        except VISIBLE_ERRORS as error:
            denied, _ = to_request_denied(error, self._language)
            refused = {"status": denied.status, "key": denied.key, "gaps": denied.gaps}
            return {"refused": refused}

    def _read_record(self, record: Mapping[str, Any]) -> None:
        """Read an uploaded record, and add it to `records`."""
        data = record["data"].encode("latin-1")
        self.records[record["id"]] = UploadedRecord.read(data, record["name"])

    # ------------------------------------------------------------ table

    async def _play_bot(self, id: str) -> dict[str, Any]:
        """Let one bot decide; return in `due` whether another bot is due."""
        table = await self.host.get_table(id)
        table.play_bot()
        update_clock(table)
        return {"due": table.bot_is_due()}

    async def _decide_for_late_seats(self, id: str) -> dict[str, Any]:
        """Let a bot decide for one late seat."""
        table = await self.host.get_table(id)
        if (task := table.late_task()) is not None:
            table.apply_late_choice(task, task.choose_action())
            update_clock(table)
        return {"due": table.bot_is_due()}

    async def _take_over(self, id: str, number: int) -> dict[str, Any]:
        """Let the bot requested by journal line `number` take over, if it still may."""
        table = await self.host.get_table(id)
        for request in table.due_bot_requests():
            if request.number == number:
                table.seat_requested_bot(request)
        return {"due": table.bot_is_due()}

    def _is_bot_due(self, id: str) -> bool:
        """Return whether a bot must decide at a table."""
        table = self.host.tables.get(id)
        return isinstance(table, Table) and table.bot_is_due()

    async def _handle_http(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Run an HTTP request through the application; return the response.

        Internal errors are raised.
        """
        sent: list[Message] = []

        async def receive() -> Message:
            body = message["body"].encode("latin-1")
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(part: Message) -> None:
            sent.append(part)

        await self._app(_scope(message), receive, send)
        start, *parts = sent
        body = b"".join(part.get("body", b"") for part in parts)
        headers = [
            [a.decode("latin-1"), b.decode("latin-1")] for a, b in start["headers"]
        ]
        return {
            "status": start["status"],
            "headers": headers,
            "body": body.decode("latin-1"),
            "due": self._is_bot_due(message["table"]),
        }


def _scope(message: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a request in plain data to an ASGI scope."""
    headers = [
        (a.encode("latin-1"), b.encode("latin-1")) for a, b in message["headers"]
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": message["method"],
        "scheme": message["scheme"],
        "path": message["path"],
        "raw_path": message["path"].encode(),
        "query_string": message["query"].encode("latin-1"),
        "root_path": "",
        "headers": headers,
        "client": None,
        "server": None,
    }
