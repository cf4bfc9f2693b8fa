"""Forms of sets, and of the searches, loops and choices that bind their members."""

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


def binder_text(writer: Writer, node: Any, *, plural: bool = False) -> Text:
    """Return the members of a binder in words: their kind, name and condition."""
    set, conditions = flatten_binder(node)
    domain, names = set.type.domain, writer.names
    if domain is None:
        kind, own = names.sentence("numbers" if plural else "number", {}), ""
    else:
        title = names.plural_title(domain) if plural else names.title(domain)
        kind, own = plain_text(title), domain
    parts = {
        "kind": kind,
        "name": binder_name(writer, node, own),
        "among": _source_set(writer, _without_name(set, node), domain),
        "where": _condition_text(writer, conditions),
    }
    return names.sentence("binder", parts)


def _without_name(member_set: Any, node: Any) -> Any:
    """Return a set without the name for members that its binder gives them too."""
    if isinstance(member_set, m.BestMembers) and member_set.slot == node.slot:
        return attrs.evolve(member_set, name=getattr(member_set.type, "domain", ""))
    return member_set


def _source_set(writer: Writer, member_set: Any, domain: str | None) -> Text:
    """Return the set of a binder in words, or nothing for a complete domain."""
    names, owner = writer.names, _owner(writer, member_set)
    if owner is not None:
        return names.sentence("binder.own", {"owner": writer.operand(owner)})
    match member_set:
        case m.AllOf():
            return ()
        case m.KindsIn(holder=holder):
            return names.sentence("binder.kinds", {"among": writer.value(holder)})
    if domain is None:
        return names.sentence("binder.numbers", {"among": writer.value(member_set)})
    return names.sentence("binder.among", {"among": writer.operand(member_set)})


def _owner(writer: Writer, member_set: Any) -> Any:
    """Return the owner if a set is all spaces or members of an owner, else None."""
    match member_set:
        case m.OwnSpaces(player=player):
            return player
        case m.Related(relation=relation, of=of):
            target = writer.names.model.relations[relation].target
            title = writer.names.title(relation.rpartition(".")[2])
            return of if title == writer.names.plural_title(target) else None
    return None


def binder_name(writer: Writer, node: Any, kind: str | None) -> Text:
    """Return a binder's name for its members, or nothing if it is their kind."""
    if node.name == kind:
        return ()
    return writer.names.sentence("binder.name", {"name": writer.named(node.name)})


def _condition_text(writer: Writer, conditions: list[Any]) -> Text:
    """Return the condition on a binder's members in words, or nothing."""
    where = writer.names.list_text(writer.conditions(conditions))
    return writer.optional("binder.where", where=where)


def _binder_values(writer: Writer, node: Any) -> f.Values:
    """Return the template values of a node that binds a name to members."""
    set, conditions = flatten_binder(node)
    return {
        "start": writer.value(set.start) if isinstance(set, m.Clockwise) else (),
        "name": binder_name(writer, node, set.type.domain) if conditions else (),
        "where": _condition_text(writer, conditions),
        "binder": binder_text(writer, node),
        "binders": binder_text(writer, node, plural=True),
    }


def _ranked_values(writer: Writer, node: m.BestMembers | m.Ranking) -> f.Values:
    """Return the template values of a node that compares members by measures."""
    measures = [_measure_text(writer, node.slot, measure) for measure in node.by]
    by = writer.names.sequence_text(measures)
    set, conditions = flatten_binder(node)
    every = m.Binder(node.slot, node.name, set, None)
    return {
        "binders": binder_text(writer, every, plural=True),
        "by": by,
        "where": writer.names.list_text(writer.conditions(conditions)),
    }


def _ranked_case(node: m.BestMembers | m.Ranking) -> str:
    """Return `where` if only members that meet a condition are compared, else ""."""
    return f.mark_names(where=bool(flatten_binder(node)[1]))


