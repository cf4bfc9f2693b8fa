"""Checks of expressions: resolution of names, translation to the typed model.

`check_expr(unit, node, expected)` is the entry point. `expected` only helps to choose
between meanings of a name. The caller tests the type with `expect_type`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import LEFT_SUFFIX
from rulebook.check.declare import domains
from rulebook.check.declare.board import link_index
from rulebook.check.declare.parameterized_fields import (
    card_at,
    parameterized_value,
    parameters_of,
)
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    PLAYER,
    Mistake,
    SignatureSort,
    argument_count_error,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.assignability import (
    DEFAULT_MAXIMUM,
    TRUTH,
    attribute_type,
    describe_type,
    expect_type,
    kind_as_member_help,
)
from rulebook.check.typing.visible_names import (
    BUILTIN_NAMES,
    owned_space_help,
    parts_of,
    preferred_names,
    subject_domain,
    unknown_name_help,
    visible_names,
)
from rulebook.model.value_types import (
    Bag,
    Member,
    NoneType,
    SetOf,
    Stack,
    Tally,
    Type,
    Whole,
)
from rulebook.source.spans import Span


def check_expr(unit: Unit, node: s.Expr, expected: Type | None = None) -> m.Expr:
    """Check an expression; return its typed form."""
    return CHECKS[type(node)](unit, node, expected)


def check_condition(unit: Unit, node: s.Expr) -> m.Expr:
    """Check an expression that must be a condition; return its typed form."""
    return expect_type(check_expr(unit, node, TRUTH), TRUTH)


def check_number(unit: Unit, node: s.Expr) -> m.Expr:
    """Check an expression that must be a number; return its typed form."""
    value = check_expr(unit, node, Whole(0, DEFAULT_MAXIMUM))
    return expect_type(value, Whole(0, DEFAULT_MAXIMUM))


def check_player(unit: Unit, node: s.Expr) -> m.Expr:
    """Check an expression that must be a player; return its typed form."""
    return expect_type(check_expr(unit, node, Member(PLAYER)), Member(PLAYER))


def check_owner(unit: Unit, node: s.Expr, piece: m.Piece, span: Span) -> m.Expr:
    """Check an expression that must be an owner of a piece; return its typed form."""
    expected = Member(piece.owner or PLAYER)
    owner = check_expr(unit, node, expected)
    if piece.owner is None or (
        isinstance(owner.type, Member) and owner.type.domain != piece.owner
    ):
        raise not_owned_error(piece, owner.type, span)
    return expect_type(owner, expected)


def missing_owner_error(piece: m.Piece, word: str, span: Span) -> Mistake:
    """Return the error for a piece, or its supply, that is named without its owner."""
    yours = f"`your {word}` or " if piece.each_player else ""
    return mistake(
        "RB125",
        span,
        f"whose {word}? every {piece.owner} has some",
        f"write {yours}`{piece.owner}'s {word}`",
    )


def not_owned_error(piece: m.Piece, type_: Type, span: Span) -> Mistake:
    """Return the error for a piece that a value of this type cannot own."""
    if piece.owner is None:
        return mistake("RB125", span, f"a {piece.name} has no owner")
    return mistake(
        "RB125",
        span,
        f"a {piece.name} belongs to a {piece.owner}, not to {describe_type(type_)}",
        f"write `{piece.owner}'s {piece.name}`",
        ((piece.span, "declared here"),),
    )


def check_member(unit: Unit, node: s.Expr, domain: str) -> m.Expr:
    """Check an expression that must be a member of *domain*; return its typed form."""
    return expect_type(check_expr(unit, node, Member(domain)), Member(domain))


# ---------------------------------------------------------------- literals and names


def _number(unit: Unit, node: s.Number, expected: Type | None) -> m.Expr:
    return m.number(node.value, node.span)


def _yes_no(unit: Unit, node: s.YesNo, expected: Type | None) -> m.Expr:
    return m.truth(node.value, node.span)


def _none(unit: Unit, node: s.NoneValue, expected: Type | None) -> m.Expr:
    return m.no_value(NoneType(), node.span)


def _nothing(unit: Unit, node: s.Nothing, expected: Type | None) -> m.Expr:
    if not isinstance(expected, Bag):
        raise mistake(
            "RB111",
            node.span,
            "the kind of these cards is unknown",
            "name it: `nothing of KIND`",
        )
    return empty_bag(unit, expected, node.span)


def empty_bag(unit: Unit, type_: Bag, span: Span) -> m.Expr:
    """Return a constant bag without cards."""
    counts = (0,) * len(unit.world.domains[type_.domain].members)
    return m.constant(counts, type_, span)


def _you(unit: Unit, node: s.You, expected: Type | None) -> m.Expr:
    if not unit.has_actor:
        raise mistake(
            "RB112",
            node.span,
            "a definition cannot use `you`: it has no acting player",
            "give it a parameter: `for player`",
        )
    return m.you(node.span)


def _amounts(unit: Unit, node: s.Amounts, expected: Type | None) -> m.Expr:
    world = unit.world
    domain = (
        expected.domain
        if isinstance(expected, Bag)
        else domains.amounts_domain(world, node)
    )
    counts = domains.amounts_value(world, node, domain)
    return m.constant(counts, Bag(domain), node.span)


def _link(unit: Unit, node: s.LinkRef, expected: Type | None) -> m.Expr:
    world = unit.world
    index = link_index(world, node.first, node.second)
    assert world.board is not None and world.board.link is not None
    return m.constant(index, Member(world.board.link), node.span)


def _name(unit: Unit, node: s.NameRef, expected: Type | None) -> m.Expr:
    return resolve_name(unit, node.name, expected)


def resolve_name(
    unit: Unit, name: s.Name, expected: Type | None, *keywords: str
) -> m.Expr:
    """Return the expression that a bare name means at this point.

    Suggestions for an unknown name also include `keywords`.
    """
    world, text, span = unit.world, name.text, name.span
    if text in unit.names:
        return unit.local(text, span)
    if text in unit.broken:  # not a kind with this name
        raise unknown_name_error("name", name, ())
    if isinstance(expected, Member):
        for domain, index in world.members.get(text, []):
            if domain == expected.domain:
                return m.constant(index, Member(domain), span)
    if text in world.fields:
        field = world.fields[text]
        check_arguments(unit, parameters_of(world, field), (), name)
        return m.field_value(text, None, field.type, span)
    if text in world.options:
        option = world.options[text]
        return m.option(text, option.type, span)
    for signature in world.defines.get(text, []):
        if signature.sort is SignatureSort.VALUE and not signature.parameters:
            return m.call(signature.key, (), signature.type, span)
    homes = world.members.get(text, [])
    if len(homes) == 1:
        domain, index = homes[0]
        return m.constant(index, Member(domain), span)
    if text in world.words:
        domain = world.words[text]
        return m.all_of(domain, span)
    if text in BUILTIN_NAMES:
        return BUILTIN_NAMES[text](unit, span)
    supply = text.removesuffix(LEFT_SUFFIX)
    if supply != text and supply in world.piece_words:
        piece = world.pieces[world.piece_words[supply]]
        if piece.owner is not None:
            raise missing_owner_error(piece, text, span)
        return m.piece_left(piece.name, None, span)
    if homes:
        kinds = " and ".join(sorted(domain for domain, _ in homes))
        raise mistake(
            "RB113",
            span,
            f"`{text}` is ambiguous here: it may be a member of {kinds}",
        )
    every = visible_names(unit) | set(keywords)
    raise unknown_name_error(
        "name",
        name,
        every,
        preferred_names(unit, expected),
        help=unknown_name_help(unit, text) or owned_space_help(unit.world, text),
    )


# ---------------------------------------------------------------- possessives


def _of(unit: Unit, node: s.Of, expected: Type | None) -> m.Expr:
    special = _special_owner(unit, node)
    if special is not None:
        return special
    find = Member("") if isinstance(node.owner, s.Some) else None
    owner = check_expr(unit, node.owner, find)
    if isinstance(owner.type, SetOf | Bag):
        for signature in unit.world.defines.get(node.name.text, []):
            if (
                signature.sort is SignatureSort.PROPERTY
                and signature.parameters[0].type == owner.type
            ):
                others = signature.parameters[1:]
                given = check_arguments(unit, others, node.arguments, node.name)
                return m.call(signature.key, (owner, *given), signature.type, node.span)
    if not isinstance(owner.type, Member):
        raise mistake(
            "RB114",
            owner.span,
            f"{describe_type(owner.type)} has nothing called `{node.name.text}`",
            kind_as_member_help(owner),
        )
    return check_possession(unit, owner, node.name, node.arguments, node.span)


def _special_owner(unit: Unit, node: s.Of) -> m.Expr | None:
    """Check `award's holder` or `pawn's space`; return None for other owners."""
    world, name = unit.world, node.name
    match node.owner:
        case s.NameRef(name=owner) if owner.text in unit.names:
            return None
        case s.NameRef(name=owner) if owner.text in world.awards:
            if name.text != "holder":
                raise unknown_name_error("part of an award", name, ["holder"])
            return m.AwardHolder(
                award=owner.text, type=Member(PLAYER, True), span=node.span
            )
        case s.NameRef(name=owner) if owner.text in world.pieces:
            return _piece_space(unit, owner, None, name, node.span)
        case s.Of(owner=who, name=owner) if owner.text in world.pieces:
            piece = world.pieces[owner.text]
            whose = check_owner(unit, who, piece, node.span)
            return _piece_space(unit, owner, whose, name, node.span)
    return None


def _piece_space(
    unit: Unit, piece: s.Name, owner: m.Expr | None, name: s.Name, span: Span
) -> m.Expr:
    entry = unit.world.pieces[piece.text]
    if name.text not in entry.stands_on:
        raise unknown_name_error("space of this piece", name, entry.stands_on)
    return m.PieceSpace(
        piece=entry.name,
        owner=owner,
        domain=name.text,
        type=Member(name.text, True),
        span=span,
    )


def check_possession(
    unit: Unit, owner: m.Expr, name: s.Name, arguments: tuple[s.Expr, ...], span: Span
) -> m.Expr:
    """Check `OWNER's NAME`: NAME is a column, field, relation, property or piece."""
    world, text = unit.world, name.text
    assert isinstance(owner.type, Member)
    domain = owner.type.domain
    entry = world.domains[domain]
    if text in entry.columns:
        type_ = attribute_type(entry.columns[text].type, owner.type)
        return m.column_value(domain, text, owner, type_, span)
    if f"{domain}.{text}" in world.fields:
        key = f"{domain}.{text}"
        field = world.fields[key]
        given = check_arguments(unit, parameters_of(world, field), arguments, name)
        if field.is_pair:
            return parameterized_value(world, field, owner, given, span)
        type_ = attribute_type(field.type, owner.type)
        return m.field_value(key, owner, type_, span)
    if (domain, text) in world.relations:
        relation = world.relations[domain, text]
        return m.Related(
            relation=f"{domain}.{text}",
            of=owner,
            type=SetOf(relation.target),
            span=span,
        )
    for signature in world.defines.get(text, []):
        if (
            signature.sort is SignatureSort.PROPERTY
            and subject_domain(signature) == domain
        ):
            given = check_arguments(unit, signature.parameters[1:], arguments, name)
            return m.call(signature.key, (owner, *given), signature.type, span)
    if domain == PLAYER and arguments and _has_axes(unit, text):
        return check_space_at(unit, name, owner, arguments, span)
    if entry.each_player and text == "owner":
        return m.column_value(domain, text, owner, Member(PLAYER), span)
    part = _piece_part(unit, owner, name, span)
    if part is None and domain == PLAYER:
        part = _player_part(unit, owner, name, span)
    if part is not None:
        return part
    raise unknown_name_error(f"part of a {domain}", name, parts_of(unit, domain))


def _player_part(unit: Unit, owner: m.Expr, name: s.Name, span: Span) -> m.Expr | None:
    world, text = unit.world, name.text
    if text in ("points", "visible_points"):
        if not any(isinstance(x, s.PointsClause) for x in world.clauses.values()):
            raise mistake(
                "RB114",
                name.span,
                "this game counts no points",
                "declare them: `points of player`, and below it a line such as "
                "`score: player's score`",
            )
        visible = text == "visible_points"
        return m.PlayerPoints(
            player=owner, visible=visible, type=Whole(0, DEFAULT_MAXIMUM), span=span
        )
    if text in world.words and world.domains[world.words[text]].each_player:
        domain = world.words[text]
        return m.OwnSpaces(domain=domain, player=owner, type=SetOf(domain), span=span)
    return None


def _piece_part(unit: Unit, owner: m.Expr, name: s.Name, span: Span) -> m.Expr | None:
    """Return an owner's supply of pieces or their spaces; None if not a piece."""
    world, text = unit.world, name.text
    assert isinstance(owner.type, Member)
    supply = text.removesuffix(LEFT_SUFFIX)
    if supply not in world.piece_words:
        return None
    piece = world.pieces[world.piece_words[supply]]
    if owner.type.domain != piece.owner:
        raise not_owned_error(piece, owner.type, span)
    if supply != text:
        return m.piece_left(piece.name, owner, span)
    if len(piece.stands_on) == 1:
        return m.piece_spaces(piece.name, owner, piece.stands_on[0], span)
    raise mistake(
        "RB115",
        name.span,
        f"`{text}` stand on several kinds of space ({', '.join(piece.stands_on)})",
        "name the spaces: `number of … in …`, or a loop over them",
    )


