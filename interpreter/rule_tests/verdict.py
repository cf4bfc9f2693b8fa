"""Verdict of a test in a rule file."""

from __future__ import annotations

from enum import StrEnum

import attrs


class VerdictStatus(StrEnum):
    """Result of a test: passed, failed, error or skipped.

    An error means that the test could not be evaluated; a skipped test was not run.
    """

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@attrs.frozen
class Verdict:
    """Result of a test, with the place of a failure.

    `record` is the game so far. `pending_decision` is a sentence that names the seat to
    decide and its choices.
    """

    status: VerdictStatus
    message: str | None = None
    file: str | None = None
    line: int | None = None
    record: str | None = None
    pending_decision: str | None = None
