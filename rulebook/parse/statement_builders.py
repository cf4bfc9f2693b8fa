"""Node builders for statements and their parts.

The citations at the end of a line belong to the statement of that line. Those after
`otherwise:` and after the lines of a menu belong to the whole statement.
"""

from __future__ import annotations

from typing import cast

import attrs
from lark import Token, Tree

from rulebook import syntax
from rulebook.parse import set_builders
from rulebook.parse.node_builder import (
    Branch,
    Builder,
    BuilderTable,
    has_loose_brace,
    node_of,
    parts,
)
from rulebook.source.spans import Cite

RULES = BuilderTable()

Body = tuple[syntax.Stmt, ...]


# ---------------------------------------------------------------- lines and blocks


def statement(b: Builder, branch: Branch) -> syntax.Stmt:
    """Return the statement of a branch."""
    return cast("syntax.Stmt", b.build(branch))


def suite(b: Builder, branch: Branch) -> Body:
    """Return the statements of an indented block."""
    assert isinstance(branch, Tree)
    return tuple(statement(b, child) for child in parts(branch))


def block(b: Builder, branch: Branch) -> tuple[tuple[Cite, ...], Body]:
    """Return the citations after a colon, and the statements below it."""
    assert isinstance(branch, Tree)
    first, second = parts(branch)
    if branch.data == "long_block":
        return b.cites(first), suite(b, second)
    return (), (_with_cites(b, statement(b, first), second),)


def _else(b: Builder, branch: Branch) -> tuple[tuple[Cite, ...], Body]:
    if branch is None:
        return (), ()
    assert isinstance(branch, Tree)
    if branch.data == "else_if":
        return (), (statement(b, branch),)
    (inner,) = parts(branch)
    return block(b, inner)


def _with_cites(b: Builder, stmt: syntax.Stmt, cites: Branch) -> syntax.Stmt:
    citations = b.cites(cites)
    return attrs.evolve(stmt, cites=stmt.cites + citations) if citations else stmt


@RULES("plain")
def _plain(b: Builder, t: Tree[Token]) -> syntax.Stmt:
    simple, cites = parts(t)
    return _with_cites(b, statement(b, simple), cites)


@RULES("step")
def _step(b: Builder, t: Tree[Token]) -> syntax.StepStatement:
    name, inner = parts(t)
    cites, body = block(b, inner)
    return syntax.StepStatement(b.name(name), body, cites=cites, span=b.span(t))


@RULES("if_", "else_if")
def _if(b: Builder, t: Tree[Token]) -> syntax.IfStatement:
    condition, inner, other = parts(t)
    test = b.expr(condition)
    cites, body = block(b, inner)
    more, otherwise = _else(b, other)
    return syntax.IfStatement(test, body, otherwise, cites=cites + more, span=b.span(t))


@RULES("each")
def _each(b: Builder, t: Tree[Token]) -> syntax.EachStatement:
    binder, inner = parts(t)
    cites, body = block(b, inner)
    return syntax.EachStatement(
        b.node(syntax.BinderPhrase, binder), body, cites=cites, span=b.span(t)
    )


@RULES("each_until_one")
def _each_until_one(b: Builder, t: Tree[Token]) -> syntax.EachStatement:
    binder, times, inner = parts(t)
    cites, body = block(b, inner)
    members = b.node(syntax.BinderPhrase, binder)
    return syntax.EachStatement(
        members, body, b.expr(times), cites=cites, span=b.span(t)
    )


@RULES("together")
def _together(b: Builder, t: Tree[Token]) -> syntax.TogetherStatement:
    binder, inner = parts(t)
    cites, body = block(b, inner)
    return syntax.TogetherStatement(
        b.node(syntax.BinderPhrase, binder), body, cites=cites, span=b.span(t)
    )


@RULES("repeat")
def _repeat(b: Builder, t: Tree[Token]) -> syntax.RepeatStatement:
    times, inner = parts(t)
    cites, body = block(b, inner)
    return syntax.RepeatStatement(b.expr(times), body, cites=cites, span=b.span(t))


@RULES("repeat_until")
def _repeat_until(b: Builder, t: Tree[Token]) -> syntax.RepeatStatement:
    until, times, inner = parts(t)
    cites, body = block(b, inner)
    return syntax.RepeatStatement(
        b.expr(times), body, b.expr(until), cites=cites, span=b.span(t)
    )


@RULES("each_inline")
def _each_inline(b: Builder, t: Tree[Token]) -> syntax.EachStatement:
    binder, inner = parts(t)
    body = (statement(b, inner),)
    return syntax.EachStatement(
        b.node(syntax.BinderPhrase, binder), body, span=b.span(t)
    )


@RULES("repeat_inline")
def _repeat_inline(b: Builder, t: Tree[Token]) -> syntax.RepeatStatement:
    times, inner = parts(t)
    return syntax.RepeatStatement(b.expr(times), (statement(b, inner),), span=b.span(t))


