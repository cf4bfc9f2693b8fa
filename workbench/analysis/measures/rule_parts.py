"""Named rule parts whose effects are counted: requirements, lines and branches.

A part is named after its clause and its label. Without a label, its number in the
clause follows, counted from 1, unless it is the only one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from interpreter import Counts
from rulebook import Address, Cite, Rulebook, Span
from rulebook import model as m
from rulebook.signatures import statements_in
from workbench.analysis.measures.measure_table import MeasureScope

DEFINE, POINTS = "define", "points"


@attrs.frozen
class RulePart:
    """Requirement, line or branch, with its name, clause and place in the rule text.

    `site` is the number of its counter. `base_counters` are the counters whose sum is
    the base of its share, such as those of all requirements of an action.
    """

    scope: MeasureScope
    name: str
    clause: str
    span: Span
    text: str
    cite: Cite | None
    site: int
    base_counters: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the rule part as plain data."""
        cite = self.cite
        return {
            "name": self.name,
            "clause": self.clause,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "text": self.text,
            "citation": cite and {"source": cite.source, "section": cite.heading},
        }


def with_separate_checks(book: Rulebook) -> Rulebook:
    """Return equivalent rules that check the requirements of each action separately.

    A counted game checks several combinations of parameters at once if they agree in
    the values read so far. The returned rules start each action with requirements that
    read all its parameters; these are always true and have no place in the rule text.
    Labels start with the name of the action, so that shared requirements are counted
    per action.
    """
    actions = {
        name: attrs.evolve(
            action,
            requirements=(
                *map(
                    _reading_requirement,
                    filter(_distinguishes_actions, action.parameters),
                ),
                *[
                    attrs.evolve(requirement, label=f"{name}.{requirement.label}")
                    for requirement in action.requirements
                ],
            ),
        )
        for name, action in book.model.actions.items()
    }
    return attrs.evolve(book, model=attrs.evolve(book.model, actions=actions))


def _distinguishes_actions(parameter: m.Parameter) -> bool:
    """Return whether each value of a parameter makes a different action."""
    return isinstance(parameter.type, m.Whole | m.Truth | m.Member)


def _reading_requirement(parameter: m.Parameter) -> m.Requirement:
    """Return a requirement that is always true but reads a parameter."""
    value = m.variable(parameter.slot, parameter.name, parameter.type)
    return m.Requirement("", m.RequirementSort.NEEDS, m.equal(value, value), "")


def rule_parts(book: Rulebook, counts: Counts) -> tuple[RulePart, ...]:
    """Return all rule parts of a book from `with_separate_checks`, in rule order."""
    collector = RulePartCollector(book, counts)
    return (*collector.requirements(), *collector.lines(), *collector.branches())


@attrs.frozen
class RulePartCollector:
    """Collector of the counted rule parts of a book."""

    book: Rulebook
    counts: Counts

    def requirements(self) -> Iterator[RulePart]:
        """Yield the requirements of actions."""
        for action in self.book.model.actions.values():
            counted = list(self._counted_parts(action.requirements))
            for need, site in counted:
                is_own = need.sort is not m.RequirementSort.LIMIT
                cites = need.cites or (action.cites if is_own else ())
                sites = tuple([number for _, number in counted])
                yield self._rule_part(
                    MeasureScope.REQUIREMENT, need.label, need, cites, site, sites
                )

    def lines(self) -> Iterator[RulePart]:
        """Yield the conditional lines of definitions and of the points table."""
        defines = self.book.model.defines
        addresses = {name: Address.parse(f"{DEFINE}.{name}") for name in defines}
        uses = Counter(address.without_sort for address in addresses.values())
        seen = set[int]()
        for name, define in defines.items():
            prefix = addresses[name].without_sort
            if uses[prefix] > 1:
                prefix = f"{prefix}({addresses[name].parameter_kinds})"
            for part in self._conditional_lines(prefix, define, is_sum=define.adds):
                if part.site not in seen:
                    seen.add(part.site)
                    yield part
        yield from self._conditional_lines(POINTS, self.book.model.points, is_sum=True)

    def _conditional_lines(
        self, prefix: str, definition: m.Define | m.PointTable, *, is_sum: bool
    ) -> Iterator[RulePart]:
        """Yield the conditional lines of one definition or of the points table.

        If *is_sum* is true, all true lines count; otherwise only the first one does.
        """
        counted = list(self._counted_parts(definition.lines))
        for number, (line, site) in enumerate(counted, 1):
            is_condition = self.counts.sites.in_order[site].is_condition
            if not is_condition and (is_sum or len(counted) == 1):
                continue
            suffix = line.label or (str(number) if len(counted) > 1 else "")
            name = ".".join(filter(None, (prefix, suffix)))
            cites = line.cites or getattr(definition, "cites", ())
            base = site if is_sum else counted[0][1]
            yield self._rule_part(MeasureScope.LINE, name, line, cites, site, (base,))

    def branches(self) -> Iterator[RulePart]:
        """Yield the conditions of `if` statements, in the order of their counters."""
        model, sites = self.book.model, self.counts.sites.in_order
        units: list[m.Procedure | m.Action] = [*model.procedures.values()]
        units += model.actions.values()
        conditions: dict[int, tuple[m.Expr, tuple[Cite, ...]]] = {}
        numbers_of_sites = self.counts.sites.numbers
        for unit in units:
            for statement, effects in statements_in(unit.body):
                site = numbers_of_sites.get(id(statement))
                if effects.condition is not None and site is not None:
                    conditions.setdefault(site, (effects.condition, unit.cites))
        uses = Counter(sites[site].clause for site in conditions)
        numbers: Counter[str] = Counter()
        for site in sorted(conditions):
            clause = sites[site].clause
            numbers[clause] += 1
            name = clause if uses[clause] == 1 else f"{clause}.{numbers[clause]}"
            condition, cites = conditions[site]
            yield self._rule_part(
                MeasureScope.BRANCH, name, condition, cites, site, (site,)
            )

    def _counted_parts(self, parts: Iterable[Any]) -> Iterator[tuple[Any, int]]:
        """Yield the parts that have a counter, each with its number."""
        numbers = self.counts.sites.numbers
        for part in parts:
            if (site := numbers.get(id(part))) is not None:
                yield part, site

    def _rule_part(
        self,
        scope: MeasureScope,
        name: str,
        part: m.Part,
        cites: tuple[Cite, ...],
        counter: int,
        base_counters: tuple[int, ...],
    ) -> RulePart:
        """Return the rule part for a part of the model."""
        text = " ".join(self.book.text_at(part.span).split())
        clause = self.counts.sites.in_order[counter].clause
        cite = next((c for c in cites if not c.example), next(iter(cites), None))
        return RulePart(
            scope, name, clause, part.span, text, cite, counter, base_counters
        )
