"""Contents of a replay page at an event: board, events and each seat's holdings.

The caller decides which viewpoints a visitor may use: see `replay_pages`. All hidden
information is shown only for finished games and uploaded records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import changes_text
from workbench.presentation.narration.event_log import EventLog, entry_text
from workbench.presentation.narration.view_text import view_lines
from workbench.web.views.board_view import (
    BoardView,
    board_view,
    changed_marks,
)
from workbench.web.views.phrases import Phrases
from workbench.web.views.symbols import seat_symbols
from workbench.web.workshop.timeline import Timeline

EVERYTHING = "everything"
"""Name of the viewpoint that sees all hidden information."""

NOBODY = "nobody"
"""Name of the viewpoint that sees only public information."""

SLIDER_INTERVALS = 3
"""Number of intervals between the marks below the slider."""

LISTED_EVENTS = 600
"""Maximum number of events listed at once, around the current one."""

WINDOW_STEP = LISTED_EVENTS // 3
"""Number of events between the starts of two lists."""

MAX_LOGS = 16
"""Maximum number of logs in memory per timeline."""


class RevealedGame:
    """Wrapper of a game whose view is the complete position."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def view(self, _: str | None) -> dict[str, Any]:
        """Return the complete position in the form of a view."""
        public_view = self._game.view(None)
        points = {seat: self._game.points(seat) for seat in self._game.seats}
        return {**public_view, **self._game.position, "points": points, "at_least": []}

    def visible_point_sources(
        self, _: str | None
    ) -> dict[str, dict[str, tuple[int, int]]]:
        """Return the exact points of each line, each as minimum and maximum."""
        sources: dict[str, dict[str, tuple[int, int]]] = {}
        for seat in self._game.seats:
            for label, points in self._game.point_sources(seat).items():
                sources.setdefault(label, {})[seat] = (points, points)
        return sources

    def log(self, _: str | None) -> list[dict[str, Any]]:
        """Return all events."""
        return list(self._game.events)

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
            "row": self.row_of(step),
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
        text = self.line_at(step)
        return f"{when} · {text}" if text else when

    def line_at(self, step: int) -> str:
        """Describe the event that a step belongs to, without its effects, or ""."""
        entry = self.event_log(step).entry_at(step) if step else None
        return "" if entry is None else entry_text(entry, self.words)

    def row_of(self, step: int) -> int:
        """Return the number of the event that a step belongs to."""
        entry = self.event_log(step).entry_at(step) if step else None
        return step if entry is None else entry.step

    def event_rows(self, step: int) -> list[dict[str, Any]]:
        """Describe the events around a step; each has the number of its last step."""
        symbols = seat_symbols(self.timeline.book, self.timeline.seats, self.language)
        return [
            {
                "number": entry.step,
                "sign": symbols.get(entry.seat or ""),
                "seat": "" if entry.is_sentence else self.words.title(entry.seat or ""),
                "text": entry.text,
                "effects": changes_text(entry.effects),
            }
            for entry in self.event_log(step).entries
        ]

    def event_log(self, step: int) -> EventLog:
        """Return the log of the events around a step."""
        first, last = self.event_range(step)
        end = self.viewpoint.game_view(self.timeline.game_at(self.timeline.steps))
        known = end.log(self.viewpoint.seat)[:last]
        logs, key = self.timeline.logs, (self.viewpoint, self.language, first)
        log = logs.get(key)
        if log is None or not log.fits(known):
            log = EventLog(self.words, self.viewpoint.seat, self.viewpoint.game_view)
            log.start(self.timeline.game_at(first), known[:first])
            while len(logs) >= MAX_LOGS:
                logs.pop(next(iter(logs)), None)
            logs[key] = log
        log.extend(self.timeline.events[:last], known)
        return log

    def event_range(self, step: int) -> tuple[int, int]:
        """Return the half-open range of event indices to list around event *step*."""
        first = max(0, (step - 1) // WINDOW_STEP - 1) * WINDOW_STEP
        return first, min(self.timeline.steps, first + LISTED_EVENTS)

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
