"""Plans: everything that is fixed for a rulebook, a number of players and options.

A plan contains the layout of the cells, the tables of the board, the action space, and
the rules as compiled functions and steps. `interpreter.planning` creates and caches
plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import RLock
from typing import Any

import attrs

import rulebook as rb
from interpreter.core.action_index import ActionSpace
from interpreter.core.facts import Facts
from interpreter.core.layout import Block, Layout
from interpreter.core.values import Values
from interpreter.kernel.passes.pipeline import Optimiser
from interpreter.plan.heuristic import PositionValue
from interpreter.plan.offers import OfferIndex
from interpreter.plan.triggers import PlannedAward, PlannedRule
from interpreter.plan.units import Unit
from interpreter.source.source import Source
from rulebook import model as m

Code = m.Procedure | m.Action


@attrs.frozen
class HiddenInformation:
    """Hidden fields of a plan, and the seats that may know their contents.

    A grade specifies which seats may know something; `grades` contains the grades of
    the units. `trigger_grade` is the grade of awards and rules, and `value_grade` is
    the grade of the hints' values. `points` are the keys of the hidden fields that
    points read, or whose cards points count. `revealing_triggers` are the triggers, as
    bits, that may reveal something. `cards` are the fields with hidden cards by domain,
    `values` the other hidden fields. `public_stacks` are the stacks whose
    cards all seats know, but perhaps not their order. `conditions` are the invariants
    that read hidden fields, and `invariants` are the same conditions as functions of
    the cells and the active player.
    """

    grades: tuple[int, ...]
    trigger_grade: int
    value_grade: int
    points: frozenset[str]
    revealing_triggers: int
    cards: dict[str, list[Block]]
    values: list[Block]
    public_stacks: list[Block]
    conditions: tuple[m.Expr, ...]
    invariants: tuple[Callable[[list[Any], int], bool], ...]


@attrs.frozen
class Relations:
    """Conditions that hidden fields satisfied in trial games.

    `functions` are the same conditions as functions of the cells and the active player.
    """

    conditions: tuple[m.Expr, ...] = ()
    functions: tuple[Callable[[list[Any], int], bool], ...] = ()


PLANS_MAX = 32
"""Maximum number of plans whose tables are cached."""


@attrs.define(eq=False)
class Plan:
    """Rulebook prepared for a number of players and options.

    `units` are the code units by number; the first is the order of turns, and
    `closing_step` is its step that determines the winner. `misses_turn` returns whether
    a player misses a turn, `points` the points of a player, and `visible_points` the
    points that everybody sees. `position_value` is the value of a position for a
    player. `start_cells` are the cells before set-up, `teams` the seats of each team,
    `all_triggers` all awards and rules as bits, and `all_seats` all seats as bits.

    `evaluators` caches the functions that evaluate parts of the book for explanations.
    `optimiser` runs the passes over the kernel of the rules. `write_unit` compiles a
    further unit, such as a test. `measures` are the measures that the rules declare.
    `find_relations` plays trial games when `relations` is first requested.
    `lowered_units` are the units in the kernel, by number.
    """

    book: rb.Rulebook
    players: int
    facts: Facts
    source: Source
    values: Values
    actions: ActionSpace
    units: list[Unit]
    awards: list[PlannedAward]
    rules: list[PlannedRule]
    position_value: PositionValue
    points: Callable[[list[Any], int], int]
    visible_points: Callable[[list[Any], int], int]
    misses_turn: Callable[..., Any] | None
    start_cells: tuple[Any, ...]
    closing_step: int
    teams: tuple[tuple[int, ...], ...]
    changes_turn_order: bool
    offer_index: OfferIndex
    optimiser: Optimiser
    hidden: HiddenInformation
    write_unit: Callable[[Code, int, int], Unit]
    measures: tuple[Callable[[list[Any], int], int], ...]
    find_relations: Callable[[Plan], Relations]
    lowered_units: dict[int, Any]
    limits: rb.Limits = attrs.field(init=False)
    model: m.Model = attrs.field(init=False)
    layout: Layout = attrs.field(init=False)
    options: dict[str, Any] = attrs.field(init=False)
    all_seats: int = attrs.field(init=False)
    all_triggers: int = attrs.field(init=False)
    tests: dict[str, Unit] = attrs.field(init=False, factory=dict)
    evaluators: dict[Any, Callable[..., Any]] = attrs.field(init=False, factory=dict)
    pair_entries: dict[str, tuple[Any, ...]] = attrs.field(init=False, factory=dict)
    known_relations: Relations | None = attrs.field(init=False, default=None)
    lock: RLock = attrs.field(init=False, factory=RLock)

    def __attrs_post_init__(self) -> None:
        self.limits = self.book.limits
        self.model = self.book.model
        self.layout = self.facts.layout
        self.options = self.facts.options
        self.all_seats = (1 << self.players) - 1
        self.all_triggers = (1 << len(self.awards) + len(self.rules)) - 1

    @property
    def relations(self) -> Relations:
        """Relations that hidden fields satisfied in trial games, found on first use."""
        with self.lock:
            if self.known_relations is None:
                self.known_relations = self.find_relations(self)
            return self.known_relations

    @property
    def rule_units(self) -> list[Unit]:
        """Code units of the rules, without those of tests, which are added later."""
        return self.units[: len(self.units) - len(self.tests)]

    def test_unit(
        self, title: str, body: tuple[Any, ...], slots: tuple[str, ...]
    ) -> Unit:
        """Return the code unit of a test, compiled when first requested.

        *slots* are the names of its local variables.
        """
        if title not in self.tests:
            code = m.Procedure(name=title, parameters=(), body=body, slots=slots)
            self.tests[title] = unit = self.write_unit(code, len(self.units), 0)
            self.units.append(unit)
            self.source.compile()
        return self.tests[title]


def units(model: m.Model) -> Iterator[m.Procedure | m.Action]:
    """Yield all procedures and actions, in the order of their unit numbers."""
    yield from model.procedures.values()
    yield from model.actions.values()


def owning_seat(plan: Plan, block: Block, index: int) -> int | None:
    """Return the seat that owns a field, given its owner's index; None if none does."""
    owner = block.field.owner
    if owner is None:
        return None
    if owner == "player":
        return index
    domain = plan.model.domains[owner]
    return index // len(domain.members) if domain.each_player else None
