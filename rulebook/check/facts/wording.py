"""Expressions of the model as rule text, for the help lines of messages."""

from __future__ import annotations

from rulebook import model as m
from rulebook.check.declare.symbol_table import PLAYER, Mistake, SymbolTable, mistake
from rulebook.model.value_types import NONE, Bag, Member
from rulebook.source.source_text import text_at


def rule_text(world: SymbolTable, value: m.Expr | None) -> str:
    """Return a value as rules would write it, or "" if it has no short form."""
    match value:
        case m.Local(slot=m.YOU):
            return "you"
        case m.Local(name=name):
            return name
        case m.Const(value=bool() | tuple()):
            return ""
        case m.Const(value=number, type=Member(domain=domain)) if number != NONE:
            members = world.domains[domain].members
            return members[number] if number < len(members) else ""
        case m.Const(value=number) if not isinstance(value.type, Member):
            return str(number)
    if m.is_option(value):
        return value.name
    if not m.is_field(value):
        return ""
    whose, name = possessive(world, value.owner), world.fields[value.field].name
    return f"{whose}{name}" if whose or value.owner is None else ""


def space_text(world: SymbolTable, space: m.Expr) -> str:
    """Return the space of a statement as the rules write it."""
    return rule_text(world, space) or text_at(world.texts, space.span) or "SPACE"


def possessive(world: SymbolTable, owner: m.Expr | None) -> str:
    """Return the owner as rules write it, with a space: `your `, `p1's `; or ""."""
    if owner is None:
        return ""
    if m.is_you(owner):
        return "your "
    name = rule_text(world, owner)
    if name:
        return f"{name}'s "
    return "your " if owner.type == Member(PLAYER) else ""


def has_cards_text(world: SymbolTable, holder: m.Expr, bag: m.Expr) -> str:
    """Return the condition that a holder has these cards as rule text, or ""."""
    place, sums = rule_text(world, holder), []
    match bag:
        case m.SingleBag(count=count, member=member):
            sums = [(rule_text(world, count), rule_text(world, member))]
        case m.Const(value=tuple() as numbers, type=Bag(domain=domain)):
            cards = zip(numbers, world.domains[domain].members, strict=False)
            sums = [(str(number), card) for number, card in cards if number]
        case m.Local(name=name) if name:
            return f"{place} has {name}" if place else ""
    if not place or not sums or not all(all(words) for words in sums):
        return ""
    if isinstance(holder.type, Member):
        return f"{place} is {sums[0][1]}"
    return " and ".join(
        f"{place} has {number} {card}"
        if number.isdigit()
        else f"number of {card} in {place} >= {number}"
        for number, card in sums
    )


def may_be_none(value: m.Expr) -> bool:
    """Return whether a value may be none by its type, or is `none`."""
    none = m.is_none(value)
    return isinstance(value.type, Member) and (value.type.optional or none)


def missing_value_error(
    world: SymbolTable, value: m.Expr, name: str, field: m.Field | None = None
) -> Mistake:
    """Return the error for a value that may be none where a value is required."""
    named, kind = rule_text(world, value), getattr(value.type, "domain", "KIND")
    guard = "name it with `let`, and write `if NAME is not none:` below"
    cures = [f"write `if {named} is not none:` above it" if named else guard]
    declared = f"declare `{name}`" if field else "use a field declared"
    if field or m.is_constant(value):
        cures = [] if m.is_constant(value) else cures
        cures.append(f"{declared} as `{kind} or none`")
    return mistake(
        "RB132",
        value.span,
        f"this may be none, but `{name}` always has a value",
        ", or ".join(cures),
        () if field is None else ((field.span, "declared here"),),
    )


def guard_help(condition: str, fallback: str) -> str:
    """Return help that suggests an `if` with *condition*, or *fallback* if it is ""."""
    return f"write `if {condition}:` above it" if condition else fallback
