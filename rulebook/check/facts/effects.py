"""Check of effects that may fail at play time: unsafe moves, numbers out of range.

The check knows the facts that are true at each statement, but does not look into called
procedures. The interpreter asserts during play that accepted effects succeed.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulebook import model as m
from rulebook.addresses import LEFT_SUFFIX
from rulebook.check.declare.symbol_table import Mistake, SymbolTable, mistake
from rulebook.check.facts.fact_expansion import (
    SLOT_OFFSET,
    expand_facts,
    expand_named_values,
    found_value_facts,
    with_remaining_alternatives,
)
from rulebook.check.facts.flow_facts import (
    binder_facts,
    block_facts,
    facts_added,
    facts_after,
    split_cases,
)
from rulebook.check.facts.holdings import certainly_has
from rulebook.check.facts.loops import LoopAnalysis
from rulebook.check.facts.piece_positions import (
    ONE,
    certainly_exists,
    check_piece_effect,
)
from rulebook.check.facts.piece_supply import (
    check_set_up,
    may_run_out,
    setup_procedures,
)
from rulebook.check.facts.setup_deals import safe_setup_holders
from rulebook.check.facts.wording import (
    guard_help,
    has_cards_text,
    missing_value_error,
    possessive,
    rule_text,
    space_text,
)
from rulebook.check.typing.card_holders import is_slot
from rulebook.check.typing.ranges import Facts, range_given_facts
from rulebook.model.value_types import NONE, Member, Whole
from rulebook.signatures import (
    Block,
    CardTransfer,
    FieldPlace,
    PieceTransfer,
    effects_of,
)
from rulebook.source.source_text import text_at
from rulebook.source.spans import Span
from rulebook.traversal import find, rewrite

IMPRECISE_EXPRESSIONS = (
    *(m.SumOver, m.CountMembers, m.CountCombinations),
    *(m.CountIn, m.SizeOf, m.LongestTrail),
)
"""Classes of expressions whose computed range is usually wider than the real one."""

STILL_HELP = (
    "the members are found before the first round, but a round may change this "
    "for later members; `each … where still …:` tests each member in its turn"
)
#: Slot, in a rule's body, of the member for which the rule acts.
RULE_MEMBER_SLOT = 1

#: Bound beyond which a range counts as unknown.
UNKNOWN_BOUND = 5_000


def check_effects(world: SymbolTable) -> None:
    """Report every effect that may fail where it is written."""
    if world.model is None:
        return
    loops = LoopAnalysis(world.model)
    for action in world.model.actions.values():
        needs = tuple(need.condition for need in action.requirements)
        facts = tuple(part for need in needs for part in m.conjuncts(need))
        EffectChecker(world, loops).check_block(action.body, facts)
    set_up, dealt = setup_procedures(world.model), safe_setup_holders(world)
    rules = world.model.rules.values()
    known = {rule.procedure: _rule_facts(rule) for rule in rules}
    for name, procedure in world.model.procedures.items():
        if name not in set_up:
            EffectChecker(world, loops).check_block(procedure.body, known.get(name, ()))
        else:
            EffectChecker(
                world, loops, supply_may_be_empty=False, safe_holders=dealt
            ).check_block(procedure.body, ())
            check_set_up(world, procedure.body)
    for define in world.model.defines.values():
        _check_define(world, define)


def _rule_facts(rule: m.Rule) -> Facts:
    """Return the facts that are true when a rule starts to act: its condition.

    The condition's other variables get slots that the body does not use.
    """

    def change(node: Any) -> Any:
        slot = getattr(node, "slot", None)
        if not isinstance(slot, int) or slot == m.YOU:
            return node
        return attrs.evolve(
            node, slot=RULE_MEMBER_SLOT if slot == rule.slot else slot + SLOT_OFFSET
        )

    if rule.slot is None or rule.set is None:
        facts = tuple(m.conjuncts(rule.condition))
    else:
        facts = binder_facts(m.Binder(rule.slot, "", rule.set, rule.condition))
    return tuple(rewrite(fact, change) for fact in facts)


def _check_define(world: SymbolTable, define: m.Define) -> None:
    """Report lines of a definition whose value may be outside its declared range.

    Sums, counts and trails are accepted. Their computed range is usually far wider than
    the pieces and cards of the game allow.
    """
    if not isinstance(define.type, Whole) or define.adds:
        return
    assert world.model is not None
    facts: Facts = ()
    lines = expand_named_values(world.model.defines, define.lines)
    for written, line in zip(define.lines, lines, strict=True):
        line_facts = facts
        if line.condition is not None:
            line_facts = (*facts, *m.conjuncts(line.condition))
            facts = (*facts, *m.negated_conjuncts(line.condition))
        if any(find(line.value, IMPRECISE_EXPRESSIONS)):
            continue
        bounds = range_given_facts(line.value, line_facts)
        if max(abs(bounds.low), abs(bounds.high)) > UNKNOWN_BOUND:
            continue
        if bounds.low < define.type.low or bounds.high > define.type.high:
            with world.collect_errors():
                raise mistake(
                    "RB145",
                    written.value.span,
                    f"this may be {bounds}, but `{define.sentence}` is {define.type}",
                    "limit it with `smaller of` or `larger of`, add a condition, or "
                    "declare a wider range",
                    ((define.span, "declared here"),),
                )


@attrs.frozen
class EffectChecker:
    """Checker of the effects in one body.

    `supply_may_be_empty` is false in set-up. Holders in `safe_holders` have enough
    cards for set-up; slots in `safe_holders` get at most one card.
    """

    world: SymbolTable
    loops: LoopAnalysis
    supply_may_be_empty: bool = True
    safe_holders: frozenset[str] = frozenset()

    def check_block(
        self, body: tuple[m.Stmt, ...], facts: Facts, facts_before_loop: Facts = ()
    ) -> None:
        """Report the effects in a block that may fail, given the facts before it.

        `facts_before_loop` were true before the first round of a loop; later rounds
        may have changed them.
        """
        assert self.world.model is not None
        for case in split_cases(expand_facts(self.world.model.defines, facts)):
            self.check_case(body, case, facts_before_loop)

    def check_case(
        self, body: tuple[m.Stmt, ...], facts: Facts, facts_before_loop: Facts
    ) -> None:
        """Report the effects that may fail in one case of the facts (`split_cases`)."""
        assert self.world.model is not None
        defines = self.world.model.defines
        facts = with_remaining_alternatives(defines, expand_facts(defines, facts))
        wrong: Span | None = None
        for node in body:
            if node.span != wrong:  # one sentence can become several statements
                error_count = len(self.world.diagnostics)
                with self.world.collect_errors():
                    self.verify(node, facts, expand_facts(defines, facts_before_loop))
                wrong = node.span if len(self.world.diagnostics) > error_count else None
            self.check_inner_blocks(node, facts, facts_before_loop)
            new = expand_facts(defines, self.facts_added(node, facts))
            facts = (*self.facts_after(node, facts), *new)
            facts_before_loop = self.facts_after(node, facts_before_loop)

    def facts_added(self, node: m.Stmt, facts: Facts) -> Facts:
        """Return the facts that a statement adds."""
        return facts_added(self.world, node, facts)

    def facts_after(self, node: m.Stmt, facts: Facts) -> Facts:
        """Return the facts that are still true after a statement."""
        return self.loops.unchanged_facts(node, facts_after(self.world, facts, node))

    def verify(self, node: m.Stmt, facts: Facts, facts_before_loop: Facts) -> None:
        """Raise `Mistake` if a statement may fail; suggest `still` if that helps."""
        try:
            self.check_statement(node, facts)
        except Mistake as wrong:
            if not facts_before_loop or not self.certainly_succeeds(
                node, (*facts, *facts_before_loop)
            ):
                raise
            raise Mistake(attrs.evolve(wrong.diagnostic, help=STILL_HELP)) from None

    def certainly_succeeds(self, node: m.Stmt, facts: Facts) -> bool:
        """Return whether a statement certainly succeeds, given these facts."""
        try:
            self.check_statement(node, facts)
        except Mistake:
            return False
        return True

    def check_statement(self, node: m.Stmt, facts: Facts) -> None:
        """Raise `Mistake` if a statement itself (without inner blocks) may fail."""
        effects = effects_of(node)
        moved = effects.cards
        if moved is not None:
            if is_slot(self.world, moved.source) or not self.is_safe_setup_deal(
                moved.source
            ):
                _check_move(self.world, moved, facts)
            if not self.is_safe_setup_deal(moved.destination):
                _require_empty_slot(self.world, moved, facts)
        for write in effects.writes:
            if isinstance(write.place, FieldPlace) and write.value is not None:
                _check_write(
                    self.world, node.span, write.place.field, write.value, facts
                )
        if effects.pieces is not None:
            if effects.pieces.source is None and self.supply_may_be_empty:
                _check_placing(self.world, effects.pieces, facts)
            check_piece_effect(
                self.world, effects.pieces, facts, has_begun=self.supply_may_be_empty
            )

    def is_safe_setup_deal(self, holder: m.Expr | None) -> bool:
        """Return whether the deals of set-up are certainly safe for this holder."""
        return getattr(holder, "field", None) in self.safe_holders

    def check_inner_blocks(
        self, node: m.Stmt, facts: Facts, facts_before_loop: Facts
    ) -> None:
        """Check the blocks inside a statement, each with the facts known in it."""
        effects = effects_of(node)
        if effects.is_loop:
            facts = self.facts_after(node, facts)
            facts_before_loop = self.facts_after(node, facts_before_loop)
        for block in effects.blocks:
            new = block_facts(block)
            uncertain: Facts = ()
            if block is effects.member_loop:
                new, uncertain = self.round_facts(block)
                if self.tests_each_turn(node):
                    uncertain = ()
            alone = [(inner,) for inner in block.body]
            for part in alone if effects.is_all_or_nothing else [block.body]:
                error_count = len(self.world.diagnostics)
                self.check_block(part, (*facts, *new), (*facts_before_loop, *uncertain))
                if len(self.world.diagnostics) > error_count:
                    break

    def tests_each_turn(self, node: m.Stmt) -> bool:
        """Return whether a loop is written with `where still`."""
        header = text_at(self.world.texts, node.span).partition(":")[0]
        return "still" in header.split()

    def round_facts(self, loop: Block) -> tuple[Facts, Facts]:
        """Return the certain and the uncertain facts in an iteration of a loop.

        Uncertain facts were true when the members were found, but an earlier iteration
        may have changed them.
        """
        binder = loop.binder
        assert binder is not None
        facts = binder_facts(attrs.evolve(binder, where=None))
        changed = self.loops.changed_conditions(loop, facts)
        tested = () if binder.where is None else m.conjuncts(binder.where)
        return (*(fact for fact in facts if fact not in changed), *tested), changed


def _check_move(world: SymbolTable, transfer: CardTransfer, facts: Facts) -> None:
    source, bag = transfer.source, transfer.bag
    if bag is None or not transfer.is_exact or not m.is_field(source):
        return
    if world.fields[source.field].endless or transfer.card == source:
        return
    if certainly_has(facts, source, bag):
        return
    field = world.fields[source.field]
    test = has_cards_text(world, source, bag)
    raise mistake(
        "RB142",
        bag.span,
        f"`{field.name}` might not contain these cards",
        f"{guard_help(test, 'put it under an `if`')}, add a `needs` line, or write "
        "`up to` before the number",
        ((field.span, "declared here"),),
    )


def _check_placing(world: SymbolTable, transfer: PieceTransfer, facts: Facts) -> None:
    if not may_run_out(world, transfer) or _has_enough_pieces(transfer, facts):
        return
    piece = world.pieces[transfer.piece]
    several = transfer.count is not None
    least = f">= {rule_text(world, transfer.count) or 'NUMBER'}" if several else "> 0"
    left = f"{possessive(world, transfer.owner)}{piece.plural}{LEFT_SUFFIX} {least}"
    raise mistake(
        "RB142",
        transfer.span,
        f"there may be {'too few' if several else 'no'} `"
        f"{piece.plural if several else piece.name}` left to place",
        f"write `if {left}:` above it, or add a `needs` line",
        ((piece.span, "declared here"),),
    )


def _has_enough_pieces(transfer: PieceTransfer, facts: Facts) -> bool:
    """Return whether the supply certainly has enough pieces to place."""
    left = m.piece_left(transfer.piece, transfer.owner, transfer.span)
    wanted = transfer.count or ONE
    if range_given_facts(left, facts).low >= range_given_facts(wanted, facts).high:
        return True
    return range_given_facts(m.subtract(left, wanted, left.type), facts).low >= 0


def _require_empty_slot(
    world: SymbolTable, transfer: CardTransfer, facts: Facts
) -> None:
    """Raise `Mistake` if the destination is a slot that may already hold a card."""
    slot = transfer.destination
    if slot is None or not is_slot(world, slot):
        return
    for fact in facts:
        match fact:
            case m.Compare(op=m.Comparison.EQUAL, left=left, right=right) if (
                left == slot and m.is_none(right)
            ):
                return
    assert m.is_field(slot)
    field = world.fields[slot.field]
    raise mistake(
        "RB142",
        transfer.span,
        f"`{field.name}` may hold a card already, and a slot holds only one",
        f"write `if {space_text(world, slot)} is none:` above it, or add a `needs`",
        ((field.span, "declared here"),),
    )


def _check_write(
    world: SymbolTable, span: Span, key: str, value: m.Expr, facts: Facts
) -> None:
    field = world.fields[key]
    type_ = field.type
    if isinstance(type_, Member) and not type_.optional:
        assert world.model is not None
        known = (*facts, *found_value_facts(world.model.defines, value))
        if not certainly_exists(world, known, value):
            raise missing_value_error(world, value, field.name, field)
    if not isinstance(type_, Whole):
        return
    bounds = range_given_facts(value, facts)
    if max(abs(bounds.low), abs(bounds.high)) > UNKNOWN_BOUND:
        return
    if bounds.low < type_.low or bounds.high > type_.high:
        raise mistake(
            "RB145",
            span,
            f"this may become {_range_text(bounds, value)}, but "
            f"`{field.written_name}` holds {type_}",
            "limit it with `smaller of` or `larger of`, or write an `if` or a `needs` "
            "that rules this out",
            ((field.span, "declared here"),),
        )


def _range_text(bounds: Whole, value: m.Expr) -> str:
    """Return a range for a message, with the meaning of -1 in a column."""
    empty = isinstance(value, m.ColumnValue) and bounds.low == NONE
    return f"{bounds} ({NONE} means none)" if empty else str(bounds)
