"""A checked rulebook: the model, with what people and programs ask about it."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.compose import Merged
from rulebook.digests.digest import parts
from rulebook.digests.first_form import first_digest
from rulebook.loading.pickling import packed, unpacked
from rulebook.model import Model, Option
from rulebook.model.limits import Limits
from rulebook.source.lines import code_of
from rulebook.source.spans import Cite, Span
from rulebook.syntax import Clause


@attrs.frozen
class ClauseInfo:
    """A clause of the merged rules by its address, and what stood there before."""

    address: str
    node: Clause = attrs.field(repr=False)
    before: tuple[Clause, ...] = attrs.field(default=(), repr=False)

    @property
    def span(self) -> Span:
        """Where it comes from."""
        return self.node.span

    @property
    def cites(self) -> tuple[Cite, ...]:
        """What it cites."""
        return self.node.cites

    @property
    def replaced(self) -> tuple[Span, ...]:
        """Where that is what it replaced."""
        return tuple(clause.span for clause in self.before)


@attrs.frozen(eq=False, repr=False)
class Rulebook:
    """Rules that were parsed, merged and checked without an error.

    `digest` is `sha256:…` of what the rules mean. `players` are the fewest and most,
    `seats` the names in seating order. `files` are the texts that were merged, by
    name, in the order in which they were laid; `shipped` is true when all of them
    come from the package. `over` are the games that a house rule may be laid over.
    `words` are texts for people by language and clause path. `limits` are those under
    which the rules were checked, and are played. `languages` are those of the sources,
    where they are said. `merged` is what was checked, for those who check it again
    with a change. `made` is what others have worked out from it, and goes with it:
    that leads back to the book, so that no weak table of theirs would let go of it.
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
    merged: Merged
    shipped: bool = False
    over: tuple[str, ...] = ()
    languages: dict[str, str] = attrs.Factory(dict)
    limits: Limits = attrs.field(factory=Limits)
    made: dict[str, Any] = attrs.field(factory=dict, init=False)

    @property
    def options(self) -> dict[str, Option]:
        """Return the options by name, in the order of declaration."""
        return self.model.options

    @property
    def first_digest(self) -> str:
        """Return the digest as version 0.1.0 wrote it; see `docs/digest.md`."""
        return first_digest(self.model, self.players, self.seats)

    @property
    def parts(self) -> dict[str, str]:
        """Return the short digest of each part of the rules, by its name."""
        return parts(self.model, self.players, self.seats)

    @property
    def own_files(self) -> frozenset[str]:
        """Return the names of its own file and of those that come with it."""
        own = self.merged.siblings.files[-1]
        return frozenset({own.span.file, *(clause.span.file for clause in own.clauses)})

    def text_at(self, span: Span) -> str:
        """Return the source text of a span, on one line."""
        lines = self.files.get(span.file, "").splitlines()
        if not 0 < span.line <= span.end_line <= len(lines):
            return ""
        part = lines[span.line - 1 : span.end_line]
        part = [*map(code_of, part[:-1]), part[-1][: span.end_column - 1]]
        part[0] = part[0][span.column - 1 :]
        return " ".join(filter(None, (piece.strip() for piece in part)))

    def __reduce__(self) -> tuple[Any, ...]:
        return unpacked, packed(self)

    def __repr__(self) -> str:
        return f"<Rulebook {self.name} {self.digest[:15]}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """The same for notebooks and Hypothesis, which would print all that it has."""
        del cycle
        printer.text(repr(self))
