"""Names that are visible at a point, and help for unknown names."""

from __future__ import annotations

from collections.abc import Callable

from rulebook import model as m
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    PLAYER,
    DefineSignature,
    SignatureSort,
    SymbolTable,
)
from rulebook.check.typing.assignability import (
    DEFAULT_MAXIMUM,
)
from rulebook.model.value_types import (
    Member,
    SetOf,
    Type,
    Whole,
)
from rulebook.source.spans import Span


def unknown_name_help(unit: Unit, name: str) -> str | None:
    """Return help for an unknown name, or None.

    The name may be bound by a condition elsewhere, or may need an owner and `'s`.
    """
    if name in unit.conditional_names:
        return (
            f"`{name}` is bound only in the block of an `if some … {name} …` "
            "without other conditions: move those to its `where`, or to an `if` "
            "inside the block"
        )
    world = unit.world
    owners = {field.home for field in world.fields.values() if field.name == name}
    owners |= {
        domain.name for domain in world.domains.values() if name in domain.columns
    }
    if name in ("points", "visible_points"):
        owners.add(PLAYER)
    if not owners:
        return None
    owner = min(str(whose) for whose in owners)
    yours = f" or `your {name}`" if owner == PLAYER else ""
    return f"each {owner} has one: write `{owner}'s {name}`{yours}"


def owned_space_help(world: SymbolTable, name: str) -> str | None:
    """Return help for a seat's space written as in positions (`p1_…`), or None."""
    seat = next((owner for owner in world.seats if name.startswith(f"{owner}_")), None)
    if seat is None:
        return None
    own = name.removeprefix(f"{seat}_")
    for domain in world.domains.values():
        if domain.axes and domain.each_player and own in domain.members:
            given = _coordinates(world, domain, domain.members.index(own))
            return f"write `{seat}'s {domain.name}({', '.join(given)})`"
    return None


def _coordinates(world: SymbolTable, domain: m.Domain, index: int) -> list[str]:
    """Return the coordinates of a member, as rules write them as arguments."""
    given: list[str] = []
    for axis in reversed(domain.axes):
        index, place = divmod(index, axis.size)
        match axis.type:
            case Member(domain=kind):
                given.insert(0, world.domains[kind].members[place])
            case _:
                given.insert(0, str(axis.low + place))
    return given


BUILTIN_NAMES: dict[str, Callable[[Unit, Span], m.Expr]] = {
    "round": lambda unit, span: m.RoundNumber(
        type=Whole(0, DEFAULT_MAXIMUM), span=span
    ),
    "winner": lambda unit, span: m.Winner(type=Member(PLAYER, True), span=span),
    "winners": lambda unit, span: m.Winners(type=SetOf(PLAYER), span=span),
    "active_player": lambda unit, span: m.ActivePlayer(
        type=Member(PLAYER, True), span=span
    ),
}


def preferred_names(unit: Unit, expected: Type | None) -> set[str]:
    """Return the names to suggest first where a member of a domain is expected."""
    if isinstance(expected, Member) and expected.domain in unit.world.domains:
        return {*unit.world.domains[expected.domain].members, *unit.names}
    return set()


def visible_names(unit: Unit) -> set[str]:
    """Return all names that have a meaning at this point."""
    world = unit.world
    names = {*unit.names, *world.options, *world.words, *BUILTIN_NAMES, *world.awards}
    names |= {key for key, field in world.fields.items() if field.owner is None}
    names |= set(world.members) | set(world.defines) | set(world.piece_words)
    return names


def parts_of(unit: Unit, domain: str) -> set[str]:
    """Return the names that may follow `'s` after a member of a domain."""
    world = unit.world
    names = set(world.domains[domain].columns)
    names |= {field.name for field in world.fields.values() if field.home == domain}
    names |= {name for home, name in world.relations if home == domain}
    names |= {
        signature.name
        for entries in world.defines.values()
        for signature in entries
        if signature.sort is SignatureSort.PROPERTY
        and subject_domain(signature) == domain
    }
    names |= {word for word in world.piece_words if world.owned_piece(domain, word)}
    if domain == PLAYER:
        names |= {"points", "visible_points"}
        names |= {
            word
            for word, name in world.words.items()
            if world.domains[name].each_player
        }
    return names


def subject_domain(signature: DefineSignature) -> str:
    """Return the domain of a definition's subject, or "" if it is not a member."""
    type_ = signature.parameters[0].type
    return type_.domain if isinstance(type_, Member) else ""