def _has_axes(unit: Unit, word: str) -> bool:
    world = unit.world
    return word in world.words and bool(world.domains[world.words[word]].axes)


def check_space_at(
    unit: Unit,
    name: s.Name,
    owner: m.Expr | None,
    arguments: tuple[s.Expr, ...],
    span: Span,
) -> m.Expr:
    """Return the space or card at the given coordinates.

    A space may be none, unless all its coordinates are members that exist.
    """
    domain = unit.world.domain_named(name)
    if domain.each_player and owner is None:
        raise mistake(
            "RB125",
            name.span,
            f"whose {domain.name}? every player has some",
            f"write `your {domain.name}(…)` or `player's {domain.name}(…)`",
        )
    if len(arguments) != len(domain.axes):
        names = ", ".join(axis.name for axis in domain.axes)
        what = "parts" if domain.sort is m.DomainSort.CARDS else "coordinates"
        raise mistake(
            "RB116",
            name.span,
            f"a {domain.name} has {len(domain.axes)} {what} ({names})",
        )
    where = tuple(
        expect_type(check_expr(unit, node, axis.type), axis.type)
        for node, axis in zip(arguments, domain.axes, strict=True)
    )
    if domain.sort is m.DomainSort.CARDS:
        return card_at(domain, where, span)
    known = (*where, owner) if owner is not None else where
    exists = all(isinstance(x.type, Member) and not x.type.optional for x in known)
    type_ = Member(domain.name, optional=not exists)
    return m.SpaceAt(domain.name, owner, where, type=type_, span=span)


