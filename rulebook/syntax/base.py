"""What every node of the syntax tree has."""

from __future__ import annotations

import attrs

from rulebook.source.spans import NOWHERE, Cite, Span


@attrs.frozen
class Node:
    """Anything with a place in a file."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Clause(Node):
    """A named part of a file, with its citations."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Name(Node):
    """An identifier where it is declared or used."""

    text: str
