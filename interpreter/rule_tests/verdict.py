"""Verdict of a test in a rule file."""

from __future__ import annotations

from enum import StrEnum

import attrs


class VerdictStatus(StrEnum):
    """Whether a test holds; of an error it cannot be said, and skipped is what nobody
    has tried."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@attrs.frozen
class Verdict:
    """Result of a test.

    `file` and `line` are those of what does not hold; `record` is the game so far, in
    which `pending` says who is still to decide, and among what.
    """

    status: VerdictStatus
    message: str | None = None
    file: str | None = None
    line: int | None = None
    record: str | None = None
    pending: str | None = None
