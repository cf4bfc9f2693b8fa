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
from rulebook.check.stock import check_set_up, left_of, of_set_up, runs_out
from rulebook.check.world import World, mistake
from rulebook.types import Bag, Member, Truth, Whole
from rulebook.walk import find, rewrite

LOOSE = (m.Sum, m.Count, m.CountIn, m.SizeOf, m.LongestTrail)
"""Expressions whose range says little of what they come to in a game."""

LOOPS = (m.Each, m.Together, m.Repeat)
TAKES = (m.MoveCards, m.PlacePiece)

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
        Walk(world).block(action.body, facts)
    set_up = of_set_up(world.model)
    for name, procedure in world.model.procedures.items():
        Walk(world, stock=name not in set_up).block(procedure.body, ())
        if name in set_up:
            check_set_up(world, procedure.body)
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


@attrs.frozen
class Walk:
    """The walk through a body; `stock`: whether what is placed may have run out."""

    world: World
    stock: bool = True

    def block(self, body: tuple[m.Stmt, ...], facts: Facts) -> None:
        """Report the effects of a block that can fail where these facts hold."""
        for node in body:
            with self.world.collecting():
                self.one(node, facts)
            self.inside(node, facts)
            facts = (*_left(facts, node), *_learnt(node))

    def one(self, node: m.Stmt, facts: Facts) -> None:
        """Report a statement that can fail itself."""
        match node:
            case m.MoveCards():
                _move(self.world, node, facts)
                _fill(self.world, node, facts)
            case m.MoveAll() | m.DrawCard():
                _fill(self.world, node, facts)
            case m.SetField():
                _write(self.world, node, facts)
            case m.PlacePiece() if self.stock:
                _place(self.world, node, facts)

    def inside(self, node: m.Stmt, facts: Facts) -> None:
        """Go into a statement, with what is known there."""
        match node:
            case m.If(condition=condition, body=body, otherwise=otherwise):
                self.block(body, (*facts, *conjuncts(condition)))
                self.block(otherwise, (*facts, *_contrary(condition)))
            case m.Each() | m.Together():
                bound = _bound(node.slot, node.name, node.set, node.where)
                self.block(node.body, (*_left(facts, node), *bound))
            case m.Repeat(body=body):
                self.block(body, _left(facts, node))
            case m.Choose(body=body, otherwise=otherwise):
                self.block(body, (*facts, *_learnt(node)))
                self.block(otherwise, facts)
            case m.Ask(body=body, otherwise=otherwise):
                self.block(body, facts)
                self.block(otherwise, facts)
            case m.Step(body=body):
                self.block(body, facts)


def _left(facts: Facts, node: m.Stmt) -> Facts:
    """What still holds after a statement, and each time that a loop comes round: cards
    that went are there no more, pieces that were placed are not left."""
    gone = [one for one in find(node, TAKES) if getattr(one, "source", one) is not None]
    left = [(fact, _lessened(fact, gone)) for fact in facts]
    if isinstance(node, LOOPS):
        return tuple(fact for fact, less in left if less is fact)
    return tuple(less for _, less in left if less is not None)


def _lessened(fact: m.Expr, gone: list[m.MoveCards | m.PlacePiece]) -> m.Expr | None:
    """What is left of a fact when things went: of a number, what is left of it."""
    for one in gone:
        number = _taken(fact, one)
        if number is None:
            return None
        if number:
            assert isinstance(fact, m.Compare) and isinstance(fact.right, m.Const)
            rest = fact.right.value - number
            if rest < 1:
                return None
            less = m.Const(value=rest, type=Whole(rest, rest))
            fact = attrs.evolve(fact, right=less)
    return fact


def _taken(fact: m.Expr, gone: m.MoveCards | m.PlacePiece) -> int | None:
    """How much is taken from what a fact counts; None: too much, or nobody knows."""
    match fact, gone:
        case m.Compare(left=m.PieceLeft(piece=piece), right=right), m.PlacePiece():
            same = piece == gone.piece
            return (1 if isinstance(right, m.Const) else None) if same else 0
        case _, m.MoveCards(source=source, bag=bag) if entails(fact, source, bag):
            match fact, bag:
                case (
                    m.Compare(right=m.Const()),
                    m.SingleBag(count=m.Const(value=number)),
                ):
                    return int(number)
            return None
    return 0


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
        case m.RemovePiece():
            one = m.Const(value=1, type=Whole(1, 1))
            left = left_of(node)
            return (m.Compare(op=">=", left=left, right=one, type=Truth()),)
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


def _place(world: World, node: m.PlacePiece, facts: Facts) -> None:
    if not runs_out(world, node.piece) or interval(left_of(node), facts).low > 0:
        return
    piece = world.pieces[node.piece]
    whose = "your " if piece.each_player else ""
    raise mistake(
        "RB142",
        node.span,
        f"nothing makes sure that one `{piece.name}` is left to place",
        f"put it under an `if` or behind a `needs`: `{whose}{piece.plural}_left > 0`",
        ((piece.span, "declared here"),),
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
    elif op == "!=" and other.low == other.high == low:
        low += 1
    return Whole(low, max(low, high))
