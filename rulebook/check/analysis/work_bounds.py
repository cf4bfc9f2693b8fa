"""Work of an evaluation in steps, the same for every engine.

Each part of an expression and each statement is one step. An iteration over a set takes
as many steps as the set can have members. A call costs the steps of its callee. Reading
a row of places (cards in a bag, pieces on spaces) takes one step per sixteen places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.analysis.intervals import NumberRanges
from rulebook.check.analysis.trails import trail_steps
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.check.facts.piece_supply import piece_cell_count
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.value_types import Member, Stack, Truth, Type, Whole
from rulebook.queries.calls import (
    Graph,
    action_code,
    called_code,
    callees_first,
    calls_of,
    code_names,
    define_code,
)
from rulebook.queries.constant_tables import ENTRIES_MAX, constant_table
from rulebook.queries.stored_names import stored_names
from rulebook.signatures import effects_within
from rulebook.signatures.statement_signatures import step_rule
from rulebook.source.spans import Span
from rulebook.traversal import children

LOOKUP_STEPS = 4
"""Number of steps to look up the value of a definition that is a table."""


@attrs.frozen
class LongCombinations:
    """Search for combinations of too many cards, with an upper bound on its steps."""

    node: m.Combinations
    cards: int
    steps: int


class WorkBounds:
    """Upper bounds on the steps of all code, computed from the callees up."""

    def __init__(self, world: SymbolTable) -> None:
        assert world.model is not None
        self.world = world
        self.model = world.model
        self.numbers = NumberRanges(world)
        self.code = world.code
        self.graph: Graph = {
            name: called_code(self.model, code) for name, code in self.code.items()
        }
        self.order = callees_first(self.graph)
        self.total: dict[str, int] = {}
        self.waiting_code: set[str] = set()
        self.long_trails: dict[Span, tuple[m.LongestTrail, int]] = {}
        """Trail searches that exceed the limit, by span; their steps count as 0."""
        self.long_combinations: dict[Span, LongCombinations] = {}
        """Combinations that exceed the limit, by span; their steps count as 0."""
        tables = {
            define_code(define.name)
            for define in self.model.defines.values()
            if constant_table(define) and self._is_looked_up(define)
        }
        self.stored = {
            define_code(name)
            for name in stored_names(self.model.defines)
            if self.model.defines[name].within is not None
        }
        for name in self.order:
            code = self.code[name]
            steps = self.total_steps(name, code.parts)
            if name not in self.stored:
                steps += sum(self.total[value] for value in self.stored_values(name))
            self.total[name] = min(steps, LOOKUP_STEPS) if name in tables else steps
            if (
                any(effects.may_wait for effects in effects_within(code.parts))
                or self.waiting_code & self.graph[name].keys()
            ):
                self.waiting_code.add(name)

    # ------------------------------------------------------------ sizes

    def count_values(self, type_: Type) -> int:
        """Return the number of values of a parameter's type; 1 for a bag.

        Each offer of the action fixes its bag arguments.
        """
        if isinstance(type_, Member):
            return self.world.member_count(type_.domain) + type_.optional
        if isinstance(type_, Whole):
            return type_.high - type_.low + 1
        return 2 if isinstance(type_, Truth) else 1

    def count_kinds(self, kind: Type) -> int:
        """Return the number of members of a type's domain, or 1 if it has no domain."""
        domain = getattr(kind, "domain", None)
        return self.world.member_count(domain) if domain else 1

    def dealt_cards(self, domain: str) -> int:
        """Return the maximum number of cards of a domain in the game."""
        return self.numbers.capacity.total_cards(domain)

    def piece_cells(self, piece: str) -> int:
        """Return the number of state values that store the positions of a piece."""
        return piece_cell_count(self.world, self.model.pieces[piece])

    def stack_cards(self, holder: m.Expr | None) -> int:
        """Return the maximum number of cards in a stack; 1 for any other holder."""
        if holder is not None and isinstance(holder.type, Stack):
            return self.numbers.capacity.stack_capacity(holder.type.domain)
        return 1

    # ------------------------------------------------------------ steps

    def total_steps(self, code: str, nodes: Iterable[Any]) -> int:
        """Return an upper bound on the steps of several nodes together."""
        return min(NUMBER_MAX, sum(self.steps(code, node) for node in nodes))

    def steps(self, code: str, node: Any) -> int:
        """Return an upper bound on the steps needed to evaluate a node."""
        steps = step_rule(type(node))(self, code, node)
        return min(steps, NUMBER_MAX)

    def child_steps(self, code: str, node: Any) -> int:
        """Return an upper bound on the steps of all children of a node."""
        return self.total_steps(code, children(node))

    def loop_steps(
        self, code: str, node: Any, body: Iterable[Any], per_member: int = 0
    ) -> int:
        """Return an upper bound on the steps of a loop that runs *body* per member.

        An empty set counts as one member.
        """
        size = max(1, self.numbers.max_size(code, node.set))
        passing = max(1, self.numbers.max_matching(code, node))
        each = size * (1 + per_member + self.steps(code, node.where))
        return (
            1
            + self.steps(code, node.set)
            + each
            + passing * self.total_steps(code, body)
        )

    def _is_looked_up(self, define: m.Define) -> bool:
        """Return whether a table has an entry for every possible argument."""
        kinds = [parameter.type for parameter in define.parameters]
        return (
            all(isinstance(kind, Member) for kind in kinds)
            and math.prod(self.count_kinds(kind) + 1 for kind in kinds) <= ENTRIES_MAX
        )

    def stored_values(self, name: str) -> set[str]:
        """Return the named values (`let`) that code stores, also for other values."""
        values: set[str] = set()
        waiting = [name]
        while waiting:
            called = self.stored & self.graph[waiting.pop()].keys()
            waiting += called - values
            values |= called
        return values

    def may_wait(self, body: Iterable[Any]) -> bool:
        """Return whether a body may wait for a decision, chance or all players."""
        return any(
            effects.may_wait
            or not self.waiting_code.isdisjoint(code_names(self.model, effects.calls))
            for effects in effects_within(*body)
        )

    def call_steps(self, node: Any) -> int:
        """Return an upper bound on the steps of the code that a node calls (or 0).

        A use of a stored value is not a call: its definition computes it once.
        """
        names = code_names(self.model, calls_of(node))
        totals = (self.total.get(name, 0) for name in names if name not in self.stored)
        return max(totals, default=0)

    def trail_steps(self, code: str, trail: m.LongestTrail) -> int:
        """Return an upper bound on the steps of a search for the longest trail.

        A search beyond the limit counts as 0 and is recorded in `long_trails`.
        """
        board, degrees = self.world.board, self.numbers.degrees
        assert board is not None and degrees is not None
        links = self.numbers.max_links(code, trail)
        sorts = 1 if trail.joint is None else 1 + len(trail.also)
        search = sorts * trail_steps(board, degrees, links)
        if search <= self.world.size_limits.quick_steps:
            return search
        self.long_trails[trail.span] = trail, search
        return 0

    def combination_steps(self, code: str, e: m.Combinations, each: int) -> int:
        """Return an upper bound on steps to test all combinations, *each* for one.

        Steps beyond the limit count as 0 and are recorded in `long_combinations`.
        """
        steps = self.numbers.max_combinations(code, e) * each
        if steps <= self.world.size_limits.quick_steps:
            return steps
        cards = self.numbers.max_combined_cards(code, e)
        self.long_combinations[e.holder.span] = LongCombinations(e, cards, steps)
        return 0

    def listing_steps(self, action: m.Action, fixed: int) -> int:
        """Return an upper bound on the steps of listing an action's legal arguments.

        The first *fixed* arguments are given.
        """
        open_ = action.parameters[fixed:]
        count = math.prod(self.count_values(parameter.type) for parameter in open_)
        tests = sum(steps for _, steps in self.listing_costs(action, fixed))
        return min(count + tests, NUMBER_MAX)

    def listing_costs(
        self, action: m.Action, fixed: int
    ) -> Iterator[tuple[m.Expr, int]]:
        """Yield an action's requirements with the steps of testing them in a listing.

        A requirement is tested for all values of the parameters up to the last that it
        reads. A parameter that an earlier requirement limits to a set has at most the
        members of the set.
        """
        open_ = action.parameters[fixed:]
        counts = {
            parameter.slot: self.count_values(parameter.type) for parameter in open_
        }
        code = action_code(action.name)
        for need in action.requirements:
            read = m.variables_read(need.condition)
            last = max(
                (parameter.slot for parameter in open_ if parameter.slot in read),
                default=0,
            )
            bound = (count for slot, count in counts.items() if slot <= last)
            yield need.condition, math.prod(bound) * self.steps(code, need.condition)
            among = need.condition
            if not isinstance(among, m.Contains) or not m.is_variable(among.member):
                continue
            slot = among.member.slot
            unbound = {other for other in counts if other >= slot}
            if slot in counts and not unbound & m.variables_read(among.set):
                size = max(1, self.numbers.max_size(code, among.set))
                counts[slot] = min(counts[slot], size)
