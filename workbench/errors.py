"""Exception for requests that cannot be fulfilled."""

from typing import Any

import attrs


@attrs.frozen
class RequestError(Exception):
    """Raised if a request cannot be fulfilled; `exit_code` is the command's status."""

    message: str
    help: str | None = None
    exit_code: int = 2

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message}; {self.help}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the class and its arguments; unpickling cannot set frozen fields."""
        return type(self), attrs.astuple(self, recurse=False)

    def to_json(self) -> dict[str, str | None]:
        """Return the message and the help as plain data."""
        return {"message": self.message, "help": self.help}
