"""Games at tables of catanatron 3.2.1, where one seat is ours.

Its engine deals, rolls and judges. Here the game is followed step by step, in
`loops/catanatron.rules`; our player is handed samples of it for its seat, in which what
the seat does not know is drawn anew. At each of our decisions both engines must have
the same legal actions.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import attrs

from benchmarks.lines import LOOPS, Talk
from benchmarks.players import Player
from benchmarks.shares import Thinking
from interpreter import Action
from rulebook import Rulebook
from tests.oracle.adapter import DiffersError, Followed, theirs
from tests.oracle.books import KINDS
from workbench import load

THEIRS = ("random", "weighted random", "victory point", "value function", "alpha-beta")
"""Their players, as `loops/catanatron_table.py` calls them."""

FROM_SOURCE = THEIRS[3:]
"""Those that are not in their wheel."""

Said = dict[str, Any]


@attrs.frozen
class Played:
    """A game that was played: whether our seat won, whether anybody did."""

    seed: int
    seat: int | None
    won: bool
    ended: bool
    turns: int
    steps: int
    ours: Thinking
    theirs: Thinking


def wanted(
    kind: str, players: int, games: int, first: int = 1, *, ours: bool = True
) -> list[Said]:
    """Return the games of a match; our seat goes round. Without one all are watched."""
    return [
        {
            "seed": first + number,
            "players": players,
            "theirs": kind,
            "seat": number % players if ours else None,
            "watch": not ours,
        }
        for number in range(games)
    ]


def there(peers: Path, kind: str) -> bool:
    """Whether one of their players has been set up in a folder."""
    beside = peers / "catanatron_players"
    return python_of(peers).exists() and (kind not in FROM_SOURCE or beside.exists())


def python_of(peers: Path) -> Path:
    """Return the Python in which catanatron is installed."""
    return peers / "catanatron" / "bin" / "python"


def play(
    peers: Path, games: Sequence[Said], player: Player | None
) -> Iterator[Played | str]:
    """Play games at their tables.

    A game in which the engines come to disagree cannot go on: what they disagree about
    comes in its place.
    """
    book = load(str(LOOPS / "catanatron.rules"))
    left, beside = list(games), peers / "catanatron_players"
    while left:
        with Talk(python_of(peers), "catanatron_table.py", left, beside) as talk:
            said = iter(talk)
            try:
                while left:
                    game = left.pop(0)
                    table = next(said)["table"]
                    yield At(book, game, table, player, talk).played(said)
            except DiffersError as error:
                yield str(error)


class Answered(Protocol):
    """Who asks, and waits for an answer."""

    def answer(self, what: Any) -> None:
        """Take an answer."""


class At(Followed):
    """A table of theirs, as it is seen from our seat."""

    def __init__(
        self,
        book: Rulebook,
        asked: Said,
        table: Said,
        player: Player | None,
        talk: Answered,
    ) -> None:
        super().__init__(book, table, table["colors"][0])
        self.asked, self.player, self.talk = asked, player, talk
        self.discards: dict[str, list[str]] = {}
        self.steps = 0
        self.thinking = Thinking()

    def played(self, said: Iterable[Said]) -> Played:
        """Follow a game to its end."""
        for line in said:
            if "ask" in line:
                self.discarded()
                self.talk.answer(self.place_of_ours(line["ask"]))
            elif "step" in line:
                self.follow(line)
            else:
                return self.ended(line)
        raise RuntimeError("the game has no end")

    def ended(self, line: Said) -> Played:
        """Return what a game came to, which ours must say as well."""
        outcome, winner = self.game.outcome, line["over"]
        self.same("winner", self.seats.get(winner), outcome and outcome.winner)
        theirs = Thinking(line["decisions"], line["seconds"])
        return Played(
            self.asked["seed"],
            self.asked["seat"],
            line["won"],
            winner is not None,
            line["turns"],
            self.steps,
            self.thinking,
            theirs,
        )

    def same(self, what: str, there: Any, here: Any) -> None:
        """Compare. Raises `DiffersError` with the game and the step."""
        if there == here:
            return
        if isinstance(there, set):
            there, here = sorted(there - here), sorted(here - there)
        seed, players = self.asked["seed"], self.asked["players"]
        raise DiffersError(
            f"{what} differ in game {seed} of {players}, step {self.steps}: "
            f"theirs {there}, ours {here}"
        )

    def follow(self, line: Said) -> None:
        """Do in ours what was done at their table."""
        self.steps += 1
        if line["step"][0] == "DISCARD":
            self.discards[self.seats[line["by"]]] = line["result"]
            return
        self.discarded()
        self.same("seat", self.seats[line["by"]], self.game.to_act)
        legal = self.legal()
        if self.asked["watch"]:
            self.same("legal", set(map(theirs, line["legal"])), set(legal))
        step = {"action": line["step"], "result": line["result"]}
        action = legal.get(theirs(line["step"]))
        self.same("done", True, action is not None)
        assert action is not None
        self.does(step, action)

    def discarded(self) -> None:
        """Let chance give what was discarded, from the seat that rolled onwards."""
        if not self.discards:
            return
        seats = self.game.seats
        first = seats.index(self.game.position["active"])
        for seat in (*seats[first:], *seats[:first]):
            for kind in self.discards.get(seat, ()):
                self.chance("discards", KINDS[kind])
        self.discards = {}

    # ------------------------------------------------------------ our decisions

    def place_of_ours(self, asked: list[Any]) -> int:
        """Return which of the actions that they allow our player does."""
        keys = [theirs(action) for action in asked]
        self.same("legal", set(keys), set(self.legal()))
        begun = time.process_time()
        action = self.chosen(0)
        among: list[tuple[str, str]] = self.translated(action)
        if len(among) > 1:
            among = [self.robbing(action, among)]
        self.thinking.seconds += time.process_time() - begun
        self.thinking.decisions += 1
        return keys.index(among[0])

    def key(self, more: int) -> int:
        """Return a key for our player's random numbers at this step."""
        return (int(self.asked["seed"]) << 32) + 2 * self.steps + more

    def chosen(self, more: int) -> Action:
        """Let our player choose: it is handed a sample for its seat, not the game."""
        assert self.player is not None
        seat = str(self.game.to_act)
        return self.player(self.game.sample(seat, 0), self.key(more))

    def robbing(self, action: Action, among: list[tuple[str, str]]) -> tuple[str, str]:
        """Return whom our player robs: theirs is one action where ours are two."""
        here, ahead = self.game, self.game.copy()
        ahead.apply(action)
        self.game = ahead
        victim = self.values[self.chosen(1).arguments[0]]
        self.game = here
        return next(key for key in among if f'"{victim}"' in key[1])
