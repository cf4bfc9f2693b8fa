"""A piece of a seat, drawn."""

from workbench.picture.scene import Scene, Standing
from workbench.picture.shapes import DRAWN, shape
from workbench.picture.tags import Mark, group


def piece_colour(scene: Scene, one: Standing) -> str:
    """The colour of a piece: of its seat, else its own."""
    if one.seat is not None:
        return scene.colours[one.seat]
    return scene.hints.colour(one.piece) or "#555555"


def drawn_piece(scene: Scene, one: Standing, x: float, y: float, size: float) -> Mark:
    """A piece with a title that says what it is and whose."""
    letter = scene.letters.get(one.seat or "", "")
    name = scene.titles.title(one.piece)
    whose = scene.titles.title(one.seat) if one.seat else ""
    drawn = shape(figure(scene, one), x, y, size, piece_colour(scene, one), letter)
    return group(drawn, f"{whose} {name}".strip())


def figure(scene: Scene, one: Standing) -> str:
    """The shape of a piece; a seat may have its own, `hint shape SEAT`."""
    own = scene.hints.get("shape", one.seat or "") or ""
    return own if own in DRAWN else one.shape
