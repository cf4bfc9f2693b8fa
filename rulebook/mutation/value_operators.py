"""Mutation operators for expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.mutation.operators import Operator, SimilarNames
from rulebook.syntax import Node

Mutations = Iterator[tuple[str, Any]]

CHANGED_COMPARISONS = {
    s.Comparison.LESS: s.Comparison.AT_MOST,
    s.Comparison.AT_MOST: s.Comparison.LESS,
    s.Comparison.MORE: s.Comparison.AT_LEAST,
    s.Comparison.AT_LEAST: s.Comparison.MORE,
    s.Comparison.EQUAL: s.Comparison.UNEQUAL,
    s.Comparison.UNEQUAL: s.Comparison.EQUAL,
}
OPPOSITE_SUPERLATIVES = {
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
OPPOSITE_OPERATORS = {
    s.ArithmeticOperator.PLUS: s.ArithmeticOperator.MINUS,
    s.ArithmeticOperator.DOWN: s.ArithmeticOperator.UP,
    s.ArithmeticOperator.UP: s.ArithmeticOperator.DOWN,
    s.ArithmeticOperator.REMAINDER: s.ArithmeticOperator.DOWN,
}
"""Replacements of arithmetic operators; those not listed are replaced by `+`."""


def mutate_number(node: s.Number, names: SimilarNames) -> Mutations:
    """Change a number by one."""
    for value in (node.value + 1, node.value - 1):
        if value >= 0:
            yield "number", attrs.evolve(node, value=value)


def mutate_amount(node: s.Amount, names: SimilarNames) -> Mutations:
    """Change the number of an amount by one, or replace its kind of card."""
    for count in (node.count + 1, node.count - 1):
        if count > 0:
            yield "number", attrs.evolve(node, count=count)
    yield from mutate_member(node, names)


def mutate_amounts(node: s.Amounts, names: SimilarNames) -> Mutations:
    """Drop one of several amounts."""
    if len(node.amounts) > 1:
        for place in range(len(node.amounts)):
            rest = node.amounts[:place] + node.amounts[place + 1 :]
            yield "part dropped", attrs.evolve(node, amounts=rest)


def mutate_member(node: Any, names: SimilarNames) -> Mutations:
    """Replace a member by another one of its kind."""
    for other in names.alternatives_to(node.name):
        yield "name", attrs.evolve(node, name=other)


def mutate_name_ref(node: s.NameRef, names: SimilarNames) -> Mutations:
    """Replace a name by another of its kind, or a player by another or by `you`."""
    yield from mutate_member(node, names)
    if node.name.text in names.player_variables:
        yield "seat", s.You(span=node.span)
        for other in names.player_variables:
            if other != node.name.text:
                name = attrs.evolve(node.name, text=other)
                yield "seat", attrs.evolve(node, name=name)


def mutate_possession(node: s.Of, names: SimilarNames) -> Mutations:
    """Replace a field by another field of the same owner."""
    if not node.arguments:
        yield from mutate_member(node, names)


def mutate_trail(node: s.LongestTrailExpression, names: SimilarNames) -> Mutations:
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


def mutate_path(
    node: s.ReachExpression | s.DistanceExpression, names: SimilarNames
) -> Mutations:
    """Drop a condition or the prices of a path, or replace a distance by 0."""
    if node.through is not None:
        yield "condition dropped", attrs.evolve(node, through=None)
    if isinstance(node, s.DistanceExpression):
        yield "part dropped", s.Number(0, span=node.span)
        if node.by is not None:
            yield "part dropped", attrs.evolve(node, by=None)
    elif node.within is not None:
        yield "condition dropped", attrs.evolve(node, within=None)


def mutate_some_combination(node: s.SomeCombination, names: SimilarNames) -> Mutations:
    """Replace `some` by `no`."""
    yield "negated", s.NoCombination(node.binder, span=node.span)


def mutate_no_combination(node: s.NoCombination, names: SimilarNames) -> Mutations:
    """Replace `no` by `some`."""
    yield "negated", s.SomeCombination(node.binder, span=node.span)


def mutate_combination(node: s.CombinationPhrase, names: SimilarNames) -> Mutations:
    """Drop or negate the condition of combinations, or change an exact size."""
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None)
        yield "negated", attrs.evolve(node, where=s.NotExpression(node.where))
    if node.least is not None and node.most is not None:
        yield "size", attrs.evolve(node, most=None)
        yield "size", attrs.evolve(node, least=None)


def mutate_you(node: s.You, names: SimilarNames) -> Mutations:
    """Replace `you` by another player."""
    for name in names.player_variables:
        yield "seat", s.NameRef(s.Name(name, span=node.span), span=node.span)
    if not names.player_variables:
        yield "seat", s.NextPlayer(span=node.span)


def mutate_yes_no(node: s.YesNo, names: SimilarNames) -> Mutations:
    """Replace yes by no, and no by yes."""
    yield "yes/no", attrs.evolve(node, value=not node.value)


def mutate_arithmetic(node: s.ArithExpression, names: SimilarNames) -> Mutations:
    """Replace an arithmetic operator, or the whole expression by one operand."""
    yield (
        "sign",
        attrs.evolve(
            node, op=OPPOSITE_OPERATORS.get(node.op, s.ArithmeticOperator.PLUS)
        ),
    )
    yield "part dropped", node.left
    yield "part dropped", node.right


def mutate_comparison(node: s.CompareExpression, names: SimilarNames) -> Mutations:
    """Include or exclude equality, or reverse a comparison."""
    yield "comparison", attrs.evolve(node, op=CHANGED_COMPARISONS[node.op])
    if not node.op.is_equality_test:
        yield "comparison", attrs.evolve(node, left=node.right, right=node.left)


def mutate_and_or(
    node: s.AndExpression | s.OrExpression, names: SimilarNames
) -> Mutations:
    """Swap `and` and `or`, or keep only one operand."""
    other = s.OrExpression if isinstance(node, s.AndExpression) else s.AndExpression
    yield "and/or", other(node.left, node.right, span=node.span)
    yield "part dropped", node.left
    yield "part dropped", node.right


def mutate_not(node: s.NotExpression, names: SimilarNames) -> Mutations:
    """Drop a `not`."""
    yield "negated", node.value


def mutate_is(node: s.Is | s.IsIn | s.IsSame, names: SimilarNames) -> Mutations:
    """Negate an `is` condition, or replace its word."""
    yield "negated", attrs.evolve(node, negated=not node.negated)
    if isinstance(node, s.Is):
        for other in names.alternatives_to(node.word):
            yield "name", attrs.evolve(node, word=other)


def mutate_has_a(node: s.HasA, names: SimilarNames) -> Mutations:
    """Swap `has a` and `has no`."""
    yield "negated", attrs.evolve(node, present=not node.present)
    yield from mutate_member(node, names)


def mutate_has_anothers(node: s.HasAnothers, names: SimilarNames) -> Mutations:
    """Accept anybody's piece, including one's own, instead of another member's."""
    yield "whose", s.HasA(node.name, present=node.present, span=node.span)
    if not node.present:
        yield "negated", attrs.evolve(node, present=True)


