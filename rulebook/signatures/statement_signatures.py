"""Effect signature of each class of statements.

Apart from its lowering, only `effects_of` describes what a statement does.
A class of statements without a signature, or without steps, is an error at import.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, get_args

from rulebook import model as m
from rulebook.addresses import ACTION, Address
from rulebook.completeness import check_complete
from rulebook.model.limits import HOLDER_MAX
from rulebook.model.value_types import Member, Stack, Type
from rulebook.signatures.bound_environments import StepBounds
from rulebook.signatures.effect_values import (
    Binding,
    Block,
    CardTransfer,
    Effects,
    Ending,
    Failure,
    FieldPlace,
    Pause,
    PiecePlace,
    PieceTransfer,
    Reveal,
    Run,
    TurnState,
    VariablePlace,
    Write,
)
from rulebook.signatures.expression_signatures import (
    EXPRESSION_STEPS,
    PLACES_PER_STEP,
    StepRule,
    call_steps,
    piece_steps,
    plain_steps,
)
from rulebook.traversal import children, walk

SIGNATURES: dict[type[Any], Callable[[Any], Effects]] = {}
INTERRUPTIONS: set[type[Any]] = set()
"""Classes of statements at which code may wait, or the game may end."""

Rule = TypeVar("Rule", bound=Callable[[Any], Effects])


def effects_of(node: Any) -> Effects:
    """Return the effects of a statement; raise `KeyError` for any other object."""
    return SIGNATURES[type(node)](node)


def is_statement(node: Any) -> bool:
    """Return whether a node of the model is a statement."""
    return type(node) in SIGNATURES


def direct_parts(node: Any) -> list[Any]:
    """Return the parts directly inside a statement, without those of its blocks."""
    blocks = effects_of(node).blocks
    inside = {id(part) for block in blocks for part in block.body}
    return [part for part in children(node) if id(part) not in inside]


def statements_in(*nodes: Any) -> Iterator[tuple[Any, Effects]]:
    """Yield all statements in the nodes with their effects, parents before children."""
    return ((node, effects_of(node)) for node in walk(*nodes) if is_statement(node))


def effects_within(*nodes: Any) -> Iterator[Effects]:
    """Yield the effects of all statements in the nodes, each before those inside it."""
    return (effects for _, effects in statements_in(*nodes))


def signature(kind: type[Any], *, interrupts: bool = False) -> Callable[[Rule], Rule]:
    """Return a decorator that registers the signature of a class of statements.

    If `interrupts`, code may wait at such a statement, or the game may end.
    """

    def register(rule: Rule) -> Rule:
        SIGNATURES[kind] = rule
        if interrupts:
            INTERRUPTIONS.add(kind)
        return rule

    return register


def holder_places(*holders: m.Expr | None, card: m.Expr | None = None) -> Iterator[Any]:
    """Yield the fields of the given holders of cards."""
    for holder in holders:
        if isinstance(holder, m.FieldValue):
            yield FieldPlace(holder.field, holder.owner, card)


def card_type(holder: m.Expr) -> Type | None:
    """Return the type of a card from a bag or stack, which may be `none`."""
    assert isinstance(holder.type, m.Bag | m.Stack)
    return Member(holder.type.domain, optional=True)


# ---------------------------------------------------------------- values


@signature(m.SetLocal)
def _set_local(node: m.SetLocal) -> Effects:
    return Effects(
        writes=(Write(VariablePlace(node.slot), node.value),),
        bindings=(Binding(node.slot, node.name, node.value),),
    )


@signature(m.SetTally)
def _set_tally(node: m.SetTally) -> Effects:
    return Effects(
        writes=(Write(VariablePlace(node.slot, node.indices), node.value),),
        bindings=(
            Binding(node.slot, node.name, node.value, type=m.Tally(node.domains)),
        ),
    )


@signature(m.SetField)
def _set_field(node: m.SetField) -> Effects:
    return Effects(
        writes=(Write(FieldPlace(node.field, node.owner), node.value),),
        failures=frozenset({Failure.BEYOND}),
    )


# ---------------------------------------------------------------- cards


def _transfer(cards: CardTransfer, **effects: Any) -> Effects:
    """Return the effects of a move of cards."""
    places = holder_places(*cards.holders, card=cards.card)
    failures = {Failure.TOO_MANY}
    if cards.is_exact and cards.bag is not None:
        failures.add(Failure.NOT_THERE)
    if isinstance(getattr(cards.destination, "type", None), Member):
        failures.add(Failure.NOT_FREE)
    return Effects(
        writes=tuple(map(Write, places)),
        cards=cards,
        failures=frozenset(failures),
        **effects,
    )


@signature(m.MoveCards)
def _move_cards(node: m.MoveCards) -> Effects:
    bag = node.bag
    card, count = None, None
    if isinstance(bag, m.SingleBag):
        card, count = bag.member, bag.count
    return _transfer(
        CardTransfer(
            node.source,
            node.destination,
            bag,
            card,
            count,
            is_exact=not node.up_to,
            span=node.span,
        )
    )


@signature(m.MoveAll)
def _move_all(node: m.MoveAll) -> Effects:
    return _transfer(
        CardTransfer(node.source, node.destination, card=node.member, span=node.span)
    )


@signature(m.DrawCard, interrupts=True)
def _draw_card(node: m.DrawCard) -> Effects:
    moved = CardTransfer(
        node.source, node.destination, is_exact=False, maximum=1, span=node.span
    )
    card = card_type(node.source)
    drawn = () if node.slot is None else (Binding(node.slot, type=card),)
    return _transfer(moved, bindings=drawn, pause=Pause.CHANCE, event=node.event)


@signature(m.Shuffle)
def _shuffle(node: m.Shuffle) -> Effects:
    return Effects(
        writes=tuple(map(Write, holder_places(node.stack))), shuffled_stack=node.stack
    )


@signature(m.Sees, interrupts=True)
def _sees(node: m.Sees) -> Effects:
    places = holder_places(node.holder)
    return Effects(
        writes=tuple(Write(place, knowledge_only=True) for place in places),
        reveals=(Reveal(node.holder, node.player),),
        pause=Pause.CHANCE,
    )


@signature(m.Reveal, interrupts=True)
def _reveal(node: m.Reveal) -> Effects:
    places = holder_places(node.stack)
    return Effects(
        writes=tuple(Write(place, knowledge_only=True) for place in places),
        bindings=(Binding(node.slot, node.name, type=card_type(node.stack)),),
        reveals=(Reveal(node.stack, top=True),),
        pause=Pause.CHANCE,
        event=node.event,
    )


@signature(m.Spread, interrupts=True)
def _spread(node: m.Spread) -> Effects:
    return Effects(
        writes=(Write(FieldPlace(node.field)),),
        pause=Pause.CHANCE,
        event=node.event,
        dealt_domain=node.cards,
        dealt_members=node.set,
    )


# ---------------------------------------------------------------- pieces


def _pieces(transfer: PieceTransfer, carried: tuple[m.Stmt, ...]) -> Effects:
    """Return the effects of a move of pieces."""
    failures = {Failure.NO_SPACE}
    if transfer.source is None:
        failures.add(Failure.NONE_LEFT)
    else:
        failures.add(Failure.NOT_STANDING)
    if transfer.destination is not None:
        failures.add(Failure.NO_ROOM)
    owner = (
        None if transfer.replaces else transfer.owner
    )  # a piece of another player may have to leave
    return Effects(
        writes=tuple(
            Write(PiecePlace(transfer.piece, owner, space)) for space in transfer.spaces
        ),
        pieces=transfer,
        blocks=(Block(carried),) if carried else (),
        failures=frozenset(failures),
    )


@signature(m.PlacePiece)
def _place_piece(node: m.PlacePiece) -> Effects:
    return _pieces(
        PieceTransfer(
            node.piece,
            node.owner,
            None,
            node.space,
            node.count,
            replaces=node.instead,
            span=node.span,
        ),
        node.carried,
    )


@signature(m.RemovePiece)
def _remove_piece(node: m.RemovePiece) -> Effects:
    return _pieces(
        PieceTransfer(
            node.piece, node.owner, node.space, None, node.count, span=node.span
        ),
        node.carried,
    )


@signature(m.MovePiece)
def _move_piece(node: m.MovePiece) -> Effects:
    return _pieces(
        PieceTransfer(
            node.piece,
            node.owner,
            node.source,
            node.space,
            node.count,
            replaces=node.instead,
            span=node.span,
        ),
        node.carried,
    )


# ---------------------------------------------------------------- chance


@signature(m.RollDice, interrupts=True)
def _roll_dice(node: m.RollDice) -> Effects:
    return Effects(
        writes=tuple(Write(FieldPlace(name)) for name in node.fields),
        dice=node.fields,
        pause=Pause.CHANCE,
        event=node.event,
    )


@signature(m.ChanceChoose, interrupts=True)
def _chance_choose(node: m.ChanceChoose) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set),),
        pause=Pause.CHANCE,
        event=node.event,
        ends=Ending.UNIT,
        may_continue=True,
    )


# ---------------------------------------------------------------- decisions


@signature(m.Choose, interrupts=True)
def _choose(node: m.Choose) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set),),
        blocks=(Block(node.body, binder=node), Block(node.otherwise)),
        pause=Pause.DECISION,
        asks=node.player,
        choices=(node.choice,),
        asks_only_if_several=node.if_several,
        ends=Ending.NOTHING if node.optional else Ending.UNIT,
        may_continue=True,
    )


@signature(m.Gather, interrupts=True)
def _gather(node: m.Gather) -> Effects:
    assert isinstance(node.set.type, m.SetOf)
    domain = node.set.type.domain
    bag = None if domain is None else m.Bag(domain)
    return Effects(
        bindings=(
            Binding(node.slot, node.name, members=node.set),
            Binding(node.bag, maximum=node.high, source=node.source, type=bag),
        ),
        pause=Pause.DECISION,
        asks=node.player,
        choices=(node.choice,),
    )


@signature(m.Ask, interrupts=True)
def _ask(node: m.Ask) -> Effects:
    until = () if node.until is None else (node.until,)
    return Effects(
        blocks=(Block(node.body), Block(node.otherwise)),
        runs=tuple(
            Run(
                str(Address(ACTION, offer.action)),
                offer.arguments,
                m.FREE + 1,
                node.player,
                offer,
                repeats=node.until is not None,
            )
            for offer in node.offers
        ),
        pause=Pause.DECISION,
        asks=node.player,
        until=node.until,
        choices=(*until, *[offer.action for offer in node.offers]),
    )


@signature(m.Together, interrupts=True)
def _together(node: m.Together) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set),),
        blocks=(Block(node.body, binder=node, loop=True),),
        pause=Pause.SIMULTANEOUS,
    )


# ---------------------------------------------------------------- control


@signature(m.CallProcedure)
def _call(node: m.CallProcedure) -> Effects:
    return Effects(runs=(Run(node.procedure, node.arguments, seat=node.player),))


@signature(m.CarryOut, interrupts=True)
def _carry_out(node: m.CarryOut) -> Effects:
    return Effects(runs=(Run(None, seat=node.player, card=node.card),))


@signature(m.LabelledBlock)
def _labelled_block(node: m.LabelledBlock) -> Effects:
    return Effects(blocks=(Block(node.body),), label=node.label)


@signature(m.IfElse)
def _if_else(node: m.IfElse) -> Effects:
    return Effects(
        blocks=(
            Block(node.body, holds=(node.condition,)),
            Block(node.otherwise, fails=(node.condition,)),
        )
    )


@signature(m.EachMember)
def _each_member(node: m.EachMember) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set),),
        blocks=(Block(node.body, binder=node, loop=True),),
    )


@signature(m.Repeat)
def _repeat(node: m.Repeat) -> Effects:
    until = () if node.until is None else (node.until,)
    return Effects(blocks=(Block(node.body, fails=until, loop=True, times=node.times),))


@signature(m.Require)
def _require(node: m.Require) -> Effects:
    return Effects(failures=frozenset({Failure.UNTRUE}))


@signature(m.Announce)
def _announce(node: m.Announce) -> Effects:
    return Effects(announces=node.values)


@signature(m.StopUnit)
def _stop_unit(node: m.StopUnit) -> Effects:
    return Effects(ends=Ending.UNIT)


# ---------------------------------------------------------------- turns and endings


@signature(m.Wins, interrupts=True)
def _wins(node: m.Wins) -> Effects:
    if node.ranking is not None:
        somebody = node.ranking.where is None
    else:
        somebody = node.player is None or is_single_member(node.player.type)
    return Effects(
        writes=(Write(TurnState.WINNER, node.player),),
        ends=Ending.GAME,
        may_continue=not somebody,
    )


def is_single_member(kind: Type) -> bool:
    """Return whether a value of a type is one member, never none and never a set."""
    return isinstance(kind, Member) and not kind.optional


@signature(m.GameEnds, interrupts=True)
def _game_ends(node: m.GameEnds) -> Effects:
    return Effects(ends=Ending.GAME)


@signature(m.Starts)
def _starts(node: m.Starts) -> Effects:
    return Effects(writes=(Write(TurnState.FIRST_PLAYER, node.player),))


@signature(m.NextTurn)
def _next_turn(node: m.NextTurn) -> Effects:
    return Effects(writes=(Write(TurnState.NEXT_PLAYER, node.player),))


@signature(m.MissesTurn)
def _misses_turn(node: m.MissesTurn) -> Effects:
    return Effects(writes=(Write(TurnState.MISSED_TURNS, node.player),))


@signature(m.TurnsGo)
def _turns_go(node: m.TurnsGo) -> Effects:
    return Effects(writes=(Write(TurnState.DIRECTION),))


check_complete("the table of signatures of statements", SIGNATURES, get_args(m.Stmt))


# ---------------------------------------------------------------- steps

ASSUMED_DEAL_TESTS = 1_000
"""Assumed number of tests of a constrained deal's condition; usually fewer are run."""


