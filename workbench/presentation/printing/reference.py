"""Reference chapters: chance events, options, costs, turn summary, citations."""

from collections.abc import Iterator, Mapping
from itertools import chain

import attrs

from rulebook import Cite
from rulebook import model as m
from rulebook.tooling import effects_within, walk
from workbench.presentation.printing.clause_sections import PHASE, ClauseSections
from workbench.presentation.printing.pages import (
    Block,
    PageSection,
    PrintedPage,
    PrintedRow,
    PrintedTable,
    TextLine,
    lines_of,
    rows_of,
)
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.names import Titles
from workbench.presentation.printing.sentences.text_runs import (
    Text,
    TextRun,
    capitalize,
    join_texts,
    plain_text,
)


@attrs.frozen
class ReferenceTables:
    """Builder of reference tables for one rulebook."""

    clauses: ClauseSections

    # ------------------------------------------------------------ chance

    def chance(self) -> PageSection:
        """Return a section on chance events, their outcomes and where they occur."""
        return self.clauses.table_section(
            "chance", ("event", "drawn", "where"), self._event_rows()
        )

    def _event_rows(self) -> Iterator[PrintedRow]:
        names = self.clauses.names
        seen: dict[tuple[str, Text], dict[str, None]] = {}
        for place, unit in self.clauses.units.items():
            writer = self.clauses.writer(unit.slots)
            for node in walk(unit.body):
                form = writer.form(node)
                if form.drawn is not None:
                    key = node.event, form.drawn(writer, node)
                    seen.setdefault(key, {})[place] = None
        for (event, drawn), places in seen.items():
            name = event.rpartition(".")[2]
            where = join_texts(map(self.clauses.unit_title, places), ", ")
            cells = (plain_text(names.heading(name)), drawn, where)
            yield PrintedRow(cells, f"chance.{event}")

    # ------------------------------------------------------------ options

    def options(self) -> PageSection:
        """Return a section on the options of the game, with their defaults."""
        heads = ("choice", "meaning", "default", "range")
        return self.clauses.table_section("options", heads, self._option_rows())

    def _option_rows(self) -> Iterator[PrintedRow]:
        names, writer = self.clauses.names, self.clauses.writer()
        for name, option in self.clauses.model.options.items():
            help_text = names.localizer.sentence(name, option.help)
            title = names.title(name)
            title = name.replace("_", " ") if title in help_text else title
            values = [
                self._default_text(writer, *line, is_later=number > 0)
                for number, line in enumerate(option.default)
            ]
            cells = (
                plain_text(title[:1].upper() + title[1:]),
                plain_text(help_text),
                join_texts(values, ", "),
                writer.from_template(option.type),
            )
            yield PrintedRow(
                cells, f"option.{name}", self.clauses.relevant_cites(option.cites)
            )

    def _default_text(
        self,
        writer: Writer,
        value: m.Expr,
        condition: m.Expr | None,
        *,
        is_later: bool,
    ) -> Text:
        text = writer.express(value)
        if condition is None and is_later:
            return self.clauses.names.phrase("default_otherwise", value=text)
        if condition is None:
            return text
        parts = {"value": text, "condition": writer.express(condition)}
        return self.clauses.names.phrase("default_if", **parts)

    # ------------------------------------------------------------ summary

    def summary(self) -> Iterator[PageSection]:
        """Yield a section that summarizes a turn, and a section with all costs."""
        names = self.clauses.names
        lines = tuple(map(self._phase_line, self.clauses.model.phases))
        yield PageSection(names.phrase(f"{self.clauses.period}_summary"), blocks=lines)
        yield self.clauses.table_section(
            "cost_card", ("name", "costs"), self._cost_rows()
        )

    def _phase_line(self, phase: str) -> TextLine:
        """Return the line for a phase, with the actions that it offers."""
        names = self.clauses.names
        unit = self.clauses.model.procedures[f"{PHASE}{phase}"]
        offers = (each.offers for each in effects_within(unit.body))
        actions = dict.fromkeys(offer.action for offer in chain(*offers))
        below = (
            TextLine(capitalize(names.action(name)), is_repeat=True) for name in actions
        )
        place = f"phase.{phase}"
        title = plain_text(names.heading(phase), place=place)
        return TextLine(title, children=tuple(below), is_repeat=True)

    def _cost_rows(self) -> Iterator[PrintedRow]:
        names, model = self.clauses.names, self.clauses.model
        kinds = {
            len(domain.members): name
            for name, domain in reversed(model.domains.items())
        }
        for name, amounts in model.costs.items():
            place = f"cost.{name}"
            paid = self._payment_kind(name) or kinds[len(amounts)]
            cells = (plain_text(names.heading(name)), names.cards(paid, amounts))
            yield PrintedRow(cells, place, self.clauses.cites_at(place))

    def _payment_kind(self, cost: str) -> str | None:
        """Return the kind of card that pays a cost, or None if it varies."""
        info = self.clauses.book.clauses.get(f"cost.{cost}")
        amounts = getattr(getattr(info and info.node, "amounts", None), "amounts", ())
        wanted = {amount.name.text for amount in amounts}
        for name, domain in self.clauses.model.domains.items():
            if wanted and wanted <= set(domain.members):
                return name
        return None


# -------------------------------------------------------------------- citations


CITATION_INDEX = "index"
"""Address of the citation index; all other addresses belong to clauses."""


def add_index(page: PrintedPage, names: Titles) -> PrintedPage:
    """Return a page with an index of its citations appended, if it has any."""
    citations = index(page, names)
    parts = page.parts if citations.is_empty else (*page.parts, citations)
    return attrs.evolve(page, parts=parts)


def index(page: PrintedPage, names: Titles) -> PageSection:
    """Return an index of all cited passages, with the sections that cite them."""
    used: dict[tuple[str, str], dict[str, str]] = {}
    for number, _, part in page.numbered_sections():
        for cite in cites_of(part):
            passage = cite.source, passage_heading(cite)
            used.setdefault(passage, {}).setdefault(number, part.place)
    rows = (
        PrintedRow((plain_text(source), plain_text(passage), _numbers(places)))
        for (source, passage), places in sorted(used.items())
    )
    titles = names.book.sources
    sources = (
        names.phrase("labelled", label=source, text=titles.get(source, source))
        for source in sorted({source for source, _ in used})
    )
    heads = tuple(names.phrase(key) for key in ("text", "passage", "found_in"))
    blocks: tuple[Block, ...] = (
        *map(TextLine, sources),
        PrintedTable(heads, tuple(rows)),
    )
    return PageSection(
        names.phrase("index"), CITATION_INDEX, blocks=blocks if used else ()
    )


def _numbers(places: Mapping[str, str]) -> Text:
    """Return section numbers as text, each linked to its section."""
    texts = ((TextRun(number, place=place),) for number, place in places.items())
    return join_texts(texts, ", ")


def cites_of(part: PageSection) -> Iterator[Cite]:
    """Yield all passages cited in a section, without its subsections."""
    several: tuple[PageSection | TextLine | PrintedRow, ...] = (
        part,
        *lines_of(part),
        *rows_of(part),
    )
    for each in several:
        yield from each.cites


def passage_heading(cite: Cite) -> str:
    """Return the heading of a passage, with the numbers of the cited sentences."""
    sentences = ", ".join(map(str, cite.sentences))
    return f"{cite.heading} {sentences}".strip()
