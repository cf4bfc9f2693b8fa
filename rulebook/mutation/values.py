"""Mutation operators for expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.mutation.operators import Names, Operator
from rulebook.syntax import Node

Found = Iterator[tuple[str, Any]]

EDGES = {
    s.Comparison.LESS: s.Comparison.AT_MOST,
    s.Comparison.AT_MOST: s.Comparison.LESS,
    s.Comparison.MORE: s.Comparison.AT_LEAST,
    s.Comparison.AT_LEAST: s.Comparison.MORE,
    s.Comparison.EQUAL: s.Comparison.UNEQUAL,
    s.Comparison.UNEQUAL: s.Comparison.EQUAL,
}
OTHER_END = {
    "most": "fewest",
    "highest": "lowest",
    "largest": "smallest",
    "longest": "shortest",
    "fewest": "most",
    "least": "most",
    "lowest": "highest",
    "smallest": "largest",
    "shortest": "longest",
}
SIGNS = {
    s.Reckoning.PLUS: s.Reckoning.MINUS,
    s.Reckoning.DOWN: s.Reckoning.UP,
    s.Reckoning.UP: s.Reckoning.DOWN,
    s.Reckoning.LEFT_OVER: s.Reckoning.DOWN,
}
"""Replacement of each arithmetic operator; all others are replaced by `+`."""


def a_number(node: s.Number, names: Names) -> Found:
    """Change a number by one."""
    for value in (node.value + 1, node.value - 1):
        if value >= 0:
            yield "number", attrs.evolve(node, value=value)


def an_amount(node: s.Amount, names: Names) -> Found:
    """Change the number of an amount by one, or replace its kind of card."""
    for count in (node.count + 1, node.count - 1):
        if count > 0:
            yield "number", attrs.evolve(node, count=count)
    yield from a_named(node, names)


def some_amounts(node: s.Amounts, names: Names) -> Found:
    """Drop one of several amounts."""
    if len(node.amounts) > 1:
        for place in range(len(node.amounts)):
            rest = node.amounts[:place] + node.amounts[place + 1 :]
            yield "part dropped", attrs.evolve(node, amounts=rest)


def a_named(node: Any, names: Names) -> Found:
    """Replace a member by another one of its kind."""
    for other in names.mistaken(node.name):
        yield "name", attrs.evolve(node, name=other)


def a_reference(node: s.NameRef, names: Names) -> Found:
    """Replace a name by another of its kind, or a player by another or by `you`."""
    yield from a_named(node, names)
    if node.name.text in names.here:
        yield "seat", s.You(span=node.span)
        for other in names.here:
            if other != node.name.text:
                name = attrs.evolve(node.name, text=other)
                yield "seat", attrs.evolve(node, name=name)


def of_field(node: s.Of, names: Names) -> Found:
    """Replace a field by another field of the same owner."""
    if not node.arguments:
        yield from a_named(node, names)


def trail(node: s.LongestTrail, names: Names) -> Found:
    """Count all links, connected or not; or drop a part or condition of a trail."""
    yield "not a trail", s.NumberOf(node.links, span=node.span)
    for place in range(len(node.also)):
        rest = node.also[:place] + node.also[place + 1 :]
        changing = node.changing_at if rest else None
        yield "part dropped", attrs.evolve(node, also=rest, changing_at=changing)
    if node.by is not None:
        yield "part dropped", attrs.evolve(node, by=None)
    if node.changing_at is not None:
        yield "condition dropped", attrs.evolve(node, changing_at=None)
    if node.broken_at is not None:
        yield "condition dropped", attrs.evolve(node, broken_at=None)


def way(node: s.Reach | s.Distance, names: Names) -> Found:
    """Drop a condition of a way, or replace a distance by 0."""
    if node.through is not None:
        yield "condition dropped", attrs.evolve(node, through=None)
    if isinstance(node, s.Distance):
        yield "part dropped", s.Number(0, span=node.span)
    elif node.within is not None:
        yield "condition dropped", attrs.evolve(node, within=None)


def you(node: s.You, names: Names) -> Found:
    """Replace `you` by another player."""
    for name in names.here:
        yield "seat", s.NameRef(s.Name(name, span=node.span), span=node.span)


def truth(node: s.YesNo, names: Names) -> Found:
    """Replace yes by no, and no by yes."""
    yield "yes/no", attrs.evolve(node, value=not node.value)


def arithmetic(node: s.Arith, names: Names) -> Found:
    """Replace an arithmetic operator, or the whole expression by one operand."""
    yield "sign", attrs.evolve(node, op=SIGNS.get(node.op, s.Reckoning.PLUS))
    yield "part dropped", node.left
    yield "part dropped", node.right


def comparison(node: s.Compare, names: Names) -> Found:
    """Include or exclude equality, or reverse a comparison."""
    yield "comparison", attrs.evolve(node, op=EDGES[node.op])
    if not node.op.is_sameness:
        yield "comparison", attrs.evolve(node, left=node.right, right=node.left)


def both(node: s.And | s.Or, names: Names) -> Found:
    """Swap `and` and `or`, or keep only one operand."""
    other = s.Or if isinstance(node, s.And) else s.And
    yield "and/or", other(node.left, node.right, span=node.span)
    yield "part dropped", node.left
    yield "part dropped", node.right


def denial(node: s.Not, names: Names) -> Found:
    """Drop a `not`."""
    yield "negated", node.value


def is_or_not(node: s.Is | s.IsIn | s.IsSame, names: Names) -> Found:
    """Negate an `is` condition, or replace its word."""
    yield "negated", attrs.evolve(node, negated=not node.negated)
    if isinstance(node, s.Is):
        for other in names.mistaken(node.word):
            yield "name", attrs.evolve(node, word=other)


def presence(node: s.HasA, names: Names) -> Found:
    """Swap `has a` and `has no`."""
    yield "negated", attrs.evolve(node, present=not node.present)
    yield from a_named(node, names)


def of_another(node: s.HasAnothers, names: Names) -> Found:
    """Accept anybody's piece, including one's own, instead of another player's."""
    yield "whose", s.HasA(node.name, present=node.present, span=node.span)
    if not node.present:
        yield "negated", attrs.evolve(node, present=True)


