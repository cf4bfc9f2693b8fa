"""C tables with precomputed facts about the members of a domain.

If an expression reads only fixed facts about one variable, its value is computed in
advance for each member. A loop over members that have a certain value in a column
visits only those members.
"""

from __future__ import annotations

from interpreter.core.dependencies import walk
from interpreter.core.facts import PLAYER
from interpreter.native.expressions.sets import table_row
from interpreter.native.writer import CWriter, Loop
from interpreter.plan.specialise.expressions import Member, Specialiser
from interpreter.plan.specialise.terms import conjuncts
from rulebook import model as m

FIXED = (m.Const, m.Local, m.ColumnValue, m.SpaceAt, m.Arith, m.Compare)
WORKED_OUT = (m.SpaceAt, m.Compare)
"""Expressions that are worth precomputing; others are precomputed as part of these."""

MEMBERS_MAX = 1_024
"""Maximum number of members of a domain for which a table is built."""


def tabulated(w: CWriter, e: m.Expr) -> str | None:
    """Return C code that reads an expression's value from a table, or None."""
    if not isinstance(e, WORKED_OUT):
        return None
    nodes = list(walk(e))
    local = next((node for node in nodes if isinstance(node, m.Local)), None)
    if local is None or not all(isinstance(node, FIXED) for node in nodes):
        return None
    slots = {node.slot for node in nodes if isinstance(node, m.Local)}
    kind = local.type
    if len(slots) > 1 or not isinstance(kind, m.Member):
        return None
    size = w.facts.sizes[kind.domain]
    if size > MEMBERS_MAX:
        return None
    values = [worked_out(w, e, local.slot, place) for place in (*range(size), m.NONE)]
    if None in values:
        return None
    name = w.slot(local.slot)
    if values == [*range(size), m.NONE]:
        return name
    if len(set(values)) == 1:
        return f"({values[0]})"
    if sum(isinstance(node, m.ColumnValue | m.SpaceAt) for node in nodes) < 2:
        return None
    return f"{w.file.guarded(values)}[{name} + 1]"


def worked_out(w: CWriter, e: m.Expr, slot: int, member: int) -> int | None:
    """Return the value of an expression for a member, or None if it is not fixed."""
    value = Specialiser(w.facts, {"fold"}).of(e, {slot: Member(member)})
    return int(value.value) if isinstance(value, m.Const) else None


def narrowed(
    w: CWriter, e: m.Expr, name: str, where: m.Expr | None
) -> tuple[Loop | None, m.Expr | None]:
    """Return a C loop over fewer members that satisfies part of a condition, and the
    rest of it.

    This works if the condition requires a value in a column, or a piece of a player.
    """
    named = [slot for slot, bound in w.bound.items() if bound == name]
    slot = named[-1] if named else None
    if where is None or slot is None:
        return None, where
    if isinstance(e, m.PieceSpaces):
        return fixed_spaces_loop(w, e, slot, where), where
    if not isinstance(e, m.AllOf):
        return None, where
    parts = conjuncts(where)
    for part in parts:
        rest = joined(tuple(other for other in parts if other is not part))
        match part:
            case m.Compare(
                op=m.Comparison.EQUAL,
                left=m.ColumnValue(of=m.Local(slot=read), type=m.Whole()) as column,
                right=m.Expr(type=m.Whole()) as wanted,
            ) if read == slot and not reads(wanted, slot) and is_short(w, column):
                return with_value(w, column, wanted, name), rest
            case _:
                continue
    for stands in everywhere_asked(where):
        match stands:
            case m.PieceOn(space=space, owner=m.Expr() as owner, another=False) if (
                w.value(space) == name
                and not reads(owner, slot)
                and is_alone(w, stands)
            ):
                spaces = m.PieceSpaces(
                    piece=stands.piece, owner=owner, domain=e.domain, type=e.type
                )
                return w.through(spaces, name), where
            case _:
                continue
    return None, where


