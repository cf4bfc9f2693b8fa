"""Effects that may fail: moves that nothing guards, and values out of their range.

The walk carries the facts that hold where it stands: the requirements of an action,
the conditions of `if` and of binders, and what a choice was made from. A later write
may make a fact untrue; the interpreter asserts what this check lets pass.
"""

from __future__ import annotations

import attrs

from rulebook import model as m
from rulebook.check.guards import conjuncts, entails
from rulebook.check.places import is_slot
from rulebook.check.world import World, mistake
from rulebook.types import Bag, Member, Truth, Whole
from rulebook.walk import find, rewrite

LOOSE = (m.Sum, m.Count, m.CountIn, m.SizeOf, m.LongestTrail)
"""Expressions whose range says little of what they come to in a game."""

Facts = tuple[m.Expr, ...]

#: A range wider than this comes from a variable of which nothing is known.
UNKNOWN = 5_000


def check_effects(world: World) -> None:
    """Report every effect that can fail where it stands."""
    if world.model is None:
        return
    for action in world.model.actions.values():
        needs = tuple(need.condition for need in action.requirements)
        facts = tuple(part for one in needs for part in conjuncts(one))
        _block(world, action.body, facts)
    for procedure in world.model.procedures.values():
        _block(world, procedure.body, ())
    for define in world.model.defines.values():
        _define(world, define)


def _define(world: World, define: m.Define) -> None:
    """Report the lines whose value may leave the range that the definition declares.

    What a sum, a count or a trail comes to is the author's word: its range is mostly
    far wider than what the pieces and cards of the game allow.
    """
    if not isinstance(define.type, Whole) or define.adds:
        return
    facts: Facts = ()
    for line in define.lines:
        here = facts
        if line.condition is not None:
            here = (*facts, *conjuncts(line.condition))
            facts = (*facts, *_contrary(line.condition))
        if any(find(line.value, LOOSE)):
            continue
        found = interval(line.value, here)
        if max(abs(found.low), abs(found.high)) > UNKNOWN:
            continue
        if found.low < define.type.low or found.high > define.type.high:
            with world.collecting():
                raise mistake(
                    "RB145",
                    line.value.span,
                    f"this may be {found}, but `{define.name}` is {define.type}",
                    "use `smaller of` or `larger of`, put a condition behind it, or "
                    "declare a wider range",
                    ((define.span, "declared here"),),
                )


def _block(world: World, body: tuple[m.Stmt, ...], facts: Facts) -> None:
    for node in body:
        with world.collecting():
            match node:
                case m.MoveCards():
                    _move(world, node, facts)
                    _fill(world, node, facts)
                case m.MoveAll() | m.DrawCard():
                    _fill(world, node, facts)
                case m.SetField():
                    _write(world, node, facts)
        _inside(world, node, facts)
        facts = (*_left(facts, node), *_learnt(node))


def _inside(world: World, node: m.Stmt, facts: Facts) -> None:
    match node:
        case m.If(condition=condition, body=body, otherwise=otherwise):
            _block(world, body, (*facts, *conjuncts(condition)))
            _block(world, otherwise, (*facts, *_contrary(condition)))
        case m.Each(slot=slot, name=name, set=set_, where=where, body=body):
            _block(world, body, (*facts, *_bound(slot, name, set_, where)))
        case m.Together(slot=slot, name=name, set=set_, where=where, body=body):
            _block(world, body, (*facts, *_bound(slot, name, set_, where)))
        case m.Choose(body=body, otherwise=otherwise):
            _block(world, body, (*facts, *_learnt(node)))
            _block(world, otherwise, facts)
        case m.Ask(body=body, otherwise=otherwise):
            _block(world, body, facts)
            _block(world, otherwise, facts)
        case m.Repeat(body=body) | m.Step(body=body):
            _block(world, body, facts)


def _left(facts: Facts, node: m.Stmt) -> Facts:
    """What still holds after a statement: cards that went are there no more."""
    for move in find(node, m.MoveCards):
        if move.source is not None and not move.up_to:
            facts = tuple(one for fact in facts for one in _lessened(fact, move))
    return facts


def _lessened(fact: m.Expr, move: m.MoveCards) -> Facts:
    """What is left of a fact that let cards go: of a number, what is left of it."""
    if not entails(fact, move.source, move.bag):
        return (fact,)
    match fact, move.bag:
        case (
            m.Compare(right=m.Const(value=have)),
            m.SingleBag(count=m.Const(value=gone)),
        ) if have > gone:
            assert isinstance(fact, m.Compare)
            left = m.Const(value=have - gone, type=Whole(have - gone, have - gone))
            return (attrs.evolve(fact, right=left),)
    return ()


def _learnt(node: m.Stmt) -> Facts:
    """What holds after a statement: a choice was made from what there is."""
    match node:
        case m.Choose(slot=slot, name=name, set=set_, where=where):
            return _bound(slot, name, set_, where)
        case m.Gather(source=source, bag=bag, set=set_) if source is not None:
            domain = getattr(set_.type, "domain", "")
            local = m.Local(slot=bag, name="", type=Bag(domain or ""))
            return (m.Covers(holder=source, bag=local, type=Truth()),)
        case m.SetLocal(slot=slot, value=m.Find() as found):
            facts = _bound(found.slot, found.name, found.set, found.where)
            return _renamed(facts, found, slot)
    return ()


