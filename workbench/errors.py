"""What the workbench refuses: wrong usage, said in one sentence."""

from typing import Any

import attrs


@attrs.frozen
class Refused(Exception):
    """Something asked for cannot be done; `status` is the exit code of a command."""

    message: str
    help: str | None = None
    status: int = 2

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message}; {self.help}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the class and its arguments: other pickling sets frozen fields."""
        return type(self), attrs.astuple(self, recurse=False)

    def to_json(self) -> dict[str, str | None]:
        """The refusal as plain data."""
        return {"message": self.message, "help": self.help}
