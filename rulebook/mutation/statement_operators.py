"""Mutation operators for statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.mutation.operators import Operator, SimilarNames
from rulebook.mutation.value_operators import Mutations
from rulebook.source.spans import Span
from rulebook.syntax import Node
from rulebook.traversal import rewrite

Lines = tuple[Any, ...]
NEVER_DOUBLED = (
    *(s.Needs, s.NeedsAs, s.Let, s.LetBag, s.LetTally),
    *(s.StopStatement, s.ShuffleStatement, s.WinsStatement, s.Draws, s.SetTo),
    *(
        s.WinTogether,
        s.BestWin,
        s.GameEndsStatement,
        s.NextTurnStatement,
        s.MissesTurnStatement,
    ),
)
"""Classes of statements for which doubling has no effect or is not allowed."""


def mutate_statements(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop, double or swap a statement, or shuffle a stack after it.

    Lines that are all `let` are left out: without a name, its uses would be errors.
    """
    if all(isinstance(statement, s.Let) for statement in values):
        return
    for place, statement in enumerate(values):
        if isinstance(statement, s.AnnounceStatement):
            continue
        before, after = values[:place], values[place + 1 :]
        yield "dropped", statement.span, (*before, *after) or (s.StopStatement(),)
        if not isinstance(statement, NEVER_DOUBLED):
            again = (*before, statement, *without_step_names(statement), *after)
            yield "doubled", statement.span, again
        swaps = after and not isinstance(after[0], s.AnnounceStatement)
        if swaps and isinstance(statement, s.Statement):
            yield "order", statement.span, (*before, after[0], statement, *after[1:])
        if isinstance(statement, s.Move):
            for stack in (statement.source, statement.destination):
                mixed = s.ShuffleStatement(stack, span=statement.span)
                yield "shuffled", statement.span, (*before, statement, mixed, *after)


def without_step_names(statement: Any) -> Lines:
    """Return a statement with each step replaced by its body, to keep names unique."""

    def change(node: Any) -> Any:
        return node.body if isinstance(node, s.StepStatement) else node

    lines: Lines = rewrite((statement,), change)
    return lines


def mutate_move(node: s.Move, names: SimilarNames) -> Mutations:
    """Reverse a move, or move cards to the other end of a stack."""
    top, bottom = s.StackEnd.TOP, s.StackEnd.BOTTOM
    ends = {bottom: (top,), top: (bottom,), None: (top, bottom)}
    for end in ends[node.end]:
        yield "end of stack", attrs.evolve(node, end=end)
    source, destination = node.destination, node.source
    reverse = attrs.evolve(node, source=source, destination=destination, end=None)
    yield "direction", reverse


def mutate_discard(node: s.Discard, names: SimilarNames) -> Mutations:
    """Move the cards to another field of their owner instead of discarding them."""
    if isinstance(node.source, s.Of):
        for other in names.alternatives_to(node.source.name):
            target = attrs.evolve(node.source, name=other)
            yield "kept", s.Move(node.things, node.source, target, span=node.span)


def mutate_place(node: s.Place, names: SimilarNames) -> Mutations:
    """Drop one of several spaces where pieces are placed."""
    for number in range(len(node.spaces) if len(node.spaces) > 1 else 0):
        rest = node.spaces[:number] + node.spaces[number + 1 :]
        yield "part dropped", attrs.evolve(node, spaces=rest)


def mutate_all_of(node: s.AllCardsOf, names: SimilarNames) -> Mutations:
    """Replace all cards or pieces by at most one."""
    yield "one for all", s.UpTo(s.Number(1), node.what, span=node.span)


def mutate_some_of(node: s.SomeOf | s.UpTo, names: SimilarNames) -> Mutations:
    """Replace a number of cards or pieces by all of them."""
    yield "all for some", s.AllCardsOf(node.what, span=node.span)


def mutate_random_card(node: s.RandomCard, names: SimilarNames) -> Mutations:
    """Replace a random card by the top card, or by all cards."""
    yield "not at random", s.TopCard(span=node.span)
    yield "all for some", s.Everything(span=node.span)