def step_rule(kind: type[Any]) -> StepRule:
    """Return the rule for the steps of a class of expressions, statements or parts."""
    return STEPS.get(kind, plain_steps)


def _loop_steps(w: StepBounds, code: str, node: m.EachMember | m.Together) -> int:
    stored = w.numbers.max_size(code, node.set) // PLACES_PER_STEP
    return w.loop_steps(code, node, node.body, stored if w.may_wait(node.body) else 0)


def _repeat_steps(w: StepBounds, code: str, node: m.Repeat) -> int:
    rounds = max(1, w.numbers.range_of(code, node.times).high)
    until = w.steps(code, node.until)
    each = 1 + w.total_steps(code, node.body) + until
    return 1 + w.steps(code, node.times) + until + rounds * each


def _tally_steps(w: StepBounds, code: str, node: m.SetTally) -> int:
    entries = math.prod(map(w.numbers.member_count, node.domains))
    return entries // PLACES_PER_STEP + plain_steps(w, code, node)


def _move_steps(w: StepBounds, code: str, node: m.MoveCards) -> int:
    kinds = 1 if isinstance(node.bag, m.SingleBag) else w.count_kinds(node.bag.type)
    most = max(1, w.numbers.range_of(code, node.bag).high)
    moved = _transfer_steps(w, node.source, node.destination, kinds, kinds * most)
    return kinds + moved + plain_steps(w, code, node)


