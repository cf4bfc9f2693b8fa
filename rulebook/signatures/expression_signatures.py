"""Inputs of each class of expressions: the places that it reads, the code that it runs.

A class of expressions without an entry is an error at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulebook import model as m
from rulebook.addresses import DEFINE, Address
from rulebook.signatures.effect_values import (
    AwardPlace,
    FieldPlace,
    Inputs,
    PiecePlace,
    Place,
    Run,
    TurnState,
    VariablePlace,
)
from rulebook.traversal import children

POINTS = "points"
"""Name of the code that counts points."""

PURE_CLASSES: frozenset[type[Any]] = frozenset(
    {m.AllOf, m.And, m.Arith, m.BagOver, m.BestMembers, m.CallDefine, m.ColumnValue}
    | {m.Compare, m.Conditional, m.Const, m.CountMembers, m.Distance, m.Exists}
    | {m.Extreme, m.Filter, m.FindMember, m.HalfOf, m.Highest, m.KindsIn}
    | {m.LongestTrail, m.Not, m.NumberSet, m.OnlyMember, m.OptionValue, m.Or}
    | {m.OwnSpaces, m.PlayerCount, m.PlayerPoints, m.Reach, m.Related, m.SingleBag}
    | {m.SizeOf, m.SortedMembers, m.SpaceAt, m.SumBags, m.SumOver, m.TopOf}
)
"""Expressions that read only what their operands, or code that they run, read."""


def inputs_of(node: Any) -> Inputs:
    """Return the inputs of an expression or of another node that contains some."""
    rule = INPUTS.get(type(node))
    if rule is None:
        return Inputs((), tuple(children(node)))
    given = rule(node)
    return given if isinstance(given, Inputs) else Inputs(given, tuple(children(node)))


def called_by(node: Any) -> Iterator[Run]:
    """Yield the definition that an expression calls, or the points that it counts."""
    match node:
        case m.CallDefine(define=name, arguments=given):
            yield Run(str(Address(DEFINE, name)), given)
        case m.PlayerPoints(player=player):
            yield Run(POINTS, (player,))


def _piece(node: Any) -> tuple[Place, ...]:
    """Return the pieces that an expression reads, of one owner or on some spaces."""
    owner = None if getattr(node, "another", False) else getattr(node, "owner", None)
    space = getattr(node, "space", None) or getattr(node, "spaces", None)
    return (PiecePlace(node.piece, owner, space),)


def _count_in(node: m.CountIn | m.Covers | m.Contains) -> Inputs:
    """Return the inputs of a count or test of the cards of one kind in a field."""
    match node:
        case (
            m.CountIn(holder=m.FieldValue() as held, member=card)
            | m.Contains(set=m.KindsIn(holder=m.FieldValue() as held), member=card)
        ):
            operands = [card]
        case m.Covers(
            holder=m.FieldValue() as held, bag=m.SingleBag(member=card) as bag
        ):
            operands = [bag]
        case _:
            return Inputs((), tuple(children(node)))
    if held.owner is not None:
        operands.append(held.owner)
    return Inputs((FieldPlace(held.field, held.owner, card),), tuple(operands))


def _clockwise(node: m.Clockwise) -> tuple[Place, ...]:
    return (TurnState.DIRECTION,) if node.turning else ()


INPUTS: dict[type[Any], Callable[[Any], tuple[Place, ...] | Inputs]] = {
    m.Local: lambda node: (VariablePlace(node.slot),),
    m.TallyValue: lambda node: (VariablePlace(node.slot, node.indices),),
    m.FieldValue: lambda node: (FieldPlace(node.field, node.owner),),
    m.AwardHolder: lambda node: (AwardPlace(node.award),),
    m.ActivePlayer: lambda _: (TurnState.ACTIVE,),
    m.RoundNumber: lambda _: (TurnState.ROUND,),
    m.Winner: lambda _: (TurnState.WINNER,),
    m.Winners: lambda _: (TurnState.WINNER,),
    m.Clockwise: _clockwise,
    **dict.fromkeys((m.CountIn, m.Covers, m.Contains), _count_in),
    **dict.fromkeys((m.PieceOn, m.PieceOwner, m.PieceCount), _piece),
    **dict.fromkeys((m.PieceLeft, m.PieceSpaces, m.PieceSpace), _piece),
}
"""Places that an expression itself reads, by class."""


def _unknown() -> Iterator[str]:
    """Yield the names of the classes of expressions without an entry."""
    kinds = [kind for kind in vars(m).values() if isinstance(kind, type)]
    for kind in kinds:
        known = kind in INPUTS or kind in PURE_CLASSES or kind is m.Typed
        if issubclass(kind, m.Typed) and not known:
            yield kind.__name__


_missing = sorted(_unknown())
if _missing:
    raise TypeError(f"no inputs for these expressions: {', '.join(_missing)}")
