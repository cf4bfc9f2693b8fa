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


class CourseFactory(Protocol):
    """Factory for courses of one plan on an engine."""

    def start(self, state: State, *, board_given: bool) -> ReferenceCourse:
        """Run set-up, and return the course of the game.

        `board_given` is true if the caller gives the board.
        """

    def from_state(self, state: State) -> ReferenceCourse:
        """Return the course of a game from the state of a position."""


class ReferenceFactory:
    """Factory for courses in the interpreter."""

    def start(self, state: State, *, board_given: bool) -> ReferenceCourse:  # noqa: ARG002
        """Run set-up, and return the course of the game."""
        state.run()
        return self.from_state(state)

    def from_state(self, state: State) -> ReferenceCourse:
        """Return the course of a game from a state, including its chance events."""
        course = ReferenceCourse(state)
        course.record_run()
        return course


def factory_for(plan: Plan, engine: str) -> CourseFactory:
    """Return the factory of courses for a plan.

    By default a single game runs in the interpreter, which needs no compiler. Raise
    `UsageError` if the C engine is requested but not available.
    """
    if engine not in ENGINES:
        raise UsageError(
            f"engine must be {AUTO}, {NATIVE} or {REFERENCE}, not {engine!r}",
            engine=engine,
        )
    if engine != NATIVE:
        return ReferenceFactory()
    from interpreter.play.courses.native import native_factory

    factory = native_factory(plan)
    if isinstance(factory, str):
        raise UsageError(
            f"there is no native engine for {plan.book.name}: {factory}; use"
            f' engine="{REFERENCE}" to play the same game in the interpreter',
            engine=engine,
            reason=factory,
        )
    return factory


def switch_engine(course: ReferenceCourse, engine: str) -> ReferenceCourse:
    """Continue a course on another engine, or raise `UsageError`."""
    factory = factory_for(course.state.plan, engine)
    if engine in {AUTO, course.engine}:
        return course
    switched = factory.from_state(course.state.copy())
    switched.events = course.events
    return switched
