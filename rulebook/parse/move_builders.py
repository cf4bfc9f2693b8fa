"""Node builders for statements that move, place or show things, or draw cards."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, node_of, parts

RULES = BuilderTable()

# ---------------------------------------------------------------- moved things


def _things(b: Builder, branch: Branch) -> tuple[syntax.Thing, ...]:
    assert isinstance(branch, Tree)
    return tuple(cast("syntax.Thing", b.build(child)) for child in parts(branch))


@RULES("some_number", "some_number_of")
def _some_number(b: Builder, t: Tree[Token]) -> syntax.SomeOf:
    digits, what = parts(t)
    count = syntax.Number(b.number(digits), span=b.span(digits))
    of = t.data == "some_number_of"
    return syntax.SomeOf(count, b.expr(what), of, span=b.span(t))


def _name_value(b: Builder, branch: Branch) -> syntax.NameRef:
    return syntax.NameRef(b.name(branch), span=b.span(branch))


@RULES("some_expr")
def _some_expr(b: Builder, t: Tree[Token]) -> syntax.SomeOf:
    count, kind = parts(t)
    return syntax.SomeOf(b.expr(count), _name_value(b, kind), span=b.span(t))


@RULES("some_name")
def _some_name(b: Builder, t: Tree[Token]) -> syntax.SomeOf:
    count, kind = parts(t)
    return syntax.SomeOf(_name_value(b, count), _name_value(b, kind), span=b.span(t))


@RULES("some_expr_of")
def _some_expr_of(b: Builder, t: Tree[Token]) -> syntax.SomeOf:
    count, what = parts(t)
    return syntax.SomeOf(b.expr(count), b.expr(what), True, span=b.span(t))


@RULES("some_name_of")
def _some_name_of(b: Builder, t: Tree[Token]) -> syntax.SomeOf:
    count, what = parts(t)
    return syntax.SomeOf(_name_value(b, count), b.expr(what), True, span=b.span(t))


@RULES("up_to_of")
def _up_to_of(b: Builder, t: Tree[Token]) -> syntax.UpTo:
    count, what = parts(t)
    return syntax.UpTo(b.expr(count), b.expr(what), True, span=b.span(t))


@RULES("up_to")
def _up_to(b: Builder, t: Tree[Token]) -> syntax.UpTo:
    count, kind = parts(t)
    return syntax.UpTo(b.expr(count), _name_value(b, kind), span=b.span(t))


RULES.add_node("all_of", syntax.AllCardsOf, Builder.expr)


@RULES("random_card")
def _random_card(b: Builder, t: Tree[Token]) -> syntax.RandomCard:
    return syntax.RandomCard(span=b.span(t))


@RULES("top_card")
def _top_card(b: Builder, t: Tree[Token]) -> syntax.TopCard:
    return syntax.TopCard(span=b.span(t))


@RULES("everything")
def _everything(b: Builder, t: Tree[Token]) -> syntax.Everything:
    return syntax.Everything(span=b.span(t))


RULES.add_node("whole", syntax.WholeHolding, Builder.expr)


_ENDS = {
    "move": None,
    "move_to_top": syntax.StackEnd.TOP,
    "move_to_bottom": syntax.StackEnd.BOTTOM,
}


@RULES("move", "move_to_top", "move_to_bottom")
def _move(b: Builder, t: Tree[Token]) -> syntax.Move:
    things, source, destination, *instead = parts(t)
    return syntax.Move(
        _things(b, things),
        b.expr(source),
        b.expr(destination),
        _ENDS[t.data],
        any(instead),
        span=b.span(t),
    )


@RULES("discard")
def _discard(b: Builder, t: Tree[Token]) -> syntax.Discard:
    things, source = parts(t)
    return syntax.Discard(_things(b, things), b.expr(source), span=b.span(t))


@RULES("place")
def _place(b: Builder, t: Tree[Token]) -> syntax.Place:
    piece, *spaces, instead = parts(t)
    return syntax.Place(
        _lot(b, piece), b.exprs(spaces), instead is not None, span=b.span(t)
    )


@RULES("take_off")
def _take_off(b: Builder, t: Tree[Token]) -> syntax.TakeOff:
    piece, space = parts(t)
    return syntax.TakeOff(_lot(b, piece), b.expr(space), span=b.span(t))


def _lot(b: Builder, branch: Branch) -> syntax.Lot:
    return cast("syntax.Lot", b.build(branch))


RULES.add_node("shuffle", syntax.ShuffleStatement, Builder.expr)
RULES.add_node("carry_out", syntax.CarryOutStatement, Builder.expr)


@RULES("carries_out")
def _carries_out(b: Builder, t: Tree[Token]) -> syntax.CarryOutStatement:
    who, card = parts(t)
    return syntax.CarryOutStatement(b.expr(card), b.expr(who), span=b.span(t))


RULES.add_node("sees", syntax.SeesStatement, Builder.expr, Builder.expr)


# ---------------------------------------------------------------- chance


RULES.add_node("roll", syntax.Roll, Builder.name_list, Builder.optional_expr)
RULES.add_node("chance_chooses", syntax.ChanceChooses, node_of(syntax.BinderPhrase))
RULES.add_node(
    "spreads",
    syntax.Spreads,
    Builder.expr,
    node_of(syntax.BinderPhrase),
    Builder.name,
    Builder.optional_expr,
)
