"""Facts: conditions that hold where a statement stands, and what statements do to them.

Facts come from requirements, the conditions of `if` and of binders, and what a choice
was made from; a statement takes away what it changes and adds what it makes sure of.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulebook import model as m
from rulebook.check.declare.symbols import World
from rulebook.check.facts.plain import of_found
from rulebook.check.facts.preconditions import conjuncts, entails, reads, slots_bound
from rulebook.check.facts.standing import changed, known_after
from rulebook.check.facts.stock import left_of
from rulebook.check.typing.ranges import ZERO, Facts, interval, joined
from rulebook.model.types import NONE, Bag, Member, Truth, Type, Whole
from rulebook.walk import find, rewrite

LOOPS = (m.Each, m.Together, m.Repeat)
TAKES = (m.MoveCards, m.PlacePiece)
BRINGS = (m.MoveCards, m.MoveAll, m.DrawCard)


def left_after(world: World, facts: Facts, node: m.Stmt) -> Facts:
    """What still holds after a statement, and each time that a loop comes round: cards
    that went are there no more, pieces that were placed are not left, and of a field
    that was written, a slot to which a card came, or a space where pieces came or went,
    nothing is known."""
    again = isinstance(node, LOOPS)
    facts = tuple(fact for fact in facts if not changed(world, fact, node, again=again))
    gone = [
        taking
        for taking in find(node, TAKES)
        if getattr(taking, "source", taking) is not None
    ]
    written = {write.field for write in find(node, m.SetField)}
    facts = tuple(fact for fact in facts if not written & set(_fields(fact)))
    facts = tuple(fact for fact in facts if not _filled(fact, node))
    bound = set(slots_bound(node))
    facts = tuple(fact for fact in facts if not reads(fact, bound))
    left = [(fact, _lessened(fact, gone)) for fact in facts]
    if isinstance(node, LOOPS):
        return tuple(fact for fact, less in left if less is fact)
    return tuple(less for _, less in left if less is not None)


def _fields(fact: m.Expr) -> Iterator[str]:
    """The fields that a fact reads in so many words."""
    for read in find(fact, m.FieldValue):
        yield read.field


def _filled(fact: m.Expr, node: m.Stmt) -> bool:
    """Whether a card surely comes to a slot that a fact reads.

    Two slots that are called differently may be two; that they are, play must show.
    """
    slots = [
        bringing.destination
        for bringing in find(node, BRINGS)
        if bringing.destination is not None
        and isinstance(bringing.destination.type, Member)
    ]
    return any(read in slots for read in find(fact, m.FieldValue))


def _lessened(fact: m.Expr, gone: list[m.MoveCards | m.PlacePiece]) -> m.Expr | None:
    """What is left of a fact when things went: of a number, what is left of it."""
    for taking in gone:
        number = _taken(fact, taking)
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
            if piece != gone.piece:
                return 0
            return number_of(gone) if isinstance(right, m.Const) else None
        case _, m.MoveCards(source=source, bag=bag) if entails(fact, source, bag):
            match fact, bag:
                case (
                    m.Compare(right=m.Const()),
                    m.SingleBag(count=m.Const(value=number)),
                ):
                    return int(number)
            return None
    return 0


def number_of(node: m.PlacePiece | m.RemovePiece | m.MovePiece) -> int | None:
    """Return how many pieces come or go; None: nobody knows."""
    if node.count is None:
        return 1
    return int(node.count.value) if isinstance(node.count, m.Const) else None


def learnt(world: World, node: m.Stmt, facts: Facts) -> Facts:
    """What holds after a statement: a choice was made from what there is, a field has
    what was written."""
    match node:
        case m.SetField(field=field, owner=owner, value=value):
            if not isinstance(value.type, Whole):
                return ()
            here = m.FieldValue(field, owner, type=world.fields[field].type)
            bounds = interval(value, facts)
            if owner is not None and getattr(owner.type, "optional", False):
                bounds = joined(bounds, ZERO)  # of none nothing was written
            return _between(here, bounds)
        case m.Choose():
            return of_binder(node)
        case m.Gather(source=source, bag=bag, set=set_) if source is not None:
            domain = getattr(set_.type, "domain", "")
            local = m.Local(slot=bag, name="", type=Bag(domain or ""))
            return (m.Covers(holder=source, bag=local, type=Truth()),)
        case m.SetLocal(slot=slot, name=name, value=m.Find() as search):
            local = m.Local(slot=slot, name=name, type=search.type)
            there = (is_there(local),) if _is_found(search, facts) else ()
            facts = of_binder(search)
            return (*_renamed(facts, search.slot, slot, search.type), *there)
        case m.SetLocal(slot=slot, value=m.Only(set=m.Best() | m.Filter() as set_)):
            facts = of_binder(set_)
            return _renamed(facts, set_.slot, slot, node.value.type)
        case m.SetLocal(slot=slot, name=name, value=value):
            local = m.Local(slot=slot, name=name, type=value.type)
            assert world.model is not None
            known = (*facts, *of_found(world.model.defines, value))
            return (*_said_of(local, value, known), *_where(local, value))
        case m.RemovePiece():
            return (*_back(node), *known_after(world, node))
    return known_after(world, node)


def _back(node: m.RemovePiece) -> Facts:
    """That pieces which were removed are in the supply again."""
    number = number_of(node)
    if not number:
        return ()
    some = m.Const(value=number, type=Whole(number, number))
    return (
        m.Compare(
            op=m.Comparison.AT_LEAST, left=left_of(node), right=some, type=Truth()
        ),
    )


def _is_found(search: m.Find, facts: Facts) -> bool:
    """Whether a fact says that there is what is looked for."""
    return any(
        fact.set == search.set
        and (fact.where is None) == (search.where is None)
        and (search.where is None or _alike(fact, search))
        for fact in facts
        if isinstance(fact, m.Exists)
    )


def _alike(fact: m.Exists, search: m.Find) -> bool:
    """Whether two conditions ask the same of a member."""

    def apart(node: object) -> object:
        if isinstance(node, m.Local) and node.slot in (fact.slot, search.slot):
            return attrs.evolve(node, slot=-1, name="")
        return node

    return bool(rewrite(fact.where, apart) == rewrite(search.where, apart))


def is_there(value: m.Expr) -> m.Expr:
    """Return the fact that something is not none."""
    none = m.Const(value=NONE, type=value.type)
    return m.Compare(op=m.Comparison.UNEQUAL, left=value, right=none, type=Truth())


def _between(value: m.Expr, bounds: Whole) -> Facts:
    ends = (
        (m.Comparison.AT_LEAST, bounds.low),
        (m.Comparison.AT_MOST, bounds.high),
    )
    return tuple(
        m.Compare(
            op=op,
            left=value,
            right=m.Const(value=end, type=Whole(end, end)),
            type=Truth(),
        )
        for op, end in ends
    )


def _renamed(facts: Facts, bound_slot: int, slot: int, type_: Type) -> Facts:
    """What holds of a thing that was found: without one nothing is done.

    A `let` may be none; where an `if` has found one it is there, and never none.
    """
    types = [type_]
    if isinstance(type_, Member):
        types.append(Member(type_.domain))

    def called(type_: Type) -> Iterator[m.Expr]:
        def change(node: object) -> object:
            if isinstance(node, m.Local) and node.slot == bound_slot:
                return attrs.evolve(node, slot=slot, type=type_)
            return node

        return iter(rewrite(facts, change))

    return tuple(fact for kind in dict.fromkeys(types) for fact in called(kind))


def _said_of(local: m.Local, value: m.Expr, facts: Facts) -> Facts:
    """What holds of a variable: all that was known of the value that it has now."""

    def change(node: object) -> object:
        return local if node == value else node

    if isinstance(value, m.Const):
        return ()
    said = [(fact, rewrite(fact, change)) for fact in facts]
    return tuple(new for fact, new in said if new != fact)


def _where(local: m.Local, value: m.Expr) -> Facts:
    """What holds of a variable for where a piece stands."""
    if not isinstance(value, m.PieceSpace):
        return ()
    return (m.Compare(op=m.Comparison.EQUAL, left=local, right=value, type=Truth()),)


def of_binder(binder: m.Binder) -> Facts:
    """What holds of what a binder stands for: its condition, and that it is there."""
    slot, name, set_ = binder.slot, binder.name, binder.set
    facts = [] if binder.where is None else list(conjuncts(binder.where))
    if isinstance(set_, m.Filter | m.Best | m.Sorted) and set_.slot == slot:
        inner = m.Binder(slot, name, set_.set, set_.where)
        return (*facts, *of_binder(inner))
    if isinstance(set_, m.PieceSpaces):
        here = m.Local(slot=slot, name=name, type=Member(set_.domain))
        facts.append(m.PieceOn(set_.piece, set_.owner, here, type=Truth()))
    if isinstance(set_, m.KindsIn):
        domain = getattr(set_.type, "domain", "")
        local = m.Local(slot=slot, name=name, type=Member(domain))
        count = m.CountIn(holder=set_.holder, member=local, type=Whole(0, 10_000))
        const_1 = m.Const(value=1, type=Whole(1, 1))
        facts.append(
            m.Compare(op=m.Comparison.AT_LEAST, left=count, right=const_1, type=Truth())
        )
    return tuple(facts)


def contrary(condition: m.Expr) -> Facts:
    """The facts of an `otherwise`: of `a or b` both fail, of `not a` it holds."""
    match condition:
        case m.Not(value=value):
            return tuple(conjuncts(value))
        case m.Or(parts=parts):
            return tuple(fact for part in parts for fact in contrary(part))
        case m.Compare(op=op):
            return (attrs.evolve(condition, op=op.contrary),)
    return (m.Not(value=condition, type=Truth(), span=condition.span),)