def _measure_text(writer: Writer, slot: int, measure: m.RankMeasure) -> Text:
    """Return a measure in words; a part of the member in *slot* needs no owner."""

    def is_own(value: m.Expr) -> bool:
        return m.is_variable(value, slot)

    names, key, value = writer.names, "own", measure.value
    own: Text = ()
    if isinstance(value, m.PlayerPoints):
        if m.is_variable(value.player, slot) and not value.visible:
            key = "points"
    elif m.is_field(value) and m.is_variable(value.owner, slot):
        if names.model.fields[value.field].piece is None:
            own = names.styled_field_title(value.field)
    elif m.is_call(value) and [*map(is_own, value.arguments)].count(True) == 1:
        own = _own_definition_text(writer, slot, value)
    elif isinstance(value, m.SizeOf) and not isinstance(value.holder.type, m.SetOf):
        key, own = "cards", writer.operand(value.holder)
    if key == "own" and not own:
        return writer.part(measure)
    case = f.mark_names(**{key: True, "smallest": measure.smallest})
    return names.sentence(f"RankMeasure.{case}", {"value": own})


def _own_definition_text(writer: Writer, slot: int, value: m.CallDefine) -> Text:
    """Return a definition of the member in *slot* without the member as its owner.

    Return nothing if the member is not the owner.
    """
    names = writer.names
    define = names.model.defines[value.define]
    shape = names.definition(define)
    given = dict(zip([x.name for x in define.parameters], value.arguments, strict=True))
    is_single = len(given) == 1
    owner = given.pop(shape.subject, None)
    if shape.sentence or not (is_single or m.is_variable(owner, slot)):
        return ()
    word = names.defined_word(define, f"define.{value.define}")
    rest = names.list_text(map(writer.operand, () if is_single else given.values()))
    parts = {"value": word, "given": rest}
    return names.sentence("RankMeasure.given", parts) if rest else word


def _is_closed(writer: Writer, node: Any) -> bool:
    """Return whether the words for a binder end without an open condition."""
    if not flatten_binder(node)[1]:
        return True
    return writer.names.sentence("binder.where", {})[-1].text.endswith(")")


BINDER = f.Form(
    values=_binder_values, gaps=f.operand_fillers("value"), closed=_is_closed
)


def _find_case(node: m.FindMember) -> str:
    """Return the template case of a search: `next` player, or "" for the first."""
    set, _ = flatten_binder(node)
    is_next = isinstance(set, m.Clockwise) and set.turning and set.after
    return f.mark_names(next=is_next)


# -------------------------------------------------------------------- sets and paths


def _clockwise_case(node: m.Clockwise) -> str:
    reverse = node.reverse and not node.turning
    return f.mark_names(turning=node.turning, after=node.after, reverse=reverse)


def _container_text(writer: Writer, member_set: m.Expr) -> Text:
    return writer.value(
        member_set.holder if isinstance(member_set, m.KindsIn) else member_set
    )


def _plural_kind(writer: Writer, domain: str, node: Any) -> Text:
    """Return the plural of a kind, with the name that a binder gives its members."""
    return (*f.plural_text(writer, domain), *binder_name(writer, node, domain))


def _space_condition(
    writer: Writer, key: str, where: m.Per | None, domain: str
) -> Text:
    """Return the condition on a path's spaces in words, or nothing without one."""
    if where is None or m.is_truth(where.value, expected=True):
        return ()
    places = _plural_kind(writer, domain, where)
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
    also = writer.names.list_text(map(writer.operand, node.also))
    weight = writer.part(node.weight)
    return {
        "also": writer.optional("LongestTrail:also", also=also),
        "weight": writer.optional("LongestTrail:weight", weight=weight),
        "joint": _space_condition(writer, "LongestTrail:joint", node.joint, corner),
        "closed": _space_condition(writer, "LongestTrail:closed", closed, corner),
    }


