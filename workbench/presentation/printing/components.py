"""Tables of a game's components: pieces, dice, kinds, spaces, fields and cards."""

from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import model as m
from workbench.presentation.printing.clause_sections import ClauseSections, is_counter
from workbench.presentation.printing.pages import (
    Block,
    PageSection,
    PrintedRow,
    PrintedTable,
    TextLine,
)
from workbench.presentation.printing.sentences.text_runs import (
    Text,
    capitalize,
    join_texts,
    plain_text,
)

LISTED_VALUES_MAX = 8
"""Maximum number of values of a coordinate that are listed."""


@attrs.frozen
class ComponentTables:
    """Builder of component tables for one rulebook."""

    clauses: ClauseSections

    @property
    def model(self) -> m.Model:
        """Model of the rulebook."""
        return self.clauses.model

    def sections(self) -> Iterator[PageSection]:
        """Yield a section for each sort of component that the game has."""
        yield self.clauses.table_section(
            "pieces", ("name", "number_of", "stands_on"), self._piece_rows()
        )
        yield self.clauses.table_section("dice", ("name", "faces"), self._dice_rows())
        yield from self._member_sections()
        heads = ("name", "what", "seen_by", "starts")
        yield self.clauses.table_section("holders", heads, self._field_rows())

    # ------------------------------------------------------------ pieces and dice

    def _piece_rows(self) -> Iterator[PrintedRow]:
        names, writer = self.clauses.names, self.clauses.writer()
        for piece in self.model.pieces.values():
            place = f"piece.{piece.name}"
            stands = [plain_text(names.title(domain)) for domain in piece.stands_on]
            where = [names.list_text(stands, "or"), *self._room_texts(piece)]
            yield PrintedRow(
                (
                    plain_text(names.heading(piece.name)),
                    self._count_phrase(
                        piece, writer.value(piece.count), "for_each", "in_all"
                    ),
                    join_texts(where, "; "),
                ),
                place,
                self.clauses.cites_at(place),
            )

    def _room_texts(self, piece: m.Piece) -> Iterator[Text]:
        if piece.room is None:
            return
        names = self.clauses.names
        if piece.room.maximum is None:
            yield names.phrase("any_number")
            return
        count = self.clauses.writer().value(piece.room.maximum)
        if piece.room.each_owner:
            yield self._count_phrase(piece, count, "room_each", "room")
        else:
            yield names.phrase("room", count=count)

    def _count_phrase(
        self, piece: m.Piece, count: Text, each_key: str, total_key: str
    ) -> Text:
        """Return a phrase with a number of pieces, for each owner or in total."""
        names = self.clauses.names
        match piece.owner:
            case None:
                return names.phrase(total_key, count=count)
            case m.DomainSort.PLAYER:
                return names.phrase(f"{each_key}_player", count=count)
            case kind:
                return names.phrase(each_key, count=count, kind=names.title(kind))

    def _dice_rows(self) -> Iterator[PrintedRow]:
        names = self.clauses.names
        for name, field in self.model.fields.items():
            if not field.faces:
                continue
            faces = [names.value(field.type, face) for face in field.faces]
            place = f"dice.{name}"
            title = plain_text(names.heading(name))
            row = (title, join_texts(faces, ", "))
            yield PrintedRow(row, place, self.clauses.relevant_cites(field.cites))

    # ------------------------------------------------------------ kinds and spaces

    def _member_sections(self) -> Iterator[PageSection]:
        """Yield a section for each kind and each domain of spaces."""
        for name, domain in self.model.domains.items():
            special = m.DomainSort.PLAYER, m.DomainSort.PAIR, m.DomainSort.CARDS
            if domain.sort in special:
                continue
            place = self._domain_address(name)
            title = plain_text(
                capitalize(plain_text(self.clauses.names.plural_title(name)))[0].text
            )
            count = plain_text(str(len(domain.members)))
            key = "of_each_player" if domain.each_player else None
            blocks: list[Any] = []
            if domain.sort.is_place and _follow_from_axes(domain):
                blocks.append(TextLine(self._axes_text(domain, count), place))
            elif domain.sort.is_place and len(domain.columns) == 1:
                blocks += self._grouped_lines(domain)
            elif domain.columns:
                blocks.append(self.member_table(domain))
            elif domain.sort.is_place:
                words = [count, self.clauses.names.phrase(key)] if key else [count]
                blocks.append(TextLine(join_texts(words, " "), place))
            else:
                listed = map(plain_text, self._member_titles(domain))
                blocks.append(TextLine(join_texts(listed, ", "), place))
            yield PageSection(title, place, self.clauses.cites_at(place), tuple(blocks))

    def _axes_text(self, domain: m.Domain, count: Text) -> Text:
        """Return the number of spaces of a kind and their coordinates."""
        names = self.clauses.names
        if m.FACING in domain.columns:
            home, side = domain.axes
            sides = names.list_text(self._axis_values(side))
            return names.phrase(
                "on_sides", count=count, space=names.title(home.name), sides=sides
            )
        owner = names.phrase("of_each_player") if domain.each_player else ()
        return names.phrase(
            "grid",
            count=join_texts(filter(None, (count, owner)), " "),
            axes=names.list_text(map(self._axis_text, domain.axes)),
        )

    def _axis_text(self, axis: m.Axis) -> Text:
        """Return the name of a coordinate with its range or its values."""
        names = self.clauses.names
        if isinstance(axis.type, m.Whole):
            ends = {"low": str(axis.low), "high": str(axis.low + axis.size - 1)}
            values = names.sentence("Whole", ends)
        elif axis.size <= LISTED_VALUES_MAX:
            values = names.list_text(self._axis_values(axis), "or")
        else:
            return plain_text(names.title(axis.name))
        return names.phrase("axis", axis=names.title(axis.name), values=values)

    def _axis_values(self, axis: m.Axis) -> Iterator[Text]:
        """Yield the titles of the members on an axis."""
        assert isinstance(axis.type, m.Member)
        domain = self.model.domains[axis.type.domain]
        return map(plain_text, self._member_titles(domain))

    def _grouped_lines(self, domain: m.Domain) -> Iterator[TextLine]:
        """Yield spaces as lines, grouped by their only attribute."""
        names = self.clauses.names
        (column,) = domain.columns.values()
        groups: dict[Text, list[Text]] = {}
        for member, value in zip(
            self._member_titles(domain), column.values, strict=True
        ):
            groups.setdefault(self._cell(column, value), []).append(plain_text(member))
        for value, members in groups.items():
            listed = join_texts(members, ", ")
            label = value
            if isinstance(column.type, m.Whole):
                name = names.heading(column.name)
                label = names.phrase("attribute", name=name, value=value)
            text = names.phrase("labelled", label=label, text=listed)
            yield TextLine(capitalize(text))

    def _member_titles(self, domain: m.Domain) -> Iterator[str]:
        for member in domain.members:
            yield self.clauses.names.member_title(domain.name, member)

    def _domain_address(self, name: str) -> str:
        """Return the address of the clause that declares a domain."""
        sorts = ("kind", "spaces", "hexes", "corners", "links", "cards", "team")
        known = (f"{sort}.{name}" for sort in sorts)
        clauses = self.clauses.book.clauses
        return next((place for place in known if place in clauses), f"kind.{name}")

    def member_table(
        self, domain: m.Domain, *, with_copies: bool = False
    ) -> PrintedTable:
        """Return a table of members, their attributes and, if wanted, their copies."""
        names = self.clauses.names
        columns = list(domain.columns.values())
        heads = [plain_text(capitalize(plain_text(names.title(domain.name)))[0].text)]
        if with_copies:
            heads.append(names.phrase("copies"))
        heads += [plain_text(names.heading(column.name)) for column in columns]
        rows = tuple(
            self._member_row(domain, number, with_copies=with_copies)
            for number in range(len(domain.members))
        )
        return PrintedTable(tuple(heads), rows)

    def _member_row(
        self, domain: m.Domain, number: int, *, with_copies: bool
    ) -> PrintedRow:
        names, writer = self.clauses.names, self.clauses.writer()
        member = domain.members[number]
        cells = [plain_text(names.member_title(domain.name, member))]
        if with_copies:
            cells.append(writer.value(domain.copies[number]))
        cells += [
            self._cell(column, column.values[number])
            for column in domain.columns.values()
        ]
        return PrintedRow(tuple(cells), f"{self._domain_address(domain.name)}.{member}")

    def _cell(self, column: m.Column, value: Any) -> Text:
        empty = isinstance(column.type, m.Bag) and not any(value)
        may_lack = isinstance(column.type, m.Member) or (
            isinstance(column.type, m.Whole) and column.type.low == m.NONE
        )
        missing = may_lack and value == m.NONE
        if empty or missing:
            return plain_text("–")
        return self.clauses.names.value(column.type, value)

    # ------------------------------------------------------------ holders

    def _field_rows(self) -> Iterator[PrintedRow]:
        names, writer = self.clauses.names, self.clauses.writer()
        for key, field in self.model.fields.items():
            if field.faces or is_counter(field) or field.bookkeeping:
                continue
            place = key if field.owner is not None else f"game.{field.name}"
            title = names.field_title(field)
            named = plain_text(title[:1].upper() + title[1:])
            home = field.piece or field.home
            if home is not None:
                each = home == m.DomainSort.PLAYER
                whose = (
                    names.phrase("of_each_player")
                    if each
                    else names.phrase("of_each", kind=names.title(home))
                )
                named = (*named, *plain_text(" ("), *whose, *plain_text(")"))
            is_dealt = names.is_dealt(field)
            type = names.dealt_type(field) if is_dealt else field.type
            sort = writer.from_template(type)
            if field.endless:
                sort = join_texts([sort, names.phrase("endless")], ", ")
            seen = names.phrase(f"seen_{field.seen_by}")
            cells = (named, sort, seen, self._start_value(field))
            yield PrintedRow(cells, place, self.clauses.relevant_cites(field.cites))

    def _start_value(self, field: m.Field) -> Text:
        names, writer = self.clauses.names, self.clauses.writer()
        start: Text = ()
        if field.start_every:
            start = names.phrase("every_one")
        elif field.start_each is not None:
            start = names.phrase("each_of_them", count=writer.value(field.start_each))
        elif names.is_dealt(field):
            start = names.sentence("value.none", {})
        elif field.start is not None:
            start = writer.express(field.start)
        if field.resets or field.resets_round:
            key = "resets" if field.resets else "resets_round"
            return names.phrase(key, start=start or names.phrase("starts_empty"))
        return start

    # ------------------------------------------------------------ cards

    def cards(self) -> Iterator[PageSection]:
        """Yield a section for each kind of card: a table, and each card's effect."""
        for name, domain in self.model.domains.items():
            if domain.sort is not m.DomainSort.CARDS:
                continue
            place = self._domain_address(name)
            table: Block = self._table_with_texts(domain)
            if domain.axes:
                axes = (
                    plain_text(self.clauses.names.title(a.name)) for a in domain.axes
                )
                listed = self.clauses.names.list_text(axes)
                table = TextLine(
                    self.clauses.names.phrase("product", axes=listed), place
                )
            texts = tuple(filter(None, map(self._card_section, domain.members)))
            title = plain_text(
                capitalize(plain_text(self.clauses.names.plural_title(name)))[0].text
            )
            cites = self.clauses.cites_at(place)
            yield PageSection(title, place, cites, (table,), texts)

    def _table_with_texts(self, domain: m.Domain) -> PrintedTable:
        """Return the table of a domain's cards, with their texts if there are any."""
        table = self.member_table(domain, with_copies=bool(domain.copies))
        texts = list(map(self._card_text, domain.members))
        if not any(texts):
            return table
        rows = tuple(
            self._row_with_text(row, member, text)
            for row, member, text in zip(table.rows, domain.members, texts, strict=True)
        )
        return PrintedTable((*table.heads, self.clauses.names.phrase("says")), rows)

    def _row_with_text(self, row: PrintedRow, member: str, text: str) -> PrintedRow:
        place = f"card.{member}"
        cites = self.clauses.cites_at(place)
        own = place if text else row.place
        return PrintedRow((*row.cells, plain_text(text)), own, cites)

    def _card_text(self, name: str) -> str:
        """Return the text printed on a card."""
        place = f"card.{name}"
        info = self.clauses.book.clauses.get(place)
        text = getattr(info and info.node, "text", None)
        return self.clauses.names.localizer.sentence(place, text) if text else ""

    def _card_section(self, name: str) -> PageSection | None:
        """Return the section on a card's effect, or None if it has no procedure."""
        place = f"card.{name}"
        if place not in self.model.procedures:
            return None
        return self.clauses.section(place, name, self.clauses.body_lines(place))


def _follow_from_axes(domain: m.Domain) -> bool:
    """Return whether all attributes of a kind of spaces follow from its coordinates."""
    known = {axis.name for axis in domain.axes} | {m.FACING}
    return bool(domain.axes) and set(domain.columns) <= known
