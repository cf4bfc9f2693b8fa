"""Errors of tables, each with the key of its message on the pages."""

from __future__ import annotations

from typing import Any


class TableError(Exception):
    """Base class for errors that reject a request and leave the table unchanged.

    `key` names the error's message under `[refused]` in the words of the pages.
    """

    key = "refused"

    def __init__(self, **gaps: Any) -> None:
        super().__init__(f"{self.key} {gaps}" if gaps else self.key)
        self.gaps = gaps


class StalePage(TableError):
    """Raised if something has happened since the page was loaded."""

    key = "stale"


class NoDecisionDue(TableError):
    """Raised if the seat has no decision to make now."""

    key = "not_yours"


class BotPlaysSeat(TableError):
    """Raised if a bot plays the seat until its player returns."""

    key = "bot_sits"


class NothingToUndo(TableError):
    """Raised if a seat has no decision to undo, or somebody has learnt from it."""

    key = "not_undone"


class NoUndoRequest(TableError):
    """Raised if there is no pending undo request."""

    key = "not_asked"


class GameOver(TableError):
    """Raised if the game has already ended."""

    key = "ended"


class UnknownBot(TableError):
    """Raised if no bot with this name may play here."""

    key = "no_bot"


class InvalidName(TableError):
    """Raised if a name is not valid for a player."""

    key = "no_name"


class InvalidMessage(TableError):
    """Raised if a message of the chat is empty or too long."""

    key = "no_message"


class SeatTaken(TableError):
    """Raised if somebody else has taken a seat of the table."""

    key = "seat_taken"


class ChatClosed(TableError):
    """Raised if the visitor may not write in the chat of the table."""

    key = "no_chat"


class LimitReached(TableError):
    """Raised if the limit on tables, or on journal lines of a table, is reached."""

    key = "full"


class RulesFailed(TableError):
    """Raised if the rules contain an error that appears only in this position."""

    key = "halted"


class RulesChanged(TableError):
    """Raised if the rules of the table have changed since the edit was started."""

    key = "other_rules"


class UnknownTable(TableError):
    """Raised if the table or its key does not exist."""

    key = "unknown"


class NotStored(TableError):
    """Raised if the database did not store the data."""


class DiskFull(NotStored):
    """Raised if the disk of the database is full; nothing was stored."""

    key = "disk_full"


class DatabaseReadOnly(NotStored):
    """Raised if the database is read-only; nothing was stored."""

    key = "read_only"


class DatabaseDown(NotStored):
    """Raised if the database does not respond; the data may have been stored."""

    key = "no_store"


class WriteConflict(Exception):
    """Raised if another process has written to the table.

    The copy of the table in memory is then outdated.
    """
