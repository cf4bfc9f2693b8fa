"""Writers of statements.

A block of one short sentence stays on the line of its heading if the author wrote it
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import attrs

from rulebook import syntax
from rulebook.traversal import children
from rulebook.write.expression_text import (
    Rank,
    arguments,
    binder,
    expr,
    names,
    postfix,
    ranking,
)
from rulebook.write.text_lines import Line, indent

_TurnOrder = (
    syntax.StartsStatement
    | syntax.NextTurnStatement
    | syntax.MissesTurnStatement
    | syntax.TurnsGoStatement
)

_Ending = (
    syntax.WinsStatement
    | syntax.WinTogether
    | syntax.BestWin
    | syntax.GameEndsStatement
    | syntax.Draws
)

BLOCKS = (
    syntax.StepStatement,
    syntax.IfStatement,
    syntax.EachStatement,
    syntax.TogetherStatement,
    syntax.RepeatStatement,
    syntax.MayChoose,
    syntax.Menu,
)


def statements(body: Sequence[syntax.Stmt]) -> list[Line]:
    """Return the text lines of several statements."""
    return [line for node in body for line in statement(node)]


def statement(node: syntax.Stmt) -> list[Line]:
    """Return the text lines of a statement."""
    match node:
        case syntax.StepStatement(name, body):
            return block(node, f"step {name.text}", body)
        case syntax.IfStatement():
            return _if(node, "if")
        case syntax.EachStatement(inner, body, times):
            head = f"each {binder(inner)}"
            if times is not None:
                head += f", until one is left, at most {expr(times)} times"
            return block(node, head, body)
        case syntax.TogetherStatement(inner, body):
            return block(node, f"at the same time each {binder(inner)}", body)
        case syntax.RepeatStatement(times, body, until):
            many = f"{expr(times)} times"
            if until is not None:
                many = f"until {expr(until)}, at most {many}"
            return block(node, f"repeat {many}", body)
        case syntax.MayChoose(who, inner, body, other):
            head = f"{_subject(who)} may choose {binder(inner)}"
            return block(node, head, body) + _otherwise(other, body, node)
        case syntax.MayDo(_, _, body, other) if body:
            head = _may_do(node)
            return block(node, head, body) + _otherwise(other, body, node)
        case syntax.Menu(who, until, chosen):
            head = f"{_subject(who)} may, until {until.text}:"
            line = Line(calls(chosen), 1, (), chosen[0].span)
            return [Line(head, 0, node.cites, node.span), line]
        case _:
            return [Line(simple_statement(node), 0, node.cites, node.span)]


def block(node: syntax.Statement, head: str, body: Sequence[syntax.Stmt]) -> list[Line]:
    """Return the text lines of a heading and the statements below it."""
    if _stays_inline(node, body):
        (line,) = statement(body[0])
        return [Line(f"{head}: {line.text}", 0, line.cites, node.span)]
    return [Line(f"{head}:", 0, node.cites, node.span), *indent(statements(body))]


def _stays_inline(node: syntax.Statement, body: Sequence[syntax.Stmt]) -> bool:
    first = body[0]
    return (
        len(body) == 1
        and not node.cites
        and first.span.line == _last_line(node, first)
        and _is_short(first)
    )


def _last_line(node: syntax.Statement, first: syntax.Stmt) -> int:
    """Return the number of the last line before a statement's inner statements."""
    inner = (child for part in children(node) for child in (part, *children(part)))
    spans = [part.span for part in (node, *inner) if isinstance(part, syntax.Node)]
    begins = (first.span.line, first.span.column)
    before = [span for span in spans if (span.end_line, span.end_column) <= begins]
    return max([node.span.line, *(span.end_line for span in before)])


def _is_short(node: syntax.Stmt) -> bool:
    """Return whether a statement may follow a colon on the same line."""
    if isinstance(node, syntax.EachStatement | syntax.RepeatStatement):
        return _stays_inline(node, node.body) and not node.body[0].cites
    if isinstance(node, syntax.MayDo):
        return not node.body
    return not isinstance(node, BLOCKS)


