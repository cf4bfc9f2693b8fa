"""Verdict of a test in a rule file."""

from __future__ import annotations

from enum import StrEnum

import attrs


class VerdictStatus(StrEnum):
    """Result status of a test: whether it holds.

    An error means that this is unknown; a skipped test was not run.
    """

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@attrs.frozen
class Verdict:
    """Result of a test.

    `file` and `line` are those of the failure. `record` is the game so far; its
    `pending` names the seat that must still decide, and its choices.
    """

    status: VerdictStatus
    message: str | None = None
    file: str | None = None
    line: int | None = None
    record: str | None = None
    pending: str | None = None
