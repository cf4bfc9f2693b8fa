"""Pictures, titles and colours of pieces."""

from rulebook.model import Look
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import PlacedPiece
from workbench.presentation.picture.shapes import SHAPES_BY_NAME, draw_shape
from workbench.presentation.picture.tags import Mark, text_tag, titled_group


def piece_colour(scene: Scene, placed: PlacedPiece) -> str:
    """Return the colour of a piece's owner or, without an owner, of the piece."""
    if placed.owner is not None:
        return scene.colours[placed.owner]
    return scene.hints.colour(placed.piece) or "#555555"


def draw_piece(
    scene: Scene, placed: PlacedPiece, x: float, y: float, size: float
) -> Mark:
    """Draw a piece, with a tooltip that names the piece and its owner."""
    letter = scene.letters.get(placed.owner or "", "")
    if placed.count > 1:
        letter += str(placed.count)
    whose = scene.titles.title(placed.owner) if placed.owner else ""
    fill, stock = piece_colour(scene, placed), scene.hints.drawings
    drawn = draw_shape(
        shape_of(scene, placed), x, y, size, fill, letter, drawings=stock
    )
    values = " ".join(value for _, value in placed.fields)
    drawn += text_tag(x, y + size * 1.25, values, size * 0.5, weight="bold", halo=True)
    title = f"{whose} {piece_title(scene, placed)}".strip()
    return titled_group(drawn, title, **piece_attributes(placed))


def piece_attributes(placed: PlacedPiece) -> dict[str, str | float]:
    """Return the attributes by which scripts match pieces of two pictures.

    They contain only the kind, the owner and the number of pieces, which the picture
    shows. Pieces of one kind and owner are alike, so that no hidden piece is tracked.
    """
    key = f"{placed.piece} {placed.owner or ''}".strip()
    return {"data_piece": key, "data_count": placed.count}


def piece_title(scene: Scene, placed: PlacedPiece) -> str:
    """Return a piece's title and fields, or the count of several, as in `3 workers`."""
    if placed.count > 1:
        return scene.titles.count_text(str(placed.count), placed.piece)
    title = scene.titles.title(placed.piece)
    shown = [
        f"{name} {value}" if name != value else name for name, value in placed.fields
    ]
    return f"{title} ({', '.join(shown)})" if shown else title


def shape_of(scene: Scene, placed: PlacedPiece) -> str:
    """Return the shape of a piece; `hint shape OWNER` overrides it."""
    own = scene.hints.get(Look.SHAPE, placed.owner or "") or ""
    return own if own in SHAPES_BY_NAME or own in scene.hints.drawings else placed.shape