def _if(node: syntax.IfStatement, word: str) -> list[Line]:
    lines = block(node, f"{word} {expr(node.condition)}", node.body)
    if len(node.otherwise) == 1 and isinstance(node.otherwise[0], syntax.IfStatement):
        return lines + _if(node.otherwise[0], "otherwise if")
    return lines + _otherwise(node.otherwise, node.body, node)


def _otherwise(
    other: Sequence[syntax.Stmt], body: Sequence[syntax.Stmt], node: syntax.Statement
) -> list[Line]:
    if not other:
        return []
    alike = attrs.evolve(node, cites=(), span=other[0].span)
    if not _stays_inline(node, body):
        return [Line("otherwise:", 0, (), other[0].span), *indent(statements(other))]
    return block(alike, "otherwise", other)


def calls(nodes: tuple[syntax.ActionOffer, ...]) -> str:
    """Return the text of the actions in a choice."""
    return ", ".join(map(call, nodes))


def call(node: syntax.ActionOffer) -> str:
    """Return the text of one action in a choice."""
    free = " without paying" * node.without_paying
    return f"{node.name.text}{arguments(node.arguments)}{free}"


PLURAL_VIEWERS = ("all", "spectators")
"""Names of viewers that need a verb in the plural."""


def _verb(subject: syntax.Expr, plain: str, third_person: str) -> str:
    match subject:
        case syntax.You():
            verb = plain
        case syntax.NameRef(name=name) if name.text in PLURAL_VIEWERS:
            verb = plain
        case _:
            verb = third_person
    return f"{_subject(subject)} {verb}"


def _may_do(node: syntax.MayDo) -> str:
    """Return the text of the subject, the actions and the number of times."""
    text = f"{_subject(node.player)} may do {calls(node.calls)}"
    if node.times is None:
        return text
    return f"{text}, up to {expr(node.times, Rank.SUM)} times"


def _place(node: syntax.Expr) -> str:
    """Return the text of the field or variable that a statement changes."""
    return expr(node) if isinstance(node, syntax.PieceFieldValue) else postfix(node)


def _change_amount(value: syntax.Expr, *, up_to: bool) -> str:
    """Return the text of the amount by which a number changes."""
    return f"up to {expr(value, Rank.SUM)}" if up_to else expr(value)


def _subject(subject: syntax.Expr) -> str:
    """Return the text of a sentence's subject."""
    if isinstance(subject, syntax.First | syntax.OnlyExpression | syntax.NextPlayer):
        return f"the {expr(subject)}"
    return postfix(subject)


def _ending(node: _Ending) -> str:
    """Return the text of a statement that ends the game."""
    match node:
        case syntax.WinsStatement(syntax.Every(inner)):
            return f"every {binder(inner)}, wins"
        case syntax.WinsStatement(who):
            return _verb(who, "win", "wins")
        case syntax.WinTogether(who):
            return f"{' and '.join(map(postfix, who))} win"
        case syntax.BestWin(best, where):
            tested = "" if where is None else f" where {expr(where)}"
            comma = "," if tested or len(best) > 1 else ""
            return f"the players with the {ranking(best)}{tested}{comma} win"
        case syntax.GameEndsStatement():
            return "the game ends"
        case syntax.Draws():
            return "nobody wins"


def _order(node: _TurnOrder) -> str:
    """Return the text of a statement about the order of turns."""
    match node:
        case syntax.StartsStatement(who):
            return f"{_subject(who)} starts"
        case syntax.NextTurnStatement(who):
            return f"{_verb(who, 'have', 'has')} the next turn"
        case syntax.MissesTurnStatement(who):
            return f"{_verb(who, 'miss', 'misses')} a turn"
        case syntax.TurnsGoStatement(way):
            article = "the " if way is syntax.TurnDirection.OTHER else ""
            return f"the turns go {article}{way}"


