"""Checks of definitions: their named values and their lines.

A named value becomes a definition with the same parameters, and its name a call of it.
Therefore ranges, reads, facts and explanations treat names as definitions. The engines
compute a named value once for each evaluation of its definition.
"""

from __future__ import annotations

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.check.declare.scope import Unit, UnitSort, bind_parameters
from rulebook.check.declare.symbol_table import (
    PLAYER,
    DefineSignature,
    SymbolTable,
    mistake,
)
from rulebook.check.declare.value_tables import table_lines
from rulebook.check.typing.assignability import describe_type, expect_type
from rulebook.check.typing.expression_checks import check_condition, check_expr
from rulebook.model.value_types import Bag, Member, SetOf, Truth, Type, Whole
from rulebook.queries.calls import define_code


def check_define(
    world: SymbolTable, clause: s.DefineClause, signature: DefineSignature
) -> tuple[m.Define, ...]:
    """Check a definition; return its named values, followed by the definition."""
    unit = Unit(world, signature.name, UnitSort.DEFINE, has_actor=False)
    given = tuple((p.name, p.type) for p in signature.parameters)
    bound = bind_parameters(unit, given)
    players = [p.slot for p in bound if p.type == Member(PLAYER)]
    unit.excluded_slot = players[0] if players else None
    labels = {line.label.text for line in clause.lines if line.label is not None}
    named: list[m.Define] = []
    for node in clause.names:
        with world.collect_errors(node.name.text):
            unit.broken.add(node.name.text)
            _check_new_name(unit, node.name, labels)
            define = _named_value(unit, node, signature.key, bound)
            unit.broken.discard(node.name.text)
            named.append(define)
    written = clause.lines
    if clause.table is not None:
        written = table_lines(world, clause.table, signature)
    lines: list[m.DefineLine] = []
    for place, line in enumerate(written):
        last = place == len(written) - 1
        with world.collect_errors():
            lines.append(_define_line(unit, line, signature, last))
    bare = all(line.condition is None for line in written)
    adds = isinstance(signature.type, Whole) and len(written) > 1 and bare
    define = m.Define(
        name=signature.key,
        sentence=signature.sentence,
        parameters=bound,
        type=signature.type,
        lines=tuple(lines),
        slots=tuple(unit.slots),
        adds=adds,
        cites=clause.cites,
        span=clause.span,
    )
    return (*named, define)


def _check_new_name(unit: Unit, name: s.Name, labels: set[str]) -> None:
    """Raise `Mistake` if a name already has a meaning in the definition."""
    if name.text not in unit.names and name.text not in labels:
        return
    owner = "a line" if name.text in labels else "a parameter or another value"
    raise mistake(
        "RB102",
        name.span,
        f"`{name.text}` is already the name of {owner} in this definition",
        "choose another name",
    )


def _named_value(
    unit: Unit, node: s.Let, key: str, parameters: tuple[m.Parameter, ...]
) -> m.Define:
    """Check a named value of a definition, and make its name visible."""
    name = node.name.text
    find = Member("") if isinstance(node.value, s.Some) else None
    value = check_expr(unit, node.value, find)
    line = m.DefineLine(
        label="", value=value, condition=None, cites=node.cites, span=node.span
    )
    type_ = _type_of_name(value)
    define = m.Define(
        name=_key_within(key, name),
        sentence=name,
        parameters=parameters,
        type=type_,
        lines=(_truth_as_condition(line, type_, last=True),),
        slots=tuple(unit.slots),
        cites=node.cites,
        within=key,
        span=node.span,
    )
    given = tuple(m.variable(p.slot, p.name, p.type) for p in parameters)
    unit.names[name] = m.call(define.name, given, type_)
    return define


def _type_of_name(value: m.Expr) -> Type:
    """Return the type of a named value; raise `Mistake` if the type is not allowed."""
    match value.type:
        case Whole(low=low, high=high):
            return Whole(low, high)
        case Truth() | Member() | Bag() | SetOf(domain=str()):
            return value.type
        case other:
            raise mistake(
                "RB110",
                value.span,
                f"a definition cannot name {describe_type(other)}",
                "it can name a number, a condition, a member, a bag or a set",
            )


def _key_within(key: str, name: str) -> str:
    """Return the key of the value called *name* in the definition with this key."""
    address = Address.parse(define_code(key))
    within = attrs.evolve(address, path=(*address.path, name))
    return str(within).removeprefix(f"{address.sort}.")


def _define_line(
    unit: Unit, line: s.DefinitionLine, signature: DefineSignature, last: bool
) -> m.DefineLine:
    value = expect_type(check_expr(unit, line.value, signature.type), signature.type)
    condition = (
        None if line.condition is None else check_condition(unit, line.condition)
    )
    checked = m.DefineLine(
        label=line.label.text if line.label else "",
        value=value,
        condition=condition,
        cites=line.cites,
        span=line.span,
    )
    return _truth_as_condition(checked, signature.type, last=last)


def _truth_as_condition(line: m.DefineLine, type_: Type, *, last: bool) -> m.DefineLine:
    """Return *line*; a yes/no line without a condition becomes `yes if VALUE`."""
    plain = m.is_constant(line.value) and last
    if not isinstance(type_, Truth) or line.condition is not None or plain:
        return line
    return attrs.evolve(
        line, value=m.truth(True, line.value.span), condition=line.value
    )
