"""Writers of expressions, types and binders, with as few brackets as possible.

Each node has a rank, from the loosest phrase to a single name. Brackets are written
where a place requires a tighter rank. The ranks are the levels of the grammar's
expressions.
"""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from rulebook import syntax
from rulebook.completeness import check_complete


class Rank(IntEnum):
    """Precedence of the parts of an expression."""

    PHRASE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARE = 4
    SUM = 5
    PRODUCT = 6
    UNARY = 7
    POSTFIX = 8


def expr(node: syntax.Expr, min_rank: Rank = Rank.PHRASE) -> str:
    """Return an expression as text, in brackets if its rank is below `min_rank`."""
    text, rank = _text_and_rank(node)
    return f"({text})" if rank < min_rank else text


def postfix(node: syntax.Expr) -> str:
    """Return an expression as text where only a name with its owners is allowed."""
    return expr(node, Rank.POSTFIX)


def _text_and_rank(node: syntax.Expr) -> tuple[str, Rank]:
    match node:
        case syntax.AndExpression(left, right):
            return f"{expr(left, Rank.AND)} and {expr(right, Rank.NOT)}", Rank.AND
        case syntax.OrExpression(left, right):
            return f"{expr(left, Rank.OR)} or {expr(right, Rank.AND)}", Rank.OR
        case syntax.NotExpression(value):
            return f"not {expr(value, Rank.NOT)}", Rank.NOT
        case syntax.ArithExpression(operator, left, right):
            return _arith(operator, left, right)
        case syntax.CompareExpression(operator, left, right):
            text = f"{expr(left, Rank.SUM)} {operator} {expr(right, Rank.SUM)}"
            return text, Rank.COMPARE
        case syntax.Is() | syntax.IsIn() | syntax.IsSame():
            return _is(node), Rank.COMPARE
        case syntax.Has(subject, inner):
            return f"{expr(subject, Rank.SUM)} has {content(inner)}", Rank.COMPARE
        case (
            syntax.Some()
            | syntax.NoneOf()
            | syntax.Every()
            | syntax.ExactlyOne()
            | syntax.First()
            | syntax.OnlyExpression()
            | syntax.HighestExpression()
            | syntax.SumOver()
            | syntax.BagOverExpression()
            | syntax.LongestTrailExpression()
            | syntax.ReachExpression()
            | syntax.DistanceExpression()
        ):
            return _phrase(node), Rank.PHRASE
        case (
            syntax.SomeCombination()
            | syntax.NoCombination()
            | syntax.NumberOfCombinations()
            | syntax.HighestOfCombinations()
        ):
            return _combinations(node), Rank.PHRASE
        case syntax.NextPlayer(after, where):
            bare = after is None and where is None
            return _next_player(node), Rank.POSTFIX if bare else Rank.PHRASE
        case syntax.NumberOf(where=where, best=best, range=numbers):
            bare = where is None and not best and numbers is None
            return _number_of(node), Rank.UNARY if bare else Rank.PHRASE
        case (
            syntax.Negate()
            | syntax.HalfOf()
            | syntax.MemberAfterExpression()
            | syntax.CardAt()
            | syntax.PieceFieldValue()
            | syntax.ExtremeExpression()
            | syntax.Number()
            | syntax.YesNo()
            | syntax.NoneValue()
            | syntax.Nothing()
        ):
            return _unary(node), Rank.UNARY
        case syntax.ConditionalExpression():
            return f"({_conditional(node)})", Rank.POSTFIX
        case syntax.Amounts(amounts):
            text = ", ".join(f"{amount.count} {amount.name.text}" for amount in amounts)
            return text, Rank.PHRASE
        case _:
            return _single(node), Rank.POSTFIX


_SUM = (Rank.SUM, Rank.SUM, Rank.PRODUCT)
_PRODUCT = (Rank.PRODUCT, Rank.PRODUCT, Rank.UNARY)
_UNARIES = (Rank.UNARY, Rank.UNARY, Rank.UNARY)
_ARITHMETIC: dict[syntax.ArithmeticOperator, tuple[str, Rank, Rank, Rank]] = {
    syntax.ArithmeticOperator.PLUS: ("{} + {}", *_SUM),
    syntax.ArithmeticOperator.MINUS: ("{} - {}", *_SUM),
    syntax.ArithmeticOperator.TIMES: ("{} * {}", *_PRODUCT),
    syntax.ArithmeticOperator.DOWN: ("{} divided by {}", *_PRODUCT),
    syntax.ArithmeticOperator.UP: ("{} divided by {}, rounded up", *_PRODUCT),
    syntax.ArithmeticOperator.REMAINDER: ("remainder of {} divided by {}", *_UNARIES),
}
"""Text of each arithmetic operator, its rank, and the ranks of its operands."""

