"""Exceptions of the interpreter, one class for each kind of mistake by a caller.

Each exception carries its data as attributes, and `to_json` returns the data. Their
only common base is `Exception`. `Bug` reports a defect of this package and should not
be caught.
"""

from __future__ import annotations

from typing import Any

from interpreter.explanation import Explanation


class IllegalAction(Exception):
    """Raised for an action that the rules do not allow now; `explanation` says why."""

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(explanation.sentence)
        self.explanation = explanation

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.explanation,)

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return self.explanation.to_json()


class RecordError(Exception):
    """Raised for a record that is malformed or does not fit the rules.

    `step` counts the event lines before the wrong line; None means the header. `line`
    is the number of the wrong line, from 1; the message begins with it.
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
        """Number of the wrong line; the header is line 1."""
        return 1 if self.step is None else self.step + 2

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"

    def to_json(self) -> dict[str, Any]:
        """Return the position in the record, and the expected and actual values."""
        return {
            "message": self.message,
            "line": self.line,
            "step": self.step,
            "clause": self.clause,
            "expected": self.expected,
            "got": self.got,
        }


class PositionError(Exception):
    """Raised for an impossible value in a position; `value` is the path to it."""

    def __init__(self, value: str, message: str) -> None:
        super().__init__(f"{value}: {message}")
        self.value = value
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value, self.message)

    def to_json(self) -> dict[str, Any]:
        """Return the path to the wrong value, and the reason."""
        return {"value": self.value, "message": self.message}


def require_list(plain: Any, path: str) -> list[Any]:
    """Return a part of a position, or raise `PositionError` if it is not a list."""
    if not isinstance(plain, list):
        raise PositionError(path, "expected a list")
    return plain


class UsageError(Exception):
    """Raised for an invalid seat, option, number of players or other argument."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    def to_json(self) -> dict[str, Any]:
        """Return the message and its details."""
        return {"message": self.message, **self.details}


class SampleError(Exception):
    """Raised if no game was found that agrees with what a seat knows.

    `tests` is the number of invariants that the search evaluated, or of deals that it
    tried. `variable` is a hidden variable of the clause `clause` that cannot be
    redrawn, or both are None.
    """

    def __init__(
        self, tests: int, variable: str | None = None, clause: str | None = None
    ) -> None:
        if variable is None:
            message = (
                "no game was found that matches what the seat knows and satisfies"
                f" all invariants ({tests} tried)"
            )
        else:
            message = (
                f"`{variable}` of `{clause}` depends on hidden information, and this"
                " position does not show how it got its value; take a position before"
                f" `{clause}` starts or after it ends"
            )
        super().__init__(message)
        self.tests = tests
        self.variable = variable
        self.clause = clause

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tests, self.variable, self.clause)

    def to_json(self) -> dict[str, Any]:
        """Return the message and the number of tests evaluated."""
        return {"message": str(self), "tests": self.tests}


class Bug(AssertionError):
    """Raised for an internal error of this package, not of rules or players."""