def simple_statement(node: syntax.Stmt) -> str:
    """Return the text of a statement that contains no other statements."""
    match node:
        case syntax.Perform(name, given):
            return f"{name.text}{arguments(given)}"
        case syntax.Let() | syntax.LetTally() | syntax.LetBag():
            return _let(node)
        case syntax.SetTo() | syntax.Change() | syntax.Forget():
            return _set(node)
        case (
            syntax.Move()
            | syntax.Discard()
            | syntax.Place()
            | syntax.TakeOff()
            | syntax.ShuffleStatement()
            | syntax.CarryOutStatement()
        ):
            return _move_text(node)
        case syntax.Roll() | syntax.ChanceChooses() | syntax.Spreads():
            return _chance(node)
        case syntax.ChooseStatement(who, inner, several):
            suffix = ", if there are several" * several
            return f"{_verb(who, 'choose', 'chooses')} {binder(inner)}{suffix}"
        case syntax.GatherStatement():
            return _gather(node)
        case syntax.Do(who, chosen):
            return f"{_verb(who, 'do', 'does')} {calls(chosen)}"
        case syntax.MayDo():
            return _may_do(node)
        case syntax.SeesStatement(who, what):
            return f"{_verb(who, 'see', 'sees')} {expr(what)}"
        case (
            syntax.WinsStatement()
            | syntax.WinTogether()
            | syntax.BestWin()
            | syntax.GameEndsStatement()
            | syntax.Draws()
        ):
            return _ending(node)
        case (
            syntax.StartsStatement()
            | syntax.NextTurnStatement()
            | syntax.MissesTurnStatement()
            | syntax.TurnsGoStatement()
        ):
            return _order(node)
        case (
            syntax.AnnounceStatement()
            | syntax.StopStatement()
            | syntax.RequireStatement()
        ):
            return _short(node)
        case (
            syntax.MayNot()
            | syntax.MayStill()
            | syntax.DoesNotSee()
            | syntax.IsToMove()
            | syntax.ChanceGives()
        ):
            return _scenario(node)
        case (
            syntax.StepStatement()
            | syntax.IfStatement()
            | syntax.EachStatement()
            | syntax.TogetherStatement()
            | syntax.RepeatStatement()
            | syntax.MayChoose()
            | syntax.Menu()
        ):
            raise AssertionError(node)
        case _:
            assert_never(node)


def _short(
    node: syntax.AnnounceStatement | syntax.StopStatement | syntax.RequireStatement,
) -> str:
    match node:
        case syntax.AnnounceStatement(text):
            return f'announce "{text}"'
        case syntax.StopStatement():
            return "stop"
        case syntax.RequireStatement(condition):
            return f"require {expr(condition)}"


def _set(node: syntax.SetTo | syntax.Change | syntax.Forget) -> str:
    match node:
        case syntax.SetTo(target, value):
            return f"set {_place(target)} to {expr(value)}"
        case syntax.Change(target, value, increase, up_to):
            verb = "increase" if increase else "decrease"
            return f"{verb} {_place(target)} by {_change_amount(value, up_to=up_to)}"
        case syntax.Forget(target):
            return f"forget {postfix(target)}"


def _let(node: syntax.Let | syntax.LetTally | syntax.LetBag) -> str:
    match node:
        case syntax.Let(name, value):
            return f"let {name.text} be {expr(value)}"
        case syntax.LetTally(name, kinds):
            return f"let {name.text} be a tally of {names(kinds, ' and ')}"
        case syntax.LetBag(name, kind):
            return f"let {name.text} be nothing of {kind.text}"


_MoveStatement = (
    syntax.Move
    | syntax.Discard
    | syntax.Place
    | syntax.TakeOff
    | syntax.ShuffleStatement
    | syntax.CarryOutStatement
)


def _move_text(node: _MoveStatement) -> str:
    match node:
        case syntax.Move(things, source, destination, end, instead):
            where = "" if end is None else f"{end} of "
            moved = f"move {_things(things)} from {postfix(source)}"
            return f"{moved} to {where}{postfix(destination)}{INSTEAD * instead}"
        case syntax.Discard(things, source):
            return f"discard {_things(things)} from {postfix(source)}"
        case syntax.Place(piece, spaces, instead):
            where = ", ".join(map(postfix, spaces))
            return f"place {_lot(piece)} on {where}{INSTEAD * instead}"
        case syntax.TakeOff(piece, space):
            return f"remove {_lot(piece)} from {postfix(space)}"
        case syntax.ShuffleStatement(stack):
            return f"shuffle {postfix(stack)}"
        case syntax.CarryOutStatement(card, who):
            if who is None:
                return f"carry out {postfix(card)}"
            verb = "carry out" if isinstance(who, syntax.You) else "carries out"
            return f"{postfix(who)} {verb} {postfix(card)}"


