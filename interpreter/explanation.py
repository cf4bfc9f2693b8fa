"""Explanation returned by `why`; `interpreter.explain` creates it."""

from __future__ import annotations

from typing import Any

import attrs

import rulebook as rb


@attrs.frozen
class Explanation:
    """Explanation of why an action is legal or illegal for a seat.

    `requirement` is the label of the first requirement that is not met, and `reason`
    states it as a sentence. `values` are the values it compares, and `fix` is a change
    that would satisfy it. `lines` are the lines of definitions that decided it,
    outermost first. Each has `definition`, `line`, `text`, and the `values` it
    compares. `cites` are all cited passages, and `citation` is the first one that is
    not an example.
    """

    legal: bool
    seat: str | None
    action: str
    clause: str | None = None
    requirement: str | None = None
    reason: str | None = None
    values: dict[str, Any] = attrs.field(factory=dict)
    citation: dict[str, str] | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    fix: str | None = None
    lines: tuple[dict[str, Any], ...] = ()
    cites: tuple[rb.Cite, ...] = ()

    @property
    def sentence(self) -> str:
        """Explanation as one sentence."""
        if self.legal:
            return f"{self.action} is legal"
        return f"{self.action} is not legal: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        fields = attrs.asdict(self, filter=lambda field, _: field.name != "cites")
        return {**fields, "lines": list(self.lines)}
