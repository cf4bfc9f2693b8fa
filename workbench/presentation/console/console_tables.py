"""Tables with aligned columns; long texts wrap on a narrow terminal."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rulebook import printable_lines

COLUMN_GAP = 2
"""Number of blank cells between two columns."""


def aligned_columns(
    rows: Iterable[Sequence[str]],
    *,
    headings: Sequence[str] = (),
    right_aligned: Sequence[int] = (),
    wrapping: Sequence[int] = (),
    min_widths: Sequence[int] = (),
    indent: int = 0,
) -> Padding:
    """Return rows as a table with aligned columns, under `headings` if given.

    Columns with an index in `right_aligned` are right-aligned. Only columns with an
    index in `wrapping` may wrap. `min_widths` gives the minimum width of each column.
    """
    shown = [
        [printable_lines(cell) for cell in row] for row in (headings, *rows) if row
    ]
    table = Table.grid(padding=(0, COLUMN_GAP), pad_edge=False)
    for index, cells in enumerate(zip(*shown, strict=True)):
        widths = [cell_len(line) for cell in cells for line in cell.split("\n")]
        wraps = index in wrapping
        table.add_column(
            justify="right" if index in right_aligned else "left",
            no_wrap=not wraps,
            min_width=None
            if wraps
            else max(*widths, *min_widths[index : index + 1], 0),
            overflow="fold",
        )
    for row in shown:
        style = "head" if headings and row is shown[0] else ""
        table.add_row(*map(Text, row), style=style)
    return Padding(table, (0, 0, 0, indent), expand=False)
