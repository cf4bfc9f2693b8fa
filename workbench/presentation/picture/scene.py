"""Scene: contents of a picture as data, for SVG and for the terminal.

All data of a scene comes from a view: spaces, pieces, seats, tables and titles.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import (
    FACING,
    Bag,
    Column,
    Domain,
    DomainSort,
    Look,
    Member,
    Model,
    Truth,
    Whole,
)
from rulebook.tooling import counted_limit, look_definition
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import (
    hidden_fields,
    relevant_view,
)
from workbench.presentation.narration.piece_counts import (
    piece_counts,
    piece_fields,
)
from workbench.presentation.picture.geometry import Plane, board_plane, crop
from workbench.presentation.picture.hints import Hints, distinct_letters, owning_members
from workbench.presentation.picture.scene_parts import (
    PlacedPiece,
    SceneRow,
    SceneTable,
    Seat,
    Space,
    Trait,
)
from workbench.presentation.picture.visible_spaces import (
    spaces_in_use,
    visible_spaces,
)

COMPLETE_COLUMNS_MAX = 9
"""Maximum number of columns of players' boards that are drawn completely."""


@attrs.frozen
class Scene:
    """Contents of a picture for one reader.

    `letters` and `colours` contain the letter and colour of each owner of pieces.
    """

    book: Rulebook
    hints: Hints
    titles: Localizer
    view: Mapping[str, Any]
    plane: Plane | None
    spaces: tuple[Space, ...]
    seats: tuple[Seat, ...]
    tables: tuple[SceneTable, ...]
    common: tuple[tuple[str, str], ...]
    letters: Mapping[str, str]
    colours: Mapping[str, str]

    def yielded_card(self, kind: str) -> str:
        """Return the title of the card that a kind of space yields, or ""."""
        model = self.book.model
        for domain in model.domains.values():
            if kind not in domain.members:
                continue
            for column in domain.columns.values():
                value = column.values[domain.members.index(kind)]
                if isinstance(column.type, Member) and value >= 0:
                    return self.titles.value(
                        model.domains[column.type.domain].members[value]
                    )
        return ""

    def caption(self, space: Space) -> str:
        """Return the text of the card on a space, or "" without a card.

        The text is the title of the card, or of its value in the column that `hint
        caption KIND: "COLUMN"` names.
        """
        card = first_card(space)
        if card is None:
            return ""
        for domain in self.book.model.domains.values():
            column = self.hints.get(Look.CAPTION, domain.name)
            if column is not None and card in domain.members:
                named = (t.value for t in space.traits if t.name == column)
                return self.titles.value(next(named, card))
        return self.titles.value(card)

    def counters(self, space: Space) -> Iterator[str]:
        """Yield the labelled numbers of a space: `stock 2`, or `▣▣▢`.

        With `hint unfilled`, the label is repeated for each unit, followed by a sign
        for each missing unit.
        """
        for trait in space.traits:
            label = self.hints.get(Look.LABEL, trait.name)
            if trait.is_member or label is None:
                continue
            missing = self.hints.get(Look.UNFILLED, trait.name)
            if missing is None or trait.maximum is None:
                yield f"{label} {trait.value}"
            else:
                yield label * trait.value + missing * (trait.maximum - trait.value)

    def number(self, space: Space) -> Trait | None:
        """Return the number on a field to which dice refer, or None.

        Without any pips hint, return the first number of a face.
        """
        numbers = [
            t for t in space.traits if not t.is_member and not isinstance(t.value, bool)
        ]
        rolled = [trait for trait in numbers if self.hints.pips(trait.name)]
        if rolled or Look.PIPS in self.hints.texts or space.sort is not DomainSort.FACE:
            return next(iter(rolled), None)
        return next(iter(numbers), None)

    def is_likeliest(self, trait: Trait) -> bool:
        """Return whether no number on the board is likelier to be rolled than this one.

        Return False if all numbers are equally likely.
        """
        ways = self.hints.pips(trait.name)
        if len(set(ways.values())) < 2 or trait.value not in ways:
            return False
        traits = (t for space in self.spaces for t in space.traits)
        counts = [ways.get(t.value, 0) for t in traits if t.name == trait.name]
        return ways[trait.value] == max(counts)

    def can_be_rolled(self, trait: Trait) -> bool:
        """Return whether the dice can roll a number; true for numbers without dice."""
        ways = self.hints.pips(trait.name)
        return not ways or trait.value in ways

    def kinds(self) -> tuple[str, ...]:
        """Return the cards and kinds on the spaces, each once, in declaration order."""
        shown = {
            trait.value
            for space in self.spaces
            for trait in space.traits
            if trait.is_member
        }
        kinds = (
            d
            for d in self.book.model.domains.values()
            if d.sort is not DomainSort.PLAYER
        )
        members = (member for domain in kinds for member in domain.members)
        return tuple(dict.fromkeys(m for m in members if m in shown))


