"""Pieces on spaces: their names, positions, numbers and room."""

from __future__ import annotations

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    PLAYER,
    Mistake,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.arithmetic_checks import negate_if
from rulebook.check.typing.assignability import (
    DEFAULT_MAXIMUM,
    describe_type,
    expect_type,
)
from rulebook.check.typing.binders import check_binder_set
from rulebook.check.typing.expression_checks import (
    check_expr,
    check_number,
    check_owner,
    missing_owner_error,
    not_owned_error,
)
from rulebook.model.value_types import Member, SetOf, Whole
from rulebook.source.spans import Span

ONE = Whole(1, 1)

# ---------------------------------------------------------------- names of pieces


def find_piece(unit: Unit, name: s.Name) -> m.Piece:
    """Return the piece with this singular or plural name."""
    world = unit.world
    if name.text not in world.piece_words:
        raise unknown_name_error("piece", name, world.piece_words)
    return world.pieces[world.piece_words[name.text]]


def piece_and_owner(
    unit: Unit, node: s.Expr, *, allow_unowned: bool = False
) -> tuple[m.Piece, m.Expr | None]:
    """Return the piece and owner named by an expression such as `player's tent`.

    With *allow_unowned*, the name of a piece alone means the pieces of all owners.
    """
    match node:
        case s.Of(owner=owner, name=name):
            piece = find_piece(unit, name)
            return piece, check_owner(unit, owner, piece, node.span)
        case s.NameRef(name=name):
            piece = find_piece(unit, name)
            if piece.owner is not None and not allow_unowned:
                raise missing_owner_error(piece, piece.name, node.span)
            return piece, None
    raise mistake("RB101", node.span, "expected a piece")


def excluded_owner(unit: Unit, kind: s.Name, piece: m.Piece, span: Span) -> m.Expr:
    """Return the owner that `another KIND's` excludes.

    For players, it is the subject or `you`. For another kind, it is the variable with
    the name of the kind: a parameter, or the member of a loop.
    """
    owner = unit.world.domain_named(kind).name
    if owner != piece.owner:
        raise not_owned_error(piece, Member(owner), span)
    if owner != PLAYER:
        if owner in unit.names:
            return expect_type(unit.local(owner, kind.span), Member(owner))
        raise mistake(
            "RB125",
            span,
            f"another {owner} than which? nothing is called `{owner}` here",
            f"name a parameter or the member of a loop `{owner}`",
        )
    if unit.excluded_slot is not None:
        name = unit.slots[unit.excluded_slot]
        return m.variable(unit.excluded_slot, name, Member(PLAYER), span)
    return check_expr(unit, s.You(span=span))


def named_content(content: s.Content) -> s.Name | None:
    """Return the name of the card or piece in a `has` phrase, or None if unnamed."""
    match content:
        case s.HasA(name=name) | s.HasAmount(name=name) | s.HasAnothers(name=name):
            return name
        case (
            s.HasThing(value=s.NameRef(name=name) | s.Of(name=name))
            | s.HasSome(value=s.NameRef(name=name) | s.Of(name=name))
            | s.HasRoom(value=s.NameRef(name=name) | s.Of(name=name))
        ):
            return name
    return None


# ---------------------------------------------------------------- numbers of pieces


def max_on_space(world: SymbolTable, piece: m.Piece, owner: m.Expr | None) -> int:
    """Return the maximum number of pieces on one space, for one owner or for all."""
    if piece.room is None:
        return 1
    several = world.owner_count(piece) if owner is None else 1
    assert isinstance(piece.count.type, Whole)
    supply = several * max(0, piece.count.type.high)
    if piece.room.maximum is None:
        return min(supply, DEFAULT_MAXIMUM)
    assert isinstance(piece.room.maximum.type, Whole)
    most = max(0, piece.room.maximum.type.high)
    return min(
        supply, most * (several if piece.room.each_owner else 1), DEFAULT_MAXIMUM
    )


def count_on_space(
    world: SymbolTable,
    piece: m.Piece,
    owner: m.Expr | None,
    space: m.Expr,
    span: Span | None = None,
    *,
    another: bool = False,
) -> m.Expr:
    """Return the number of pieces on a space: of an owner, of others, or of all."""
    most = max_on_space(world, piece, None if another else owner)
    at = span or space.span
    return m.piece_count(piece.name, owner, space, at, another=another, maximum=most)


