"""A recorded game at any of its events, and how few positions are enough for it.

Every so many events a position is kept, and those that were asked for last; any other
is played from the nearest before it. Chance is given as the record has it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from threading import Lock
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from workbench.errors import Refused
from workbench.files.records.replay import from_beginning

Event = Mapping[str, Any]

MILESTONES = 16
"""How many positions are kept of a game, one each so many events."""

LATELY = 6
"""How many of those that were asked for last."""

FILMS = 12
"""How many games are kept at once."""


class Timeline:
    """A game of which any position is shown. `turns` says the turn after each event."""

    def __init__(self, game: Game) -> None:
        begin, events = from_beginning(game)
        self.book: Rulebook = game.book
        self.events: list[Event] = []
        self.turns: list[int] = [begin.turn]
        self._milestones: dict[int, Game] = {0: begin}
        self._lately: OrderedDict[int, Game] = OrderedDict()
        self._last = begin.copy()
        self._lock = Lock()
        self.go_on(events)

    def go_on(self, events: Sequence[Event]) -> None:
        """Let further events happen."""
        apart = max(8, -(-(self.steps + len(events)) // MILESTONES))
        for event in events:
            self._last.apply(event)
            self.events.append(event)
            self.turns.append(self._last.turn)
            if self.steps % apart == 0:
                self._milestones[self.steps] = self._last.copy()
        if len(self._milestones) > 2 * MILESTONES:
            kept = self._milestones.items()
            self._milestones = {n: game for n, game in kept if n % apart == 0}

    def reaches(self, game: Game) -> bool:
        """Whether this is the film of a game; where that has gone on, so does it."""
        with self._lock:
            events, shown = game.events, self.steps
            same = game.book is self.book and list(events[:shown]) == self.events
            if same:
                self.go_on(events[shown:])
            return same

    @property
    def steps(self) -> int:
        """How many events there are."""
        return len(self.events)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in play, in seating order."""
        return self._last.seats

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""
        return self._last.over

    def record(self, step: int) -> str:
        """The record of the game up to an event; chance is given in it."""
        return self.at(step).record

    @property
    def kept(self) -> int:
        """How many positions are kept."""
        return len(self._milestones) + len(self._lately)

    def at(self, step: int) -> Game:
        """The game after so many events; nobody else plays on in it.

        Raises `Refused` where there are fewer.
        """
        if not 0 <= step <= self.steps:
            raise Refused(f"event {step} is not in the range 0 to {self.steps}")
        with self._lock:
            if step == self.steps:
                return self._last.copy()
            game = self._lately.get(step) or self._milestones.get(step)
            if game is None:
                game = self._played(step)
                self._lately[step] = game
                while len(self._lately) > LATELY:
                    self._lately.popitem(last=False)
            elif step in self._lately:
                self._lately.move_to_end(step)
            return game.copy()

    def _played(self, step: int) -> Game:
        """The game after so many events, from the nearest that is kept before it."""
        known = {**self._milestones, **self._lately}
        nearest = max(number for number in known if number <= step)
        game = known[nearest].copy()
        for event in self.events[nearest:step]:
            game.apply(event)
        return game


class Timelines:
    """The films of a server: the newest so many, each under a key."""

    def __init__(self, most: int = FILMS) -> None:
        self.most = most
        self._films: OrderedDict[Hashable, Timeline] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._films)

    def of(self, key: Hashable, game: Game) -> Timeline:
        """The film of a game. Where it has gone on since, so does its film."""
        with self._lock:
            film = self._films.get(key)
        if film is not None and film.reaches(game):
            return film
        film = Timeline(game)
        with self._lock:
            self._films.pop(key, None)
            self._films[key] = film
            while len(self._films) > self.most:
                self._films.popitem(last=False)
        return film