def scene_of(game: Game, seat: str | None = None, language: str | None = None) -> Scene:
    """Return the scene of a game for a seat, or for a spectator (None)."""
    book, view = game.book, relevant_view(game, seat)
    hints, titles = Hints.for_book(book), Localizer.for_book(book, language)
    plane = board_plane(book.model, hints, game.options, game.seats)
    owners = (*game.seats, *owning_members(book.model))
    by_title = distinct_letters(titles.title(owner) for owner in owners)
    letters = {owner: by_title[titles.title(owner)] for owner in owners}
    builder = _SpaceBuilder(book.model, hints, titles, view, plane, game, seat)
    visible = visible_spaces(builder.spaces(), plane, hints)
    drawn = spaces_in_use(visible, hints)
    spaces = tuple(spaces_in_used_columns(iter(drawn), plane))
    homes = [space.place for space in spaces if space.place.home is None]
    whole = sum(space.place.home is None for space in visible)
    if plane is not None and plane.grid is not None and 0 < len(homes) < whole:
        plane = crop(plane, homes)
    return Scene(
        book=book,
        hints=hints,
        titles=titles,
        view=view,
        plane=plane,
        spaces=spaces,
        seats=tuple(_seats(game, view, hints, titles, letters)),
        tables=tuple(builder.tables()),
        common=tuple(common_fields(book, view, titles)),
        letters=letters,
        colours={owner: hints.owner_colours[owner] for owner in owners},
    )


def spaces_in_used_columns(
    spaces: Iterator[Space], plane: Plane | None
) -> Iterator[Space]:
    """Yield a board's spaces, without players' columns far from any piece or card.

    Boards of few columns are complete.
    """
    listed = list(spaces)
    columns = {space.place.centre[0] for space in listed if space.place.outline}
    if plane is None or not plane.rows or len(columns) <= COMPLETE_COLUMNS_MAX:
        yield from listed
        return
    tables: dict[int, list[Space]] = {}
    for space in listed:
        tables.setdefault(plane.board_index(space.place), []).append(space)
    for own in tables.values():
        used = [s.place.centre[0] for s in own if s.pieces or has_card(s)] or [0.0]
        low, high = min(used) - 1, max(used) + 1
        yield from (s for s in own if low <= s.place.centre[0] <= high)


def first_card(space: Space) -> str | None:
    """Return the first card or kind on a space, or None."""
    return next((t.value for t in space.traits if t.is_member), None)


def has_card(space: Space) -> bool:
    """Return whether a space has a card or kind, face up or face down."""
    return any(trait.is_member or trait.is_face_down for trait in space.traits)


