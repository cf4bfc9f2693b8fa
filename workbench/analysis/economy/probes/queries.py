"""Queries about conditions: free variables, and truth in a game."""

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter import Game, violated_invariants
from rulebook import model as m
from rulebook.tooling import PartSort as Sort
from rulebook.tooling import ReadFinder, rewrite

Values = Mapping[int, m.Expr]


def is_true(
    game: Game, condition: m.Expr, slots: tuple[str, ...], values: Values
) -> bool:
    """Return whether a condition is true, given the values of some of its variables.

    *slots* are the names of its variables, and *values* maps slots to constants. The
    result is False if an error in the rules prevents the evaluation.
    """
    substituted = with_values(condition, values)
    invariant = m.Invariant(f"asked: {substituted!r}", (m.Require(substituted),), slots)
    return not violated_invariants(game, (invariant,))


def with_values(e: m.Expr, values: Values) -> Any:
    """Return an expression with some of its variables replaced by values."""

    def change(node: Any) -> Any:
        return values.get(node.slot, node) if m.is_variable(node) else node

    return rewrite(e, change)


def is_settled(model: m.Model, condition: m.Expr) -> bool:
    """Return whether a condition is fixed by set-up: it reads only dealt fields."""
    return all(
        part.sort is Sort.FIELD and model.fields[part.name].dealt
        for part in ReadFinder(model).parts_read(condition)
    )


def free_variables(condition: m.Expr) -> set[int]:
    """Return the slots of the free variables of a condition."""
    return {variable.slot for variable in m.free_variables(condition)}


def member_constant(domain: str, number: int) -> m.Expr:
    """Return member *number* of a domain, counted from 0, as a constant."""
    return m.constant(number, m.Member(domain))


@attrs.frozen
class TableColumn:
    """Constant attribute of the members of a domain, and the member it is read from."""

    domain: m.Domain
    values: tuple[Any, ...]
    member: m.Expr


def table_column(model: m.Model, e: m.Expr | None) -> TableColumn | None:
    """Return the attribute that an expression reads, or None if it reads none."""
    if not m.is_column(e):
        return None
    domain = model.domains[e.domain]
    return TableColumn(domain, domain.columns[e.column].values, e.of)
