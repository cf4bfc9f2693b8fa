"""Which engine plays a game: the one that somebody asks for, if there is one.

What plays in C is imported when it is asked for: one game does not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.courses.reference import NATIVE, REFERENCE, Course
from interpreter.errors import UsageError
from interpreter.plan.plan import Plan
from interpreter.state.state import State

if TYPE_CHECKING:
    from interpreter.native.engine import Engine

AUTO = "auto"
ENGINES = (AUTO, NATIVE, REFERENCE)


def made_for(plan: Plan, asked: str) -> Engine | None:
    """Return the engine in C where it is asked for; None: the interpreter plays.

    By itself one game is played by the interpreter, which needs no compiler. Raises
    `UsageError` where there is no engine in C.
    """
    if asked not in ENGINES:
        raise UsageError(
            f"an engine is {AUTO}, {NATIVE} or {REFERENCE}, not {asked!r}", engine=asked
        )
    if asked != NATIVE:
        return None
    from interpreter.native import engine

    made = engine.engine(plan)
    if isinstance(made, engine.NotNative):
        raise UsageError(
            f"there is no native engine for {plan.book.name}: {made.reason}; the"
            f' interpreter plays the same game with engine="{REFERENCE}"',
            engine=asked,
            reason=made.reason,
        )
    return made


def begun(made: Engine | None, before: State, *, laid: bool) -> Course:
    """Return how a game goes from before set-up; `laid`: on a board that is given."""
    if made is not None:
        from interpreter.courses.native import NativeCourse

        return NativeCourse.begun(made, before, laid=laid)
    before.run()
    return noting(before)


def placed(made: Engine | None, state: State) -> Course:
    """Return how a game goes on from a state that somebody has laid out."""
    if made is not None:
        from interpreter.courses.native import NativeCourse

        return NativeCourse.of_position(made, state)
    return noting(state)


def noting(state: State) -> Course:
    """Return how a game goes on in the interpreter, with what chance has brought."""
    course = Course(state)
    course.note_chance()
    return course


def continued(course: Course, asked: str) -> Course:
    """Return how a game goes on by an engine; raises `UsageError` if there is none."""
    made = made_for(course.state.plan, asked)
    if asked in {AUTO, course.engine}:
        return course
    after = placed(made, course.state.copy())
    after.events = course.events
    return after
