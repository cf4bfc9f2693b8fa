"""Contents of a replay page at an event: board, events and each seat's holdings.

The caller decides which viewpoints a visitor may use: see `replay_pages`. All hidden
information is shown only for finished games and uploaded records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_text import view_lines
from workbench.web.views.board_view import (
    BoardView,
    board_view,
    changed_marks,
)
from workbench.web.views.phrases import Phrases
from workbench.web.views.symbols import seat_symbols
from workbench.web.workshop.timeline import Event, Timeline

EVERYTHING = "everything"
"""Name of the viewpoint that sees all hidden information."""

NOBODY = "nobody"
"""Name of the viewpoint that sees only public information."""

SLIDER_INTERVALS = 3
"""Number of intervals between the marks below the slider."""

MAX_LISTED_EVENTS = 600
"""Maximum number of events listed at once, around the current one."""


class RevealedGame:
    """Wrapper of a game whose view is the complete position."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def view(self, _: str | None) -> dict[str, Any]:
        """Return the complete position in the form of a view."""
        public_view = self._game.view(None)
        points = {seat: self._game.points(seat) for seat in self._game.seats}
        return {**public_view, **self._game.position, "points": points, "at_least": []}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


@attrs.frozen
class Viewpoint:
    """Viewpoint of a replay: a seat, `NOBODY` or `EVERYTHING`."""

    name: str

    @property
    def seat(self) -> str | None:
        """Seat of the viewpoint, or None for `NOBODY` and `EVERYTHING`."""
        return None if self.name in {EVERYTHING, NOBODY} else self.name

    def game_view(self, game: Game) -> Game:
        """Return a game whose views show what this viewpoint may see."""
        return cast("Game", RevealedGame(game)) if self.name == EVERYTHING else game

    def log(self, game: Game) -> Sequence[Event]:
        """Return the events visible from this viewpoint."""
        return game.events if self.name == EVERYTHING else game.log(self.seat)


@attrs.frozen
class ReplayView:
    """Replay of a game from one viewpoint, in one language."""

    timeline: Timeline
    viewpoint: Viewpoint
    language: str

    @property
    def words(self) -> Localizer:
        """Localizer of the game."""
        return Localizer(self.language, self.timeline.book)

    def board(self, step: int) -> BoardView:
        """Return the board after *step* events."""
        game = self.viewpoint.game_view(self.timeline.game_at(step))
        return board_view(game, self.viewpoint.seat, self.language)

    def holdings(self, step: int) -> list[str]:
        """Return lines about each seat's visible holdings after *step* events."""
        game = self.viewpoint.game_view(self.timeline.game_at(step))
        view = game.view(self.viewpoint.seat)
        return [line.strip() for line in view_lines(view, game.seats, self.words)]

    def step_content(self, step: int, known_digest: str = "") -> dict[str, Any]:
        """Return the page content after *step* events, as plain data.

        `known_digest` is the digest of the board that the page shows already.
        """
        board, phrases = self.board(step), Phrases(self.language)
        steps = self.timeline.steps
        return {
            "step": step,
            "heading": phrases("replay.event_of", number=step, events=steps),
            "line": self.event_text(step),
            "standing": self.holdings(step),
            "board": changed_marks(board, known_digest),
            "digest": board.digest,
        }

    def event_text(self, step: int) -> str:
        """Describe event *step*, counted from 1, and its turn; 0 means the start."""
        phrases, turn = Phrases(self.language), self.timeline.turns[step]
        when = phrases("replay.turn", turn=turn) if turn else phrases("replay.setup")
        if not step:
            return when
        (row,) = self.event_rows(step - 1, step)
        prefix = f"{row['seat']}: " if row["seat"] else ""
        return f"{when} · {prefix}{row['text']}"

    def event_rows(self, first: int, last: int) -> list[dict[str, Any]]:
        """Describe the events with indices in `range(first, last)`."""
        game = self.timeline.game_at(self.timeline.steps)
        symbols = seat_symbols(game.book, game.seats, self.language)
        log = self.viewpoint.log(game)[first:last]
        return [
            {"number": number, "sign": symbols.get(event.get("seat", ""))}
            | self._event_row(event)
            for number, event in enumerate(log, first + 1)
        ]

    def _event_row(self, event: Event) -> dict[str, Any]:
        """Return the seat and text of an event, and whether this viewpoint hides it."""
        words = self.words
        if "seat" in event:
            action, seat = event["action"], words.title(event["seat"])
            text = "" if action is None else words.action(action)
            return {"seat": seat, "text": text, "hidden": action is None}
        if "announced" in event:
            return {"seat": "", "text": words.announcement(event), "hidden": False}
        name, outcome = words.title(event["chance"]), event["outcome"]
        if outcome is None:
            return {"seat": "", "text": name, "hidden": True}
        text = f"{name}: {words.outcome(event['chance'], outcome)}"
        return {"seat": "", "text": text, "hidden": False}

    def event_range(self, step: int) -> tuple[int, int]:
        """Return the half-open range of event indices to list around event *step*."""
        first = max(
            0,
            min(step - MAX_LISTED_EVENTS // 2, self.timeline.steps - MAX_LISTED_EVENTS),
        )
        return first, min(self.timeline.steps, first + MAX_LISTED_EVENTS)

    def marks(self) -> Iterator[tuple[int, str]]:
        """Yield the event numbers and labels below the slider."""
        phrases = Phrases(self.language)
        steps = [
            self.timeline.steps * part // SLIDER_INTERVALS
            for part in range(SLIDER_INTERVALS + 1)
        ]
        for step in dict.fromkeys(steps):
            turn = self.timeline.turns[step]
            yield (
                step,
                phrases("replay.turn", turn=turn) if turn else phrases("replay.setup"),
            )
