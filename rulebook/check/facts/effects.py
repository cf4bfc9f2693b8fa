"""Check of effects that may fail at play time: unsafe moves, numbers out of range.

The check follows the facts that are true at each statement. It does not look into
called procedures; the interpreter asserts the effects that this check accepts.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.declare.symbols import Mistake, World, mistake
from rulebook.check.facts.flow_facts import (
    cases,
    contrary,
    learnt,
    left_after,
    of_binder,
)
from rulebook.check.facts.holdings import has
from rulebook.check.facts.loops import Loops
from rulebook.check.facts.piece_positions import ONE, check_handled, exists
from rulebook.check.facts.piece_supply import check_set_up, left_of, of_set_up, runs_out
from rulebook.check.facts.plain_conditions import APART, of_found, plain
from rulebook.check.facts.preconditions import conjuncts
from rulebook.check.facts.setup_deals import enough_for_set_up
from rulebook.check.facts.wording import (
    has_cards,
    lacks_a_value,
    possessive,
    spelled,
    under,
)
from rulebook.check.typing.places import is_slot
from rulebook.check.typing.ranges import Facts, interval
from rulebook.model.types import Member, Whole
from rulebook.source.spans import Span
from rulebook.traversal import find, rewrite

LOOSE = (m.Sum, m.Count, m.CountIn, m.SizeOf, m.LongestTrail)
"""Expressions whose computed range is much wider than their actual values."""

IN_TURN = (
    "the members are found before the first round, but a round may change this "
    "for later members; `each … where still …:` tests each member in its turn"
)
#: Slot, in a rule's body, of the member for which the rule acts.
MEMBER = 1

#: Bound beyond which a range counts as unknown.
UNKNOWN = 5_000


def check_effects(world: World) -> None:
    """Report every effect that may fail where it is written."""
    if world.model is None:
        return
    loops = Loops(world.model)
    for action in world.model.actions.values():
        needs = tuple(need.condition for need in action.requirements)
        facts = tuple(part for need in needs for part in conjuncts(need))
        Walk(world, loops).block(action.body, facts)
    set_up, dealt = of_set_up(world.model), enough_for_set_up(world)
    rules = world.model.rules.values()
    known = {rule.procedure: _when_it_acts(rule) for rule in rules}
    for name, procedure in world.model.procedures.items():
        if name not in set_up:
            Walk(world, loops).block(procedure.body, known.get(name, ()))
        else:
            Walk(world, loops, stock=False, dealt=dealt).block(procedure.body, ())
            check_set_up(world, procedure.body)
    for define in world.model.defines.values():
        _define(world, define)


def _when_it_acts(rule: m.Rule) -> Facts:
    """Return the facts when a rule starts to act: its condition, for its member.

    Other variables of the condition get slots that the body does not use.
    """

    def change(node: Any) -> Any:
        slot = getattr(node, "slot", None)
        if not isinstance(slot, int) or slot == m.YOU:
            return node
        return attrs.evolve(node, slot=MEMBER if slot == rule.slot else slot + APART)

    if rule.slot is None or rule.set is None:
        facts = tuple(conjuncts(rule.condition))
    else:
        facts = of_binder(m.Binder(rule.slot, "", rule.set, rule.condition))
    return tuple(rewrite(fact, change) for fact in facts)


def _define(world: World, define: m.Define) -> None:
    """Report lines of a definition whose value may be outside its declared range.

    Sums, counts and trails are accepted. Their computed range is usually far wider than
    the pieces and cards of the game allow.
    """
    if not isinstance(define.type, Whole) or define.adds:
        return
    facts: Facts = ()
    for line in define.lines:
        here = facts
        if line.condition is not None:
            here = (*facts, *conjuncts(line.condition))
            facts = (*facts, *contrary(line.condition))
        if any(find(line.value, LOOSE)):
            continue
        bounds = interval(line.value, here)
        if max(abs(bounds.low), abs(bounds.high)) > UNKNOWN:
            continue
        if bounds.low < define.type.low or bounds.high > define.type.high:
            with world.collecting():
                raise mistake(
                    "RB145",
                    line.value.span,
                    f"this may be {bounds}, but `{define.sentence}` is {define.type}",
                    "limit it with `smaller of` or `larger of`, add a condition, or "
                    "declare a wider range",
                    ((define.span, "declared here"),),
                )


@attrs.frozen
class Walk:
    """Checker of the effects in one body.

    With `stock`, the supply of placed pieces may be empty. Holders in `dealt` have
    enough cards for set-up; slots in `dealt` get at most one card.
    """

    world: World
    loops: Loops
    stock: bool = True
    dealt: frozenset[str] = frozenset()

    def block(self, body: tuple[m.Stmt, ...], facts: Facts, before: Facts = ()) -> None:
        """Report the effects of a block that may fail, given the facts before it.

        The facts in `before` were true before the first round of a loop; later rounds
        may have changed them.
        """
        assert self.world.model is not None
        for case in cases(plain(self.world.model.defines, facts)):
            self.lines(body, case, before)

    def lines(self, body: tuple[m.Stmt, ...], facts: Facts, before: Facts) -> None:
        """Report the effects of statements that may fail, for one case of the facts."""
        assert self.world.model is not None
        defines = self.world.model.defines
        facts = plain(defines, facts)
        wrong: Span | None = None
        for node in body:
            if node.span != wrong:  # a sentence may be several statements
                told = len(self.world.diagnostics)
                with self.world.collecting():
                    self.tell(node, facts, plain(defines, before))
                wrong = node.span if len(self.world.diagnostics) > told else None
            self.inside(node, facts, before)
            new = plain(defines, learnt(self.world, node, facts))
            facts = (*self.after(node, facts), *new)
            before = self.after(node, before)

    def after(self, node: m.Stmt, facts: Facts) -> Facts:
        """Return the facts that are still true after a statement."""
        return self.loops.unchanged(node, left_after(self.world, facts, node))

    def tell(self, node: m.Stmt, facts: Facts, before: Facts) -> None:
        """Report a statement that may fail; the help suggests `still` if that helps."""
        try:
            self.statement(node, facts)
        except Mistake as wrong:
            if not before or not self.holds(node, (*facts, *before)):
                raise
            raise Mistake(attrs.evolve(wrong.diagnostic, help=IN_TURN)) from None

    def holds(self, node: m.Stmt, facts: Facts) -> bool:
        """Return whether a statement certainly succeeds, given these facts."""
        try:
            self.statement(node, facts)
        except Mistake:
            return False
        return True

    def statement(self, node: m.Stmt, facts: Facts) -> None:
        """Raise `Mistake` if a statement itself (without inner blocks) may fail."""
        match node:
            case m.MoveCards():
                if is_slot(self.world, node.source) or not self.deals(node.source):
                    _move(self.world, node, facts)
                self.fill(node, facts)
            case m.MoveAll() | m.DrawCard():
                self.fill(node, facts)
            case m.SetField():
                _write(self.world, node, facts)
            case m.PlacePiece() | m.RemovePiece() | m.MovePiece():
                if isinstance(node, m.PlacePiece) and self.stock:
                    _place(self.world, node, facts)
                check_handled(self.world, node, facts, begun=self.stock)

    def deals(self, holder: m.Expr | None) -> bool:
        """Return whether the deals of set-up are certainly safe for this holder."""
        return getattr(holder, "field", None) in self.dealt

    def fill(self, node: m.MoveCards | m.MoveAll | m.DrawCard, facts: Facts) -> None:
        """Raise `Mistake` if a card may be moved to an occupied slot."""
        if not self.deals(node.destination):
            _fill(self.world, node, facts)

    def inside(self, node: m.Stmt, facts: Facts, before: Facts) -> None:
        """Check the blocks inside a statement, each with the facts known in it."""
        match node:
            case m.If(condition=condition, body=body, otherwise=otherwise):
                self.block(body, (*facts, *conjuncts(condition)), before)
                self.block(otherwise, (*facts, *contrary(condition)), before)
            case m.Each() | m.Together() | m.Repeat():
                facts = self.after(node, facts)
                before = self.after(node, before)
                self.round(node, facts, before)
            case m.Choose(body=body, otherwise=otherwise):
                self.block(body, (*facts, *learnt(self.world, node, facts)), before)
                self.block(otherwise, facts, before)
            case m.Ask(body=body, otherwise=otherwise):
                self.block(body, facts, before)
                self.block(otherwise, facts, before)
            case m.Step(body=body):
                self.block(body, facts, before)

    def round(
        self, node: m.Each | m.Together | m.Repeat, facts: Facts, before: Facts
    ) -> None:
        """Check the body of a loop, with the facts known in every round."""
        match node:
            case m.Repeat(until=until):
                new_facts = () if until is None else contrary(until)
            case m.Together():
                new_facts = of_binder(node)
            case m.Each(where=where):
                new_facts = of_binder(attrs.evolve(node, where=None))
                gone = self.loops.changed(node, new_facts)
                asked = () if where is None else tuple(conjuncts(where))
                new_facts = (*(fact for fact in new_facts if fact not in gone), *asked)
                before = (*before, *gone)
        self.block(node.body, (*facts, *new_facts), before)


def _move(world: World, node: m.MoveCards, facts: Facts) -> None:
    source = node.source
    if source is None or node.up_to or not isinstance(source, m.FieldValue):
        return
    if world.fields[source.field].endless:
        return
    if isinstance(node.bag, m.SingleBag) and node.bag.member == source:
        return
    if has(facts, source, node.bag):
        return
    field = world.fields[source.field]
    raise mistake(
        "RB142",
        node.bag.span,
        f"`{field.name}` may not have these cards",
        f"{under(has_cards(world, source, node.bag), 'put it under an `if`')}, add a "
        "`needs`, or write `up to` before the number",
        ((field.span, "declared here"),),
    )


def _place(world: World, node: m.PlacePiece, facts: Facts) -> None:
    if not runs_out(world, node) or _left(node, facts):
        return
    piece = world.pieces[node.piece]
    several = node.count is not None
    least = f">= {spelled(world, node.count) or 'NUMBER'}" if several else "> 0"
    left = f"{possessive(world, node.owner)}{piece.plural}_left {least}"
    raise mistake(
        "RB142",
        node.span,
        f"there may be {'too few' if several else 'no'} `"
        f"{piece.plural if several else piece.name}` left to place",
        f"write `if {left}:` above it, or add a `needs`",
        ((piece.span, "declared here"),),
    )


def _left(node: m.PlacePiece, facts: Facts) -> bool:
    """Return whether the supply certainly has enough pieces to place."""
    left, wanted = left_of(node), node.count or ONE
    if interval(left, facts).low >= interval(wanted, facts).high:
        return True
    rest = m.Arith(op=m.Reckoning.MINUS, left=left, right=wanted, type=left.type)
    return interval(rest, facts).low >= 0


def _fill(
    world: World, node: m.MoveCards | m.MoveAll | m.DrawCard, facts: Facts
) -> None:
    """Raise `Mistake` if the destination is a slot that may already hold a card."""
    slot = node.destination
    if slot is None or not is_slot(world, slot):
        return
    for fact in facts:
        match fact:
            case m.Compare(
                op=m.Comparison.EQUAL, left=left, right=m.Const(value=-1)
            ) if left == slot:
                return
    assert isinstance(slot, m.FieldValue)
    field = world.fields[slot.field]
    raise mistake(
        "RB142",
        node.span,
        f"`{field.name}` may hold a card already, and a slot holds only one",
        f"write `if {spelled(world, slot) or field.name} is none:` above it, or add a "
        "`needs`",
        ((field.span, "declared here"),),
    )


def _write(world: World, node: m.SetField, facts: Facts) -> None:
    field = world.fields[node.field]
    type_ = field.type
    if isinstance(type_, Member) and not type_.optional:
        assert world.model is not None
        known = (*facts, *of_found(world.model.defines, node.value))
        if not exists(world, known, node.value):
            raise lacks_a_value(world, node.value, field.name, field)
    if not isinstance(type_, Whole):
        return
    bounds = interval(node.value, facts)
    if max(abs(bounds.low), abs(bounds.high)) > UNKNOWN:
        return
    if bounds.low < type_.low or bounds.high > type_.high:
        raise mistake(
            "RB145",
            node.span,
            f"this may become {bounds}, but `{field.name}` holds {type_}",
            "limit it with `smaller of` or `larger of`, or write an `if` or a `needs` "
            "that rules this out",
            ((field.span, "declared here"),),
        )
