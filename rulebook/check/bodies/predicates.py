"""Checks of conditions with `is` and `has`, and of counts with `number of`."""

from __future__ import annotations

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.bodies.legality import check_is_legal
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    PLAYER,
    DefineSignature,
    Mistake,
    SignatureSort,
    are_comparable,
    is_assignable,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.arithmetic_checks import negate_if
from rulebook.check.typing.assignability import (
    describe_type,
    expect_type,
    kind_as_member_help,
)
from rulebook.check.typing.binders import bind_within, member_count, spaces_of_pieces
from rulebook.check.typing.expression_checks import (
    CHECKS,
    check_expr,
    check_member,
    check_number,
    check_owner,
    resolve_name,
)
from rulebook.check.typing.pieces import (
    cards_on_space_error,
    count_pieces,
    find_piece,
    named_content,
    space_condition,
)
from rulebook.check.typing.set_types import size_expression
from rulebook.model.value_types import (
    NONE,
    Bag,
    Member,
    NoneType,
    SetOf,
    Stack,
    Truth,
    Type,
    Whole,
)
from rulebook.source.source_text import text_at
from rulebook.source.spans import Span

# ---------------------------------------------------------------- number of

COMPARISONS = frozenset({"than"})
"""Words of comparisons, which have signs for numbers."""


def _number_of(unit: Unit, node: s.NumberOf, expected: Type | None) -> m.Expr:
    if node.where is not None or node.best or node.range is not None:
        return _count_where(unit, node)
    world = unit.world
    if node.another is not None:
        assert isinstance(node.what, s.NameRef)
        return count_pieces(unit, node, node.what.name, None)
    match node.what:
        case s.Of(owner=owner, name=name) if name.text in world.piece_words:
            whose = check_owner(unit, owner, find_piece(unit, name), node.span)
            return count_pieces(unit, node, name, whose)
        case s.Of(name=name) if node.on:
            raise unknown_name_error("piece", name, world.piece_words)
        case s.NameRef(name=name) if node.on and name.text not in world.piece_words:
            raise cards_on_space_error(unit, node, name)
        case s.NameRef(name=name) if name.text in unit.names:
            pass
        case s.NameRef(name=name) if name.text in world.words or name.text == "cards":
            return _count_kind(unit, node, name)
        case s.NameRef(name=name) if name.text in world.piece_words:
            return count_pieces(unit, node, name, None)
    if node.place is None:
        return size_expression(unit, check_expr(unit, node.what), node.span)
    if isinstance(node.what, s.Of) and node.what.name.text not in world.fields:
        place = check_expr(unit, node.place)
        if isinstance(place.type, SetOf):
            raise unknown_name_error("piece", node.what.name, world.piece_words)
    holder = check_holder(unit, node.place)
    assert isinstance(holder.type, Bag | Stack)
    if isinstance(node.what, s.NameRef):  # suggest `cards` first
        resolve_name(unit, node.what.name, Member(holder.type.domain), "cards")
    member = check_member(unit, node.what, holder.type.domain)
    return m.count_in(holder, member, node.span)


def check_holder(unit: Unit, node: s.Expr) -> m.Expr:
    """Return the checked bag or stack; raise `Mistake` for anything else."""
    value = check_expr(unit, node)
    if not isinstance(value.type, Bag | Stack):
        raise mistake(
            "RB110",
            value.span,
            "expected a bag or stack of cards, but this is "
            f"{describe_type(value.type)}",
        )
    return value


def _count_where(unit: Unit, node: s.NumberOf) -> m.Expr:
    if not isinstance(node.what, s.NameRef):
        raise mistake(
            "RB121",
            node.what.span,
            "with a condition or a range of numbers, `number of` needs a name here",
        )
    binder = s.BinderPhrase(
        kind=node.what.name,
        name=node.name,
        domain=node.place if node.range is None else node.range,
        where=node.where,
        best=node.best,
        span=node.span,
    )
    return member_count(unit, bind_within(unit, binder), node.span)


