"""Which engine plays a game: the one that somebody asks for, if there is one.

What plays in C is imported when it is asked for: one game does not wait for it.
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
    """Makes games of one plan go on by an engine."""

    def begun(self, before: State, *, laid: bool) -> ReferenceCourse:
        """Return how a game goes from before set-up; `laid`: its board is given."""

    def placed(self, state: State) -> ReferenceCourse:
        """Return how a game goes on from a state that somebody has laid out."""


class Reference:
    """Makes games go on in the interpreter."""

    def begun(self, before: State, *, laid: bool) -> ReferenceCourse:  # noqa: ARG002
        """Return how a game goes from before set-up."""
        before.run()
        return self.placed(before)

    def placed(self, state: State) -> ReferenceCourse:
        """Return how a game goes on from a state, with what chance has brought."""
        course = ReferenceCourse(state)
        course.note_chance()
        return course


def made_for(plan: Plan, asked: str) -> Maker:
    """Return what makes games of a plan go on by an engine.

    By itself one game is played by the interpreter, which needs no compiler. Raises
    `UsageError` where there is no engine in C.
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
    """Return how a game goes on by an engine; raises `UsageError` if there is none."""
    made = made_for(course.state.plan, asked)
    if asked in {AUTO, course.engine}:
        return course
    after = made.placed(course.state.copy())
    after.events = course.events
    return after