@RULES("until_inline")
def _until_inline(b: Builder, t: Tree[Token]) -> syntax.RepeatStatement:
    until, times, inner = parts(t)
    body = (statement(b, inner),)
    return syntax.RepeatStatement(b.expr(times), body, b.expr(until), span=b.span(t))


# ---------------------------------------------------------------- choices


@RULES("choose")
def _choose(b: Builder, t: Tree[Token]) -> syntax.ChooseStatement:
    who, binder, several = parts(t)
    return syntax.ChooseStatement(
        b.expr(who),
        b.node(syntax.BinderPhrase, binder),
        several is not None,
        span=b.span(t),
    )


@RULES("may_choose")
def _may_choose(b: Builder, t: Tree[Token]) -> syntax.MayChoose:
    who, binder, inner, other = parts(t)
    cites, body = block(b, inner)
    more, otherwise = _else(b, other)
    return syntax.MayChoose(
        b.expr(who),
        b.node(syntax.BinderPhrase, binder),
        body,
        otherwise,
        cites=cites + more,
        span=b.span(t),
    )


@RULES("gather")
def _gather(b: Builder, t: Tree[Token]) -> syntax.GatherStatement:
    who, low, high, binder, name = parts(t)
    lowest = b.expr(low)
    return syntax.GatherStatement(
        b.expr(who),
        lowest,
        lowest if high is None else b.expr(high),
        b.node(syntax.BinderPhrase, binder),
        b.name(name),
        span=b.span(t),
    )


@RULES("call")
def _call(b: Builder, t: Tree[Token]) -> syntax.ActionOffer:
    name, arguments, free = parts(t)
    return syntax.ActionOffer(
        b.name(name), b.arguments(arguments), free is not None, span=b.span(t)
    )


@RULES("call_picks")
def _call_picks(b: Builder, t: Tree[Token]) -> syntax.ActionOffer:
    name, amounts = parts(t)
    return syntax.ActionOffer(b.name(name), (b.expr(amounts),), span=b.span(t))


def calls(b: Builder, branch: Branch) -> tuple[syntax.ActionOffer, ...]:
    """Return the offered actions in a comma-separated list."""
    assert isinstance(branch, Tree)
    return b.nodes(syntax.ActionOffer, parts(branch))


@RULES("do_")
def _do(b: Builder, t: Tree[Token]) -> syntax.Do:
    who, chosen = parts(t)
    return syntax.Do(b.expr(who), calls(b, chosen), span=b.span(t))


@RULES("may_do")
def _may_do(b: Builder, t: Tree[Token]) -> syntax.MayDo:
    who, chosen = parts(t)
    return syntax.MayDo(b.expr(who), calls(b, chosen), span=b.span(t))


@RULES("may_do_block")
def _may_do_block(b: Builder, t: Tree[Token]) -> syntax.MayDo:
    who, chosen, inner, other = parts(t)
    cites, body = block(b, inner)
    more, otherwise = _else(b, other)
    return syntax.MayDo(
        b.expr(who),
        calls(b, chosen),
        body,
        otherwise,
        cites=cites + more,
        span=b.span(t),
    )


@RULES("may_do_times")
def _may_do_times(b: Builder, t: Tree[Token]) -> syntax.MayDo:
    who, chosen, times = parts(t)
    return syntax.MayDo(
        b.expr(who), calls(b, chosen), times=b.expr(times), span=b.span(t)
    )


@RULES("may_do_times_block")
def _may_do_times_block(b: Builder, t: Tree[Token]) -> syntax.MayDo:
    who, chosen, times, inner, other = parts(t)
    cites, body = block(b, inner)
    more, otherwise = _else(b, other)
    return syntax.MayDo(
        b.expr(who),
        calls(b, chosen),
        body,
        otherwise,
        b.expr(times),
        cites=cites + more,
        span=b.span(t),
    )


@RULES("menu")
def _menu(b: Builder, t: Tree[Token]) -> syntax.Menu:
    who, until, cites, *lines = parts(t)
    citations = b.cites(cites)
    chosen: tuple[syntax.ActionOffer, ...] = ()
    for line in lines:
        assert isinstance(line, Tree)
        some, more = parts(line)
        chosen += calls(b, some)
        citations += b.cites(more)
    return syntax.Menu(
        b.expr(who), b.name(until), chosen, cites=citations, span=b.span(t)
    )


# ---------------------------------------------------------------- values


@RULES("perform")
def _perform(b: Builder, t: Tree[Token]) -> syntax.Perform:
    (what,) = parts(t)
    place = b.span(t)
    match b.expr(what):
        case syntax.NameRef(name):
            return syntax.Perform(name, span=place)
        case syntax.Apply(name, arguments):
            return syntax.Perform(name, arguments, span=place)
        case _:
            pass
    b.report(
        "RB025",
        "this is a value, but a statement is expected here",
        place,
        help="a statement is a procedure's name, or begins with a verb: set, move,"
        " place, each, if, require …",
    )
    return syntax.Perform(syntax.Name("?", span=place), span=place)


