"""Node builders for phrases over sets: binders, counts and superlatives."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, node_of, parts

RULES = BuilderTable()


@RULES("binder", "asked_again", "sum_binder")
def _binder(b: Builder, t: Tree[Token]) -> syntax.BinderPhrase:
    kind, name, domain, *more, where = parts(t)
    order, best = more or (None, None)
    built = None if domain is None else b.build(domain)
    return syntax.BinderPhrase(
        b.name(kind),
        b.optional_name(name),
        cast(
            "syntax.Expr | syntax.ClockwiseExpression | syntax.NumberRange | None",
            built,
        ),
        b.optional_expr(where),
        b.optional_node(syntax.InOrder, order),
        superlative_measures(b, best),
        t.data == "asked_again",
        span=b.span(t),
    )


@RULES("step_binder")
def _step_binder(b: Builder, t: Tree[Token]) -> syntax.BinderPhrase:
    kind, before, name, where = parts(t)
    return syntax.BinderPhrase(
        b.name(kind),
        b.name(name),
        where=b.expr(where),
        before=b.name(before),
        span=b.span(t),
    )


@RULES("rising", "falling")
def _order(b: Builder, t: Tree[Token]) -> syntax.InOrder:
    measures, most = parts(t)
    assert isinstance(measures, Tree)
    values = tuple(map(b.expr, parts(measures)))
    falling = t.data == "falling"
    return syntax.InOrder(values, falling, b.optional_expr(most), span=b.span(t))


def superlative_measures(b: Builder, branch: Branch) -> tuple[syntax.Most, ...]:
    """Return the measures of a superlative, in order; () if there is no superlative."""
    if branch is None:
        return ()
    assert isinstance(branch, Tree)
    (inner,) = parts(branch)
    return ranking(b, inner)


def ranking(b: Builder, branch: Branch) -> tuple[syntax.Most, ...]:
    """Return the measures of `most VALUE, then fewest VALUE`."""
    assert isinstance(branch, Tree)
    return b.nodes(syntax.Most, parts(branch))


@RULES("most", "fewest")
def _most(b: Builder, t: Tree[Token]) -> syntax.Most:
    word, value = parts(t)
    return syntax.Most(str(word), b.expr(value), span=b.span(t))


@RULES("held", "held_on", "count_on")
def _held(b: Builder, t: Tree[Token]) -> syntax.NumberOf:
    what, place = parts(t)
    on = t.data != "held"
    return syntax.NumberOf(b.expr(what), b.expr(place), on=on, span=b.span(t))


@RULES("count_anothers", "count_anothers_on")
def _count_anothers(b: Builder, t: Tree[Token]) -> syntax.NumberOf:
    kind, name, place = parts(t)
    return syntax.NumberOf(
        syntax.NameRef(b.name(name), span=b.span(name)),
        b.optional_expr(place),
        on=t.data == "count_anothers_on",
        another=b.name(kind),
        span=b.span(t),
    )


@RULES("clockwise", "clockwise_after", "counterclockwise")
def _clockwise(b: Builder, t: Tree[Token]) -> syntax.ClockwiseExpression:
    everyone, start = parts(t)
    way = t.data
    built = b.expr(everyone)
    if not (isinstance(built, syntax.NameRef) and built.name.text == "players"):
        b.report(
            "RB011",
            "expected `players` before `clockwise` or `counterclockwise`",
            b.span(everyone),
            help=(
                "write `players clockwise from A`, `players clockwise after A` or "
                "`players counterclockwise to A`"
            ),
        )
    return syntax.ClockwiseExpression(
        b.expr(start),
        way == "counterclockwise",
        way == "clockwise_after",
        span=b.span(t),
    )


@RULES("number_range")
def _number_range(b: Builder, t: Tree[Token]) -> syntax.NumberRange:
    """Return a range; a minus before its first number is that number's sign."""
    low, high = map(b.expr, parts(t))
    if isinstance(low, syntax.Negate) and isinstance(low.value, syntax.Number):
        low = syntax.Number(-low.value.value, span=low.span)
    return syntax.NumberRange(low, high, span=b.span(t))


_OVER_BINDERS = {
    "some_": syntax.Some,
    "none_of": syntax.NoneOf,
    "every": syntax.Every,
    "exactly_one": syntax.ExactlyOne,
    "first": syntax.First,
    "only": syntax.OnlyExpression,
}
"""Node classes of phrases made of a word and a binder, by production."""


@RULES(*_OVER_BINDERS)
def _over_binder(b: Builder, t: Tree[Token]) -> syntax.Node:
    (binder,) = parts(t)
    return _OVER_BINDERS[t.data](b.node(syntax.BinderPhrase, binder), span=b.span(t))


@RULES("next_player")
def _next_player(b: Builder, t: Tree[Token]) -> syntax.NextPlayer:
    return syntax.NextPlayer(span=b.span(t))


RULES.add_node("next_after", syntax.NextPlayer, Builder.expr, Builder.optional_expr)


@RULES("next_where")
def _next_where(b: Builder, t: Tree[Token]) -> syntax.NextPlayer:
    (where,) = parts(t)
    return syntax.NextPlayer(None, b.expr(where), span=b.span(t))


@RULES("largest", "smallest")
def _highest(b: Builder, t: Tree[Token]) -> syntax.HighestExpression:
    word, value, binder = parts(t)
    return syntax.HighestExpression(
        str(word), b.expr(value), b.node(syntax.BinderPhrase, binder), span=b.span(t)
    )