def mutate_has_thing(node: s.HasThing, names: SimilarNames) -> Mutations:
    """Accept anybody's piece instead of a player's."""
    if isinstance(node.value, s.Of) and not node.value.arguments:
        yield "whose", s.HasA(node.value.name, present=node.present, span=node.span)
    if not node.present:
        yield "negated", attrs.evolve(node, present=True)


def mutate_has_some(node: s.HasSome, names: SimilarNames) -> Mutations:
    """Accept anybody's pieces instead of a player's."""
    if isinstance(node.value, s.Of) and not node.value.arguments:
        yield "whose", s.HasAmount(node.count, node.value.name, span=node.span)


def mutate_some(node: s.Some, names: SimilarNames) -> Mutations:
    """Replace `some` by `no`."""
    yield "negated", s.NoneOf(node.binder, span=node.span)


def mutate_none_of(node: s.NoneOf, names: SimilarNames) -> Mutations:
    """Replace `no` by `some`."""
    yield "negated", s.Some(node.binder, span=node.span)


def mutate_number_of(node: s.NumberOf, names: SimilarNames) -> Mutations:
    """Drop the condition, place, `another` or last superlative of a count."""
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None)
    if node.another:
        yield "whose", attrs.evolve(node, another=None)
    if node.place is not None:
        yield "domain dropped", attrs.evolve(node, place=None, on=False)
    if node.best:
        yield "best dropped", attrs.evolve(node, best=node.best[:-1])


def mutate_binder(node: s.BinderPhrase, names: SimilarNames) -> Mutations:
    """Drop or negate a binder's condition, or drop its domain, order or superlative."""
    if node.where is not None:
        plain = attrs.evolve(node, where=None, still=False, before=None)
        yield "condition dropped", plain
        yield "negated", attrs.evolve(node, where=s.NotExpression(node.where))
    if node.domain is not None:
        yield "domain dropped", attrs.evolve(node, domain=None)
    if node.order is not None:
        yield "order dropped", attrs.evolve(node, order=None)
    if node.best:
        yield "best dropped", attrs.evolve(node, best=node.best[:-1])


def mutate_clockwise(node: s.ClockwiseExpression, names: SimilarNames) -> Mutations:
    """Reverse the direction of players, or include the start player."""
    if node.after:
        yield "order", attrs.evolve(node, after=False)
    else:
        yield "order", attrs.evolve(node, reverse=not node.reverse)


def mutate_order(node: s.InOrder, names: SimilarNames) -> Mutations:
    """Reverse the order, or drop its last value or the maximum number of members."""
    yield "order", attrs.evolve(node, falling=not node.falling)
    if len(node.values) > 1:
        yield "part dropped", attrs.evolve(node, values=node.values[:-1])
    if node.count is not None:
        yield "part dropped", attrs.evolve(node, count=None)


