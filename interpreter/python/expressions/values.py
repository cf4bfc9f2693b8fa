"""Python code for values and arithmetic."""

from __future__ import annotations

from interpreter.core.layout import ACTIVE, RANKS, ROUND, WINNER
from interpreter.core.optional import may_hold_none
from interpreter.plan.specialise.constants import coordinates, own_spaces
from interpreter.plan.specialise.terms import HowMany
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source import code
from interpreter.source.code import Binds, Code
from rulebook import model as m


def counter(place: int) -> Code:
    """Return code for the value of one of the first cells."""
    return code.cell(code.literal(place))


# ---------------------------------------------------------------- constants and cells


def _const(w: Writer, e: m.Const) -> Code:
    return w.source.literal(e.value)


def _option(w: Writer, e: m.OptionValue) -> Code:
    value = w.facts.options[e.name]
    return w.source.literal(m.NONE if value is None else value)


def _field(w: Writer, e: m.FieldValue) -> Code:
    row = w.row(e)
    if not isinstance(e.type, m.Bag):
        return code.cell(row)
    end = code.added(row, code.literal(w.facts.block(e).size))
    return code.call("tuple", code.cells(row, end))


def _column(w: Writer, e: m.ColumnValue) -> Code:
    table = w.source.table(w.facts.column(e.domain, e.column))
    return code.looked_up(table, w.code(e.of))


def _related(w: Writer, e: m.Related) -> Code:
    table = w.source.table(w.facts.relations[e.relation])
    return code.looked_up(table, w.code(e.of))


def _space_at(w: Writer, e: m.SpaceAt) -> Code:
    places = coordinates(w.facts, e.domain)
    at = code.row_of([w.code(coordinate) for coordinate in e.coordinates])
    if e.owner is None:
        return code.made(f"{w.source.table(places)}.get({at.text}, -1)", at)
    rows = [
        {place: index + seat * len(places) for place, index in places.items()}
        for seat in range(w.facts.players)
    ]
    owner = code.looked_up(w.source.table((*rows, {})), w.code(e.owner))
    return code.made(f"{owner.text}.get({at.text}, -1)", owner, at)


def _own_spaces(w: Writer, e: m.OwnSpaces) -> Code:
    table = w.source.table(own_spaces(w.facts, e.domain))
    return code.looked_up(table, w.code(e.player))


def _tally(w: Writer, e: m.TallyValue) -> Code:
    slot, place = w.slot(e.slot), tally_index(w, e.slot, e.indices)
    number = code.made(f"{slot.text}[{place.text}]", slot, place)
    tests = [there_is(w, index) for index in e.indices if may_hold_none(index)]
    if not tests:
        return number
    return code.choice(code.chain("and", tests), number, code.literal(0))


def tally_index(w: Writer, slot: int, indices: tuple[m.Expr, ...]) -> Code:
    """Return code for the index of one number in a tally, which is a flat tuple."""
    sizes = [w.facts.sizes[domain] for domain in w.facts.tallies[slot]]
    place = code.literal(0)
    for size, index in zip(sizes, indices, strict=True):
        place = code.added(code.times(place, size), w.code(index))
    return place


def there_is(w: Writer, e: m.Expr) -> Code:
    """Return code for whether a value is not none."""
    return code.compared(w.code(e), ">=", code.literal(0))


def _call(w: Writer, e: m.CallDefine) -> Code:
    arguments = [w.code(argument) for argument in e.arguments]
    return code.call(w.facts.defines[e.define], code.CELLS, *arguments)


def _award(w: Writer, e: m.AwardHolder) -> Code:
    return counter(w.facts.layout.awards[e.award])


def _points(w: Writer, e: m.Points) -> Code:
    name = "visible_points" if e.visible else "points"
    return code.call(name, code.CELLS, w.code(e.player))


# ---------------------------------------------------------------- arithmetic and logic

LEVELS = {
    m.Reckoning.PLUS: Binds.SUM,
    m.Reckoning.MINUS: Binds.SUM,
    m.Reckoning.TIMES: Binds.PRODUCT,
    m.Reckoning.DOWN: Binds.PRODUCT,
    m.Reckoning.LEFT_OVER: Binds.PRODUCT,
}


def minus(number: Code) -> Code:
    """Return code for the negative of a number."""
    return code.made(f"-{number.at(Binds.ATOM)}", number, binds=Binds.SIGN)


def _arith(w: Writer, e: m.Arith) -> Code:
    left, right = w.number(e.left), w.number(e.right)
    if e.op is m.Reckoning.UP:
        return minus(code.binary(Binds.PRODUCT, "//", minus(left), right))
    return code.binary(LEVELS[e.op], e.op, left, right)


def _half(w: Writer, e: m.Half) -> Code:
    return code.binary(Binds.PRODUCT, "//", w.number(e.value), code.literal(2))


def _conditional(w: Writer, e: m.Conditional) -> Code:
    return code.choice(w.code(e.condition), w.number(e.value), w.number(e.other))


def _extreme(w: Writer, e: m.Extreme) -> Code:
    word = "min" if e.smaller else "max"
    return code.call(word, w.number(e.left), w.number(e.right))


def _compare(w: Writer, e: m.Compare) -> Code:
    operator = "==" if e.op is m.Comparison.EQUAL else e.op
    return code.compared(w.code(e.left), operator, w.code(e.right))


def _and(w: Writer, e: m.And) -> Code:
    return code.chain("and", [w.code(part) for part in e.parts])


def _or(w: Writer, e: m.Or) -> Code:
    return code.chain("or", [w.code(part) for part in e.parts])


def _not(w: Writer, e: m.Not) -> Code:
    return code.negated(w.code(e.value))


def _how_many(w: Writer, e: HowMany) -> Code:
    parts = [w.code(part) for part in e.parts]
    if len(parts) == 1:
        return code.call("int", parts[0])
    if not parts:
        return code.literal(0)
    text = " + ".join([part.at(Binds.PRODUCT) for part in parts])
    return code.made(text, *parts, binds=Binds.SUM)


TEMPLATES: Templates = {
    m.Const: _const,
    m.OptionValue: _option,
    m.PlayerCount: lambda w, _: code.literal(w.facts.players),
    m.Local: lambda w, e: w.slot(e.slot),
    m.FieldValue: _field,
    m.ColumnValue: _column,
    m.Related: _related,
    m.SpaceAt: _space_at,
    m.OwnSpaces: _own_spaces,
    m.TallyValue: _tally,
    m.CallDefine: _call,
    m.AwardHolder: _award,
    m.Points: _points,
    m.ActivePlayer: lambda _, __: counter(ACTIVE),
    m.Round: lambda _, __: counter(ROUND),
    m.Winner: lambda _, __: counter(WINNER),
    m.Winners: lambda _, __: code.call("first_of", counter(RANKS)),
    m.Arith: _arith,
    m.Half: _half,
    m.Conditional: _conditional,
    m.Extreme: _extreme,
    m.Compare: _compare,
    m.And: _and,
    m.Or: _or,
    m.Not: _not,
    HowMany: _how_many,
}
