"""Players' boards as text: rows of cards, one board below another.

A row is as high as its fullest card. Cells are as wide as the distance between
positions, so that cards placed between others have space for their names.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import attrs
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from workbench.presentation.console.streams import MEASURING_CONSOLE, cut_to_width
from workbench.presentation.picture.hints import readable_ink
from workbench.presentation.picture.scene import Scene, first_card
from workbench.presentation.picture.scene_parts import PlacedPiece, Space
from workbench.presentation.picture.text.canvas import (
    DIM,
    MARKED,
    NORMAL,
    Canvas,
    centre_text,
)

STEP = 4
MAX_STEP = 9
TALLEST = 2
LINE = "═"


def draw_tableau(
    scene: Scene, width: int, marks: Mapping[str, str], *, omit_empty: bool = False
) -> Canvas | None:
    """Draw the boards of all players; return None if the columns are too narrow.

    With *omit_empty*, rows without cards, pieces or marks are left out, and so are the
    titles of the owners.
    """
    across = [space.place.centre[0] for space in scene.spaces]
    step = min(int((width - 1) / (max(across) - min(across) + 2)), MAX_STEP)
    if step < STEP or scene.plane is None:
        return None

    def is_worth_drawing(space: Space) -> bool:
        holds = space.pieces or first_card(space) is not None
        return bool(holds) or space.name in marks

    canvas, y, table = Canvas(), 0, -1
    for row in rows_of(scene):
        if omit_empty and not any(map(is_worth_drawing, row)):
            continue
        if scene.plane.board_index(row[0].place) != table:
            table = scene.plane.board_index(row[0].place)
            y += table > 0 and not omit_empty
            if omit_empty:
                _draw_owner_letter(canvas, scene, table, y)
            else:
                y = _draw_owner(canvas, scene, table, y)
        cells = _RowDrawing(scene, canvas, step, min(across), cell_width(row, step))
        y += cells.draw_row(row, y, marks)
    return canvas


def rows_of(scene: Scene) -> Iterator[Sequence[Space]]:
    """Yield the rows of all players' boards from the top, each from left to right."""
    rows: dict[float, list[Space]] = {}
    for space in scene.spaces:
        if space.place.ends is not None:
            continue
        rows.setdefault(space.place.centre[1], []).append(space)
    for high in sorted(rows):
        yield sorted(rows[high], key=lambda space: space.place.centre[0])


def cell_width(row: Sequence[Space], step: int) -> int:
    """Return the width of a row's cells; *step* is the unit's length in columns."""
    across = [space.place.centre[0] for space in row]
    apart = min((b - a for a, b in pairwise(across)), default=2.0)
    return max(round(step * apart) - 1, 1)


def _draw_owner(canvas: Canvas, scene: Scene, board: int, y: int) -> int:
    """Draw the owner's title above a board; return the next line number."""
    _draw_owner_letter(canvas, scene, board, y)
    canvas.put(4, y, scene.seats[board].title, Style(bold=True))
    return y + 1


def _draw_owner_letter(canvas: Canvas, scene: Scene, board: int, y: int) -> None:
    """Draw the letter of a board's owner at the left of a line."""
    seat = scene.seats[board]
    style = Style(color=readable_ink(seat.colour), bgcolor=seat.colour, bold=True)
    canvas.put(0, y, f" {seat.letter} ", style)