def _move_all_steps(w: StepBounds, code: str, node: m.MoveAll) -> int:
    kinds = w.count_kinds(node.source.type)
    moved = _transfer_steps(w, node.source, node.destination, kinds, HOLDER_MAX)
    return kinds + moved + plain_steps(w, code, node)


def _transfer_steps(
    w: StepBounds,
    source: m.Expr | None,
    destination: m.Expr | None,
    kinds: int,
    most: int,
) -> int:
    """Return the number of steps needed to take up to *most* cards and put them down.

    Each card is taken separately from a stack, whose other cards move up. Equal cards
    are put into a stack together.
    """
    steps = 1
    if _is_stack(source):
        cards = w.stack_cards(source)
        steps += min(most, cards) * (1 + cards // PLACES_PER_STEP)
    if _is_stack(destination):
        cards = w.stack_cards(destination)
        steps += min(most, cards) + min(kinds, most) * (cards // PLACES_PER_STEP)
    return steps


def _is_stack(holder: m.Expr | None) -> bool:
    return holder is not None and isinstance(holder.type, Stack)


def _draw_steps(w: StepBounds, code: str, node: m.DrawCard | m.Reveal) -> int:
    source = node.source if isinstance(node, m.DrawCard) else node.stack
    places = w.count_kinds(source.type) + w.stack_cards(source)
    return places + plain_steps(w, code, node)


def _sees_steps(w: StepBounds, code: str, node: m.Sees) -> int:
    shown = w.stack_cards(node.holder) * (1 + w.count_kinds(node.holder.type))
    return shown + plain_steps(w, code, node)


def count_outcomes(model: m.Model, dice: Iterable[str]) -> int:
    """Return the number of distinct outcomes of a roll of dice."""
    return math.prod(len(set(model.fields[name].faces)) for name in dice)


def _roll_steps(w: StepBounds, code: str, node: m.RollDice) -> int:
    return 1 + count_outcomes(w.model, node.fields) * (
        1 + w.steps(code, node.condition)
    )


def _spread_steps(w: StepBounds, code: str, node: m.Spread) -> int:
    spaces = w.numbers.max_size(code, node.set)
    kinds = w.numbers.member_count(node.cards)
    in_stack = isinstance(w.model.fields[node.field].type, Stack)
    dealt = w.dealt_cards(node.cards) if in_stack else spaces
    each = 1 + kinds + spaces // PLACES_PER_STEP
    search = ASSUMED_DEAL_TESTS * w.steps(code, node.condition)
    return w.steps(code, node.set) + spaces * kinds + dealt * each + search


def _ask_steps(w: StepBounds, code: str, node: m.Ask) -> int:
    given = [(w.model.actions[it.action], it.arguments) for it in node.offers]
    lists = sum(w.listing_steps(action, len(values)) for action, values in given)
    values = sum(w.total_steps(code, values) for _, values in given)
    inside = w.total_steps(code, (node.player, *node.body, *node.otherwise))
    return 1 + lists + values + inside


def _choose_steps(w: StepBounds, code: str, node: m.Choose) -> int:
    inside = w.total_steps(code, (node.player, *node.body, *node.otherwise))
    return w.loop_steps(code, node, ()) + inside


def _gather_steps(w: StepBounds, code: str, node: m.Gather) -> int:
    numbers = w.total_steps(code, (node.player, node.low, node.high, node.source))
    return w.loop_steps(code, node, ()) + numbers


STATEMENT_STEPS: dict[type[Any], StepRule] = {
    **dict.fromkeys((m.SetLocal, m.SetField, m.Require, m.Announce), plain_steps),
    **dict.fromkeys((m.LabelledBlock, m.IfElse, m.StopUnit), plain_steps),
    **dict.fromkeys((m.Wins, m.GameEnds, m.Starts, m.NextTurn), plain_steps),
    **dict.fromkeys((m.MissesTurn, m.TurnsGo), plain_steps),
    **dict.fromkeys((m.CallProcedure, m.CarryOut), call_steps),
    **dict.fromkeys((m.PlacePiece, m.RemovePiece, m.MovePiece), piece_steps),
    **dict.fromkeys((m.EachMember, m.Together), _loop_steps),
    m.Repeat: _repeat_steps,
    m.SetTally: _tally_steps,
    m.MoveCards: _move_steps,
    m.MoveAll: _move_all_steps,
    **dict.fromkeys((m.DrawCard, m.Reveal), _draw_steps),
    m.Sees: _sees_steps,
    m.Shuffle: lambda w, code, s: w.stack_cards(s.stack) + plain_steps(w, code, s),
    m.RollDice: _roll_steps,
    m.ChanceChoose: lambda w, code, s: (
        1 + w.numbers.max_size(code, s.set) + w.steps(code, s.set)
    ),
    m.Spread: _spread_steps,
    m.Ask: _ask_steps,
    m.Choose: _choose_steps,
    m.Gather: _gather_steps,
}
"""Rules for the number of steps, by class of statement."""

check_complete("the table of steps of statements", STATEMENT_STEPS, get_args(m.Stmt))
STEPS = EXPRESSION_STEPS | STATEMENT_STEPS
"""Rules for the number of steps, by class; `plain_steps` applies to all others."""
