"""Names of the parts of a member, which rules write after `'s`."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import model as m
from rulebook.addresses import LEFT_SUFFIX
from rulebook.model.value_types import Member

PLAYER = str(m.DomainSort.PLAYER)
POSSESSIVE = "'s "
"""Part of the sentence of a definition that is a part of its first parameter."""
_POINTS = ("points", "visible_points")
"""Parts that every player has."""


def member_parts(model: m.Model, kind: str) -> tuple[str, ...]:
    """Return the names that may follow `'s` after a member of a kind, sorted.

    They are its columns, fields, related spaces, pieces and derived values.
    """
    return tuple(sorted({*_parts(model, kind)}))


def _parts(model: m.Model, kind: str) -> Iterator[str]:
    domain = model.domains.get(kind)
    if domain is not None:
        yield from domain.columns
        yield from (axis.name for axis in domain.axes)
    yield from (each.name for each in model.fields.values() if each.owner == kind)
    for relation in model.relations.values():
        if relation.source == kind:
            yield relation.name
    for key, define in model.defines.items():
        if _is_part(define, kind):
            yield key.partition("(")[0]
    for piece in model.pieces.values():
        if piece.owner == kind:
            yield from (piece.name, piece.plural, f"{piece.plural}{LEFT_SUFFIX}")
    if kind == PLAYER:
        yield from _POINTS
        for own in model.domains.values():
            if own.each_player:
                yield from (own.name, own.plural)


def _is_part(define: m.Define, kind: str) -> bool:
    """Return whether a definition is written `KIND's NAME`."""
    first = define.parameters[0].type if define.parameters else None
    return (
        isinstance(first, Member)
        and first.domain == kind
        and define.action is None
        and define.within is None
        and POSSESSIVE in define.sentence
    )
