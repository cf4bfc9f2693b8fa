"""The board of a page: marks by space, so that only what has changed is drawn and sent.

All seats see the same board unless something on it is hidden: a board is drawn once for
each sight, language and rules, and its marks are kept.
"""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from hashlib import sha256
from threading import Lock
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.picture import Scene, scene_of
from workbench.presentation.picture.geometry import SpaceShape
from workbench.presentation.picture.scene_parts import SceneTable
from workbench.presentation.picture.svg import FONT, HEADER, MARGIN
from workbench.presentation.picture.svg import BoardDrawing as Drawn
from workbench.presentation.picture.tags import Mark, number

KEPT = 512
"""How many boards are kept, of all tables."""
PIECEWISE = 64
"""Of how many games the marks of single spaces are kept."""
ASIDE = (
    *("player", "points", "at_least", "pending", "turn", "round", "active", "starter"),
    *("game", "awards", "end", "answers"),
)
"""What a view says that no space of the board shows."""


@attrs.frozen
class SpacePosition:
    """Where a space lies in the picture: its middle, and the ends of a link."""

    name: str
    title: str
    place: SpaceShape
    middle: tuple[float, float]
    ends: tuple[tuple[float, float], tuple[float, float]] | None
    is_area: bool


@attrs.frozen
class BoardView:
    """A board as one reader sees it: marks by an id of their own, in their order."""

    box: str
    marks: Mapping[str, Mark]
    over: Mapping[str, Mark]
    spots: Mapping[str, SpacePosition]
    tables: tuple[SceneTable, ...]
    unit: float
    digest: str

    @property
    def svg(self) -> str:
        """The whole picture, of nothing but the board."""
        if not self.spots:
            return ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{self.box}" '
            f'preserveAspectRatio="xMidYMid meet" role="img" font-family="{FONT}">'
            f"{grouped(self.marks)}{grouped(self.over)}</svg>"
        )

    def since(self, other: "BoardView") -> dict[str, Mark]:
        """The marks that differ from those of another board of the same spaces."""
        mine, others = {**self.marks, **self.over}, {**other.marks, **other.over}
        return {key: mark for key, mark in mine.items() if others.get(key) != mark}


def grouped(marks: Mapping[str, Mark]) -> str:
    """Marks one after another, each in a group of its own."""
    return "".join(f'<g id="{key}">{mark}</g>' for key, mark in marks.items())


class RecentValues:
    """Values by key, the newest so many of them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: OrderedDict[Hashable, Any] = OrderedDict()
        self.lock = Lock()

    def get(self, key: Hashable) -> Any:
        """The value of a key, None without one."""
        with self.lock:
            if key in self.values:
                self.values.move_to_end(key)
            return self.values.get(key)

    def put(self, key: Hashable, value: Any) -> Any:
        """Keep a value, and let the oldest go."""
        with self.lock:
            self.values[key] = value
            self.values.move_to_end(key)
            while len(self.values) > self.most:
                self.values.popitem(last=False)
        return value


BOARDS, MARKS, BY_DIGEST = (
    RecentValues(KEPT),
    RecentValues(PIECEWISE),
    RecentValues(KEPT),
)


def board(
    game: Game,
    seat: str | None,
    language: str,
    view: Mapping[str, Any] | None = None,
) -> BoardView:
    """The board as a seat (None: a spectator) sees it, whose view is perhaps known."""
    view = game.view(seat) if view is None else view
    sight = repr({key: value for key, value in view.items() if key not in ASIDE})
    options = repr(game.options)
    key = (game.book.digest, game.seats, language, options, sight, bool(view["turn"]))
    kept = BOARDS.get(key)
    if kept is None:
        drawn = drawn_board(scene_of(game, seat, language), options)
        kept = BOARDS.put(key, drawn)
        BY_DIGEST.put(drawn.digest, drawn)
    shown: BoardView = kept
    return shown


def known(digest: str) -> BoardView | None:
    """The board that a page has, if it is one of those that are kept."""
    kept: BoardView | None = BY_DIGEST.get(digest)
    return kept


def drawn_board(scene: Scene, options: str = "") -> BoardView:
    """The board of a scene; of what has been drawn before nothing is drawn again."""
    drawn = Drawn.of(scene)
    numbers = tuple(t.value for s in scene.spaces for t in s.traits if not t.member)
    size = (drawn.unit, drawn.dx, drawn.dy, numbers, tuple(scene.colours.items()))
    key = (scene.book.digest, scene.titles.language, options, size)
    pieces = MARKS.get(key)
    if pieces is None:
        pieces = MARKS.put(key, {})
    marks: dict[str, Mark] = {}
    for space in drawn.ordered():
        if space not in pieces:
            pieces[space] = drawn.mark(space)
        marks[f"at-{space.name}"] = pieces[space]
    ground = {"ground": drawn.ground()}
    over = {"names": drawn.named(), "over": drawn.over()}
    text = "".join((*ground.values(), *marks.values(), *over.values()))
    paper = drawn.paper()
    left, wide = paper.left, paper.right - paper.left
    top, high = HEADER + MARGIN / 2, drawn.height + MARGIN
    return BoardView(
        box=" ".join(map(number, (left, top, wide, high))),
        marks={**ground, **marks},
        over=over,
        spots=_spots(scene, drawn),
        tables=scene.tables,
        unit=drawn.unit,
        digest=sha256(text.encode()).hexdigest()[:16],
    )


def _spots(scene: Scene, drawn: Drawn) -> dict[str, SpacePosition]:
    """Where each space lies in the picture."""
    assert scene.plane is not None or not scene.spaces
    places = scene.plane.places if scene.plane else {}
    return {
        space.name: SpacePosition(
            name=space.name,
            title=space.title,
            place=space.place,
            middle=drawn.at(space.place.middle),
            ends=None
            if space.place.ends is None
            else (
                drawn.at(places[space.place.ends[0]].middle),
                drawn.at(places[space.place.ends[1]].middle),
            ),
            is_area=bool(space.place.outline),
        )
        for space in scene.spaces
    }
