"""A game at the terminal: people type, bots answer, the record is never behind."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TextIO

import attrs

from interpreter import Game, IllegalAction, UsageError
from workbench.bots import BOTS, decide, generator
from workbench.narration import (
    action_lines,
    event_line,
    outcome_lines,
    table_lines,
    view_lines,
    why_lines,
)
from workbench.records import Recorder
from workbench.selection import texts
from workbench.wording import Wording

HUMAN = "human"


@attrs.define
class Table:
    """A game, who sits where, and where the lines come from and go to."""

    game: Game
    players: Mapping[str, str]
    seed: int
    source: TextIO
    out: TextIO
    recorder: Recorder
    turns_max: int | None = None
    words: Wording = attrs.field(factory=Wording)
    _before: list[Game] = attrs.field(factory=list, init=False)
    _reader: str | None = attrs.field(default=None, init=False)
    _told: int = attrs.field(default=0, init=False)

    @property
    def people(self) -> list[str]:
        """The seats in which people sit."""
        return [seat for seat, who in self.players.items() if who == HUMAN]

    def play(self) -> Game:
        """The game when it is over, or as far as the input went."""
        numbers = {seat: generator(self.seed, seat) for seat in self.players}
        self.recorder.write(self.game)
        if len(self.people) == 1:
            self._reader = self.people[0]
        while (seat := self.game.to_act) is not None:
            who = self.players[seat]
            if who == HUMAN:
                if not self._ask(seat):
                    break
            else:
                self._before.clear()
                turn = self.game.turn
                self.game.apply(decide(BOTS[who], self.game, seat, numbers[seat]))
                if self.game.turn != turn:
                    self._tell()
            self.recorder.write(self.game)
        if len(self.people) != 1:
            self._reader = None
        self._tell()
        points = {seat: self.game.points(seat) for seat in self.game.seats}
        if self.game.to_act is None:
            self._say(outcome_lines(self.game.outcome, points, self.words))
        else:
            self._say([self.words.say("stops")])
        return self.game

    # ------------------------------------------------------------ one person's turn

    def _ask(self, seat: str) -> bool:
        """Let a person decide once; whether there was an answer."""
        if not self._hand_over(seat):
            return False
        self._tell()
        legal = self.game.legal_actions(seat)
        self._say([self.words.say("decides", seat=self.words.title(seat))])
        self._say(view_lines(self.game.view(seat), self.game.seats, self.words))
        self._say(action_lines(legal, self.words))
        while True:
            self.out.write(f"{self.words.title(seat)}> ")
            self.out.flush()
            line = self.source.readline()
            if not line or line.strip() == "quit":
                self.out.write("\n")
                return False
            if self._answered(line.strip(), seat):
                return True

    def _answered(self, line: str, seat: str) -> bool:
        """Do what a line says; whether the game has changed."""
        word, _, rest = line.partition(" ")
        answers: dict[str, Callable[[], bool]] = {
            "": lambda: False,
            "?": lambda: self._help(seat),
            "help": lambda: self._help(seat),
            "undo": lambda: self._undo(seat),
        }
        if line in answers:
            return answers[line]()
        if word == "why" and rest:
            return self._why(rest.strip(), seat)
        return self._do(texts(line, self.game.legal_actions(seat)), seat)

    def _help(self, seat: str) -> bool:
        self._say(table_lines(self.game.view(seat), self.words))
        legal = self.game.legal_actions(seat)
        self._say(action_lines(legal, self.words, whole=True))
        help = self.words.say("help").splitlines()
        self._say(f"  {line}" for line in help)
        return False

    def _why(self, text: str, seat: str) -> bool:
        try:
            self._say(why_lines(self.game.why(text, seat), self.words))
        except UsageError as error:
            self._say([f"  {error}"])
        return False

    def _do(self, wanted: Sequence[str], seat: str) -> bool:
        """Do all of some actions, or none of them."""
        before = self.game.copy()
        try:
            for text in wanted:
                if self.game.to_act != seat:
                    self._say(["  " + self.words.say("too_many", action=text)])
                    self.game = before
                    return False
                self.game.apply(text)
        except IllegalAction as error:
            self.game = before
            self._say(why_lines(error.explanation, self.words))
            return False
        except UsageError as error:
            self.game = before
            self._say([f"  {error}"])
            return False
        if self._revealed(before):
            self._before.clear()
        else:
            self._before.append(before)
        return True

    def _revealed(self, before: Game) -> bool:
        """Whether somebody learnt something since: chance, or another seat's turn."""
        since = self.game.events[before.steps :]
        return self.game.to_act != before.to_act or any(
            "chance" in one for one in since
        )

    def _undo(self, seat: str) -> bool:
        if not self._before or self._before[-1].to_act != seat:
            self._say(["  " + self.words.say("not_taken_back")])
            return False
        self.game = self._before.pop()
        self._told = min(self._told, self.game.steps)
        self.recorder.rewrite(self.game)
        self._say(["  " + self.words.say("taken_back")])
        return True

    # ------------------------------------------------------------ what is shown

    def _hand_over(self, seat: str) -> bool:
        """With several people, hide the screen between them; whether one came."""
        if self._reader == seat or len(self.people) < 2:
            self._reader = seat
            return True
        if self.out.isatty():
            self.out.write("\033[2J\033[3J\033[H")
        self.out.write(self.words.say("hand_over", seat=self.words.title(seat)))
        self.out.flush()
        line = self.source.readline()
        self._reader = seat
        self.out.write("\n")
        return bool(line)

    def _tell(self) -> None:
        """Show the events since the last time, as the reader may know them."""
        if len(self.people) > 1 and self._reader is None:
            return
        log = self.game.log(self._reader)
        self._say(event_line(event, self.words) for event in log[self._told :])
        self._told = len(log)

    def _say(self, lines: Sequence[str] | Iterator[str]) -> None:
        for line in lines:
            self.out.write(line + "\n")
