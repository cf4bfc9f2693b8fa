"""C code for values and arithmetic."""

from __future__ import annotations

from typing import Any

from interpreter.core.layout import ENDLESS
from interpreter.core.optional import may_hold_none
from interpreter.native.writer import CWriter, Untranslated, Values
from interpreter.plan.specialise.terms import HowMany
from rulebook import model as m
from rulebook import tooling

INVISIBLE = (m.Bag, m.SetOf, m.Stack, m.Tally)


def scalar(e: m.Expr) -> m.Expr:
    """Return the expression if its value is one number; raise `Untranslated`
    otherwise.
    """
    if isinstance(e.type, INVISIBLE):
        raise Untranslated(f"no C for {type(e).__name__} as one number")
    return e


def literal(value: Any) -> str:
    """Return the C code of a number, safe as an operand."""
    number = int(value)
    return f"({number})" if number < 0 else str(number)


def _const(w: CWriter, e: m.Const) -> str:
    kind = scalar(e) and e.type
    if isinstance(kind, m.Member) and e.value >= w.facts.sizes[kind.domain]:
        raise Untranslated("a named seat that is not in play")
    return constant(w, e)


def constant(w: CWriter, e: m.Const) -> str:
    """Return the C code of a constant; an amount becomes data."""
    return w.amount(e.value, e) if isinstance(e.type, m.Whole) else literal(e.value)


def written(w: CWriter, e: m.Expr) -> str:
    """Return the C code of a value that may change the text; numbers become
    literals.
    """
    return literal(e.value) if isinstance(e, m.Const) else w.value(e)


def _option(w: CWriter, e: m.OptionValue) -> str:
    value = w.facts.options[e.name]
    known = m.NONE if value is None else value
    return constant(w, m.Const(known, type=e.type, span=e.span))


def _local(w: CWriter, e: m.Local) -> str:
    return w.slot(e.slot) if scalar(e) else ""


def _field(w: CWriter, e: m.FieldValue) -> str:
    scalar(e)
    return w.cell(w.row(e))


def _column(w: CWriter, e: m.ColumnValue) -> str:
    scalar(e)
    column = w.facts.column(e.domain, e.column)
    if isinstance(e.type, m.Whole):
        name = f"{e.domain}.{e.column}"
        table = w.file.data(name, (column[-1], *column[:-1]), name)
    else:
        table = w.file.guarded(column)
    return f"{table}[{w.value(e.of)} + 1]"


def _space_at(w: CWriter, e: m.SpaceAt) -> str:
    name = w.file.new("x")
    axes = w.facts.model.domains[e.domain].axes
    lines, tests, index, places = "", [], "0", 1
    for number, (axis, at) in enumerate(zip(axes, e.coordinates, strict=True)):
        part = f"{name}_{number}"
        lines += f"num {part} = {written(w, at)} - {literal(axis.low)}; "
        tests.append(f"{part} >= 0 && {part} < {axis.size}")
        index = f"({index} * {axis.size} + {part})"
        places *= axis.size
    if e.owner is not None:
        lines += f"num {name}_o = {w.value(e.owner)}; "
        tests.append(f"{name}_o >= 0")
        index = f"({name}_o * {places} + {index})"
    return f"({{ {lines}{' && '.join(tests)} ? {index} : -1; }})"


def _tally(w: CWriter, e: m.TallyValue) -> str:
    number = f"{w.array(e.slot)}[{tally_index(w, e.slot, e.indices)}]"
    tests = [f"{w.value(part)} >= 0" for part in e.indices if may_hold_none(part)]
    return f"({' && '.join(tests)} ? {number} : 0)" if tests else number


def tally_index(w: CWriter, slot: int, indices: tuple[m.Expr, ...]) -> str:
    """Return the C index of one number in a tally."""
    text = "0"
    sizes = [w.facts.sizes[domain] for domain in w.tallies[slot]]
    for size, index in zip(sizes, indices, strict=True):
        text = f"({text} * {size} + {w.value(index)})"
    return text


def _call(w: CWriter, e: m.CallDefine) -> str:
    scalar(e)
    before, arguments = given(w, e)
    call = f"{w.defines[e.define]}({', '.join(['g', *arguments])})"
    return f"({{ {before}{call}; }})" if before else call


