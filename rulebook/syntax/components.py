"""What a game is made of as it is written: kinds, tables, boards, dice, pieces."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.sorts import Orientation
from rulebook.source.spans import Cite
from rulebook.syntax.base import Clause, Name, Node
from rulebook.syntax.expressions import Amounts, Expr
from rulebook.syntax.sorts import CellForm
from rulebook.syntax.types import RangeType, Room


@attrs.frozen
class Cell(Node):
    """One cell of a table; `CellForm` says what the value of each form is."""

    form: CellForm = attrs.field(converter=CellForm)
    value: Any = None


@attrs.frozen
class Row(Node):
    cells: tuple[Cell, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Table(Node):
    """The header's names and the rows; each row has as many cells as the header.

    `defaults` are cells of the last columns, for a row that leaves them out.
    """

    columns: tuple[Name, ...]
    rows: tuple[Row, ...]
    defaults: tuple[Cell, ...] = ()


@attrs.frozen
class KindClause(Clause):
    name: Name
    plural: Name | None = None
    members: tuple[Name, ...] = ()
    table: Table | None = None


@attrs.frozen
class ColumnsClause(Clause):
    """`columns of NAME`: more columns of a table; a row `otherwise` is for the rest."""

    name: Name
    table: Table


@attrs.frozen
class Axis(Node):
    """A coordinate of spaces or cards: `column 1 to 9`, `side in side`, or `side`."""

    name: Name
    range: RangeType | None = None
    kind: Name | None = None


@attrs.frozen
class CardsClause(Clause):
    name: Name
    plural: Name | None
    table: Table | None = None
    axes: tuple[Axis, ...] = ()
    each: Expr | None = None


@attrs.frozen
class SpacesClause(Clause):
    name: Name
    plural: Name | None
    each_player: bool = False
    axes: tuple[Axis, ...] = ()
    table: Table | None = None


@attrs.frozen
class HexesClause(Clause):
    """The faces of a hex layout."""

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
    """`(1, -1)`: how far a link leads along each axis."""

    steps: tuple[int, ...]


@attrs.frozen
class LinksClause(Clause):
    """Links of a layout, of a table, or from each space `between` by some strides."""

    name: Name
    plural: Name | None
    table: Table | None = None
    between: Name | None = None
    strides: tuple[Stride, ...] = ()


@attrs.frozen
class OptionClause(Clause):
    """`default` is guarded values, the last without a condition; range None: yes/no."""

    name: Name
    range: RangeType | None
    default: tuple[tuple[Expr, Expr | None], ...]
    help: str | None = None


@attrs.frozen
class CostClause(Clause):
    """One cost; a `costs` block gives one clause for each line."""

    name: Name
    amounts: Amounts


@attrs.frozen
class DiceClause(Clause):
    """Dice with numbered faces (range) or named ones (faces: members of kinds)."""

    names: tuple[Name, ...]
    range: RangeType | None = None
    faces: tuple[Name, ...] = ()


@attrs.frozen
class PieceClause(Clause):
    """`count` pieces for each player or in all, and where how many may stand."""

    name: Name
    plural: Name | None
    count: Expr
    each_player: bool
    stands_on: tuple[Name, ...]
    room: Room | None = None
