"""Forms of sets and of everything that binds a member: searches, loops and choices."""

from typing import Any

import attrs

from rulebook import model as m
from workbench.presentation.printing.sentences import forms as f
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.text_runs import Text, plain_text

ORDERED = m.Clockwise | m.SortedMembers | m.BestMembers
"""Classes of sets whose members have an order of their own."""


# -------------------------------------------------------------------- binders


def flatten_binder(node: Any) -> tuple[Any, list[Any]]:
    """Return the set and all conditions of a binder, including filters of its set."""
    where = getattr(node, "where", None)
    set, conditions = node.set, [] if where is None else [where]
    while isinstance(set, m.Filter) and set.slot == node.slot:
        conditions.insert(0, set.where)
        set = set.set
    return set, conditions


def binder(writer: Writer, node: Any, *, several: bool = False) -> Text:
    """Return what a binder ranges over: its kind, name and condition."""
    set, conditions = flatten_binder(node)
    domain, names = set.type.domain, writer.names
    if domain is None:
        kind, own = names.sentence("numbers" if several else "number", {}), ""
    else:
        title = names.plural_title(domain) if several else names.title(domain)
        kind, own = plain_text(title), domain
    parts = {
        "kind": kind,
        "name": own_name(writer, node, own),
        "among": _among(writer, set, domain),
        "where": _where(writer, conditions),
    }
    return names.sentence("binder", parts)


def _among(writer: Writer, set: Any, domain: str | None) -> Text:
    """Return the set of which a binder's members are, unless it is a whole domain."""
    names, owner = writer.names, _owner(writer, set)
    if owner is not None:
        return names.sentence("binder.own", {"owner": writer.operand(owner)})
    match set:
        case m.AllOf():
            return ()
        case m.KindsIn(holder=holder):
            return names.sentence("binder.kinds", {"among": writer.value(holder)})
    if domain is None:
        return names.sentence("binder.numbers", {"among": writer.value(set)})
    return names.sentence("binder.among", {"among": writer.operand(set)})


def _owner(writer: Writer, set: Any) -> Any:
    """Return the owner of a set if it contains all the owner's things, or None."""
    match set:
        case m.OwnSpaces(player=player):
            return player
        case m.Related(relation=relation, of=of):
            target = writer.names.model.relations[relation].target
            title = writer.names.title(relation.rpartition(".")[2])
            return of if title == writer.names.plural_title(target) else None
    return None


def own_name(writer: Writer, node: Any, kind: str | None) -> Text:
    """Return the name of a binder's members if it differs from their kind's."""
    if node.name == kind:
        return ()
    return writer.names.sentence("binder.name", {"name": writer.named(node.name)})


def _where(writer: Writer, conditions: list[Any]) -> Text:
    """Return the condition on the members of a binder."""
    where = writer.names.listed(writer.conditions(conditions))
    return writer.optional("binder.where", where=where)


def _binder_values(writer: Writer, node: Any) -> f.Values:
    """Return the template values of a part that binds a name."""
    set, conditions = flatten_binder(node)
    return {
        "start": writer.value(set.start) if isinstance(set, m.Clockwise) else (),
        "name": own_name(writer, node, set.type.domain) if conditions else (),
        "where": _where(writer, conditions),
        "binder": binder(writer, node),
        "binders": binder(writer, node, several=True),
    }


def _is_closed(writer: Writer, node: Any) -> bool:
    """Return whether the words for a binder end without an open condition."""
    if not flatten_binder(node)[1]:
        return True
    return writer.names.sentence("binder.where", {})[-1].text.endswith(")")


BINDER = f.Form(values=_binder_values, gaps=f.operands("value"), closed=_is_closed)


def _find_case(node: m.FindMember) -> str:
    """Return the case of a search: next player, first in an order, or any member."""
    set, _ = flatten_binder(node)
    if isinstance(set, m.Clockwise) and set.turning and set.after:
        return "next"
    return f.marks(first=isinstance(set, ORDERED | m.NumberSet))


# -------------------------------------------------------------------- sets and ways


def _clockwise_case(node: m.Clockwise) -> str:
    reverse = node.reverse and not node.turning
    return f.marks(turning=node.turning, after=node.after, reverse=reverse)


def _contained_in(writer: Writer, set: m.Expr) -> Text:
    return writer.value(set.holder if isinstance(set, m.KindsIn) else set)


def _in_plural(writer: Writer, domain: str, node: Any) -> Text:
    """Return the plural of a kind, with the name that a binder gives its members."""
    return (*f.plural(writer, domain), *own_name(writer, node, domain))


def _places(writer: Writer, key: str, where: m.Per | None, domain: str) -> Text:
    """Return the condition on the spaces of a way, or nothing if there is none."""
    if where is None or m.is_truth(where.value, expected=True):
        return ()
    places = _in_plural(writer, domain, where)
    parts = {"places": places, "where": writer.statement(where.value)}
    return writer.names.sentence(key, parts)


def _is_unbroken(node: m.LongestTrail) -> bool:
    return m.is_truth(node.closed, expected=False)


