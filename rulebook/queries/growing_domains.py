"""Domains of cards whose number can grow during play."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import model as m
from rulebook.model.value_types import Bag, Member, Stack
from rulebook.signatures import Effects, FieldPlace, effects_within


def growing_domains(model: m.Model) -> frozenset[str]:
    """Return the domains of cards that can enter the game during play.

    They come from outside or from an endless bag, are written into a bag, or into a
    slot from which a move can take them, or are dealt. A holder contains at most
    `HOLDER_MAX` of such a card, which is checked during play. The number of other cards
    never exceeds the initial number.
    """
    code = (*model.procedures.values(), *model.actions.values())
    effects = tuple(effects_within(code, model.scenarios))
    sources = {
        each.cards.source.field
        for each in effects
        if each.cards is not None and m.is_field(each.cards.source)
    }
    return frozenset(
        domain
        for each in effects_within(code)
        for domain in _arriving_domains(model, each, sources)
    )


def _arriving_domains(
    model: m.Model, effects: Effects, sources: set[str]
) -> Iterator[str]:
    if effects.dealt_domain is not None:
        yield effects.dealt_domain
    moved = effects.cards
    if moved is not None:
        if moved.destination is not None and _is_outside(model, moved.source):
            kind = moved.destination.type
            assert isinstance(kind, Bag | Stack | Member)
            yield kind.domain
        return
    for write in effects.writes:
        if isinstance(write.place, FieldPlace) and write.value is not None:
            kind = model.fields[write.place.field].type
            if (isinstance(kind, Bag) and not _is_empty(write.value)) or (
                isinstance(kind, Member)
                and model.domains[kind.domain].copies
                and write.place.field in sources
            ):
                yield kind.domain


def _is_empty(value: m.Expr) -> bool:
    return m.is_constant(value) and not any(value.value)


def _is_outside(model: m.Model, source: m.Expr | None) -> bool:
    if source is None:
        return True
    return m.is_field(source) and model.fields[source.field].endless