@attrs.frozen
class _SpaceBuilder:
    """Builder of the spaces of a board from a view."""

    model: Model
    hints: Hints
    localizer: Localizer
    view: Mapping[str, Any]
    plane: Plane | None
    game: Game
    reader: str | None

    def spaces(self) -> Iterator[Space]:
        """Yield the spaces that have a position, in order of declaration."""
        if self.plane is None:
            return
        numbers = {
            name: (domain, number)
            for domain in self.model.domains.values()
            for number, member in enumerate(domain.members)
            for name in self._names(domain, member)
        }
        drawn = self._drawn_domains()
        for name, place in self.plane.places.items():
            domain, number = numbers[name]
            if place.domain in drawn:
                continue
            yield Space(
                name=name,
                title=self.localizer.value(name),
                sort=domain.sort,
                place=place,
                traits=self._visible_traits(domain, number, name),
                pieces=self._pieces(name, self._board_owner(domain, name)),
                is_named=bool(domain.columns)
                or name in self.localizer.words
                or (domain.sort is DomainSort.SPACE and not domain.axes),
            )
        for domain, attribute in drawn.values():
            yield from self._placed_members(domain, attribute)

    def _drawn_domains(self) -> Mapping[str, tuple[Domain, str]]:
        """Return the domains drawn in place of spaces, by the spaces' domain name.

        `hint lies KIND: "attribute"` draws each member of the kind at the space that
        the attribute (the second value) names. Nothing else is drawn there.
        """
        drawn = {}
        for domain in self.model.domains.values():
            attribute = self.hints.get(Look.LIES, domain.name)
            for field in self.model.fields.values():
                named = (field.owner, field.name) == (domain.name, attribute)
                if named and isinstance(field.type, Member):
                    drawn[field.type.domain] = (domain, field.name)
        return drawn

    def _placed_members(self, domain: Domain, attribute: str) -> Iterator[Space]:
        """Yield the members of a domain, each at the space that its attribute names."""
        assert self.plane is not None
        for number, name in enumerate(domain.members):
            traits = self._visible_traits(domain, number, name)
            for trait in traits:
                if trait.name == attribute:
                    yield Space(
                        name=name,
                        title=self.localizer.value(name),
                        sort=domain.sort,
                        place=self.plane.places[trait.value],
                        traits=tuple(other for other in traits if other is not trait),
                        pieces=self._pieces(name),
                    )

    def _visible_traits(
        self, domain: Domain, index: int, name: str
    ) -> tuple[Trait, ...]:
        """Return the attributes of a space; on a common board, hinted ones first.

        Those whose other values have hints come before those without any.
        """
        traits = tuple(self._traits(domain, index, name))
        if domain.each_player:
            return traits
        return tuple(sorted(traits, key=self._hint_order))

    def _hint_order(self, trait: Trait) -> int:
        """Return 0 for an attribute with a hint, 1 if other values have one, or 2."""
        if not trait.is_member:
            return 0 if self.hints.pips(trait.name) else 2
        if self._has_hint(trait.value):
            return 0
        return 1 if trait.value in self._kinds_with_hints else 2

    def _has_hint(self, name: str) -> bool:
        shown = (Look.COLOUR, Look.LABEL, Look.SHAPE)
        return any(self.hints.get(look, name) for look in shown)

    @cached_property
    def _kinds_with_hints(self) -> frozenset[str]:
        """All members of kinds and cards of which at least one member has a hint."""
        return frozenset(
            member
            for domain in self.model.domains.values()
            if domain.sort in {DomainSort.KIND, DomainSort.CARDS}
            and any(map(self._has_hint, domain.members))
            for member in domain.members
        )

    def _names(self, domain: Domain, member: str) -> list[str]:
        """Return a member's names: one for each seat if each player has the member."""
        if not domain.each_player:
            return [member]
        return [f"{seat}_{member}" for seat in self.view["points"]]

    def tables(self) -> Iterator[SceneTable]:
        """Yield tables of the spaces without a position, by domain."""
        placed = self.plane.places if self.plane else {}
        for domain in self.model.domains.values():
            if domain.sort is not DomainSort.SPACE or domain.each_player:
                continue
            if domain.members[0] in placed or domain.axes:
                continue
            if self.hints.get(Look.LIES, domain.name):
                continue
            rows = tuple(
                SceneRow(
                    self.localizer.value(name),
                    tuple(self._cells(domain, number)),
                    self._pieces(name),
                )
                for number, name in enumerate(domain.members)
            )
            yield SceneTable(self.localizer.plural(domain.name, domain.plural), rows)

    def _traits(self, domain: Domain, index: int, name: str) -> Iterator[Trait]:
        """Yield the attributes of a space that have a value, constant ones first."""
        yield from self._shown_definition(domain, name)
        axes = {axis.name for axis in domain.axes} | {FACING}
        for column in domain.columns.values():
            if column.name in axes:
                continue
            if isinstance(column.type, Member) and column.values[index] >= 0:
                members = self.model.domains[column.type.domain].members
                yield Trait(column.name, members[column.values[index]], is_member=True)
            elif has_number(column, index):
                yield Trait(column.name, column.values[index], is_member=False)
        fields = {
            f.name: f
            for f in self.model.fields.values()
            if f.owner == domain.name and f.piece is None and not f.bookkeeping
        }
        shown = dict(self.view.get("board", {}).get(name, {}))
        if not all(field.dealt for field in fields.values()):
            shown |= self.view.get(domain.name, {}).get(name, {})
        for attribute, value in shown.items():
            if attribute not in fields:
                continue
            kind = fields[attribute].type
            if isinstance(value, Mapping) and isinstance(kind, Member):
                if value["count"]:
                    yield Trait(attribute, 1, is_member=False, is_face_down=True)
            elif value is not None and isinstance(kind, Member | Whole | Truth):
                most = kind.high if isinstance(kind, Whole) else None
                yield Trait(attribute, value, isinstance(kind, Member), most)
                if isinstance(kind, Member) and domain.each_player:
                    other = self.model.domains[kind.domain]
                    if value in other.members:
                        yield from self._traits(
                            other, other.members.index(value), value
                        )

    def _shown_definition(self, domain: Domain, name: str) -> Iterator[Trait]:
        """Yield the value of the definition that `hint shows` names for a kind."""
        define = look_definition(self.model, Look.SHOWS, domain.name)
        if define is not None:
            value = self.game.visible_value(self.reader, define, name)
            if value is not None:
                yield Trait(define.partition("(")[0], value, is_member=True)

    def _cells(self, domain: Domain, index: int) -> Iterator[str]:
        """Yield the attributes of a space as texts of table cells."""
        for column in domain.columns.values():
            value = column.values[index]
            match column.type:
                case Member(domain=other) if value >= 0:
                    yield self.localizer.value(self.model.domains[other].members[value])
                case Whole() if value:
                    yield f"{self.localizer.field(domain.name, column.name)}: {value}"
                case Bag(domain=other) if any(value):
                    members = self.model.domains[other].members
                    pairs = zip(members, value, strict=True)
                    yield bag_text(dict(pairs), self.localizer)

    def _board_owner(self, domain: Domain, name: str) -> str | None:
        """Return the seat on whose board a space is, or None."""
        if not domain.each_player:
            return None
        seats: list[str] = list(self.view["points"])
        return next(seat for seat in seats if name.startswith(f"{seat}_"))

    def _pieces(
        self, name: str, board_owner: str | None = None
    ) -> tuple[PlacedPiece, ...]:
        """Return the pieces on a space; *board_owner* owns those without an owner."""
        placed = []
        for piece, where in self.view.get("pieces", {}).items():
            if name not in where:
                continue
            shape = self.hints.piece_shape(piece)
            kind = self.model.pieces[piece]
            for _, owner, count in piece_counts({name: where[name]}):
                fields = tuple(self._piece_fields(piece, name, owner))
                whose = owner or board_owner
                is_seats = whose is not None and (kind.each_player or not kind.owner)
                placed.append(PlacedPiece(piece, whose, shape, count, fields, is_seats))
        return tuple(placed)

    def _piece_fields(
        self, piece: str, space: str, owner: str | None
    ) -> Iterator[tuple[str, str]]:
        """Yield the titles and values of a piece's fields that the reader sees."""
        values = piece_fields(self.model, self.view, piece, space, owner)
        for field, value in values:
            title = field.written_name.replace("_", " ")
            if value is True:
                yield title, title
            elif value is not False:
                yield title, self.localizer.value_text(value)