def mutate_top_card(node: s.TopCard, names: SimilarNames) -> Mutations:
    """Replace the top card by a random one."""
    yield "at random", s.RandomCard(span=node.span)


def mutate_do(node: s.Do, names: SimilarNames) -> Mutations:
    """Make a mandatory action optional."""
    yield "may/must", s.MayDo(node.player, node.calls, span=node.span)


def mutate_may_do(node: s.MayDo, names: SimilarNames) -> Mutations:
    """Make an optional action mandatory, or allow a repeated action only once."""
    if node.times is not None:
        yield "once", attrs.evolve(node, times=None)
    elif not node.body and not node.otherwise:
        yield "may/must", s.Do(node.player, node.calls, span=node.span)


def mutate_choose(node: s.ChooseStatement, names: SimilarNames) -> Mutations:
    """Ask the player even if there is only one option."""
    if node.if_several:
        yield "asked of one", attrs.evolve(node, if_several=False)


def mutate_menu(node: s.Menu, names: SimilarNames) -> Mutations:
    """Offer a menu once instead of repeatedly, or add an action to it."""
    yield "once", s.MayDo(node.player, node.calls, span=node.span)
    listed = {offered.name.text for offered in node.calls}
    for action in names.actions:
        if action not in listed:
            more = s.ActionOffer(s.Name(action, span=node.span), span=node.span)
            yield "offered", attrs.evolve(node, calls=(*node.calls, more))


def mutate_call(node: s.ActionOffer, names: SimilarNames) -> Mutations:
    """Make a paid action free, or a free action paid."""
    yield "free", attrs.evolve(node, without_paying=not node.without_paying)


def mutate_gather(node: s.GatherStatement, names: SimilarNames) -> Mutations:
    """Lower the minimum to 0, raise the maximum by one, or round a halved number up."""
    yield (
        "number",
        attrs.evolve(
            node,
            high=s.ArithExpression(s.ArithmeticOperator.PLUS, node.high, s.Number(1)),
        ),
    )
    yield "optional", attrs.evolve(node, low=s.Number(0))
    if isinstance(node.low, s.HalfOf) and node.low == node.high:
        more = s.HalfOf(
            s.ArithExpression(s.ArithmeticOperator.PLUS, node.low.value, s.Number(1))
        )
        yield "rounding", attrs.evolve(node, low=more, high=more)


def mutate_change(node: s.Change, names: SimilarNames) -> Mutations:
    """Reverse an increase or decrease, or drop `up to`."""
    yield "more/less", attrs.evolve(node, increase=not node.increase)
    if node.up_to:
        yield "not up to", attrs.evolve(node, up_to=False)


def mutate_if(node: s.IfStatement, names: SimilarNames) -> Mutations:
    """Negate or drop the condition of an `if`."""
    yield "negated", attrs.evolve(node, condition=s.NotExpression(node.condition))
    yield "condition dropped", attrs.evolve(node, condition=s.YesNo(value=True))


def mutate_together(node: s.TogetherStatement, names: SimilarNames) -> Mutations:
    """Ask the players one after the other instead of at the same time."""
    yield "one by one", s.EachStatement(node.binder, node.body, span=node.span)


def mutate_each(node: s.EachStatement, names: SimilarNames) -> Mutations:
    """Ask the players at the same time, take one member, or toggle `where still`."""
    binder = attrs.evolve(node.binder, still=False)
    yield "together", s.TogetherStatement(binder, node.body, span=node.span)
    if node.most_rounds is not None:
        yield "one round", attrs.evolve(node, most_rounds=None)
        return
    first = s.Let(binder.name or binder.kind, s.First(binder), span=node.span)
    yield (
        "only one",
        s.IfStatement(s.Some(binder), (first, *node.body), span=node.span),
    )
    if node.binder.where is not None:
        other = attrs.evolve(node.binder, still=not node.binder.still)
        yield "once/still", attrs.evolve(node, binder=other)