def _renamed(facts: Facts, found: m.Find, slot: int) -> Facts:
    """What holds of a thing that was found: without one nothing is done."""

    def change(node: object) -> object:
        if isinstance(node, m.Local) and node.slot == found.slot:
            return attrs.evolve(node, slot=slot, type=found.type)
        return node

    return tuple(rewrite(facts, change))


def _bound(slot: int, name: str, set_: m.Expr, where: m.Expr | None) -> Facts:
    facts: list[m.Expr] = [] if where is None else list(conjuncts(where))
    if isinstance(set_, m.KindsIn):
        domain = getattr(set_.type, "domain", "")
        local = m.Local(slot=slot, name=name, type=Member(domain))
        count = m.CountIn(holder=set_.holder, member=local, type=Whole(0, 10_000))
        one = m.Const(value=1, type=Whole(1, 1))
        facts.append(m.Compare(op=">=", left=count, right=one, type=Truth()))
    return tuple(facts)


def _contrary(condition: m.Expr) -> Facts:
    """The facts of an `otherwise`: of `a or b` both fail, of `not a` it holds."""
    match condition:
        case m.Not(value=value):
            return tuple(conjuncts(value))
        case m.Or(parts=parts):
            return tuple(fact for part in parts for fact in _contrary(part))
        case m.Compare(op=op, left=left, right=right):
            other = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
            return (m.Compare(op=other[op], left=left, right=right, type=Truth()),)
    return ()


def _move(world: World, node: m.MoveCards, facts: Facts) -> None:
    source = node.source
    if source is None or node.up_to or not isinstance(source, m.FieldValue):
        return
    if world.fields[source.field].endless:
        return
    if isinstance(node.bag, m.SingleBag) and node.bag.member == source:
        return
    if any(entails(fact, source, node.bag) for fact in facts):
        return
    field = world.fields[source.field]
    raise mistake(
        "RB142",
        node.span,
        f"nothing makes sure that `{field.name}` has these cards",
        "write `move up to …`, or put it under an `if` or behind a `needs`",
        ((field.span, "declared here"),),
    )


def _fill(
    world: World, node: m.MoveCards | m.MoveAll | m.DrawCard, facts: Facts
) -> None:
    """See that a slot is free for the card that comes."""
    slot = node.destination
    if slot is None or not is_slot(world, slot):
        return
    for fact in facts:
        match fact:
            case m.Compare(op="=", left=left, right=m.Const(value=-1)) if left == slot:
                return
    assert isinstance(slot, m.FieldValue)
    field = world.fields[slot.field]
    raise mistake(
        "RB142",
        node.span,
        f"nothing makes sure that `{field.name}` is free for this card",
        f"put it behind a condition that says `{field.name} is none`",
        ((field.span, "declared here"),),
    )


def _write(world: World, node: m.SetField, facts: Facts) -> None:
    type_ = world.fields[node.field].type
    if not isinstance(type_, Whole):
        return
    found = interval(node.value, facts)
    if max(abs(found.low), abs(found.high)) > UNKNOWN:
        return
    if found.low < type_.low or found.high > type_.high:
        raise mistake(
            "RB145",
            node.span,
            f"this may become {found}, but `{world.fields[node.field].name}` holds "
            f"{type_}",
            "use `smaller of` or `larger of`, or put a condition before it",
            ((world.fields[node.field].span, "declared here"),),
        )


def interval(value: m.Expr, facts: Facts) -> Whole:
    """Return the least range in which a number surely lies, given the facts."""
    found = _computed(value, facts)
    for fact in facts:
        match fact:
            case m.Compare(op=op, left=left, right=right) if left == value:
                found = _narrowed(found, op, right.type)
    return found


def _computed(value: m.Expr, facts: Facts) -> Whole:
    assert isinstance(value.type, Whole)
    match value:
        case m.Arith(op=op, left=left, right=right):
            one, two = interval(left, facts), interval(right, facts)
            if op == "+":
                return Whole(one.low + two.low, one.high + two.high)
            if op == "-":
                return Whole(one.low - two.high, one.high - two.low)
            ends = [a * b for a in (one.low, one.high) for b in (two.low, two.high)]
            return Whole(min(ends), max(ends))
        case m.Extreme(smaller=smaller, left=left, right=right):
            one, two = interval(left, facts), interval(right, facts)
            pick = min if smaller else max
            return Whole(pick(one.low, two.low), pick(one.high, two.high))
    return value.type


def _narrowed(found: Whole, op: str, other: object) -> Whole:
    if not isinstance(other, Whole):
        return found
    low, high = found.low, found.high
    if op in ("<", "<="):
        high = min(high, other.high - (op == "<"))
    elif op in (">", ">="):
        low = max(low, other.low + (op == ">"))
    elif op == "=":
        low, high = max(low, other.low), min(high, other.high)
    return Whole(low, max(low, high))
