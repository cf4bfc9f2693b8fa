"""Result of a step of a batch, and the table of its arrays."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import attrs


@attrs.frozen(eq=False)
class Step:
    """Result of a step: arrays with a row for each game.

    They are numpy arrays if numpy is installed, otherwise memoryviews. Arrays that the
    batch has allocated are read-only.

    Fields for the game in progress, or the next one if a game has ended:

    * `legal`: mask over all indices, or None without masks
    * `counts`, `indices`: number of legal actions, and their ascending indices
    * `observations`: what the seat to act sees, or None without fields
    * `seats`: the seat to act

    Fields for the games in which the step was done:

    * `rewards`: reward of each seat
    * `terminated`: whether the rules ended a game
    * `truncated`: whether the limit of turns or decisions ended a game
    * `failed`: whether the engine could not continue a game
    * `played`: seed of the game of the last decision
    * `lengths`: number of the decisions of this game so far
    * `finished`: number of games that ended, at most 1 except after `step_random`
    * `actions`: index of the last action

    `legal_bits` is the mask with one bit for each index, lowest bit first, or None
    unless the caller owns it.
    """

    legal: Any
    counts: Any
    indices: Any
    observations: Any
    seats: Any
    rewards: Any
    terminated: Any
    truncated: Any
    failed: Any
    played: Any
    lengths: Any
    finished: Any
    actions: Any
    legal_bits: Any


class Width(StrEnum):
    """Number of columns of an array of a batch."""

    GAME = "one number for each game"
    ACTION = "one number for each action index"
    ACTION_BIT = "one bit for each action index"
    LEGAL = "one number for each action that may be legal at once"
    OBSERVED = "one number for each name in `observed`"
    SEAT = "one number for each seat"


class Number(StrEnum):
    """Type of the numbers in an array, as a format of `memoryview`."""

    BOOL = "?"
    BYTE = "B"
    INT32 = "i"
    INT64 = "q"
    UINT64 = "Q"
    FLOAT64 = "d"


@attrs.frozen
class Column:
    """Array of a batch: its name in C, the type of its numbers, and its width."""

    c_name: str
    number: Number
    width: Width = Width.GAME


COLUMNS: dict[str, Column] = {
    "actions": Column("applied", Number.INT64),
    "played": Column("played", Number.UINT64),
    "lengths": Column("length", Number.INT64),
    "seats": Column("who", Number.INT32),
    "counts": Column("count", Number.INT32),
    "indices": Column("legal", Number.INT32, Width.LEGAL),
    "observations": Column("observed", Number.INT32, Width.OBSERVED),
    "finished": Column("finished", Number.INT32),
    "rewards": Column("reward", Number.FLOAT64, Width.SEAT),
    "legal": Column("mask", Number.BOOL, Width.ACTION),
    "legal_bits": Column("bits", Number.BYTE, Width.ACTION_BIT),
    "terminated": Column("ended", Number.BOOL),
    "truncated": Column("truncated", Number.BOOL),
    "failed": Column("failed", Number.BOOL),
}
"""Arrays filled by C, by their names in `Step`, in the order of the C structure."""

MASK, MASK_BITS, OBSERVATIONS = "legal", "legal_bits", "observations"
"""Names of the arrays that a batch may lack."""
