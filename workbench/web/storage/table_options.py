"""Options of a table that concern its people, not its game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from workbench.errors import RequestError

CLOCK_CHOICES = (0, 60, 120, 300, 900, 86_400)
"""Seconds for a decision that the lobby offers; 0 means no limit."""
CHAT_CHOICES = (CHAT_PLAYERS, CHAT_ALL, CHAT_NONE) = ("players", "all", "none")
"""Choices of who can write in the chat; with `none`, there is no chat."""
MIN_CLOCK_SECONDS, MAX_CLOCK_SECONDS = 1, 30 * 86_400


@attrs.frozen
class TableOptions:
    """Options of a table, chosen when it is created.

    A player has `clock` seconds for each decision, or any time if it is 0. Afterwards
    the bot `late_bot` makes the decision; if it is empty, the pages only show that the
    time is up. `chat` is one of `CHAT_CHOICES`.
    """

    clock: int = 0
    late_bot: str = ""
    chat: str = CHAT_PLAYERS

    def __attrs_post_init__(self) -> None:
        """Raise `RequestError` if an option is out of range."""
        if self.chat not in CHAT_CHOICES:
            raise RequestError(f"there is no chat `{self.chat}`")
        if self.clock and not MIN_CLOCK_SECONDS <= self.clock <= MAX_CLOCK_SECONDS:
            raise RequestError(
                f"the time for a decision cannot be {self.clock} seconds",
                f"choose {MIN_CLOCK_SECONDS} to {MAX_CLOCK_SECONDS} seconds",
            )

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> TableOptions:
        """Return the options in the settings of a stored table."""
        return cls(**settings.get("table", {}))
