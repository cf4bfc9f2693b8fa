"""Coverage-guided generation of games.

Some games start with set-up, with new combinations of settings, and some of these on a
given board. Others continue from rarely reached points or from edited positions. All
prefer rarely chosen actions, and even more those that contain unreached parts.

A game depends on the results up to `LAG` games before it. `LAG` games can therefore be
played at once, and the games do not depend on the number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from interpreter import Site
from rulebook import Address, Rulebook
from workbench.analysis.simulation.settings import Settings
from workbench.bots.randomness import Numbers
from workbench.testing.rule_tests.generated_games import (
    MadeUp,
    Stretch,
    in_turn,
    on_board,
)
from workbench.testing.rule_tests.playouts import Came, GamePoint, PlayoutTask

LAG = 16
"""Number of games between a game and the latest result that it depends on."""
FEW = 3
"""Number of games below which a goal is rare, so that its points are reported."""
KEPT = 4
"""Maximum number of points stored for each goal."""
CALM = 64
"""Maximum number of positions stored for editing."""
WANTED = 4.0
"""Factor for the weight of an action that contains an unreached part."""
BEGUN, MOVED, GOING_ON, BOTH = "begun", "moved", "going on", "moved and going on"
KINDS = (BEGUN, BEGUN, GOING_ON, MOVED, BOTH)


class Guide:
    """Iterator of games to play.

    It is exhausted when the next game depends on results that are not known yet, and
    continues after `came` has added them.
    """

    def __init__(
        self, book: Rulebook, sites: Sequence[Site], base: Settings, games: int
    ) -> None:
        self.book, self.games, self.sites = book, games, sites
        self.settings = in_turn(book, base)
        self.seed = base.seed or 0
        self.given, self.known = 0, 0
        self.waiting: dict[int, Came] = {}
        self.hits = [0] * (2 * len(sites))
        self.done: Counter[str] = Counter()
        self.places: dict[int, list[Stretch]] = {}
        self.gone: Counter[int] = Counter()
        self.calm: list[Stretch] = []
        self.sent: list[MadeUp] = []

    def __len__(self) -> int:
        return self.games

    def __iter__(self) -> Iterator[PlayoutTask]:
        return self

    def __next__(self) -> PlayoutTask:
        number = self.given
        if number == self.games or not self.knows(number - LAG + 1):
            raise StopIteration
        self.given += 1
        self.sent.append(self.made(number))
        return PlayoutTask(alone(self.sent[-1]), self.lacking())

    def knows(self, games: int) -> bool:
        """Process results in order; return whether the first *games* are known."""
        while self.known < games:
            if self.known not in self.waiting:
                return False
            self.learn(self.waiting.pop(self.known))
            self.known += 1
        return True

    def came(self, came: Came) -> Came:
        """Add the result of a game; return it with the game's full description."""
        number = came.made.number
        self.waiting[number] = attrs.evolve(came, made=self.sent[number])
        return self.waiting[number]

    # ------------------------------------------------------------ results

    def learn(self, came: Came) -> None:
        """Record which goals a game reached, its actions, and its points."""
        for site, (held, failed) in enumerate(came.tally):
            self.hits[2 * site] += held > 0
            self.hits[2 * site + 1] += failed > 0
        self.done.update(came.done)
        for place in came.places:
            for goal in place.goals:
                kept = self.places.setdefault(goal, [])
                if len(kept) < KEPT:
                    kept.append(stretch(came.made, place))
        if came.calm is not None:
            self.calm = [*self.calm[1 - CALM :], stretch(came.made, came.calm)]

    def lacking(self) -> tuple[int, ...]:
        """Return the goals that few games have reached."""
        return tuple([goal for goal, times in enumerate(self.hits) if times < FEW])

    # ------------------------------------------------------------ next games

    def made(self, number: int) -> MadeUp:
        """Return the description of the game with this number."""
        kind = KINDS[number % len(KINDS)]
        weights = self.weights()
        after = None
        if kind == GOING_ON and self.places:
            after = self.rarest()
        if kind == BOTH and self.calm:
            numbers = Numbers("guide", self.seed, number)
            after = self.calm[int(numbers.random() * len(self.calm))]
        moved = kind == MOVED or (kind == BOTH and after is not None)
        if after is None:
            made = MadeUp(next(self.settings), number, None, moved, weights)
            return on_board(self.book, made)
        assert after.of is not None
        return MadeUp(after.of.settings, number, after, moved, weights)

    def rarest(self) -> Stretch:
        """Return a stored point of the goal that was reached and used least often."""
        goal = min(self.places, key=lambda goal: self.gone[goal] + self.hits[goal])
        self.gone[goal] += 1
        kept = self.places[goal]
        return kept[self.gone[goal] % len(kept)]

    def weights(self) -> dict[str, float]:
        """Return the weights of the known actions, higher for rarely chosen ones."""
        never = {
            Address.parse(site.clause).name
            for number, site in enumerate(self.sites)
            if not self.hits[2 * number]
            or (site.truth and not self.hits[2 * number + 1])
        }
        return {
            name: (1 + times) ** -0.5 * (WANTED if name in never else 1.0)
            for name, times in self.done.items()
        }


def stretch(made: MadeUp, place: GamePoint) -> Stretch:
    """Return a point of a game as the start of another game."""
    return Stretch(place.position, place.steps, made)


def alone(made: MadeUp) -> MadeUp:
    """Return a game without the events of the game from which it continues."""
    if made.after is None:
        return made
    return attrs.evolve(made, after=attrs.evolve(made.after, of=None))
