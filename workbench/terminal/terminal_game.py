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
from workbench.analysis.simulation.settings import record_notes
from workbench.bots.bot_failures import DEFAULT_POLICY, BotFailed, ErrorPolicy
from workbench.bots.seated_bots import SeatedBots
from workbench.defaults import HUMAN
from workbench.errors import RequestError
from workbench.files.records.record_replay import undoable_games
from workbench.files.records.recorder import Recorder
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import EventLog, entry_lines
from workbench.presentation.narration.momentary_fields import relevant_view
from workbench.presentation.narration.selection import (
    action_texts,
    name_coordinates,
    normalize,
    probable_action,
)
from workbench.presentation.narration.view_text import (
    outcome_lines,
)
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.text.board_lines import corner_names
from workbench.terminal.display import COMMANDS, TableDisplay
from workbench.terminal.frame import FrameData
from workbench.terminal.keyboard import Completions, Keyboard

MAX_LOG_LINES = 60


@attrs.define
class TerminalGame:
    """Game in progress, with its players, input, output and recorder.

    `bot_seed` is the seed for bots, unless the notes of the game contain another.
    """

    game: Game
    players: Mapping[str, str]
    bot_seed: int
    source: TextIO
    out: TextIO
    recorder: Recorder
    max_turns: int | None = None
    localizer: Localizer = attrs.field(factory=Localizer)
    error_policy: ErrorPolicy = DEFAULT_POLICY
    _undoable: list[Game] = attrs.field(factory=list, init=False)
    _pending_picks: Counter[str] = attrs.field(factory=Counter, init=False)
    _reader: str | None = attrs.field(default=None, init=False)
    _reported_steps: int = attrs.field(default=0, init=False)
    _logs: dict[str | None, EventLog] = attrs.field(factory=dict, init=False)
    _display: TableDisplay = attrs.field(init=False)
    _keyboard: Keyboard = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.game.notes = record_notes(self.bot_seed, 0) | self.game.notes
        self._display = TableDisplay.for_game(self.out, self.game, self.localizer)
        self._keyboard = Keyboard(self.source, self.out)

    @property
    def people(self) -> list[str]:
        """Seats that people play."""
        return [seat for seat, who in self.players.items() if who == HUMAN]

    def play(self) -> Game:
        """Play until the game is over or the input ends; return the game."""
        try:
            return self._play_game()
        except KeyboardInterrupt:
            self.out.write("\n")
            self._report_stop()
            raise
        except BotFailed:
            self._report_stop()
            raise
        finally:
            self.recorder.close()

    def _play_game(self) -> Game:
        """Play until the game is over or the input ends; return the game."""
        bot_seed, number = self.game.notes["bot_seed"], self.game.notes["game"]
        names = {s: who for s, who in self.players.items() if who != HUMAN}
        bots = SeatedBots(names, bot_seed, number, self.error_policy)
        self._write()
        if len(self.people) == 1:
            self._reader = self.people[0]
        if self.people:
            book = self.game.book
            title = self.localizer.sentence(book.name, book.title)
            self._display.show_lines([self.localizer.phrase("first_line", title=title)])
        else:
            flags = f"--seed {self.game.seed} --bot-seed {bot_seed}"
            flags += f" --game {number}" if number else ""
            self._display.show_lines([self.localizer.phrase("watched", flags=flags)])
        while (seat := self.game.to_act) is not None:
            if seat not in bots:
                self.recorder.flush()
                if not self._ask(seat):
                    break
                self._write()
            else:
                turn = self.game.turn
                wrong = bots.errors[seat]
                action = bots.decide(self.game, seat)
                if bots.errors[seat] > wrong:
                    self._report_bot_errors(bots)
                if action is None:
                    break
                self._apply_bot_action(action)
                self._write()
                if self.game.turn != turn:
                    self._show_events()
        if len(self.people) != 1:
            self._reader = None
        self._show_events()
        points = {seat: self.game.points(seat) for seat in self.game.seats}
        if self.game.to_act is None:
            self._display.show_board(
                self.game, self._reader, self._choices(self._reader)
            )
            self._display.show_lines(outcome_lines(self.game, points, self.localizer))
        else:
            self._report_stop()
        return self.game

    def _write(self) -> None:
        """Write new events to the record before they are shown."""
        self.recorder.write(self.game)
        if self.recorder.note is not None:
            self._display.show_lines([f"  {self.recorder.note}"])
            self.recorder.note = None

    def _report_bot_errors(self, bots: SeatedBots) -> None:
        """Report the last error of a bot, and its consequence."""
        key = "bot_replaced" if bots.loser is None else "bot_loses"
        seat = self.localizer.title(bots.loser or str(self.game.to_act))
        self._display.show_lines(
            [self.localizer.phrase(key, error=str(bots.last), seat=seat)]
        )

    def _report_stop(self) -> None:
        """Report where the game was saved, or that it was not."""
        path = self.recorder.path if self.recorder.has_begun else None
        key = "stops" if path else "stops_unwritten"
        self._display.show_lines(
            [self.localizer.phrase(key, path=shlex.quote(path or ""))]
        )

    # ------------------------------------------------------------ one person's turn

    def _ask(self, seat: str) -> bool:
        """Ask a person for one decision; return false at the end of the input."""
        if not self._hand_over(seat):
            return False
        self._show_events()
        legal = self._choices(seat)
        data = self._frame_data(seat)
        if self._display.has_frame:
            self._display.show_frame(data)
        else:
            self._display.show_board(self.game, seat, legal)
            self._display.show_decision(self.game, data.view, seat, data.remaining)
            self._display.show_menu(legal)
        while True:
            prompt = self._display.screen.supported_text(
                f"{self.localizer.title(seat)}> "
            )
            line = self._keyboard.read_line(prompt, self._completions(legal))
            if not line or self._translate_command(line.strip()) == "quit":
                self.out.write("\n")
                return False
            if self._execute(line.strip(), seat):
                return True

    def _frame_data(self, seat: str) -> FrameData:
        """Return the position at the decision of a seat, with its pending picks."""
        view = view_with_picks(
            relevant_view(self.game, seat), self.game.gathering, self._pending_picks
        )
        return FrameData(
            self.game,
            seat,
            view,
            self._choices(seat),
            self.localizer,
            max(remaining_picks(self.game) - self._pending_picks.total(), 0),
            self._event_lines(),
        )

    def _event_lines(self) -> list[str]:
        """Return lines about all events that the reader may know."""
        log = self._logs.get(self._reader)
        return list(entry_lines(log.entries, self.localizer)) if log else []

    def _completions(self, legal: Sequence[Action]) -> Completions:
        """Return completions of actions and commands, and of actions after `why`."""
        words = [self.localizer.phrase(f"type_{name}") for name in COMMANDS]
        shown = self._display.screen.supported_text
        actions = list(dict.fromkeys(shown(action.text) for action in legal))
        return Completions(
            [*actions, *words], {self.localizer.phrase("type_why"): actions}
        )

    def _execute(self, line: str, seat: str) -> bool:
        """Execute a typed line; return whether the game has changed."""
        word, _, rest = line.partition(" ")
        if not line:
            if self._display.has_frame:
                self._display.show_frame(self._frame_data(seat))
            return False
        if self._translate_command(line) == "undo":
            return self._undo()
        shown = self._display_commands(seat)
        if self._translate_command(line) in shown:
            shown[self._translate_command(line)]()
            return False
        about: dict[str, Callable[[str], None]] = {
            "why": lambda text: self._explain(text, seat),
            "save": self._save,
            "about": lambda text: self._display.show_description(text, self.game, seat),
        }
        if self._translate_command(word) in about:
            answer = (
                about[self._translate_command(word)]
                if rest
                else lambda _: self._show_usage(word)
            )
            answer(rest.strip())
            return False
        try:
            return self._apply_selection(self._parse_line(line, seat), seat)
        except RequestError as error:
            self._display.show_lines([f"  {error}"])
            return False

    def _display_commands(self, seat: str) -> dict[str, Callable[[], None]]:
        """Return the function of each command that only shows information, by name."""
        display, game, choices = self._display, self.game, self._choices(seat)
        return {
            "?": lambda: display.show_help(game, seat, choices),
            "help": lambda: display.show_help(game, seat, choices),
            "board": lambda: display.show_board(game, seat, choices, force=True),
            "list": lambda: display.show_menu(choices, full=True),
            "costs": lambda: display.show_costs(game, seat),
            "cards": lambda: display.show_cards(self._frame_data(seat)),
            "log": lambda: display.show_lines(self._event_lines()[-MAX_LOG_LINES:]),
        }

    def _translate_command(self, word: str) -> str:
        """Translate a command from the reader's language; keep any other word."""
        if any(
            normalize(word) == normalize(name) for name in self.game.book.model.actions
        ):
            return word
        own = {
            normalize(self.localizer.phrase(f"type_{name}")): name for name in COMMANDS
        }
        also = self.localizer.phrase("also_quit").split(" / ")
        own |= {normalize(alias): "quit" for alias in also}
        return own.get(normalize(word), word)

    def _show_usage(self, word: str) -> None:
        """Show the help line of a command that needs an argument."""
        lines = self.localizer.phrase("help").splitlines()
        about = (
            line for line in lines if normalize(line.split()[0]) == normalize(word)
        )
        self._display.show_lines(f"  {line}" for line in about)

    def _parse_line(self, line: str, seat: str) -> tuple[str, ...]:
        """Return the texts of the actions that a typed line selects."""
        line = name_coordinates(line, self.game.book)
        scene = scene_of(self.game, seat, self.localizer.language)
        legal = self._choices(seat)
        short = corner_names(scene)
        if line.isdecimal() and not 1 <= int(line) <= len(legal):
            raise RequestError(
                self.localizer.phrase("no_number", number=line, count=len(legal))
            )
        actions = action_texts(line, legal, self.localizer, short)
        if actions == (line,) and all(line != action.text for action in legal):
            return (probable_action(line, self.game.book, self.localizer, short),)
        return actions

    def _explain(self, text: str, seat: str) -> None:
        """Explain why the actions in a typed text are legal or illegal."""
        try:
            gathering = self.game.gathering
            for action in self._parse_line(text, seat):
                judged = gathering and gathering.judged(action, self._pending_picks)
                self._display.show_explanation(
                    self.game, judged or self.game.why(action, seat)
                )
        except (UsageError, RequestError) as error:
            self._display.show_lines([f"  {error}"])

    def _save(self, path: str) -> None:
        """Save the game to a file, and continue the record there."""
        recorder = Recorder(path := str(Path(path).expanduser()))
        try:
            recorder.write(self.game)
        except RequestError:
            self._display.show_lines(
                ["  " + self.localizer.phrase("there_already", path=path)]
            )
        except OSError as error:
            self._display.show_lines([f"  {path}: {error.strerror}"])
        else:
            self.recorder.release()
            self.recorder = recorder
            self._display.show_lines(["  " + self.localizer.phrase("saved", path=path)])

    def _choices(self, seat: str | None) -> tuple[Action, ...]:
        """Return the legal actions of a seat; for a gather, the remaining picks."""
        gathering = self.game.gathering
        if gathering is None or seat != self.game.to_act:
            return self.game.legal_actions(seat)
        return gathering.after(self._pending_picks)

    def _apply_selection(self, actions: Sequence[str], seat: str) -> bool:
        """Apply all actions or none; return whether the game has changed.

        Picks of a gather may be in any order.
        """
        gathering = self.game.gathering
        if gathering is None:
            return self._apply_all(actions, seat)
        picked, ends = self._pending_picks.copy(), gathering.ends.text in actions
        for text in actions:
            if all(text != action.text for action in gathering.after(picked)):
                if any(text == pick.text for pick, _ in gathering.left):
                    self._display.show_lines(["  " + self._limit_text(text)])
                else:
                    self._display.show_explanation(self.game, self.game.why(text))
                return False
            picked[text] += text != gathering.ends.text
        if not ends and gathering.after(picked):
            self._pending_picks = picked
            return True
        self._pending_picks = Counter()
        return self._apply_gather(gathering, picked, seat, end_gather=ends)

    def _apply_gather(
        self, gathering: Gathering, picks: Counter[str], seat: str, *, end_gather: bool
    ) -> bool:
        """Apply all picks of a gather in record order; return whether they were legal.

        If *end_gather* is true, also end the gather.
        """
        if picks.total() and not self._apply_all(gathering.in_order(picks), seat):
            return False
        left = self.game.gathering
        if (
            end_gather
            and left is not None
            and left.made == gathering.made + picks.total()
        ):
            return self._apply_all([gathering.ends.text], seat)
        return True

    def _apply_all(self, actions: Sequence[str], seat: str) -> bool:
        """Apply all actions, or none of them; return whether they were legal."""
        before = self.game.copy()
        taught = False
        try:
            for number, text in enumerate(actions):
                if number and not self._is_still_legal(text, seat):
                    self._display.show_lines(["  " + self._limit_text(text)])
                    self.game = before
                    return False
                taught = self.game.teaches(text) or taught
                self.game.apply(text)
        except IllegalAction as error:
            self.game = before
            self._display.show_explanation(self.game, error.explanation)
            return False
        except UsageError as error:
            self.game = before
            self._display.show_lines([f"  {error}"])
            return False
        self._update_undo_history(before, revealed=taught)
        return True

    def _apply_bot_action(self, action: Action) -> None:
        """Apply an action of a bot."""
        if self.people:
            self._update_undo_history(
                self.game.copy(), revealed=self.game.teaches(action)
            )
        self.game.apply(action)

    def _update_undo_history(self, before: Game, *, revealed: bool) -> None:
        """Add *before* to the history, or clear that if secrets were revealed."""
        self._undoable = [] if revealed else [*self._undoable, before]

    def _is_still_legal(self, text: str, seat: str) -> bool:
        """Return whether an action is currently legal."""
        return any(action.text == text for action in self.game.legal_actions(seat))

    def _limit_text(self, text: str) -> str:
        return self.localizer.phrase("too_many", action=self.localizer.action(text))

    def _undo(self) -> bool:
        """Discard pending picks, or undo a person's last action and later bot actions.

        Return false if there are none, or if a seat has learnt something since.
        """
        if self._pending_picks:
            self._pending_picks = Counter()
            self._display.show_lines(["  " + self.localizer.phrase("taken_back")])
            return True
        self._undoable = self._undoable or undoable_games(self.game)
        while self._undoable and self._undoable[-1].to_act not in self.people:
            self._undoable.pop()
        if not self._undoable:
            done = any(event.get("seat") in self.people for event in self.game.events)
            key = "not_taken_back" if done else "nothing_done"
            self._display.show_lines(["  " + self.localizer.phrase(key)])
            return False
        self.game = self._undoable.pop()
        self._reported_steps = min(self._reported_steps, self.game.steps)
        self._display.show_lines(["  " + self.localizer.phrase("taken_back")])
        return True

    # ------------------------------------------------------------ output

    def _hand_over(self, seat: str) -> bool:
        """Clear the screen for the next person; return False at the end of input."""
        if self._reader == seat or len(self.people) < 2:
            self._reader = seat
            return True
        self._display.clear()
        self._keyboard.clear_history()
        prompt = self.localizer.phrase("hand_over", seat=self.localizer.title(seat))
        line = self._keyboard.read_line(self._display.screen.supported_text(prompt))
        self._reader = seat
        self.out.write("\n")
        return bool(line)

    def _show_events(self) -> None:
        """Show the events since the last call that are visible to the reader."""
        if len(self.people) > 1 and self._reader is None:
            return
        log = self._logs.setdefault(
            self._reader, EventLog(self.localizer, self._reader)
        )
        log.update(self.game)
        entries = log.since(self._reported_steps)
        self._display.show_lines(entry_lines(entries, self.localizer))
        self._reported_steps = self.game.steps


def remaining_picks(game: Game) -> int:
    """Return the number of picks that the current gather still needs, or 0."""
    return 0 if game.gathering is None else game.gathering.fewest


def view_with_picks(
    view: Mapping[str, Any], gathering: Gathering | None, picks: Mapping[str, int]
) -> Mapping[str, Any]:
    """Return a view in which the pending picks of a gather are already made."""
    aside = [
        (pick, count)
        for pick, _ in (gathering.left if gathering else ())
        if (count := picks.get(pick.text, 0))
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
