"""Analysis of the deals in set-up that are safe without an `if`.

All cards that set-up can take from a holder, or put into a slot, are counted. A loop
counts as often as it can run. A deal is safe if the holder starts with all cards that
set-up takes, or if an empty slot gets at most one card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import prod

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.check.facts.fact_expansion import expand_facts
from rulebook.check.facts.flow_facts import block_facts
from rulebook.check.facts.holdings import surely_differ
from rulebook.check.facts.piece_supply import SETUP
from rulebook.check.typing.card_holders import is_slot
from rulebook.check.typing.ranges import Facts, range_given_facts
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Whole
from rulebook.queries.calls import (
    Graph,
    body_of,
    call_graph,
    callees_first,
    code_names,
)
from rulebook.signatures import Block, CardTransfer, effects_of
from rulebook.source.diagnostics import has_errors
from rulebook.traversal import rewrite, walk


@attrs.frozen
class EnclosingBlock:
    """Block around a statement: maximum number of runs, loop slot and conditions."""

    times: int = 1
    slot: int | None = None
    conditions: Facts = ()


PREGAME = (m.Compare, m.Const, m.OptionValue, m.PlayerCount, m.Arith)
"""Classes of expressions whose values are known before the game."""

Rounds = tuple[EnclosingBlock, ...]

ANY = -1

CardCounts = dict[str, Counter[int]]
"""Counts of cards taken, by field and card; for slots, of cards put in, by owner.