def count_pieces(
    unit: Unit, node: s.NumberOf, name: s.Name, owner: m.Expr | None
) -> m.Expr:
    """Check `number of PIECES`: anywhere, `in` a set of spaces, or `on` one space."""
    piece = find_piece(unit, name)
    another = node.another is not None
    if node.another is not None:
        owner = excluded_owner(unit, node.another, piece, node.span)
    if node.on:
        assert node.place is not None
        space = check_space(unit, node.place, piece)
        return count_on_space(
            unit.world, piece, owner, space, node.span, another=another
        )
    spaces = None if node.place is None else _spaces(unit, node.place, piece)
    return m.piece_count(piece.name, owner, spaces, node.span, another=another)


def _spaces(unit: Unit, node: s.Expr, piece: m.Piece) -> m.Expr:
    try:
        spaces = check_binder_set(unit, node, None)
    except Mistake as error:
        space = _one_space(unit, node)
        if space is None:
            raise
        diagnostic = attrs.evolve(
            error.diagnostic, help="use `on` to count pieces on a single space"
        )
        raise Mistake(diagnostic) from None
    assert isinstance(spaces.type, SetOf)
    domain = spaces.type.domain
    if domain not in piece.stands_on:
        raise mistake(
            "RB122", spaces.span, f"a {piece.name} never stands on a {domain}"
        )
    return spaces


def _one_space(unit: Unit, node: s.Expr) -> m.Expr | None:
    """Return the checked expression if it is a single space, or None for a set."""
    try:
        value = check_expr(unit, node)
    except Mistake:
        return None
    return value if isinstance(value.type, Member) else None


def cards_on_space_error(unit: Unit, node: s.NumberOf, name: s.Name) -> Mistake:
    """Return the error for `number of cards on SPACE`: cards are not on spaces."""
    world = unit.world
    if name.text in world.words or name.text in world.members or name.text == "cards":
        return mistake(
            "RB121",
            node.span,
            f"only pieces are counted `on` a space, and `{name.text}` is not a piece",
            f"to count what a bag or set contains, write `number of {name.text} in …`",
        )
    return unknown_name_error("piece", name, world.piece_words)


# ---------------------------------------------------------------- spaces


def check_space(unit: Unit, node: s.Expr, piece: m.Piece) -> m.Expr:
    """Check an expression that must be a space where the piece may be."""
    expected = Member(piece.stands_on[0]) if len(piece.stands_on) == 1 else None
    try_types = [Member(name) for name in piece.stands_on]
    space = check_expr(unit, node, expected or _type_with_member(unit, node, try_types))
    if not (isinstance(space.type, Member) and space.type.domain in piece.stands_on):
        raise mistake(
            "RB122",
            space.span,
            f"a {piece.name} does not stand on {describe_type(space.type)}",
            f"it stands on {' or '.join(piece.stands_on)}",
            ((piece.span, "declared here"),),
        )
    return space


def _type_with_member(unit: Unit, node: s.Expr, types: list[Member]) -> Member | None:
    """Return the first of *types* that has the member named by *node*, or None."""
    if isinstance(node, s.NameRef) and node.name.text not in unit.names:
        for type_ in types:
            if node.name.text in unit.world.domains[type_.domain].members:
                return type_
    return None


def space_condition(unit: Unit, node: s.Has, space: m.Expr) -> m.Expr:
    """Return the condition of `SPACE has PIECES` or `SPACE has room for PIECES`.

    A member can also have a value that may be none, such as the card in a slot.
    """
    if isinstance(node.content, s.HasA):
        held = _optional_value(unit, space, node.content.name)
        if held is not None:
            none = m.no_value(held.type, node.content.name.span)
            present = node.content.present
            op = m.Comparison.UNEQUAL if present else m.Comparison.EQUAL
            return m.compare(op, held, none, node.span)
    _reject_cards_on_space(unit, node, space)
    match node.content:
        case s.HasA(name=name, present=present):
            piece = find_piece(unit, name)
            return negate_if(_piece_on(piece, None, space, node.span), not present)
        case s.HasAnothers(kind=kind, name=name, present=present):
            piece = find_piece(unit, name)
            excluded = excluded_owner(unit, kind, piece, node.span)
            on = _piece_on(piece, excluded, space, node.span)
            return negate_if(attrs.evolve(on, another=True), not present)
        case s.HasThing(value=s.Of(owner=owner, name=name), present=present):
            piece = find_piece(unit, name)
            whose = check_owner(unit, owner, piece, node.span)
            return negate_if(_piece_on(piece, whose, space, node.span), not present)
        case s.HasThing(value=s.NameRef(name=name), present=present):
            on = _piece_on(find_piece(unit, name), None, space, node.span)
            return negate_if(on, not present)
        case s.HasAmount(count=count, name=name):
            value = s.NameRef(name, span=name.span)
            return _at_least_condition(unit, node, value, count, space)
        case s.HasSome(count=count, value=value):
            return _at_least_condition(unit, node, value, count, space)
        case s.HasRoom(value=value, count=count):
            return _room_condition(unit, node, value, count, space)
    raise mistake("RB124", node.span, "a space has pieces, not amounts")


