"""Drawing of pieces."""

from rulebook.model import Look
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import PlacedPiece
from workbench.presentation.picture.shapes import DRAWN, shape
from workbench.presentation.picture.tags import Mark, group


def piece_colour(scene: Scene, standing: PlacedPiece) -> str:
    """Return the colour of a piece: that of its seat, or else its own."""
    if standing.seat is not None:
        return scene.colours[standing.seat]
    return scene.hints.colour(standing.piece) or "#555555"


def drawn_piece(
    scene: Scene, standing: PlacedPiece, x: float, y: float, size: float
) -> Mark:
    """Draw a piece with a tooltip that names it and its owner."""
    letter = scene.letters.get(standing.seat or "", "")
    if standing.count > 1:
        letter += str(standing.count)
    whose = scene.titles.title(standing.seat) if standing.seat else ""
    fill, stock = piece_colour(scene, standing), scene.hints.drawings
    drawn = shape(figure(scene, standing), x, y, size, fill, letter, stock=stock)
    return group(drawn, f"{whose} {called(scene, standing)}".strip())


def called(scene: Scene, standing: PlacedPiece) -> str:
    """Return the title of a piece, or of several: `3 workers`."""
    if standing.count > 1:
        return scene.titles.counted(str(standing.count), standing.piece)
    return scene.titles.title(standing.piece)


def figure(scene: Scene, standing: PlacedPiece) -> str:
    """Return the shape of a piece; `hint shape SEAT` overrides it."""
    own = scene.hints.get(Look.SHAPE, standing.seat or "") or ""
    return own if own in DRAWN or own in scene.hints.drawings else standing.shape
