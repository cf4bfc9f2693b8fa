"""Declarations of options, costs, dice, pieces, fields and limits."""

from __future__ import annotations

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import limit_field
from rulebook.check.declare.domains import amounts_domain, amounts_value
from rulebook.check.declare.parameterized_fields import declare_hidden_domain
from rulebook.check.declare.scope import Unit, UnitSort
from rulebook.check.declare.signatures import check_type
from rulebook.check.declare.symbol_table import (
    PLAYER,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.assignability import expect_type
from rulebook.check.typing.expression_checks import check_condition, check_expr
from rulebook.check.typing.piece_fields import (
    check_piece_field_type,
    field_of_space,
)
from rulebook.check.typing.ranges import Facts, range_given_facts
from rulebook.model.limits import HOLDER_MAX
from rulebook.model.value_types import NONE, Bag, Member, Stack, Truth, Type, Whole
from rulebook.traversal import find

FACES_MAX = 10_000
"""Maximum number of faces of one die."""


def declare_options(world: SymbolTable) -> None:
    """Declare the options in order.

    A default may read the number of players and earlier options.
    """
    for clause in world.clauses.values():
        if not isinstance(clause, s.OptionClause):
            continue
        with world.collect_errors(clause.name.text):
            type_: Type = (
                Truth() if clause.range is None else world.range_type(clause.range)
            )
            unit = Unit(world, clause.name.text, UnitSort.VALUE, has_actor=False)
            default: list[tuple[m.Expr, m.Expr | None]] = []
            others: Facts = ()
            for value, condition in clause.default:
                checked = check_expr(unit, value, type_)
                _require_range(clause, checked)
                checked = expect_type(checked, type_)
                test = None if condition is None else check_condition(unit, condition)
                facts = () if test is None else tuple(m.conjuncts(test))
                _require_pregame_value(
                    checked, "a default must", *([] if test is None else [test])
                )
                _require_in_range(checked, type_, (*others, *facts))
                others += () if test is None else tuple(m.negated_conjuncts(test))
                default.append((checked, test))
            world.options[clause.name.text] = m.Option(
                name=clause.name.text,
                type=type_,
                default=tuple(default),
                help=clause.help or "",
                cites=clause.cites,
                span=clause.name.span,
            )


def _require_range(clause: s.OptionClause, value: m.Expr) -> None:
    if clause.range is None and isinstance(value.type, Whole):
        raise mistake(
            "RB110",
            value.span,
            "this option is a number but declares no range",
            f"write `option {clause.name.text} (1 to 9): …`",
        )


def _require_pregame_value(value: m.Expr, description: str, *more: m.Expr) -> None:
    """Raise `Mistake` unless a value can be evaluated before the game starts."""
    for expr in (value, *more):
        if not all(node.is_fixed for node in find(expr, m.Typed)):
            raise mistake(
                "RB103",
                expr.span,
                f"{description} be known before the game starts",
                "write a number, an option or the number of players",
            )


def _require_in_range(value: m.Expr, type_: Type, facts: Facts = ()) -> None:
    """Raise `Mistake` if a value may be outside the range of its type."""
    if not (isinstance(value.type, Whole) and isinstance(type_, Whole)):
        return
    bounds = range_given_facts(value, facts)
    if type_.low <= bounds.low and bounds.high <= type_.high:
        return
    exact = bounds.low == bounds.high
    raise mistake(
        "RB145",
        value.span,
        f"{bounds.low if exact else f'this may be {bounds}, which'} "
        f"is not in the range {type_}",
        None if exact else "use `smaller of` or `larger of`",
    )


def declare_costs(world: SymbolTable) -> None:
    """Declare the named costs."""
    for clause in world.clauses.values():
        if isinstance(clause, s.CostClause):
            with world.collect_errors(clause.name.text):
                domain = amounts_domain(world, clause.amounts)
                counts = amounts_value(world, clause.amounts, domain)
                cost = m.constant(counts, Bag(domain), clause.name.span)
                world.costs[clause.name.text] = cost


def declare_dice(world: SymbolTable) -> None:
    """Declare each die as a field of the game that a roll sets."""
    for clause in world.clauses.values():
        if not isinstance(clause, s.DiceClause):
            continue
        for name in clause.names:
            with world.collect_errors(name.text):
                if name.text in world.dice:
                    raise mistake(
                        "RB102",
                        name.span,
                        f"the die `{name.text}` is declared twice",
                        related=((world.dice[name.text].span, "first declared here"),),
                    )
                type_ = _die_type(world, clause, name)
                start = type_.low if isinstance(type_, Whole) else 0
                field = m.Field(
                    name=name.text,
                    owner=None,
                    type=type_,
                    start=m.constant(start, type_, name.span),
                    faces=_faces(world, clause, type_),
                    cites=clause.cites,
                    span=name.span,
                )
                world.dice[name.text] = field
                world.fields[name.text] = field


def _die_type(world: SymbolTable, clause: s.DiceClause, name: s.Name) -> Type:
    if clause.range is not None:
        type_ = world.range_type(clause.range)
        if type_.high - type_.low >= FACES_MAX:
            raise mistake(
                "RB152",
                clause.range.span,
                f"{type_.high - type_.low + 1:,} faces exceed the limit of "
                f"{FACES_MAX:,}",
            )
        return type_
    homes: set[str] | None = None
    for face in clause.faces:
        domains = {domain for domain, _ in world.members.get(face.text, [])}
        homes = domains if homes is None else homes & domains
    if homes:
        return Member(next(name for name in world.domains if name in homes))
    members = tuple(dict.fromkeys(face.text for face in clause.faces))
    world.add_domain(
        m.Domain(
            name=f"{name.text}_face",
            plural=f"{name.text}_faces",
            sort=m.DomainSort.KIND,
            members=members,
            span=clause.span,
        ),
        name.span,
    )
    return Member(f"{name.text}_face")


def _faces(world: SymbolTable, clause: s.DiceClause, type_: Type) -> tuple[int, ...]:
    if isinstance(type_, Whole):
        return tuple(range(type_.low, type_.high + 1))
    assert isinstance(type_, Member)
    members = world.domains[type_.domain].members
    return tuple(members.index(face.text) for face in clause.faces)


def declare_pieces(world: SymbolTable) -> None:
    """Declare the pieces and their singular and plural names."""
    for clause in world.clauses.values():
        if not isinstance(clause, s.PieceClause):
            continue
        name = clause.name.text
        plural = clause.plural.text if clause.plural else name
        with world.collect_errors(name, plural):
            unit = Unit(world, name, UnitSort.VALUE, has_actor=False)
            count = expect_type(
                check_expr(unit, clause.count, Whole(0, 0)), Whole(0, 0)
            )
            _require_pregame_value(count, "the number of pieces must")
            spaces = tuple(world.domain_named(n).name for n in clause.stands_on)
            owner = _piece_owner(world, clause)
            world.pieces[name] = m.Piece(
                name=name,
                plural=plural,
                count=count,
                each_player=owner is not None and owner.name == PLAYER,
                stands_on=spaces,
                cites=clause.cites,
                room=_room(unit, clause, owner),
                each_member=None
                if owner is None or owner.name == PLAYER
                else owner.name,
                span=clause.name.span,
            )
            world.piece_words[name] = name
            world.piece_words[plural] = name


def _piece_owner(world: SymbolTable, clause: s.PieceClause) -> m.Domain | None:
    """Return the kind whose members own the pieces, or None if nobody owns them."""
    if clause.owner is None:
        return None
    homes = world.members.get(clause.owner.text, ())
    if homes and clause.owner.text not in world.words:
        kind = homes[0][0]
        raise mistake(
            "RB125",
            clause.owner.span,
            f"`{clause.owner.text}` is a single {kind}, not a kind",
            f"write `for each {kind}`, or `in all` for pieces without an owner",
        )
    owner = world.domain_named(clause.owner)
    if owner.each_player:
        raise mistake(
            "RB125",
            clause.owner.span,
            f"pieces cannot belong to a {owner.name}, because each player has some",
            "write `for each player`",
            ((owner.span, "declared here"),),
        )
    return owner


def _room(unit: Unit, clause: s.PieceClause, owner: m.Domain | None) -> m.Room | None:
    """Return the limit on pieces per space, or None for the default of one piece."""
    node = clause.room
    if node is None:
        return None
    if node.owner is not None and unit.world.domain_named(node.owner) is not owner:
        whose = "has no owner" if owner is None else f"belongs to a {owner.name}"
        raise mistake(
            "RB125",
            node.span,
            f"`{clause.name.text}` {whose}, so its room cannot be `for each "
            f"{node.owner.text}`",
            "give the room for all pieces together: `up to 2`",
        )
    most = None
    if node.maximum is not None:
        value = check_expr(unit, node.maximum, Whole(0, 0))
        most = expect_type(value, Whole(0, 0))
        _require_pregame_value(most, "the room for pieces must")
    return m.Room(maximum=most, each_owner=node.owner is not None, span=node.span)


def declare_fields(world: SymbolTable) -> None:
    """Declare the fields of the game, of players, of other members and of pieces."""
    _declare_dealt_fields(world)
    for clause in world.clauses.values():
        if not isinstance(clause, s.FieldsClause):
            continue
        owner, piece = None, None
        if clause.owner is not None:
            piece = world.pieces.get(clause.owner.text)
        if clause.owner is not None and piece is None:
            names = (field.name.text for field in clause.fields)
            with world.collect_errors(*names):
                owner = _owner(world, clause.owner)
            if owner is None:
                continue
        for line in clause.fields:
            node = line
            with world.collect_errors(node.name.text):
                if piece is not None:
                    owner, node = field_of_space(world, piece, line)
                _check_known_part(world, owner, node.name)
                field = _field(world, owner, node)
                if piece is not None:
                    check_piece_field_type(world, line, field.type)
                    field = attrs.evolve(field, piece=piece.name)
                if node.parameters:
                    pairs = declare_hidden_domain(world, owner, node, field.type)
                    field = attrs.evolve(field, owner=pairs)
                if field.key in world.fields and not world.fields[field.key].dealt:
                    raise mistake(
                        "RB102",
                        node.name.span,
                        f"`{node.name.text}` is declared twice",
                        related=((world.fields[field.key].span, "first here"),),
                    )
                world.fields[field.key] = field
                if piece is not None:
                    piece = attrs.evolve(piece, fields=(*piece.fields, field.key))
                    world.pieces[piece.name] = piece


def _check_known_part(world: SymbolTable, owner: str | None, name: s.Name) -> None:
    """Raise `Mistake` for a field with the name of a relation of the board."""
    if owner is None:
        return
    faces = name.text == m.FACING and m.FACING in world.domains[owner].columns
    if faces or (owner, name.text) in world.relations:
        raise mistake(
            "RB102",
            name.span,
            f"`{owner}'s {name.text}` is already a part of the board",
            "choose another name",
        )


def _owner(world: SymbolTable, name: s.Name) -> str:
    """Return the kind that owns fields; raise `Mistake` if its name is reserved."""
    owner = world.domain_named(name)
    if owner.name in m.POSITION_KEYS:
        raise mistake(
            "RB107",
            name.span,
            f"`{owner.name}` is a reserved name in positions, so its members"
            " cannot have fields",
            f"give the {owner.sort} another name",
            ((owner.span, "declared here"),),
        )
    return owner.name


def _declare_dealt_fields(world: SymbolTable) -> None:
    """Declare a field for each table column of dashes; set-up deals its values."""
    for name, owner in world.pending_columns:
        with world.collect_errors(name.text):
            key = f"{owner}.{name.text}"
            type_ = _dealt_type(world, name)
            world.fields[key] = m.Field(
                name=name.text,
                owner=owner,
                type=type_,
                start=m.no_value(type_, name.span),
                dealt=True,
                span=name.span,
            )


def _dealt_type(world: SymbolTable, name: s.Name) -> Type:
    if name.text in world.words:
        return Member(world.words[name.text], optional=True)
    for domain in world.domains.values():
        column = domain.columns.get(name.text)
        if domain.sort is m.DomainSort.CARDS and column is not None:
            if isinstance(column.type, Whole):
                return Whole(NONE, column.type.high)
            if isinstance(column.type, Member):
                return Member(column.type.domain, optional=True)
    raise mistake(
        "RB143",
        name.span,
        f"`{name.text}` is neither a kind nor a column of cards, so it cannot be dealt",
        "name the column after a kind, or after a column of the cards that are dealt",
    )


def _field(world: SymbolTable, owner: str | None, node: s.FieldLine) -> m.Field:
    type_ = check_type(world, node.type)
    unit = Unit(world, node.name.text, UnitSort.VALUE, has_actor=False)
    start: m.Expr | None = None
    start_each: m.Expr | None = None
    if node.starts_at is not None:
        held = Bag(type_.domain) if isinstance(type_, Stack) else type_
        start = expect_type(check_expr(unit, node.starts_at, held), held)
        _require_pregame_value(start, "the start value of a field must")
        _require_in_range(start, held)
    elif isinstance(type_, Truth | Whole | Member):
        start = m.constant(_first_value(world, type_), type_, node.span)
    if node.starts_of_each is not None:
        number = Whole(0, 0)
        start_each = expect_type(check_expr(unit, node.starts_of_each, number), number)
        _require_pregame_value(start_each, "the number of cards at the start must")
        _require_in_range(start_each, Whole(0, HOLDER_MAX))
    if node.starts_every is not None:
        _check_start_every(world, node, type_)
    if node.seen_by not in set(m.Audience):
        message = "a field must be seen by all, owner or nobody"
        everybody = node.seen_by in ("everybody", "everyone", "anybody", "players")
        help = "write `seen by all`" if everybody else None
        raise mistake("RB101", node.span, message, help)
    seen_by = m.Audience(node.seen_by)
    if seen_by is m.Audience.OWNER and owner is None:
        raise mistake("RB146", node.span, "the game's own fields have no owner")
    return m.Field(
        name=node.name.text,
        owner=owner,
        type=type_,
        seen_by=seen_by,
        start=start,
        start_each=start_each,
        start_every=node.starts_every is not None,
        endless=isinstance(node.type, s.HolderType) and node.type.endless,
        resets=node.resets,
        bookkeeping=not node.shown,
        cites=node.cites,
        span=node.name.span,
    )


def _first_value(world: SymbolTable, type_: Type) -> object:
    if isinstance(type_, Member):
        return NONE if type_.optional else 0
    return world.empty_value(type_)


def _check_start_every(world: SymbolTable, node: s.FieldLine, type_: Type) -> None:
    assert node.starts_every is not None
    domain = world.domain_named(node.starts_every)
    if domain.sort is not m.DomainSort.CARDS or not isinstance(type_, Bag | Stack):
        raise mistake("RB110", node.span, "`every` needs a kind of cards")
    if type_.domain != domain.name:
        raise mistake("RB110", node.span, f"a {type_} cannot hold {domain.plural}")


def declare_limits(world: SymbolTable) -> None:
    """Declare limits on actions, each with a field that counts a player's uses."""
    for clause in world.clauses.values():
        if not isinstance(clause, s.LimitClause):
            continue
        with world.collect_errors(clause.name.text):
            unit = Unit(world, clause.name.text, UnitSort.VALUE, has_actor=False)
            number = Whole(0, 0)
            count = expect_type(check_expr(unit, clause.count, number), number)
            for name in clause.actions:
                if name.text not in world.action_signatures:
                    raise unknown_name_error("action", name, world.action_signatures)
            limit = m.Limit(
                name=clause.name.text,
                count=count,
                period=clause.period,
                actions=tuple(name.text for name in clause.actions),
                span=clause.name.span,
            )
            world.limits[limit.name] = limit
            field = m.Field(
                name=limit_field(limit.name),
                owner=PLAYER,
                type=Whole(0, 1000),
                start=m.number(0, clause.span),
                resets=clause.period is m.Period.TURN,
                resets_round=clause.period is m.Period.ROUND,
                span=clause.name.span,
            )
            world.fields[field.key] = field


def apply_limits(world: SymbolTable) -> None:
    """Add a requirement and a statement that counts uses to each limited action."""
    for clause in world.clauses.values():
        if not isinstance(clause, s.LimitClause):
            continue
        limit = world.limits.get(clause.name.text)
        if limit is None:
            continue
        for name in limit.actions:
            action = world.actions.get(name)
            if action is not None:
                world.actions[name] = _with_limit(action, limit, clause)


def _with_limit(action: m.Action, limit: m.Limit, clause: s.LimitClause) -> m.Action:
    key = f"{PLAYER}.{limit_field(limit.name)}"
    you = m.you(clause.span)
    used = m.field_value(key, you, Whole(0, 1000), clause.span)
    need = m.Requirement(
        label=limit.name,
        sort=m.RequirementSort.LIMIT,
        condition=m.compare(m.Comparison.LESS, used, limit.count, clause.span),
        reason=clause.reason,
        cites=clause.cites,
        span=clause.span,
    )
    more = m.add(used, 1, used.type, clause.span)
    count = m.SetField(field=key, owner=you, value=more, span=clause.span)
    return attrs.evolve(
        action,
        requirements=(*action.requirements, need),
        body=(count, *action.body),
    )
