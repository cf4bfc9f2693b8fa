"""Checks of statements that move cards and pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.bodies.predicates import check_holder
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import mistake
from rulebook.check.typing.assignability import expect_type
from rulebook.check.typing.card_holders import check_card_holder, is_slot
from rulebook.check.typing.expression_checks import (
    check_expr,
    check_member,
    check_number,
    check_player,
)
from rulebook.check.typing.piece_fields import carried_fields
from rulebook.check.typing.pieces import check_space, count_on_space, piece_and_owner
from rulebook.model.value_types import Bag, Member, Stack, Whole
from rulebook.signatures import effects_of

# ---------------------------------------------------------------- cards


def _move(unit: Unit, node: s.Move) -> list[m.Stmt]:
    if any(_names_piece(unit, thing) for thing in node.things):
        return _move_pieces(unit, node)
    if node.instead:
        raise mistake(
            "RB131",
            node.span,
            "only a piece can be put `in place of what stands there`",
            "move the cards of a bag, stack or slot away in a separate statement",
        )
    source = check_card_holder(unit, node.source)
    destination = check_card_holder(unit, node.destination)
    if getattr(source.type, "domain", 0) != getattr(destination.type, "domain", 1):
        raise mistake(
            "RB133",
            node.destination.span,
            f"cards of a {source.type} cannot go to a {destination.type}",
        )
    _check_end(node, destination)
    end = node.end or m.StackEnd.TOP
    return [
        _move_thing(unit, thing, source, destination, end, node)
        for thing in node.things
    ]


def _check_end(node: s.Move, destination: m.Expr) -> None:
    """Check that a `move` can put its cards on the given end of the destination."""
    if node.end is None:
        return
    if not isinstance(destination.type, Stack):
        raise mistake(
            "RB133",
            node.destination.span,
            f"only a stack has a {node.end}",
            "remove this word: a bag or slot has no top or bottom",
        )
    for thing in node.things:
        if (
            isinstance(thing, s.Everything | s.AllCardsOf)
            and node.end is m.StackEnd.BOTTOM
        ):
            raise mistake(
                "RB133",
                thing.span,
                "all cards together can only be put on top of a stack, not under it",
                "write a number and the name of a card",
            )


def _discard(unit: Unit, node: s.Discard) -> list[m.Stmt]:
    source = check_card_holder(unit, node.source)
    return [
        _move_thing(unit, thing, source, None, m.StackEnd.TOP, node)
        for thing in node.things
    ]


def _move_thing(
    unit: Unit,
    thing: s.Thing,
    source: m.Expr,
    destination: m.Expr | None,
    end: m.StackEnd,
    node: s.Move | s.Discard,
) -> m.Stmt:
    assert isinstance(source.type, Bag | Stack | Member)
    domain = source.type.domain
    match thing:
        case s.RandomCard() | s.TopCard():
            wanted = Bag if isinstance(thing, s.RandomCard) else Stack
            if not isinstance(source.type, wanted):
                word = "a bag" if wanted is Bag else "a stack"
                raise mistake(
                    "RB133", thing.span, f"this card can be drawn only from {word}"
                )
            return m.DrawCard(
                event=unit.event_name,
                source=source,
                destination=destination,
                end=end,
                span=node.span,
            )
        case s.Everything():
            _require_single_card(unit, thing, source, destination)
            return m.MoveAll(
                member=None, source=source, destination=destination, span=node.span
            )
        case s.AllCardsOf(what=what):
            _require_single_card(unit, thing, source, destination)
            member = check_member(unit, what, domain)
            return m.MoveAll(
                member=member, source=source, destination=destination, span=node.span
            )
    bag = check_cards(unit, thing, domain)
    _require_single_card(unit, thing, bag, destination)
    return m.MoveCards(
        bag=bag,
        source=source,
        destination=destination,
        up_to=isinstance(thing, s.UpTo),
        end=end,
        span=node.span,
    )


def _require_single_card(
    unit: Unit, thing: s.Thing, cards: m.Expr, destination: m.Expr | None
) -> None:
    """Raise `Mistake` if more than one card could be moved to a slot."""
    if not is_slot(unit.world, destination) or is_slot(unit.world, cards):
        return
    if m.is_single_card(cards):
        return
    raise mistake(
        "RB133",
        thing.span,
        "a slot holds one card",
        "move one card: by its name, a chosen one, the top card or a random card",
    )


def check_cards(unit: Unit, thing: s.Thing, domain: str) -> m.Expr:
    """Check the cards that a `move` names; return them as a bag."""
    match thing:
        case s.SomeOf(count=count, what=what) | s.UpTo(count=count, what=what):
            number = check_number(unit, count)
            member = check_member(unit, what, domain)
            return m.single_bag(number, member, thing.span)
        case s.WholeHolding(value=value):
            cards = check_expr(unit, value, Member(domain))
            if isinstance(cards.type, Bag):
                return expect_type(cards, Bag(domain))
            card = expect_type(cards, Member(domain))
            return m.single_bag(m.number(1, thing.span), card, thing.span)
    raise mistake("RB133", thing.span, "these are not cards")


def _shuffle(unit: Unit, node: s.ShuffleStatement) -> list[m.Stmt]:
    stack = check_holder(unit, node.stack)
    if not isinstance(stack.type, Stack):
        raise mistake("RB133", stack.span, "only a stack has an order to shuffle")
    return [m.Shuffle(stack=stack, span=node.span)]


def _sees(unit: Unit, node: s.SeesStatement) -> list[m.Stmt]:
    who = check_player(unit, node.player)
    return [m.Sees(player=who, holder=check_holder(unit, node.what), span=node.span)]


# ---------------------------------------------------------------- pieces


@attrs.frozen
class PieceLot:
    """Pieces that a statement names: kind, owner and number.

    A `count` of None means one piece. With `all_on_space`, it means all the pieces
    on the space. With `is_maximum`, `count` is a maximum.
    """

    piece: m.Piece
    owner: m.Expr | None
    count: m.Expr | None = None
    all_on_space: bool = False
    is_maximum: bool = False

    def removed_count(self, unit: Unit, space: m.Expr) -> m.Expr | None:
        """Return an expression for the number of pieces to remove; None means one."""
        present = count_on_space(unit.world, self.piece, self.owner, space)
        if self.all_on_space:
            return present
        if self.is_maximum and self.count is not None:
            return m.Extreme(
                smaller=True,
                left=self.count,
                right=present,
                type=present.type,
                span=self.count.span,
            )
        return self.count


def _check_lot(unit: Unit, node: s.Lot | s.Thing) -> PieceLot:
    """Check the pieces that a statement names."""
    match node:
        case s.AllCardsOf(what=what):
            return PieceLot(
                *piece_and_owner(unit, what, allow_unowned=True), all_on_space=True
            )
        case s.SomeOf(count=count, what=what) | s.UpTo(count=count, what=what):
            piece, owner = piece_and_owner(unit, what)
            number = check_number(unit, count)
            up_to = isinstance(node, s.UpTo)
            if number.type == Whole(1, 1) and not up_to:
                return PieceLot(piece, owner)
            return PieceLot(piece, owner, number, is_maximum=up_to)
        case s.WholeHolding(value=value):
            return PieceLot(*piece_and_owner(unit, value))
        case s.Everything() | s.RandomCard() | s.TopCard():
            raise mistake("RB101", node.span, "expected a piece")
        case _:
            return PieceLot(*piece_and_owner(unit, node))


def _names_piece(unit: Unit, thing: s.Thing) -> bool:
    """Return whether a `move` names a piece, and not a card with that name."""
    match thing:
        case s.SomeOf(what=what) | s.UpTo(what=what) | s.AllCardsOf(what=what):
            pass
        case s.WholeHolding(value=what):
            pass
        case _:
            return False
    match what:
        case s.Of(name=name):
            return name.text in unit.world.piece_words
        case s.NameRef(name=name):
            others = {*unit.names, *unit.world.members}
            return name.text in unit.world.piece_words and name.text not in others
    return False


def _place(unit: Unit, node: s.Place) -> list[m.Stmt]:
    lot = _check_lot(unit, node.piece)
    if lot.all_on_space or lot.is_maximum:
        raise mistake(
            "RB131",
            node.piece.span,
            "pieces are placed from the supply, so their number must be given",
            "write a number: `place 2 of your PIECES on SPACE`",
        )
    statements: list[m.Stmt] = []
    for place in node.spaces:
        space = check_space(unit, place, lot.piece)
        statements += _clearing_statements(unit, lot.piece, space, node)
        placed = m.PlacePiece(
            piece=lot.piece.name,
            owner=lot.owner,
            space=space,
            count=lot.count,
            instead=node.instead and lot.piece.room is None,
            span=node.span,
        )
        statements.append(_with_fields(unit, lot.piece, placed))
    return statements


def _clearing_statements(
    unit: Unit, piece: m.Piece, space: m.Expr, node: s.Place | s.Move
) -> list[m.Stmt]:
    """Return the statements that first clear a space with room for several pieces.

    On a space with room for one piece, a placed piece replaces the old one anyway.
    """
    if not node.instead or piece.room is None:
        return []
    every = count_on_space(unit.world, piece, None, space, node.span)
    return [
        m.RemovePiece(
            piece=piece.name, owner=None, space=space, count=every, span=node.span
        )
    ]


def _with_fields(unit: Unit, piece: m.Piece, node: Any) -> m.Stmt:
    """Return a statement extended to update the fields of the pieces that it moves."""
    transfer = effects_of(node).pieces
    assert transfer is not None
    carried = carried_fields(unit.world, piece, transfer)
    moved: m.Stmt = attrs.evolve(node, carried=carried)
    return moved


def _take_off(unit: Unit, node: s.TakeOff) -> list[m.Stmt]:
    lot = _check_lot(unit, node.piece)
    space = check_space(unit, node.space, lot.piece)
    removed = m.RemovePiece(
        piece=lot.piece.name,
        owner=lot.owner,
        space=space,
        count=lot.removed_count(unit, space),
        span=node.span,
    )
    return [_with_fields(unit, lot.piece, removed)]


def _move_pieces(unit: Unit, node: s.Move) -> list[m.Stmt]:
    if node.end is not None:
        raise mistake("RB131", node.span, "pieces are not in a stack: remove this word")
    statements: list[m.Stmt] = []
    for thing in node.things:
        lot = _check_lot(unit, thing)
        source = check_space(unit, node.source, lot.piece)
        space = check_space(unit, node.destination, lot.piece)
        statements += _clearing_statements(unit, lot.piece, space, node)
        moved = m.MovePiece(
            piece=lot.piece.name,
            owner=lot.owner,
            source=source,
            space=space,
            count=lot.removed_count(unit, source),
            instead=node.instead and lot.piece.room is None,
            span=node.span,
        )
        statements.append(_with_fields(unit, lot.piece, moved))
    return statements


MOVE_CHECKS: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.Move: _move,
    s.Discard: _discard,
    s.ShuffleStatement: _shuffle,
    s.SeesStatement: _sees,
    s.Place: _place,
    s.TakeOff: _take_off,
}
