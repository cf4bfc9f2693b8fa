"""Log of a game for one reader: what each seat did, what chance gave, and the effects.

The log is a function of the recorded events and of what the reader may know, so it is
the same during play, after a restart, and in a replay.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby, takewhile
from threading import Lock
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.tooling import effects_within, phase_of
from workbench.files.records.record_replay import game_and_events
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.gap_values import GapValues
from workbench.presentation.narration.selection import action_title
from workbench.presentation.narration.view_changes import view_changes

Event = Mapping[str, Any]
View = Mapping[str, Any]

DEPTH = 200
"""Number of latest events that a log describes after a restart."""


@attrs.frozen
class LogEntry:
    """Event in words: a sentence, or what a seat has done, and the effects.

    `step` is the number of events up to its end. `seat` decided, or is None for an
    event of chance. `seats` are those that the event names.
    """

    step: int
    seat: str | None
    text: str
    is_sentence: bool = False
    effects: str = ""
    seats: frozenset[str] = frozenset()


@attrs.define
class EventLog:
    """Log for a reader, a seat or None, which grows with the game."""

    localizer: Localizer
    reader: str | None
    entries: list[LogEntry] = attrs.field(factory=list, init=False)
    _known: list[dict[str, Any]] = attrs.field(factory=list, init=False)
    _cursor: Game | None = attrs.field(default=None, init=False)
    _view: View | None = attrs.field(default=None, init=False)
    _lock: Lock = attrs.field(factory=Lock, init=False)

    def update(self, game: Game) -> None:
        """Add the new events of a game, or start again if its past has changed."""
        with self._lock:
            self._update(game)

    def _update(self, game: Game) -> None:
        log = game.log(self.reader)
        if self._cursor is None or log[: len(self._known)] != self._known:
            self._restart(game, max(0, len(log) - DEPTH))
        events = game.events
        while (start := len(self._known)) < len(log):
            count = self._count_picks(events[start:])
            if not count:
                return
            self._add_moment(events, log, start, count)

    def since(self, step: int) -> list[LogEntry]:
        """Return the entries of the events after a step."""
        return [entry for entry in self.entries if entry.step > step]

    def _restart(self, game: Game, skipped: int) -> None:
        """Return to the start of a game, and pass over the first events."""
        self._cursor = game_and_events(game)[0]
        self._known, self._view, self.entries = [], None, []
        for event in game.events[:skipped]:
            self._cursor.apply(event)
        self._known = game.log(self.reader)[:skipped]

    def _count_picks(self, events: Sequence[Event]) -> int:
        """Return the number of the next events that are one decision, 0 if unfinished.

        Several cards are picked one by one, and `pass` may end the picks.
        """
        assert self._cursor is not None
        gathering = self._cursor.gathering
        if gathering is None or "seat" not in events[0]:
            return 1
        trial = self._cursor.copy()
        for count, event in enumerate(events, 1):
            trial.apply(event)
            if (
                trial.gathering is None
                or trial.gathering.made != gathering.made + count
            ):
                return count
        return 0

    def _add_moment(
        self,
        events: Sequence[Event],
        log: Sequence[dict[str, Any]],
        start: int,
        count: int,
    ) -> None:
        """Add a decision, with the outcomes in its sentence, or one other event."""
        assert self._cursor is not None
        event = log[start]
        if not self._cursor.turn and "chance" in event and not self._reports(event):
            self._advance(events[start], event)  # dealt before the game
            return
        before = self._current_view()
        narrator = Narrator(self.localizer, before)
        told = narrator.narrate(log[start : start + count], log[start + count :])
        for number in range(start, start + count + told.outcomes):
            self._advance(events[number], log[number])
        if "chance" in event and told.is_sentence and not told.text:
            return  # left out with its effects, such as each card of a deal
        acting = None if told.outcomes else event.get("seat")
        after = self._current_view()
        effects = " · ".join(
            view_changes(before, after, self.localizer, acting, told.described)
        )
        if told.text or effects:
            self.entries.append(
                LogEntry(
                    step=len(self._known),
                    seat=event.get("seat"),
                    text=told.text,
                    is_sentence=told.is_sentence,
                    effects=effects,
                    seats=told.seats,
                )
            )

    def _reports(self, event: Event) -> bool:
        """Return whether the rules have a text for a chance event."""
        return event["chance"] in self.localizer.reports

    def _current_view(self) -> View:
        assert self._cursor is not None
        if self._view is None:
            self._view = self._cursor.view(self.reader)
        return self._view

    def _advance(self, event: Event, shown: dict[str, Any]) -> None:
        """Apply an event to the position."""
        assert self._cursor is not None
        self._cursor.apply(event)
        self._known.append(shown)
        self._view = None


@attrs.frozen
class Narration:
    """Text of an event: a whole sentence, or what the acting seat has done.

    The sentence includes the outcomes of the next `outcomes` events. `seats` are those
    that it names, and `described` those whose cards it names.
    """

    text: str
    is_sentence: bool = False
    seats: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()
    outcomes: int = 0


@attrs.frozen
class Narrator:
    """Describes events for a reader, who has a view of the position before them."""

    localizer: Localizer
    view: View

    def narrate(self, events: Sequence[Event], later: Sequence[Event]) -> Narration:
        """Describe a decision (several picks of cards), or one other event.

        `later` are the events after it, of which the first may be its outcomes.
        """
        (event, *_), localizer = events, self.localizer
        if "announced" in event:
            seats = frozenset(filter(None, map(str, event["values"].values())))
            return Narration(localizer.announcement(event), True, seats)
        if "chance" in event:
            return self._narrate_chance(event)
        if event["action"] is None:
            return Narration(localizer.phrase("hidden_decision"))
        return self._narrate_decision(events, later)

    def _narrate_chance(self, event: Event) -> Narration:
        name, outcome = event["chance"], event["outcome"]
        outcomes = {} if outcome is None else {name: outcome}
        told = self._report([name], self.view.get("active"), {}, outcomes)
        if told is not None:
            return attrs.evolve(told, described=frozenset(), outcomes=0)
        if outcome is None:
            return Narration("")
        text = self.localizer.outcome(name, outcome)
        return Narration(f"{self.localizer.title(name)}: {text}")

    def _narrate_decision(
        self, events: Sequence[Event], later: Sequence[Event]
    ) -> Narration:
        (event, *_), localizer = events, self.localizer
        name, arguments = split_action(event["action"])
        given: dict[str, Any] = dict(
            zip(localizer.parameter_names(name), arguments, strict=False)
        )
        picks = (split_action(each["action"]) for each in events)
        picked = Counter(
            card for pick, cards in picks if pick == name for card in cards
        )
        is_gather = name in gather_choices(localizer.book)
        if is_gather:
            given = {name: picked}
        outcomes = {
            each["chance"]: each["outcome"]
            for each in takewhile(lambda each: "chance" in each, later)
            if each["outcome"] is not None
        }
        paths = [f"{clause_name(self.view)}.{name}", name]
        told = self._report(paths, event["seat"], given, outcomes)
        if told is not None:
            return attrs.evolve(told, seats=told.seats | {*arguments})
        if is_gather:
            text = f"{action_title(name, localizer)}: {localizer.holding_text(picked)}"
            return Narration(text)
        return Narration(localizer.action(event["action"]), seats=frozenset(arguments))

    def _report(
        self,
        paths: Sequence[str],
        seat: str | None,
        given: Mapping[str, Any],
        outcomes: Mapping[str, Any],
    ) -> Narration | None:
        """Return the first text of a report whose values the reader knows, or None."""
        values = GapValues(self.view, seat, self.localizer, given, outcomes)
        forms = (self.localizer.reports.get(path, ()) for path in paths)
        for form in chain.from_iterable(forms):
            text = values.fill(form)
            if text is None:
                continue
            shown = values.gap_values(form)
            seats = {*filter(self._is_seat, shown)} | ({seat} if seat else set())
            used = values.outcomes_in(form)
            cards = used or any(isinstance(value, Mapping) for value in shown)
            return Narration(
                text,
                is_sentence=True,
                seats=frozenset(seats),
                described=frozenset(seats if cards else ()),
                outcomes=1 + max(map([*outcomes].index, used), default=-1),
            )
        return None

    def _is_seat(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.view["points"]


def clause_name(view: View) -> str:
    """Return the name of the clause that waits: a phase, a procedure or an action."""
    pending = view.get("pending")
    clause = pending[-1]["clause"] if pending else ""
    return phase_of(clause) or clause if clause else ""


def split_action(text: str) -> tuple[str, list[str]]:
    """Split an action's text into its name and arguments."""
    name, bracket, inside = text.partition("(")
    return name, inside.rstrip(")").split(", ") if bracket else []


@lru_cache(maxsize=64)
def gather_choices(book: Rulebook | None) -> frozenset[str]:
    """Return the names of the actions that pick one of several cards."""
    if book is None:
        return frozenset()
    parts = effects_within(book.model.procedures, book.model.actions)
    return frozenset(
        name
        for effects in parts
        for name in effects.choices
        if any(binding.maximum is not None for binding in effects.bindings)
    )


def entry_lines(entries: Iterable[LogEntry], localizer: Localizer) -> Iterator[str]:
    """Yield entries as lines of text, with their effects below them.

    Equal consecutive entries without effects become one line.
    """
    for line, equal in groupby(entries, lambda entry: _entry_line(entry, localizer)):
        group = list(equal)
        if line:
            yield line if len(group) == 1 else f"{line} × {len(group)}"
        for entry in group:
            if entry.effects:
                yield f"    {entry.effects}"


def _entry_line(entry: LogEntry, localizer: Localizer) -> str:
    if entry.is_sentence or not entry.text:
        return f"  {entry.text}".rstrip()
    if entry.seat is None:
        return f"  ({entry.text})"
    return f"  {localizer.title(entry.seat)}: {entry.text}"
