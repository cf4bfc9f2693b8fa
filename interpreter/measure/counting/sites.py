"""Sites: the countable parts of a book, numbered by their places in the files.

Parts of one sort at the same place are one site. Parts that the checker adds without a
place are not sites.
"""

from __future__ import annotations

from typing import Any

import attrs

import rulebook as rb
from interpreter.plan.addresses import Addresses
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import Effects, Failure, effects_of, is_statement

REQUIREMENT, BRANCH, LINE, TRIGGER = "requirement", "branch", "line", "trigger"
EFFECT, CARD, ROW = "effect", "card", "row"
SORTS = (REQUIREMENT, BRANCH, LINE, TRIGGER, EFFECT, CARD, ROW)
"""Sorts of sites. A `trigger` is the condition of a rule, or of competing for an award.
"""


@attrs.frozen
class Site:
    """Counted part of the rules: its sort, its place and its clause.

    If `is_condition` is true, true and false are counted separately. `name` is a label,
    or the name of a card or row.
    """

    sort: str
    span: rb.Span
    clause: str
    is_condition: bool
    name: str = ""


@attrs.frozen
class Sites:
    """All sites in file order.

    `numbers` maps the identity of each part of the model to its site. `rows` and
    `cards` contain the site of each member of a domain, or -1 for none.
    """

    in_order: tuple[Site, ...]
    numbers: dict[int, int]
    rows: dict[str, tuple[int, ...]]
    cards: dict[str, tuple[int, ...]]


def sites_of(book: rb.Rulebook) -> Sites:
    """Return the sites of a book."""
    collector = SiteCollector(book)
    collector.add_code()
    collector.add_lines()
    collector.add_triggers()
    collector.add_members()
    return collector.sites_in_order()


class SiteCollector:
    """Collector of the sites of a book."""

    def __init__(self, book: rb.Rulebook) -> None:
        self.book = book
        self.model = book.model
        self.addresses = Addresses(book)
        self.sites: dict[tuple[str, rb.Span, str], Site] = {}
        self.parts: dict[int, tuple[str, rb.Span, str]] = {}
        self.of_members: dict[tuple[str, str], list[Any]] = {}

    def add(
        self, sort: str, part: m.Part, *, is_condition: bool = False, name: str = ""
    ) -> None:
        """Add the site of a part, if it has a place in a file."""
        key = self.add_site(sort, part.span, is_condition=is_condition, name=name)
        if key is not None:
            self.parts[id(part)] = key

    def add_site(
        self, sort: str, span: rb.Span, *, is_condition: bool = False, name: str = ""
    ) -> tuple[str, rb.Span, str] | None:
        """Add a site unless it exists; return its key, or None without a file."""
        if not span.file:
            return None
        key = (sort, span, name)
        if key not in self.sites:
            clause = self.addresses.address_of(m.Part(span=span))
            self.sites[key] = Site(sort, span, clause, is_condition, name)
        return key

    # ---------------------------------------------------- code and triggers

    def add_code(self) -> None:
        """Add the requirements of actions, and all statements."""
        for action in self.model.actions.values():
            for requirement in action.requirements:
                label = requirement.label
                self.add(REQUIREMENT, requirement, is_condition=True, name=label)
        units: list[m.Procedure | m.Action] = [*self.model.procedures.values()]
        units += self.model.actions.values()
        for unit in units:
            for node in filter(is_statement, tooling.walk(unit.body)):
                self.add_statement(node, effects_of(node))

    def add_statement(self, statement: Any, effects: Effects) -> None:
        """Add an `if` statement as a branch, and any other as an effect.

        Labels and requirements are not counted, because they have no effect themselves.
        """
        if effects.condition is not None:
            if not m.is_payment_condition(effects.condition):
                self.add(BRANCH, statement, is_condition=True)
        elif effects.label is None and effects.failures != {Failure.UNTRUE}:
            self.add(EFFECT, statement)

    def add_lines(self) -> None:
        """Add the lines of definitions and of points.

        Definitions of legality are omitted, because requirements cover them.
        Definitions used only by hints are omitted, because they are not rules.
        """
        hints = hint_definitions(self.model)
        for name, define in self.model.defines.items():
            if define.action is None and name not in hints:
                for line in define.lines:
                    self.add(
                        LINE, line, is_condition=is_conditional(line), name=line.label
                    )
        for point in self.model.points.lines:
            self.add(LINE, point, is_condition=is_conditional(point), name=point.label)

    def add_triggers(self) -> None:
        """Add the conditions of rules, and of competing for awards."""
        for rule in self.model.rules.values():
            self.add(TRIGGER, rule.condition, is_condition=True)
        for award in self.model.awards.values():
            if award.only_if is not None:
                self.add(TRIGGER, award.only_if, is_condition=True)

    # ----------------------------------------------------------- cards and rows

    def add_members(self) -> None:
        """Add all cards, and the rows of tables that rules read."""
        read = {
            column.domain for column in filter(m.is_column, tooling.walk(self.model))
        }
        for name, domain in self.model.domains.items():
            is_card = domain.sort is m.DomainSort.CARDS
            if is_card or name in read:
                self.add_domain(CARD if is_card else ROW, name, domain)

    def add_domain(self, sort: str, name: str, domain: m.Domain) -> None:
        """Add the members of a domain that have a place in a file."""
        places = tooling.member_spans(self.book, name)
        self.of_members[sort, name] = [
            self.add_site(sort, places[member], name=member)
            if member in places
            else None
            for member in domain.members
        ]

    # ---------------------------------------------------------------- results

    def sites_in_order(self) -> Sites:
        """Return the sites with their numbers, in file order."""
        files = {file: number for number, file in enumerate(self.book.files)}

        def sort_key(key: tuple[str, rb.Span, str]) -> tuple[Any, ...]:
            sort, span, name = key
            beginning = (files.get(span.file, len(files)), span.line, span.column)
            return (*beginning, SORTS.index(sort), -span.end_line, name)

        order = {key: n for n, key in enumerate(sorted(self.sites, key=sort_key))}
        tables: dict[str, dict[str, tuple[int, ...]]] = {CARD: {}, ROW: {}}
        for (sort, domain), keys in self.of_members.items():
            numbers = [-1 if key is None else order[key] for key in keys]
            tables[sort][domain] = tuple(numbers)
        return Sites(
            tuple([self.sites[key] for key in order]),
            {part: order[key] for part, key in self.parts.items()},
            tables[ROW],
            tables[CARD],
        )


def is_conditional(line: m.DefineLine | m.PointLine) -> bool:
    """Return whether true and false are counted separately for a line."""
    return line.condition is not None or isinstance(line.value.type, m.Truth)


def hint_definitions(model: m.Model) -> frozenset[str]:
    """Return the definitions that only hints and measures use."""
    rules = (
        *(model.procedures, model.actions, model.awards, model.rules, model.points),
        *(model.fields, model.pieces, model.options, model.scenarios, model.invariants),
    )
    in_hints = called_definitions(model, model.values, model.measures)
    return in_hints - called_definitions(model, *rules)


def called_definitions(model: m.Model, *parts: Any) -> frozenset[str]:
    """Return the definitions that parts of the model call, directly or indirectly."""
    names: set[str] = set()
    waiting: list[Any] = [parts]
    while waiting:
        called = filter(m.is_call, tooling.walk(waiting.pop()))
        for name in {call.define for call in called} - names:
            names.add(name)
            waiting.append(model.defines[name])
    return frozenset(names)
