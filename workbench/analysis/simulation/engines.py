"""Choice of the engine for games of bots: native or interpreter.

Both engines play the same games. Compiling the native engine takes about a second, so
it pays off only for many games. It only plays games of shipped bots.
"""

from __future__ import annotations

from functools import partial

import attrs

from interpreter import parse_budget
from interpreter.c_engine import NoNativeEngine, PlayoutSource, unsupported_reason
from rulebook import Rulebook
from workbench.analysis.simulation.native_play import NativePlay
from workbench.analysis.simulation.processes import available_cores
from workbench.analysis.simulation.simulation import GameTask, native_source
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
    """Chosen engine: the native engine `native`, or the interpreter if it is None."""

    native: NativePlay | None
    obstacle: str | None = None

    @property
    def name(self) -> str:
        """Name of the engine, which also depends on the games played so far."""
        is_native = self.native is not None and self.native.is_native
        return NATIVE if is_native else REFERENCE

    @property
    def note(self) -> str | None:
        """Reason why the native engine does not play, if users should know."""
        failure = None if self.native is None else self.native.failure
        reason = self.obstacle or failure
        return None if reason is None else f"using the interpreter: {reason}"


def choose_engine(
    requested: str, book: Rulebook, task: GameTask, games: int, *, wait: bool = True
) -> EngineChoice:
    """Return the engine for the games of a task.

    If *wait* is false, the interpreter plays while the native engine is compiled, which
    also replaces it if few games take long. Without a cache folder, for searches, or if
    the native engine was requested, this function waits for it nevertheless.
    Raise `RequestError` if the native engine was requested and cannot play them.
    """
    is_small = requested == AUTO and games < min_native_games(task)
    has_search = any(parse_budget(name) is not None for name in task.bot_names)
    obstacle = native_obstacle(task)
    if requested == REFERENCE or (is_small and (wait or has_search or obstacle)):
        return EngineChoice(None)
    prepare = partial(_supporting_source, book, task)
    if is_small:
        return EngineChoice(NativePlay(None, games, prepare))
    if obstacle is not None:
        return fall_back_to_interpreter(requested, obstacle, 2)
    source = prepare()
    if isinstance(source, NoNativeEngine):
        return fall_back_to_interpreter(requested, source.reason, 1)
    native = NativePlay(source, games)
    if wait or requested == NATIVE or has_search or not source.has_cache:
        runner = source.wait()
        if isinstance(runner, NoNativeEngine):
            return fall_back_to_interpreter(requested, runner.reason, 1)
    else:
        native.start()
    return EngineChoice(native)


def _supporting_source(
    book: Rulebook, task: GameTask
) -> PlayoutSource | NoNativeEngine:
    """Return the source of engines that play a task, or the reason why not."""
    source = native_source(book, task)
    if isinstance(source, NoNativeEngine):
        return source
    reason = source.unsupported_reason(tuple(task.bots.values()))
    return source if reason is None else NoNativeEngine(reason)


def fall_back_to_interpreter(requested: str, reason: str, status: int) -> EngineChoice:
    """Return the interpreter as the engine, because the native one cannot play.

    Raise `RequestError` with exit code *status* if the native engine was requested.
    Otherwise, the reason becomes a note if *status* is 1.
    """
    if requested == NATIVE:
        raise RequestError(
            f"the native engine cannot play this: {reason}", exit_code=status
        )
    return EngineChoice(None, reason if status == 1 else None)


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
