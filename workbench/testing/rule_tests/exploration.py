"""Exploration of all positions reachable from a start position, nearest first.

All actions and all chance outcomes are followed. Equal positions are visited once and
recognized by a digest; positions to continue from are stored packed. The first failure
is reached by the fewest events, because all nearer positions have been visited before.
"""

from __future__ import annotations

import time
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import attrs

from interpreter import Game, violated_invariants
from rulebook.model import Invariant
from workbench.analysis.simulation.setting_variations import CHANCE, is_dealing
from workbench.testing.rule_tests.failure_items import (
    dead_end_item,
    failing_effect_item,
    invariant_item,
)
from workbench.testing.rule_tests.suite import SuiteItem

DIGEST_BYTES = 16
"""Size of a digest in bytes.

Any two of a billion positions share a digest with a probability of about 10 ** -21.
"""

BYTES_PER_POSITION = 128
"""Approximate memory in bytes for a known position and the choice that led to it."""

COMPRESSION_LEVEL = 1
"""Compression level of packed positions; low, because each is read only once."""

LIMIT, MEMORY = "limit", "memory"

ProgressDisplay = Callable[[Sequence[Any], int, str], Iterable[Any]]
"""Progress callback: takes items, their number and a label; yields the items."""


class PendingPosition(NamedTuple):
    """Position to continue from; `in_setup` is true before the first decision."""

    number: int
    packed: bytes
    in_setup: bool


@attrs.frozen
class ExplorationLimits:
    """Limits of an exploration: depth in events, position count, memory in bytes."""

    depth: int | None
    positions: int
    memory: int


@attrs.frozen
class ExplorationLevel:
    """Positions whose shortest path from the start has `depth` events.

    `choices` counts all choices tried from the level before. `ended` counts the
    games that are over at this level.
    """

    depth: int
    positions: int
    choices: int
    ended: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return the level as plain data."""
        return attrs.asdict(self)


@attrs.frozen
class WidestPosition:
    """Position with the most choices: its depth, seat to act, and names of choices."""

    choices: int
    depth: int
    who: str
    names: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The widest position as a sentence."""
        names = ", ".join(self.names)
        depth_text = f"at depth {self.depth}"
        return f"{self.choices:,} choices {depth_text}: {self.who}, {names}"

    def to_json(self) -> dict[str, Any]:
        """Return the widest position as plain data."""
        return attrs.asdict(self)


