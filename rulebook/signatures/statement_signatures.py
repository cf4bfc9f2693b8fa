"""Effect signature of each class of statements.

`effects_of` is the only place that says what a statement does, apart from its lowering.
A class of statements without a signature is an error at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, get_args

from rulebook import model as m
from rulebook.addresses import ACTION, Address
from rulebook.model.value_types import Member, Type
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
from rulebook.traversal import children, walk

SIGNATURES: dict[type[Any], Callable[[Any], Effects]] = {}
Rule = TypeVar("Rule", bound=Callable[[Any], Effects])


def effects_of(node: Any) -> Effects:
    """Return the effects of a statement; `KeyError` for anything else."""
    return SIGNATURES[type(node)](node)


def is_statement(node: Any) -> bool:
    """Return whether a node of the model is a statement."""
    return type(node) in SIGNATURES


def own_parts(node: Any) -> list[Any]:
    """Return the parts directly inside a statement, without those of its blocks."""
    blocks = effects_of(node).blocks
    inside = {id(part) for block in blocks for part in block.body}
    return [part for part in children(node) if id(part) not in inside]


def effects_within(*nodes: Any) -> Iterator[Effects]:
    """Yield the effects of all statements in some nodes, each before those inside."""
    return (effects_of(node) for node in walk(*nodes) if is_statement(node))


def signature(kind: type[Any]) -> Callable[[Rule], Rule]:
    """Return a decorator that registers the signature of a class of statements."""

    def register(rule: Rule) -> Rule:
        SIGNATURES[kind] = rule
        return rule

    return register


def holder_places(*holders: m.Expr | None, card: m.Expr | None = None) -> Iterator[Any]:
    """Yield the fields of some holders of cards."""
    for holder in holders:
        if isinstance(holder, m.FieldValue):
            yield FieldPlace(holder.field, holder.owner, card)


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
        bindings=(Binding(node.slot, node.name, node.value),),
    )


@signature(m.SetField)
def _set_field(node: m.SetField) -> Effects:
    return Effects(
        writes=(Write(FieldPlace(node.field, node.owner), node.value),),
        failures=frozenset({Failure.BEYOND}),
    )


# ---------------------------------------------------------------- cards


def _transfer(cards: CardTransfer, **more: Any) -> Effects:
    """Return the effects of a move of cards."""
    places = holder_places(*cards.ends, card=cards.card)
    failures = {Failure.TOO_MANY}
    if cards.certain and cards.bag is not None:
        failures.add(Failure.NOT_THERE)
    if isinstance(getattr(cards.destination, "type", None), Member):
        failures.add(Failure.NOT_FREE)
    return Effects(
        writes=tuple(map(Write, places)),
        cards=cards,
        failures=frozenset(failures),
        **more,
    )


@signature(m.MoveCards)
def _move_cards(node: m.MoveCards) -> Effects:
    card = node.bag.member if isinstance(node.bag, m.SingleBag) else None
    return _transfer(
        CardTransfer(
            node.source, node.destination, node.bag, card, certain=not node.up_to
        )
    )


@signature(m.MoveAll)
def _move_all(node: m.MoveAll) -> Effects:
    return _transfer(CardTransfer(node.source, node.destination, card=node.member))


@signature(m.DrawCard)
def _draw_card(node: m.DrawCard) -> Effects:
    moved = CardTransfer(node.source, node.destination, certain=False, most=1)
    drawn = () if node.slot is None else (Binding(node.slot),)
    return _transfer(moved, bindings=drawn, pause=Pause.CHANCE, event=node.event)


@signature(m.Shuffle)
def _shuffle(node: m.Shuffle) -> Effects:
    return Effects(
        writes=tuple(map(Write, holder_places(node.stack))), shuffles=node.stack
    )


@signature(m.Sees)
def _sees(node: m.Sees) -> Effects:
    places = holder_places(node.holder)
    return Effects(
        writes=tuple(Write(place, knowledge=True) for place in places),
        reveals=(Reveal(node.holder, node.who),),
        pause=Pause.CHANCE,
    )


@signature(m.Reveal)
def _reveal(node: m.Reveal) -> Effects:
    places = holder_places(node.stack)
    return Effects(
        writes=tuple(Write(place, knowledge=True) for place in places),
        bindings=(Binding(node.slot, node.name),),
        reveals=(Reveal(node.stack, top=True),),
        pause=Pause.CHANCE,
        event=node.event,
    )


@signature(m.Spread)
def _spread(node: m.Spread) -> Effects:
    return Effects(
        writes=(Write(FieldPlace(node.field)),),
        pause=Pause.CHANCE,
        event=node.event,
        deals=node.cards,
    )


# ---------------------------------------------------------------- pieces


def _pieces(moved: PieceTransfer) -> Effects:
    """Return the effects of a move of pieces."""
    failures = {Failure.NO_SPACE}
    if moved.source is None:
        failures.add(Failure.NONE_LEFT)
    else:
        failures.add(Failure.NOT_STANDING)
    if moved.destination is not None:
        failures.add(Failure.NO_ROOM)
    owner = None if moved.replaces else moved.owner  # another's piece may have to go
    return Effects(
        writes=tuple(
            Write(PiecePlace(moved.piece, owner, space)) for space in moved.spaces
        ),
        pieces=moved,
        failures=frozenset(failures),
    )


@signature(m.PlacePiece)
def _place_piece(node: m.PlacePiece) -> Effects:
    return _pieces(
        PieceTransfer(
            node.piece, node.owner, None, node.space, node.count, replaces=node.instead
        )
    )


@signature(m.RemovePiece)
def _remove_piece(node: m.RemovePiece) -> Effects:
    return _pieces(PieceTransfer(node.piece, node.owner, node.space, None, node.count))


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
        )
    )


# ---------------------------------------------------------------- chance


@signature(m.RollDice)
def _roll_dice(node: m.RollDice) -> Effects:
    return Effects(
        writes=tuple(Write(FieldPlace(name)) for name in node.fields),
        pause=Pause.CHANCE,
        event=node.event,
    )


@signature(m.ChanceChoose)
def _chance_choose(node: m.ChanceChoose) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set),),
        pause=Pause.CHANCE,
        event=node.event,
        ends=Ending.UNIT,
        may_continue=True,
    )


# ---------------------------------------------------------------- decisions


@signature(m.Choose)
def _choose(node: m.Choose) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set),),
        blocks=(Block(node.body, binder=node), Block(node.otherwise)),
        pause=Pause.DECISION,
        asks=node.who,
        asks_only_if_several=node.if_several,
        ends=Ending.NOTHING if node.optional else Ending.UNIT,
        may_continue=True,
    )


@signature(m.Gather)
def _gather(node: m.Gather) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set), Binding(node.bag)),
        pause=Pause.DECISION,
        asks=node.who,
    )


@signature(m.Ask)
def _ask(node: m.Ask) -> Effects:
    return Effects(
        blocks=(Block(node.body), Block(node.otherwise)),
        runs=tuple(
            Run(
                str(Address(ACTION, offer.action)),
                offer.arguments,
                m.FREE + 1,
                node.who,
                offer,
                repeats=node.until is not None,
            )
            for offer in node.offers
        ),
        pause=Pause.DECISION,
        asks=node.who,
        until=node.until,
    )


@signature(m.Together)
def _together(node: m.Together) -> Effects:
    return Effects(
        bindings=(Binding(node.slot, node.name, members=node.set),),
        blocks=(Block(node.body, binder=node, loop=True),),
        pause=Pause.SIMULTANEOUS,
    )


# ---------------------------------------------------------------- control


@signature(m.CallProcedure)
def _call(node: m.CallProcedure) -> Effects:
    return Effects(runs=(Run(node.procedure, node.arguments),))


@signature(m.CarryOut)
def _carry_out(node: m.CarryOut) -> Effects:
    return Effects(runs=(Run(None, seat=node.who),))


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


@signature(m.StopUnit)
def _stop_unit(node: m.StopUnit) -> Effects:
    return Effects(ends=Ending.UNIT)


# ---------------------------------------------------------------- turns and endings


@signature(m.Wins)
def _wins(node: m.Wins) -> Effects:
    if node.ranking is not None:
        somebody = node.ranking.where is None
    else:
        somebody = node.who is None or is_present(node.who.type)
    return Effects(
        writes=(Write(TurnState.WINNER, node.who),),
        ends=Ending.GAME,
        may_continue=not somebody,
    )


def is_present(kind: Type) -> bool:
    """Return whether a value of a type is one member, never none and never a set."""
    return isinstance(kind, Member) and not kind.optional


@signature(m.GameEnds)
def _game_ends(node: m.GameEnds) -> Effects:
    return Effects(ends=Ending.GAME)


@signature(m.Starts)
def _starts(node: m.Starts) -> Effects:
    return Effects(writes=(Write(TurnState.FIRST_PLAYER, node.who),))


@signature(m.NextTurn)
def _next_turn(node: m.NextTurn) -> Effects:
    return Effects(writes=(Write(TurnState.NEXT_PLAYER, node.who),))


@signature(m.MissesTurn)
def _misses_turn(node: m.MissesTurn) -> Effects:
    return Effects(writes=(Write(TurnState.MISSED_TURNS, node.who),))


@signature(m.TurnsGo)
def _turns_go(node: m.TurnsGo) -> Effects:
    return Effects(writes=(Write(TurnState.DIRECTION),))


_missing = set(get_args(m.Stmt)) - SIGNATURES.keys()
if _missing:
    names = ", ".join(sorted(kind.__name__ for kind in _missing))
    raise TypeError(f"no signature for these statements: {names}")
