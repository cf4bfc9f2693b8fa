"""Checks of questions and reports: their moments, their gaps, and secrets in them.

A question belongs to a decision: to an action, to one of its parameters, to a choice,
or to the clause that offers several actions. A report belongs to an action, a choice
or a chance event. Like a look, no text changes a rule, so play would never reveal a
misspelt name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import CHOICE_PREFIX, text_name
from rulebook.check.declare.symbol_table import unknown_name_error, unknown_part_error
from rulebook.model.value_types import Member, Truth, Whole
from rulebook.signatures import effects_within
from rulebook.source.diagnostics import Diagnostic
from rulebook.text_gaps import ACTIVE_PLAYER, COUNT, YOU, YOUR
from rulebook.traversal import find

CODE = "RB177"
PASS = "pass"
PART_NOUNS = {
    s.TextSort.QUESTIONS: "parameter, choice or step",
    s.TextSort.REPORTS: "choice",
}
"""Parts that the second name of a path may name."""
YOU_DREW = "{you} drew a card."
_BRACES = re.compile(r"\{[^{}]*\}")

Code = m.Procedure | m.Action
WRITTEN_TYPES = (Member, Truth, Whole)
"""Types of the parameters that action texts contain."""


@attrs.frozen(slots=False)
class Moments:
    """Names of the decisions and events of a game, and of the values at them."""

    model: m.Model

    @cached_property
    def units(self) -> Mapping[str, Code]:
        """Actions, procedures, phases and card texts by name."""
        procedures = {
            text_name(name): unit for name, unit in self.model.procedures.items()
        }
        return {**procedures, **self.model.actions}

    @cached_property
    def choices(self) -> frozenset[str]:
        """Names of the actions that choose a member or several cards."""
        parts = effects_within(*self.units.values())
        return frozenset(name for effects in parts for name in effects.choices)

    @cached_property
    def offered(self) -> frozenset[str]:
        """Names of the actions that clauses offer, and of those that end the offers."""
        parts = list(effects_within(*self.units.values()))
        ends = {effects.until for effects in parts if effects.until}
        return frozenset(
            ends | {offer.action for effects in parts for offer in effects.offers}
        )

    @cached_property
    def chosen_parameters(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the parameters that some offer leaves to the player, by action."""
        given: dict[str, int] = {}
        for effects in effects_within(*self.units.values()):
            for offer in effects.offers:
                few = len(offer.arguments)
                given[offer.action] = min(few, given.get(offer.action, few))
        return {
            action: tuple(
                parameter.name
                for parameter in self.model.actions[action].parameters[first:]
                if isinstance(parameter.type, WRITTEN_TYPES)
            )
            for action, first in given.items()
        }

    @cached_property
    def events(self) -> frozenset[str]:
        """Names of the chance events."""
        parts = effects_within(*self.units.values())
        return frozenset(effects.event for effects in parts if effects.event)

    @cached_property
    def drawn(self) -> frozenset[str]:
        """Names of the chance events that move a card, which not everybody may see."""
        parts = effects_within(*self.units.values())
        drawn = (effects for effects in parts if effects.cards or effects.reveals)
        return frozenset(effects.event for effects in drawn if effects.event)

    @cached_property
    def variables(self) -> frozenset[str]:
        """Names of the parameters and variables of all clauses."""
        units = self.units.values()
        parameters = (each.name for unit in units for each in unit.parameters)
        bound = (
            binding.name
            for effects in effects_within(*units)
            for binding in effects.bindings
        )
        return frozenset((*parameters, *bound))

    def parts(self, name: str, sort: s.TextSort) -> frozenset[str]:
        """Return the names that may follow the name of an action or procedure.

        Questions are about its parameters, choices and steps, reports about what is
        chosen or declined in it.
        """
        unit = self.units.get(name)
        if unit is None:
            return frozenset()
        inside = list(effects_within(unit))
        chosen = [each for part in inside for each in part.choices]
        if sort is s.TextSort.REPORTS:
            return frozenset((PASS, *chosen))
        steps = (part.label for part in inside if part.label)
        return frozenset((*(each.name for each in unit.parameters), *chosen, *steps))

    def starts(self, sort: s.TextSort) -> frozenset[str]:
        """Names with which the path of a text may begin."""
        if sort is s.TextSort.QUESTIONS:
            return frozenset((*self.units, *self.choices))
        return frozenset((*self.model.actions, *self.choices, *self.events, PASS))

    @cached_property
    def values(self) -> frozenset[str]:
        """Names of the values that a gap may show."""
        names = {field.name for field in self.model.fields.values() if not field.owner}
        return frozenset(
            (
                *(YOU, ACTIVE_PLAYER, COUNT),
                *names,
                *self.variables,
                *self.choices,
                *self.events,
            )
        )

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Names of the fields and columns that a gap may show of a member."""
        columns = (
            name for domain in self.model.domains.values() for name in domain.columns
        )
        fields = (field.name for field in self.model.fields.values())
        return frozenset((*columns, *fields))

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Names of the kinds and pieces that a gap may count."""
        return frozenset((*self.model.domains, *self.model.pieces))

    def fields(self, name: str) -> list[m.Field]:
        """Return the fields with this name."""
        return [field for field in self.model.fields.values() if field.name == name]

    def is_hidden(self, gap: tuple[s.Name, ...]) -> bool:
        """Return whether some players may not know the value of a gap."""
        *owner, name = gap
        if name.text in self.drawn:
            return True
        fields = self.fields(name.text) if owner else ()
        return any(field.seen_by is not m.Audience.ALL for field in fields)


