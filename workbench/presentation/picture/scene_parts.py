"""Parts of a scene: spaces with their attributes, pieces, seats, tables."""

from typing import Any

import attrs

from rulebook.model import DomainSort
from workbench.presentation.picture.geometry import SpaceShape


@attrs.frozen
class PlacedPiece:
    """Pieces on a space: their kind, owner (None if unowned) and number.

    The owner is a seat (`is_owned_by_seat`) or a member of another kind.

    `fields` are the titles and values of a single piece's fields. A yes/no field
    appears only if it is yes, with its title as its value.
    """

    piece: str
    owner: str | None
    shape: str
    count: int = 1
    fields: tuple[tuple[str, str], ...] = ()
    is_owned_by_seat: bool = False


@attrs.frozen
class Trait:
    """Attribute of a space and its value: a member's name, a number, or a bool.

    `maximum` is the maximum of a number. A card that is face down has the value 1, with
    `is_face_down` set.
    """

    name: str
    value: Any
    is_member: bool
    maximum: int | None = None
    is_face_down: bool = False


@attrs.frozen
class Space:
    """Space with a position, its known attributes, and the pieces on it."""

    name: str
    title: str
    sort: DomainSort
    place: SpaceShape
    traits: tuple[Trait, ...] = ()
    pieces: tuple[PlacedPiece, ...] = ()
    is_named: bool = True


@attrs.frozen
class Seat:
    """Seat with its letter, colour, points, and holdings that the reader may know."""

    name: str
    title: str
    letter: str
    colour: str
    points: str
    holdings: tuple[tuple[str, str], ...]
    awards: tuple[str, ...]
    must_act: bool


@attrs.frozen
class SceneRow:
    """Space without a position, as a table row: its texts and its pieces."""

    title: str
    cells: tuple[str, ...]
    pieces: tuple[PlacedPiece, ...]


@attrs.frozen
class SceneTable:
    """Table of the spaces of a domain that have no position on the board."""

    title: str
    rows: tuple[SceneRow, ...]
