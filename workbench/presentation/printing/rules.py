"""Complete rules of a game as a printed page, chapter by chapter."""

from collections.abc import Iterable, Iterator
from itertools import chain

import attrs

from rulebook import Rulebook
from rulebook import model as m
from rulebook.tooling import Ending, callees_of, effects_within, walk
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.printing.clause_sections import (
    END,
    ClauseSections,
    unit_address,
)
from workbench.presentation.printing.components import ComponentTables
from workbench.presentation.printing.pages import (
    Block,
    PageSection,
    Picture,
    PrintedPage,
    TextLine,
)
from workbench.presentation.printing.reference import ReferenceTables, add_index
from workbench.presentation.printing.sentences.names import Titles
from workbench.presentation.printing.sentences.text_runs import Text, plain_text
from workbench.presentation.printing.steps import with_heading

SETUP, SKIPPED = "setup", "skip"
"""Names of the set-up clause and the definition of skipped players."""

DEFAULT_TURNS = 1_000
"""Minimum number of turns after which a game without `turns` is over."""


def rules_page(
    book: Rulebook,
    localizer: Localizer,
    picture: str | None = None,
    *,
    with_defaults: bool = True,
) -> PrintedPage:
    """Return the rules of a game as a page; `picture` is an SVG of its board.

    With `with_defaults`, each mention of an option includes its default.
    """
    builder = Chapters(ClauseSections(Titles(book, localizer, with_defaults)), picture)
    chapters = tuple(part for part in map(trim_section, builder.chapters()) if part)
    return add_index(builder.page(chapters), builder.clauses.names)


def trim_section(part: PageSection) -> PageSection | None:
    """Return a section without empty subsections, or None if nothing is left."""
    if part.is_empty:
        return None
    inner = filter(None, map(trim_section, part.parts))
    return attrs.evolve(part, parts=tuple(inner))


