"""What a replay shows of a game at an event: the board, the events, what seats have.

Whose eyes one may look through is decided by who asks: see `replay`. Everything is seen
only of a game that is over, or that was handed in as a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.view_text import view_lines
from workbench.web.views.board import BoardView, board, grouped, known
from workbench.web.views.phrases import Phrases
from workbench.web.views.symbols import seat_signs
from workbench.web.workshop.timeline import Event, Timeline

EVERYTHING = "everything"
"""Whose eyes see all that there is."""

NOBODY = "nobody"
"""Whose eyes see what lies open."""

MARKS = 3
"""In how many parts the slider is marked."""

LISTED = 600
"""How many events are listed at once, around the one that is shown."""


class Uncovered:
    """A game of which nothing is hidden: its view is the position."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def view(self, _: str | None) -> dict[str, Any]:
        """All that there is, in the shape of a view."""
        open = self._game.view(None)
        points = {seat: self._game.points(seat) for seat in self._game.seats}
        return {**open, **self._game.position, "points": points, "at_least": []}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


@attrs.frozen
class Viewpoint:
    """Whose eyes one looks through: a seat's, `NOBODY`'s, or those that see all."""

    name: str

    @property
    def seat(self) -> str | None:
        """The seat, None where it is none's."""
        return None if self.name in {EVERYTHING, NOBODY} else self.name

    def of(self, game: Game) -> Game:
        """A game as these eyes see it."""
        return cast("Game", Uncovered(game)) if self.name == EVERYTHING else game

    def log(self, game: Game) -> Sequence[Event]:
        """The events as far as they are known."""
        return game.events if self.name == EVERYTHING else game.log(self.seat)


@attrs.frozen
class ReplayView:
    """A film through somebody's eyes, in a language."""

    film: Timeline
    eyes: Viewpoint
    language: str

    @property
    def words(self) -> Wording:
        """The words of the game."""
        return Wording(self.language, self.film.book)

    def board(self, step: int) -> BoardView:
        """The board after so many events."""
        game = self.eyes.of(self.film.at(step))
        return board(game, self.eyes.seat, self.language)

    def holdings(self, step: int) -> list[str]:
        """What each seat has, as far as these eyes see."""
        game = self.eyes.of(self.film.at(step))
        view = game.view(self.eyes.seat)
        return [line.strip() for line in view_lines(view, game.seats, self.words)]

    def moment(self, step: int, had: str = "") -> dict[str, Any]:
        """What changes on the page from one event to another."""
        drawn, say = self.board(step), Phrases(self.language)
        steps = self.film.steps
        return {
            "step": step,
            "heading": say("replay.event_of", number=step, events=steps),
            "line": self.line(step),
            "standing": self.holdings(step),
            "board": changed_marks(drawn, had),
            "digest": drawn.digest,
        }

    def line(self, step: int) -> str:
        """What the event has been, and in which turn."""
        say, turn = Phrases(self.language), self.film.turns[step]
        when = say("replay.turn", turn=turn) if turn else say("replay.setup")
        if not step:
            return when
        (row,) = self.rows(step - 1, step)
        who = f"{row['seat']}: " if row["seat"] else ""
        return f"{when} · {who}{row['text']}"

    def rows(self, first: int, last: int) -> list[dict[str, Any]]:
        """The events from one to before another, in words."""
        game = self.film.at(self.film.steps)
        signs = seat_signs(game.book, game.seats, self.language)
        log = self.eyes.log(game)[first:last]
        return [
            {"number": number, "sign": signs.get(event.get("seat", ""))}
            | self._row(event)
            for number, event in enumerate(log, first + 1)
        ]

    def _row(self, event: Event) -> dict[str, Any]:
        """An event in words, and whether these eyes have not seen what it was."""
        words = self.words
        if "seat" in event:
            done, seat = event["action"], words.title(event["seat"])
            text = "" if done is None else words.action(done)
            return {"seat": seat, "text": text, "hidden": done is None}
        name, outcome = words.title(event["chance"]), event["outcome"]
        if outcome is None:
            return {"seat": "", "text": name, "hidden": True}
        text = f"{name}: {words.outcome(event['chance'], outcome)}"
        return {"seat": "", "text": text, "hidden": False}

    def window(self, step: int) -> tuple[int, int]:
        """Which of the events are listed where one is shown."""
        first = max(0, min(step - LISTED // 2, self.film.steps - LISTED))
        return first, min(self.film.steps, first + LISTED)

    def marks(self) -> Iterator[tuple[int, str]]:
        """What is written under the slider."""
        say = Phrases(self.language)
        steps = [self.film.steps * part // MARKS for part in range(MARKS + 1)]
        for step in dict.fromkeys(steps):
            turn = self.film.turns[step]
            yield step, say("replay.turn", turn=turn) if turn else say("replay.setup")


def changed_marks(drawn: BoardView, had: str) -> Mapping[str, Any]:
    """The marks of a board, or only those by which it differs from one a page has."""
    before = known(had)
    if before is None or before.spots.keys() != drawn.spots.keys():
        whole = {"marks": grouped(drawn.marks), "over": grouped(drawn.over)}
        return {"box": drawn.box, "whole": whole}
    return {"box": drawn.box, "changed": drawn.since(before)}