def fixed_spaces_loop(
    w: CWriter, e: m.PieceSpaces, slot: int, where: m.Expr
) -> Loop | None:
    """Return the C loop over the spaces of pieces that meet a fixed condition."""
    if e.owner is None or w.facts.layout.pieces[e.piece].owners:
        return None
    name = w.bound[slot]
    for part in conjuncts(where):
        loop = with_partner(w, part, slot, w.facts.sizes[e.domain])
        if loop is not None:
            space = m.Local(slot=slot, name=name, type=m.Member(domain=e.domain))
            on = m.PieceOn(piece=e.piece, owner=e.owner, space=space, type=m.Truth())
            guard = f"if (!{w.value(on)}) continue; "
            return Loop(loop.before, loop.head + guard)
    return None


def with_partner(w: CWriter, e: m.Expr, slot: int, size: int) -> Loop | None:
    """Return the C loop over the members that meet a condition about a seat.

    The members must be fixed for each seat.
    """
    others = {
        node.slot: node
        for node in walk(e)
        if isinstance(node, m.Local) and node.slot != slot
    }
    if len(others) != 1 or not any(isinstance(x, m.CallDefine) for x in walk(e)):
        return None
    ((other, seat),) = others.items()
    kind, special = seat.type, Specialiser(w.facts)
    if not isinstance(kind, m.Member) or kind.domain != PLAYER or size > MEMBERS_MAX:
        return None
    rows = []
    for who in (*range(w.facts.players), m.NONE):
        row = []
        for place in range(size):
            value = special.of(e, {slot: Member(place), other: Member(who)})
            if not isinstance(value, m.Const):
                return None
            row += [place] * bool(value.value)
        rows.append(tuple(row))
    return table_row(w, rows, w.slot(other), w.bound[slot])


def everywhere_asked(condition: m.Expr) -> list[m.Expr]:
    """Return the conditions that are true whenever *condition* is."""
    if isinstance(condition, m.And):
        return [asked for part in condition.parts for asked in everywhere_asked(part)]
    if isinstance(condition, m.Or) and condition.parts:
        first, *others = [everywhere_asked(part) for part in condition.parts]
        return [asked for asked in first if all(asked in other for other in others)]
    return [condition]


def is_alone(w: CWriter, e: m.PieceOn) -> bool:
    """Return whether a space can hold only one piece of a kind."""
    return not w.facts.layout.pieces[e.piece].owners


def is_short(w: CWriter, e: m.ColumnValue) -> bool:
    """Return whether a column has few enough different values for a table row of
    members for each.
    """
    values = w.facts.column(e.domain, e.column)[:-1]
    return bool(values) and max(values) - min(values) < MEMBERS_MAX


def reads(e: m.Expr, slot: int | None) -> bool:
    """Return whether an expression reads a variable."""
    return any(isinstance(node, m.Local) and node.slot == slot for node in walk(e))


def joined(parts: tuple[m.Expr, ...]) -> m.Expr | None:
    """Return the conjunction of conditions, or None if there are none."""
    if len(parts) < 2:
        return parts[0] if parts else None
    return m.And(parts=parts, type=m.Truth())


def with_value(w: CWriter, e: m.ColumnValue, wanted: m.Expr, name: str) -> Loop:
    """Return the C loop over the members that have a value in a column."""
    values = w.facts.column(e.domain, e.column)[:-1]
    low, high = min(values), max(values)
    rows = [
        tuple(place for place, value in enumerate(values) if value == number)
        for number in range(low, high + 1)
    ]
    members, places = w.file.sets([*rows, ()])
    index, end, row = w.file.new("i"), w.file.new("e"), w.file.new("r")
    before = (
        f"num {row} = {w.value(wanted)} - {low}; "
        f"{row} = {row} < 0 || {row} > {high - low} ? 0 : {row} + 1; "
        f"num {index} = {places}[{row}], {end} = {places}[{row} + 1]; "
    )
    head = f"for (; {index} < {end}; {index}++) {{ VAR {name} = {members}[{index}]; "
    return Loop(before, head)