def _reach_values(writer: Writer, node: m.Reach) -> f.Values:
    names = writer.names
    board = names.model.board
    linked = board.link if board is not None and node.links else None
    over = {"places": _plural_kind(writer, linked or node.domain, node)}
    if node.step is not None:
        over["places"] = f.plural_text(writer, node.domain)
    form = "Reach.over"
    if node.where is not None:
        form, over["where"] = "Reach.where", writer.statement(node.where)
    if node.step is not None:
        form, over["where"] = "Reach.step", writer.statement(node.step.value)
        over["before"] = writer.named(node.step.name)
        over["name"] = writer.named(node.name)
    within = () if node.within is None else writer.operand(node.within)
    return {
        "over": names.sentence(form, over),
        "through": _space_condition(writer, "Reach:through", node.through, node.domain),
        "within": writer.optional("Reach:within", within=within),
    }


def _sorted_values(writer: Writer, node: m.SortedMembers) -> f.Values:
    count = () if node.count is None else writer.operand(node.count)
    count = writer.optional("SortedMembers:count", count=count)
    measures = [writer.value(node.value)]
    while _continues_order(node):
        assert isinstance(node.set, m.SortedMembers)
        node = node.set
        measures.append(writer.value(node.value))
    value = writer.names.sequence_text(measures, "join.order")
    return {**_binder_values(writer, node), "value": value, "count": count}


def _continues_order(node: m.SortedMembers) -> bool:
    """Return whether members that compare equal stay in an order of the same kind."""
    inner = node.set
    return (
        isinstance(inner, m.SortedMembers)
        and node.where is None
        and inner.count is None
        and inner.falling == node.falling
    )


def _distance_values(writer: Writer, node: m.Distance) -> f.Values:
    return {**writer.parts(node.way, "Reach"), "price": writer.part(node.price)}


# -------------------------------------------------------------------- combinations


def _combination_values(writer: Writer, node: Any) -> f.Values:
    """Return the template values of a node that binds a combination of cards."""
    name = binder_name(writer, node, m.COMBINATION)
    tests = [part for part in (node.given, node.where) if part is not None]
    conditions = [part for test in tests for part in m.conjuncts(test)]
    parts = {
        "name": name,
        "size": _combination_size(writer, node),
        "kind": f.plural_text(writer, node.holder.type.domain),
        "holder": writer.value(node.holder),
        "where": _condition_text(writer, conditions),
    }
    return {
        "combination": writer.names.sentence("combination", parts),
        "combinations": writer.names.sentence("combinations", parts),
    }


def _combination_size(writer: Writer, node: Any) -> Text:
    """Return the size of a combination with a trailing space, or nothing."""
    if node.least is None and node.most is None:
        return ()
    key = "exact" if node.least == node.most else "most"
    key = "least" if node.most is None else key
    count = writer.operand(node.most if node.least is None else node.least)
    return writer.names.sentence(f"combination.{key}", {"count": count})


COMBINATION = f.Form(
    values=_combination_values,
    gaps=f.operand_fillers("value"),
    closed=lambda _, node: node.given is None and node.where is None,
)

# -------------------------------------------------------------------- statements


def _choose_case(node: m.Choose) -> str:
    if node.optional:
        return "optional" if node.body else "optional_bare"
    return f.mark_names(several=node.if_several)


def _gather_values(writer: Writer, node: m.Gather) -> f.Values:
    return {"bag": writer.slot_name(node.bag), **_binder_values(writer, node)}


def loop_head(writer: Writer, node: m.EachMember, times: Text = ()) -> Text:
    """Return the line above the body of a loop over members.

    With `times`, the loop is repeated that often at most, until one member is left.
    """
    members, conditions = (
        (node.set, [node.where]) if node.still else flatten_binder(node)
    )
    where = writer.names.list_text(writer.conditions(conditions))
    if isinstance(members, ORDERED):
        when = "_still" if node.still else "_where" if where else ""
        when = "_until_one" if times else when
        set = (*writer.value(members), *_loop_name(writer, node, members))
        parts = {"set": set, "where": where, "times": times}
        return writer.sentence(f"EachMember.ordered{when}", **parts)
    if not node.still:
        return writer.finish(writer.from_template(node))
    when = "until_one" if times else "still"
    binder = _binder_values(writer, attrs.evolve(node, where=None))
    parts = {**binder, "where": where, "times": times}
    return writer.sentence(f"EachMember.{when}", **parts)


