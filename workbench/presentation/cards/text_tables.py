"""Groups of cards as text: a table of their columns, or a list of their titles."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from workbench.presentation.cards.faces import Face
from workbench.presentation.cards.rows import CardGroup
from workbench.presentation.console.streams import cut_to_width, wrap_text
from workbench.presentation.localization.localizer import Localizer

INDENT = "  "
YES = "✓"
"""Text of a column that is yes."""


def group_lines(
    group: CardGroup, localizer: Localizer, width: int, gap: str = "  "
) -> Iterator[str]:
    """Yield a group of cards in lines of at most *width* cells.

    Cards with columns are rows of a table; others are a list. The number of cards that
    are face down is in brackets.
    """
    rows = [face for face in group.faces if face.columns]
    plain = [_title(face) for face in group.faces if not face.columns]
    hidden = f"({group.face_down})" if group.face_down else ""
    if rows:
        yield from _table_lines(f"{group.title} {hidden}".rstrip(), rows, width, gap)
        hidden = ""
    if plain or hidden or not rows:
        texts = ", ".join([*plain, *filter(None, [hidden])])
        words = f"{group.title}: {texts or localizer.phrase('nothing')}"
        yield from wrap_text(words, width, INDENT)


def _title(face: Face, *, with_columns: bool = False) -> str:
    """Return the title of a card, with its number unless the card exists only once."""
    title = face.face_title if with_columns else face.title
    return f"{face.count} {title}" if face.is_counted else title


def _table_lines(
    title: str, faces: Sequence[Face], width: int, gap: str
) -> Iterator[str]:
    """Yield a table of cards: their titles, columns and texts.

    The last column is cut if the table is too wide.
    """
    names = list(dict.fromkeys(each.title for face in faces for each in face.columns))
    head = [title, *names]
    table = [head]
    for face in faces:
        values = {each.title: each.text or YES for each in face.columns}
        name = INDENT + _title(face, with_columns=True)
        cells = [name, *(values.get(n, "") for n in names)]
        table.append(cells)
    if any(face.text for face in faces):
        head.append("")
        for cells, face in zip(table[1:], faces, strict=True):
            cells.append(face.text)
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        texts = (
            set_cell_size(cell, each) for cell, each in zip(cells, widths, strict=True)
        )
        yield cut_to_width(gap.join(texts), width).rstrip()
