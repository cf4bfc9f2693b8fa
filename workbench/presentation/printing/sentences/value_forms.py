"""Forms of values and conditions, and of statements that change values."""

from typing import Any

from rulebook import model as m
from workbench.presentation.printing.sentences import forms as f
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.predicates import predicate_text
from workbench.presentation.printing.sentences.text_runs import Text, plain_text


def constant_member(node: Any) -> tuple[str, int] | None:
    """Return the domain and the index of a constant member, or None."""
    is_member = m.is_constant(node) and isinstance(node.type, m.Member)
    return (node.type.domain, node.value) if is_member else None


def _is_number(node: Any, number: int | None) -> bool:
    """Return whether an expression is the constant *number*; false for None."""
    is_same = number is not None and m.constant_value(node) == number
    return is_same and isinstance(node.type, m.Whole)


def is_fixed(node: Any) -> bool:
    """Return whether a value is known before the game: a constant or an option."""
    return isinstance(node, m.Const | m.OptionValue)


# -------------------------------------------------------------------- values


def _constant_statement(writer: Writer, node: m.Const, negated: bool) -> Text:
    return writer.names.value(node.type, node.value is not negated)


def _boolean_statement(writer: Writer, node: Any, negated: bool) -> Text:
    """Return the statement that a field, attribute or local value is yes or no."""
    names = writer.names
    owner: Text = ()
    match node:
        case m.FieldValue(field=field):
            title = names.styled_field_title(field)
            owner = _field_owner(writer, node)
        case m.ColumnValue(column=column, of=of):
            title, owner = f.word_text(writer, column), writer.operand(of)
        case _:
            title = writer.value(node)
    return predicate_text(writer, title, owner, negated=negated)


def _field_owner(writer: Writer, node: m.FieldValue) -> Text:
    """Return the owner of a field in words; for a piece, the piece on its space."""
    piece = writer.names.model.fields[node.field].piece
    if piece is None:
        return () if node.owner is None else writer.operand(node.owner)
    key, parts = _piece_field_parts(writer, node, piece)
    case = "owner_space" if key == "PieceField.owner" else "space"
    return writer.names.sentence(f"PieceField.{case}", parts)


def _local_value(writer: Writer, node: m.Local) -> Text:
    if node.slot == m.YOU:
        return writer.names.sentence("Local.you", {})
    if node.name == m.COMBINATION and isinstance(node.type, m.Bag):
        return writer.names.sentence("Local.combination", {})
    return writer.names.local_name(node.name, node.type)


def _operand(writer: Writer, node: Any) -> Text:
    """Return an operand of an operator, in brackets if it is ambiguous there."""
    return writer.operand(node, max_weight=f.PHRASE)


SIDES = {"left": _operand, "right": _operand}


def _option_title(writer: Writer, node: m.OptionValue) -> Text:
    return plain_text(writer.names.option_title(node.name), place=f"option.{node.name}")


def _option_value(writer: Writer, node: m.OptionValue) -> Text:
    names = writer.names
    usual = names.default_text(names.model.options[node.name])
    key = "OptionValue.default" if usual else "OptionValue"
    return names.sentence(key, {"name": _option_title(writer, node), "default": usual})


def _option_statement(writer: Writer, node: m.OptionValue, negated: bool) -> Text:
    key = f"OptionValue.{'fails' if negated else 'holds'}"
    return writer.names.sentence(key, {"name": _option_title(writer, node)})


def _field_value(writer: Writer, node: m.FieldValue) -> Text:
    """Return a field with its owner in words; a pair's field reads as its space."""
    piece = writer.names.model.fields[node.field].piece
    if piece is not None:
        return _piece_field_value(writer, node, piece)
    match node.owner:
        case m.SpaceAt(domain=pair) if node.field == pair.removeprefix(f.DOT):
            return writer.value(node.owner)
    return writer.from_template(node)


