"""Node builders for expressions and binders."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.node_builder import Builder, BuilderTable, parts
from rulebook.source.spans import Span

RULES = BuilderTable()

_LINK_ENDS = 2


# ---------------------------------------------------------------- single values


RULES.add_node("number", syntax.Number, Builder.number)


@RULES("minus_number")
def _minus_number(b: Builder, t: Tree[Token]) -> syntax.Number:
    (digits,) = parts(t)
    return syntax.Number(-b.number(digits), span=b.span(t))


@RULES("yes")
def _yes(b: Builder, t: Tree[Token]) -> syntax.YesNo:
    return syntax.YesNo(True, span=b.span(t))


@RULES("no")
def _no(b: Builder, t: Tree[Token]) -> syntax.YesNo:
    return syntax.YesNo(False, span=b.span(t))


@RULES("none")
def _none(b: Builder, t: Tree[Token]) -> syntax.NoneValue:
    return syntax.NoneValue(span=b.span(t))


@RULES("nothing")
def _nothing(b: Builder, t: Tree[Token]) -> syntax.Nothing:
    return syntax.Nothing(span=b.span(t))


@RULES("you")
def _you(b: Builder, t: Tree[Token]) -> syntax.You:
    return syntax.You(span=b.span(t))


RULES.add_node("name", syntax.NameRef, Builder.name)


@RULES("link")
def _link(b: Builder, t: Tree[Token]) -> syntax.LinkRef:
    (token,) = parts(t)
    assert isinstance(token, Token)
    return link(b, token)


def link(b: Builder, token: Token) -> syntax.LinkRef:
    """Return the link of a token such as `a-b`, with its two ends and their spans."""
    place = b.span(token)
    ends = token.split("-")
    if len(ends) > _LINK_ENDS:
        b.report(
            "RB026",
            f"`{token}` has {len(ends)} ends, but a link has two",
            place,
            help="a name has no hyphen: write `_` inside a name; put spaces "
            "around a minus",
        )
    names = []
    column = place.column
    for end in ends[:_LINK_ENDS]:
        after = column + len(end)
        names.append(
            syntax.Name(
                end, span=Span(place.file, place.line, column, place.line, after)
            )
        )
        column = after + 1
    first, second = names
    return syntax.LinkRef(first, second, span=place)


@RULES("yours")
def _yours(b: Builder, t: Tree[Token]) -> syntax.Of:
    name, arguments = parts(t)
    place = b.span(t)
    end = place.column + len("your")
    owner = syntax.You(span=Span(place.file, place.line, place.column, place.line, end))
    return syntax.Of(owner, b.name(name), b.arguments(arguments), span=place)


RULES.add_node("of", syntax.Of, Builder.expr, Builder.name, Builder.arguments)
RULES.add_node("apply", syntax.Apply, Builder.name, Builder.arguments)
RULES.add_node("cost_of", syntax.CostOf, Builder.name)


@RULES("amounts")
def _amounts(b: Builder, t: Tree[Token]) -> syntax.Amounts:
    return syntax.Amounts(b.nodes(syntax.Amount, parts(t)), span=b.span(t))


RULES.add_node("amount", syntax.Amount, Builder.number, Builder.name)


# ---------------------------------------------------------------- operators


RULES.add_node("negate", syntax.Negate, Builder.expr)


@RULES("compare")
def _compare(b: Builder, t: Tree[Token]) -> syntax.CompareExpression:
    left, operator, right = parts(t)
    comparison = syntax.Comparison(str(operator))
    return syntax.CompareExpression(
        comparison, b.expr(left), b.expr(right), span=b.span(t)
    )


RULES.add_node("and_then", syntax.AndExpression, Builder.expr, Builder.expr)
RULES.add_node("or_else", syntax.OrExpression, Builder.expr, Builder.expr)
RULES.add_node("not_so", syntax.NotExpression, Builder.expr)


@RULES("is_")
def _is(b: Builder, t: Tree[Token]) -> syntax.Is:
    subject, negation, word, preposition, thing = parts(t)
    assert isinstance(word, Tree)
    return syntax.Is(
        b.expr(subject),
        negation is not None,
        b.name(parts(word)[0]),
        None if preposition is None else str(preposition),
        b.optional_expr(thing),
        span=b.span(t),
    )


@RULES("is_same")
def _is_same(b: Builder, t: Tree[Token]) -> syntax.IsSame:
    subject, negation, other = parts(t)
    return syntax.IsSame(
        b.expr(subject), negation is not None, b.expr(other), span=b.span(t)
    )


@RULES("is_in")
def _is_in(b: Builder, t: Tree[Token]) -> syntax.IsIn:
    subject, negation, container = parts(t)
    return syntax.IsIn(
        b.expr(subject), negation is not None, b.expr(container), span=b.span(t)
    )


@RULES("has")
def _has(b: Builder, t: Tree[Token]) -> syntax.Has:
    subject, content = parts(t)
    built = cast("syntax.Content", b.build(content))
    return syntax.Has(b.expr(subject), built, span=b.span(t))


@RULES("has_a")
def _has_a(b: Builder, t: Tree[Token]) -> syntax.HasA:
    (name,) = parts(t)
    return syntax.HasA(b.name(name), True, span=b.span(t))


@RULES("has_no")
def _has_no(b: Builder, t: Tree[Token]) -> syntax.HasA | syntax.HasThing:
    (branch,) = parts(t)
    value = b.expr(branch)
    if isinstance(value, syntax.NameRef):
        return syntax.HasA(value.name, False, span=b.span(t))
    return syntax.HasThing(value, False, span=b.span(t))


@RULES("has_anothers", "has_no_anothers")
def _has_anothers(b: Builder, t: Tree[Token]) -> syntax.HasAnothers:
    kind, name = parts(t)
    present = t.data == "has_anothers"
    return syntax.HasAnothers(b.name(kind), b.name(name), present, span=b.span(t))


RULES.add_node("has_some", syntax.HasSome, Builder.expr, Builder.expr)
RULES.add_node("has_room", syntax.HasRoom, Builder.expr)


@RULES("has_room_some", "has_room_some_of")
def _has_room_some(b: Builder, t: Tree[Token]) -> syntax.HasRoom:
    count, value = parts(t)
    return syntax.HasRoom(b.expr(value), b.expr(count), span=b.span(t))


RULES.add_node("has_amount", syntax.HasAmount, Builder.expr, Builder.name)
RULES.add_node("has_thing", syntax.HasThing, Builder.expr)
