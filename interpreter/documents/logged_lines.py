"""Record lines for events that the C engine has logged."""

from __future__ import annotations

import ctypes
from struct import Struct
from typing import Any

from interpreter.documents import records
from interpreter.native.engine import Engine


class LineFormatter:
    """Formatter of record lines for events logged in C; it caches the lines."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._space = engine.plan.actions
        self._known: dict[tuple[int, ...], str] = {}
        outcome = engine.states.translation.outcome
        self._event = Struct(f"=4i{outcome}qQ")
        assert self._event.size == ctypes.sizeof(engine.kinds["Event"])

    def read(self, log: Any) -> list[str]:
        """Return the record lines of all events in a log."""
        size, count = self._event.size, log.count
        data = ctypes.string_at(ctypes.addressof(log.event), size * count)
        known, lines = self._known, []
        for event in self._event.iter_unpack(data):
            key = (event[0], event[2] if event[0] < 0 else -1, *event[4 : 4 + event[1]])
            text = known.get(key)
            if text is None:
                text = known[key] = self.format_line(key)
            lines.append(text)
        return lines

    def format_line(self, key: tuple[int, ...]) -> str:
        """Return the record line of an event, given its sort, seat and values."""
        sort, seat, *values = key
        if sort < 0:
            index, *fixed_values = values
            action = self._space.action(seat, index, tuple(fixed_values))
            return records.format_line(
                records.ActionEvent(action.seat, action.text, 0).to_json()
            )
        name, outcome = self._engine.states.outcome(sort, values)
        return records.format_line(records.make_event(name, outcome, 0).to_json())
