"""Maximum number of outcomes of a chance event, computed before a game is played.

OpenSpiel requires this number in advance. It is the maximum over all statements that
involve chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from rulebook import model as m
from rulebook.signatures import Effects, Pause, effects_within

UNKNOWN_SET_OUTCOMES = 1 << 31
"""Number of outcomes assumed for a random choice from a set of unknown size."""


def max_outcomes(model: m.Model, seats: tuple[str, ...]) -> int:
    """Return the maximum number of outcomes of a chance event, or 0 without chance."""
    members = {
        name: tuple(domain_members(d, seats)) for name, d in model.domains.items()
    }
    return max(outcome_counts(model, members), default=0)


def domain_members(domain: m.Domain, seats: tuple[str, ...]) -> Iterator[str]:
    """Yield the names of a domain's members, `SEAT_MEMBER` if each seat has its own."""
    if domain.sort is m.DomainSort.PLAYER:
        yield from seats
    elif domain.each_player:
        for seat in seats:
            yield from [f"{seat}_{member}" for member in domain.members]
    else:
        yield from domain.members


def outcome_counts(
    model: m.Model, members: Mapping[str, tuple[str, ...]]
) -> Iterator[int]:
    """Yield `outcome_count` for each statement with chance; *members* are by domain."""
    for effects in effects_within(model.procedures, model.actions):
        if effects.event is not None:
            yield outcome_count(model, effects, members)


def outcome_count(
    model: m.Model, effects: Effects, members: Mapping[str, tuple[str, ...]]
) -> int:
    """Return the maximum number of outcomes of a statement's chance event."""
    if effects.dealt_domain is not None:
        return len(members[effects.dealt_domain])
    taken_from = [reveal.holder for reveal in effects.reveals]
    taken_from += [bound.members for bound in effects.bindings if bound.members]
    if effects.cards is not None and effects.cards.source is not None:
        taken_from = [effects.cards.source]
    match taken_from:
        case [m.NumberSet(low=low, high=high)]:
            return max_range_size(low.type, high.type)
        case [holder]:
            return max_members(holder.type, members)
        case _:
            return prod(len(model.fields[die].faces) for die in effects.dice)


def max_members(kind: m.Type, members: Mapping[str, tuple[str, ...]]) -> int:
    """Return the maximum number of different members in a value of type *kind*."""
    match kind:
        case (
            m.Bag(domain=domain) | m.Stack(domain=domain) | m.SetOf(domain=str(domain))
        ):
            return len(members[domain])
        case _:
            return UNKNOWN_SET_OUTCOMES


def max_range_size(low: m.Type, high: m.Type) -> int:
    """Return the maximum size of a range with bounds of the types *low* and *high*."""
    if isinstance(low, m.Whole) and isinstance(high, m.Whole):
        return max(0, high.high - low.low + 1)
    return UNKNOWN_SET_OUTCOMES


def has_perfect_information(model: m.Model) -> bool:
    """Return whether the declarations hide no information from any seat."""
    if any(field.seen_by is not m.Audience.ALL for field in model.fields.values()):
        return False
    if any(isinstance(field.type, m.Stack) for field in model.fields.values()):
        return False
    code = effects_within(model.procedures, model.actions)
    return all(effects.pause is not Pause.SIMULTANEOUS for effects in code)
