"""Undoable decisions: the recent ones from which no seat has learnt anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from interpreter import Game, IllegalAction
from rulebook import RulesError
from workbench.files.records.record_replay import replay_text
from workbench.web.storage.journal import JournalLine

CHANCE = "chance"
SAMPLE_COUNT = 4
"""Number of samples compared to detect whether a seat learns from its action."""
MAX_UNDOABLE = 50
"""Maximum number of decisions that can be undone."""


@attrs.frozen
class UndoableDecision:
    """Decision that can be undone: its first line, its actor, and the game before it.

    `is_revealing` is true if a seat learnt something from the decision.
    """

    number: int
    actor: str
    game: Game
    is_revealing: bool


def reveals_anything(game_before: Game, events: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether events that follow *game_before* reveal anything to a seat."""
    if any(CHANCE in event for event in events):
        return True
    game_copy = game_before.copy()
    for action in actions_of(events):
        if game_copy.teaches(action):
            return True
        game_copy.apply(action)
    return False


def actions_of(events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the action texts among events; skip chance outcomes and announcements."""
    return (event["action"] for event in events if "action" in event)


def seat_learns_something(
    game_before: Game, seat: str, text: str, game_after: Game
) -> bool:
    """Return whether a seat learns something from its own action.

    A seat learns from chance events, and from information that other seats hide.
    `game_after` is the game after the action.
    """
    events = game_after.events[game_before.steps :]
    if any(CHANCE in event for event in events):
        return True
    if not reveals_anything(game_before, events):
        return False
    now = game_after.view(seat)
    for number in range(SAMPLE_COUNT):
        sample = game_before.sample(seat, number)
        try:
            sample.apply(text)
        except (IllegalAction, RulesError):
            return True
        if sample.view(seat) != now:
            return True
    return False


def add_undoable(
    undoable: Sequence[UndoableDecision], *new_decisions: UndoableDecision
) -> list[UndoableDecision]:
    """Return the undoable decisions after new ones; a revealing one clears them."""
    remaining = list(undoable)
    for decision in new_decisions:
        remaining = [] if decision.is_revealing else [*remaining, decision]
    return remaining[-MAX_UNDOABLE:]


def find_undoable(
    game: Game, events: Sequence[JournalLine], rules_line: int = 0
) -> list[UndoableDecision]:
    """Return the last decisions of a game from which nobody has learnt anything.

    Decisions up to line `rules_line`, which changed the rules, are excluded.
    """
    contents = [line.content for line in events]
    first = len(events)
    while (
        first
        and CHANCE not in contents[first - 1]
        and events[first - 1].number > rules_line
    ):
        first -= 1
    while first < len(events) and events[first].number != events[first].decision:
        first += 1
    if first == len(events):
        return []
    game_copy = replay_text(game.record, game.book, first).game
    decisions: list[UndoableDecision] = []
    while first < len(events):
        decision = events[first].decision
        count = sum(line.decision == decision for line in events[first:])
        before = game_copy.copy()
        for action in actions_of(contents[first : first + count]):
            game_copy.apply(action)
        is_revealing = reveals_anything(before, contents[first : first + count])
        undoable = UndoableDecision(
            decision, events[first].by, before, is_revealing=is_revealing
        )
        decisions = add_undoable(decisions, undoable)
        first += count
    return decisions