RULES.add_node("let", syntax.Let, Builder.name, Builder.expr)


@RULES("tally")
def _tally(b: Builder, t: Tree[Token]) -> syntax.LetTally:
    name, *kinds = parts(t)
    return syntax.LetTally(b.name(name), b.names(kinds), span=b.span(t))


RULES.add_node("empty_bag", syntax.LetBag, Builder.name, Builder.name)
RULES.add_node("set_", syntax.SetTo, Builder.expr, Builder.expr)


@RULES("increase", "decrease", "increase_up_to", "decrease_up_to")
def _change(b: Builder, t: Tree[Token]) -> syntax.Change:
    target, value = parts(t)
    more, up_to = t.data.startswith("increase"), t.data.endswith("up_to")
    return syntax.Change(b.expr(target), b.expr(value), more, up_to, span=b.span(t))


RULES.add_node("forget", syntax.Forget, Builder.expr)


# ---------------------------------------------------------------- endings and turns


RULES.add_node("wins", syntax.WinsStatement, Builder.expr)


@RULES("win_together")
def _win_together(b: Builder, t: Tree[Token]) -> syntax.WinTogether:
    return syntax.WinTogether(b.exprs(parts(t)), span=b.span(t))


@RULES("every_wins")
def _every_wins(b: Builder, t: Tree[Token]) -> syntax.WinsStatement:
    (binder,) = parts(t)
    every = syntax.Every(b.node(syntax.BinderPhrase, binder), span=b.span(binder))
    return syntax.WinsStatement(every, span=b.span(t))


@RULES("best_win")
def _best_win(b: Builder, t: Tree[Token]) -> syntax.BestWin:
    best, where = parts(t)
    return syntax.BestWin(
        set_builders.ranking(b, best), b.optional_expr(where), span=b.span(t)
    )


@RULES("game_ends")
def _game_ends(b: Builder, t: Tree[Token]) -> syntax.GameEndsStatement:
    return syntax.GameEndsStatement(span=b.span(t))


RULES.add_node("next_turn", syntax.NextTurnStatement, Builder.expr)
RULES.add_node("misses_a_turn", syntax.MissesTurnStatement, Builder.expr)


@RULES("turns_go")
def _turns_go(b: Builder, t: Tree[Token]) -> syntax.TurnsGoStatement:
    (way,) = parts(t)
    return syntax.TurnsGoStatement(
        syntax.TurnDirection(" ".join(str(way).split())), span=b.span(t)
    )


@RULES("announce")
def _announce(b: Builder, t: Tree[Token]) -> syntax.AnnounceStatement:
    (text,) = parts(t)
    sentence = b.text(text)
    if not sentence.strip():
        message = "this `announce` has an empty text"
        help = 'write a sentence for players, such as "the storm begins"'
        b.report("RB018", message, b.span(text), help=help)
    elif has_loose_brace(sentence):
        message = "braces in a text must contain one name"
        help = "write `{n}` for the value of `n`, and no other braces"
        b.report("RB021", message, b.span(text), help=help)
    return syntax.AnnounceStatement(sentence, b.gaps([text]), span=b.span(t))


@RULES("draws")
def _draws(b: Builder, t: Tree[Token]) -> syntax.Draws:
    return syntax.Draws(span=b.span(t))


RULES.add_node("starts", syntax.StartsStatement, Builder.expr)


@RULES("stop")
def _stop(b: Builder, t: Tree[Token]) -> syntax.StopStatement:
    return syntax.StopStatement(span=b.span(t))


RULES.add_node("require", syntax.RequireStatement, Builder.expr)


# ---------------------------------------------------------------- scenarios


RULES.add_node(
    "may_not",
    syntax.MayNot,
    Builder.expr,
    node_of(syntax.ActionOffer),
    Builder.optional_name,
)
RULES.add_node(
    "may_still",
    syntax.MayStill,
    Builder.expr,
    node_of(syntax.ActionOffer),
    Builder.optional_expr,
)
RULES.add_node("does_not_see", syntax.DoesNotSee, Builder.expr, Builder.expr)


@RULES("nobody_sees")
def _nobody_sees(b: Builder, t: Tree[Token]) -> syntax.DoesNotSee:
    (what,) = parts(t)
    return syntax.DoesNotSee(None, b.expr(what), span=b.span(t))


RULES.add_node("is_to_move", syntax.IsToMove, Builder.expr, Builder.name)


@RULES("dice_show")
def _dice_show(b: Builder, t: Tree[Token]) -> syntax.ChanceGives:
    return syntax.ChanceGives(b.exprs(parts(t)), dice=True, span=b.span(t))


@RULES("chance_gives")
def _chance_gives(b: Builder, t: Tree[Token]) -> syntax.ChanceGives:
    event, *values = parts(t)
    name = None if event is None else b.name(event)
    return syntax.ChanceGives(b.exprs(values), dice=False, event=name, span=b.span(t))