def _trail_values(writer: Writer, node: m.LongestTrail) -> f.Values:
    board = writer.names.model.board
    corner = "" if board is None else board.corner
    closed = None
    if not _is_unbroken(node):
        closed = m.Per(node.slot, node.name, node.closed)
    also = writer.names.listed(map(writer.operand, node.also))
    weight = writer.part(node.weight)
    return {
        "also": writer.optional("LongestTrail:also", also=also),
        "weight": writer.optional("LongestTrail:weight", weight=weight),
        "joint": _places(writer, "LongestTrail:joint", node.joint, corner),
        "closed": _places(writer, "LongestTrail:closed", closed, corner),
    }


def _reach_values(writer: Writer, node: m.Reach) -> f.Values:
    names = writer.names
    board = names.model.board
    linked = board.link if board is not None and node.links else None
    over = {"places": _in_plural(writer, linked or node.domain, node)}
    if node.where is not None:
        over["where"] = writer.statement(node.where)
    within = () if node.within is None else writer.operand(node.within)
    return {
        "over": names.sentence("Reach.where" if node.where else "Reach.over", over),
        "through": _places(writer, "Reach:through", node.through, node.domain),
        "within": writer.optional("Reach:within", within=within),
    }


def _sorted_values(writer: Writer, node: m.SortedMembers) -> f.Values:
    count = () if node.count is None else writer.operand(node.count)
    count = writer.optional("SortedMembers:count", count=count)
    return {**_binder_values(writer, node), "count": count}


def _distance_values(writer: Writer, node: m.Distance) -> f.Values:
    return {**writer.parts(node.way, "Reach"), "price": writer.part(node.price)}


# -------------------------------------------------------------------- statements


def _choose_case(node: m.Choose) -> str:
    if node.optional:
        return "optional" if node.body else "optional_bare"
    return f.marks(several=node.if_several)


def _gather_values(writer: Writer, node: m.Gather) -> f.Values:
    return {"bag": writer.note_name(node.bag), **_binder_values(writer, node)}


def _loop_head(writer: Writer, node: m.EachMember) -> Text:
    where = () if node.where is None else writer.express(node.where)
    if isinstance(node.set, ORDERED):
        when = "_still" if node.still else "_where" if where else ""
        set = (*writer.value(node.set), *_called(writer, node))
        return writer.sentence(f"EachMember.ordered{when}", set=set, where=where)
    if not node.still:
        return writer.finish(writer.from_template(node))
    parts = {**_binder_values(writer, attrs.evolve(node, where=None)), "where": where}
    return writer.sentence("EachMember.still", **parts)


def _called(writer: Writer, node: m.EachMember) -> Text:
    """Return the name that a loop gives the members of an ordered set."""
    own = getattr(node.set.type, "domain", None)
    if node.name in (own, getattr(node.set, "name", None)):
        return ()
    return writer.names.sentence("EachMember:name", {"name": writer.named(node.name)})


SET_FORMS: f.Forms = {
    m.AllOf: f.Form(
        lambda node: f.marks(player=node.domain == m.DomainSort.PLAYER),
        gaps={"domain": f.plural},
    ),
    m.OwnSpaces: f.Form(gaps=f.operands("player", domain=f.plural)),
    m.Related: f.Form(gaps=f.operands("of", relation=f.word)),
    m.Clockwise: f.Form(_clockwise_case),
    m.NumberSet: f.Form(gaps=f.operands("low", "high")),
    m.Contains: f.Form(
        lambda node: f.marks(cards=isinstance(node.set, m.KindsIn)),
        gaps=f.operands("member", set=_contained_in),
    ),
    m.RankMeasure: f.Form(f.marked("smallest"), gaps=f.operands("value")),
    m.FindMember: attrs.evolve(BINDER, case=_find_case, weight=f.COMPOUND),
    m.SortedMembers: attrs.evolve(
        BINDER, case=f.marked("falling"), values=_sorted_values
    ),
    m.Highest: attrs.evolve(BINDER, case=f.marked("smallest"), weight=f.OPERATION),
    m.SumOver: attrs.evolve(BINDER, weight=f.OPERATION),
    **dict.fromkeys(
        (
            *(m.Exists, m.Filter, m.BestMembers, m.CountMembers, m.BagOver),
            m.Ranking,
        ),
        BINDER,
    ),
    m.Together: attrs.evolve(BINDER, whole=False),
    m.LongestTrail: f.Form(
        values=_trail_values,
        gaps=f.operands("links"),
        closed=lambda _, node: (
            _is_unbroken(node) and node.weight is None and node.joint is None
        ),
    ),
    m.Reach: f.Form(
        values=_reach_values,
        gaps=f.operands("start", domain=f.plural),
        closed=lambda _, node: node.where is None and node.through is None,
    ),
    m.Distance: f.Form(
        lambda node: f.marks(priced=node.price is not None),
        values=_distance_values,
        gaps=f.operands("goal"),
    ),
    m.ChanceChoose: attrs.evolve(
        BINDER,
        drawn=lambda writer, node: writer.phrase("one_of", set=writer.value(node.set)),
    ),
    m.Choose: attrs.evolve(BINDER, case=_choose_case, whole=False),
    m.Gather: attrs.evolve(
        BINDER,
        case=lambda node: f.marks(same=node.low == node.high),
        values=_gather_values,
    ),
    m.EachMember: attrs.evolve(BINDER, head=_loop_head, whole=False),
}
"""Forms of sets and ways, and of parts that bind a member of a set."""
