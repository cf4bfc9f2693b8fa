"""What of the rules decides in a game, by name: requirements, lines and branches.

A part is called after its clause and its label; one without a label by its place there,
counted from 1, where there are several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from interpreter import Counts
from rulebook import Address, Cite, Rulebook, Span
from rulebook import model as m
from rulebook.tooling import find
from workbench.analysis.measures.table import MeasureScope

DEFINE, POINTS = "define", "points"


@attrs.frozen
class RulePart:
    """A requirement, a line or a branch: its name, its clause, and where it stands.

    `site` is the number by which it is counted; `asked` are those of what it has its
    share of: all requirements of an action, the first line of a definition.
    """

    of: MeasureScope
    name: str
    clause: str
    span: Span
    text: str
    cite: Cite | None
    site: int
    asked: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The part as plain data."""
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


def asked_in_full(book: Rulebook) -> Rulebook:
    """The same rules, in which each action is asked by itself what it needs.

    A counted game asks once for all combinations of an action's parameters that agree
    in what was asked so far. Here the first thing to be asked reads them all; it always
    holds, and stands nowhere. Labels have the action's name before them: what several
    actions need is counted for each.
    """
    actions = {
        name: attrs.evolve(
            action,
            requirements=(
                *map(_reads, filter(_is_written, action.parameters)),
                *[
                    attrs.evolve(each, label=f"{name}.{each.label}")
                    for each in action.requirements
                ],
            ),
        )
        for name, action in book.model.actions.items()
    }
    return attrs.evolve(book, model=attrs.evolve(book.model, actions=actions))


def _is_written(parameter: m.Parameter) -> bool:
    """Whether a parameter is one of those that make up an action's combinations."""
    return isinstance(parameter.type, m.Whole | m.Truth | m.Member)


def _reads(parameter: m.Parameter) -> m.Requirement:
    """A requirement that reads a parameter, and always holds."""
    value = m.Local(parameter.slot, parameter.name, type=parameter.type)
    same = m.Compare(m.Comparison.EQUAL, value, value, type=m.Truth())
    return m.Requirement("", m.RequirementSort.NEEDS, same, "")


def parts_of(book: Rulebook, counts: Counts) -> tuple[RulePart, ...]:
    """All parts of a book that is asked in full, in the order of the rules."""
    gathered = Gathered(book, counts)
    return (*gathered.requirements(), *gathered.lines(), *gathered.branches())


@attrs.frozen
class Gathered:
    """Gathers the parts of a book by the sites that are counted."""

    book: Rulebook
    counts: Counts

    def requirements(self) -> Iterator[RulePart]:
        """What actions need."""
        for action in self.book.model.actions.values():
            there = list(self._counted(action.requirements))
            for need, site in there:
                own = need.sort is not m.RequirementSort.LIMIT
                cites = need.cites or (action.cites if own else ())
                sites = tuple([each for _, each in there])
                yield self._part(
                    MeasureScope.REQUIREMENT, need.label, need, cites, site, sites
                )

    def lines(self) -> Iterator[RulePart]:
        """The lines of definitions and of points that may decide, or not."""
        defines = self.book.model.defines
        addresses = {name: Address.parse(f"{DEFINE}.{name}") for name in defines}
        times = Counter(address.called for address in addresses.values())
        seen = set[int]()
        for name, define in defines.items():
            called = addresses[name].called
            if times[called] > 1:
                called = f"{called}({addresses[name].shape})"
            for part in self._lines_of(called, define, adds=define.adds):
                if part.site not in seen:
                    seen.add(part.site)
                    yield part
        yield from self._lines_of(POINTS, self.book.model.points, adds=True)

    def _lines_of(
        self, called: str, whole: m.Define | m.PointTable, *, adds: bool
    ) -> Iterator[RulePart]:
        """The lines of a definition: the first that holds decides, or all that do."""
        there = list(self._counted(whole.lines))
        for number, (line, site) in enumerate(there, 1):
            truth = self.counts.sites.listed[site].truth
            if not truth and (adds or len(there) == 1):
                continue
            place = line.label or (str(number) if len(there) > 1 else "")
            name = ".".join(filter(None, (called, place)))
            cites = line.cites or getattr(whole, "cites", ())
            asked = site if adds else there[0][1]
            yield self._part(MeasureScope.LINE, name, line, cites, site, (asked,))

    def branches(self) -> Iterator[RulePart]:
        """What statements ask before they do something."""
        model, listed = self.book.model, self.counts.sites.listed
        units: list[m.Procedure | m.Action] = [*model.procedures.values()]
        units += model.actions.values()
        asked: dict[int, tuple[m.If, tuple[Cite, ...]]] = {}
        for unit in units:
            for statement, site in self._counted(find(unit.body, m.If)):
                asked.setdefault(site, (statement, unit.cites))
        times = Counter(listed[site].clause for site in asked)
        numbers: Counter[str] = Counter()
        for site in sorted(asked):
            clause = listed[site].clause
            numbers[clause] += 1
            name = clause if times[clause] == 1 else f"{clause}.{numbers[clause]}"
            statement, cites = asked[site]
            yield self._part(
                MeasureScope.BRANCH, name, statement.condition, cites, site, (site,)
            )

    def _counted(self, parts: Iterable[Any]) -> Iterator[tuple[Any, int]]:
        """Those that are counted, each with its site."""
        numbers = self.counts.sites.numbers
        for part in parts:
            if (site := numbers.get(id(part))) is not None:
                yield part, site

    def _part(
        self,
        of: MeasureScope,
        name: str,
        part: m.Part,
        cites: tuple[Cite, ...],
        site: int,
        asked: tuple[int, ...],
    ) -> RulePart:
        """What is said of a part of the model."""
        text = " ".join(self.book.text_at(part.span).split())
        clause = self.counts.sites.listed[site].clause
        cite = next((c for c in cites if not c.example), next(iter(cites), None))
        return RulePart(of, name, clause, part.span, text, cite, site, asked)
