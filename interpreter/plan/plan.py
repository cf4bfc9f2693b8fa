"""Plans: everything that is fixed for one rulebook, number of players and options.

A plan contains the layout of the cells, the tables of the board, the action space, and
the rules as compiled functions and steps. `interpreter.planning` creates and caches it.
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
from interpreter.plan.heuristic import Worth
from interpreter.plan.offers import Offering
from interpreter.plan.specialise.rules import Rules
from interpreter.plan.triggers import PlannedAward, PlannedRule
from interpreter.plan.units import Unit
from interpreter.source.source import Source
from rulebook import model as m

Code = m.Procedure | m.Action


@attrs.frozen
class Hidden:
    """Which seats may know what happens, and which cells are hidden from a seat.

    `grades` are the grades of units by number. `trigger_grade` is the grade of awards
    and rules, `value_grade` the grade of the hints' values. `points` is whether points
    depend on hidden information. `telling` are the triggers that may reveal something.
    `cards` are the fields with hidden cards by domain, `values` the other hidden
    fields. `conditions` are the invariants that read hidden fields, and `invariants`
    are the same as functions of the cells and the active player.
    """

    grades: tuple[int, ...]
    trigger_grade: int
    value_grade: int
    points: bool
    telling: int
    cards: dict[str, list[Block]]
    values: list[Block]
    conditions: tuple[m.Expr, ...]
    invariants: tuple[Callable[[list[Any], int], bool], ...]


@attrs.frozen
class Relations:
    """Conditions that hidden fields satisfied in trial games, also as functions.

    The functions take the cells and the active player.
    """

    conditions: tuple[m.Expr, ...] = ()
    functions: tuple[Callable[[list[Any], int], bool], ...] = ()


@attrs.define(eq=False)
class Plan:
    """Rulebook made ready for a number of players and options.

    `units` are the units of code by number, the order of turns first. `closing` is the
    step of that unit that determines the winner. `skips` returns whether a player
    misses a turn, `points` the points of a player, and `visible_points` the points that
    everybody sees. `worth` is the value of a position for a player. `start` are the
    cells before set-up, `teams` the seats of each team, `all_triggers` all awards and
    rules as bits, and `everybody` all seats.

    `readings` are the functions that evaluate parts of the book for explanations.
    `ready` are the rules from which engines write (ADR 44); text for people is written
    from `model`, the rules of the book. `write_unit` writes one more unit, which a test
    is. `measures` are the measures that the rules declare. `find_relations` plays trial
    games when `relations` is first requested.
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
    worth: Worth
    points: Callable[[list[Any], int], int]
    visible_points: Callable[[list[Any], int], int]
    skips: Callable[..., Any] | None
    start: tuple[Any, ...]
    closing: int
    teams: tuple[tuple[int, ...], ...]
    says_order: bool
    offering: Offering
    ready: Rules
    hidden: Hidden
    write_unit: Callable[[Code, int, int], Unit]
    measures: tuple[Callable[[list[Any], int], int], ...]
    find_relations: Callable[[Plan], Relations]
    limits: rb.Limits = attrs.field(init=False)
    model: m.Model = attrs.field(init=False)
    layout: Layout = attrs.field(init=False)
    options: dict[str, Any] = attrs.field(init=False)
    everybody: int = attrs.field(init=False)
    all_triggers: int = attrs.field(init=False)
    tests: dict[str, Unit] = attrs.field(init=False, factory=dict)
    readings: dict[Any, Callable[..., Any]] = attrs.field(init=False, factory=dict)
    known_relations: Relations | None = attrs.field(init=False, default=None)
    lock: RLock = attrs.field(init=False, factory=RLock)

    def __attrs_post_init__(self) -> None:
        self.limits = self.book.limits
        self.model = self.book.model
        self.layout = self.facts.layout
        self.options = self.facts.options
        self.everybody = (1 << self.players) - 1
        self.all_triggers = (1 << len(self.awards) + len(self.rules)) - 1

    @property
    def relations(self) -> Relations:
        """Relations that hidden fields satisfied in trial games, computed once."""
        with self.lock:
            if self.known_relations is None:
                self.known_relations = self.find_relations(self)
            return self.known_relations

    @property
    def rule_units(self) -> list[Unit]:
        """Units of the rules; units of tests, which are written later, follow them."""
        return self.units[: len(self.units) - len(self.tests)]

    def test_unit(
        self, title: str, body: tuple[Any, ...], slots: tuple[str, ...]
    ) -> Unit:
        """Return the unit of a test, written when it is first requested."""
        if title not in self.tests:
            code = m.Procedure(name=title, parameters=(), body=body, slots=slots)
            self.tests[title] = unit = self.write_unit(code, len(self.units), 0)
            self.units.append(unit)
            self.source.compile()
        return self.tests[title]


def units(model: m.Model) -> Iterator[m.Procedure | m.Action]:
    """Yield all code units, ordered by number."""
    yield from model.procedures.values()
    yield from model.actions.values()


def owning_seat(plan: Plan, block: Block, index: int) -> int | None:
    """Return the seat that owns a field of an owner."""
    owner = block.field.owner
    if owner is None:
        return None
    if owner == "player":
        return index
    domain = plan.model.domains[owner]
    return index // len(domain.members) if domain.each_player else None
