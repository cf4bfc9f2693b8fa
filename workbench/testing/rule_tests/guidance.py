"""Made-up games that seek what was not reached yet.

Some begin with set-up, of settings that have not come together, some of these on a
given board. Others go on from where one reached what few have reached, or with the
position changed. In all of them what was
done least is done most, and what holds what was never reached more than that.

A game knows what games came to of which the last is `LAG` before it: so many can be
played at once, and the games are the same however many are.
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
"""How many games behind what a game knows is."""
FEW = 3
"""What fewer games have reached, they show where."""
KEPT = 4
"""From so many places at which a goal was reached games go on."""
CALM = 64
"""From so many positions in the midst of games others are made."""
WANTED = 4.0
"""How much more an action is wanted that holds what was never reached."""
BEGUN, MOVED, GOING_ON, BOTH = "begun", "moved", "going on", "moved and going on"
KINDS = (BEGUN, BEGUN, GOING_ON, MOVED, BOTH)


class Guide:
    """The games to be played, one after another, as far as enough is known for them.

    It may go on after it had no more to give, when `came` says more.
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
        """Learn from so many games; false, where some of them are still played."""
        while self.known < games:
            if self.known not in self.waiting:
                return False
            self.learn(self.waiting.pop(self.known))
            self.known += 1
        return True

    def came(self, came: Came) -> Came:
        """Hear what a game came to; who sees it knows what it goes on from."""
        number = came.made.number
        self.waiting[number] = attrs.evolve(came, made=self.sent[number])
        return self.waiting[number]

    # ------------------------------------------------------------ what games teach

    def learn(self, came: Came) -> None:
        """Note what a game reached, did, and where it was."""
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
        """The goals that few games have reached."""
        return tuple([goal for goal, times in enumerate(self.hits) if times < FEW])

    # ------------------------------------------------------------ what is played

    def made(self, number: int) -> MadeUp:
        """The game of a number."""
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
        """A place from which games have gone on least, for what is reached least."""
        goal = min(self.places, key=lambda goal: self.gone[goal] + self.hits[goal])
        self.gone[goal] += 1
        kept = self.places[goal]
        return kept[self.gone[goal] % len(kept)]

    def weights(self) -> dict[str, float]:
        """How much each action is wanted that was done: the less, the more often."""
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
    """A place at which a game was, from which others may go on."""
    return Stretch(place.position, place.steps, made)


def alone(made: MadeUp) -> MadeUp:
    """A game without that which it goes on from: the position is enough to play it."""
    if made.after is None:
        return made
    return attrs.evolve(made, after=attrs.evolve(made.after, of=None))
