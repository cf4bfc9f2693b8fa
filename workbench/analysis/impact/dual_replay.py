"""Replay of a recorded game under two rulebooks at once, event by event.

Chance outcomes come from the record, so they are the same in both games. Options left
at their defaults in the record take the default of each rulebook.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import attrs

from interpreter import (
    Chance,
    Explanation,
    Game,
    IllegalAction,
    RecordError,
    options_of,
    read_events,
    read_header,
)
from rulebook import Rulebook, RulesError
from workbench.analysis.impact.table_differences import TableComparison, difference_text

CHANCE = "chance"
MAX_LISTED_ITEMS = 3
"""Maximum number of items that a sentence lists."""

Event = Mapping[str, Any]


class DifferenceKind(StrEnum):
    """Kind of difference between two replays.

    If only choices or odds differ, the record remains valid.
    """

    START = "start"
    REFUSED = "refused"
    EFFECT = "effect"
    CHANCE = "chance"
    END = "end"
    FAILURE = "failure"
    CHOICES = "choices"
    ODDS = "odds"

    @property
    def breaks_record(self) -> bool:
        """True if a difference of this kind makes the record invalid."""
        return self not in {DifferenceKind.CHOICES, DifferenceKind.ODDS}


@attrs.frozen
class Difference:
    """Difference between two replays of a record.

    Both games agree on the first `step` events. The difference shows at event number
    `event`, counted from 1; 0 is the start. `place` is the file and line of the
    requirement that makes an action illegal, if any.
    """

    kind: DifferenceKind
    step: int
    event: int
    sentence: str
    place: tuple[str, int] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the difference as plain data."""
        file, line = self.place or (None, None)
        return {
            "kind": str(self.kind),
            "event": self.event,
            "step": self.step,
            "sentence": self.sentence,
            "file": file,
            "line": line,
        }


@attrs.frozen
class ParsedRecord:
    """Parsed record: header, events, and end."""

    head: Mapping[str, Any]
    events: Sequence[Event]
    end: Mapping[str, Any] | None

    @classmethod
    def read(cls, record: str) -> "ParsedRecord":
        """Parse the text of a record; raise `RecordError` if it is invalid."""
        head, documents = read_header(record), list(read_events(record))
        ends = [place for place, event in enumerate(documents) if "end" in event]
        if ends and ends[0] != len(documents) - 1:
            raise RecordError(
                "the record continues after the end of the game", step=ends[0]
            )
        events = documents[: len(documents) - len(ends)]
        return cls(head, events, documents[-1]["end"] if ends else None)


class DualReplay:
    """Game of a record, played under its own rules and under others.

    `mine` is the game under its own rules, and `theirs` that under the others, or None
    if they cannot start it for the reason `why_not`. Raises `RecordError` if its own
    rules cannot start it.
    """

    def __init__(
        self, parsed_record: ParsedRecord, own_book: Rulebook, other_book: Rulebook
    ) -> None:
        self.recorded = parsed_record
        head = parsed_record.head
        self.mine = start_game(head, head["options"], own_book)
        self.theirs: Game | None = None
        self.why_not = ""
        try:
            self.theirs = start_game(
                head, shared_options(head, own_book, other_book), other_book
            )
        except RecordError as error:
            self.why_not = error.message
        except RulesError as error:
            self.why_not = str(error)

    def differences(
        self, first: int = 0, last: int | None = None
    ) -> Iterator[Difference]:
        """Yield the first different choice or odds, and the first breaking difference.

        Either may be missing. Only steps from *first* to *last* are compared.
        Raises `RecordError` if the game's own rules cannot replay it.
        """
        if self.theirs is None:
            yield Difference(DifferenceKind.START, 0, 0, self.why_not)
            return
        comparison = TableComparison.of_games(self.mine, self.theirs)
        events, choice_difference = self.recorded.events, None
        for step in range(len(events) + 1 if last is None else last + 1):
            event = events[step] if step < len(events) else None
            if step >= first:
                difference = self._position_difference(self.theirs, comparison, step)
                if difference is not None:
                    yield difference
                    return
                if event is not None and choice_difference is None:
                    choice_difference = self._choice_difference(self.theirs, step)
                    if choice_difference is not None:
                        yield choice_difference
            if event is None:
                return
            self._apply_event(step)
            refusal = apply_event(self.theirs, event, step)
            if refusal is not None:
                yield refusal
                return

    def finish(self) -> None:
        """Replay the record to its end under its own rules.

        Raises `RecordError` if that is impossible or the end is different.
        """
        for step in range(self.mine.steps, len(self.recorded.events)):
            self._apply_event(step)
        outcome, end = self.mine.outcome, self.recorded.end
        if end is not None and (outcome is None or outcome.to_json() != end):
            raise RecordError("the game ends differently than in the record")

    def _apply_event(self, step: int) -> None:
        """Apply an event under the record's own rules."""
        refusal = apply_event(self.mine, self.recorded.events[step], step)
        if refusal is not None:
            raise RecordError(refusal.sentence, step=step)

    def _position_difference(
        self, other_game: Game, comparison: TableComparison, step: int
    ) -> Difference | None:
        """Return the difference between the current positions, or None."""
        mine = self.mine
        if mine.over != other_game.over:
            end = (
                end_sentence(other_game)
                if other_game.over
                else "the game continues here"
            )
            return Difference(DifferenceKind.END, step, step, end)
        differences = comparison.differences(mine, other_game)
        if differences:
            what = "the game starts differently"
            if step:
                event = event_text(self.recorded.events[step - 1])
                what = f"{event} has a different effect"
            sentence = (
                f"{what}: {join_names(list(map(difference_text, differences)), '; ')}"
            )
            return Difference(DifferenceKind.EFFECT, step, step, sentence)
        if mine.outcome != other_game.outcome:
            return Difference(DifferenceKind.END, step, step, end_sentence(other_game))
        return None

    def _choice_difference(self, other_game: Game, step: int) -> Difference | None:
        """Return the difference in legal actions or odds, or None."""
        mine, seat = self.mine, self.mine.to_act
        if seat is None or seat != other_game.to_act:
            return None
        left, right = mine.legal_actions(), other_game.legal_actions()
        if seat == CHANCE:
            sentence = odds_sentence(left, right)
            return (
                Difference(DifferenceKind.ODDS, step, step + 1, sentence)
                if sentence
                else None
            )
        before, now = ([action.text for action in side] for side in (left, right))
        if before == now:
            return None
        more = [text for text in now if text not in set(before)]
        fewer = [text for text in before if text not in set(now)]
        parts, place = [], None
        if fewer:
            why = other_game.why(fewer[0])
            parts.append(f"{seat} can no longer {join_names(fewer)} ({why.reason})")
            place = requirement_place(why)
        if more:
            parts.append(f"{seat} can also {join_names(more)}")
        if not parts:
            return None
        return Difference(
            DifferenceKind.CHOICES, step, step + 1, ", and ".join(parts), place
        )


