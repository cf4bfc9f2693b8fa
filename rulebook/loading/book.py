"""Checked rulebook: the model, and information about the rules."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.compose import MergedRules
from rulebook.digests.digest import part_digests
from rulebook.digests.first_form import first_digest
from rulebook.loading.pickling import pack_book, unpack_book
from rulebook.model import Model, Option
from rulebook.model.limits import Limits
from rulebook.source.source_text import text_at
from rulebook.source.spans import Cite, Span
from rulebook.syntax import Clause

TextTable = dict[str, dict[str, tuple[str, ...]]]
"""Texts by language and dotted path."""


@attrs.frozen
class ClauseInfo:
    """Clause of the merged rules, with its address and the clauses that it replaced."""

    address: str
    node: Clause = attrs.field(repr=False)
    replaced_clauses: tuple[Clause, ...] = attrs.field(default=(), repr=False)

    @property
    def span(self) -> Span:
        """Span of the clause."""
        return self.node.span

    @property
    def cites(self) -> tuple[Cite, ...]:
        """Citations of the clause."""
        return self.node.cites

    @property
    def replaced_spans(self) -> tuple[Span, ...]:
        """Spans of the clauses that this clause replaced."""
        return tuple(clause.span for clause in self.replaced_clauses)


@attrs.frozen(eq=False, repr=False)
class Rulebook:
    """Rules that were parsed, merged and checked without an error.

    `digest` is `sha256:…` of the meaning of the rules. `players` is the minimum and
    maximum number of players, `seats` the names in seating order. `files` maps names to
    the merged texts, in the order in which they were merged; `shipped` is true if all
    of them come from the package. `over` names the games that a house rule can amend.
    `words` are titles by language and clause path, `questions` the texts of decisions,
    and `reports` the texts of events, of which each reader gets the first one without
    secrets. `limits` are the limits
    for checking and play. `languages` are the languages of the sources, if known.
    `merged` is the input of the checker, for tools that check it again with a change.
    `derived_cache` caches results that other modules derive from the book. The results
    refer to the book, so a separate weak-keyed dict would never free it.
    """

    name: str
    title: str
    digest: str
    players: tuple[int, int]
    seats: tuple[str, ...]
    model: Model
    files: dict[str, str]
    sources: dict[str, str]
    words: TextTable
    clauses: dict[str, ClauseInfo]
    merged: MergedRules
    shipped: bool = False
    over: tuple[str, ...] = ()
    languages: dict[str, str] = attrs.Factory(dict)
    questions: TextTable = attrs.Factory(dict)
    reports: TextTable = attrs.Factory(dict)
    limits: Limits = attrs.field(factory=Limits)
    derived_cache: dict[str, Any] = attrs.field(factory=dict, init=False)

    @property
    def options(self) -> dict[str, Option]:
        """Return the options by name, in the order of declaration."""
        return self.model.options

    @property
    def first_digest(self) -> str:
        """Digest in the form of version 0.1.0; see `docs/digest.md`."""
        return first_digest(self.model, self.players, self.seats)

    @property
    def parts(self) -> dict[str, str]:
        """Short digest of each part of the rules, by the name of the part."""
        return part_digests(self.model, self.players, self.seats)

    @property
    def own_files(self) -> frozenset[str]:
        """Names of the book's own file and of its companions."""
        own = self.merged.change_log.files[-1]
        return frozenset({own.span.file, *(clause.span.file for clause in own.clauses)})

    def text_at(self, span: Span) -> str:
        """Return the source text of a span, on one line."""
        return text_at(self.files, span)

    def __reduce__(self) -> tuple[Any, ...]:
        return unpack_book, pack_book(self)

    def __repr__(self) -> str:
        return f"<Rulebook {self.name} {self.digest[:15]}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print only `repr` in notebooks and Hypothesis, instead of all attributes."""
        del cycle
        printer.text(repr(self))