def _piece_field_value(writer: Writer, node: m.FieldValue, piece: str) -> Text:
    """Return a field of a piece in words, with the piece's owner and space."""
    return writer.names.sentence(*_piece_field_parts(writer, node, piece))


def _piece_field_parts(
    writer: Writer, node: m.FieldValue, piece: str
) -> tuple[str, f.Values]:
    """Return the template of a piece's field and its values."""
    names = writer.names
    parts = {"field": names.styled_field_title(node.field), "piece": names.word(piece)}
    match node.owner:
        case (
            m.SpaceAt(owner=m.Typed() as owner, coordinates=(space,))
            | m.SpaceAt(coordinates=(owner, space))
        ):
            key = "PieceField"
            if not isinstance(owner, m.PieceOwner):
                key, parts["owner"] = "PieceField.owner", writer.value(owner)
        case space:
            key = "PieceField"
    return key, {**parts, "space": writer.value(space)}


def _space_at_case(node: m.SpaceAt) -> str:
    return f.mark_names(pair=f.DOT in node.domain, owner=node.owner is not None)


def _space_title(writer: Writer, domain: str) -> Text:
    return writer.part(domain.rpartition(f.DOT)[2])


def _award_title(writer: Writer, award: str) -> Text:
    return plain_text(writer.names.title(award), place=f"award.{award}")


# -------------------------------------------------------------------- changes


def _field_change(node: m.SetField) -> tuple[str, Any]:
    """Return the case and amount of a field's change; ("", value) if it is set."""
    amount: Any = node.value
    tail = ""
    if isinstance(amount.type, m.Truth):
        return "noted" if m.is_constant(amount) else "noted_if", amount
    if isinstance(amount, m.Const) and isinstance(amount.type, m.Bag):
        return ("" if any(amount.value) else "clear"), amount
    if _is_capped(amount):
        amount, tail = amount.right, "_to"
    match amount:
        case m.Arith(op=op, left=m.FieldValue(field=field, owner=owner), right=right):
            ways = {m.ArithmeticOperator.PLUS: "up", m.ArithmeticOperator.MINUS: "down"}
            if (field, owner) == (node.field, node.owner) and op in ways:
                return f"{ways[op]}{tail}", right
    return "", node.value


def _is_capped(amount: Any) -> bool:
    """Return whether a value is a changed field, limited to the field's range."""
    match amount:
        case m.Extreme(
            left=m.Const(value=limit),
            right=m.Arith(op=op, left=m.FieldValue(type=m.Whole(low=low, high=high))),
        ):
            increases = op is m.ArithmeticOperator.PLUS
            edge = high if increases else low
            return amount.smaller is increases and limit == edge
    return False


def _set_field_values(writer: Writer, node: m.SetField) -> f.Values:
    field = m.FieldValue(field=node.field, owner=node.owner, type=node.value.type)
    if isinstance(field.type, m.Truth):
        return _noted_values(writer, field, node.value)
    return {
        "field": writer.value(field),
        "value": writer.express(_field_change(node)[1]),
    }


def _noted_values(writer: Writer, field: m.FieldValue, value: m.Expr) -> f.Values:
    """Return the template values of a change of a yes/no field."""
    if m.is_constant(value):
        return {"value": writer.statement(field, negated=not value.value)}
    return {
        "value": writer.statement(value),
        "field": writer.statement(field),
        "other": writer.statement(field, negated=True),
    }


def _added_amount(node: m.SetTally) -> Any:
    """Return the number added to an entry of a tally, or None if the entry is set."""
    match node.value:
        case m.Arith(
            op=m.ArithmeticOperator.PLUS, left=m.TallyValue() as left, right=right
        ):
            same = (left.slot, left.indices) == (node.slot, node.indices)
            return right if same else None
    return None


def _set_tally_case(node: m.SetTally) -> str:
    return f.mark_names(new=not node.indices, up=_added_amount(node) is not None)


