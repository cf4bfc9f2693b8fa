"""Syntax nodes of components: kinds, tables, boards, dice and pieces."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.shared_enums import Orientation
from rulebook.source.spans import Cite
from rulebook.syntax.base_nodes import Clause, Name, Node
from rulebook.syntax.expression_nodes import Amounts, Expr
from rulebook.syntax.syntax_enums import CellForm
from rulebook.syntax.type_nodes import RangeType, RoomPhrase


@attrs.frozen
class Cell(Node):
    """Cell of a table; `form` determines the type of its value."""

    form: CellForm = attrs.field(converter=CellForm)
    value: Any = None


@attrs.frozen
class Row(Node):
    cells: tuple[Cell, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Table(Node):
    """Table: column names, and rows with as many cells.

    `defaults` are cells of the last columns, for rows that leave them out.
    """

    columns: tuple[Name, ...]
    rows: tuple[Row, ...]
    defaults: tuple[Cell, ...] = ()


def column_key(column: Name) -> int | str:
    """Return the number or the name at the head of a column of a table of values."""
    is_number = column.text.removeprefix("-").isdecimal()
    return int(column.text) if is_number else column.text


@attrs.frozen
class KindClause(Clause):
    name: Name
    plural: Name | None = None
    members: tuple[Name, ...] = ()
    table: Table | None = None


@attrs.frozen
class ColumnsClause(Clause):
    """`columns of NAME`: more columns of a table; a row `otherwise` is the default."""

    name: Name
    table: Table


@attrs.frozen
class AxisPhrase(Node):
    """Coordinate of spaces or cards: `column 1 to 9`, `side in side`, or `side`."""

    name: Name
    range: RangeType | None = None
    kind: Name | None = None


@attrs.frozen
class CardsClause(Clause):
    name: Name
    plural: Name | None
    table: Table | None = None
    axes: tuple[AxisPhrase, ...] = ()
    each: Expr | None = None


@attrs.frozen
class SpacesClause(Clause):
    """`spaces`, in a table, by coordinates, or on the sides of other spaces.

    The axes of `spaces NAME on the sides of SPACE by SIDE` are SPACE and SIDE.
    """

    name: Name
    plural: Name | None
    each_player: bool = False
    axes: tuple[AxisPhrase, ...] = ()
    table: Table | None = None
    on_sides: bool = False


@attrs.frozen
class HexesClause(Clause):
    """`hexes`: the faces of a hex layout."""

    name: Name
    plural: Name | None
    orientation: Orientation = attrs.field(converter=Orientation)
    table: Table


@attrs.frozen
class CornersClause(Clause):
    name: Name
    plural: Name | None
    table: Table | None = None


@attrs.frozen
class Stride(Node):
    """`(1, -1)`: the distance of a link along each axis of coordinates."""

    steps: tuple[int, ...]


@attrs.frozen
class LinksClause(Clause):
    """Links of a hex layout, of a table, or along `strides` between spaces."""

    name: Name
    plural: Name | None
    table: Table | None = None
    between: Name | None = None
    strides: tuple[Stride, ...] = ()


@attrs.frozen
class OptionClause(Clause):
    """`option`; `default` contains guarded values, the last without a condition.

    A range of None means yes or no.
    """

    name: Name
    range: RangeType | None
    default: tuple[tuple[Expr, Expr | None], ...]
    help: str | None = None


@attrs.frozen
class CostClause(Clause):
    """Named cost; a `costs` block gives one node for each line."""

    name: Name
    amounts: Amounts


@attrs.frozen
class DiceClause(Clause):
    """Dice with a `range` of numbers or with named `faces` (members of kinds)."""

    names: tuple[Name, ...]
    range: RangeType | None = None
    faces: tuple[Name, ...] = ()


@attrs.frozen
class PieceClause(Clause):
    """`piece`: its number and its room on a space.

    The number is for each member of the kind `owner`, or in all if that is None.
    """

    name: Name
    plural: Name | None
    count: Expr
    owner: Name | None
    stands_on: tuple[Name, ...]
    room: RoomPhrase | None = None