check_complete(
    "the text of arithmetic operators", _ARITHMETIC, syntax.ArithmeticOperator
)


def _arith(
    operator: syntax.ArithmeticOperator, left: syntax.Expr, right: syntax.Expr
) -> tuple[str, Rank]:
    text, rank, first, second = _ARITHMETIC[operator]
    return text.format(expr(left, first), expr(right, second)), rank


def _conditional(node: syntax.ConditionalExpression) -> str:
    text = f"{expr(node.value)} if {expr(node.condition)}, "
    if isinstance(node.other, syntax.ConditionalExpression):
        return text + _conditional(node.other)
    return f"{text}otherwise {expr(node.other)}"


def _is(node: syntax.Is | syntax.IsIn | syntax.IsSame) -> str:
    start = f"{expr(node.subject, Rank.SUM)} is {'not ' * node.negated}"
    if isinstance(node, syntax.IsIn):
        return f"{start}in {postfix(node.container)}"
    if isinstance(node, syntax.IsSame):
        return f"{start}{expr(node.other, Rank.UNARY)}"
    if node.object is None:
        return f"{start}{node.word.text}"
    number = isinstance(node.object, syntax.Number)
    thing = expr(node.object) if number else postfix(node.object)
    return f"{start}{node.word.text} {node.preposition} {thing}"


def _phrase(node: _Phrase) -> str:
    match node:
        case syntax.Some(inner):
            return f"some {binder(inner)}"
        case syntax.NoneOf(inner):
            return f"no {binder(inner)}"
        case syntax.Every(inner):
            return f"every {binder(inner)}"
        case syntax.ExactlyOne(inner):
            return f"exactly one {binder(inner)}"
        case syntax.First(inner):
            return f"first {binder(inner)}"
        case syntax.OnlyExpression(inner):
            return f"only {binder(inner)}"
        case syntax.HighestExpression(word, value, inner):
            return f"{word} {_measure(value)} of any {binder(inner)}"
        case syntax.SumOver(inner, value):
            return f"sum over {binder(inner, Rank.OR)} of {expr(value)}"
        case syntax.BagOverExpression(inner, count):
            return f"bag over {binder(inner, Rank.OR)} of {expr(count)}"
        case syntax.LongestTrailExpression():
            return _trail(node)
        case syntax.ReachExpression(start, over, through, within):
            way = _path_binders(over, through, has_more=within is not None)
            steps = "" if within is None else f" within {_number(within)}"
            return f"reach from {postfix(start)}{way}{steps}"
        case syntax.DistanceExpression(start, goal, over, through, by):
            way = _path_binders(over, through, has_more=by is not None)
            ends = f"from {postfix(start)} to {postfix(goal)}{way}"
            if by is None:
                return f"steps {ends}"
            return f"cheapest way {ends} by {_measure(by)}"


_Combinations = (
    syntax.SomeCombination
    | syntax.NoCombination
    | syntax.NumberOfCombinations
    | syntax.HighestOfCombinations
)


def _combinations(node: _Combinations) -> str:
    match node:
        case syntax.SomeCombination(inner):
            return f"some combination{_combination(inner)}"
        case syntax.NoCombination(inner):
            return f"no combination{_combination(inner)}"
        case syntax.NumberOfCombinations(inner):
            return f"number of combinations{_combination(inner)}"
        case syntax.HighestOfCombinations(word, value, inner):
            text = f"{word} {_measure(value)} of any combination"
            return f"{text}{_combination(inner)}"


def _combination(node: syntax.CombinationPhrase) -> str:
    """Return the text after the word `combination`, with a leading space."""
    name = "" if node.name is None else f" {node.name.text}"
    text = f"{name} of {_size(node)}{node.kind.text} in {postfix(node.holder)}"
    return text if node.where is None else f"{text} where {expr(node.where)}"


def _size(node: syntax.CombinationPhrase) -> str:
    """Return the text of the size of a combination, or "" if it has none."""
    if node.least is None and node.most is None:
        return ""
    if node.least == node.most and node.least is not None:
        return f"{expr(node.least, Rank.SUM)} "
    if node.least is not None:
        return f"at least {expr(node.least, Rank.SUM)} "
    assert node.most is not None
    return f"at most {expr(node.most, Rank.SUM)} "


def _trail(node: syntax.LongestTrailExpression) -> str:
    links = " and ".join(map(postfix, (node.links, *node.also)))
    text = f"longest trail of {links}"
    if node.by is not None:
        text += f" by {_measure(node.by)}"
    if node.changing_at is not None:
        last = Rank.PHRASE if node.broken_at is None else Rank.OR
        text += f" changing at {binder(node.changing_at, last)}"
    if node.broken_at is not None:
        text += f" broken at {binder(node.broken_at)}"
    return text