def _count_kind(unit: Unit, node: s.NumberOf, name: s.Name) -> m.Expr:
    """Check a count such as `number of cards in hand` or `number of players`."""
    world = unit.world
    if node.place is None:
        if name.text == "cards":
            raise mistake("RB121", node.span, "name the place: `number of cards in …`")
        domain = world.words[name.text]
        if domain == PLAYER:
            return m.PlayerCount(type=Whole(*world.players), span=node.span)
        return size_expression(unit, m.all_of(domain, name.span), node.span)
    wanted = world.words.get(name.text)
    place: m.Expr
    match node.place:
        case s.Of(owner=owner, name=piece) if piece.text in world.piece_words:
            spaces = spaces_of_pieces(unit, owner, piece, wanted, node.place.span)
            place = spaces if spaces is not None else check_expr(unit, node.place)
        case _:
            place = check_expr(unit, node.place)
    held = getattr(place.type, "domain", None)
    all_cards = name.text == "cards" and isinstance(place.type, Bag | Stack)
    if wanted is not None and held != wanted and not all_cards:
        raise mistake(
            "RB120",
            place.span,
            f"there are no {name.text} in {describe_type(place.type)}",
        )
    return size_expression(unit, place, node.span)


# ---------------------------------------------------------------- is

IS_WORDS = {"empty", "none", "you"}


def _is(unit: Unit, node: s.Is, expected: Type | None) -> m.Expr:
    word = node.word.text
    if word == "empty":
        subject = check_expr(unit, node.subject)
        size = size_expression(unit, subject, node.span)
        return _comparison(node, size, m.number(0, node.word.span))
    legal = check_is_legal(unit, node)
    if legal is not None:
        return legal
    subject = _subject_of_is(unit, node)
    if word == "none":
        _check_may_be_none(node, subject)
        return _comparison(node, subject, m.no_value(subject.type, node.word.span))
    if word == "you":
        return _comparison(node, subject, check_expr(unit, s.You(span=node.word.span)))
    condition = _predicate(unit, node, subject)
    if condition is not None:
        return negate_if(condition, node.negated)
    if node.preposition is not None:
        signs = "compare numbers with `<`, `<=`, `>` and `>=`"
        compares = node.preposition in COMPARISONS and isinstance(subject.type, Whole)
        raise unknown_name_error(
            "description",
            node.word,
            predicate_words(unit, subject.type),
            help=signs if compares else None,
        )
    return _is_value(unit, node, subject)


def _check_may_be_none(node: s.Is, subject: m.Expr) -> None:
    if isinstance(subject.type, Member | NoneType):
        return
    match subject.type:
        case Whole(low=low, optional=optional) if optional or low <= NONE:
            return  # an option, or a column with empty cells
    holds = isinstance(subject.type, Bag | Stack | SetOf)
    raise mistake(
        "RB117",
        node.span,
        f"{describe_type(subject.type)} is never none",
        "write `is empty`" if holds else None,
    )


def _subject_of_is(unit: Unit, node: s.Is) -> m.Expr:
    try:
        return check_expr(unit, node.subject)
    except Mistake as first:
        try:
            other = resolve_name(unit, node.word, None)
        except Mistake:
            raise first from None
        return check_expr(unit, node.subject, other.type)


def _comparison(node: s.Is | s.IsSame, left: m.Expr, right: m.Expr) -> m.Expr:
    if not are_comparable(left.type, right.type):
        raise mistake(
            "RB117",
            node.span,
            f"{describe_type(left.type)} is never {describe_type(right.type)}",
            related=((left.span, str(left.type)), (right.span, str(right.type))),
        )
    op = m.Comparison.UNEQUAL if node.negated else m.Comparison.EQUAL
    return m.compare(op, left, right, node.span)


def predicate_words(unit: Unit, type_: Type) -> set[str]:
    """Return the words that may follow `is` after a value of this type."""
    return {
        entry.name
        for entries in unit.world.defines.values()
        for entry in entries
        if entry.sort is SignatureSort.PREDICATE and entry.parameters[0].type == type_
    }