def _loop_name(writer: Writer, node: m.EachMember, members: m.Expr) -> Text:
    """Return the name that a loop gives *members*, the members of an ordered set."""
    own = getattr(members.type, "domain", None)
    if node.name in (own, getattr(members, "name", None)):
        return ()
    return writer.names.sentence("EachMember:name", {"name": writer.named(node.name)})


SET_FORMS: f.Forms = {
    m.AllOf: f.Form(
        lambda node: f.mark_names(player=node.domain == m.DomainSort.PLAYER),
        gaps={"domain": f.plural_text},
    ),
    m.OwnSpaces: f.Form(gaps=f.operand_fillers("player", domain=f.plural_text)),
    m.Related: f.Form(gaps=f.operand_fillers("of", relation=f.word_text)),
    m.Clockwise: f.Form(_clockwise_case),
    m.NumberSet: f.Form(gaps=f.operand_fillers("low", "high")),
    m.Contains: f.Form(
        lambda node: f.mark_names(cards=isinstance(node.set, m.KindsIn)),
        gaps=f.operand_fillers("member", set=_container_text),
    ),
    m.RankMeasure: f.Form(f.case_if_set("smallest"), gaps=f.operand_fillers("value")),
    m.FindMember: attrs.evolve(BINDER, case=_find_case, weight=f.COMPOUND),
    m.SortedMembers: attrs.evolve(
        BINDER, case=f.case_if_set("falling"), values=_sorted_values
    ),
    m.Highest: attrs.evolve(BINDER, case=f.case_if_set("smallest"), weight=f.OPERATION),
    m.SumOver: attrs.evolve(BINDER, weight=f.OPERATION),
    **dict.fromkeys(
        (*(m.Exists, m.Filter, m.CountMembers),),
        BINDER,
    ),
    m.BagOver: attrs.evolve(BINDER, gaps={"value": Writer.value}, weight=f.COMPOUND),
    **dict.fromkeys(
        (m.BestMembers, m.Ranking),
        attrs.evolve(BINDER, case=_ranked_case, values=_ranked_values),
    ),
    m.CombinationExists: COMBINATION,
    m.CountCombinations: COMBINATION,
    m.HighestCombination: attrs.evolve(
        COMBINATION, case=f.case_if_set("smallest"), weight=f.OPERATION
    ),
    m.Together: attrs.evolve(BINDER, whole=False),
    m.LongestTrail: f.Form(
        values=_trail_values,
        gaps=f.operand_fillers("links"),
        closed=lambda _, node: (
            _is_unbroken(node) and node.weight is None and node.joint is None
        ),
    ),
    m.Reach: f.Form(
        values=_reach_values,
        gaps=f.operand_fillers("start", domain=f.plural_text),
        closed=lambda _, node: (
            node.where is None and node.through is None and node.step is None
        ),
    ),
    m.Distance: f.Form(
        lambda node: f.mark_names(priced=node.price is not None),
        values=_distance_values,
        gaps=f.operand_fillers("goal"),
    ),
    m.ChanceChoose: attrs.evolve(
        BINDER,
        drawn=lambda writer, node: writer.phrase("one_of", set=writer.value(node.set)),
    ),
    m.Choose: attrs.evolve(BINDER, case=_choose_case, whole=False),
    m.Gather: attrs.evolve(
        BINDER,
        case=lambda node: f.mark_names(same=node.low == node.high),
        values=_gather_values,
    ),
    m.EachMember: attrs.evolve(BINDER, head=loop_head, whole=False),
}
"""Forms of sets and paths, and of parts that bind a member of a set."""
