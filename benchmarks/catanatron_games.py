"""Games at tables of catanatron 3.2.1, in which one seat is ours.

Its engine shuffles, rolls and judges. This module follows the game step by step in
`loops/catanatron.rules`. Our player receives samples of it for its seat, in which
unknown information is redrawn. At each of our decisions, both engines must have the
same legal actions.
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
"""Players of catanatron, by their names in `loops/catanatron_table.py`."""

FROM_SOURCE = THEIRS[3:]
"""Players that only the source of catanatron contains, not its package."""

Message = dict[str, Any]


@attrs.frozen
class PlayedGame:
    """Played game: whether our seat won, and whether anybody did."""

    seed: int
    seat: int | None
    won: bool
    ended: bool
    turns: int
    steps: int
    ours: Thinking
    theirs: Thinking


def match_games(
    kind: str, players: int, games: int, first: int = 1, *, ours: bool = True
) -> list[Message]:
    """Return the games of a match; our seat rotates.

    Without a seat of ours, all steps are compared.
    """
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


def is_installed(peers: Path, kind: str) -> bool:
    """Return whether a player of catanatron is installed in a folder."""
    beside = peers / "catanatron_players"
    return python_of(peers).exists() and (kind not in FROM_SOURCE or beside.exists())


def python_of(peers: Path) -> Path:
    """Return the Python interpreter with catanatron."""
    return peers / "catanatron" / "bin" / "python"


def play(
    peers: Path, games: Sequence[Message], player: Player | None
) -> Iterator[PlayedGame | str]:
    """Play games at tables of catanatron.

    A game in which the engines disagree ends at once, and yields the disagreement as
    text.
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
                    yield PeerTable(book, game, table, player, talk).played(said)
            except DiffersError as error:
                yield str(error)


class AnswerSink(Protocol):
    """Receiver of answers."""

    def answer(self, what: Any) -> None:
        """Send an answer."""


class PeerTable(Followed):
    """Table of catanatron, as seen from our seat."""

    def __init__(
        self,
        book: Rulebook,
        asked: Message,
        table: Message,
        player: Player | None,
        talk: AnswerSink,
    ) -> None:
        super().__init__(book, table, table["colors"][0])
        self.asked, self.player, self.talk = asked, player, talk
        self.discards: dict[str, list[str]] = {}
        self.steps = 0
        self.thinking = Thinking()

    def played(self, said: Iterable[Message]) -> PlayedGame:
        """Follow a game to its end."""
        for line in said:
            if "ask" in line:
                self.discarded()
                self.talk.answer(self.place_of_ours(line["ask"]))
            elif "step" in line:
                self.follow(line)
            else:
                return self.ended(line)
        raise RuntimeError("the game did not end")

    def ended(self, line: Message) -> PlayedGame:
        """Return the result of a game, after comparing the winners."""
        outcome, winner = self.game.outcome, line["over"]
        self.same("winner", self.seats.get(winner), outcome and outcome.winner)
        theirs = Thinking(line["decisions"], line["seconds"])
        return PlayedGame(
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
        """Compare two values. Raise `DiffersError` with the game and the step."""
        if there == here:
            return
        if isinstance(there, set):
            there, here = sorted(there - here), sorted(here - there)
        seed, players = self.asked["seed"], self.asked["players"]
        raise DiffersError(
            f"{what} differ in game {seed} of {players}, step {self.steps}: "
            f"theirs {there}, ours {here}"
        )

    def follow(self, line: Message) -> None:
        """Apply a step of their table to our game."""
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
        """Set the discarded cards as chance outcomes, from the active seat onwards."""
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
        """Return the index of our player's choice among their legal actions."""
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
        """Return our player's choice, made from a sample for its seat."""
        assert self.player is not None
        seat = str(self.game.to_act)
        return self.player(self.game.sample(seat, 0), self.key(more))

    def robbing(self, action: Action, among: list[tuple[str, str]]) -> tuple[str, str]:
        """Return our player's choice of an opponent, which is part of their action."""
        here, ahead = self.game, self.game.copy()
        ahead.apply(action)
        self.game = ahead
        victim = self.values[self.chosen(1).arguments[0]]
        self.game = here
        return next(key for key in among if f'"{victim}"' in key[1])