def _path_binders(
    over: syntax.BinderPhrase,
    through: syntax.BinderPhrase | None,
    *,
    has_more: bool = False,
) -> str:
    """Return the text of a path's binders; with *has_more*, other text follows."""
    last = Rank.OR if has_more else Rank.PHRASE
    if through is None:
        return f" over {binder(over, last)}"
    return f" over {binder(over, Rank.OR)} through {binder(through, last)}"


def _number(node: syntax.Expr) -> str:
    word = "step" if node == syntax.Number(1) else "steps"
    return f"{expr(node, Rank.SUM)} {word}"


def _number_of(node: syntax.NumberOf) -> str:
    text = f"number of {_pieces(node)}"
    if node.name is not None:
        text += f" {node.name.text}"
    if node.place is not None:
        text += f" {'on' if node.on else 'in'} {postfix(node.place)}"
    if node.range is not None:
        numbers = _domain(node.range)
        is_plain = isinstance(node.range.low, syntax.Number | syntax.Negate)
        text += f" in {numbers if is_plain else f'({numbers})'}"
    text += superlative(node.best)
    return text if node.where is None else f"{text} where {expr(node.where)}"


def _pieces(node: syntax.NumberOf) -> str:
    whose = f"another {node.another.text}'s " if node.another else ""
    return f"{whose}{postfix(node.what)}"


def _next_player(node: syntax.NextPlayer) -> str:
    text = "next player"
    if node.after is not None:
        text += f" after {postfix(node.after)}"
    return text if node.where is None else f"{text} where {expr(node.where)}"


_Phrase = (
    syntax.Some
    | syntax.NoneOf
    | syntax.Every
    | syntax.ExactlyOne
    | syntax.First
    | syntax.OnlyExpression
    | syntax.HighestExpression
    | syntax.SumOver
    | syntax.BagOverExpression
    | syntax.LongestTrailExpression
    | syntax.ReachExpression
    | syntax.DistanceExpression
)

_Unary = (
    syntax.Negate
    | syntax.HalfOf
    | syntax.MemberAfterExpression
    | syntax.CardAt
    | syntax.PieceFieldValue
    | syntax.ExtremeExpression
    | syntax.Number
    | syntax.YesNo
    | syntax.NoneValue
    | syntax.Nothing
)


def _unary(node: _Unary) -> str:
    match node:
        case syntax.Negate(value):
            return f"-{expr(value, Rank.UNARY)}"
        case syntax.HalfOf(value):
            return f"half of {expr(value, Rank.UNARY)}"
        case syntax.MemberAfterExpression(places, member, before):
            number = places if isinstance(places, syntax.Number) else None
            count = postfix(places) if number is None else str(number.value)
            noun = "place" if places == syntax.Number(1) else "places"
            word = "before" if before else "after"
            return f"{count} {noun} {word} {postfix(member)}"
        case syntax.CardAt(stack, place, bottom):
            if place is None:
                return f"the top card of {postfix(stack)}"
            end = "from the bottom of" if bottom else "of"
            return f"the card at place {expr(place, Rank.UNARY)} {end} {postfix(stack)}"
        case syntax.PieceFieldValue(piece, name, space):
            return f"{postfix(piece)}'s {name.text} at {postfix(space)}"
        case syntax.ExtremeExpression(smaller, left, right):
            word = "smaller" if smaller else "larger"
            return f"{word} of ({expr(left)}, {expr(right)})"
        case syntax.Number(value=number):
            return str(number)
        case syntax.YesNo(value=yes):
            return "yes" if yes else "no"
        case syntax.NoneValue():
            return "none"
        case syntax.Nothing():
            return "nothing"


_Single = (
    syntax.NameRef
    | syntax.LinkRef
    | syntax.You
    | syntax.Of
    | syntax.Apply
    | syntax.CostOf
)


def _single(node: _Single) -> str:
    match node:
        case syntax.NameRef(name):
            return name.text
        case syntax.LinkRef(first, second):
            return f"{first.text}-{second.text}"
        case syntax.You():
            return "you"
        case syntax.Of(syntax.You(), name, given):
            return f"your {name.text}{arguments(given)}"
        case syntax.Of(owner, name, given):
            return f"{postfix(owner)}'s {name.text}{arguments(given)}"
        case syntax.Apply(name, given):
            return f"{name.text}{arguments(given)}"
        case syntax.CostOf(name):
            return f"cost of {name.text}"
        case _:
            assert_never(node)


def arguments(nodes: tuple[syntax.Expr, ...]) -> str:
    """Return arguments in brackets as text, or "" if there are none."""
    return f"({', '.join(map(expr, nodes))})" if nodes else ""