def _seats(
    game: Game,
    view: Mapping[str, Any],
    hints: Hints,
    localizer: Localizer,
    letters: Mapping[str, str],
) -> Iterator[Seat]:
    """Yield the seats, with the points and holdings that the reader may know."""
    for seat in game.seats:
        held = view.get("player", {}).get(seat, {})
        title = localizer.title(seat)
        yield Seat(
            name=seat,
            title=title,
            letter=letters[seat],
            colour=hints.seat_colour(seat),
            points=localizer.points_text(
                view["points"].get(seat, 0), at_least=seat in view.get("at_least", ())
            ),
            holdings=tuple(_visible_fields(game.book, "player", held, view, localizer)),
            awards=tuple(
                localizer.title(award)
                for award, holder in view.get("awards", {}).items()
                if holder == seat
            ),
            must_act=game.to_act == seat,
        )


def kinds_with_fields(model: Model) -> Iterator[str]:
    """Yield the kinds, other than spaces and cards, whose members have fields."""
    owners = {field.home for field in model.fields.values()}
    for domain in model.domains.values():
        if domain.sort is DomainSort.KIND and domain.name in owners:
            yield domain.name


def common_fields(
    book: Rulebook, view: Mapping[str, Any], localizer: Localizer
) -> Iterator[tuple[str, str]]:
    """Yield titles and values of fields that belong to no seat."""
    yield from _visible_fields(book, None, view.get("game", {}), view, localizer)
    for kind in kinds_with_fields(book.model):
        for member, values in view.get(kind, {}).items():
            parts = [
                " ".join(pair)
                for pair in _visible_fields(book, kind, values, view, localizer)
            ]
            if parts:
                yield localizer.value(member), "; ".join(parts)


