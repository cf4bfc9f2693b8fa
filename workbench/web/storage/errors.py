"""Errors of a table: a key of the phrases of the pages, and values for its gaps."""

from __future__ import annotations

from typing import Any


class TableError(Exception):
    """Request that a table rejects; nothing has changed.

    `key` names the phrase under `[refused]` in the words of the pages.
    """

    key = "refused"

    def __init__(self, **gaps: Any) -> None:
        super().__init__(f"{self.key} {gaps}" if gaps else self.key)
        self.gaps = gaps


class Stale(TableError):
    """The page is outdated: something has happened since."""

    key = "stale"


class NotYours(TableError):
    """The seat has nothing to decide now."""

    key = "not_yours"


class BotSits(TableError):
    """A bot decides for the seat until its person returns."""

    key = "bot_sits"


class NotUndone(TableError):
    """There is nothing to undo: no decision, or somebody has learnt from it."""

    key = "not_undone"


class NotAsked(TableError):
    """There is no request to agree to."""

    key = "not_asked"


class GameOver(TableError):
    """The game is over: hidden information may be known, so nothing can be undone."""

    key = "ended"


class NoBot(TableError):
    """There is no bot of this name that may play here."""

    key = "no_bot"


class NoName(TableError):
    """The name is not valid for a person."""

    key = "no_name"


class Full(TableError):
    """There is no room for another table, or for more lines of this one."""

    key = "full"


class Halted(TableError):
    """The rules contain an error that shows only at this point of the game."""

    key = "halted"


class OtherRules(TableError):
    """The rules were changed meanwhile: the edit is based on earlier rules."""

    key = "other_rules"


class Unknown(TableError):
    """The table or its key does not exist."""

    key = "unknown"


class NotStored(TableError):
    """The database has not stored the data."""


class DiskFull(NotStored):
    """The disk of the database is full. Nothing has been stored."""

    key = "disk_full"


class ReadOnly(NotStored):
    """The database is read-only. Nothing has been stored."""

    key = "read_only"


class NoStore(NotStored):
    """The database does not answer. The data may have been stored."""

    key = "no_store"


class Conflict(Exception):
    """Another process has written to the table: the copy in memory is outdated."""