def _set_tally_values(writer: Writer, node: m.SetTally) -> f.Values:
    more = _added_amount(node)
    amount = node.value if more is None else more
    value = () if amount is None else writer.value(amount)
    return {"name": writer.named(node.name), "value": value}


# -------------------------------------------------------------------- counts


FILLED = {m.Comparison.MORE: 0, m.Comparison.UNEQUAL: 0, m.Comparison.AT_LEAST: 1}
EMPTY = {m.Comparison.EQUAL: 0, m.Comparison.AT_MOST: 0, m.Comparison.LESS: 1}
"""By operator: right-hand number that means “some” (`FILLED`) or “none” (`EMPTY`)."""


def _card_comparison(node: Any) -> tuple[str, Any, Any] | None:
    """Return (case, holder, cards) for a comparison of a number of cards, else None.

    The cards are None for a comparison of the total.
    """
    filled = _is_number(node.right, FILLED.get(node.op))
    empty = _is_number(node.right, EMPTY.get(node.op))
    match node.left:
        case m.SizeOf(holder=holder) if not isinstance(holder.type, m.SetOf):
            if filled or empty:
                return "filled" if filled else "empty", holder, None
        case m.CountIn(holder=holder, member=member):
            if filled or empty:
                return "there" if filled else "missing", holder, member
            if node.op is m.Comparison.AT_LEAST:
                cards: Any = member.type
                kind = m.Bag(cards.domain)
                bag = m.SingleBag(count=node.right, member=member, type=kind)
                return "enough", holder, bag
    return None


def card_kind_text(writer: Writer, member: m.Expr) -> Text:
    """Return a kind of card in words; a constant kind is in the plural."""
    known = constant_member(member)
    if known is None:
        return writer.operand(member)
    domain, index = known
    name = writer.names.model.domains[domain].members[index]
    return plain_text(writer.names.member_title(domain, name, plural=True))


def _size_case(node: m.SizeOf) -> str:
    """Return `named` for a set that has a name of its own, `set` for other sets."""
    domain = getattr(node.holder.type, "domain", None)
    is_set = isinstance(node.holder.type, m.SetOf)
    named = m.is_call(node.holder) or m.is_variable(node.holder)
    if is_set and named and domain is not None:
        return "named"
    return f.mark_names(set=is_set)


def _size_values(writer: Writer, node: m.SizeOf) -> f.Values:
    domain = getattr(node.holder.type, "domain", None)
    if domain is None or _size_case(node) != "named":
        return {}
    return {"members": f.plural_text(writer, domain)}


def _stack_card_case(node: m.StackCard) -> str:
    return "" if node.place is None else "bottom" if node.from_bottom else "place"


def _single_bag_case(node: m.SingleBag) -> str:
    return f.mark_names(
        times=not (m.is_constant(node.count) and m.is_constant(node.member))
    )


def _single_bag_values(writer: Writer, node: m.SingleBag) -> f.Values:
    known, number = constant_member(node.member), m.constant_value(node.count)
    if known is None or number is None:
        member = writer.operand(node.member)
        return {"count": writer.count(node.count), "member": member}
    domain, index = known
    name = writer.names.model.domains[domain].members[index]
    count, _, title = writer.names.count_text(number, domain, name).partition(" ")
    return {"count": plain_text(count), "member": plain_text(title)}


def cards_text(writer: Writer, bag: Any) -> Text:
    """Return the cards to move in words; a single chosen card is named."""
    if is_chosen_card(bag):
        return writer.names.sentence("a_card", {"member": writer.value(bag.member)})
    return writer.value(bag)


LISTED_BAGS = m.Const | m.SingleBag | m.SumBags
"""Classes of bags whose words list their cards."""


def _covered_bag(writer: Writer, bag: Any) -> Text:
    """Return a bag that a holder contains; a bag with a name needs no list."""
    return cards_text(writer, bag) if is_chosen_card(bag) else writer.operand(bag)