def mutate_superlative(
    node: s.Most | s.HighestExpression | s.HighestOfCombinations, names: SimilarNames
) -> Mutations:
    """Replace a superlative by its opposite."""
    yield "most/fewest", attrs.evolve(node, word=OPPOSITE_SUPERLATIVES[node.word])


def mutate_first_or_only(
    node: s.First | s.OnlyExpression, names: SimilarNames
) -> Mutations:
    """Replace `first` by `only`, or the reverse."""
    other = s.OnlyExpression if isinstance(node, s.First) else s.First
    yield "first/only", other(node.binder, span=node.span)


def mutate_exactly_one(node: s.ExactlyOne, names: SimilarNames) -> Mutations:
    """Drop the requirement that there is exactly one member."""
    yield "several", s.Some(node.binder, span=node.span)


def mutate_next_player(node: s.NextPlayer, names: SimilarNames) -> Mutations:
    """Drop the condition of `next player`, or replace it by `you`."""
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None)
    yield "seat", s.You(span=node.span)


def mutate_card_at(node: s.CardAt, names: SimilarNames) -> Mutations:
    """Count the place of a card from the other end of the stack."""
    if node.place is not None:
        yield "other end", attrs.evolve(node, from_bottom=not node.from_bottom)


def mutate_piece_field(node: s.PieceFieldValue, names: SimilarNames) -> Mutations:
    """Read another field of the piece, or that of anybody's piece."""
    yield from mutate_member(node, names)
    if isinstance(node.piece, s.Of):
        yield "whose", attrs.evolve(node, piece=s.NameRef(node.piece.name))


def mutate_member_after(
    node: s.MemberAfterExpression, names: SimilarNames
) -> Mutations:
    """Count in the other direction, or take the member itself."""
    yield "order", attrs.evolve(node, before=not node.before)
    yield "part dropped", node.member


def mutate_half(node: s.HalfOf, names: SimilarNames) -> Mutations:
    """Replace a half by the whole, or round it up."""
    yield (
        "rounding",
        attrs.evolve(
            node,
            value=s.ArithExpression(s.ArithmeticOperator.PLUS, node.value, s.Number(1)),
        ),
    )
    yield "whole", node.value


def mutate_extreme(node: s.ExtremeExpression, names: SimilarNames) -> Mutations:
    """Replace the larger of two numbers by the smaller, or the reverse."""
    yield "larger/smaller", attrs.evolve(node, smaller=not node.smaller)


def mutate_conditional(node: s.ConditionalExpression, names: SimilarNames) -> Mutations:
    """Replace a conditional expression by each of its two values."""
    yield "condition dropped", node.value
    yield "condition dropped", node.other


OF_VALUES: dict[type[Node], tuple[Operator, ...]] = {
    s.Number: (mutate_number,),
    s.Amount: (mutate_amount,),
    s.Amounts: (mutate_amounts,),
    s.NameRef: (mutate_name_ref,),
    s.Of: (mutate_possession,),
    s.SomeCombination: (mutate_some_combination,),
    s.NoCombination: (mutate_no_combination,),
    s.CombinationPhrase: (mutate_combination,),
    s.HighestOfCombinations: (mutate_superlative,),
    s.LongestTrailExpression: (mutate_trail,),
    s.ReachExpression: (mutate_path,),
    s.DistanceExpression: (mutate_path,),
    s.You: (mutate_you,),
    s.YesNo: (mutate_yes_no,),
    s.ArithExpression: (mutate_arithmetic,),
    s.CompareExpression: (mutate_comparison,),
    s.AndExpression: (mutate_and_or,),
    s.OrExpression: (mutate_and_or,),
    s.NotExpression: (mutate_not,),
    s.Is: (mutate_is,),
    s.IsIn: (mutate_is,),
    s.IsSame: (mutate_is,),
    s.HasA: (mutate_has_a,),
    s.HasAmount: (mutate_member,),
    s.HasAnothers: (mutate_has_anothers,),
    s.HasSome: (mutate_has_some,),
    s.HasThing: (mutate_has_thing,),
    s.Some: (mutate_some,),
    s.NoneOf: (mutate_none_of,),
    s.NumberOf: (mutate_number_of,),
    s.BinderPhrase: (mutate_binder,),
    s.ClockwiseExpression: (mutate_clockwise,),
    s.InOrder: (mutate_order,),
    s.Most: (mutate_superlative,),
    s.HighestExpression: (mutate_superlative,),
    s.First: (mutate_first_or_only,),
    s.OnlyExpression: (mutate_first_or_only,),
    s.ExactlyOne: (mutate_exactly_one,),
    s.NextPlayer: (mutate_next_player,),
    s.CardAt: (mutate_card_at,),
    s.PieceFieldValue: (mutate_piece_field,),
    s.HalfOf: (mutate_half,),
    s.MemberAfterExpression: (mutate_member_after,),
    s.ConditionalExpression: (mutate_conditional,),
    s.ExtremeExpression: (mutate_extreme,),
}

__all__ = ["OF_VALUES"]
