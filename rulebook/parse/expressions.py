"""Builders of expressions and binders."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.tree import Builder, Rules, parts
from rulebook.source.spans import Span

RULES = Rules()

_ARITHMETIC = {"add": "+", "subtract": "-", "multiply": "*"}
_LINK_ENDS = 2


# ---------------------------------------------------------------- single values


@RULES("number")
def _number(b: Builder, t: Tree[Token]) -> syntax.Number:
    (digits,) = parts(t)
    return syntax.Number(b.number(digits), span=b.span(t))


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


@RULES("name")
def _name(b: Builder, t: Tree[Token]) -> syntax.NameRef:
    (name,) = parts(t)
    return syntax.NameRef(b.name(name), span=b.span(t))


@RULES("link")
def _link(b: Builder, t: Tree[Token]) -> syntax.LinkRef:
    (token,) = parts(t)
    assert isinstance(token, Token)
    return link(b, token)


def link(b: Builder, token: Token) -> syntax.LinkRef:
    """Return the link of a token such as `a-b`, its two ends with their places."""
    place = b.span(token)
    ends = token.split("-")
    if len(ends) > _LINK_ENDS:
        b.report(
            "RB026",
            f"`{token}` has {len(ends)} ends, and a link has two",
            place,
            help="a name has no hyphen: write `_` inside a name; minus has blanks "
            "around it",
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


@RULES("of")
def _of(b: Builder, t: Tree[Token]) -> syntax.Of:
    owner, name, arguments = parts(t)
    return syntax.Of(
        b.expr(owner), b.name(name), b.arguments(arguments), span=b.span(t)
    )


@RULES("apply")
def _apply(b: Builder, t: Tree[Token]) -> syntax.Apply:
    name, arguments = parts(t)
    return syntax.Apply(b.name(name), b.arguments(arguments), span=b.span(t))


@RULES("cost_of")
def _cost_of(b: Builder, t: Tree[Token]) -> syntax.CostOf:
    (name,) = parts(t)
    return syntax.CostOf(b.name(name), span=b.span(t))


@RULES("amounts")
def _amounts(b: Builder, t: Tree[Token]) -> syntax.Amounts:
    return syntax.Amounts(b.nodes(syntax.Amount, parts(t)), span=b.span(t))


@RULES("amount")
def _amount(b: Builder, t: Tree[Token]) -> syntax.Amount:
    count, name = parts(t)
    return syntax.Amount(b.number(count), b.name(name), span=b.span(t))


# ---------------------------------------------------------------- operators


@RULES("add", "subtract", "multiply")
def _arith(b: Builder, t: Tree[Token]) -> syntax.Arith:
    left, right = parts(t)
    operator = _ARITHMETIC[t.data]
    return syntax.Arith(operator, b.expr(left), b.expr(right), span=b.span(t))


@RULES("negate")
def _negate(b: Builder, t: Tree[Token]) -> syntax.Negate:
    (value,) = parts(t)
    return syntax.Negate(b.expr(value), span=b.span(t))


@RULES("compare")
def _compare(b: Builder, t: Tree[Token]) -> syntax.Compare:
    left, operator, right = parts(t)
    return syntax.Compare(str(operator), b.expr(left), b.expr(right), span=b.span(t))


@RULES("and_then")
def _and(b: Builder, t: Tree[Token]) -> syntax.And:
    left, right = parts(t)
    return syntax.And(b.expr(left), b.expr(right), span=b.span(t))


@RULES("or_else")
def _or(b: Builder, t: Tree[Token]) -> syntax.Or:
    left, right = parts(t)
    return syntax.Or(b.expr(left), b.expr(right), span=b.span(t))


@RULES("not_so")
def _not(b: Builder, t: Tree[Token]) -> syntax.Not:
    (value,) = parts(t)
    return syntax.Not(b.expr(value), span=b.span(t))


@RULES("is_")
def _is(b: Builder, t: Tree[Token]) -> syntax.Is:
    subject, negation, word, preposition, thing = parts(t)
    assert isinstance(word, Tree)
    return syntax.Is(
        b.expr(subject),
        negation is not None,
        b.name(parts(word)[0]),
        None if preposition is None else str(preposition),
        b.maybe_expr(thing),
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
    (name,) = parts(t)
    present = t.data == "has_anothers"
    return syntax.HasAnothers(b.name(name), present, span=b.span(t))


@RULES("has_some")
def _has_some(b: Builder, t: Tree[Token]) -> syntax.HasSome:
    count, value = parts(t)
    return syntax.HasSome(b.expr(count), b.expr(value), span=b.span(t))


@RULES("has_room")
def _has_room(b: Builder, t: Tree[Token]) -> syntax.HasRoom:
    (value,) = parts(t)
    return syntax.HasRoom(b.expr(value), span=b.span(t))


@RULES("has_room_some", "has_room_some_of")
def _has_room_some(b: Builder, t: Tree[Token]) -> syntax.HasRoom:
    count, value = parts(t)
    return syntax.HasRoom(b.expr(value), b.expr(count), span=b.span(t))


@RULES("has_amount")
def _has_amount(b: Builder, t: Tree[Token]) -> syntax.HasAmount:
    count, name = parts(t)
    return syntax.HasAmount(b.expr(count), b.name(name), span=b.span(t))


@RULES("has_thing")
def _has_thing(b: Builder, t: Tree[Token]) -> syntax.HasThing:
    (value,) = parts(t)
    return syntax.HasThing(b.expr(value), span=b.span(t))