INSTEAD = " in place of what stands there"


def _lot(node: syntax.Lot) -> str:
    match node:
        case syntax.SomeOf() | syntax.UpTo() | syntax.AllCardsOf():
            return _thing(node)
        case _:
            return postfix(node)


def _things(nodes: tuple[syntax.Thing, ...]) -> str:
    return ", ".join(map(_thing, nodes))


def _thing(node: syntax.Thing) -> str:
    match node:
        case syntax.SomeOf(syntax.Number(count), what, of):
            return f"{count} {'of ' * of}{postfix(what)}"
        case syntax.SomeOf(syntax.NameRef(name), what, of):
            return f"{name.text} {'of ' * of}{postfix(what)}"
        case syntax.SomeOf(number, what, of):
            return f"({expr(number)}) {'of ' * of}{postfix(what)}"
        case syntax.UpTo(number, what, of):
            return f"up to {expr(number, Rank.SUM)} {'of ' * of}{postfix(what)}"
        case syntax.AllCardsOf(what):
            return f"all {postfix(what)}"
        case syntax.Everything():
            return "everything"
        case syntax.RandomCard():
            return "a random card"
        case syntax.TopCard():
            return "the top card"
        case syntax.WholeHolding(value):
            return postfix(value)


def _chance(node: syntax.Roll | syntax.ChanceChooses | syntax.Spreads) -> str:
    match node:
        case syntax.Roll(dice, so_that):
            return f"roll {names(dice, ' and ')}{_so_that(so_that)}"
        case syntax.ChanceChooses(inner):
            return f"chance chooses {binder(inner)}"
        case syntax.Spreads(cards, inner, field, so_that):
            over = f"chance spreads {postfix(cards)} over {binder(inner)}"
            return f"{over} as {field.text}{_so_that(so_that)}"


def _so_that(condition: syntax.Expr | None) -> str:
    return "" if condition is None else f" so that {expr(condition)}"


def _gather(node: syntax.GatherStatement) -> str:
    count = expr(node.low, Rank.SUM)
    if node.high != node.low:
        count += f" to {expr(node.high, Rank.SUM)}"
    verb = _verb(node.player, "gather", "gathers")
    return f"{verb} {count} {binder(node.binder)} as {node.name.text}"


def price_text(price: syntax.Expr) -> str:
    """Return the text of a price: amounts, or a value that is a bag."""
    return expr(price) if isinstance(price, syntax.Amounts) else postfix(price)


_Scenario = (
    syntax.MayNot
    | syntax.MayStill
    | syntax.DoesNotSee
    | syntax.IsToMove
    | syntax.ChanceGives
)


def _scenario(node: _Scenario) -> str:
    match node:
        case syntax.MayNot(who, chosen, because):
            why = "" if because is None else f" because {because.text}"
            return f"{_subject(who)} may not {call(chosen)}{why}"
        case syntax.MayStill(who, chosen, price):
            paid = "" if price is None else f" for exactly {price_text(price)}"
            return f"{_subject(who)} may still {call(chosen)}{paid}"
        case syntax.DoesNotSee(who, what):
            if who is None:
                return f"nobody sees {expr(what)}"
            return f"{_verb(who, 'do', 'does')} not see {expr(what)}"
        case syntax.IsToMove(who, phase):
            return f"{postfix(who)} is to move in {phase.text}"
        case syntax.ChanceGives(values, dice, event):
            named = "" if event is None else f"{event.text} "
            start = "dice show" if dice else f"chance {named}gives"
            return f"{start} {', '.join(expr(value, Rank.UNARY) for value in values)}"
