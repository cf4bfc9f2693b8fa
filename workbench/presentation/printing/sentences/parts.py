"""Template values for classes whose fields cannot fill their templates directly."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from rulebook import model as m
from workbench.presentation.printing.sentences.expressions import Teller
from workbench.presentation.printing.sentences.forms import added, amount, form
from workbench.presentation.printing.sentences.text_runs import Text, filled, plain

Parts: TypeAlias = Mapping[str, Text]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _field(teller: Teller, node: m.FieldValue) -> Parts:
    owner = () if node.owner is None else teller.operand(node.owner)
    return {"field": teller.names.table_word(node.field), "owner": owner}


def _column(teller: Teller, node: m.ColumnValue) -> Parts:
    column = teller.names.word(node.column)
    return {"column": column, "of": teller.operand(node.of)}


def _related(teller: Teller, node: m.Related) -> Parts:
    relation = teller.names.word(_last(node.relation))
    return {"relation": relation, "of": teller.operand(node.of)}


def _space_at(teller: Teller, node: m.SpaceAt) -> Parts:
    return {
        "domain": plain(teller.names.title(_last(node.domain))),
        "owner": () if node.owner is None else teller.operand(node.owner),
        "coordinates": teller.names.listed(map(teller.value, node.coordinates)),
    }


def _own_spaces(teller: Teller, node: m.OwnSpaces) -> Parts:
    title = plain(teller.names.several(node.domain))
    return {"domain": title, "player": teller.operand(node.player)}


def _all_of(teller: Teller, node: m.AllOf) -> Parts:
    return {"domain": plain(teller.names.several(node.domain))}


def _tally(teller: Teller, node: m.TallyValue) -> Parts:
    indices = teller.names.listed(map(teller.value, node.indices))
    return {"slot": teller.noted(node.slot), "indices": indices}


def _award(teller: Teller, node: m.AwardHolder) -> Parts:
    return {"award": plain(teller.names.title(node.award), place=f"award.{node.award}")}


def _piece(teller: Teller, node: Any) -> Parts:
    names = teller.names
    parts = {
        "piece": plain(names.title(node.piece), place=f"piece.{node.piece}"),
        "pieces": plain(names.several(node.piece), place=f"piece.{node.piece}"),
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
        title = names.title(domain) if single else names.several(domain)
        parts["domain"] = plain(title)
        if single and node.owner is None:
            parts["piece"] = names.sentence(_single(teller, node), parts)
    return parts


def _single(teller: Teller, node: Any) -> str:
    """Return the case for the only piece of its sort: by name, if it has one."""
    is_name = teller.names.title(node.piece)[:1].isupper()
    return "lot.named" if is_name else "lot.only"


def _piece_owner(teller: Teller, node: m.PieceOwner) -> Parts:
    title = plain(teller.names.title(node.piece), place=f"piece.{node.piece}")
    return {"piece": title, "space": teller.operand(node.space)}


def _sides(teller: Teller, node: Any) -> Parts:
    return {"left": _side(teller, node.left), "right": _side(teller, node.right)}


def _side(teller: Teller, node: Any) -> Text:
    """Return an operand, in brackets if it would be ambiguous."""
    if isinstance(node, m.Sum | m.Highest | m.Extreme) and teller.is_closed(node):
        return teller.names.sentence("group", {"value": teller.value(node)})
    return teller.operand(node)


def _conditional(teller: Teller, node: m.Conditional) -> Parts:
    return {
        "value": teller.operand(node.value),
        "condition": teller.holds(node.condition),
        "other": teller.operand(node.other),
    }


def _half(teller: Teller, node: m.Half) -> Parts:
    return {"value": teller.operand(node.value)}


def _count_in(teller: Teller, node: m.CountIn) -> Parts:
    member = _member(teller, node.member)
    return {"member": member, "holder": teller.operand(node.holder)}


def _member(teller: Teller, node: m.Expr, *, several: bool = True) -> Text:
    """Return a kind of card; a constant kind is in the plural if *several*."""
    if isinstance(node, m.Const) and isinstance(node.type, m.Member) and several:
        name = teller.names.model.domains[node.type.domain].members[node.value]
        return plain(teller.names.of_kind(node.type.domain, name, several=True))
    return teller.operand(node)


def _contains(teller: Teller, node: m.Contains) -> Parts:
    set = node.set.holder if isinstance(node.set, m.KindsIn) else node.set
    return {"member": teller.operand(node.member), "set": teller.value(set)}


def _binder(teller: Teller, node: Any) -> Parts:
    return teller.bound(node)


def _points(teller: Teller, node: m.Points) -> Parts:
    return {"player": teller.operand(node.player)}


def _numbers(teller: Teller, node: m.Numbers) -> Parts:
    return {"low": teller.operand(node.low), "high": teller.operand(node.high)}


def _measure(teller: Teller, node: m.Measure) -> Parts:
    return {"value": teller.operand(node.value)}


def _distance(teller: Teller, node: m.Distance) -> Parts:
    return {**_reach(teller, node.way), "goal": teller.operand(node.goal)}


def _trail(teller: Teller, node: m.LongestTrail) -> Parts:
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


def _places(teller: Teller, key: str, where: m.Per | None, domain: str) -> Text:
    """Return the condition on the spaces of a way, or nothing if there is none."""
    if where is None or (isinstance(where.value, m.Const) and where.value.value):
        return ()
    said = _in_plural(teller, domain, where)
    parts = {"places": said, "where": teller.holds(where.value)}
    return teller.names.sentence(key, parts)


def _in_plural(teller: Teller, domain: str, node: Any) -> Text:
    """Return the plural of a kind, with the name that a binder gives its members."""
    return (*plain(teller.names.several(domain)), *teller.own_name(node, domain))


def _reach(teller: Teller, node: m.Reach) -> Parts:
    names = teller.names
    board = names.model.board
    linked = board.link if board is not None and node.links else None
    over = {"places": _in_plural(teller, linked or node.domain, node)}
    if node.where is not None:
        over["where"] = teller.holds(node.where)
    within = () if node.within is None else teller.operand(node.within)
    return {
        "domain": plain(names.several(node.domain)),
        "start": teller.operand(node.start),
        "over": names.sentence(
            "Reach.where" if "where" in over else "Reach.over", over
        ),
        "through": _places(teller, "Reach:through", node.through, node.domain),
        "within": names.sentence("Reach:within", {"within": within}) if within else (),
    }


# -------------------------------------------------------------------- statements


def _set_local(teller: Teller, node: m.SetLocal) -> Parts:
    return {"name": teller.named(node.name), "value": teller.say(node.value)}


def _set_tally(teller: Teller, node: m.SetTally) -> Parts:
    names = teller.names
    more = added(node)
    number = node.value if more is None else more
    value = () if number is None else teller.value(number)
    kinds = (plain(names.title(domain)) for domain in node.domains)
    return {
        "name": teller.named(node.name),
        "domains": names.listed(kinds),
        "indices": names.listed(map(teller.value, node.indices)),
        "value": value,
    }


def _set_field(teller: Teller, node: m.SetField) -> Parts:
    value = m.FieldValue(field=node.field, owner=node.owner, type=node.value.type)
    return {"field": teller.value(value), "value": teller.say(amount(node))}


def _single_bag(teller: Teller, node: m.SingleBag) -> Parts:
    number = teller.count(node.count)
    parts = {"count": number, "member": _member(teller, node.member, several=False)}
    if isinstance(node.count, m.Const) and isinstance(node.member, m.Const):
        domain, index = node.member.type, node.member.value
        assert isinstance(domain, m.Member)
        name = teller.names.model.domains[domain.domain].members[index]
        said = teller.names.counted(node.count.value, domain.domain, name)
        count, _, member = said.partition(" ")
        parts = {"count": plain(count), "member": plain(member)}
    return parts


def cards(teller: Teller, node: Any) -> Text:
    """Return the cards to move; a single chosen card is shown by its name."""
    if _is_a_card(node):
        return teller.names.sentence("a_card", {"member": teller.value(node.member)})
    return teller.value(node)


def _is_a_card(node: Any) -> bool:
    """Return whether a bag is a single card chosen at play time."""
    single = isinstance(node, m.SingleBag) and isinstance(node.count, m.Const)
    return single and node.count.value == 1 and not isinstance(node.member, m.Const)


def _move_cards(teller: Teller, node: m.MoveCards) -> Parts:
    bag = cards(teller, node.bag)
    if node.up_to:
        key = "upto_card" if _is_a_card(node.bag) else "upto"
        bag = teller.names.sentence(key, {"bag": bag})
    return {"bag": bag, **_holders(teller, node)}


def _holders(teller: Teller, node: Any) -> Parts:
    """Return the source and destination of cards; none means outside the game."""
    return {
        name: () if holder is None else teller.value(holder)
        for name, holder in (
            ("source", node.source),
            ("destination", node.destination),
        )
    }


def _move_all(teller: Teller, node: m.MoveAll) -> Parts:
    member = () if node.member is None else _member(teller, node.member)
    return {"member": member, **_holders(teller, node)}


def _lot(teller: Teller, node: Any) -> Parts:
    """Return the pieces that are placed, removed or moved."""
    names, parts = teller.names, {**_piece(teller, node)}
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


def _roll(teller: Teller, node: m.RollDice) -> Parts:
    dice = (plain(teller.names.title(die)) for die in node.fields)
    condition = () if node.condition is None else teller.say(node.condition)
    return {"fields": teller.names.listed(dice), "condition": condition}


def _spread(teller: Teller, node: m.Spread) -> Parts:
    column = node.column or _last(node.field)
    return {
        "cards": plain(teller.names.several(node.cards)),
        "set": teller.value(node.set),
        "field": plain(teller.names.title(column)),
        "condition": () if node.condition is None else teller.say(node.condition),
    }


def _choose(teller: Teller, node: m.Choose) -> Parts:
    return {"who": teller.value(node.who), **teller.bound(node)}


def _gather(teller: Teller, node: m.Gather) -> Parts:
    return {
        "who": teller.value(node.who),
        "low": teller.value(node.low),
        "high": teller.value(node.high),
        "bag": teller.noted(node.bag),
        **teller.bound(node),
    }


def _offer(teller: Teller, node: m.Offer) -> Parts:
    """Return an offered action, with the arguments that are already determined."""
    names = teller.names
    given = dict(zip(names.gaps(node.action), node.arguments, strict=False))
    texts = {name: teller.value(value) for name, value in given.items()}
    title = names.action(node.action, texts)
    own = names.spoken(node.action)
    rest = names.listed(text for name, text in texts.items() if name not in own)
    parts = {"action": title}
    if rest:
        parts["given"] = names.sentence("Offer:given", {"given": rest})
    if node.free:
        parts["free"] = names.sentence("Offer:free", {})
    return parts


def _ask(teller: Teller, node: m.Ask) -> Parts:
    until = teller.names.action(node.until) if node.until else ()
    offers = (teller.part("", "", offer) for offer in node.offers)
    return {
        "who": teller.value(node.who),
        "until": until,
        "offers": teller.names.listed(offers, "or"),
    }


def _reveal(teller: Teller, node: m.Reveal) -> Parts:
    return {"stack": teller.value(node.stack), "name": teller.named(node.name)}


def _turns_go(teller: Teller, node: m.TurnsGo) -> Parts:
    return {}


def _call(teller: Teller, node: m.Call) -> Parts:
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
        said = filled(own, given, place)
        given = {name: text for name, text in given.items() if f"{{{name}}}" not in own}
    else:
        said = names.word(node.procedure, place)
    rest = names.listed(given.values())
    if not rest:
        return {"procedure": said}
    told = names.sentence("Call:given", {"given": rest})
    return {"procedure": said, "given": told}


def _step(teller: Teller, node: m.Step) -> Parts:
    return {"label": teller.names.word(node.label)}


def _kinds(teller: Teller, node: Any) -> Parts:
    """Return the kind of a type, in the plural."""
    domains: Iterable[str] = getattr(node, "domains", None) or (node.domain or "",)
    titles = [plain(teller.names.several(domain)) for domain in domains if domain]
    listed = teller.names.listed(titles)
    return {"domain": listed, "domains": listed}


def _of_type(teller: Teller, node: m.Member) -> Parts:
    return {"domain": plain(teller.names.title(node.domain))}


def _range(teller: Teller, node: m.Whole) -> Parts:
    return {"low": plain(str(node.low)), "high": plain(str(node.high))}


def typed(teller: Teller, sort: m.Type) -> Text:
    """Return a type in words."""
    own = PARTS.get(type(sort))
    return teller.names.sentence(form(sort), own(teller, sort) if own else {})


PARTS: dict[type[Any], Callable[[Teller, Any], Parts]] = {
    m.FieldValue: _field,
    m.ColumnValue: _column,
    m.Related: _related,
    m.SpaceAt: _space_at,
    m.OwnSpaces: _own_spaces,
    m.TallyValue: _tally,
    m.AwardHolder: _award,
    **dict.fromkeys(
        (m.PieceOn, m.PieceCount, m.PieceLeft, m.PieceSpaces, m.PieceSpace), _piece
    ),
    m.PieceOwner: _piece_owner,
    **dict.fromkeys((m.Arith, m.Extreme), _sides),
    m.Conditional: _conditional,
    m.Half: _half,
    m.CountIn: _count_in,
    m.SingleBag: _single_bag,
    m.AllOf: _all_of,
    m.Contains: _contains,
    **dict.fromkeys(
        (m.Exists, m.Find, m.Filter, m.Best, m.Sorted, m.Highest, m.Count, m.Sum),
        _binder,
    ),
    **dict.fromkeys(
        (m.BagOver, m.Ranking, m.ChanceChoose, m.Each, m.Together), _binder
    ),
    m.Points: _points,
    m.Numbers: _numbers,
    m.Measure: _measure,
    m.LongestTrail: _trail,
    m.Reach: _reach,
    m.Distance: _distance,
    m.SetLocal: _set_local,
    m.SetTally: _set_tally,
    m.SetField: _set_field,
    m.MoveCards: _move_cards,
    m.MoveAll: _move_all,
    m.DrawCard: _holders,
    **dict.fromkeys((m.PlacePiece, m.RemovePiece, m.MovePiece), _lot),
    m.RollDice: _roll,
    m.Spread: _spread,
    m.Choose: _choose,
    m.Gather: _gather,
    m.Offer: _offer,
    m.Ask: _ask,
    m.Reveal: _reveal,
    m.TurnsGo: _turns_go,
    m.Call: _call,
    m.Step: _step,
    m.Member: _of_type,
    m.Whole: _range,
    **dict.fromkeys((m.Bag, m.Stack, m.SetOf, m.Tally), _kinds),
}
"""Functions that return template values, by class; other classes use their fields."""