def _visible_fields(
    book: Rulebook,
    owner: str | None,
    values: Mapping[str, Any],
    view: Mapping[str, Any],
    localizer: Localizer,
) -> Iterator[tuple[str, str]]:
    """Yield titles and values of an owner's fields that are worth showing now."""
    hidden = hidden_fields(book, view)
    for field in book.model.fields.values():
        if field.home != owner or field.name not in values:
            continue
        if counted_limit(field.name) is not None or field.name in hidden:
            continue
        show = pair_table_text if field.is_pair else field_text
        text = show(values[field.name], localizer)
        if text:
            yield localizer.field(field.home, field.name), text


def has_number(column: Column, number: int) -> bool:
    """Return whether a column has a number for the member at index *number*."""
    value = column.values[number]
    return (
        isinstance(column.type, Whole)
        and value is not None
        and (value >= column.type.low)
    )


def field_text(value: Any, localizer: Localizer) -> str:
    """Return the value of a field in words, or "" if it is empty or zero."""
    match value:
        case None | False | 0:
            return ""
        case True:
            return "✓"
        case str():
            return localizer.value(value)
        case int():
            return str(value)
        case {"count": int(count), **rest} if set(rest) <= {"known"}:
            return str(count) if count else ""
        case Mapping():
            return bag_text(value, localizer)
        case _:
            return ", ".join(field_text(part, localizer) or "?" for part in value)


def pair_table_text(table: Any, localizer: Localizer) -> str:
    """Return the non-empty values of a field with a value for each pair, in words."""
    if not isinstance(table, Mapping):
        return field_text(table, localizer)
    pairs = [
        (localizer.value(key), pair_table_text(value, localizer))
        for key, value in table.items()
    ]
    return ", ".join(f"{title} {text}" for title, text in pairs if text)


def bag_text(bag: Mapping[str, Any], localizer: Localizer) -> str:
    """Return the contents of a bag in words: `2 a, 1 b`."""
    return ", ".join(localizer.card_texts(bag))
