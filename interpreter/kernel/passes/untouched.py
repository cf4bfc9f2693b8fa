"""Pass that skips a change by an amount if the amount is 0."""

from __future__ import annotations

from interpreter.kernel import operations as k


def skip_change_by_zero(e: k.Scope) -> k.Scope:
    """Rewrite a block that changes cells by a bound amount to test the amount first."""
    match e.body:
        case (k.Bind(slot=slot) as bind, *rest) if rest and all(
            changes_by(op, slot) for op in rest
        ):
            changes = k.CompareValues("!=", k.Var(slot), k.Int(0))
            return k.Scope((bind, k.When(changes, tuple(rest))))
        case _:
            return e


def changes_by(e: k.Statement, slot: int) -> bool:
    """Return whether a statement only adds a local to cells, or subtracts it.

    A test that a cell does not grow too large is part of the change: the cell is small
    enough before, because each earlier write to it was tested.
    """
    match e:
        case k.When(body=body, otherwise=otherwise):
            return all(changes_by(op, slot) for op in (*body, *otherwise))
        case k.Store(cell, k.Binary("+" | "-", k.Load(old), k.Var(slot=read)), grows):
            return read == slot and old == cell and not grows
        case k.Fail(k.CompareValues(">", k.Binary("+", k.Load(), k.Var(slot=read)))):
            return read == slot
        case _:
            return False
