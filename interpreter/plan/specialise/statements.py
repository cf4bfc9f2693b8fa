"""Specialisation of statements for a game with known players and options.

Text for people, names in positions and the analysis of secrets use the statements of
the book. Each specialised statement is therefore mapped to its original. A statement
that may wait keeps its form, its place and its variables; only the unreachable branch
of an `if` is removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from interpreter.plan.specialise.deals import split_condition
from interpreter.plan.specialise.expressions import (
    MAX_UNROLLED_MEMBERS,
    MAX_UNROLLED_SIZE,
    Member,
    Specialiser,
    Substitutions,
)
from interpreter.plan.specialise.rewrites import Rewrite
from interpreter.plan.specialise.terms import Blocks, BudgetBlock, rebuild, size
from interpreter.plan.waiting import ImmediateCode
from rulebook import model as m
from rulebook import tooling


class StatementSpecialiser:
    """Specialiser of the statements of a book for one game.

    `origins` maps the identity of each specialised statement to the statement itself
    (to keep it alive) and its original in the book.
    """

    def __init__(self, specialiser: Specialiser, immediate_code: ImmediateCode) -> None:
        self.special = specialiser
        self.immediate_code = immediate_code
        self.on = specialiser.rewrites
        self.origins: dict[int, tuple[Any, Any]] = {}

    def original(self, statement: Any) -> Any:
        """Return the statement of the book from which a statement was specialised."""
        origin = self.origins.get(id(statement))
        return statement if origin is None else origin[1]

    def specialise_body(self, block: Iterable[Any]) -> tuple[Any, ...]:
        """Return the specialised form of a block of the book."""
        block = tuple(block)
        return self.specialise_block(block, {}) if self.on else block

    def specialise_block(
        self, block: tuple[Any, ...], values: Substitutions
    ) -> tuple[Any, ...]:
        """Return a block with variables replaced, or the same block if unchanged."""
        ready = tuple(
            [self.specialise_statement(statement, values) for statement in block]
        )
        same = all(a is b for a, b in zip(block, ready, strict=True))
        return block if same else ready

    def specialise_statement(self, node: Any, values: Substitutions) -> Any:
        """Return a specialised copy of a statement with its variables replaced."""
        handler = REWRITERS.get(type(node))
        ready = None if handler is None else handler(self, node, values)
        if ready is None:
            ready = rebuild(node, lambda part, _: self.specialise_part(part, values))
        if ready is not node:
            self.origins[id(ready)] = (ready, node)
        return ready

    def specialise_part(self, part: Any, values: Substitutions) -> Any:
        """Return the specialised form of a part of a statement."""
        if isinstance(part, m.Typed):
            return self.special.specialise(part, values)
        if isinstance(part, m.Offer | m.Ranking | m.RankMeasure):
            return rebuild(part, lambda inner, _: self.specialise_part(inner, values))
        return self.specialise_statement(part, values)

    # ------------------------------------------------------------ loops

    def unroll(self, blocks: list[BudgetBlock], node: Any) -> Blocks | None:
        """Return a loop written out as these blocks, or None if it is too long."""
        room = MAX_UNROLLED_SIZE
        for block in blocks:
            room -= size(block, room)
            if room < 0:
                return None
        return Blocks(tuple(blocks), span=node.span)

    def can_unroll(self, node: m.EachMember | m.Repeat) -> bool:
        """Return whether a loop can be unrolled.

        It must never wait and contain no `Require` statement.
        """
        if (
            Rewrite.ROUNDS not in self.on
            or not self.immediate_code.is_immediate_statement(node)
        ):
            return False
        return not any(True for _ in tooling.find(node.body, m.Require))


# ---------------------------------------------------------------- rewrites by class

Handler = Callable[[StatementSpecialiser, Any, Substitutions], Any]


def _if(t: StatementSpecialiser, node: m.IfElse, values: Substitutions) -> Any:
    """Return the branch of an `if` that is always taken, or None if there is none."""
    if Rewrite.BRANCH not in t.on:
        return None
    condition = t.special.specialise(node.condition, values)
    if not m.is_constant(condition):
        return None
    side = t.specialise_block(node.body if condition.value else node.otherwise, values)
    return Blocks((BudgetBlock(side),) if side else (), span=node.span)


def _each(t: StatementSpecialiser, node: m.EachMember, values: Substitutions) -> Any:
    """Return the unrolled loop over a few members, or None if it cannot be unrolled."""
    if not t.can_unroll(node):
        return None
    members = t.special.members(t.special.specialise(node.set, values))
    if members is None or len(members) > MAX_UNROLLED_MEMBERS:
        return None
    blocks: list[BudgetBlock] = []
    for member in members:
        own: Substitutions = {**values, node.slot: Member(member)}
        condition = (
            None if node.where is None else t.special.specialise(node.where, own)
        )
        if condition is not None and m.is_truth(condition, False):
            continue
        if condition is not None and m.is_truth(condition, True):
            condition = None
        blocks.append(BudgetBlock(t.specialise_block(node.body, own), condition))
    return t.unroll(blocks, node)


def _repeat(t: StatementSpecialiser, node: m.Repeat, values: Substitutions) -> Any:
    """Return the unrolled loop of a few rounds, or None if it cannot be unrolled."""
    if node.until is not None or not t.can_unroll(node):
        return None
    times = t.special.specialise(node.times, values)
    if not m.is_constant(times) or times.value > MAX_UNROLLED_MEMBERS:
        return None
    block = BudgetBlock(t.specialise_block(node.body, values), again=True)
    return t.unroll([block] * times.value, node)


def _spread(t: StatementSpecialiser, node: m.Spread, values: Substitutions) -> Any:
    """Return a deal with each of its tests specialised."""
    members = t.special.specialise(node.set, values)
    if node.condition is not None:
        forms = split_condition(t.special.facts, node)
        ready = [
            attrs.evolve(form, never=t.special.specialise(form.never, values))
            for form in forms.forms
        ]
        return attrs.evolve(
            node, set=members, condition=attrs.evolve(forms, forms=tuple(ready))
        )
    return node if members is node.set else attrs.evolve(node, set=members)


REWRITERS: dict[type, Handler] = {
    m.IfElse: _if,
    m.EachMember: _each,
    m.Repeat: _repeat,
    m.Spread: _spread,
}
"""Rewriting functions by class of statement; their parts are specialised separately."""
