"""Invariants that read hidden fields, as conditions that are true in every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulebook import model as m
from rulebook import tooling

TRUTH = m.Truth()


class NoCondition(Exception):
    """Raised for a statement that cannot be expressed as a condition."""


def conditions(model: m.Model) -> tuple[m.Expr, ...]:
    """Return the conditions of the invariants that read hidden fields.

    Invariants that use a tally, change a variable or repeat something are left out.
    """
    reader = tooling.SecretReader(model)
    restrictions: list[m.Expr] = []
    for invariant in model.invariants:
        if any(reader.secrets(invariant.body)):
            try:
                parts = [*conjuncts(invariant.body)]
            except NoCondition:
                continue
            restrictions += [part for part in parts if any(reader.secrets(part))]
    return tuple(restrictions)


def conjuncts(body: Sequence[m.Stmt]) -> Iterator[m.Expr]:
    """Yield conditions that together are equivalent to some statements."""
    for place, statement in enumerate(body):
        match statement:
            case m.Require(condition=condition):
                yield condition
            case m.LabelledBlock(body=inner):
                yield from conjuncts(inner)
            case m.IfElse(condition=condition, body=then, otherwise=otherwise):
                for part in conjuncts(then):
                    yield m.Or((negation(condition), part), type=TRUTH)
                for part in conjuncts(otherwise):
                    yield m.Or((condition, part), type=TRUTH)
            case m.EachMember(slot=slot, name=name, set=set_, where=where, body=inner):
                for part in conjuncts(inner):
                    fails = negation(part)
                    if where is not None:
                        fails = m.And((where, fails), type=TRUTH)
                    exists = m.Exists(slot, name, set_, fails, type=TRUTH)
                    yield negation(exists)
            case m.SetLocal():
                yield from conjuncts(substitute_let(body[place + 1 :], statement))
                return
            case _:
                raise NoCondition


def negation(condition: m.Expr) -> m.Expr:
    """Return the negation of a condition."""
    return m.Not(condition, type=TRUTH, span=condition.span)


def substitute_let(body: Sequence[m.Stmt], let: m.SetLocal) -> tuple[m.Stmt, ...]:
    """Return statements with the variable of a `let` replaced by its value."""
    if any(node.slot == let.slot for node in tooling.find(tuple(body), m.SetLocal)):
        raise NoCondition

    def change(node: object) -> object:
        named = isinstance(node, m.Local) and node.slot == let.slot
        return let.value if named else node

    changed: tuple[m.Stmt, ...] = tooling.rewrite(tuple(body), change)
    return changed