def content(node: syntax.Content) -> str:
    """Return the text that follows `has`."""
    match node:
        case syntax.HasA(name, present):
            return f"{_article(name.text) if present else 'no'} {name.text}"
        case syntax.HasAnothers(kind, name, present):
            another = "another" if present else "no other"
            return f"{another} {kind.text}'s {name.text}"
        case syntax.HasAmount(syntax.Number(count), name):
            return f"{count} {name.text}"
        case syntax.HasAmount(number, name):
            return f"at least {expr(number, Rank.SUM)} {name.text}"
        case syntax.HasThing(value, present):
            return f"{'' if present else 'no '}{postfix(value)}"
        case syntax.HasSome(number, value):
            least = "" if isinstance(number, syntax.Number) else "at least "
            return f"{least}{expr(number, Rank.SUM)} of {postfix(value)}"
        case syntax.HasRoom(syntax.NameRef(name), None):
            return f"room for {_article(name.text)} {name.text}"
        case syntax.HasRoom(value, None):
            return f"room for {postfix(value)}"
        case syntax.HasRoom(value, number):
            assert number is not None
            of = "" if isinstance(value, syntax.NameRef) else "of "
            return f"room for {expr(number)} {of}{postfix(value)}"


def _article(word: str) -> str:
    return "an" if word[0].casefold() in "aeiou" else "a"


def binder(node: syntax.BinderPhrase, condition_rank: Rank = Rank.PHRASE) -> str:
    """Return a binder as text; a condition below `condition_rank` gets brackets."""
    text = node.kind.text
    if node.before is not None:
        text += f" {node.before.text} to"
    if node.name is not None:
        text += f" {node.name.text}"
    if node.domain is not None:
        text += f" in {_domain(node.domain)}"
    if node.order is not None:
        falling = "falling " * node.order.falling
        text += f" in {falling}order of "
        text += ", then ".join(map(_measure, node.order.values))
        if node.order.count is not None:
            plain = isinstance(node.order.count, syntax.Number)
            most = expr(node.order.count)
            text += f", first {most if plain else f'({most})'}"
    text += superlative(node.best)
    if node.where is None:
        return text
    return f"{text} where {'still ' * node.still}{expr(node.where, condition_rank)}"


def superlative(nodes: tuple[syntax.Most, ...]) -> str:
    """Return the text of a superlative with a leading space, or "" if there is none."""
    return f" with the {ranking(nodes)}" if nodes else ""


def ranking(nodes: tuple[syntax.Most, ...]) -> str:
    """Return the text of a superlative's measures, in order."""
    return ", then the ".join(f"{node.word} {_measure(node.value)}" for node in nodes)


def _measure(node: syntax.Expr) -> str:
    """Return the text of a measure; `number of` is left out: `most cards in a bag`."""
    match node:
        case syntax.NumberOf(what, place, None, (), None, on, None, None) if (
            place is not None
        ):
            return f"{postfix(what)} {'on' if on else 'in'} {postfix(place)}"
        case _:
            return expr(node, Rank.SUM)


def _domain(node: syntax.Expr | syntax.ClockwiseExpression | syntax.NumberRange) -> str:
    match node:
        case syntax.ClockwiseExpression(start, reverse, after):
            way = "counterclockwise to" if reverse else "clockwise from"
            way = "clockwise after" if after else way
            return f"players {way} {postfix(start)}"
        case syntax.NumberRange(low, high):
            return f"{expr(low, Rank.SUM)} to {expr(high, Rank.SUM)}"
        case _:
            return postfix(node)


def type_(node: syntax.TypeExpr) -> str:
    """Return the text of a type."""
    match node:
        case syntax.RangeType(low, high, optional):
            return f"{expr(low)} to {expr(high)}{' or none' * optional}"
        case syntax.YesNoType():
            return "yes/no"
        case syntax.KindType(name, optional):
            return f"{name.text} or none" if optional else name.text
        case syntax.HolderType(form, name, endless):
            return f"{'endless ' * endless}{form} of {name.text}"


def parameter(node: syntax.ParameterPhrase) -> str:
    """Return the text of a parameter; a name equal to its kind's is left out."""
    if node.range is not None:
        return f"{type_(node.range)} {node.name.text}"
    assert node.kind is not None
    if node.held is not None:
        return f"{node.kind.text} of {node.held.text} {node.name.text}"
    if node.kind.text == node.name.text:
        return node.kind.text
    return f"{node.kind.text} {node.name.text}"


def parameters(nodes: tuple[syntax.ParameterPhrase, ...]) -> str:
    """Return parameters in brackets as text, or "" if there are none."""
    return f"({', '.join(map(parameter, nodes))})" if nodes else ""


def names(nodes: tuple[syntax.Name, ...], separator: str = ", ") -> str:
    """Return names as text, joined by *separator*."""
    return separator.join(node.text for node in nodes)
