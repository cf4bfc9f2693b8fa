"""Template values for classes whose fields cannot fill their templates directly."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from rulebook import model as m
from workbench.presentation.printing.sentences.expressions import SentenceWriter
from workbench.presentation.printing.sentences.template_keys import (
    added_amount,
    change_amount,
    template_key,
)
from workbench.presentation.printing.sentences.text_runs import (
    Text,
    fill_template,
    plain_text,
)

TemplateValues: TypeAlias = Mapping[str, Text]


def _last_part(name: str) -> str:
    return name.rpartition(".")[2]


def _field_values(teller: SentenceWriter, node: m.FieldValue) -> TemplateValues:
    owner = () if node.owner is None else teller.operand(node.owner)
    return {"field": teller.names.table_word(node.field), "owner": owner}


def _column_values(teller: SentenceWriter, node: m.ColumnValue) -> TemplateValues:
    column = teller.names.word(node.column)
    return {"column": column, "of": teller.operand(node.of)}


def _related_values(teller: SentenceWriter, node: m.Related) -> TemplateValues:
    relation = teller.names.word(_last_part(node.relation))
    return {"relation": relation, "of": teller.operand(node.of)}


def _space_at_values(teller: SentenceWriter, node: m.SpaceAt) -> TemplateValues:
    return {
        "domain": plain_text(teller.names.title(_last_part(node.domain))),
        "owner": () if node.owner is None else teller.operand(node.owner),
        "coordinates": teller.names.listed(map(teller.value, node.coordinates)),
    }


def _own_spaces_values(teller: SentenceWriter, node: m.OwnSpaces) -> TemplateValues:
    title = plain_text(teller.names.plural_title(node.domain))
    return {"domain": title, "player": teller.operand(node.player)}


def _all_of_values(teller: SentenceWriter, node: m.AllOf) -> TemplateValues:
    return {"domain": plain_text(teller.names.plural_title(node.domain))}


def _tally_values(teller: SentenceWriter, node: m.TallyValue) -> TemplateValues:
    indices = teller.names.listed(map(teller.value, node.indices))
    return {"slot": teller.note_name(node.slot), "indices": indices}


def _award_values(teller: SentenceWriter, node: m.AwardHolder) -> TemplateValues:
    return {
        "award": plain_text(teller.names.title(node.award), place=f"award.{node.award}")
    }


def _piece_values(teller: SentenceWriter, node: Any) -> TemplateValues:
    names = teller.names
    parts = {
        "piece": plain_text(names.title(node.piece), place=f"piece.{node.piece}"),
        "pieces": plain_text(
            names.plural_title(node.piece), place=f"piece.{node.piece}"
        ),
        "owner": () if node.owner is None else teller.operand(node.owner),
    }
    for field in ("space", "source"):
        there = getattr(node, field, None)
        parts[field] = () if there is None else teller.operand(there)
    spaces = getattr(node, "spaces", None)
    if spaces is not None:
        there = {"spaces": teller.operand(spaces)}
        parts["spaces"] = names.sentence("PieceCount:spaces", there)
    domain = getattr(node, "domain", None)
    if domain is not None:
        single = isinstance(node, m.PieceSpace)
        title = names.title(domain) if single else names.plural_title(domain)
        parts["domain"] = plain_text(title)
        if single and node.owner is None:
            parts["piece"] = names.sentence(_single(teller, node), parts)
    return parts


def _single(teller: SentenceWriter, node: Any) -> str:
    """Return the case for the only piece of its sort: by name, if it has one."""
    is_name = teller.names.title(node.piece)[:1].isupper()
    return "lot.named" if is_name else "lot.only"


def _piece_owner_values(teller: SentenceWriter, node: m.PieceOwner) -> TemplateValues:
    title = plain_text(teller.names.title(node.piece), place=f"piece.{node.piece}")
    return {"piece": title, "space": teller.operand(node.space)}


def _sides_values(teller: SentenceWriter, node: Any) -> TemplateValues:
    return {"left": _side(teller, node.left), "right": _side(teller, node.right)}


def _side(teller: SentenceWriter, node: Any) -> Text:
    """Return an operand, in brackets if it would be ambiguous."""
    if isinstance(node, m.SumOver | m.Highest | m.Extreme) and teller.is_closed(node):
        return teller.names.sentence("group", {"value": teller.value(node)})
    return teller.operand(node)


def _conditional_values(teller: SentenceWriter, node: m.Conditional) -> TemplateValues:
    return {
        "value": teller.operand(node.value),
        "condition": teller.statement(node.condition),
        "other": teller.operand(node.other),
    }


def _half_values(teller: SentenceWriter, node: m.HalfOf) -> TemplateValues:
    return {"value": teller.operand(node.value)}


def _count_in_values(teller: SentenceWriter, node: m.CountIn) -> TemplateValues:
    member = _member(teller, node.member)
    return {"member": member, "holder": teller.operand(node.holder)}


def _member(teller: SentenceWriter, node: m.Expr, *, several: bool = True) -> Text:
    """Return a kind of card; a constant kind is in the plural if *several*."""
    if isinstance(node, m.Const) and isinstance(node.type, m.Member) and several:
        name = teller.names.model.domains[node.type.domain].members[node.value]
        return plain_text(teller.names.of_kind(node.type.domain, name, several=True))
    return teller.operand(node)


def _contains_values(teller: SentenceWriter, node: m.Contains) -> TemplateValues:
    set = node.set.holder if isinstance(node.set, m.KindsIn) else node.set
    return {"member": teller.operand(node.member), "set": teller.value(set)}


def _binder_values(teller: SentenceWriter, node: Any) -> TemplateValues:
    return teller.binder_values(node)


def _points_values(teller: SentenceWriter, node: m.PlayerPoints) -> TemplateValues:
    return {"player": teller.operand(node.player)}


def _numbers_values(teller: SentenceWriter, node: m.NumberSet) -> TemplateValues:
    return {"low": teller.operand(node.low), "high": teller.operand(node.high)}


def _measure_values(teller: SentenceWriter, node: m.RankMeasure) -> TemplateValues:
    return {"value": teller.operand(node.value)}


def _distance_values(teller: SentenceWriter, node: m.Distance) -> TemplateValues:
    return {**_reach_values(teller, node.way), "goal": teller.operand(node.goal)}


def _trail_values(teller: SentenceWriter, node: m.LongestTrail) -> TemplateValues:
    board = teller.names.model.board
    corner = "" if board is None else board.corner
    closed = m.Per(node.slot, node.name, node.closed)
    never = isinstance(node.closed, m.Const) and not node.closed.value
    also = teller.names.listed(map(teller.operand, node.also))
    return {
        "links": teller.operand(node.links),
        "also": teller.names.sentence("LongestTrail:also", {"also": also})
        if also
        else (),
        "weight": teller.part("LongestTrail", "weight", node.weight),
        "joint": _places(teller, "LongestTrail:joint", node.joint, corner),
        "closed": ()
        if never
        else _places(teller, "LongestTrail:closed", closed, corner),
    }


def _places(teller: SentenceWriter, key: str, where: m.Per | None, domain: str) -> Text:
    """Return the condition on the spaces of a way, or nothing if there is none."""
    if where is None or (isinstance(where.value, m.Const) and where.value.value):
        return ()
    said = _in_plural(teller, domain, where)
    parts = {"places": said, "where": teller.statement(where.value)}
    return teller.names.sentence(key, parts)


def _in_plural(teller: SentenceWriter, domain: str, node: Any) -> Text:
    """Return the plural of a kind, with the name that a binder gives its members."""
    return (
        *plain_text(teller.names.plural_title(domain)),
        *teller.own_name(node, domain),
    )


def _reach_values(teller: SentenceWriter, node: m.Reach) -> TemplateValues:
    names = teller.names
    board = names.model.board
    linked = board.link if board is not None and node.links else None
    over = {"places": _in_plural(teller, linked or node.domain, node)}
    if node.where is not None:
        over["where"] = teller.statement(node.where)
    within = () if node.within is None else teller.operand(node.within)
    return {
        "domain": plain_text(names.plural_title(node.domain)),
        "start": teller.operand(node.start),
        "over": names.sentence(
            "Reach.where" if "where" in over else "Reach.over", over
        ),
        "through": _places(teller, "Reach:through", node.through, node.domain),
        "within": names.sentence("Reach:within", {"within": within}) if within else (),
    }


# -------------------------------------------------------------------- statements


def _set_local_values(teller: SentenceWriter, node: m.SetLocal) -> TemplateValues:
    return {"name": teller.named(node.name), "value": teller.express(node.value)}


def _set_tally_values(teller: SentenceWriter, node: m.SetTally) -> TemplateValues:
    names = teller.names
    more = added_amount(node)
    number = node.value if more is None else more
    value = () if number is None else teller.value(number)
    kinds = (plain_text(names.title(domain)) for domain in node.domains)
    return {
        "name": teller.named(node.name),
        "domains": names.listed(kinds),
        "indices": names.listed(map(teller.value, node.indices)),
        "value": value,
    }


def _set_field_values(teller: SentenceWriter, node: m.SetField) -> TemplateValues:
    value = m.FieldValue(field=node.field, owner=node.owner, type=node.value.type)
    return {"field": teller.value(value), "value": teller.express(change_amount(node))}


def _single_bag_values(teller: SentenceWriter, node: m.SingleBag) -> TemplateValues:
    number = teller.count(node.count)
    parts = {"count": number, "member": _member(teller, node.member, several=False)}
    if isinstance(node.count, m.Const) and isinstance(node.member, m.Const):
        domain, index = node.member.type, node.member.value
        assert isinstance(domain, m.Member)
        name = teller.names.model.domains[domain.domain].members[index]
        said = teller.names.counted(node.count.value, domain.domain, name)
        count, _, member = said.partition(" ")
        parts = {"count": plain_text(count), "member": plain_text(member)}
    return parts


def cards(teller: SentenceWriter, node: Any) -> Text:
    """Return the cards to move; a single chosen card is shown by its name."""
    if _is_a_card(node):
        return teller.names.sentence("a_card", {"member": teller.value(node.member)})
    return teller.value(node)


def _is_a_card(node: Any) -> bool:
    """Return whether a bag is a single card chosen at play time."""
    single = isinstance(node, m.SingleBag) and isinstance(node.count, m.Const)
    return single and node.count.value == 1 and not isinstance(node.member, m.Const)


def _move_cards_values(teller: SentenceWriter, node: m.MoveCards) -> TemplateValues:
    bag = cards(teller, node.bag)
    if node.up_to:
        key = "upto_card" if _is_a_card(node.bag) else "upto"
        bag = teller.names.sentence(key, {"bag": bag})
    return {"bag": bag, **_holders_values(teller, node)}


def _holders_values(teller: SentenceWriter, node: Any) -> TemplateValues:
    """Return the source and destination of cards; none means outside the game."""
    return {
        name: () if holder is None else teller.value(holder)
        for name, holder in (
            ("source", node.source),
            ("destination", node.destination),
        )
    }


def _move_all_values(teller: SentenceWriter, node: m.MoveAll) -> TemplateValues:
    member = () if node.member is None else _member(teller, node.member)
    return {"member": member, **_holders_values(teller, node)}


def _lot_values(teller: SentenceWriter, node: Any) -> TemplateValues:
    """Return the pieces that are placed, removed or moved."""
    names, parts = teller.names, {**_piece_values(teller, node)}
    only = names.model.pieces[node.piece].moves
    count, limited = node.count is not None, False
    if count:
        number = node.count
        if isinstance(number, m.Extreme) and number.smaller:
            limited = _is_all(node, number.right)
            number = number.left if limited else number
        parts["count"] = teller.count(number)
    key = "owner_count" if node.owner is not None else "count"
    if count and _is_all(node, node.count):
        key = key.replace("count", "all")
    elif not count:
        key = "owner" if node.owner is not None else ""
    form = f"lot.{key}" if key else _single(teller, node) if only else "lot"
    lot = names.sentence(form, parts)
    if limited:
        lot = names.sentence("upto", {"bag": lot})
    return {**parts, "lot": lot}


def _is_all(node: Any, count: m.Expr) -> bool:
    """Return whether a count equals the number of pieces on their space."""
    match node:
        case m.RemovePiece(space=there) | m.MovePiece(source=there):
            return (
                isinstance(count, m.PieceCount)
                and not count.another
                and (count.piece, count.owner, count.spaces)
                == (node.piece, node.owner, there)
            )
    return False


def _roll_values(teller: SentenceWriter, node: m.RollDice) -> TemplateValues:
    dice = (plain_text(teller.names.title(die)) for die in node.fields)
    condition = () if node.condition is None else teller.express(node.condition)
    return {"fields": teller.names.listed(dice), "condition": condition}


def _spread_values(teller: SentenceWriter, node: m.Spread) -> TemplateValues:
    column = node.column or _last_part(node.field)
    return {
        "cards": plain_text(teller.names.plural_title(node.cards)),
        "set": teller.value(node.set),
        "field": plain_text(teller.names.title(column)),
        "condition": () if node.condition is None else teller.express(node.condition),
    }


def _choose_values(teller: SentenceWriter, node: m.Choose) -> TemplateValues:
    return {"who": teller.value(node.who), **teller.binder_values(node)}


def _gather_values(teller: SentenceWriter, node: m.Gather) -> TemplateValues:
    return {
        "who": teller.value(node.who),
        "low": teller.value(node.low),
        "high": teller.value(node.high),
        "bag": teller.note_name(node.bag),
        **teller.binder_values(node),
    }


def _offer_values(teller: SentenceWriter, node: m.Offer) -> TemplateValues:
    """Return an offered action, with the arguments that are already determined."""
    names = teller.names
    given = dict(zip(names.gaps(node.action), node.arguments, strict=False))
    texts = {name: teller.value(value) for name, value in given.items()}
    title = names.action(node.action, texts)
    own = names.sentence_parameters(node.action)
    rest = names.listed(text for name, text in texts.items() if name not in own)
    parts = {"action": title}
    if rest:
        parts["given"] = names.sentence("Offer:given", {"given": rest})
    if node.free:
        parts["free"] = names.sentence("Offer:free", {})
    return parts


def _ask_values(teller: SentenceWriter, node: m.Ask) -> TemplateValues:
    until = teller.names.action(node.until) if node.until else ()
    offers = (teller.part("", "", offer) for offer in node.offers)
    return {
        "who": teller.value(node.who),
        "until": until,
        "offers": teller.names.listed(offers, "or"),
    }


def _reveal_values(teller: SentenceWriter, node: m.Reveal) -> TemplateValues:
    return {"stack": teller.value(node.stack), "name": teller.named(node.name)}


def _turns_go_values(teller: SentenceWriter, node: m.TurnsGo) -> TemplateValues:
    return {}


def _call_values(teller: SentenceWriter, node: m.CallProcedure) -> TemplateValues:
    """Return a call of a procedure: its sentence, if that has gaps, or its title."""
    names = teller.names
    place = f"to.{node.procedure}"
    parameters = names.model.procedures[node.procedure].parameters
    given = {
        parameter.name: teller.argument(value)
        for parameter, value in zip(parameters, node.arguments, strict=True)
    }
    own = names.words.words.get(node.procedure, ("",))[0]
    if any(f"{{{name}}}" in own for name in given):
        said = fill_template(own, given, place)
        given = {name: text for name, text in given.items() if f"{{{name}}}" not in own}
    else:
        said = names.word(node.procedure, place)
    rest = names.listed(given.values())
    if not rest:
        return {"procedure": said}
    told = names.sentence("CallProcedure:given", {"given": rest})
    return {"procedure": said, "given": told}


def _step_values(teller: SentenceWriter, node: m.LabelledBlock) -> TemplateValues:
    return {"label": teller.names.word(node.label)}


def _kinds_values(teller: SentenceWriter, node: Any) -> TemplateValues:
    """Return the kind of a type, in the plural."""
    domains: Iterable[str] = getattr(node, "domains", None) or (node.domain or "",)
    titles = [
        plain_text(teller.names.plural_title(domain)) for domain in domains if domain
    ]
    listed = teller.names.listed(titles)
    return {"domain": listed, "domains": listed}


def _of_type_values(teller: SentenceWriter, node: m.Member) -> TemplateValues:
    return {"domain": plain_text(teller.names.title(node.domain))}


def _range_values(teller: SentenceWriter, node: m.Whole) -> TemplateValues:
    return {"low": plain_text(str(node.low)), "high": plain_text(str(node.high))}


def typed(teller: SentenceWriter, sort: m.Type) -> Text:
    """Return a type in words."""
    own = PARTS.get(type(sort))
    return teller.names.sentence(template_key(sort), own(teller, sort) if own else {})


PARTS: dict[type[Any], Callable[[SentenceWriter, Any], TemplateValues]] = {
    m.FieldValue: _field_values,
    m.ColumnValue: _column_values,
    m.Related: _related_values,
    m.SpaceAt: _space_at_values,
    m.OwnSpaces: _own_spaces_values,
    m.TallyValue: _tally_values,
    m.AwardHolder: _award_values,
    **dict.fromkeys(
        (m.PieceOn, m.PieceCount, m.PieceLeft, m.PieceSpaces, m.PieceSpace),
        _piece_values,
    ),
    m.PieceOwner: _piece_owner_values,
    **dict.fromkeys((m.Arith, m.Extreme), _sides_values),
    m.Conditional: _conditional_values,
    m.HalfOf: _half_values,
    m.CountIn: _count_in_values,
    m.SingleBag: _single_bag_values,
    m.AllOf: _all_of_values,
    m.Contains: _contains_values,
    **dict.fromkeys(
        (
            m.Exists,
            m.FindMember,
            m.Filter,
            m.BestMembers,
            m.SortedMembers,
            m.Highest,
            m.CountMembers,
            m.SumOver,
        ),
        _binder_values,
    ),
    **dict.fromkeys(
        (m.BagOver, m.Ranking, m.ChanceChoose, m.EachMember, m.Together), _binder_values
    ),
    m.PlayerPoints: _points_values,
    m.NumberSet: _numbers_values,
    m.RankMeasure: _measure_values,
    m.LongestTrail: _trail_values,
    m.Reach: _reach_values,
    m.Distance: _distance_values,
    m.SetLocal: _set_local_values,
    m.SetTally: _set_tally_values,
    m.SetField: _set_field_values,
    m.MoveCards: _move_cards_values,
    m.MoveAll: _move_all_values,
    m.DrawCard: _holders_values,
    **dict.fromkeys((m.PlacePiece, m.RemovePiece, m.MovePiece), _lot_values),
    m.RollDice: _roll_values,
    m.Spread: _spread_values,
    m.Choose: _choose_values,
    m.Gather: _gather_values,
    m.Offer: _offer_values,
    m.Ask: _ask_values,
    m.Reveal: _reveal_values,
    m.TurnsGo: _turns_go_values,
    m.CallProcedure: _call_values,
    m.LabelledBlock: _step_values,
    m.Member: _of_type_values,
    m.Whole: _range_values,
    **dict.fromkeys((m.Bag, m.Stack, m.SetOf, m.Tally), _kinds_values),
}
"""Functions that return template values, by class; other classes use their fields."""
