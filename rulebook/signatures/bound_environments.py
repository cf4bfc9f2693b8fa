"""Protocols for bounds on the numbers and evaluation steps of expressions.

The rules for each class use them to query facts about declarations and other code.
`code` is the name of the code that contains an expression.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from rulebook import model as m
from rulebook.model.value_types import Type, Whole


class NumberBounds(Protocol):
    """Bounds on numbers and on the sizes of sets, bags and stacks."""

    model: m.Model

    def range_of(self, code: str, e: m.Expr) -> Whole:
        """Return the range of a number, or of the count of each card in a bag."""

    def bag_range(self, code: str, holder: m.Expr) -> Whole:
        """Return the range of the count of one kind of card in a bag or stack."""

    def variable_range(self, code: str, slot: int) -> Whole:
        """Return the range of the variable in *slot* of the code named *code*."""

    def result_of(self, define: str) -> Whole:
        """Return the range of the value of a definition."""

    def field_range(self, e: m.FieldValue) -> Whole:
        """Return the range of a field, ignoring the 0 that a missing owner gives."""

    def max_size(self, code: str, set_: m.Expr) -> int:
        """Return the maximum number of members of a set in the code named *code*."""

    def max_matching(self, code: str, binder: m.Binder) -> int:
        """Return the maximum number of members that meet the condition of a binder."""

    def max_links(self, code: str, trail: m.LongestTrail) -> int:
        """Return the maximum number of links that a longest trail searches."""

    def max_combinations(self, code: str, e: m.Combinations) -> int:
        """Return the maximum number of combinations, whatever their condition."""

    def max_pieces(self, code: str, e: Any) -> int:
        """Return the maximum number of pieces of the owner in *e*, or of all owners."""

    def max_cards(self, code: str, holder: m.Expr) -> int:
        """Return the maximum number of cards in a bag, a stack or a slot."""

    def max_related(self, relation: str) -> int:
        """Return the maximum number of members that a relation links to one member."""

    def member_count(self, domain: str) -> int:
        """Return the size of a domain with the maximum number of players."""


class StepBounds(Protocol):
    """Bounds on evaluation steps, and the quantities they depend on."""

    model: m.Model

    @property
    def numbers(self) -> NumberBounds:
        """Bounds on numbers."""

    def steps(self, code: str, node: Any) -> int:
        """Return an upper bound on the steps needed to evaluate a node; 0 for None."""

    def total_steps(self, code: str, nodes: Iterable[Any]) -> int:
        """Return an upper bound on the steps of several nodes together."""

    def child_steps(self, code: str, node: Any) -> int:
        """Return an upper bound on the steps of all children of a node."""

    def loop_steps(
        self, code: str, node: Any, body: Iterable[Any], per_member: int = 0
    ) -> int:
        """Return an upper bound on the steps to run a body for each member.

        Each member takes *per_member* additional steps.
        """

    def call_steps(self, node: Any) -> int:
        """Return an upper bound on the steps of the code that a node calls."""

    def listing_steps(self, action: m.Action, fixed: int) -> int:
        """Return an upper bound on the steps needed to list legal arguments.

        The first *fixed* arguments are given.
        """

    def trail_steps(self, code: str, trail: m.LongestTrail) -> int:
        """Return an upper bound on the steps of a search for the longest trail."""

    def combination_steps(self, code: str, e: m.Combinations, each: int) -> int:
        """Return an upper bound on the steps needed to test all combinations.

        The test of each combination takes *each* steps.
        """

    def may_wait(self, body: Iterable[Any]) -> bool:
        """Return whether a body may wait for a decision, chance or all players."""

    def count_kinds(self, kind: Type) -> int:
        """Return the domain size of a bag, stack or set type, or 1 for another type."""

    def stack_cards(self, holder: m.Expr | None) -> int:
        """Return the maximum number of cards in a stack; 1 for any other holder."""

    def dealt_cards(self, domain: str) -> int:
        """Return the maximum number of cards of a domain."""

    def piece_cells(self, piece: str) -> int:
        """Return the number of state values that store the positions of a piece."""