def check_arguments(
    unit: Unit,
    expected_parameters: tuple[m.Parameter, ...],
    arguments: tuple[s.Expr, ...],
    name: s.Name,
) -> tuple[m.Expr, ...]:
    """Check the arguments of a call against its parameters; return them."""
    if len(arguments) != len(expected_parameters):
        raise argument_count_error(name, expected_parameters, arguments, name.span)
    return tuple(
        expect_type(check_expr(unit, node, parameter.type), parameter.type)
        for node, parameter in zip(arguments, expected_parameters, strict=True)
    )


def _apply(unit: Unit, node: s.Apply, expected: Type | None) -> m.Expr:
    world, name = unit.world, node.name
    if name.text in unit.names:
        tally = unit.names[name.text]
        if m.is_variable(tally) and isinstance(tally.type, Tally):
            return check_tally_value(unit, tally.slot, tally.type, node)
    mistakes: list[Mistake] = []
    for signature in world.defines.get(name.text, []):
        if signature.sort is SignatureSort.VALUE:
            try:
                given = check_arguments(
                    unit, signature.parameters, node.arguments, name
                )
            except Mistake as error:  # another definition of the name may fit
                mistakes.append(error)
                continue
            return m.call(signature.key, given, signature.type, node.span)
    if mistakes:
        raise mistakes[0]
    if _has_axes(unit, name.text):
        return check_space_at(unit, name, None, node.arguments, node.span)
    if name.text in world.fields:
        field = world.fields[name.text]
        wanted = parameters_of(world, field)
        given = check_arguments(unit, wanted, node.arguments, name)
        return parameterized_value(world, field, None, given, node.span)
    values = [
        entry.name
        for entries in world.defines.values()
        for entry in entries
        if entry.sort is SignatureSort.VALUE
    ]
    raise unknown_name_error("value", name, values)