def _predicate(unit: Unit, node: s.Is, subject: m.Expr) -> m.Expr | None:
    """Return the call of the definition for `SUBJECT is WORD`, or None if undefined."""
    entries = [
        entry
        for entry in unit.world.defines.get(node.word.text, [])
        if entry.sort is SignatureSort.PREDICATE
    ]
    if not entries:
        return None
    same = [entry for entry in entries if _accepts_subject(entry, subject)]
    if not same:
        wanted = " or ".join(
            describe_type(entry.parameters[0].type) for entry in entries
        )
        raise mistake(
            "RB110",
            subject.span,
            f"`{node.word.text}` applies to {wanted}, but this is "
            f"{describe_type(subject.type)}",
            related=((entries[0].span, "declared here"),),
        )
    shaped = [entry for entry in same if entry.preposition == node.preposition]
    if not shaped:
        usable = "; ".join(f"`{entry.sentence}`" for entry in same)
        raise mistake(
            "RB123",
            node.span,
            f"`{node.word.text}` cannot be used in this form",
            f"it is declared as {usable}",
            ((same[0].span, "declared here"),),
        )
    return _call_predicate(unit, node, subject, shaped)


def _accepts_subject(entry: DefineSignature, subject: m.Expr) -> bool:
    return is_assignable(subject.type, entry.parameters[0].type)


def _call_predicate(
    unit: Unit, node: s.Is, subject: m.Expr, entries: list[DefineSignature]
) -> m.Expr:
    arguments = [subject]
    entry = entries[0]
    if node.object is not None:
        if len(entries) == 1:
            wanted = entry.parameters[1].type
            value = check_expr(unit, node.object, wanted)
        else:
            value = check_expr(unit, node.object)
            for signature in entries:
                if are_comparable(signature.parameters[1].type, value.type):
                    entry = signature
            wanted = entry.parameters[1].type
        arguments.append(expect_type(value, wanted))
    return m.call(entry.key, tuple(arguments), entry.type, node.span)


def _is_value(unit: Unit, node: s.Is, subject: m.Expr) -> m.Expr:
    """Check `x is VALUE`, where VALUE may also be the value of an attribute of x."""
    world, word = unit.world, node.word
    if word.text in unit.names:
        return _comparison(node, subject, unit.local(word.text, word.span))
    homes = {domain for domain, _ in world.members.get(word.text, [])}
    if isinstance(subject.type, Member):
        if subject.type.domain in homes:
            value = resolve_name(unit, word, subject.type)
            return _comparison(node, subject, value)
        part = _matching_part(unit, subject, homes, node.span)
        if part is not None:
            return _comparison(node, part, resolve_name(unit, word, part.type))
        candidates = set(world.domains[subject.type.domain].members)
        candidates |= predicate_words(unit, subject.type)
        candidates |= _part_members(unit, subject.type.domain)
        if not homes and not _is_standalone_value(unit, word):
            raise unknown_name_error(
                "description",
                word,
                candidates | IS_WORDS,
                help=_truth_field_help(unit, node, subject.type.domain),
            )
    value = resolve_name(unit, word, subject.type, *IS_WORDS)
    return _comparison(node, subject, value)


def _truth_field_help(unit: Unit, node: s.Is, domain: str) -> str | None:
    """Return help if the word after `is` is a yes/no field or attribute, else None."""
    world, word = unit.world, node.word.text
    field = world.fields.get(f"{domain}.{word}")
    column = world.domains[domain].columns.get(word)
    kinds = [part.type for part in (field, column) if part is not None]
    owner = "your" if isinstance(node.subject, s.You) else None
    if owner is None:
        text = text_at(world.texts, node.subject.span)
        owner = f"{text or domain}'s"
    negated = "not " if node.negated else ""
    return f"write `{negated}{owner} {word}`" if Truth() in kinds else None


def _is_standalone_value(unit: Unit, word: s.Name) -> bool:
    """Return whether a word after `is` is a value itself, such as `active_player`."""
    try:
        resolve_name(unit, word, None)
    except Mistake:
        return False
    return True


def _part_members(unit: Unit, domain: str) -> set[str]:
    names: set[str] = set()
    for column in unit.world.domains[domain].columns.values():
        if isinstance(column.type, Member):
            names |= set(unit.world.domains[column.type.domain].members)
    return names


def _matching_part(
    unit: Unit, subject: m.Expr, domains: set[str], span: Span
) -> m.Expr | None:
    """Return the subject's only attribute with a type in *domains*, or None."""
    assert isinstance(subject.type, Member)
    world, domain = unit.world, subject.type.domain
    parts: list[m.Expr] = [
        m.column_value(domain, column.name, subject, column.type, subject.span)
        for column in world.domains[domain].columns.values()
    ]
    parts += [
        m.field_value(field.key, subject, field.type, subject.span)
        for field in world.fields.values()
        if field.owner == domain
    ]
    parts = [
        part
        for part in parts
        if isinstance(part.type, Member) and part.type.domain in domains
    ]
    if len(parts) > 1:
        raise mistake("RB113", span, "it is not clear which attribute this describes")
    return parts[0] if parts else None


