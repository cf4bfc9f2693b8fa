"""Which engine plays the games of bots: the one in C, or the interpreter.

Both play the same games. The one in C is worth its second of compiling where there are
many; and it plays what needs no step of Python: games of shipped bots.
"""

from __future__ import annotations

import os

import attrs

from interpreter.c_engine import NotNative, Playouts, unfit
from rulebook import Rulebook
from workbench.analysis.simulation.simulation import GameTask, native_for
from workbench.bots import shipped
from workbench.defaults import AUTO, NATIVE, RANDOM, REFERENCE
from workbench.errors import Refused

MANY = 50
"""How many games are many, where nobody says which engine plays."""

MANY_THOUGHTFUL = 10
"""How many are many where a bot tries actions out.

To make an engine takes as long as the interpreter's greedy takes for 2 games of the
longest rules, and for a hundred of the shortest.
"""


@attrs.frozen
class Chosen:
    """The engine that plays: that in C, or None for the interpreter, and why."""

    native: Playouts | None
    note: str | None = None

    @property
    def name(self) -> str:
        """What the engine is called."""
        return REFERENCE if self.native is None else NATIVE


def chosen(asked: str, book: Rulebook, task: GameTask, games: int) -> Chosen:
    """The engine for some games.

    Raises `Refused` when the one in C is asked for, and cannot play them.
    """
    if asked == REFERENCE or (asked == AUTO and games < many(task)):
        return Chosen(None)
    unfit = why_not(task)
    if unfit is not None:
        return refused(asked, unfit, 2)
    native = native_for(book, task)
    if isinstance(native, NotNative):
        return refused(asked, native.reason, 1)
    lacks = native.why_not(tuple(task.bots.values()))
    return Chosen(native) if lacks is None else refused(asked, lacks, 1)


def refused(asked: str, reason: str, status: int) -> Chosen:
    """The interpreter, for games that the engine in C cannot play.

    What hangs on the rules or the machine is told, what was asked for need not be.
    Raises `Refused` where the engine in C was asked for.
    """
    if asked == NATIVE:
        raise Refused(f"the native engine cannot play this: {reason}", status=status)
    return Chosen(None, f"using the interpreter: {reason}" if status == 1 else None)


def many(task: GameTask) -> int:
    """How many games are many, by the slowest bot."""
    return MANY if set(task.bots.values()) == {RANDOM} else MANY_THOUGHTFUL


def why_not(task: GameTask) -> str | None:
    """Why the engine in C does not play such games, whatever the rules; or None."""
    reasons = (unfit(name) for name in task.bots.values())
    return next((reason for reason in reasons if reason is not None), None)


def jobs_for(task: GameTask, games: int) -> int:
    """How many processes play where nobody says it: all cores, for many games.

    A bot of somebody's own plays in one: nobody knows what else it does.
    """
    few = games < many(task)
    own = any(shipped(name) is None for name in task.bots.values())
    return 1 if few or own else cores()


def cores() -> int:
    """How many processes can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