@attrs.frozen
class _RowDrawing:
    """Drawing of one row of a player's board on a canvas."""

    scene: Scene
    canvas: Canvas
    step: int
    first: float
    text_width: int

    def draw_row(self, row: Sequence[Space], y: int, marks: Mapping[str, str]) -> int:
        """Draw a row of spaces; return its number of lines."""
        written = [(space, list(self._lines(space))) for space in row]
        high = max(1, *(len(lines) for _, lines in written))
        for space, lines in written:
            self._cell(space, lines, y, high)
            mark = cut_to_width(marks.get(space.name, ""), self.text_width)
            if mark:
                self.canvas.put(self._left(space), y, mark, MARKED)
        return high

    def _left(self, space: Space) -> int:
        """Return the column where the text of a cell starts."""
        middle = (space.place.centre[0] - self.first) * self.step
        return round(middle) + self.step - self.text_width // 2

    def _cell(self, space: Space, lines: Sequence[str], y: int, height: int) -> None:
        """Draw the card or piece in a cell across its width, or a dot if empty."""
        left, style = self._left(space), self._style(space)
        if not lines:
            self.canvas.put(left + self.text_width // 2, y, "·", DIM)
            return
        for n in range(height):
            words = lines[n] if n < len(lines) else ""
            self.canvas.put(left, y + n, centre_text(words, self.text_width), style)

    def _lines(self, space: Space) -> Iterator[str]:
        """Yield the texts for the card or piece on a space."""
        if space.pieces:
            for piece in (
                space.pieces if has_repeated_piece(space) else space.pieces[-1:]
            ):
                yield self._piece(piece)
            return
        numbers = [
            str(trait.value)
            for trait in space.traits
            if not trait.is_member and self.scene.hints.pips(trait.name)
        ]
        if first_card(space) is not None:
            yield from wrap_to_two_lines(self.scene.caption(space), self.text_width)
            text = " ".join([*numbers, *self.scene.counters(space)])
            if text:
                yield (
                    text if cell_len(text) <= self.text_width else text.replace(" ", "")
                )

    def _piece(self, placed: PlacedPiece) -> str:
        """Return the text for a piece: its name, or a line from edge to edge."""
        if placed.count > 1:
            return piece_letters(self.scene, placed)
        if self.scene.hints.piece_shape(placed.piece) == "line":
            return LINE * self.text_width
        shapes = self.scene.hints.piece_shape
        named = (p for p in self.scene.book.model.pieces if shapes(p) != "line")
        longest = max(cell_len(self.scene.titles.title(piece)) for piece in named)
        if longest > self.text_width:
            return piece_letters(self.scene, placed)
        return self.scene.titles.title(placed.piece)

    def _style(self, space: Space) -> Style:
        """Return the style of a cell, from its piece or its card."""
        if space.pieces:
            return piece_style(self.scene, space.pieces[-1])
        named = (self.scene.hints.colour(t.value) for t in space.traits if t.is_member)
        colour = next((colour for colour in named if colour is not None), None)
        return Style(color=readable_ink(colour), bgcolor=colour) if colour else NORMAL


def wrap_to_two_lines(text: str, width: int) -> list[str]:
    """Return text in at most two lines of *width* cells, cut if longer."""
    lines = Text(text).wrap(MEASURING_CONSOLE, width, overflow="crop")
    return [line.plain.rstrip() for line in lines[:TALLEST]]


def piece_letters(scene: Scene, placed: PlacedPiece) -> str:
    """Return a piece as text: owner's letter or `*`, count if above 1, and initial."""
    initial = scene.titles.title(placed.piece)[:1]
    owner = scene.letters.get(placed.owner or "", "")
    return f"{owner or '*'}{placed.count if placed.count > 1 else ''}{initial.lower()}"


def has_repeated_piece(space: Space) -> bool:
    """Return whether a space contains more than one piece of the same kind."""
    kinds = {piece.piece for piece in space.pieces}
    return len(kinds) < len(space.pieces) or any(
        piece.count > 1 for piece in space.pieces
    )


def piece_style(scene: Scene, placed: PlacedPiece) -> Style:
    """Return the style of a piece."""
    colour = scene.colours.get(placed.owner or "") or scene.hints.colour(placed.piece)
    bold = Style(bold=True)
    return bold + Style(color=readable_ink(colour), bgcolor=colour) if colour else bold


def card_lines(scene: Scene) -> Iterator[str]:
    """Yield one line for each card on the players' boards."""
    if scene.plane is None or not scene.plane.rows:
        return
    for space in scene.spaces:
        if first_card(space) is not None:
            card = " ".join([scene.caption(space), *scene.counters(space)])
            yield f"{space.title}: {card}"
