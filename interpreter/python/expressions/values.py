"""Values and what is reckoned with them, as Python."""

from __future__ import annotations

import rulebook as rb
from interpreter.plan.constants import coordinates, own_spaces
from interpreter.plan.terms import HowMany
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source import code
from interpreter.source.code import Binds, Code
from interpreter.tables.layout import ACTIVE, RANKS, ROUND, WINNER
from interpreter.tables.missing import may_hold_none


def counter(place: int) -> Code:
    """Return what one of the first cells holds."""
    return code.cell(code.literal(place))


# ---------------------------------------------------------------- constants and cells


def _const(w: Writer, e: rb.Const) -> Code:
    return w.source.literal(e.value)


def _option(w: Writer, e: rb.OptionValue) -> Code:
    value = w.facts.options[e.name]
    return w.source.literal(rb.NONE if value is None else value)


def _field(w: Writer, e: rb.FieldValue) -> Code:
    row = w.row(e)
    if not isinstance(e.type, rb.Bag):
        return code.cell(row)
    end = code.added(row, code.literal(w.facts.block(e).size))
    return code.call("tuple", code.cells(row, end))


def _column(w: Writer, e: rb.ColumnValue) -> Code:
    table = w.source.table(w.facts.column(e.domain, e.column))
    return code.looked_up(table, w.part(e.of))


def _related(w: Writer, e: rb.Related) -> Code:
    table = w.source.table(w.facts.relations[e.relation])
    return code.looked_up(table, w.part(e.of))


def _space_at(w: Writer, e: rb.SpaceAt) -> Code:
    found = coordinates(w.facts, e.domain)
    at = code.row_of([w.part(one) for one in e.coordinates])
    if e.owner is None:
        return code.made(f"{w.source.table(found)}.get({at.text}, -1)", at)
    rows = [
        {place: index + seat * len(found) for place, index in found.items()}
        for seat in range(w.facts.players)
    ]
    owner = code.looked_up(w.source.table((*rows, {})), w.part(e.owner))
    return code.made(f"{owner.text}.get({at.text}, -1)", owner, at)


def _own_spaces(w: Writer, e: rb.OwnSpaces) -> Code:
    table = w.source.table(own_spaces(w.facts, e.domain))
    return code.looked_up(table, w.part(e.player))


def _tally(w: Writer, e: rb.TallyValue) -> Code:
    slot, place = w.slot(e.slot), tally_index(w, e.slot, e.indices)
    found = code.made(f"{slot.text}[{place.text}]", slot, place)
    tests = [there_is(w, one) for one in e.indices if may_hold_none(one)]
    if not tests:
        return found
    return code.choice(code.chain("and", tests), found, code.literal(0))


def tally_index(w: Writer, slot: int, indices: tuple[rb.Expr, ...]) -> Code:
    """Return the place of one number in a tally, which is one flat tuple."""
    sizes = [w.facts.sizes[domain] for domain in w.facts.tallies[slot]]
    found = code.literal(0)
    for size, index in zip(sizes, indices, strict=True):
        found = code.added(code.times(found, size), w.part(index))
    return found


def there_is(w: Writer, e: rb.Expr) -> Code:
    """Return whether something is not none."""
    return code.compared(w.part(e), ">=", code.literal(0))


def _call(w: Writer, e: rb.CallDefine) -> Code:
    arguments = [w.part(one) for one in e.arguments]
    return code.call(w.facts.defines[e.define], code.CELLS, *arguments)


def _award(w: Writer, e: rb.AwardHolder) -> Code:
    return counter(w.facts.layout.awards[e.award])


def _points(w: Writer, e: rb.Points) -> Code:
    name = "visible_points" if e.visible else "points"
    return code.call(name, code.CELLS, w.part(e.player))


# ---------------------------------------------------------------- arithmetic and logic

LEVELS = {
    "+": Binds.SUM,
    "-": Binds.SUM,
    "*": Binds.PRODUCT,
    "//": Binds.PRODUCT,
    "%": Binds.PRODUCT,
}


def minus(one: Code) -> Code:
    """Return a number with the other sign."""
    return code.made(f"-{one.at(Binds.ATOM)}", one, binds=Binds.SIGN)


def _arith(w: Writer, e: rb.Arith) -> Code:
    left, right = w.number(e.left), w.number(e.right)
    if e.op == "//up":
        return minus(code.binary(Binds.PRODUCT, "//", minus(left), right))
    return code.binary(LEVELS[e.op], e.op, left, right)


def _half(w: Writer, e: rb.Half) -> Code:
    return code.binary(Binds.PRODUCT, "//", w.number(e.value), code.literal(2))


def _extreme(w: Writer, e: rb.Extreme) -> Code:
    word = "min" if e.smaller else "max"
    return code.call(word, w.number(e.left), w.number(e.right))


def _compare(w: Writer, e: rb.Compare) -> Code:
    operator = "==" if e.op == "=" else e.op
    return code.compared(w.part(e.left), operator, w.part(e.right))


def _and(w: Writer, e: rb.And) -> Code:
    return code.chain("and", [w.part(one) for one in e.parts])


def _or(w: Writer, e: rb.Or) -> Code:
    return code.chain("or", [w.part(one) for one in e.parts])


def _not(w: Writer, e: rb.Not) -> Code:
    return code.negated(w.part(e.value))


def _how_many(w: Writer, e: HowMany) -> Code:
    parts = [w.part(one) for one in e.parts]
    if len(parts) == 1:
        return code.call("int", parts[0])
    if not parts:
        return code.literal(0)
    text = " + ".join([one.at(Binds.PRODUCT) for one in parts])
    return code.made(text, *parts, binds=Binds.SUM)


TEMPLATES: Templates = {
    rb.Const: _const,
    rb.OptionValue: _option,
    rb.PlayerCount: lambda w, _: code.literal(w.facts.players),
    rb.Local: lambda w, e: w.slot(e.slot),
    rb.FieldValue: _field,
    rb.ColumnValue: _column,
    rb.Related: _related,
    rb.SpaceAt: _space_at,
    rb.OwnSpaces: _own_spaces,
    rb.TallyValue: _tally,
    rb.CallDefine: _call,
    rb.AwardHolder: _award,
    rb.Points: _points,
    rb.ActivePlayer: lambda _, __: counter(ACTIVE),
    rb.Round: lambda _, __: counter(ROUND),
    rb.Winner: lambda _, __: counter(WINNER),
    rb.Winners: lambda _, __: code.call("first_of", counter(RANKS)),
    rb.Arith: _arith,
    rb.Half: _half,
    rb.Extreme: _extreme,
    rb.Compare: _compare,
    rb.And: _and,
    rb.Or: _or,
    rb.Not: _not,
    HowMany: _how_many,
}
