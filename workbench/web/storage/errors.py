"""Errors of tables, each with the key of its message on the pages."""

from __future__ import annotations

from typing import Any


class TableError(Exception):
    """Request that a table rejects without any change.

    `key` names its message under `[refused]` in the words of the pages.
    """

    key = "refused"

    def __init__(self, **gaps: Any) -> None:
        super().__init__(f"{self.key} {gaps}" if gaps else self.key)
        self.gaps = gaps


class Stale(TableError):
    """Something has happened since the page was loaded."""

    key = "stale"


class NotYours(TableError):
    """The seat has no decision to make now."""

    key = "not_yours"


class BotSits(TableError):
    """A bot plays the seat until its player returns."""

    key = "bot_sits"


class NotUndone(TableError):
    """Nothing can be undone: no decision was made, or somebody has learnt from it."""

    key = "not_undone"


class NotAsked(TableError):
    """There is no pending undo request."""

    key = "not_asked"


class GameOver(TableError):
    """The game has ended, and its hidden information may be known."""

    key = "ended"


class NoBot(TableError):
    """No bot with this name may play here."""

    key = "no_bot"


class NoName(TableError):
    """The name is not valid for a player."""

    key = "no_name"


class Full(TableError):
    """The limit on tables, or on journal lines of a table, is reached."""

    key = "full"


class Halted(TableError):
    """The rules contain an error that appears only in this position."""

    key = "halted"


class OtherRules(TableError):
    """The rules of the table have changed since the edit was started."""

    key = "other_rules"


class Unknown(TableError):
    """The table or its key does not exist."""

    key = "unknown"


class NotStored(TableError):
    """The database did not store the data."""


class DiskFull(NotStored):
    """The disk of the database is full; nothing was stored."""

    key = "disk_full"


class ReadOnly(NotStored):
    """The database is read-only; nothing was stored."""

    key = "read_only"


class NoStore(NotStored):
    """The database does not respond; the data may have been stored."""

    key = "no_store"


class Conflict(Exception):
    """Another process has written to the table, so the copy in memory is outdated."""