def is_chosen_card(bag: Any) -> bool:
    """Return whether a bag is a single card chosen at play time."""
    single = isinstance(bag, m.SingleBag) and m.constant_value(bag.count) == 1
    return single and not m.is_constant(bag.member)


# -------------------------------------------------------------------- pieces


def _piece_case(node: Any) -> str:
    if not node.another:
        return f.case_if_set("owner")(node)
    kind = getattr(getattr(node.owner, "type", None), "domain", None)
    return "another" if kind == m.DomainSort.PLAYER else "another_kind"


def _piece_title(writer: Writer, piece: str) -> Text:
    return plain_text(writer.names.title(piece), place=f"piece.{piece}")


def piece_values(writer: Writer, node: Any) -> f.Values:
    """Return the template values for a piece and its owner."""
    plural = writer.names.plural_title(node.piece)
    return {
        "piece": _piece_title(writer, node.piece),
        "pieces": plain_text(plural, place=f"piece.{node.piece}"),
        "owner": () if node.owner is None else writer.operand(node.owner),
    }


def _count_values(writer: Writer, node: m.PieceCount) -> f.Values:
    spaces = () if node.spaces is None else writer.operand(node.spaces)
    location = writer.optional("PieceCount:spaces", spaces=spaces)
    return {**piece_values(writer, node), "spaces": location}


def _space_values(writer: Writer, node: m.PieceSpace) -> f.Values:
    parts = piece_values(writer, node)
    if node.owner is None:
        parts["piece"] = writer.names.sentence(single_piece_case(writer, node), parts)
    return parts


def single_piece_case(writer: Writer, node: Any) -> str:
    """Return the template case for a unique piece: `lot.named` or `lot.only`."""
    is_name = writer.names.title(node.piece)[:1].isupper()
    return "lot.named" if is_name else "lot.only"


def split_upper_limit(node: Any) -> tuple[Any, Any]:
    """Split off a number's upper limit; return the number and the limit, or None."""
    limited = isinstance(node, m.Extreme) and node.smaller
    return (node.left, node.right) if limited else (node, None)


def counts_pieces(node: Any, piece: str, owner: Any, space: Any) -> bool:
    """Return whether an expression counts the pieces of an owner on a space."""
    is_count = isinstance(node, m.PieceCount) and not node.another
    return (
        space is not None
        and is_count
        and (node.piece, node.owner, node.spaces) == (piece, owner, space)
    )


# -------------------------------------------------------------------- limits of numbers


def _extreme_limit(node: m.Extreme) -> tuple[Any, Any] | None:
    """Return the number and the constant that limits it, or None without a constant."""
    parts = (node.left, node.right)
    numbers = [part for part in parts if not is_fixed(part)]
    limits = [part for part in parts if m.is_constant(part)]
    return (numbers[0], limits[0]) if len(numbers) == len(limits) == 1 else None


def _extreme_case(node: m.Extreme) -> str:
    name = "smaller" if node.smaller else "larger"
    return name if _extreme_limit(node) is None else f"{name}_limit"


def _extreme_values(writer: Writer, node: m.Extreme) -> f.Values:
    number, limit = _extreme_limit(node) or (None, None)
    if number is None:
        return {}
    return {"value": writer.operand(number), "limit": writer.value(limit)}


# -------------------------------------------------------------------- conditions


NONE_CASES = frozenset({"none", "some", "nobody", "somebody", "unset", "set"})
"""Cases of comparisons with none; their sentences name only the left side."""


def _compare_case(node: m.Compare) -> str:
    of_cards = _card_comparison(node)
    if of_cards is not None:
        return of_cards[0]
    if isinstance(node.left, m.PieceLeft) and node.op is m.Comparison.AT_LEAST:
        return "left"
    if _compares_with_none(node) and not _may_equal(node.left.type, m.NONE):
        return _none_case(node.right.type, equal=node.op is m.Comparison.EQUAL)
    return node.op.name


