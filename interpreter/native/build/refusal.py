"""What stands in place of an engine where none could be made."""

from __future__ import annotations

import attrs


@attrs.frozen
class NotBuilt:
    """Why there is no engine in C, and what would help."""

    reason: str
    help: str | None = None

    def __str__(self) -> str:
        return self.reason if self.help is None else f"{self.reason}; {self.help}"
