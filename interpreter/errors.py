"""The families of errors of the playing floor: what a caller may have done wrong.

They share no base but `Exception`; each carries its data as attributes and gives it as
plain data by `to_json`. `Bug` is ours, never a user's, and nothing catches it.
"""

from __future__ import annotations

from typing import Any

from interpreter.explanation import Explanation


class IllegalAction(Exception):
    """An action that the rules do not allow now; `explanation` says why."""

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(explanation.sentence)
        self.explanation = explanation

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.explanation,)

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return self.explanation.to_json()


class RecordError(Exception):
    """A record that is no record, or does not replay under the rules.

    `step` counts the event lines before the one that is wrong (None: the header).
    `line` is the number of the wrong line, from 1; what is said begins with it.
    """

    def __init__(
        self,
        message: str,
        *,
        step: int | None = None,
        clause: str | None = None,
        expected: Any = None,
        got: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.step = step
        self.clause = clause
        self.expected = expected
        self.got = got

    @property
    def line(self) -> int:
        """The number of the line that is wrong; the header is line 1."""
        return 1 if self.step is None else self.step + 2

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"

    def to_json(self) -> dict[str, Any]:
        """Return the place and the two sides of the difference."""
        return {
            "message": self.message,
            "line": self.line,
            "step": self.step,
            "clause": self.clause,
            "expected": self.expected,
            "got": self.got,
        }


class PositionError(Exception):
    """A position with a value that cannot be; `value` is its path in the position."""

    def __init__(self, value: str, message: str) -> None:
        super().__init__(f"{value}: {message}")
        self.value = value
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value, self.message)

    def to_json(self) -> dict[str, Any]:
        """Return the path of the wrong value and what is wrong with it."""
        return {"value": self.value, "message": self.message}


def listed(plain: Any, path: str) -> list[Any]:
    """Return a part of a position that must be a list."""
    if not isinstance(plain, list):
        raise PositionError(path, "expected a list")
    return plain


class UsageError(Exception):
    """A call with a seat, option, number of players or other name that is not one."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    def to_json(self) -> dict[str, Any]:
        """Return the message and what it is about."""
        return {"message": self.message, **self.details}


class SampleError(Exception):
    """No game was found that agrees with what a seat knows.

    `tests` is the number of tests that the search evaluated before it gave up.
    """

    def __init__(self, tests: int) -> None:
        super().__init__(
            "no game was found that matches what the seat knows and satisfies"
            f" all invariants ({tests} tests evaluated)"
        )
        self.tests = tests

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tests,)

    def to_json(self) -> dict[str, Any]:
        """Return the message and the number of tests evaluated."""
        return {"message": str(self), "tests": self.tests}


class Bug(AssertionError):
    """Something that cannot be: a mistake of ours, never of a rule file or a player."""
