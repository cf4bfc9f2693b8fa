"""Game at the terminal: people type, bots play, and the record is always up to date."""

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import attrs

from interpreter import (
    Action,
    Game,
    Gathering,
    IllegalAction,
    UsageError,
)
from workbench.analysis.simulation.settings import noted
from workbench.bots.errors import USUAL, BotFailed, ErrorPolicy
from workbench.bots.players import SeatedBots
from workbench.defaults import HUMAN
from workbench.errors import Refused
from workbench.files.records.recorder import Recorder
from workbench.files.records.replay import earlier
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.changes import Tidings
from workbench.presentation.narration.momentary_fields import seen
from workbench.presentation.narration.selection import (
    coordinates,
    folded,
    supposed,
    texts,
)
from workbench.presentation.narration.view_text import (
    outcome_lines,
)
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.text.board import shorts_of
from workbench.terminal.display import TYPED, TableDisplay
from workbench.terminal.keyboard import Completions, Keyboard


@attrs.define
class TerminalGame:
    """Game in progress, with its players, input, output and recorder.

    `bot_seed` is used if the game itself contains no seed for bots.
    """

    game: Game
    players: Mapping[str, str]
    bot_seed: int
    source: TextIO
    out: TextIO
    recorder: Recorder
    turns_max: int | None = None
    words: Wording = attrs.field(factory=Wording)
    conduct: ErrorPolicy = USUAL
    _before: list[Game] = attrs.field(factory=list, init=False)
    _aside: Counter[str] = attrs.field(factory=Counter, init=False)
    _reader: str | None = attrs.field(default=None, init=False)
    _told: int = attrs.field(default=0, init=False)
    _news: Tidings = attrs.field(init=False)
    _display: TableDisplay = attrs.field(init=False)
    _keyboard: Keyboard = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.game.noted = noted(self.bot_seed, 0) | self.game.noted
        self._display = TableDisplay.of(self.out, self.game, self.words)
        self._keyboard = Keyboard(self.source, self.out)
        self._news = Tidings(self.words, self.people or [None])
        self._news.begin(self.game)

    @property
    def people(self) -> list[str]:
        """Seats that people play."""
        return [seat for seat, who in self.players.items() if who == HUMAN]

    def play(self) -> Game:
        """Play until the game is over or the input ends; return the game."""
        try:
            return self._played()
        except KeyboardInterrupt:
            self.out.write("\n")
            self._stopped()
            raise
        except BotFailed:
            self._stopped()
            raise
        finally:
            self.recorder.close()

    def _played(self) -> Game:
        """Play until the game is over or the input ends; return the game."""
        bot_seed, number = self.game.noted["bot_seed"], self.game.noted["game"]
        names = {s: who for s, who in self.players.items() if who != HUMAN}
        bots = SeatedBots(names, bot_seed, number, self.conduct)
        self._write()
        if len(self.people) == 1:
            self._reader = self.people[0]
        if self.people:
            book = self.game.book
            title = self.words.sentence(book.name, book.title)
            self._display.say([self.words.say("first_line", title=title)])
        else:
            flags = f"--seed {self.game.seed} --bot-seed {bot_seed}"
            flags += f" --game {number}" if number else ""
            self._display.say([self.words.say("watched", flags=flags)])
        while (seat := self.game.to_act) is not None:
            if seat not in bots:
                self.recorder.settle()
                if not self._ask(seat):
                    break
                self._write()
            else:
                turn, since = self.game.turn, self.game.steps
                wrong = bots.errors[seat]
                action = bots.decide(self.game, seat)
                if bots.errors[seat] > wrong:
                    self._say_wrong(bots)
                if action is None:
                    break
                self._done(action)
                self._news.note(self.game, since, seat)
                self._write()
                if self.game.turn != turn:
                    self._tell()
        if len(self.people) != 1:
            self._reader = None
        self._tell()
        points = {seat: self.game.points(seat) for seat in self.game.seats}
        if self.game.to_act is None:
            self._display.board(self.game, self._reader, self._choices(self._reader))
            self._display.say(outcome_lines(self.game.outcome, points, self.words))
        else:
            self._stopped()
        return self.game

    def _write(self) -> None:
        """Write new events to the record, before anybody sees them."""
        self.recorder.write(self.game)
        if self.recorder.note is not None:
            self._display.say([f"  {self.recorder.note}"])
            self.recorder.note = None

    def _say_wrong(self, bots: SeatedBots) -> None:
        """Report the errors of bots, and their consequences."""
        said = "bot_replaced" if bots.loser is None else "bot_loses"
        seat = self.words.title(bots.loser or str(self.game.to_act))
        self._display.say([self.words.say(said, error=str(bots.last), seat=seat)])

    def _stopped(self) -> None:
        """Report where the game was saved, or that it was not."""
        path = self.recorder.path if self.recorder.begun else None
        said = "stops" if path else "stops_unwritten"
        self._display.say([self.words.say(said, path=shlex.quote(path or ""))])

    # ------------------------------------------------------------ one person's turn

    def _ask(self, seat: str) -> bool:
        """Ask a person for one decision; return false at the end of the input."""
        if not self._hand_over(seat):
            return False
        self._tell()
        legal = self._choices(seat)
        view = with_picks(seen(self.game, seat), self.game.gathering, self._aside)
        left = max(still_to_choose(self.game) - self._aside.total(), 0)
        self._display.board(self.game, seat, legal)
        self._display.decision(self.game, view, seat, left)
        self._display.menu(legal)
        while True:
            asked = self._display.screen.shown(f"{self.words.title(seat)}> ")
            line = self._keyboard.line(asked, self._known(legal))
            if not line or self._typed(line.strip()) == "quit":
                self.out.write("\n")
                return False
            if self._answered(line.strip(), seat):
                return True

    def _known(self, legal: Sequence[Action]) -> Completions:
        """Return completions: actions and commands; after `why`, actions again."""
        words = [self.words.say(f"type_{name}") for name in TYPED]
        shown = self._display.screen.shown
        actions = list(dict.fromkeys(shown(action.text) for action in legal))
        return Completions([*actions, *words], {self.words.say("type_why"): actions})

    def _answered(self, line: str, seat: str) -> bool:
        """Execute a typed line; return whether the game has changed."""
        word, _, rest = line.partition(" ")
        if not line:
            return False
        if self._typed(line) == "undo":
            return self._undo()
        shown = self._shown(seat)
        if self._typed(line) in shown:
            shown[self._typed(line)]()
            return False
        about: dict[str, Callable[[str], None]] = {
            "why": lambda text: self._why(text, seat),
            "save": self._save,
            "about": lambda text: self._display.about(text, self.game, seat),
        }
        if self._typed(word) in about:
            answer = about[self._typed(word)] if rest else lambda _: self._usage(word)
            answer(rest.strip())
            return False
        try:
            return self._do(self._read(line, seat), seat)
        except Refused as error:
            self._display.say([f"  {error}"])
            return False

    def _shown(self, seat: str) -> dict[str, Callable[[], None]]:
        """Return the commands that show something, each with its function."""
        display, game, choices = self._display, self.game, self._choices(seat)
        return {
            "?": lambda: display.help(game, seat, choices),
            "help": lambda: display.help(game, seat, choices),
            "board": lambda: display.board(game, seat, choices, again=True),
            "list": lambda: display.menu(choices, whole=True),
            "costs": lambda: display.costs(game, seat),
        }

    def _typed(self, word: str) -> str:
        """Translate a command from the reader's language; keep any other word."""
        if any(folded(word) == folded(name) for name in self.game.book.model.actions):
            return word
        own = {folded(self.words.say(f"type_{name}")): name for name in TYPED}
        also = self.words.say("also_quit").split(" / ")
        own |= {folded(alias): "quit" for alias in also}
        return own.get(folded(word), word)

    def _usage(self, word: str) -> None:
        """Show the help line of a command that needs an argument."""
        lines = self.words.say("help").splitlines()
        about = (line for line in lines if folded(line.split()[0]) == folded(word))
        self._display.say(f"  {line}" for line in about)

    def _read(self, line: str, seat: str) -> tuple[str, ...]:
        """Return the action texts that a typed line stands for."""
        line = coordinates(line, self.game.book)
        scene = scene_of(self.game, seat, self.words.language)
        legal = self._choices(seat)
        short = shorts_of(scene)
        if line.isdecimal() and not 1 <= int(line) <= len(legal):
            raise Refused(self.words.say("no_number", number=line, count=len(legal)))
        actions = texts(line, legal, self.words, short)
        if actions == (line,) and all(line != action.text for action in legal):
            return (supposed(line, self.game.book, self.words, short),)
        return actions

    def _why(self, text: str, seat: str) -> None:
        """Explain why the actions in a typed text are legal or illegal."""
        try:
            gathering = self.game.gathering
            for action in self._read(text, seat):
                judged = gathering and gathering.judged(action, self._aside)
                self._display.explain(self.game, judged or self.game.why(action, seat))
        except (UsageError, Refused) as error:
            self._display.say([f"  {error}"])

    def _save(self, path: str) -> None:
        """Save the game to a file, and continue the record there."""
        recorder = Recorder(path := str(Path(path).expanduser()))
        try:
            recorder.write(self.game)
        except Refused:
            self._display.say(["  " + self.words.say("there_already", path=path)])
        except OSError as error:
            self._display.say([f"  {path}: {error.strerror}"])
        else:
            self.recorder.give_way()
            self.recorder = recorder
            self._display.say(["  " + self.words.say("saved", path=path)])

    def _choices(self, seat: str | None) -> tuple[Action, ...]:
        """Return the choices of a seat: for a gather, all remaining picks."""
        gathering = self.game.gathering
        if gathering is None or seat != self.game.to_act:
            return self.game.legal_actions(seat)
        return gathering.after(self._aside)

    def _do(self, wanted: Sequence[str], seat: str) -> bool:
        """Apply all actions or none; return whether the game has changed.

        Picks of a gather may be in any order.
        """
        gathering = self.game.gathering
        if gathering is None:
            return self._act(wanted, seat)
        picked, ends = self._aside.copy(), gathering.ends.text in wanted
        for text in wanted:
            if all(text != action.text for action in gathering.after(picked)):
                if any(text == pick.text for pick, _ in gathering.left):
                    self._display.say(["  " + self._too_many(text)])
                else:
                    self._display.explain(self.game, self.game.why(text))
                return False
            picked[text] += text != gathering.ends.text
        if not ends and gathering.after(picked):
            self._aside = picked
            return True
        self._aside = Counter()
        return self._gathered(gathering, picked, seat, ends=ends)

    def _gathered(
        self, gathering: Gathering, picked: Counter[str], seat: str, *, ends: bool
    ) -> bool:
        """Apply all picks of a gather in record order; return whether they were legal.

        If *ends* is true, also end the gather.
        """
        if picked.total() and not self._act(gathering.in_order(picked), seat):
            return False
        left = self.game.gathering
        if ends and left is not None and left.made == gathering.made + picked.total():
            return self._act([gathering.ends.text], seat)
        return True

    def _act(self, wanted: Sequence[str], seat: str) -> bool:
        """Apply all actions, or none of them; return whether they were legal."""
        before = self.game.copy()
        taught = False
        try:
            for number, text in enumerate(wanted):
                if number and not self._still(text, seat):
                    self._display.say(["  " + self._too_many(text)])
                    self.game = before
                    return False
                taught = self.game.teaches(text) or taught
                self.game.apply(text)
        except IllegalAction as error:
            self.game = before
            self._display.explain(self.game, error.explanation)
            return False
        except UsageError as error:
            self.game = before
            self._display.say([f"  {error}"])
            return False
        self._news.note(self.game, before.steps, seat)
        self._keep(before, taught=taught)
        return True

    def _done(self, action: Action) -> None:
        """Apply an action of a bot."""
        if self.people:
            self._keep(self.game.copy(), taught=self.game.teaches(action))
        self.game.apply(action)

    def _keep(self, before: Game, *, taught: bool) -> None:
        """Save the previous game for undo, or drop all if a seat learnt something."""
        self._before = [] if taught else [*self._before, before]

    def _still(self, text: str, seat: str) -> bool:
        """Return whether an action is legal as the next pick of a selection."""
        return any(action.text == text for action in self.game.legal_actions(seat))

    def _too_many(self, text: str) -> str:
        return self.words.say("too_many", action=self.words.action(text))

    def _undo(self) -> bool:
        """Undo the last action of a person, and later actions of bots.

        Returns false if there is none, or if a seat has learnt something since.
        """
        if self._aside:
            self._aside = Counter()
            self._display.say(["  " + self.words.say("taken_back")])
            return True
        self._before = self._before or earlier(self.game)
        while self._before and self._before[-1].to_act not in self.people:
            self._before.pop()
        if not self._before:
            done = any(event.get("seat") in self.people for event in self.game.events)
            said = "not_taken_back" if done else "nothing_done"
            self._display.say(["  " + self.words.say(said)])
            return False
        self.game = self._before.pop()
        self._told = min(self._told, self.game.steps)
        self._news.begin(self.game)
        self._display.say(["  " + self.words.say("taken_back")])
        return True

    # ------------------------------------------------------------ what is shown

    def _hand_over(self, seat: str) -> bool:
        """Hide the screen between two people; return false at the end of the input."""
        if self._reader == seat or len(self.people) < 2:
            self._reader = seat
            return True
        self._display.clear()
        self._keyboard.forget()
        asked = self.words.say("hand_over", seat=self.words.title(seat))
        line = self._keyboard.line(self._display.screen.shown(asked))
        self._reader = seat
        self.out.write("\n")
        return bool(line)

    def _tell(self) -> None:
        """Show the events since the last call that the reader may know."""
        if len(self.people) > 1 and self._reader is None:
            return
        self._display.say(self._news.lines(self.game, self._told, self._reader))
        self._told = self.game.steps


def still_to_choose(game: Game) -> int:
    """Return how many more picks the current gather needs; 0 without a gather."""
    return 0 if game.gathering is None else game.gathering.fewest


def with_picks(
    view: Mapping[str, Any], gathering: Gathering | None, picked: Mapping[str, int]
) -> Mapping[str, Any]:
    """Return a view in which the pending picks of a gather are already made."""
    aside = [
        (pick, count)
        for pick, _ in (gathering.left if gathering else ())
        if (count := picked.get(pick.text, 0))
    ]
    if not aside:
        return view
    *below, frame = view["pending"]
    held = dict(frame["values"].get(aside[0][0].name) or {})
    for pick, count in aside:
        (card,) = pick.arguments
        held[card] = held.get(card, 0) + count
    values = {**frame["values"], aside[0][0].name: held}
    return {**view, "pending": [*below, {**frame, "values": values}]}
