"""What a table refuses: a key in the words of the pages, and what fills its gaps."""

from __future__ import annotations

from typing import Any


class TableError(Exception):
    """Something that a table does not do; nothing has changed.

    `key` names the sentence under `[refused]` in the words of the pages.
    """

    key = "refused"

    def __init__(self, **gaps: Any) -> None:
        super().__init__(f"{self.key} {gaps}" if gaps else self.key)
        self.gaps = gaps


class Stale(TableError):
    """The page was of an earlier moment: something has happened since."""

    key = "stale"


class NotYours(TableError):
    """The seat has nothing to decide now."""

    key = "not_yours"


class BotSits(TableError):
    """A bot decides for the seat until its person takes it back."""

    key = "bot_sits"


class NotUndone(TableError):
    """Nothing can be taken back: nothing was done, or somebody has learnt by it."""

    key = "not_undone"


class NotAsked(TableError):
    """There is nothing to agree to."""

    key = "not_asked"


class GameOver(TableError):
    """The game is over, and all may have seen what was hidden: it stays as it is."""

    key = "ended"


class NoBot(TableError):
    """No bot that may play here is called so."""

    key = "no_bot"


class NoName(TableError):
    """A person cannot be called so."""

    key = "no_name"


class Full(TableError):
    """There is no room: for another table, or for more lines of this one."""

    key = "full"


class Halted(TableError):
    """The rules have a mistake that shows only here."""

    key = "halted"


class OtherRules(TableError):
    """The rules were changed meanwhile: what was sent is a change of earlier ones."""

    key = "other_rules"


class Unknown(TableError):
    """There is no such table, or no such key to it."""

    key = "unknown"


class NotStored(TableError):
    """The database has not stored what it was given."""


class DiskFull(NotStored):
    """The disk of the database is full. Nothing has been stored."""

    key = "disk_full"


class ReadOnly(NotStored):
    """The database can only be read. Nothing has been stored."""

    key = "read_only"


class NoStore(NotStored):
    """The database does not answer. It may have stored what it was given."""

    key = "no_store"


class Conflict(Exception):
    """Somebody else has written to the table: what is in memory is no longer so."""