def mutate_sees(node: s.SeesStatement, names: SimilarNames) -> Mutations:
    """Show a holder to all players instead of one player."""
    if not names.player_variables:
        other = s.BinderPhrase(s.Name("player"))
        body = (attrs.evolve(node, player=s.NameRef(s.Name("player"))),)
        yield "all see it", s.EachStatement(other, body, span=node.span)


def mutate_wins(
    node: s.WinsStatement | s.WinTogether | s.BestWin, names: SimilarNames
) -> Mutations:
    """Replace a win by an end of the game without a winner."""
    yield "nobody wins", s.Draws(span=node.span)


def mutate_win_together(node: s.WinTogether, names: SimilarNames) -> Mutations:
    """Remove one of several winners."""
    for place in range(len(node.player)):
        rest = node.player[:place] + node.player[place + 1 :]
        yield (
            "part dropped",
            s.WinsStatement(rest[0], span=node.span)
            if len(rest) == 1
            else attrs.evolve(node, player=rest),
        )


def mutate_best_win(node: s.BestWin, names: SimilarNames) -> Mutations:
    """Drop a tie-break or the condition of a win."""
    if len(node.best) > 1:
        yield "tie-break dropped", attrs.evolve(node, best=node.best[:-1])
    if node.where is not None:
        yield "condition dropped", attrs.evolve(node, where=None)


def mutate_turns_go(node: s.TurnsGoStatement, names: SimilarNames) -> Mutations:
    """Change the direction of turns."""
    ways = (
        s.TurnDirection.OTHER,
        s.TurnDirection.CLOCKWISE,
        s.TurnDirection.COUNTERCLOCKWISE,
    )
    place = ways.index(node.way)
    yield "order", attrs.evolve(node, way=ways[(place + 1) % len(ways)])


def mutate_next_turn(node: s.NextTurnStatement, names: SimilarNames) -> Mutations:
    """Replace a next turn by a missed turn."""
    yield "next/missed", s.MissesTurnStatement(node.player, span=node.span)


def mutate_roll(node: s.Roll, names: SimilarNames) -> Mutations:
    """Drop one of several dice, or the condition of a roll."""
    for place in range(len(node.dice)):
        rest = node.dice[:place] + node.dice[place + 1 :]
        if rest:
            yield "die dropped", attrs.evolve(node, dice=rest)
    if node.so_that is not None:
        yield "condition dropped", attrs.evolve(node, so_that=None)


def mutate_spreads(node: s.Spreads, names: SimilarNames) -> Mutations:
    """Drop the condition of a constrained deal."""
    if node.so_that is not None:
        yield "condition dropped", attrs.evolve(node, so_that=None)


OF_STATEMENTS: dict[type[Node], tuple[Operator, ...]] = {
    s.Move: (mutate_move,),
    s.Discard: (mutate_discard,),
    s.Place: (mutate_place,),
    s.AllCardsOf: (mutate_all_of,),
    s.SomeOf: (mutate_some_of,),
    s.UpTo: (mutate_some_of,),
    s.RandomCard: (mutate_random_card,),
    s.TopCard: (mutate_top_card,),
    s.Do: (mutate_do,),
    s.MayDo: (mutate_may_do,),
    s.ChooseStatement: (mutate_choose,),
    s.Menu: (mutate_menu,),
    s.ActionOffer: (mutate_call,),
    s.GatherStatement: (mutate_gather,),
    s.Change: (mutate_change,),
    s.IfStatement: (mutate_if,),
    s.TogetherStatement: (mutate_together,),
    s.EachStatement: (mutate_each,),
    s.SeesStatement: (mutate_sees,),
    s.WinsStatement: (mutate_wins,),
    s.WinTogether: (mutate_wins, mutate_win_together),
    s.BestWin: (mutate_wins, mutate_best_win),
    s.TurnsGoStatement: (mutate_turns_go,),
    s.NextTurnStatement: (mutate_next_turn,),
    s.Roll: (mutate_roll,),
    s.Spreads: (mutate_spreads,),
}

__all__ = ["OF_STATEMENTS", "mutate_statements"]
