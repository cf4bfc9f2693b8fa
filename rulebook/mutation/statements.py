"""Mutation operators for statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.mutation.operators import Names, Operator
from rulebook.mutation.values import Found
from rulebook.source.spans import Span
from rulebook.syntax import Node
from rulebook.traversal import rewrite

Lines = tuple[Any, ...]
ONCE = (
    *(s.Needs, s.NeedsAs, s.Let, s.LetBag, s.LetTally),
    *(s.Stop, s.Shuffle, s.Wins, s.Draws, s.SetTo),
    *(s.WinTogether, s.BestWin, s.GameEnds, s.NextTurn, s.MissesTurn),
)
"""Statements that are not doubled, since that has no effect or is not allowed."""


def statements(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop, double or swap a statement, or shuffle a stack after it."""
    for place, statement in enumerate(values):
        before, after = values[:place], values[place + 1 :]
        yield "dropped", statement.span, (*before, *after) or (s.Stop(),)
        if not isinstance(statement, ONCE):
            again = (*before, statement, *unnamed(statement), *after)
            yield "doubled", statement.span, again
        if after and isinstance(statement, s.Statement):
            yield "order", statement.span, (*before, after[0], statement, *after[1:])
        if isinstance(statement, s.Move):
            for stack in (statement.source, statement.destination):
                mixed = s.Shuffle(stack, span=statement.span)
                yield "shuffled", statement.span, (*before, statement, mixed, *after)


def unnamed(statement: Any) -> Lines:
    """Return a statement without step names, which must be unique in a clause."""

    def change(node: Any) -> Any:
        return node.body if isinstance(node, s.Step) else node

    lines: Lines = rewrite((statement,), change)
    return lines


def move(node: s.Move, names: Names) -> Found:
    """Reverse a move, or move cards to the other end of a stack."""
    top, bottom = s.StackEnd.TOP, s.StackEnd.BOTTOM
    ends = {bottom: (top,), top: (bottom,), None: (top, bottom)}
    for end in ends[node.end]:
        yield "end of stack", attrs.evolve(node, end=end)
    there, back = node.source, node.destination
    yield "direction", attrs.evolve(node, source=back, destination=there, end=None)


def discard(node: s.Discard, names: Names) -> Found:
    """Move the cards to another field of their owner instead of discarding them."""
    if isinstance(node.source, s.Of):
        for other in names.mistaken(node.source.name):
            kept = attrs.evolve(node.source, name=other)
            yield "kept", s.Move(node.things, node.source, kept, span=node.span)


def place(node: s.Place, names: Names) -> Found:
    """Drop one of several spaces where pieces are placed."""
    for number in range(len(node.spaces) if len(node.spaces) > 1 else 0):
        rest = node.spaces[:number] + node.spaces[number + 1 :]
        yield "part dropped", attrs.evolve(node, spaces=rest)


def every_one(node: s.AllOf, names: Names) -> Found:
    """Replace `all` things by one."""
    yield "one for all", s.UpTo(s.Number(1), node.what, span=node.span)


def some(node: s.SomeOf | s.UpTo, names: Names) -> Found:
    """Replace a number of things by all of them."""
    yield "all for some", s.AllOf(node.what, span=node.span)


def at_random(node: s.RandomCard, names: Names) -> Found:
    """Replace a random card by the top card, or by all."""
    yield "not at random", s.TopCard(span=node.span)
    yield "all for some", s.Everything(span=node.span)


def on_top(node: s.TopCard, names: Names) -> Found:
    """Replace the top card by a random one."""
    yield "at random", s.RandomCard(span=node.span)


def must(node: s.Do, names: Names) -> Found:
    """Make a mandatory action optional."""
    yield "may/must", s.MayDo(node.who, node.calls, span=node.span)


def may(node: s.MayDo, names: Names) -> Found:
    """Make an optional action mandatory, or allow a repeated action only once."""
    if node.times is not None:
        yield "once", attrs.evolve(node, times=None)
    elif not node.body and not node.otherwise:
        yield "may/must", s.Do(node.who, node.calls, span=node.span)


def choose(node: s.Choose, names: Names) -> Found:
    """Ask the player even if there is only one candidate."""
    if node.if_several:
        yield "asked of one", attrs.evolve(node, if_several=False)


def menu(node: s.Menu, names: Names) -> Found:
    """Offer a menu once instead of repeatedly, or add an action to it."""
    yield "once", s.MayDo(node.who, node.calls, span=node.span)
    listed = {offered.name.text for offered in node.calls}
    for action in names.actions:
        if action not in listed:
            more = s.Call(s.Name(action, span=node.span), span=node.span)
            yield "offered", attrs.evolve(node, calls=(*node.calls, more))


def call(node: s.Call, names: Names) -> Found:
    """Make a paid action free, or a free action paid."""
    yield "free", attrs.evolve(node, without_paying=not node.without_paying)


