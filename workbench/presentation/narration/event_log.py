"""Log of a game for one reader: what each seat did, what chance gave, and the effects.

The log is a function of the recorded events and of what the reader may know, so it is
the same during play, after a restart, and in a replay.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby, takewhile
from threading import Lock
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.tooling import effects_within, text_name
from workbench.files.records.record_replay import game_and_events
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import Change, changes_text
from workbench.presentation.narration.gap_values import GapValues, without_number
from workbench.presentation.narration.selection import action_title
from workbench.presentation.narration.view_changes import view_changes

Event = Mapping[str, Any]
View = Mapping[str, Any]

DEPTH = 200
"""Number of latest events that a log describes after a restart."""


@attrs.frozen
class LogEntry:
    """Event in words: a sentence, or what a seat has done, and the effects.

    `first` and `step` are the numbers of its first and last event in the record. `seat`
    decided, or is None for an event of chance. `seats` are those that the event names.
    """

    first: int
    step: int
    seat: str | None
    text: str
    is_sentence: bool = False
    effects: tuple[Change, ...] = ()
    seats: frozenset[str] = frozenset()


@attrs.define
class EventLog:
    """Log for a reader, a seat or None, which grows with the game.

    `reveal` returns a game whose view and log show what the reader may know, if that
    is more than the game itself shows.
    """

    localizer: Localizer
    reader: str | None
    reveal: Callable[[Game], Game] = lambda game: game
    entries: list[LogEntry] = attrs.field(factory=list, init=False)
    _known: list[dict[str, Any]] = attrs.field(factory=list, init=False)
    _cursor: Game | None = attrs.field(default=None, init=False)
    _view: View | None = attrs.field(default=None, init=False)
    _lock: Lock = attrs.field(factory=Lock, init=False)

    def update(self, game: Game) -> None:
        """Add the new events of a game, or start again if its past has changed.

        Only the latest `DEPTH` entries are kept.
        """
        with self._lock:
            self._update(game)
            del self.entries[:-DEPTH]

    def _update(self, game: Game) -> None:
        log = self.reveal(game).log(self.reader)
        if not self.fits(log):
            start, events = game_and_events(game)
            skipped = max(0, len(log) - DEPTH)
            for event in events[:skipped]:
                start.apply(event)
            self.start(start, log[:skipped])
        self.extend(game.events, log)

    def fits(self, log: Sequence[Event]) -> bool:
        """Return whether a log begins with the events that are described already."""
        return self._cursor is not None and log[: len(self._known)] == self._known

    def start(self, position: Game, known: Sequence[dict[str, Any]]) -> None:
        """Start at a position after some events, which are not described.

        Chance gives nothing by itself there: the events contain its outcomes.
        """
        self._cursor, self._known = position, list(known)
        self._view, self.entries = None, []

    def extend(self, events: Sequence[Event], log: Sequence[dict[str, Any]]) -> None:
        """Add the events after those that are known; `log` is what the reader knows."""
        while (start := len(self._known)) < len(log):
            count = self._count_picks(events[start:])
            if not count:
                return
            self._add_moment(events, log, start, count)

    def entry_at(self, step: int) -> LogEntry | None:
        """Return the entry of the event that a step belongs to, or None."""
        entry = next((entry for entry in self.entries if entry.step >= step), None)
        return entry if entry is not None and entry.first <= step else None

    def since(self, step: int) -> list[LogEntry]:
        """Return the entries of the events after a step."""
        return [entry for entry in self.entries if entry.step > step]

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
        narration = narrator.narrate(log[start : start + count], log[start + count :])
        effects: list[Change] = []
        end = start + count
        for first, last, acting in (
            (start, end, event.get("seat")),
            (end, end + narration.outcomes, None),
        ):
            if first == last:
                continue
            for number in range(first, last):
                self._advance(events[number], log[number])
            after = self._current_view()
            effects += view_changes(
                before, after, self.localizer, acting, narration.described
            )
            before = after
        if "chance" in event and narration.is_sentence and not narration.text:
            return  # left out with its effects, such as each card of a deal
        if narration.text or effects:
            self.entries.append(
                LogEntry(
                    first=start + 1,
                    step=len(self._known),
                    seat=event.get("seat"),
                    text=narration.text,
                    is_sentence=narration.is_sentence,
                    effects=tuple(effects),
                    seats=narration.seats,
                )
            )

    def _reports(self, event: Event) -> bool:
        """Return whether the rules have a text for a chance event."""
        return event["chance"] in self.localizer.reports

    def _current_view(self) -> View:
        assert self._cursor is not None
        if self._view is None:
            self._view = self.reveal(self._cursor).view(self.reader)
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

    The sentence is also about the next `outcomes` events, whose outcomes it includes if
    the reader knows them. `seats` are those that it names, and `described` those whose
    cards it names.
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
            return self._narrate_hidden_decision(event["seat"])
        return self._narrate_decision(events, later)

    def _narrate_chance(self, event: Event) -> Narration:
        name, outcome = event["chance"], event["outcome"]
        outcomes = {} if outcome is None else {name: outcome}
        narration = self._report([name], self.view.get("active"), {}, outcomes)
        if narration is not None:
            return attrs.evolve(narration, described=frozenset(), outcomes=0)
        if outcome is None:
            return Narration("")
        text = self.localizer.outcome(name, outcome)
        return Narration(f"{self.localizer.title(name)}: {text}")

    def _narrate_hidden_decision(self, seat: str) -> Narration:
        """Describe a decision whose action the reader does not know.

        If the rules offer a single action there, its report is used, without values of
        that action.
        """
        name = sole_action(self.localizer.book, self.view)
        if name is not None:
            hidden = dict.fromkeys((name, *self.localizer.parameter_names(name)))
            narration = self._report(self._paths(name), seat, hidden, {})
            if narration is not None:
                return narration
        title = self.localizer.title(seat)
        return Narration(self.localizer.phrase("hidden_decision", seat=title), True)

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
        outcomes: dict[str, Any] = {}
        for each in takewhile(lambda each: "chance" in each, later):
            if each["chance"] in outcomes:
                break
            outcomes[each["chance"]] = each["outcome"]
        narration = self._report(self._paths(name), event["seat"], given, outcomes)
        if narration is not None:
            return attrs.evolve(narration, seats=narration.seats | {*arguments})
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
        """Return the first text of a report whose values the reader knows, or None.

        The report is about the outcomes in any of its texts.
        """
        values = GapValues(self.view, seat, self.localizer, given, outcomes)
        for path in paths:
            forms = self.localizer.reports.get(path, ())
            form = next((f for f in forms if values.fill(f) is not None), None)
            if form is None:
                continue
            shown = values.gap_values(form)
            seats = {*filter(self._is_seat, shown)} | ({seat} if seat else set())
            cards = any(isinstance(value, Mapping) for value in shown)
            described = set(chain.from_iterable(map(values.outcomes_in, forms)))
            return Narration(
                values.fill(form) or "",
                is_sentence=True,
                seats=frozenset(seats),
                described=frozenset(seats if cards or values.outcomes_in(form) else ()),
                outcomes=1 + max(map([*outcomes].index, described), default=-1),
            )
        return None

    def _paths(self, name: str) -> list[str]:
        """Return the paths of the reports of an action, the most specific first."""
        return [f"{clause_name(self.view)}.{name}", name]

    def _is_seat(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.view["points"]


def clause_name(view: View) -> str:
    """Return the name of the clause that waits: a phase, card, procedure or action."""
    pending = view.get("pending")
    return text_name(pending[-1]["clause"]) if pending else ""


def step_name(view: View) -> str:
    """Return the name of the innermost step that waits, or "" outside steps."""
    pending = view.get("pending")
    names = pending[-1]["at"].split("/") if pending else []
    return names[-2] if names[1:] else ""


def sole_action(book: Rulebook | None, view: View) -> str | None:
    """Return the only action that the waiting statement offers, besides `pass`.

    Return None if it offers several, or if the rules are unknown.
    """
    pending = view.get("pending")
    if book is None or not pending:
        return None
    clause = pending[-1]["clause"]
    first = without_number(pending[-1]["at"].rpartition("/")[2])
    code = book.model.procedures.get(clause) or book.model.actions.get(clause)
    offered = {
        effects.choices
        for effects in effects_within(code)
        if effects.choices[:1] == (first,)
    }
    return first if offered == {(first,)} else None


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
        effects = changes_text(chain.from_iterable(entry.effects for entry in group))
        if effects:
            yield f"    {effects}"


def _entry_line(entry: LogEntry, localizer: Localizer) -> str:
    text = entry_text(entry, localizer)
    is_chance = entry.seat is None and not entry.is_sentence and text
    return f"  ({text})" if is_chance else f"  {text}".rstrip()


def entry_text(entry: LogEntry, localizer: Localizer) -> str:
    """Return an entry as text, without its effects."""
    if entry.is_sentence or entry.seat is None or not entry.text:
        return entry.text
    return f"{localizer.title(entry.seat)}: {entry.text}"
