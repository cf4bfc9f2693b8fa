"""Choice of the engine for games of bots: native or interpreter.

Both engines play the same games. Compiling the native engine takes about a second, so
it pays off only for many games. It only plays games of shipped bots.
"""

from __future__ import annotations

import os

import attrs

from interpreter.c_engine import NoNativeEngine, PlayoutRunner, unsupported_reason
from rulebook import Rulebook
from workbench.analysis.simulation.simulation import GameTask, native_engine
from workbench.bots import shipped_bot
from workbench.defaults import AUTO, NATIVE, RANDOM, REFERENCE
from workbench.errors import RequestError

MIN_NATIVE_GAMES = 50
"""Minimum number of games for which the native engine is worth compiling."""

MIN_NATIVE_THINKING_GAMES = 10
"""Minimum number of games for compiling the native engine if a bot tries actions.

Compiling an engine takes as long as 2 greedy games in the interpreter under the longest
rules, and as long as 100 under the shortest.
"""


@attrs.frozen
class EngineChoice:
    """Chosen engine: the native engine `native`, or the interpreter if it is None.

    `note` explains why it is not the native engine, if users should know.
    """

    native: PlayoutRunner | None
    note: str | None = None

    @property
    def name(self) -> str:
        """Name of the engine."""
        return REFERENCE if self.native is None else NATIVE


def choose_engine(
    requested: str, book: Rulebook, task: GameTask, games: int
) -> EngineChoice:
    """Return the engine for the games of a task.

    Raise `RequestError` if the native engine was requested and cannot play them.
    """
    if requested == REFERENCE or (requested == AUTO and games < min_native_games(task)):
        return EngineChoice(None)
    obstacle = native_obstacle(task)
    if obstacle is not None:
        return fall_back_to_interpreter(requested, obstacle, 2)
    native = native_engine(book, task)
    if isinstance(native, NoNativeEngine):
        return fall_back_to_interpreter(requested, native.reason, 1)
    reason = native.unsupported_reason(tuple(task.bots.values()))
    return (
        EngineChoice(native)
        if reason is None
        else fall_back_to_interpreter(requested, reason, 1)
    )


def fall_back_to_interpreter(requested: str, reason: str, status: int) -> EngineChoice:
    """Return the interpreter as the engine, because the native one cannot play.

    Raise `RequestError` with exit code *status* if the native engine was requested.
    Otherwise, the reason becomes a note if *status* is 1.
    """
    if requested == NATIVE:
        raise RequestError(
            f"the native engine cannot play this: {reason}", exit_code=status
        )
    return EngineChoice(
        None, f"using the interpreter: {reason}" if status == 1 else None
    )


def min_native_games(task: GameTask) -> int:
    """Return the minimum number of games for compiling the native engine."""
    return (
        MIN_NATIVE_GAMES
        if set(task.bots.values()) == {RANDOM}
        else MIN_NATIVE_THINKING_GAMES
    )


def native_obstacle(task: GameTask) -> str | None:
    """Return why the native engine cannot play these games, or None.

    Reasons in the rules or the machine are not considered.
    """
    reasons = (unsupported_reason(name) for name in task.bots.values())
    return next((reason for reason in reasons if reason is not None), None)


def default_jobs(task: GameTask, games: int) -> int:
    """Return the default number of processes: all cores for many games, otherwise 1.

    It is always 1 with a custom bot, which may have side effects.
    """
    is_small = games < min_native_games(task)
    has_custom_bot = any(shipped_bot(name) is None for name in task.bots.values())
    return 1 if is_small or has_custom_bot else available_cores()


def available_cores() -> int:
    """Return the number of processes that can run at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
