"""Board of a page: SVG marks by space, so that only changes are drawn and sent.

All seats see the same board unless it contains hidden information. A board is therefore
drawn once per visible content, language and rulebook, and its marks are cached.
"""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from hashlib import sha256
from threading import Lock
from typing import Any

import attrs

from interpreter import Game
from rulebook.model import Look
from workbench.presentation.picture import Scene, scene_of
from workbench.presentation.picture.geometry import SpaceShape
from workbench.presentation.picture.hints import Hints
from workbench.presentation.picture.scene_parts import SceneTable
from workbench.presentation.picture.svg import FONT, HEADER, MARGIN
from workbench.presentation.picture.svg import BoardDrawing as Drawn
from workbench.presentation.picture.tags import Mark, format_number

MAX_BOARDS = 512
"""Maximum number of cached boards, over all tables."""
MAX_MARK_SETS = 64
"""Maximum number of cached sets of marks, one per game and board size."""
NON_BOARD_KEYS = (
    *("player", "points", "at_least", "pending", "turn", "round", "active", "starter"),
    *("game", "awards", "end", "answers"),
)
"""Keys of a view that do not affect the board."""


@attrs.frozen
class SpacePosition:
    """Position of a space in the picture: its centre and, for a link, its ends."""

    name: str
    title: str
    place: SpaceShape
    centre: tuple[float, float]
    ends: tuple[tuple[float, float], tuple[float, float]] | None
    is_area: bool


@attrs.frozen
class BoardView:
    """Board as one reader sees it: SVG marks by id, in drawing order."""

    box: str
    marks: Mapping[str, Mark]
    top_marks: Mapping[str, Mark]
    positions: Mapping[str, SpacePosition]
    tables: tuple[SceneTable, ...]
    unit: float
    digest: str

    @property
    def svg(self) -> str:
        """Complete picture of the board as SVG."""
        if not self.positions:
            return ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{self.box}" '
            f'preserveAspectRatio="xMidYMid meet" role="img" font-family="{FONT}">'
            f"{grouped_svg(self.marks)}{grouped_svg(self.top_marks)}</svg>"
        )

    def changed_marks(self, other: "BoardView") -> dict[str, Mark]:
        """Return the marks that differ from another board with the same spaces."""
        mine, others = (
            {**self.marks, **self.top_marks},
            {**other.marks, **other.top_marks},
        )
        return {key: mark for key, mark in mine.items() if others.get(key) != mark}


def grouped_svg(marks: Mapping[str, Mark]) -> str:
    """Return marks as SVG, each in its own group element."""
    return "".join(f'<g id="{key}">{mark}</g>' for key, mark in marks.items())


class RecentlyUsedCache:
    """Cache of the `max_values` most recently used values."""

    def __init__(self, max_values: int) -> None:
        self.max_values = max_values
        self.values: OrderedDict[Hashable, Any] = OrderedDict()
        self.lock = Lock()

    def get(self, key: Hashable) -> Any:
        """Return the cached value of a key, or None."""
        with self.lock:
            if key in self.values:
                self.values.move_to_end(key)
            return self.values.get(key)

    def put(self, key: Hashable, value: Any) -> Any:
        """Store and return a value; evict the least recently used ones."""
        with self.lock:
            self.values[key] = value
            self.values.move_to_end(key)
            while len(self.values) > self.max_values:
                self.values.popitem(last=False)
        return value


BOARDS, MARKS, BY_DIGEST = (
    RecentlyUsedCache(MAX_BOARDS),
    RecentlyUsedCache(MAX_MARK_SETS),
    RecentlyUsedCache(MAX_BOARDS),
)


def board_view(
    game: Game,
    seat: str | None,
    language: str,
    view: Mapping[str, Any] | None = None,
) -> BoardView:
    """Return the board as a seat sees it, or as spectators do if *seat* is None.

    *view* is the seat's view, if the caller has it already.
    """
    view = game.view(seat) if view is None else view
    shows = Look.SHOWS in Hints.for_book(game.book).texts  # it may read anything
    visible = repr(
        {
            key: value
            for key, value in view.items()
            if shows or key not in NON_BOARD_KEYS
        }
    )
    options = repr(game.options)
    key = (game.book.digest, game.seats, language, options, visible, bool(view["turn"]))
    cached = BOARDS.get(key)
    if cached is None:
        drawn = draw_board(scene_of(game, seat, language), options)
        cached = BOARDS.put(key, drawn)
        BY_DIGEST.put(drawn.digest, drawn)
    board: BoardView = cached
    return board


def cached_board(digest: str) -> BoardView | None:
    """Return the cached board with this digest, or None."""
    cached: BoardView | None = BY_DIGEST.get(digest)
    return cached


def changed_marks(board: BoardView, known_digest: str) -> dict[str, Any]:
    """Return the marks of a board that a page lacks, or all if its board is unknown."""
    before = cached_board(known_digest)
    if before is None or before.positions.keys() != board.positions.keys():
        all_marks = {
            "marks": grouped_svg(board.marks),
            "over": grouped_svg(board.top_marks),
        }
        return {"box": board.box, "whole": all_marks}
    return {"box": board.box, "changed": board.changed_marks(before)}


def draw_board(scene: Scene, options: str = "") -> BoardView:
    """Draw the board of a scene; reuse marks cached for the same game and *options*."""
    drawn = Drawn.of_scene(scene)
    numbers = tuple(t.value for s in scene.spaces for t in s.traits if not t.is_member)
    size = (drawn.unit, drawn.dx, drawn.dy, numbers, tuple(scene.colours.items()))
    key = (scene.book.digest, scene.titles.language, options, size)
    cached_marks = MARKS.get(key)
    if cached_marks is None:
        cached_marks = MARKS.put(key, {})
    marks: dict[str, Mark] = {}
    for space in drawn.spaces_in_order():
        if space not in cached_marks:
            cached_marks[space] = drawn.draw_space(space)
        marks[f"at-{space.name}"] = cached_marks[space]
    ground = {"ground": drawn.draw_ground()}
    over = {"names": drawn.draw_names(), "over": drawn.draw_top_layer()}
    text = "".join((*ground.values(), *marks.values(), *over.values()))
    area = drawn.name_area()
    left, wide = area.left, area.right - area.left
    top, high = HEADER + MARGIN / 2, drawn.height + MARGIN
    return BoardView(
        box=" ".join(map(format_number, (left, top, wide, high))),
        marks={**ground, **marks},
        top_marks=over,
        positions=_space_positions(scene, drawn),
        tables=scene.tables,
        unit=drawn.unit,
        digest=sha256(text.encode()).hexdigest()[:16],
    )


def _space_positions(scene: Scene, drawn: Drawn) -> dict[str, SpacePosition]:
    """Return the position of each space in the picture."""
    assert scene.plane is not None or not scene.spaces
    places = scene.plane.places if scene.plane else {}
    return {
        space.name: SpacePosition(
            name=space.name,
            title=space.title,
            place=space.place,
            centre=drawn.to_picture(space.place.centre),
            ends=None
            if space.place.ends is None
            else (
                drawn.to_picture(places[space.place.ends[0]].centre),
                drawn.to_picture(places[space.place.ends[1]].centre),
            ),
            is_area=bool(space.place.outline),
        )
        for space in scene.spaces
    }