def _compares_with_none(node: m.Compare) -> bool:
    """Return whether a comparison tests whether a value is none."""
    return node.op.is_equality_test and m.is_none(node.right)


def _may_be_missing(writer: Writer, node: Any) -> bool:
    """Return whether a number may be missing in a table or a deal."""
    match node:
        case m.ColumnValue(type=m.Whole(low=low)):
            return low == m.NONE
        case m.FieldValue(field=field):
            return writer.names.is_dealt(writer.names.model.fields[field])
    return False


def _may_equal(type: Any, number: int) -> bool:
    """Return whether a type is a number range, not optional, that contains *number*."""
    is_number = isinstance(type, m.Whole) and not type.optional
    return is_number and type.low <= number <= type.high


def _none_case(type: Any, *, equal: bool) -> str:
    """Return the case of a comparison with none."""
    if isinstance(type, m.Whole) and type.optional:
        return "unset" if equal else "set"
    if getattr(type, "domain", None) == m.DomainSort.PLAYER:
        return "nobody" if equal else "somebody"
    return "none" if equal else "some"


def _compare_values(writer: Writer, node: Any) -> f.Values:
    case = _compare_case(node)
    if case == "left":
        owned = ".owner" if node.left.owner else ""
        pieces = writer.from_template(node.left, f"pieces{owned}")
        return {"left": pieces, "right": writer.count(node.right)}
    left, right = node.left, None if case in NONE_CASES else node.right
    of_cards = _card_comparison(node)
    if of_cards is not None:
        _, left, right = of_cards
    return {
        "left": writer.operand(left),
        "right": () if right is None else writer.operand(right, last=True),
    }


def _compare_statement(writer: Writer, node: m.Compare, negated: bool) -> Text:
    if negated:
        return writer.statement(m.simplified_negation(node))
    if _compares_with_none(node) and _may_be_missing(writer, node.left):
        key = "Compare.unset" if node.op is m.Comparison.EQUAL else "Compare.set"
        return writer.names.sentence(key, {"left": writer.operand(node.left)})
    return writer.from_template(node)


def _not_statement(writer: Writer, node: m.Not, negated: bool) -> Text:
    return writer.statement(node.value, negated=not negated)


def _joined_statement(writer: Writer, node: Any, negated: bool) -> Text:
    """Return the statement that all (`And`) or some (`Or`) conditions are true."""
    if negated:
        return writer.names.sentence("Not", {"value": writer.condition(node)})
    return writer.from_template(node)


def _and_values(writer: Writer, node: m.And) -> f.Values:
    return {"parts": writer.names.list_text(writer.conditions(node.parts))}


def _or_values(writer: Writer, node: m.Or) -> f.Values:
    parts = split_member_condition(writer, node)
    return parts or {
        "parts": writer.names.list_text(writer.conditions(node.parts), "or")
    }


def _or_case(node: m.Or) -> str:
    """Return `unless` if the first part only excludes a single member, else ""."""
    first = node.parts[0]
    return f.mark_names(
        unless=isinstance(first, m.Compare)
        and first.op is m.Comparison.UNEQUAL
        and m.is_variable(first.left)
        and constant_member(first.right) is not None
    )


def split_member_condition(writer: Writer, node: Any) -> dict[str, Text]:
    """Split a condition on a single member into the member and the rest, or {}."""
    if not (isinstance(node, m.Or) and _or_case(node)):
        return {}
    first, *rest = node.parts
    return {
        "first": writer.statement(first, negated=True),
        "rest": writer.names.list_text(writer.conditions(rest), "or"),
    }