@attrs.define
class Exploration:
    """Exploration of all positions reachable from a game.

    `failures` are the failures in the nearest failing position, and `stop_reason` is
    the limit that was reached. For each position, its predecessor and the choice that
    first led to it are stored.
    """

    start: Game
    invariants: Sequence[Invariant]
    limits: ExplorationLimits
    display: ProgressDisplay
    levels: list[ExplorationLevel] = attrs.field(factory=list)
    failures: list[SuiteItem] = attrs.field(factory=list)
    stop_reason: str | None = None
    widest: WidestPosition | None = None
    pending_count: int = 0
    visited: set[bytes] = attrs.field(factory=set)
    predecessors: array[int] = attrs.field(factory=lambda: array("q"))
    incoming_choices: array[int] = attrs.field(factory=lambda: array("q"))
    pending: list[PendingPosition] = attrs.field(factory=list)
    pending_bytes: int = 0
    ended_games: int = 0

    # ------------------------------------------------------------ results

    @property
    def positions(self) -> int:
        """Number of visited positions."""
        return len(self.predecessors)

    @property
    def depth(self) -> int:
        """Largest depth at which all positions were visited."""
        return self.levels[-1].depth if self.levels else 0

    @property
    def positions_to_depth(self) -> int:
        """Number of positions at depths up to `depth`."""
        return sum(level.positions for level in self.levels)

    @property
    def is_exhausted(self) -> bool:
        """True if all reachable positions were visited."""
        return not self.pending_count and not self.stop_reason and not self.failures

    @property
    def sentence(self) -> str:
        """Result of the exploration as a sentence."""
        if self.failures:
            events = len(self.levels)
            when = f"after {events} events" if events else "at the start"
            visited = f"{self.positions:,} positions visited"
            return f"broken {when}, and no earlier: {visited}"
        if self.is_exhausted:
            return f"true in all {self.positions:,} positions of the game"
        result = (
            f"true in all {self.positions_to_depth:,} positions to depth {self.depth}"
        )
        if self.stop_reason is None:
            return result
        next_count = self.positions - self.positions_to_depth
        next_text = f"{next_count:,} at depth {self.depth + 1}"
        return f"{result}, and {next_text}: stopped by {self.stop_reason}"

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data, without the levels."""
        return {
            "depth": self.depth,
            "whole": self.positions_to_depth,
            "positions": self.positions,
            "exhausted": self.is_exhausted,
            "stopped": self.stop_reason,
            "widest": None if self.widest is None else self.widest.to_json(),
            "broken": [item.to_json() for item in self.failures],
        }

    # ------------------------------------------------------------ exploration

    def explore(self) -> Iterator[ExplorationLevel]:
        """Visit positions level by level; yield each level when it is complete."""
        start_time = time.perf_counter()
        self.visit(self.start, -1, 0, in_setup=is_dealing(self.start))
        yield from self.complete_level(0, start_time)
        while self.pending_count and not self.is_over:
            start_time, depth = time.perf_counter(), len(self.levels)
            choices = 0
            entries, self.pending = self.pending, []
            self.pending_count = self.pending_bytes = self.ended_games = 0
            self.pending_bytes = sum(len(entry.packed) for entry in entries)
            label = f"positions at depth {depth - 1}"
            for entry in self.display(entries, len(entries), label):
                choices += self.expand(entry, depth)
                if self.failures or self.stop_reason:
                    return
            yield from self.complete_level(choices, start_time)

    @property
    def is_over(self) -> bool:
        """True if a failure was found or the maximum depth was reached."""
        is_deepest = self.limits.depth is not None and self.depth >= self.limits.depth
        return bool(self.failures) or is_deepest

    def complete_level(
        self, choices: int, start_time: float
    ) -> Iterator[ExplorationLevel]:
        """Record and yield the next level, unless the exploration has stopped."""
        if self.failures or self.stop_reason:
            return
        seconds = round(time.perf_counter() - start_time, 3)
        position_count = self.positions - self.positions_to_depth
        level = ExplorationLevel(
            len(self.levels), position_count, choices, self.ended_games, seconds
        )
        self.levels.append(level)
        self.pending_bytes = sum(len(entry.packed) for entry in self.pending)
        yield level

    def expand(self, entry: PendingPosition, depth: int) -> int:
        """Visit all successors of a position; return the number of choices tried."""
        game = self.start.unpacked(zlib.decompress(entry.packed))
        in_setup = entry.in_setup and game.to_act == CHANCE
        number = -1
        branches = game.branches()
        while True:
            try:
                successor = next(branches, None)
            except Exception:  # noqa: BLE001  (reported, with the game that led there)
                self.failures = [
                    failing_effect_item(self.game(entry.number), number + 1)
                ]
                return number + 2
            if successor is None:
                break
            number += 1
            self.visit(successor, entry.number, number, in_setup=in_setup)
            if self.failures or self.stop_reason:
                break
        if self.widest is None or number >= self.widest.choices:
            self.widest = measure_position(game, depth - 1)
        return number + 1

    def visit(
        self, game: Game, predecessor: int, choice: int, *, in_setup: bool
    ) -> None:
        """Visit a position, unless it is known or a limit has been reached.

        *predecessor* is the number of the position before it, or -1. *choice* is the
        index of the legal choice made there.
        """
        packed = game.packed
        digest = blake2b(packed, digest_size=DIGEST_BYTES).digest()
        if digest in self.visited:
            return
        if self.positions >= self.limits.positions:
            self.stop_reason = LIMIT
            return
        if (
            self.pending_bytes + BYTES_PER_POSITION * self.positions
            > self.limits.memory
        ):
            self.stop_reason = MEMORY
            return
        self.visited.add(digest)
        self.predecessors.append(predecessor)
        self.incoming_choices.append(choice)
        self.check(game, in_setup=in_setup)
        if game.over:
            self.ended_games += 1
        elif not self.failures:
            self.store(PendingPosition(self.positions - 1, packed, in_setup))

    def check(self, game: Game, *, in_setup: bool) -> None:
        """Check a position for a dead end and, after set-up, for broken invariants."""
        seat, number = game.to_act, self.positions - 1
        if seat not in {None, CHANCE} and not game.legal_indices():
            self.failures.append(dead_end_item(self.game(number)))
        if in_setup and game.turn == 0 and seat == CHANCE:
            return
        for invariant in violated_invariants(game, self.invariants):
            self.failures.append(invariant_item(self.game(number), invariant))

    def store(self, entry: PendingPosition) -> None:
        """Store a position to continue from, unless it has the maximum depth."""
        self.pending_count += 1
        max_depth = self.limits.depth
        if max_depth is not None and len(self.levels) >= max_depth:
            return
        packed = zlib.compress(entry.packed, COMPRESSION_LEVEL)
        self.pending.append(entry._replace(packed=packed))
        self.pending_bytes += len(packed)

    def game(self, number: int) -> Game:
        """Return the game with the events that first led to position *number*."""
        choices = []
        while number > 0:
            choices.append(self.incoming_choices[number])
            number = self.predecessors[number]
        game = self.start.copy()
        for choice in reversed(choices):
            game.apply(game.legal_actions()[choice])
        return game


def measure_position(game: Game, depth: int) -> WidestPosition:
    """Return the number and names of choices in a position, to find the widest."""
    legal = game.legal_actions()
    names = tuple(dict.fromkeys(choice.name for choice in legal))
    return WidestPosition(len(legal), depth, str(game.to_act), names)