def gather(node: s.Gather, names: Names) -> Found:
    """Lower the minimum to 0, raise the maximum by one, or round a half up."""
    yield (
        "number",
        attrs.evolve(node, high=s.Arith(s.Reckoning.PLUS, node.high, s.Number(1))),
    )
    yield "number", attrs.evolve(node, low=s.Number(0))
    if isinstance(node.low, s.HalfOf) and node.low == node.high:
        more = s.HalfOf(s.Arith(s.Reckoning.PLUS, node.low.value, s.Number(1)))
        yield "rounding", attrs.evolve(node, low=more, high=more)


def change(node: s.Change, names: Names) -> Found:
    """Reverse an increase or decrease, or drop `up to`."""
    yield "more/less", attrs.evolve(node, increase=not node.increase)
    if node.up_to:
        yield "not up to", attrs.evolve(node, up_to=False)


def if_(node: s.If, names: Names) -> Found:
    """Negate or drop the condition of an `if`."""
    yield "negated", attrs.evolve(node, condition=s.Not(node.condition))
    yield "condition dropped", attrs.evolve(node, condition=s.YesNo(value=True))


def together(node: s.Together, names: Names) -> Found:
    """Ask the players one after the other instead of at the same time."""
    yield "one by one", s.Each(node.binder, node.body, span=node.span)


def each(node: s.Each, names: Names) -> Found:
    """Ask the players at the same time, or toggle `where still`."""
    binder = attrs.evolve(node.binder, still=False)
    yield "together", s.Together(binder, node.body, span=node.span)
    if node.binder.where is not None:
        other = attrs.evolve(node.binder, still=not node.binder.still)
        yield "once/still", attrs.evolve(node, binder=other)


def sees(node: s.Sees, names: Names) -> Found:
    """Show something to all players instead of one."""
    if not names.here:
        other = s.Binder(s.Name("player"))
        body = (attrs.evolve(node, who=s.NameRef(s.Name("player"))),)
        yield "all see it", s.Each(other, body, span=node.span)


def wins(node: s.Wins | s.WinTogether | s.BestWin, names: Names) -> Found:
    """Replace a win by an end of the game without a winner."""
    yield "nobody wins", s.Draws(span=node.span)


def together_win(node: s.WinTogether, names: Names) -> Found:
    """Remove one of several winners."""
    for place in range(len(node.who)):
        rest = node.who[:place] + node.who[place + 1 :]
        yield (
            "part dropped",
            s.Wins(rest[0], span=node.span)
            if len(rest) == 1
            else attrs.evolve(node, who=rest),
        )


def best_win(node: s.BestWin, names: Names) -> Found:
    """Drop a tie-break or the condition of a win."""
    if len(node.best) > 1:
        yield "tie-break dropped", attrs.evolve(node, best=node.best[:-1])
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None)


def turns_go(node: s.TurnsGo, names: Names) -> Found:
    """Change the direction of turns."""
    ways = (s.Way.OTHER, s.Way.CLOCKWISE, s.Way.COUNTERCLOCKWISE)
    place = ways.index(node.way)
    yield "order", attrs.evolve(node, way=ways[(place + 1) % len(ways)])


def next_turn(node: s.NextTurn, names: Names) -> Found:
    """Replace a next turn by a missed turn."""
    yield "next/missed", s.MissesTurn(node.who, span=node.span)


def roll(node: s.Roll, names: Names) -> Found:
    """Drop one of several dice, or the condition of a roll."""
    for place in range(len(node.dice)):
        rest = node.dice[:place] + node.dice[place + 1 :]
        if rest:
            yield "die dropped", attrs.evolve(node, dice=rest)
    if node.so_that is not None:
        yield "condition dropped", attrs.evolve(node, so_that=None)


def spreads(node: s.Spreads, names: Names) -> Found:
    """Drop the condition of a constrained deal."""
    if node.so_that is not None:
        yield "condition dropped", attrs.evolve(node, so_that=None)


OF_STATEMENTS: dict[type[Node], tuple[Operator, ...]] = {
    s.Move: (move,),
    s.Discard: (discard,),
    s.Place: (place,),
    s.AllOf: (every_one,),
    s.SomeOf: (some,),
    s.UpTo: (some,),
    s.RandomCard: (at_random,),
    s.TopCard: (on_top,),
    s.Do: (must,),
    s.MayDo: (may,),
    s.Choose: (choose,),
    s.Menu: (menu,),
    s.Call: (call,),
    s.Gather: (gather,),
    s.Change: (change,),
    s.If: (if_,),
    s.Together: (together,),
    s.Each: (each,),
    s.Sees: (sees,),
    s.Wins: (wins,),
    s.WinTogether: (wins, together_win),
    s.BestWin: (wins, best_win),
    s.TurnsGo: (turns_go,),
    s.NextTurn: (next_turn,),
    s.Roll: (roll,),
    s.Spreads: (spreads,),
}

__all__ = ["OF_STATEMENTS", "statements"]