def _is_same(unit: Unit, node: s.IsSame, expected: Type | None) -> m.Expr:
    other = check_expr(unit, node.other)
    subject = check_expr(unit, node.subject, other.type)
    return _comparison(node, subject, other)


def _is_in(unit: Unit, node: s.IsIn, expected: Type | None) -> m.Expr:
    container = check_collection(unit, node.container)
    domain = getattr(container.type, "domain", None)
    if domain is None:
        member: m.Expr = check_number(unit, node.subject)
    else:
        member = check_member(unit, node.subject, domain)
    if isinstance(container.type, Bag | Stack):
        return negate_if(_at_least(container, member, None, node.span), node.negated)
    return negate_if(m.contains(container, member, node.span), node.negated)


def check_collection(unit: Unit, node: s.Expr) -> m.Expr:
    """Return the checked bag, stack or set; raise `Mistake` for anything else."""
    value = check_expr(unit, node)
    if not isinstance(value.type, Bag | Stack | SetOf):
        raise mistake(
            "RB120", value.span, f"{describe_type(value.type)} cannot contain anything"
        )
    return value


# ---------------------------------------------------------------- has


def _has(unit: Unit, node: s.Has, expected: Type | None) -> m.Expr:
    subject = check_expr(unit, node.subject)
    if isinstance(subject.type, Bag | Stack):
        return _holder_has(unit, node, subject)
    if isinstance(subject.type, Member):
        return space_condition(unit, node, subject)
    raise mistake(
        "RB124",
        subject.span,
        f"{describe_type(subject.type)} cannot have cards or pieces",
        kind_as_member_help(subject),
    )


def _holder_has(unit: Unit, node: s.Has, holder: m.Expr) -> m.Expr:
    assert isinstance(holder.type, Bag | Stack)
    domain = holder.type.domain
    _reject_piece_in_holder(unit, node, holder, domain)
    match node.content:
        case s.HasA(name=name, present=present):
            member = check_member(unit, s.NameRef(name=name, span=name.span), domain)
            value = _at_least(holder, member, None, node.span)
            return negate_if(value, not present)
        case s.HasAmount(count=count, name=name):
            member = check_member(unit, s.NameRef(name=name, span=name.span), domain)
            return _at_least(holder, member, check_number(unit, count), node.span)
        case s.HasSome(count=count, value=thing):
            member = check_member(unit, thing, domain)
            return _at_least(holder, member, check_number(unit, count), node.span)
        case s.HasThing(value=thing, present=present):
            value = check_expr(unit, thing, Member(domain))
            if value.type == Bag(domain):
                return negate_if(m.covers(holder, value, node.span), not present)
            member = expect_type(value, Member(domain))
            return negate_if(_at_least(holder, member, None, node.span), not present)
        case s.HasRoom():
            raise mistake(
                "RB124", node.span, f"{describe_type(holder.type)} always has room"
            )
    raise mistake("RB124", node.span, "cards have no owner")


def _reject_piece_in_holder(
    unit: Unit, node: s.Has, holder: m.Expr, domain: str
) -> None:
    """Raise `Mistake` for `BAG has a PIECE`, since bags contain only cards."""
    name = named_content(node.content)
    if name is None or name.text not in unit.world.piece_words:
        return
    if name.text in unit.names or name.text in unit.world.domains[domain].members:
        return
    piece = find_piece(unit, name)
    raise mistake(
        "RB122",
        node.span,
        f"a {piece.name} is a piece, but {describe_type(holder.type)} contains only "
        "cards",
        f"it stands on {' or '.join(piece.stands_on)}",
        ((piece.span, "declared here"),),
    )


def _at_least(
    holder: m.Expr, member: m.Expr, count: m.Expr | None, span: Span
) -> m.Expr:
    least = count or m.number(1, member.span)
    return m.at_least(m.count_in(holder, member, span), least, span)


CHECKS.update(
    {
        s.NumberOf: _number_of,
        s.Is: _is,
        s.IsIn: _is_in,
        s.IsSame: _is_same,
        s.Has: _has,
    }
)