def a_thing(node: s.HasThing, names: Names) -> Found:
    """Accept anybody's piece instead of a player's."""
    if isinstance(node.value, s.Of) and not node.value.arguments:
        yield "whose", s.HasA(node.value.name, present=node.present, span=node.span)
    if not node.present:
        yield "negated", attrs.evolve(node, present=True)


def so_many(node: s.HasSome, names: Names) -> Found:
    """Accept anybody's pieces instead of a player's."""
    if isinstance(node.value, s.Of) and not node.value.arguments:
        yield "whose", s.HasAmount(node.count, node.value.name, span=node.span)


def at_least_one(node: s.Some, names: Names) -> Found:
    """Replace `some` by `no`."""
    yield "negated", s.NoneOf(node.binder, span=node.span)


def at_most_none(node: s.NoneOf, names: Names) -> Found:
    """Replace `no` by `some`."""
    yield "negated", s.Some(node.binder, span=node.span)


def counted(node: s.NumberOf, names: Names) -> Found:
    """Drop the condition, place, `another` or last superlative of a count."""
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None)
    if node.another:
        yield "whose", attrs.evolve(node, another=False)
    if node.place is not None:
        yield "domain dropped", attrs.evolve(node, place=None, on=False)
    if node.best:
        yield "best dropped", attrs.evolve(node, best=node.best[:-1])


def bound(node: s.Binder, names: Names) -> Found:
    """Drop or negate a binder's condition, or drop its domain, order or superlative."""
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None, still=False)
        yield "negated", attrs.evolve(node, where=s.Not(node.where))
    if node.domain is not None:
        yield "domain dropped", attrs.evolve(node, domain=None)
    if node.order is not None:
        yield "order dropped", attrs.evolve(node, order=None)
    if node.best:
        yield "best dropped", attrs.evolve(node, best=node.best[:-1])


def clockwise(node: s.Clockwise, names: Names) -> Found:
    """Reverse the direction of players, or include the start player."""
    if node.after:
        yield "order", attrs.evolve(node, after=False)
    else:
        yield "order", attrs.evolve(node, reverse=not node.reverse)


def sorting(node: s.InOrder, names: Names) -> Found:
    """Reverse the order."""
    yield "order", attrs.evolve(node, falling=not node.falling)


def superlative(node: s.Most | s.Highest, names: Names) -> Found:
    """Replace the superlative by its opposite."""
    yield "most/fewest", attrs.evolve(node, word=OTHER_END[node.word])


def singled(node: s.First | s.Only, names: Names) -> Found:
    """Replace `first` by `only`, or the reverse."""
    other = s.Only if isinstance(node, s.First) else s.First
    yield "first/only", other(node.binder, span=node.span)


def exactly_one(node: s.ExactlyOne, names: Names) -> Found:
    """Drop the requirement that there is exactly one member."""
    yield "several", s.Some(node.binder, span=node.span)


def next_one(node: s.NextPlayer, names: Names) -> Found:
    """Drop the condition of `next player`, or replace it by `you`."""
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None)
    yield "seat", s.You(span=node.span)


def half(node: s.HalfOf, names: Names) -> Found:
    """Replace a half by the whole, or round it up."""
    yield (
        "rounding",
        attrs.evolve(node, value=s.Arith(s.Reckoning.PLUS, node.value, s.Number(1))),
    )
    yield "whole", node.value


def extreme(node: s.Extreme, names: Names) -> Found:
    """Replace the larger of two numbers by the smaller, or the reverse."""
    yield "larger/smaller", attrs.evolve(node, smaller=not node.smaller)


def conditional(node: s.Conditional, names: Names) -> Found:
    """Replace a conditional expression by each of its two values."""
    yield "condition dropped", node.value
    yield "condition dropped", node.other


OF_VALUES: dict[type[Node], tuple[Operator, ...]] = {
    s.Number: (a_number,),
    s.Amount: (an_amount,),
    s.Amounts: (some_amounts,),
    s.NameRef: (a_reference,),
    s.Of: (of_field,),
    s.LongestTrail: (trail,),
    s.Reach: (way,),
    s.Distance: (way,),
    s.You: (you,),
    s.YesNo: (truth,),
    s.Arith: (arithmetic,),
    s.Compare: (comparison,),
    s.And: (both,),
    s.Or: (both,),
    s.Not: (denial,),
    s.Is: (is_or_not,),
    s.IsIn: (is_or_not,),
    s.IsSame: (is_or_not,),
    s.HasA: (presence,),
    s.HasAmount: (a_named,),
    s.HasAnothers: (of_another,),
    s.HasSome: (so_many,),
    s.HasThing: (a_thing,),
    s.Some: (at_least_one,),
    s.NoneOf: (at_most_none,),
    s.NumberOf: (counted,),
    s.Binder: (bound,),
    s.Clockwise: (clockwise,),
    s.InOrder: (sorting,),
    s.Most: (superlative,),
    s.Highest: (superlative,),
    s.First: (singled,),
    s.Only: (singled,),
    s.ExactlyOne: (exactly_one,),
    s.NextPlayer: (next_one,),
    s.HalfOf: (half,),
    s.Conditional: (conditional,),
    s.Extreme: (extreme,),
}

__all__ = ["OF_VALUES"]
