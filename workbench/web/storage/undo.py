"""Undo: find the recent decisions from which no seat has learnt anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from interpreter import Game, IllegalAction
from rulebook import RulesError
from workbench.files.records.replay import replayed
from workbench.web.storage.journal import JournalLine

CHANCE = "chance"
WORLDS = 4
"""Number of samples in which a seat's view is compared to detect what it learns."""
DONE_MAX = 50
"""Maximum number of decisions that can be undone."""


@attrs.frozen
class Done:
    """Decision that can be undone: its first line, its actor, and the game before it.

    `taught` is true if a seat learnt something from the decision.
    """

    number: int
    by: str
    game: Game
    taught: bool


def teaches(before: Game, events: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether events after a game position reveal anything to a seat."""
    if any(CHANCE in event for event in events):
        return True
    world = before.copy()
    for event in events:
        if world.teaches(event["action"]):
            return True
        world.apply(event["action"])
    return False


def learns(before: Game, seat: str, text: str, done: Game) -> bool:
    """Return whether a seat learns something from its own action.

    It learns from chance, or from what other seats hide. `done` is the game after the
    action. Samples are needed only if some seat learns anything at all.
    """
    events = done.events[before.steps :]
    if any(CHANCE in event for event in events):
        return True
    if not teaches(before, events):
        return False
    now = done.view(seat)
    for number in range(WORLDS):
        world = before.sample(seat, number)
        try:
            world.apply(text)
        except (IllegalAction, RulesError):
            return True
        if world.view(seat) != now:
            return True
    return False


def after(done: Sequence[Done], *new: Done) -> list[Done]:
    """Return the decisions that can be undone once new ones are added."""
    kept = list(done)
    for each in new:
        kept = [] if each.taught else [*kept, each]
    return kept[-DONE_MAX:]


def lately(game: Game, events: Sequence[JournalLine], ruled: int = 0) -> list[Done]:
    """Return the last decisions of a game from which nobody has learnt anything.

    Decisions up to line `ruled`, which changed the rules, are excluded.
    """
    said = [line.said for line in events]
    first = len(events)
    while first and CHANCE not in said[first - 1] and events[first - 1].number > ruled:
        first -= 1
    while first < len(events) and events[first].number != events[first].decision:
        first += 1
    if first == len(events):
        return []
    world = replayed(game.record, game.book, first).game
    done: list[Done] = []
    while first < len(events):
        decision = events[first].decision
        count = sum(line.decision == decision for line in events[first:])
        before = world.copy()
        for event in said[first : first + count]:
            world.apply(event["action"])
        taught = teaches(before, said[first : first + count])
        each = Done(decision, events[first].by, before, taught=taught)
        done = after(done, each)
        first += count
    return done