def given(w: CWriter, e: m.CallDefine) -> tuple[str, list[str]]:
    """Return the C arguments of a call, and the lines that prepare them."""
    before, arguments = "", []
    for part in e.arguments:
        if not isinstance(part.type, INVISIBLE):
            arguments.append(w.value(part))
            continue
        array = w.file.new("a")
        arguments.append(array)
        if isinstance(part.type, m.SetOf):
            before += f"num {array}[{w.most(part) + 1}]; {w.listed(part, array)} "
        elif isinstance(part.type, m.Bag):
            before += f"num {array}[{w.kinds(part.type)}]; {w.filled(part, array)} "
        else:
            raise Untranslated(f"an argument of the type {part.type}")
    return before, arguments


def _points(w: CWriter, e: m.Points) -> str:
    name = "visible_points" if e.visible else "points"
    return f"{name}(g, {w.value(e.player)})"


SIGNS = frozenset((m.Reckoning.PLUS, m.Reckoning.MINUS, m.Reckoning.TIMES))
"""Operators that C and the rules write in the same way."""


FACTORS = frozenset(m.Reckoning) - {m.Reckoning.PLUS, m.Reckoning.MINUS}
"""Operators that are much faster with a literal operand, which therefore is
not data.
"""


def _arith(w: CWriter, e: m.Arith) -> str:
    left, right = [
        literal(x.value) if e.op in FACTORS and isinstance(x, m.Const) else w.number(x)
        for x in (e.left, e.right)
    ]
    if e.op is m.Reckoning.UP:
        return f"(-divided(-{left}, {right}))"
    if e.op in {m.Reckoning.DOWN, m.Reckoning.LEFT_OVER}:
        down = e.op is m.Reckoning.DOWN
        if not_below_0(w, e.left) and not_below_0(w, e.right):
            return f"({left} {'/' if down else '%'} {right})"
        return f"{'divided' if down else 'left_over'}({left}, {right})"
    if e.op not in SIGNS:
        raise Untranslated(f"no C for the operator {e.op}")
    return f"({left} {e.op} {right})"


def not_below_0(w: CWriter, e: m.Expr) -> bool:
    """Return whether a number is certainly 0 or more."""
    surely = tooling.range_of(w.facts.model, e)
    return surely is not None and surely.low >= 0 and surely.high < ENDLESS


def _half(w: CWriter, e: m.Half) -> str:
    return f"divided({w.number(e.value)}, 2)"


def _conditional(w: CWriter, e: m.Conditional) -> str:
    return f"({w.value(e.condition)} ? {w.number(e.value)} : {w.number(e.other)})"


def _extreme(w: CWriter, e: m.Extreme) -> str:
    word = "smaller" if e.smaller else "larger"
    return f"{word}({w.number(e.left)}, {w.number(e.right)})"


def _compare(w: CWriter, e: m.Compare) -> str:
    operator = "==" if e.op is m.Comparison.EQUAL else e.op
    left, right = [
        constant(w, x) if isinstance(x, m.Const) else w.value(x)
        for x in (scalar(e.left), scalar(e.right))
    ]
    return f"({left} {operator} {right})"


LOOKED_AT = 3
"""Minimum number of piece conditions in a conjunction that C evaluates without
stopping.

With fewer, C stops at the first false condition.
"""


def _and(w: CWriter, e: m.And) -> str:
    at_once = len(e.parts) >= LOOKED_AT and all(
        isinstance(part, m.PieceOn) for part in e.parts
    )
    sign = " & " if at_once else " && "
    return f"({sign.join([w.value(x) for x in e.parts]) or '1'})"


def _or(w: CWriter, e: m.Or) -> str:
    return f"({' || '.join([w.value(x) for x in e.parts]) or '0'})"


def _how_many(w: CWriter, e: HowMany) -> str:
    return f"({' + '.join([w.value(x) for x in e.parts]) or '0'})"


VALUES: Values = {
    m.Const: _const,
    m.OptionValue: _option,
    m.PlayerCount: lambda w, _: str(w.facts.players),
    m.Local: _local,
    m.FieldValue: _field,
    m.ColumnValue: _column,
    m.SpaceAt: _space_at,
    m.TallyValue: _tally,
    m.CallDefine: _call,
    m.AwardHolder: lambda w, e: w.cell(str(w.facts.layout.awards[e.award])),
    m.Points: _points,
    m.ActivePlayer: lambda w, _: w.cell("ACTIVE"),
    m.Round: lambda w, _: w.cell("ROUND"),
    m.Winner: lambda w, _: w.cell("WINNER"),
    m.Arith: _arith,
    m.Half: _half,
    m.Conditional: _conditional,
    m.Extreme: _extreme,
    m.Compare: _compare,
    m.And: _and,
    m.Or: _or,
    m.Not: lambda w, e: f"(!{w.value(e.value)})",
    HowMany: _how_many,
}
