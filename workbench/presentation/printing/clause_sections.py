"""Page sections for clauses: actions, procedures, definitions, awards, rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import attrs

from rulebook import Cite, Rulebook
from rulebook import model as m
from rulebook.tooling import (
    CardTransfer,
    Effects,
    Run,
    counted_limit,
    effects_of,
    effects_within,
    single_expression,
)
from workbench.defaults import LANGUAGE
from workbench.presentation.printing.definition_lines import definition_sentences
from workbench.presentation.printing.pages import (
    Block,
    PageSection,
    PrintedRow,
    PrintedTable,
    TextLine,
)
from workbench.presentation.printing.sentences.all_forms import FORMS
from workbench.presentation.printing.sentences.control_forms import definition_title
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.names import Titles
from workbench.presentation.printing.sentences.set_forms import binder_text, loop_head
from workbench.presentation.printing.sentences.text_runs import (
    Text,
    join_texts,
    plain_text,
)
from workbench.presentation.printing.sentences.value_forms import (
    cards_text,
    split_member_condition,
)
from workbench.presentation.printing.steps import (
    is_price,
    statement_lines,
    with_heading,
)
from workbench.presentation.printing.value_tables import has_overlaps, value_table


@attrs.frozen(slots=False)
class ClauseSections:
    """Builder of page sections for the clauses of one rulebook."""

    names: Titles

    @property
    def book(self) -> Rulebook:
        """Rulebook to print."""
        return self.names.book

    @property
    def model(self) -> m.Model:
        """Model of the rulebook."""
        return self.names.model

    def writer(self, slots: Sequence[str] = ()) -> Writer:
        """Return the sentence writer for a procedure or action.

        `slots` are the names of its local values.
        """
        return Writer(self.names, FORMS, tuple(slots))

    def table_section(
        self, key: str, heads: Iterable[str], rows: Iterable[PrintedRow]
    ) -> PageSection:
        """Return a section with a table, which is empty if the table has no rows."""
        names, every = self.names, tuple(rows)
        table = PrintedTable(tuple(names.phrase(head) for head in heads), every)
        return PageSection(names.phrase(key), blocks=(table,) if every else ())

    # ------------------------------------------------------------ citations

    def relevant_cites(self, cites: Iterable[Cite]) -> tuple[Cite, ...]:
        """Return the citations in the page's language or, if none, in all languages.

        Citations of mere examples are excluded.
        """
        every = [cite for cite in dict.fromkeys(cites) if not cite.example]
        own = [
            cite
            for cite in every
            if self.book.languages.get(cite.source) in {None, self.names.language}
        ]
        return tuple(own or every)

    def cites_at(self, address: str) -> tuple[Cite, ...]:
        """Return the relevant citations of the clause at an address."""
        info = self.book.clauses.get(address)
        return () if info is None else self.relevant_cites(info.cites)

    def reason_lines(self, address: str) -> Iterator[TextLine]:
        """Yield a line for each reason given with a citation, on English pages only."""
        info = self.book.clauses.get(address)
        if info is None or self.names.language != LANGUAGE:
            return
        for text in dict.fromkeys(cite.meaning for cite in info.cites if cite.meaning):
            yield TextLine(self.writer().phrase("because", reason=text))

    def section(
        self,
        address: str,
        name: str,
        blocks: Iterable[Any],
        parts: Iterable[PageSection] = (),
    ) -> PageSection:
        """Return the section of a clause, with its citations."""
        title = plain_text(self.names.heading(name))
        every = (*self.reason_lines(address), *blocks)
        return PageSection(title, address, self.cites_at(address), every, tuple(parts))

    # ------------------------------------------------------------ actions

    def action(self, action: m.Action) -> PageSection:
        """Return the section of an action: its cost, requirements and effects."""
        writer, place = self.writer(action.slots), f"action.{action.name}"
        body = statement_lines(writer, action.body)
        every = [
            *self._parameter_lines(writer, action.parameters),
            *(
                self._requirement_line(writer, action, need)
                for need in action.requirements
            ),
            *self._offer_lines(action.name),
            *(body or (TextLine(writer.phrase("nothing_happens")),)),
        ]
        part = self.section(
            place, action.name, map(self._without_own_cites(place), every)
        )
        title = self.writer().finish(self.names.action(action.name))
        bare = tuple(attrs.evolve(run, place="") for run in title)
        return attrs.evolve(part, title=bare)

    def _without_own_cites(self, place: str) -> Callable[[TextLine], TextLine]:
        """Return a function that removes the clause's own citations from a line."""
        cited = set(self.cites_at(place))

        def remove_cites(line: TextLine) -> TextLine:
            own = tuple(cite for cite in line.cites if cite not in cited)
            return attrs.evolve(line, cites=own)

        return remove_cites

    def _parameter_lines(
        self, writer: Writer, parameters: Iterable[m.Parameter]
    ) -> Iterator[TextLine]:
        texts = [self.parameter_text(writer, each) for each in parameters]
        if texts:
            parts = self.names.list_text(texts)
            yield TextLine(writer.phrase("choose", parameters=parts))

    def parameter_text(self, writer: Writer, parameter: m.Parameter) -> Text:
        """Return the kind of a parameter, with the parameter's name if it differs."""
        sort = writer.from_template(parameter.type)
        if getattr(parameter.type, "domain", None) == parameter.name:
            return sort
        return (*sort, *plain_text(" "), *writer.named(parameter.name))

    def _requirement_line(
        self, writer: Writer, action: m.Action, requirement: m.Requirement
    ) -> TextLine:
        place, cites = (
            f"action.{action.name}.{requirement.label}",
            self.relevant_cites(requirement.cites),
        )
        if requirement.sort is m.RequirementSort.PAYS:
            return self._price_line(writer, action, place, requirement)
        limit = self.model.limits.get(requirement.label)
        if requirement.sort is m.RequirementSort.LIMIT and limit is not None:
            return TextLine(self.limit_text(limit, requirement.reason), place, cites)
        condition = writer.express(requirement.condition)
        own = requirement.sort is m.RequirementSort.NEEDS
        reason = (
            self.names.reason(action.name, requirement.label, requirement.reason)
            if own
            else ""
        )
        key = "only_if_because" if reason else "only_if"
        parts: dict[str, Text | str] = {"condition": condition, "reason": reason}
        case = split_member_condition(writer, requirement.condition)
        if case:
            key = f"case_{key}"
            parts |= {"first": case["first"], "condition": case["rest"]}
        return TextLine(writer.phrase(key, **parts), place, cites)

    def _price_line(
        self, writer: Writer, action: m.Action, place: str, requirement: m.Requirement
    ) -> TextLine:
        """Return the line for an action's price; a named cost is printed elsewhere."""
        assert requirement.bag is not None
        text = self._payment_text(writer, action, cards_text(writer, requirement.bag))
        cost = self.book.text_at(requirement.span).removeprefix("pays").strip()
        follows = cost in self.model.costs
        return TextLine(
            text, place, self.relevant_cites(requirement.cites), is_repeat=follows
        )

    def _payment_text(self, writer: Writer, action: m.Action, bag: Text) -> Text:
        """Return the sentence on what an action's player pays, and to whom or how."""
        payment = next(
            (effects_of(step).blocks[0].body for step in action.body if is_price(step)),
            (),
        )
        match [effects_of(step) for step in payment]:
            case [Effects(cards=CardTransfer(destination=m.Typed() as holder))]:
                recipient = writer.value(holder)
                return writer.phrase("pays_into", bag=bag, holder=recipient)
            case [Effects(calls=(Run(code=str(name)),))]:
                recipient = self.names.word(name, f"to.{name}")
                return writer.phrase("pays_by", bag=bag, call=recipient)
        return writer.phrase("pays", bag=bag)

    def limit_text(self, limit: m.Limit, reason: str) -> Text:
        """Return the sentence for a limit on the number of uses of actions."""
        reason = self.names.localizer.sentence(limit.name, reason)
        titles = map(self.names.action, limit.actions)
        return self.writer().phrase(
            "limit_because" if reason else "limit",
            count=self.writer().value(limit.count),
            period=self.names.phrase(f"period_{limit.period}"),
            actions=self.names.list_text(titles),
            reason=reason,
        )

    def _offer_lines(self, name: str) -> Iterator[TextLine]:
        places = self.offers.get(name, ())
        if places:
            texts = [self.unit_title(place) for place in places]
            listed = join_texts(texts, ", ")
            yield TextLine(
                self.writer().phrase("stands_in", places=listed), is_repeat=True
            )

    @cached_property
    def offers(self) -> dict[str, dict[str, None]]:
        """Addresses of the procedures and actions that offer each action, by action."""
        offers: dict[str, dict[str, None]] = {}
        for place, unit in self.units.items():
            for effects in effects_within(unit.body):
                for offer in effects.offers:
                    offers.setdefault(offer.action, {})[place] = None
        return offers

    @cached_property
    def units(self) -> dict[str, Any]:
        """Procedures, and actions with a clause of their own, by address."""
        model = self.model
        return {
            **{unit_address(name): unit for name, unit in model.procedures.items()},
            **{
                f"action.{name}": action
                for name, action in model.actions.items()
                if not action.inline
            },
        }

    def unit_title(self, address: str) -> Text:
        """Return the title of a procedure or other unit, linked to its section."""
        name = address.rpartition(".")[2]
        own = {"setup": "setup", "end": "end"}
        rounds = {"before_round": "before_round", "after_round": "after_round"}
        key = {**own, **rounds}.get(address)
        if address.startswith("action."):
            return self.names.action(name)
        title = self.names.phrase(key) if key else self.names.word(name)
        return tuple(attrs.evolve(run, place=address) for run in title)

    # ------------------------------------------------------------ procedures, phases

    def procedure(self, address: str) -> PageSection:
        """Return the section of the procedure or phase at an address."""
        unit = self.units[address]
        writer = attrs.evolve(self.writer(unit.slots), is_at_end=address == END)
        lines = statement_lines(writer, unit.body)
        players = self.units.get(f"{address}.players")
        if players is not None:
            [loop] = players.body
            assert isinstance(loop, m.EachMember)
            head = loop_head(self.writer(players.slots), loop)
            lines = (with_heading(head, lines),)
        return self.section(address, address.rpartition(".")[2], lines)

    @property
    def period(self) -> str:
        """Period in which all phases run once: `turn` or `round`."""
        return "round" if self.model.phases_each_round else "turn"

    def body_lines(self, name: str | None) -> tuple[TextLine, ...]:
        """Return the statements of a procedure as lines; none if *name* is None."""
        if name is None:
            return ()
        unit = self.model.procedures[name]
        return statement_lines(self.writer(unit.slots), unit.body)

    # ------------------------------------------------------------ definitions

    def definition(self, define: m.Define) -> PageSection:
        """Return the section of a definition."""
        writer, place = self.writer(define.slots), f"define.{define.name}"
        given = {
            each.name: self.names.local_name(each.name, each.type)
            for each in define.parameters
        }
        title = writer.finish(definition_title(writer, define, given))
        heads = [define.sentence, *(each.name for each in define.parameters)]
        titles = {name: plain_text(self.names.heading(name)) for name in heads}
        table = value_table(writer, define, titles, place)
        lines = self._define_lines(writer, define, has_table=table is not None)
        own = map(self._without_own_cites(place), lines)
        blocks: list[Block] = [*self.reason_lines(place), *own]
        if table is not None:
            blocks.append(self._with_relevant_cites(table, place))
        unlinked = tuple(attrs.evolve(run, place="") for run in title)
        return PageSection(unlinked, place, self.cites_at(place), tuple(blocks))

    def _with_relevant_cites(self, table: PrintedTable, place: str) -> PrintedTable:
        """Return a table whose rows have only their own relevant citations."""
        known = {*self.cites_at(place)}
        rows = [
            attrs.evolve(
                row,
                cites=tuple(
                    x for x in self.relevant_cites(row.cites) if x not in known
                ),
            )
            for row in table.rows
        ]
        return attrs.evolve(table, rows=tuple(rows))

    def _define_lines(
        self, writer: Writer, define: m.Define, *, has_table: bool
    ) -> Iterator[TextLine]:
        """Yield a definition's named values, and its lines unless it has a table."""
        for named in self.model.defines.values():
            if named.within == define.name:
                yield self._name_line(writer, named)
        if has_table:
            if has_overlaps(define):
                yield TextLine(writer.phrase("first_row"))
            return
        labels = {
            id(line): line.label or str(number)
            for number, line in enumerate(define.lines, 1)
        }
        for each in definition_sentences(writer, define):
            if each.line is None:
                yield TextLine(each.text)
                continue
            place = f"define.{define.name}.{labels[id(each.line)]}"
            yield TextLine(each.text, place, self.relevant_cites(each.line.cites))

    def _name_line(self, writer: Writer, named: m.Define) -> TextLine:
        """Return the line for a value that a definition names."""
        value = single_expression(named)
        assert value is not None
        note = m.SetLocal(slot=m.YOU, name=named.sentence, value=value, span=named.span)
        place = f"define.{named.within}.{named.sentence}"
        text = writer.finish(writer.from_template(note))
        return TextLine(text, place, self.relevant_cites(named.cites))

    # ------------------------------------------------------------ awards, rules, points

    def award(self, award: m.Award) -> PageSection:
        """Return the section of an award: its measure, conditions, ties and effects."""
        writer, place = self.writer(award.slots), f"award.{award.name}"
        every = [
            TextLine(
                writer.phrase("measure", value=writer.value(award.measure)),
                f"{place}.most",
            )
        ]
        if award.at_least is not None:
            least = writer.value(award.at_least)
            text = writer.phrase("at_least", value=least)
            every.append(TextLine(text, f"{place}.at_least"))
        if award.only_if is not None:
            text = writer.phrase("award_if", condition=writer.express(award.only_if))
            every.append(TextLine(text, f"{place}.only_if"))
        every.append(TextLine(writer.phrase(f"tie_{award.tie}"), f"{place}.tie"))
        for key, name in (("gained", award.gained), ("lost", award.lost)):
            if name is not None:
                every.append(with_heading(writer.phrase(key), self.body_lines(name)))
        return self.section(place, award.name, every)

    def rule(self, rule: m.Rule) -> PageSection:
        """Return the section of a rule: its condition and effects."""
        writer = self.writer(rule.slots)
        if rule.slot is None or rule.set is None:
            head = writer.phrase("whenever", condition=writer.express(rule.condition))
        else:
            name = rule.slots[rule.slot]
            members = m.Binder(rule.slot, name, rule.set, rule.condition)
            head = writer.phrase("whenever_any", binder=binder_text(writer, members))
        body = with_heading(head, self.body_lines(rule.procedure))
        return self.section(f"rule.{rule.name}", rule.name, [body])

    def point_line(self, writer: Writer, line: m.PointLine) -> TextLine:
        """Return the line for a source of points."""
        label = self.names.word(line.label)
        value = writer.value(line.value)
        place, cites = f"points.{line.label}", self.relevant_cites(line.cites)
        if line.condition is None:
            return TextLine(
                writer.phrase("counts", label=label, value=value), place, cites
            )
        condition = writer.express(line.condition)
        parts = {"label": label, "value": value, "condition": condition}
        return TextLine(writer.phrase("counts_if", **parts), place, cites)


PHASE, END = "turn.", "end"


def unit_address(name: str) -> str:
    """Return the address of the clause that declares a procedure or phase."""
    if name.startswith(PHASE):
        return f"phase.{name.removeprefix(PHASE)}"
    if name in {"setup", "end", "before_round", "after_round"} or "." in name:
        return name
    return f"to.{name}"


def is_counter(field: m.Field) -> bool:
    """Return whether a field only counts uses toward a limit."""
    return counted_limit(field.name) is not None
