"""Which engine plays the games of bots: the one in C, or the interpreter.

Both play the same games. The one in C is worth its second of compiling where there are
many; and it plays what needs no step of Python: shipped bots that choose at random.
"""

from __future__ import annotations

import attrs

from interpreter.compiled import Playouts
from rulebook import Rulebook
from workbench.defaults import AUTO, NATIVE, RANDOM, REFERENCE
from workbench.errors import Refused
from workbench.simulation.simulation import Task, native_for

MANY = 50
"""How many games are many, where nobody says which engine plays."""


@attrs.frozen
class Chosen:
    """The engine that plays: that in C, or None for the interpreter, and why."""

    native: Playouts | None
    note: str | None = None

    @property
    def name(self) -> str:
        """What the engine is called."""
        return REFERENCE if self.native is None else NATIVE


def chosen(asked: str, book: Rulebook, task: Task, games: int) -> Chosen:
    """The engine for some games.

    Raises `Refused` when the one in C is asked for, and cannot play them.
    """
    if asked == REFERENCE or (asked == AUTO and games < MANY):
        return Chosen(None)
    unfit = why_not(task)
    if unfit is None:
        native = native_for(book, task)
        if isinstance(native, Playouts):
            return Chosen(native)
        reason, status = native.reason, 1
    else:
        reason, status = unfit, 2
    if asked == NATIVE:
        raise Refused(f"the native engine cannot play this: {reason}", status=status)
    return Chosen(None, None if unfit else f"the interpreter plays: {reason}")


def why_not(task: Task) -> str | None:
    """Why the engine in C does not play such games, whatever the rules; or None."""
    other = [name for name in task.bots.values() if name != RANDOM]
    if other:
        return f"it has the bot {RANDOM} and not {other[0]}"
    if task.keep_record:
        return "it keeps no records"
    if task.settings.board is not None:
        return "it begins on no given board"
    return None