def check_texts(
    model: m.Model, clauses: Iterable[s.WordsClause], files: Iterable[s.File]
) -> Iterator[Diagnostic]:
    """Yield the mistakes in questions and reports, and in titles of members.

    A name that only the *files* have was removed by an amendment, and its texts are
    not used.
    """
    moments = Moments(model)
    mistakes = [
        (name, diagnostic)
        for clause in clauses
        for line in clause.lines
        for name, diagnostic in (
            _title_mistakes(model, line)
            if clause.sort is s.TextSort.WORDS
            else _line_mistakes(moments, clause.sort, line)
        )
    ]
    if mistakes:
        known = _names_in(files)
        for name, diagnostic in mistakes:
            if name.removeprefix(CHOICE_PREFIX) not in known:
                yield diagnostic


def _names_in(files: Iterable[s.File]) -> set[str]:
    """Return the names in the clauses of amended files, without their texts."""
    clauses = [clause for file in files for clause in file.clauses]
    if not any(isinstance(clause, s.Amendment) for clause in clauses):
        return set()
    return {
        name.text
        for clause in clauses
        if not isinstance(clause, s.WordsClause)
        for name in find(clause, s.Name)
    }


def _title_mistakes(
    model: m.Model, line: s.WordLine
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield the unknown columns in the text that names all members of a kind."""
    domain = model.domains.get(line.path[0].text) if len(line.path) == 1 else None
    if domain is None or not line.texts[2:]:
        return
    for first, *rest in line.gaps:
        for name in (first, *rest)[-1:]:
            if name.text not in domain.columns or rest:
                yield _unknown(name, "column", domain.columns)


def _line_mistakes(
    moments: Moments, sort: s.TextSort, line: s.WordLine
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield the mistakes in a line, each with the name that is unknown, or ""."""
    first, *rest = line.path
    starts = moments.starts(sort)
    if rest:
        starts |= moments.units.keys()
    if first.text not in starts:
        sorts = "decision" if sort is s.TextSort.QUESTIONS else "event"
        yield _unknown(first, sorts, starts)
        return
    for name in rest:
        parts = moments.parts(first.text, sort)
        if name.text not in parts or len(rest) > 1:
            noun = PART_NOUNS[sort]
            yield (
                name.text,
                unknown_part_error(first.text, noun, name, parts).diagnostic,
            )
            return
    yield from _gap_mistakes(moments, sort, line)


def _gap_mistakes(
    moments: Moments, sort: s.TextSort, line: s.WordLine
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield the mistakes in the gaps of a line."""
    counts = [len(_BRACES.findall(text)) for text in line.texts]
    if sum(counts) != len(line.gaps) or any(map(_has_loose_brace, line.texts)):
        example = "a gap is a name in braces, such as `{you}` or `{player's hand}`"
        yield "", Diagnostic(CODE, "this is not a gap", line.span, example)
        return
    for first, *rest in line.gaps:
        if first.text not in moments.values and not (rest and first.text == YOUR):
            yield _unknown(first, "value", moments.values)
        elif rest and rest[0].text not in moments.attributes:
            yield _unknown(rest[0], "field", moments.attributes)
    for kind in line.kinds:
        if kind.text not in moments.kinds:
            yield _unknown(kind, "kind", moments.kinds)
    if sort is s.TextSort.REPORTS:
        for gap in line.gaps[sum(counts[:-1]) :]:
            if moments.is_hidden(gap):
                yield "", _secret(gap[-1])


def _secret(name: s.Name) -> Diagnostic:
    return Diagnostic(
        CODE,
        f"`{name.text}` may be hidden from some players",
        name.span,
        f'add a text without it, for these players: `…, "{YOU_DREW}"`',
    )


def _has_loose_brace(text: str) -> bool:
    rest = _BRACES.sub("", text)
    return "{" in rest or "}" in rest


def _unknown(name: s.Name, sort: str, known: Iterable[str]) -> tuple[str, Diagnostic]:
    return name.text, unknown_name_error(sort, name, known).diagnostic