@attrs.frozen
class Chapters:
    """Builder of the chapters for one rulebook."""

    clauses: ClauseSections
    picture: str | None = None

    @property
    def model(self) -> m.Model:
        """Model of the rulebook."""
        return self.clauses.model

    def page(self, parts: tuple[PageSection, ...]) -> PrintedPage:
        """Return the page with its title and the given chapters."""
        names = self.clauses.names
        return PrintedPage(
            plain_text(names.localizer.heading),
            names.language,
            tuple(self._page_notes()),
            parts,
        )

    def _page_notes(self) -> Iterator[Text]:
        names, book = self.clauses.names, self.clauses.book
        fewest, most = book.players
        key = (
            "seats" if fewest < most else "seats_exactly" if most > 1 else "seats_alone"
        )
        players = names.localizer.phrase(key, fewest=fewest, most=most)
        yield names.phrase("players_note", players=players)
        seats = names.list_text(
            plain_text(names.localizer.title(seat)) for seat in book.seats
        )
        yield names.phrase("seats", seats=seats)

    def chapters(self) -> Iterator[PageSection]:
        """Yield all chapters, in the order in which people learn a game."""
        components, tables = (
            ComponentTables(self.clauses),
            ReferenceTables(self.clauses),
        )
        yield self._chapter(
            "components", (), components.sections(), self._board_blocks()
        )
        yield self._chapter(
            "setup", ("setup",), self._procedure_sections(in_setup=True)
        )
        yield self._turn_chapter()
        yield self._chapter("actions", (), self._action_sections())
        yield self._chapter("happens", (), self._procedure_sections(in_setup=False))
        yield tables.chance()
        yield self._chapter("awards", (), map(self.clauses.award, self._awards()))
        yield self._chapter("watching", (), self._rule_sections(ends_game=False))
        yield self._chapter("points", (), (), self._point_lines())
        yield self._chapter(
            END, (END,), self._rule_sections(ends_game=True), self._limit_lines()
        )
        yield self._chapter("cards", (), components.cards())
        yield self._chapter("terms", (), self._definition_sections())
        yield tables.options()
        yield self._chapter("summary", (), tables.summary())

    def _chapter(
        self,
        key: str,
        units: Iterable[str],
        parts: Iterable[PageSection],
        blocks: Iterable[Block] = (),
    ) -> PageSection:
        """Return a chapter with the statements of *units*, followed by sections."""
        own = [unit for unit in units if unit in self.clauses.units]
        lines = [line for unit in own for line in self.clauses.procedure(unit).blocks]
        if own == [END]:
            after = tuple(line for line in lines if isinstance(line, TextLine))
            lines = [with_heading(self.clauses.names.phrase("when_over"), after)]
        place = own[0] if own else ""
        cites = self.clauses.cites_at(place)
        title = self.clauses.names.phrase(key)
        return PageSection(title, place, cites, (*blocks, *lines), tuple(parts))

    def _board_blocks(self) -> Iterator[Block]:
        if self.picture is not None:
            yield Picture(self.picture, self.clauses.names.phrase("board_picture"))

    # ------------------------------------------------------------ turns

    def _turn_chapter(self) -> PageSection:
        """Return the chapter on turns, or on rounds if their phases run once in each
        round: phases in order, and the steps of each round.
        """
        names, model, period = self.clauses.names, self.model, self.clauses.period
        titles = (
            plain_text(names.title(phase), place=f"phase.{phase}")
            for phase in model.phases
        )
        order = names.phrase(f"{period}_order", phases=names.list_text(titles))
        lines = [TextLine(order, "turn")] if model.phases else []
        rounds = (
            self._with_title(key, self.clauses.procedure(key))
            for key in ("before_round", "after_round")
            if key in self.clauses.units
        )
        skipped = model.defines.get(SKIPPED)
        passed = (
            [self._with_title("skip", self.clauses.definition(skipped))]
            if skipped
            else []
        )
        phases = (self.clauses.procedure(f"phase.{phase}") for phase in model.phases)
        parts = (*rounds, *phases, *passed)
        return PageSection(names.phrase(period), "", (), tuple(lines), parts)

    def _with_title(self, key: str, part: PageSection) -> PageSection:
        title = self.clauses.names.phrase(key)
        last = title[-1]
        bare = attrs.evolve(last, text=last.text.rstrip(":"))
        return attrs.evolve(part, title=(*title[:-1], bare))

    # ------------------------------------------------------------ actions

    def _action_sections(self) -> Iterator[PageSection]:
        for action in self.model.actions.values():
            if not action.inline:
                yield self.clauses.action(action)

    def _procedure_sections(self, *, in_setup: bool) -> Iterator[PageSection]:
        """Yield sections for the procedures that only set-up calls, or the others."""
        setup = self._called_procedures(SETUP)
        others = {
            place
            for unit in self.clauses.units
            if unit != SETUP and unit not in setup
            for place in self._called_procedures(unit)
        }
        for name in self.model.procedures:
            place = unit_address(name)
            if place.startswith("to."):
                alone = place in setup and place not in others
                if alone is in_setup:
                    yield self.clauses.procedure(place)

    def _called_procedures(self, unit: str) -> set[str]:
        """Return the procedures that a unit calls, directly or indirectly."""
        waiting, called = [unit], set[str]()
        while waiting:
            body = getattr(self.clauses.units.get(waiting.pop()), "body", ())
            runs = chain(*(each.calls for each in effects_within(body)))
            places = {f"to.{run.code}" for run in runs} - called
            called |= places
            waiting += places
        return called

    def _awards(self) -> Iterator[m.Award]:
        yield from self.model.awards.values()

    def _rule_sections(self, *, ends_game: bool) -> Iterator[PageSection]:
        """Yield sections for the rules that end the game, or for all other rules."""
        for rule in self.model.rules.values():
            body = self.model.procedures[rule.procedure].body
            ends = any(each.ends is Ending.GAME for each in effects_within(body))
            if ends is ends_game:
                yield self.clauses.rule(rule)

    def _point_lines(self) -> Iterator[TextLine]:
        table = self.model.points
        writer = self.clauses.writer(table.slots)
        for line in table.lines:
            yield self.clauses.point_line(writer, line)

    def _limit_lines(self) -> Iterator[TextLine]:
        names, model = self.clauses.names, self.model
        if model.rounds is not None:
            rounds = str(model.rounds)
            yield TextLine(names.phrase("rounds_limit", rounds=rounds), "rounds")
        if model.rounds is None or not model.phases_each_round:
            periods = f"{self.clauses.period}s"
            most = (model.rounds or 0) * self.clauses.book.players[1]
            is_default = model.turns == max(DEFAULT_TURNS, most)
            key = f"{periods}_default" if is_default else f"{periods}_limit"
            limit = names.phrase(key, **{periods: str(model.turns)})
            yield TextLine(limit, "turns")

    # ------------------------------------------------------------ words

    def _definition_sections(self) -> Iterator[PageSection]:
        """Yield sections for the definitions that the rules use, even indirectly."""
        model = self.model
        used = self._used_definitions()
        for name, define in model.defines.items():
            has_section = define.action is None and define.within is None
            if f"define.{name}" in used and has_section and name != SKIPPED:
                yield self.clauses.definition(define)

    def _used_definitions(self) -> set[str]:
        """Return the addresses of definitions that the rules use, even indirectly."""
        model = self.model
        waiting: list[object] = [
            model.procedures,
            {name: unit for name, unit in model.actions.items() if not unit.inline},
            *(model.awards, model.rules, model.points, model.limits),
            *(model.fields, model.pieces, model.options),
        ]
        if SKIPPED in model.defines:
            waiting.append(model.defines[SKIPPED])
        defines = {f"define.{name}": each for name, each in model.defines.items()}
        used = set[str]()
        while waiting:
            for run in chain(*map(callees_of, walk(waiting.pop()))):
                if run.code in defines and run.code not in used:
                    used.add(run.code)
                    waiting.append(defines[run.code])
        return used


__all__ = ["Chapters", "rules_page", "trim_section"]
