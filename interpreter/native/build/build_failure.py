"""Result returned instead of a library if compilation fails."""

from __future__ import annotations

import attrs


@attrs.frozen
class BuildFailure:
    """Reason why there is no compiled library, and a suggested fix (`help`)."""

    reason: str
    help: str | None = None

    def __str__(self) -> str:
        return self.reason if self.help is None else f"{self.reason}; {self.help}"