VALUE_FORMS: f.Forms = {
    m.Const: f.Form(
        weight=f.WORD,
        value=lambda writer, node: writer.names.value(node.type, node.value),
        statement=_constant_statement,
    ),
    m.OptionValue: f.Form(
        weight=f.WORD, value=_option_value, statement=_option_statement
    ),
    m.Local: f.Form(weight=f.WORD, value=_local_value, statement=_boolean_statement),
    m.FieldValue: f.Form(
        f.case_if_set("owner"),
        gaps=f.operand_fillers(
            "owner", field=lambda w, key: w.names.styled_field_title(key)
        ),
        value=_field_value,
        statement=_boolean_statement,
    ),
    m.ColumnValue: f.Form(
        gaps=f.operand_fillers("of", column=f.word_text), statement=_boolean_statement
    ),
    m.SpaceAt: f.Form(
        _space_at_case, gaps=f.operand_fillers("owner", domain=_space_title)
    ),
    m.TallyValue: f.Form(gaps={"slot": Writer.slot_name}),
    m.AwardHolder: f.Form(gaps={"award": _award_title}),
    m.PlayerPoints: f.Form(f.case_if_set("visible"), gaps=f.operand_fillers("player")),
    m.Arith: f.Form(lambda node: node.op.name, gaps=SIDES, weight=f.COMPOUND),
    m.Extreme: f.Form(
        _extreme_case,
        _extreme_values,
        gaps=SIDES,
        weight=lambda node: f.COMPOUND if _extreme_limit(node) else f.OPERATION,
    ),
    m.Conditional: f.Form(gaps=f.operand_fillers("value", "other"), weight=f.COMPOUND),
    m.MemberAfter: f.Form(
        lambda node: f.mark_names(
            before=node.before, one=m.constant_value(node.places) == 1
        ),
        gaps=f.operand_fillers("places", "member"),
        weight=f.COMPOUND,
    ),
    m.HalfOf: f.Form(gaps=f.operand_fillers("value"), weight=f.COMPOUND),
    m.SetLocal: f.Form(
        lambda node: "truth" if isinstance(node.value.type, m.Truth) else "",
        gaps={"name": Writer.named},
    ),
    m.SetTally: f.Form(_set_tally_case, _set_tally_values),
    m.SetField: f.Form(lambda node: _field_change(node)[0], _set_field_values),
    m.Whole: f.Form(f.case_if_set("optional")),
    **dict.fromkeys((m.Bag, m.Stack, m.SetOf), f.Form(gaps={"domain": f.plural_text})),
    m.Tally: f.Form(gaps={"domains": f.plural_texts}),
    m.Compare: f.Form(_compare_case, _compare_values, statement=_compare_statement),
    m.And: f.Form(values=_and_values, statement=_joined_statement, weight=f.COMPOUND),
    m.Or: f.Form(_or_case, _or_values, statement=_joined_statement, weight=f.COMPOUND),
    m.Not: f.Form(statement=_not_statement),
    m.Covers: f.Form(
        lambda node: f.mark_names(all=not isinstance(node.bag, LISTED_BAGS)),
        gaps=f.operand_fillers("holder", bag=_covered_bag),
    ),
    m.CountIn: f.Form(gaps=f.operand_fillers("holder", member=card_kind_text)),
    m.SizeOf: f.Form(_size_case, _size_values),
    m.StackCard: f.Form(_stack_card_case),
    m.SingleBag: f.Form(_single_bag_case, _single_bag_values),
    m.PieceOn: f.Form(_piece_case, piece_values, f.operand_fillers("space")),
    m.PieceOwner: f.Form(gaps=f.operand_fillers("space", piece=_piece_title)),
    m.PieceCount: f.Form(_piece_case, _count_values),
    m.PieceLeft: f.Form(f.case_if_set("owner"), piece_values),
    m.PieceSpaces: f.Form(
        f.case_if_set("owner"), piece_values, {"domain": f.plural_text}
    ),
    m.PieceSpace: f.Form(f.case_if_set("owner"), _space_values),
}
"""Forms of values, conditions, changes to values, and types."""
