"""Statements that handle cards and pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.expressions import (
    check_expr,
    check_member,
    check_player,
    check_whole,
    describe,
    expect_type,
)
from rulebook.check.phrases import check_holder, piece_named
from rulebook.check.places import check_place, is_slot
from rulebook.check.scope import Unit
from rulebook.check.world import mistake
from rulebook.types import Bag, Member, Stack, Whole

# ---------------------------------------------------------------- cards


def _move(unit: Unit, node: s.Move) -> list[m.Stmt]:
    source = check_place(unit, node.source)
    destination = check_place(unit, node.destination)
    if getattr(source.type, "domain", 0) != getattr(destination.type, "domain", 1):
        raise mistake(
            "RB133",
            node.destination.span,
            f"cards of a {source.type} cannot go to a {destination.type}",
        )
    end = node.end or "top"
    return [
        _thing(unit, thing, source, destination, end, node) for thing in node.things
    ]


def _discard(unit: Unit, node: s.Discard) -> list[m.Stmt]:
    source = check_place(unit, node.source)
    return [_thing(unit, thing, source, None, "top", node) for thing in node.things]


def _thing(
    unit: Unit,
    thing: s.Thing,
    source: m.Expr,
    destination: m.Expr | None,
    end: str,
    node: s.Move | s.Discard,
) -> m.Stmt:
    assert isinstance(source.type, Bag | Stack | Member)
    domain = source.type.domain
    match thing:
        case s.RandomCard() | s.TopCard():
            wanted = Bag if isinstance(thing, s.RandomCard) else Stack
            if not isinstance(source.type, wanted):
                word = "a bag" if wanted is Bag else "a stack"
                raise mistake("RB133", thing.span, f"this card is drawn from {word}")
            return m.DrawCard(
                event=unit.event,
                source=source,
                destination=destination,
                end=end,
                span=node.span,
            )
        case s.Everything():
            _one_for_a_slot(unit, thing, source, destination)
            return m.MoveAll(
                member=None, source=source, destination=destination, span=node.span
            )
        case s.AllOf(what=what):
            _one_for_a_slot(unit, thing, source, destination)
            member = check_member(unit, what, domain)
            return m.MoveAll(
                member=member, source=source, destination=destination, span=node.span
            )
    bag = thing_bag(unit, thing, domain)
    _one_for_a_slot(unit, thing, bag, destination)
    return m.MoveCards(
        bag=bag,
        source=source,
        destination=destination,
        up_to=isinstance(thing, s.UpTo),
        end=end,
        span=node.span,
    )


def _one_for_a_slot(
    unit: Unit, thing: s.Thing, cards: m.Expr, destination: m.Expr | None
) -> None:
    """See that no more than one card goes to a slot."""
    if not is_slot(unit.world, destination) or is_slot(unit.world, cards):
        return
    match cards:
        case m.SingleBag(count=m.Const(value=1)):
            return
    raise mistake(
        "RB133",
        thing.span,
        "a slot holds one card",
        "move one card: by its name, a chosen one, the top card or a random card",
    )


def thing_bag(unit: Unit, thing: s.Thing, domain: str) -> m.Expr:
    """Return the cards that a `move` names, as a bag."""
    match thing:
        case s.SomeOf(count=count, what=what) | s.UpTo(count=count, what=what):
            number = check_whole(unit, count)
            member = check_member(unit, what, domain)
            return single(number, member, domain, thing)
        case s.Whole(value=value):
            found = check_expr(unit, value, Member(domain))
            if isinstance(found.type, Bag):
                return expect_type(found, Bag(domain))
            one = m.Const(value=1, type=Whole(1, 1), span=thing.span)
            return single(one, expect_type(found, Member(domain)), domain, thing)
    raise mistake("RB133", thing.span, "these are no cards")


def single(number: m.Expr, member: m.Expr, domain: str, node: s.Node) -> m.Expr:
    """Return the bag of some cards of one member."""
    return m.SingleBag(count=number, member=member, type=Bag(domain), span=node.span)


def _shuffle(unit: Unit, node: s.Shuffle) -> list[m.Stmt]:
    stack = check_holder(unit, node.stack)
    if not isinstance(stack.type, Stack):
        raise mistake("RB133", stack.span, "only a stack has an order to shuffle")
    return [m.Shuffle(stack=stack, span=node.span)]


def _sees(unit: Unit, node: s.Sees) -> list[m.Stmt]:
    who = check_player(unit, node.who)
    return [m.Sees(who=who, holder=check_holder(unit, node.what), span=node.span)]


def _carry_out(unit: Unit, node: s.CarryOut) -> list[m.Stmt]:
    card = check_expr(unit, node.card)
    if not isinstance(card.type, Member):
        raise mistake("RB110", card.span, "expected a card")
    who = None if node.who is None else check_player(unit, node.who)
    return [m.CarryOut(card=card, who=who, span=node.span)]


# ---------------------------------------------------------------- pieces


def piece_and_owner(unit: Unit, node: s.Expr) -> tuple[m.Piece, m.Expr | None]:
    """Return the piece that `storm` or `player's tent` names, and its owner."""
    match node:
        case s.Of(owner=owner, name=name):
            piece = piece_named(unit, name)
            player = check_player(unit, owner)
            if not piece.each_player:
                raise mistake("RB125", node.span, f"a {piece.name} belongs to nobody")
            return piece, player
        case s.NameRef(name=name):
            piece = piece_named(unit, name)
            if piece.each_player:
                raise mistake(
                    "RB125",
                    node.span,
                    f"whose {piece.name}? every player has some",
                    f"write `your {piece.name}` or `player's {piece.name}`",
                )
            return piece, None
    raise mistake("RB101", node.span, "expected a piece")


def check_space(unit: Unit, node: s.Expr, piece: m.Piece) -> m.Expr:
    """Return a space that the piece may stand on."""
    expected = Member(piece.stands_on[0]) if len(piece.stands_on) == 1 else None
    try_types = [Member(name) for name in piece.stands_on]
    space = check_expr(unit, node, expected or _home(unit, node, try_types))
    if not (isinstance(space.type, Member) and space.type.domain in piece.stands_on):
        raise mistake(
            "RB122",
            space.span,
            f"a {piece.name} does not stand on {describe(space.type)}",
            f"it stands on {' or '.join(piece.stands_on)}",
            ((piece.span, "declared here"),),
        )
    return space


def _home(unit: Unit, node: s.Expr, types: list[Member]) -> Member | None:
    """The type that has a member of this bare name, to choose among meanings."""
    if isinstance(node, s.NameRef) and node.name.text not in unit.names:
        for type_ in types:
            if node.name.text in unit.world.domains[type_.domain].members:
                return type_
    return None


def _place(unit: Unit, node: s.Place) -> list[m.Stmt]:
    piece, owner = piece_and_owner(unit, node.piece)
    return [
        m.PlacePiece(
            piece=piece.name,
            owner=owner,
            space=check_space(unit, space, piece),
            span=node.span,
        )
        for space in node.spaces
    ]


def _take_off(unit: Unit, node: s.TakeOff) -> list[m.Stmt]:
    piece, owner = piece_and_owner(unit, node.piece)
    space = check_space(unit, node.space, piece)
    return [m.RemovePiece(piece=piece.name, owner=owner, space=space, span=node.span)]


HANDLING: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.Move: _move,
    s.Discard: _discard,
    s.Shuffle: _shuffle,
    s.Sees: _sees,
    s.CarryOut: _carry_out,
    s.Place: _place,
    s.TakeOff: _take_off,
}
