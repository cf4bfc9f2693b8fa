"""From what may be raised to what a person reads and an exit code."""

import sys

from interpreter import IllegalAction, PositionError, RecordError, UsageError
from rulebook import RulesError
from workbench.errors import Refused
from workbench.loading import texts_of
from workbench.terminal import Painter, diagnostic_text

WRONG, USAGE = 1, 2


def explained(error: Exception) -> int | None:
    """Write what a user did wrong; the exit code, or None when it is our bug."""
    match error:
        case RulesError():
            painter = Painter.of(sys.stderr)
            texts = texts_of(error.diagnostics)
            for diagnostic in error.diagnostics:
                sys.stderr.write(diagnostic_text(diagnostic, painter, texts) + "\n")
            return WRONG
        case IllegalAction() | PositionError() | RecordError():
            status = WRONG
        case UsageError():
            status = USAGE
        case Refused():
            status = error.status
        case OSError() if error.filename is not None:
            sys.stderr.write(f"rulebook: {error.filename}: {error.strerror}\n")
            return USAGE
        case _:
            return None
    sys.stderr.write(f"rulebook: {error}\n")
    return status
