"""Undo: find the recent decisions from which no seat has learnt anything."""

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
"""Number of samples in which a seat's view is compared to detect what it learns."""
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
    """Return whether events after a position reveal information to any seat."""
    if any(CHANCE in event for event in events):
        return True
    world = game_before.copy()
    for action in actions_of(events):
        if world.teaches(action):
            return True
        world.apply(action)
    return False


def actions_of(events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the actions among events; announcements follow from them."""
    return (event["action"] for event in events if "action" in event)


def seat_learns_something(
    game_before: Game, seat: str, text: str, game_after: Game
) -> bool:
    """Return whether a seat learns something from its own action.

    A seat learns from chance events, and from what other seats hide. `game_after` is
    the game after the action.
    """
    events = game_after.events[game_before.steps :]
    if any(CHANCE in event for event in events):
        return True
    if not reveals_anything(game_before, events):
        return False
    now = game_after.view(seat)
    for number in range(SAMPLE_COUNT):
        world = game_before.sample(seat, number)
        try:
            world.apply(text)
        except (IllegalAction, RulesError):
            return True
        if world.view(seat) != now:
            return True
    return False


def add_undoable(
    undoable: Sequence[UndoableDecision], *new_decisions: UndoableDecision
) -> list[UndoableDecision]:
    """Return the decisions that can be undone once new ones are added."""
    kept = list(undoable)
    for each in new_decisions:
        kept = [] if each.is_revealing else [*kept, each]
    return kept[-MAX_UNDOABLE:]


def find_undoable(
    game: Game, events: Sequence[JournalLine], rules_line: int = 0
) -> list[UndoableDecision]:
    """Return the last decisions of a game from which nobody has learnt anything.

    Decisions up to line `rules_line`, which changed the rules, are excluded.
    """
    said = [line.content for line in events]
    first = len(events)
    while (
        first
        and CHANCE not in said[first - 1]
        and events[first - 1].number > rules_line
    ):
        first -= 1
    while first < len(events) and events[first].number != events[first].decision:
        first += 1
    if first == len(events):
        return []
    world = replay_text(game.record, game.book, first).game
    done: list[UndoableDecision] = []
    while first < len(events):
        decision = events[first].decision
        count = sum(line.decision == decision for line in events[first:])
        before = world.copy()
        for action in actions_of(said[first : first + count]):
            world.apply(action)
        taught = reveals_anything(before, said[first : first + count])
        each = UndoableDecision(decision, events[first].by, before, is_revealing=taught)
        done = add_undoable(done, each)
        first += count
    return done