def check_tally_value(
    unit: Unit, slot: int, type_: Tally, node: s.Apply
) -> m.TallyValue:
    """Check one number of a tally, selected by indices in brackets."""
    if len(node.arguments) != len(type_.domains):
        raise mistake(
            "RB116",
            node.name.span,
            f"a number of a {type_} needs {len(type_.domains)} indices in brackets",
        )
    indices = tuple(
        check_member(unit, argument, domain)
        for argument, domain in zip(node.arguments, type_.domains, strict=True)
    )
    return m.TallyValue(slot, indices, type=Whole(0, DEFAULT_MAXIMUM), span=node.span)


# ---------------------------------------------------------------- costs and stacks


def _cost(unit: Unit, node: s.CostOf, expected: Type | None) -> m.Expr:
    return named_cost(unit, node.name)


def named_cost(unit: Unit, name: s.Name) -> m.Expr:
    """Return the bag of cards of a named cost."""
    if name.text not in unit.world.costs:
        raise unknown_name_error("cost", name, unit.world.costs)
    return attrs.evolve(unit.world.costs[name.text], span=name.span)


def _card_at(unit: Unit, node: s.CardAt, expected: Type | None) -> m.Expr:
    stack = check_expr(unit, node.stack)
    if not isinstance(stack.type, Stack):
        raise mistake(
            "RB110", stack.span, f"expected a stack, not {describe_type(stack.type)}"
        )
    type_ = Member(stack.type.domain, optional=True)
    place = None if node.place is None else check_number(unit, node.place)
    return m.StackCard(
        stack=stack,
        place=place,
        from_bottom=node.from_bottom,
        type=type_,
        span=node.span,
    )


CHECKS: dict[type[Any], Callable[..., m.Expr]] = {
    s.Number: _number,
    s.YesNo: _yes_no,
    s.NoneValue: _none,
    s.Nothing: _nothing,
    s.You: _you,
    s.Amounts: _amounts,
    s.LinkRef: _link,
    s.NameRef: _name,
    s.Of: _of,
    s.Apply: _apply,
    s.CostOf: _cost,
    s.CardAt: _card_at,
}
