"""A checked rulebook: the model, with what people and programs ask about it."""

from __future__ import annotations

import attrs

from rulebook.model import Model, Option
from rulebook.source import Cite, Span


@attrs.frozen
class ClauseInfo:
    """Where a clause of the merged rules comes from, by its address."""

    address: str
    span: Span
    cites: tuple[Cite, ...]
    replaced: tuple[Span, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Rulebook:
    """Rules that were parsed, merged and checked without an error.

    `digest` is `sha256:…` of what the rules mean. `players` are the fewest and most,
    `seats` the names in seating order. `files` are the texts that were merged, by
    name, in the order in which they were laid; `shipped` is true when all of them
    come from the package. `words` are texts for people by language and clause path.
    """

    name: str
    title: str
    digest: str
    players: tuple[int, int]
    seats: tuple[str, ...]
    model: Model
    files: dict[str, str]
    sources: dict[str, str]
    words: dict[str, dict[str, tuple[str, ...]]]
    clauses: dict[str, ClauseInfo]
    shipped: bool = False

    @property
    def options(self) -> dict[str, Option]:
        """Return the options by name, in the order of declaration."""
        return self.model.options

    def text_at(self, span: Span) -> str:
        """Return the source text of a span, on one line."""
        lines = self.files.get(span.file, "").splitlines()
        if not 0 < span.line <= span.end_line <= len(lines):
            return ""
        part = lines[span.line - 1 : span.end_line]
        part[-1] = part[-1][: span.end_column - 1]
        part[0] = part[0][span.column - 1 :]
        return " ".join(piece.strip() for piece in part)

    def __repr__(self) -> str:
        return f"<Rulebook {self.name} {self.digest[:15]}>"
