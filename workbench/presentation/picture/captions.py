"""Captions for pictures of spaces and of the state of a game."""

from collections.abc import Iterator

from workbench.presentation.picture.pieces import piece_title
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import Space


def status_line(scene: Scene) -> str:
    """Return a line stating whose turn it is, or how the game ended."""
    titles, view = scene.titles, scene.view
    end = view.get("end")
    if end is not None:
        if "winner" not in end:
            return titles.phrase("unfinished")
        ranks = end.get("ranks", {end["winner"]: 1} if end["winner"] else {})
        winners = [titles.title(seat) for seat, rank in ranks.items() if rank == 1]
        if len(winners) > 1:
            return titles.phrase("have_won", seats=titles.list_text(winners))
        return (
            titles.phrase("has_won", seat=winners[0])
            if winners
            else titles.phrase("nobody_won")
        )
    in_rounds = scene.book.model.phases_each_round
    if view.get("turn") and view.get("active"):
        seat = titles.title(view["active"])
        key = "in_round" if in_rounds else "in_turn"
        return titles.phrase(key, turn=view["turn"], seat=seat)
    return titles.phrase("before_rounds" if in_rounds else "before_turns")


def space_caption(scene: Scene, space: Space) -> str:
    """Return a description of a space and everything visible on it."""
    parts: list[str] = [space.title]
    parts += _trait_texts(scene, space)
    for piece in space.pieces:
        whose = scene.titles.title(piece.owner) if piece.owner else ""
        parts.append(f"{whose} {piece_title(scene, piece)}".strip())
    return ", ".join(parts)


def _trait_texts(scene: Scene, space: Space) -> Iterator[str]:
    for trait in space.traits:
        if trait.is_member:
            yield scene.titles.title(trait.value)
        elif trait.value is not False and scene.can_be_rolled(trait):
            name = scene.titles.title(trait.name)
            yield name if trait.value is True else f"{name} {trait.value}"