def _optional_value(unit: Unit, owner: m.Expr, name: s.Name) -> m.Expr | None:
    """Return the field of a member with a name if its value may be none, or None.

    The name of a kind means the only such field for members of this kind.
    """
    world = unit.world
    if name.text in world.piece_words or not isinstance(owner.type, Member):
        return None
    fields = {
        field.key: field
        for field in world.fields.values()
        if field.owner == owner.type.domain
        and isinstance(field.type, Member)
        and field.type.optional
        and not field.is_pair
    }
    named = [x for x in fields.values() if x.name == name.text]
    named = named or [x for x in fields.values() if str(x.type).split()[0] == name.text]
    if len(named) != 1:
        return None
    return m.field_value(named[0].key, owner, named[0].type, owner.span)


def _at_least_condition(
    unit: Unit, node: s.Has, value: s.Expr, count: s.Expr, space: m.Expr
) -> m.Expr:
    """Return the condition that a space has at least *count* pieces."""
    piece, owner = piece_and_owner(unit, value, allow_unowned=True)
    _piece_on(piece, owner, space, node.span)
    present = count_on_space(unit.world, piece, owner, space, node.span)
    return m.at_least(present, check_number(unit, count), node.span)


def _room_condition(
    unit: Unit, node: s.Has, value: s.Expr, count: s.Expr | None, space: m.Expr
) -> m.Expr:
    """Return the condition that a space has room for *count* more pieces, or one."""
    piece, owner = piece_and_owner(unit, value, allow_unowned=True)
    on = _piece_on(piece, owner, space, node.span)
    more = m.number(1, node.span) if count is None else check_number(unit, count)
    if piece.room is not None and piece.room.each_owner and owner is None:
        whose = "your" if piece.each_player else f"{piece.owner}'s"
        raise mistake(
            "RB125",
            node.span,
            f"whose {piece.name}? each {piece.owner} has separate room there",
            f"write `room for {whose} {piece.name}`",
            ((piece.span, "declared here"),),
        )
    if piece.room is None and more.type == ONE:
        return negate_if(attrs.evolve(on, owner=None), True)
    limited = owner if piece.room is not None and piece.room.each_owner else None
    present = count_on_space(unit.world, piece, limited, space, node.span)
    sum_ = m.add(present, more, present.type, node.span)
    most = room_limit(piece) or DEFAULT_MAXIMUM  # unlimited
    return m.at_most(sum_, most, node.span)


def room_limit(piece: m.Piece) -> m.Expr | None:
    """Return the maximum number of these pieces on one space, or None if unlimited."""
    if piece.room is None:
        return m.number(1, piece.span)
    return piece.room.maximum


def _reject_cards_on_space(unit: Unit, node: s.Has, space: m.Expr) -> None:
    """Raise `Mistake` for `player has CARD`: cards are in bags that players have."""
    name = named_content(node.content)
    if name is None or name.text in unit.world.piece_words:
        return
    parts = {field.name for field in unit.world.fields.values()}
    if name.text in parts.union(unit.names, unit.world.members):
        raise mistake(
            "RB124",
            node.span,
            f"{describe_type(space.type)} can only have pieces, and `{name.text}` is "
            "not a piece",
            "cards are in a bag or stack: name it, as in `your BAG has …`",
        )


def _piece_on(
    piece: m.Piece, owner: m.Expr | None, space: m.Expr, span: Span
) -> m.PieceOn:
    assert isinstance(space.type, Member)
    if space.type.domain not in piece.stands_on:
        raise mistake(
            "RB122",
            span,
            f"a {piece.name} never stands on a {space.type.domain}",
            f"to count pieces of a {piece.owner}, write `number of {piece.owner}'s …`"
            if space.type.domain == piece.owner
            else f"it stands on {' or '.join(piece.stands_on)}",
            ((piece.span, "declared here"),),
        )
    return m.piece_on(piece.name, owner, space, span)
