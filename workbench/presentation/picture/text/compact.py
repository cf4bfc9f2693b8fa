"""Boards as text with few lines, for screens on which the usual drawing is too high.

A hex has two lines: one with its number, kind and pieces, and one with its upper links
and corners. Players' boards omit rows without cards or pieces.
"""

from collections.abc import Iterator, Mapping

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from rulebook.model import DomainSort, Look
from workbench.presentation.console.streams import cut_to_width
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import Space
from workbench.presentation.picture.text.board_lines import (
    cells_between,
    fill_style,
    likely_mark,
    link_piece_initials,
)
from workbench.presentation.picture.text.canvas import DIM, MARKED, Canvas
from workbench.presentation.picture.text.tableau import (
    draw_tableau,
    piece_letters,
    piece_style,
)

HALF_WIDTH = 4
"""Number of columns between neighbouring corners."""
CODE_LENGTH = 2
HEX_HEIGHT = 0.75
"""Length of a line of text on a plane with hexes of radius 1."""
HEX_WIDTH = 0.8660254
"""Half of the width of such a hex."""


def compact_board_lines(
    scene: Scene,
    width: int,
    *,
    use_unicode: bool = True,
    marks: Mapping[str, str] | None = None,
) -> Iterator[Text]:
    """Yield the board in few lines; none if it has no such drawing or is too wide."""
    if scene.plane is None:
        return
    canvas: Canvas | None = None
    if scene.plane.rows:
        canvas = draw_tableau(scene, width, marks or {}, omit_empty=True)
    elif any(space.sort is DomainSort.FACE for space in scene.spaces):
        canvas = _draw_hexes(scene, marks or {})
    lines = [] if canvas is None else list(canvas.lines(use_unicode=use_unicode))
    if all(line.cell_len <= width for line in lines):
        yield from lines


def kind_codes(scene: Scene) -> dict[str, str]:
    """Return a short distinct text for each kind of hex on the board."""
    codes: dict[str, str] = {}
    for space in scene.spaces:
        kind = _kind(space)
        if space.sort is DomainSort.FACE and kind and kind not in codes:
            title = scene.titles.value(kind)
            tries = (title[:1] + letter for letter in f"{title[1:]}{title}")
            free = (text for text in tries if text not in codes.values())
            codes[kind] = next(free, title[:CODE_LENGTH])
    return codes


def _draw_hexes(scene: Scene, marks: Mapping[str, str]) -> Canvas:
    canvas, codes = Canvas(), kind_codes(scene)
    for space in scene.spaces:
        if space.sort is DomainSort.SPACE and space.place.ends is not None:
            _draw_coast_space(canvas, scene, space)
    for space in scene.spaces:
        if space.sort is DomainSort.FACE:
            _draw_face(canvas, scene, space, codes, marks.get(space.name, ""))
    for space in scene.spaces:
        if space.sort is DomainSort.LINK:
            _draw_link(canvas, scene, space, marks.get(space.name))
    for space in scene.spaces:
        if space.sort is DomainSort.CORNER:
            _draw_corner(canvas, scene, space, marks.get(space.name))
    return canvas


def _cell(point: tuple[float, float]) -> tuple[int, int]:
    """Return the column and line for a point of the plane."""
    return round(point[0] / HEX_WIDTH * HALF_WIDTH), round(point[1] / HEX_HEIGHT)


def _kind(space: Space) -> str:
    return next((trait.value for trait in space.traits if trait.is_member), "")


def _draw_face(
    canvas: Canvas, scene: Scene, space: Space, codes: Mapping[str, str], mark: str
) -> None:
    """Draw a hex: its mark, number, kind and pieces."""
    x, y = _cell(space.place.centre)
    room = 2 * HALF_WIDTH - 1
    number = scene.number(space)
    written = "" if number is None else f"{number.value}{likely_mark(scene, space)}"
    pieces = "".join(piece_letters(scene, piece) for piece in space.pieces)
    parts = [written, codes.get(_kind(space), ""), pieces]
    text = " ".join(filter(None, parts))
    if cell_len(mark + text) > room:
        text = " ".join(filter(None, parts[:1] + parts[2:]))
    text = cut_to_width(f"{mark} {text}" if mark else text, room)
    style = fill_style(scene, space)
    canvas.put(x - room // 2, y, text.center(room), style + Style(bold=True))
    if mark:
        canvas.put(x - room // 2 + text.center(room).index(mark), y, mark, MARKED)


def _draw_link(canvas: Canvas, scene: Scene, space: Space, mark: str | None) -> None:
    """Draw a side of a hex: the letter of its owner, its mark, or an upright line."""
    assert space.place.ends is not None and scene.plane is not None
    places = scene.plane.places
    near, far = (_cell(places[end].centre) for end in space.place.ends)
    middle = _cell(space.place.centre)
    if mark is not None:
        canvas.put_centred(*middle, mark, MARKED)
        return
    if not space.pieces:
        canvas.put(*middle, "│" if near[0] == far[0] else " ", DIM)
        return
    piece = space.pieces[0]
    letters = scene.letters.get(piece.owner or "", "#").lower()
    initials = link_piece_initials(scene)
    if len(initials) > 1:
        letters = letters.upper() + initials[piece.piece]
    style = piece_style(scene, piece)
    cells = [middle, *cells_between(near, far, dense=True)]
    for number, cell in enumerate(sorted(set(cells))):
        canvas.put(*cell, letters[number % len(letters)], style)


def _draw_corner(canvas: Canvas, scene: Scene, space: Space, mark: str | None) -> None:
    """Draw a corner: its pieces, its mark, the sign of its kind, or a dot."""
    x, y = _cell(space.place.centre)
    if space.pieces:
        words = "".join(piece_letters(scene, piece) for piece in space.pieces)
        canvas.put(x - 1, y, words, piece_style(scene, space.pieces[-1]))
    elif mark is not None:
        canvas.put(x - len(mark) // 2, y, mark, MARKED)
    else:
        shapes = (
            scene.hints.get(Look.SHAPE, trait.value)
            for trait in space.traits
            if trait.is_member
        )
        shape = next(filter(None, shapes), None)
        sign = "·" if shape is None else "●" if shape == "disc" else "◆"
        canvas.put(x, y, sign, DIM if shape is None else Style())


def _draw_coast_space(canvas: Canvas, scene: Scene, space: Space) -> None:
    """Draw a space off the coast: its label and the card that it yields."""
    x, y = _cell(space.place.centre)
    kind = _kind(space)
    label = scene.hints.get(Look.LABEL, kind) or space.title[:4]
    worth = scene.yielded_card(kind)[:CODE_LENGTH] if kind else ""
    canvas.put_centred(x, y, label + worth, fill_style(scene, space))
