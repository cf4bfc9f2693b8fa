"""Invariants that read hidden fields, as conditions that are true in every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulebook import model as m
from rulebook import tooling
from rulebook.secrecy import HiddenReadFinder
from rulebook.signatures import (
    Block,
    Failure,
    VariablePlace,
    Write,
    direct_parts,
    effects_of,
    effects_within,
)


class InexpressibleStatement(Exception):
    """Raised for a statement that cannot be expressed as a condition."""


def conditions(model: m.Model) -> tuple[m.Expr, ...]:
    """Return the conditions of the invariants that read hidden fields.

    Invariants that use a tally, change a variable or contain a `repeat` are omitted.
    """
    reader = HiddenReadFinder(model)
    restrictions: list[m.Expr] = []
    for invariant in model.invariants:
        if any(reader.hidden_reads(invariant.body)):
            try:
                parts = [*conjuncts(invariant.body)]
            except InexpressibleStatement:
                continue
            restrictions += [part for part in parts if any(reader.hidden_reads(part))]
    return tuple(restrictions)


def conjuncts(body: Sequence[m.Stmt]) -> Iterator[m.Expr]:
    """Yield conditions whose conjunction is equivalent to the statements."""
    for place, statement in enumerate(body):
        effects = effects_of(statement)
        match effects.writes:
            case [Write(VariablePlace(slot, ()), value)] if value is not None:
                yield from conjuncts(substitute_let(body[place + 1 :], slot, value))
                return
            case [_, *_]:
                raise InexpressibleStatement
        if Failure.UNTRUE in effects.failures:
            yield from direct_parts(statement)
        elif effects.blocks and not effects.may_wait:
            for block in effects.blocks:
                for part in conjuncts(block.body):
                    yield lift_condition(block, part)
        else:
            raise InexpressibleStatement


def lift_condition(block: Block, condition: m.Expr) -> m.Expr:
    """Return a condition in a block, rewritten to be tested outside the block."""
    each = block.binder
    if each is not None:
        fails: m.Expr = m.negation(condition)
        if each.where is not None:
            fails = m.conjunction((each.where, fails))
        return m.negation(m.exists(each.slot, each.name, each.set, fails))
    if block.loop:
        raise InexpressibleStatement
    return m.disjunction((*map(m.negation, block.holds), *block.fails, condition))


def substitute_let(
    body: Sequence[m.Stmt], slot: int, value: m.Expr
) -> tuple[m.Stmt, ...]:
    """Return statements with the variable of a `let` replaced by its value."""
    for effects in effects_within(*body):
        if any(write.place == VariablePlace(slot) for write in effects.writes):
            raise InexpressibleStatement
    changed: tuple[m.Stmt, ...] = tooling.rewrite(
        tuple(body), lambda node: value if m.is_variable(node, slot) else node
    )
    return changed