def start_game(head: Event, options: Mapping[str, Any], book: Rulebook) -> Game:
    """Start the game of a record's header; chance outcomes must be given."""
    header = {**head, "seed": None, "options": options}
    return Game.replay(json.dumps(header) + "\n", book)


def shared_options(
    header: Event, own_book: Rulebook, other_book: Rulebook
) -> dict[str, Any]:
    """Return the recorded options that are not defaults and that *other_book* has."""
    defaults = options_of(own_book, players=header["players"])
    return {
        name: value
        for name, value in header["options"].items()
        if name in other_book.options and defaults.get(name, not value) != value
    }


def apply_event(game: Game, event: Event, step: int) -> Difference | None:
    """Apply an event of a record; if that fails, return the difference.

    An announcement changes nothing, so it makes no difference.
    """
    if "announced" in event:
        return None
    number, seat, to_act = step + 1, event.get("seat", CHANCE), game.to_act
    if to_act is None:
        return Difference(DifferenceKind.END, step, number, "the game is over here")
    if seat != to_act:
        kind = (
            DifferenceKind.CHANCE
            if CHANCE in (seat, to_act)
            else DifferenceKind.REFUSED
        )
        due = f"`{game.legal_actions()[0].name}` is next" if to_act == CHANCE else ""
        sentence = due or f"{to_act} must act"
        return Difference(kind, step, number, f"{sentence}, not {event_text(event)}")
    try:
        game.apply(event)
    except IllegalAction as error:
        if seat == CHANCE:
            due = game.legal_actions()[0].name
            sentence = f"`{due}` is next, not {event_text(event)}"
            if due == event["chance"]:
                sentence = f"`{due}` cannot be {outcome_text(event['outcome'])}"
            return Difference(DifferenceKind.CHANCE, step, number, sentence)
        why = error.explanation
        sentence = f"{seat}: {why.sentence}"
        return Difference(
            DifferenceKind.REFUSED, step, number, sentence, requirement_place(why)
        )
    except RulesError as error:
        sentence = f"{event_text(event)} cannot be completed: {error}"
        return Difference(DifferenceKind.FAILURE, step, number, sentence)
    return None


def odds_sentence(left: Sequence[Chance], right: Sequence[Chance]) -> str:
    """Return how the odds of a chance event differ, or an empty string."""
    if left == right or left[0].name != right[0].name:
        return ""
    mine, theirs = (
        {outcome_text(c.outcome): c.probability for c in s} for s in (left, right)
    )
    outcomes = dict.fromkeys((*mine, *theirs))
    parts = [
        f"{outcome} has probability {theirs.get(outcome, 0)}, not"
        f" {mine.get(outcome, 0)}"
        for outcome in outcomes
        if mine.get(outcome, 0) != theirs.get(outcome, 0)
    ]
    return (
        f"the odds of `{left[0].name}` differ: {join_names(parts, '; ')}"
        if parts
        else ""
    )


def end_sentence(game: Game) -> str:
    """Return a sentence on the end of a game."""
    outcome = game.outcome
    if outcome is None:
        return "the game stops here without an outcome"
    winners = " and ".join(outcome.winners) or "nobody"
    return f"the game ends here: {winners} wins ({outcome.reason})"


def requirement_place(explanation: Explanation) -> tuple[str, int] | None:
    """Return the file and line of the requirement that is not met, or None."""
    return (
        None
        if explanation.file is None or explanation.line is None
        else (explanation.file, explanation.line)
    )


def event_text(event: Event) -> str:
    """Return an event as text for a sentence."""
    if "seat" in event:
        return f"{event['seat']}: {event['action']}"
    if "announced" in event:
        return f"“{event['announced']}”"
    return f"{event['chance']} {outcome_text(event['outcome'])}"


def outcome_text(value: Any) -> str:
    """Return a chance outcome as text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def join_names(names: Sequence[str], separator: str = ", ") -> str:
    """Return the first `MAX_LISTED_ITEMS` names as text, and the number of others."""
    more = len(names) - MAX_LISTED_ITEMS
    last = f"{separator}and {more} more" if more > 0 else ""
    return separator.join(names[:MAX_LISTED_ITEMS]) + last
