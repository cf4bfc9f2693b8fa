"""Base classes of syntax nodes."""

from __future__ import annotations

import attrs

from rulebook.source.spans import NOWHERE, Cite, Span


@attrs.frozen
class Node:
    """Syntax node with a span in a file."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Clause(Node):
    """Named part of a rule file, with its citations."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Name(Node):
    """Name at a place where it is declared or used."""

    text: str
