"""What a picture shows: spaces with what is known of them, pieces, seats, tables."""

from typing import Any

import attrs

from rulebook.model import DomainSort
from workbench.presentation.picture.geometry import SpaceShape


@attrs.frozen
class PlacedPiece:
    """A piece on a space, whose it is (None: nobody's), and how many there are."""

    piece: str
    seat: str | None
    shape: str
    count: int = 1


@attrs.frozen
class Trait:
    """An attribute of a space with a value: a member's name, a number, yes or no.

    Of a number `most` is the highest it can be. A card that is face down is the number
    1, with `face_down`.
    """

    name: str
    value: Any
    member: bool
    most: int | None = None
    face_down: bool = False


@attrs.frozen
class Space:
    """A space that has a place, what is known of it and what stands on it."""

    name: str
    title: str
    sort: DomainSort
    place: SpaceShape
    traits: tuple[Trait, ...] = ()
    pieces: tuple[PlacedPiece, ...] = ()
    named: bool = True


@attrs.frozen
class Seat:
    """A seat: its letter and colour, what it has as far as the reader knows."""

    name: str
    title: str
    letter: str
    colour: str
    points: str
    holdings: tuple[tuple[str, str], ...]
    awards: tuple[str, ...]
    to_act: bool


@attrs.frozen
class SceneRow:
    """A space without a place, in a table: what is written and what stands there."""

    title: str
    cells: tuple[str, ...]
    pieces: tuple[PlacedPiece, ...]


@attrs.frozen
class SceneTable:
    """The spaces of a domain that have no place on the board."""

    title: str
    rows: tuple[SceneRow, ...]
