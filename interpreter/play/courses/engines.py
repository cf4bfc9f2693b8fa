"""Selection of the engine that plays a game.

The C engine is imported only when requested, so that a single game starts quickly.
"""

from __future__ import annotations

from typing import Protocol

from interpreter.errors import UsageError
from interpreter.plan.plan import Plan
from interpreter.play.courses.reference import NATIVE, REFERENCE, ReferenceCourse
from interpreter.state.state import State

AUTO = "auto"
ENGINES = (AUTO, NATIVE, REFERENCE)


class Maker(Protocol):
    """Factory for courses of one plan on an engine."""

    def begun(self, before: State, *, laid: bool) -> ReferenceCourse:
        """Return the course of a game after set-up has run; `laid` is whether the board
        is given.
        """

    def placed(self, state: State) -> ReferenceCourse:
        """Return the course of a game from the state of a position."""


class Reference:
    """Factory for courses in the interpreter."""

    def begun(self, before: State, *, laid: bool) -> ReferenceCourse:  # noqa: ARG002
        """Return the course of a game after set-up has run."""
        before.run()
        return self.placed(before)

    def placed(self, state: State) -> ReferenceCourse:
        """Return the course of a game from a state, including its chance events."""
        course = ReferenceCourse(state)
        course.note_chance()
        return course


def made_for(plan: Plan, asked: str) -> Maker:
    """Return the factory of courses for a plan.

    By default a single game runs in the interpreter, which needs no compiler. Raise
    `UsageError` if the C engine is requested but not available.
    """
    if asked not in ENGINES:
        raise UsageError(
            f"engine must be {AUTO}, {NATIVE} or {REFERENCE}, not {asked!r}",
            engine=asked,
        )
    if asked != NATIVE:
        return Reference()
    from interpreter.play.courses.native import maker

    made = maker(plan)
    if isinstance(made, str):
        raise UsageError(
            f"there is no native engine for {plan.book.name}: {made}; use"
            f' engine="{REFERENCE}" to play the same game in the interpreter',
            engine=asked,
            reason=made,
        )
    return made


def continued(course: ReferenceCourse, asked: str) -> ReferenceCourse:
    """Return a course continued on another engine; raise `UsageError` if it is not
    available.
    """
    made = made_for(course.state.plan, asked)
    if asked in {AUTO, course.engine}:
        return course
    after = made.placed(course.state.copy())
    after.events = course.events
    return after