Cards and owners are indices; an unknown card or owner is `ANY`.
"""


def safe_setup_holders(world: SymbolTable) -> frozenset[str]:
    """Return the field keys of the holders and slots for which all deals are safe.

    If the rules have errors, nothing is known, since code may then call itself; all
    holders then count as safe, so that no error follows from another one.
    """
    assert world.model is not None
    if has_errors(world.diagnostics):
        return frozenset(world.model.fields)
    if SETUP not in world.model.procedures:
        return frozenset()
    graph = call_graph(world.model, world.code.values())
    taken: dict[str, CardCounts] = {}
    for name in callees_first(_reachable_graph(graph, SETUP)):
        unit = _CardCounter(world, taken)
        unit.count_block(body_of(world.model, name), ())
        taken[name] = unit.cards
    return frozenset(
        key
        for key, cards in taken[SETUP].items()
        if _has_enough_cards(world, key, cards)
    )


def _reachable_graph(graph: Graph, start: str) -> Graph:
    """Return the part of a call graph that can be reached from *start*."""
    reachable = {start: graph[start]}
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()]:
            if name not in reachable:
                reachable[name] = graph[name]
                waiting.append(name)
    return reachable


def _has_enough_cards(world: SymbolTable, key: str, cards: Counter[int]) -> bool:
    """Return whether a holder starts with these cards, or a slot has room for them."""
    field = world.fields[key]
    if isinstance(field.type, Member):
        empty = field.start is None or (m.is_none(field.start))
        each = (number for owner, number in cards.items() if owner != ANY)
        return empty and max(each, default=0) + cards[ANY] <= 1
    if not isinstance(field.type, Bag | Stack):
        return False
    more = cards[ANY]
    return all(
        cards[card] + more <= number
        for card, number in enumerate(
            _initial_minimums(world, field, field.type.domain)
        )
    )


def _initial_minimums(world: SymbolTable, field: m.Field, domain: str) -> Iterator[int]:
    """Yield the minimum number of each card of a domain in a holder at the start."""
    for card in range(world.member_count(domain)):
        if field.start_every:
            copies = world.domains[domain].copies
            yield _pregame_minimum(copies[card]) if copies else 1
        elif field.start_each is not None:
            yield _pregame_minimum(field.start_each)
        elif m.is_constant(field.start):
            yield field.start.value[card]
        else:
            yield 0


def _pregame_minimum(value: m.Expr) -> int:
    return (
        max(0, range_given_facts(value, ()).low) if isinstance(value.type, Whole) else 0
    )


def _may_be_true(op: m.Comparison, left: Whole, right: Whole) -> bool:
    """Return whether a comparison may be true of numbers in these ranges."""
    match op:
        case m.Comparison.LESS:
            return left.low < right.high
        case m.Comparison.AT_MOST:
            return left.low <= right.high
        case m.Comparison.MORE | m.Comparison.AT_LEAST:
            return _may_be_true(op.mirrored, right, left)
        case m.Comparison.EQUAL:
            return left.low <= right.high and right.low <= left.high
    return not left.low == left.high == right.low == right.high


class _CardCounter:
    """Counter of the cards that set-up takes from holders and puts into slots."""

    def __init__(
        self, world: SymbolTable, counts_by_code: Mapping[str, CardCounts]
    ) -> None:
        self.world = world
        self.called = counts_by_code
        self.cards: CardCounts = {}

    def count_block(self, body: tuple[m.Stmt, ...], rounds: Rounds) -> None:
        """Count the cards that a block moves."""
        for node in body:
            self.count_statement(node, rounds)

    def count_statement(self, node: m.Stmt, rounds: Rounds) -> None:
        """Count the cards that a statement moves."""
        effects = effects_of(node)
        if effects.cards is not None:
            self.count_move(effects.cards, rounds)
        for place in effects.overwritten_fields:
            self.cards.setdefault(place.field, Counter())[ANY] += NUMBER_MAX
        assert self.world.model is not None
        for run in effects.runs:
            for name in code_names(self.world.model, (run,)):
                self.count_call(name, rounds, NUMBER_MAX if run.repeats else 1)
        for block in effects.blocks:
            self.count_block(block.body, (*rounds, self.enclosing_block(block)))

    def enclosing_block(self, block: Block) -> EnclosingBlock:
        """Return a block's maximum number of runs, its loop slot and its conditions."""
        assert self.world.model is not None
        conditions = expand_facts(self.world.model.defines, block_facts(block))
        if block.times is not None:
            times = range_given_facts(block.times, ()).high
            return EnclosingBlock(times, conditions=conditions)
        if block.binder is None or not block.loop:
            return EnclosingBlock(conditions=conditions)
        members = self.max_members(block.binder.set)
        return EnclosingBlock(members, block.binder.slot, conditions)

    def count_call(self, name: str, rounds: Rounds, repeats: int = 1) -> None:
        """Count the cards that called code moves, once for each time that it runs."""
        times = repeats * prod(round_.times for round_ in rounds)
        for key, cards in self.called.get(name, {}).items():
            counts = self.cards.setdefault(key, Counter())
            for card, number in cards.items():
                counts[card] += number * times

    def count_move(self, transfer: CardTransfer, rounds: Rounds) -> None:
        """Count the cards that a move takes from its source or puts into a slot."""
        slot, source = transfer.destination, transfer.source
        if m.is_field(slot) and is_slot(self.world, slot):
            owner = slot.owner.value if m.is_constant(slot.owner) else ANY
            self.add_cards(slot, owner if slot.owner is not None else 0, 1, rounds)
        if not m.is_field(source) or is_slot(self.world, source):
            return
        if transfer.maximum is not None:
            self.add_cards(source, ANY, transfer.maximum, rounds)
            return
        match transfer.bag:
            case m.SingleBag(member=m.Const(value=card), count=count):
                self.add_cards(source, card, range_given_facts(count, ()).high, rounds)
            case m.SingleBag(member=m.Local(slot=looped) as member, count=count) if any(
                looped == round_.slot for round_ in rounds
            ):
                each = tuple(round_ for round_ in rounds if round_.slot != looped)
                for card in self.possible_cards(member, rounds):
                    self.add_cards(
                        source, card, range_given_facts(count, ()).high, each
                    )
            case m.SingleBag(count=count):
                self.add_cards(source, ANY, range_given_facts(count, ()).high, rounds)
            case m.Const(value=tuple() as cards):
                for card, number in enumerate(cards):
                    self.add_cards(source, card, number, rounds)
            case _:
                self.add_cards(source, ANY, NUMBER_MAX, ())

    def possible_cards(self, member: m.Local, rounds: Rounds) -> Iterator[int]:
        """Yield the indices of the cards that a loop variable may be in *rounds*."""
        assert isinstance(member.type, Member)
        known = tuple(fact for round_ in rounds for fact in round_.conditions)
        for number in range(self.world.member_count(member.type.domain)):
            card = m.Const(value=number, type=member.type)
            excluded = any(self.is_false_for(fact, member, card) for fact in known)
            if not excluded and not surely_differ(member, card, known):
                yield number

    def is_false_for(self, fact: m.Expr, member: m.Local, card: m.Const) -> bool:
        """Return whether a comparison of attributes is false for a card."""

        def insert(node: object) -> object:
            if m.is_variable(node, member.slot):
                return card
            if isinstance(node, m.ColumnValue) and m.is_constant(node.of):
                column = self.world.domains[node.domain].columns.get(node.column)
                if column is not None and isinstance(node.type, Whole):
                    return m.number(column.values[node.of.value])
            return node

        test = rewrite(fact, insert)
        if not m.is_comparison(test) or not isinstance(test.left.type, Whole):
            return False
        if not all(isinstance(node, PREGAME) for node in walk(test)):
            return False
        left, right = (range_given_facts(x, ()) for x in (test.left, test.right))
        return not _may_be_true(test.op, left, right)

    def add_cards(
        self, holder: m.FieldValue, card: int, number: int, rounds: Rounds
    ) -> None:
        """Count *number* more cards for each run of the enclosing blocks *rounds*."""
        owner = holder.owner.slot if m.is_variable(holder.owner) else None
        times = prod(
            round_.times
            for round_ in rounds
            if round_.slot is None or round_.slot != owner
        )
        counts = self.cards.setdefault(holder.field, Counter())
        counts[card] += max(0, number) * times

    def max_members(self, value: m.Expr) -> int:
        """Return the maximum number of members of a set."""
        domain = value.type.domain if isinstance(value.type, SetOf) else None
        return self.world.member_count(domain) if domain else NUMBER_MAX
