"""A piece of a seat, drawn."""

from rulebook.model import Look
from workbench.picture.scene import Scene
from workbench.picture.shapes import DRAWN, shape
from workbench.picture.spaces import Standing
from workbench.picture.tags import Mark, group


def piece_colour(scene: Scene, one: Standing) -> str:
    """The colour of a piece: of its seat, else its own."""
    if one.seat is not None:
        return scene.colours[one.seat]
    return scene.hints.colour(one.piece) or "#555555"


def drawn_piece(scene: Scene, one: Standing, x: float, y: float, size: float) -> Mark:
    """A piece with a title that says what it is and whose."""
    letter = scene.letters.get(one.seat or "", "")
    if one.count > 1:
        letter += str(one.count)
    whose = scene.titles.title(one.seat) if one.seat else ""
    fill, stock = piece_colour(scene, one), scene.hints.drawings
    drawn = shape(figure(scene, one), x, y, size, fill, letter, stock=stock)
    return group(drawn, f"{whose} {called(scene, one)}".strip())


def called(scene: Scene, one: Standing) -> str:
    """What is said of a piece, or of several: `3 workers`."""
    if one.count > 1:
        return scene.titles.counted(str(one.count), one.piece)
    return scene.titles.title(one.piece)


def figure(scene: Scene, one: Standing) -> str:
    """The shape of a piece; a seat may have its own, `hint shape SEAT`."""
    own = scene.hints.get(Look.SHAPE, one.seat or "") or ""
    return own if own in DRAWN or own in scene.hints.drawings else one.shape
