"""Uploaded records, in memory while the server runs.

They are untrusted: the server stores only their bytes, and workers read them.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import attrs

from rulebook import RulesError
from workbench.errors import RequestError
from workbench.files.records.record_files import complete_lines, decode_record
from workbench.files.records.record_headers import header_notes, rules_of_record
from workbench.files.records.record_replay import replay_text
from workbench.web.host import Host
from workbench.web.keys import new_key
from workbench.web.workshop.timeline import Timeline

MAX_RECORDS = 20
"""Maximum number of uploaded records in memory."""

MAX_EVENTS = 20_000
"""Maximum number of events in an uploaded record."""

DEFAULT_NAME = "the record"


@attrs.frozen
class UploadedRecord:
    """Uploaded record, replayed and ready to show.

    `notes` state whether its rules differ from the current ones, and where the replay
    diverges.
    """

    timeline: Timeline
    title: str
    variant: str
    notes: tuple[str, ...]

    @classmethod
    def read(cls, data: bytes, name: str) -> UploadedRecord:
        """Read a record, and replay it as far as its rules allow. Only workers do this.

        Raises `RecordError` and `RequestError` if it is invalid or cannot be replayed.
        """
        text = decode_record(complete_lines(data), name)
        if text.count("\n") > MAX_EVENTS:
            raise RequestError(
                f"records with more than {MAX_EVENTS:,} events cannot be replayed here"
            )
        try:
            book = rules_of_record(text)
        except RulesError as error:
            reason = error.diagnostics[0].message
            message = f"the rules in the record contain errors: {reason}"
            raise RequestError(message) from error
        notes = [note.text for note in header_notes(text, book)]
        replay = replay_text(text, book)
        if replay.divergence is not None:
            notes.append(f"event {replay.steps + 1}: {replay.sentence}")
        return cls(Timeline(replay.game), book.title, book.name, tuple(notes))


class UploadedRecords:
    """Store of uploaded records in memory, each with a random id."""

    def __init__(self, host: Host, max_records: int = MAX_RECORDS) -> None:
        self.host = host
        self.max_records = max_records
        self._uploads: OrderedDict[str, Mapping[str, Any]] = OrderedDict()

    def preamble(self, id: str) -> Mapping[str, Any] | None:
        """Return the preamble that gives a new worker a record; None if unknown."""
        upload = self._uploads.get(id)
        if upload is None:
            return None
        self._uploads.move_to_end(id)
        data = zlib.decompress(upload["data"])
        return {"record": {**upload, "id": id, "data": data.decode("latin-1")}}

    def worker_key(self, id: str) -> tuple[str, str]:
        """Return the key of the worker that shows a record."""
        return ("record", id)

    async def add(self, data: bytes, name: str = DEFAULT_NAME, client: str = "") -> str:
        """Store a record if a worker can read it; return its id.

        Raises `RequestDenied` if it is invalid, cannot be replayed, or takes too long.
        """
        id = new_key()
        self._uploads[id] = {"name": name, "data": zlib.compress(data, 1)}
        try:
            async with self.host.requests.turn(client):
                preamble = self.preamble(id) or {}
                message = {"op": "open"}
                await self.host.requests.exchange(
                    self.worker_key(id), message, client, preamble=preamble
                )
        except BaseException:
            del self._uploads[id]
            raise
        while len(self._uploads) > self.max_records:
            oldest, _ = self._uploads.popitem(last=False)
            self.host.requests.stop_worker(self.worker_key(oldest))
        return id