RULES.add_node("count_all", syntax.NumberOf, Builder.expr, Builder.optional_expr)
RULES.add_node(
    "count_where", syntax.NumberOf, Builder.expr, Builder.optional_expr, Builder.expr
)


@RULES("count_best", "count_range")
def _count_best(b: Builder, t: Tree[Token]) -> syntax.NumberOf:
    what, place, best, where = parts(t)
    ranged = t.data == "count_range"
    return syntax.NumberOf(
        b.expr(what),
        None if ranged else b.optional_expr(place),
        b.optional_expr(where),
        superlative_measures(b, best),
        range=b.optional_node(syntax.NumberRange, place) if ranged else None,
        span=b.span(t),
    )


@RULES("count_named")
def _count_named(b: Builder, t: Tree[Token]) -> syntax.NumberOf:
    what, name, place, best, where = parts(t)
    kind = b.name(what)
    return syntax.NumberOf(
        syntax.NameRef(kind, span=kind.span),
        b.optional_expr(place),
        b.expr(where),
        superlative_measures(b, best),
        b.name(name),
        span=b.span(t),
    )


RULES.add_node("sum_over", syntax.SumOver, node_of(syntax.BinderPhrase), Builder.expr)
RULES.add_node(
    "bag_over", syntax.BagOverExpression, node_of(syntax.BinderPhrase), Builder.expr
)


@RULES("of_any_size", "of_size", "of_least_size", "of_most_size")
def _combination(b: Builder, t: Tree[Token]) -> syntax.CombinationPhrase:
    name, *size, kind, holder, where = parts(t)
    number = b.expr(size[0]) if size else None
    return syntax.CombinationPhrase(
        b.name(kind),
        b.expr(holder),
        b.optional_name(name),
        None if t.data == "of_most_size" else number,
        None if t.data == "of_least_size" else number,
        b.optional_expr(where),
        span=b.span(t),
    )


_combination_node = node_of(syntax.CombinationPhrase)
RULES.add_node("some_combination", syntax.SomeCombination, _combination_node)
RULES.add_node("no_combination", syntax.NoCombination, _combination_node)
RULES.add_node("number_of_combinations", syntax.NumberOfCombinations, _combination_node)


@RULES("highest_of_combinations")
def _highest_of_combinations(
    b: Builder, t: Tree[Token]
) -> syntax.HighestOfCombinations:
    word, value, combination = parts(t)
    return syntax.HighestOfCombinations(
        str(word),
        b.expr(value),
        b.node(syntax.CombinationPhrase, combination),
        span=b.span(t),
    )


@RULES("longest_trail")
def _longest_trail(b: Builder, t: Tree[Token]) -> syntax.LongestTrailExpression:
    links, *also, by, ends = parts(t)
    changing, broken = (None, None) if ends is None else _trail_ends(b, ends)
    return syntax.LongestTrailExpression(
        b.expr(links),
        broken,
        tuple(map(b.expr, also)),
        b.optional_expr(by),
        changing,
        span=b.span(t),
    )


def _trail_ends(b: Builder, t: Branch) -> list[syntax.BinderPhrase | None]:
    """Return the binders after `changing at` and `broken at` of a trail."""
    assert isinstance(t, Tree)
    ends: list[syntax.BinderPhrase | None]
    ends = [b.node(syntax.BinderPhrase, part) for part in parts(t)]
    if t.data == "changing_at":
        return [*ends, None]
    return ends if t.data == "changing_and_broken" else [None, *ends]


@RULES("reach")
def _reach(b: Builder, t: Tree[Token]) -> syntax.ReachExpression:
    start, way, *within = parts(t)
    over, through = _path_binders(b, way)
    steps = b.expr(within[0]) if within else None
    return syntax.ReachExpression(b.expr(start), over, through, steps, span=b.span(t))


@RULES("distance")
def _distance(b: Builder, t: Tree[Token]) -> syntax.DistanceExpression:
    start, goal, way = parts(t)
    over, through = _path_binders(b, way)
    return syntax.DistanceExpression(
        b.expr(start), b.expr(goal), over, through, span=b.span(t)
    )


@RULES("cheapest_way")
def _cheapest_way(b: Builder, t: Tree[Token]) -> syntax.DistanceExpression:
    start, goal, way, price = parts(t)
    over, through = _path_binders(b, way)
    return syntax.DistanceExpression(
        b.expr(start), b.expr(goal), over, through, b.expr(price), span=b.span(t)
    )


def _path_binders(
    b: Builder, t: Branch
) -> tuple[syntax.BinderPhrase, syntax.BinderPhrase | None]:
    """Return the binders of a path: for all its spaces, and for those in between."""
    assert isinstance(t, Tree)
    over, through = (*parts(t), None)[:2]
    between = None if through is None else b.node(syntax.BinderPhrase, through)
    return b.node(syntax.BinderPhrase, over), between


RULES.add_node("top_card_of", syntax.CardAt, Builder.expr)
RULES.add_node(
    "piece_field", syntax.PieceFieldValue, Builder.expr, Builder.name, Builder.expr
)


@RULES("card_at", "card_from_bottom")
def _card_at(b: Builder, t: Tree[Token]) -> syntax.CardAt:
    place, stack = map(b.expr, parts(t))
    bottom = t.data == "card_from_bottom"
    return syntax.CardAt(stack, place, from_bottom=bottom, span=b.span(t))
