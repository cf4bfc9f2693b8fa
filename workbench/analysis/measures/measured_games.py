"""Traces and results of measured games, with arrays that several measures use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

import attrs

from interpreter.tracing import Legend, Trace

ROUND, TURN, STARTER, STATUS = range(4)
"""Indices of the leading columns of `Trace.ends`; the watched cells follow."""
FIRST_CELL = 4
EVENT, CELL, OLD_VALUE, NEW_VALUE = range(4)
INDEX, SEAT, LEGAL, IN_TURN = range(4)
EVENTS_BY, TURN_NUMBER, ROUND_NUMBER, ACTIVE, FIRST_POINTS = range(5)
NO_EVENT = 1 << 30


@attrs.frozen
class GameEnd:
    """Result of a game; `winners` are seat numbers, empty if it is unfinished."""

    finished: bool
    winners: tuple[int, ...]


@attrs.define(eq=False, slots=False)
class MeasuredGames:
    """Measured games, with arrays that are computed from their traces on first use."""

    legend: Legend
    trace: Trace
    game_ends: Sequence[GameEnd]
    bots: Sequence[str] = ()
    """Name of the bot in each seat; empty if unknown."""

    @cached_property
    def numpy(self) -> Any:
        """The numpy module, which is always installed where games are traced."""
        return import_module("numpy")

    @property
    def game_count(self) -> int:
        """Number of games."""
        return self.trace.games

    @property
    def seat_count(self) -> int:
        """Number of seats."""
        return len(self.legend.seats)

    # ------------------------------------------------------------ games of rows

    def _game_of_row(self, column: int) -> Any:
        """Return the game number of each row of a trace table.

        *column* is the table's column in `Trace.marks`.
        """
        numpy = self.numpy
        lengths = numpy.diff(self.trace.marks[:, column], prepend=0)
        return numpy.repeat(numpy.arange(self.game_count), lengths)

    @cached_property
    def game_of_event(self) -> Any:
        """Game number of each event."""
        return self._game_of_row(0)

    @cached_property
    def game_of_change(self) -> Any:
        """Game number of each change of a watched cell."""
        return self.game_of_event[self.trace.changes[:, EVENT]]

    @cached_property
    def game_of_turn(self) -> Any:
        """Game number of each row of `Trace.turns`."""
        return self._game_of_row(2)

    @cached_property
    def is_action(self) -> Any:
        """True for each event that is an action."""
        return self.trace.events[:, INDEX] >= 0

    @cached_property
    def action_events(self) -> Any:
        """Indices of the events that are actions, in order."""
        return self.numpy.flatnonzero(self.is_action)

    @cached_property
    def game_of_action(self) -> Any:
        """Game number of each action."""
        return self.game_of_event[self.action_events]

    @cached_property
    def decision_counts(self) -> Any:
        """Number of actions in each game."""
        return self.count_by_game(self.game_of_action).astype("int64")

    @cached_property
    def action_counts(self) -> Any:
        """Number of times each action was chosen, by game (row) and action (column)."""
        chosen = self.action_of_event[self.action_events]
        return self.count_by_game_and_category(
            self.game_of_action, chosen, len(self.legend.actions)
        )

    @cached_property
    def action_of_event(self) -> Any:
        """Action number of each event, or -1 for a chance event."""
        table = self.numpy.array([*self.legend.action_numbers, -1], "int32")
        indices = self.trace.events[:, INDEX]
        return table[self.numpy.where(indices < 0, len(table) - 1, indices)]

    def count_by_game(self, games: Any, weights: Any = None) -> Any:
        """Return the number of items in each game, given the game number of each item.

        With *weights*, return the sum of the items' weights.
        """
        return self.numpy.bincount(games, weights, minlength=self.game_count)

    def count_by_game_and_category(
        self, games: Any, categories: Any, size: int, weights: Any = None
    ) -> Any:
        """Return the number of items by game (row) and category (column).

        *games* and *categories* are the game and category number of each item. With
        *weights*, return the sums of the items' weights. *size* counts the categories.
        """
        keys = games.astype("int64") * size + categories
        counts = self.numpy.bincount(keys, weights, minlength=self.game_count * size)
        return counts.reshape(self.game_count, size)

    # ------------------------------------------------------------ results

    @cached_property
    def is_finished(self) -> Any:
        """True for each game that ended without reaching a limit."""
        return self.numpy.array([game.finished for game in self.game_ends], bool)

    @cached_property
    def has_won(self) -> Any:
        """True where a seat won: a row per game, a column per seat."""
        table = self.numpy.zeros((self.game_count, self.seat_count), bool)
        for game, end in enumerate(self.game_ends):
            table[game, list(end.winners)] = True
        return table

    @cached_property
    def winner(self) -> Any:
        """Seat number of the sole winner of each game, or -1 if there is none."""
        sole = self.has_won.sum(axis=1) == 1
        return self.numpy.where(sole, self.has_won.argmax(axis=1), -1)

    @cached_property
    def turn_counts(self) -> Any:
        """Number of turns in each game."""
        return self.trace.ends[:, TURN]

    # ------------------------------------------------------------ turns

    @cached_property
    def is_turn_end(self) -> Any:
        """True for each row of `Trace.turns` that is the last one of its turn."""
        turn, game = self.trace.turns[:, TURN_NUMBER], self.game_of_turn
        is_repeated = (turn[1:] == turn[:-1]) & (game[1:] == game[:-1])
        return ~self.numpy.append(is_repeated, False)

    def final_values(self, column: int) -> Any:
        """Return the final value of a column of `Trace.turns` in each game."""
        return self.trace.turns[self.last_row, column]

    def column_mean_over_turns(self, column: int) -> Any:
        """Return the mean of a column of `Trace.turns` over the turns of each game."""
        return self.mean_over_turns(self.trace.turns[:, column])

    def mean_over_turns(self, values: Any) -> Any:
        """Return the mean of some values over the turns of each game.

        *values* has an entry for each row of `Trace.turns`; the last row of a turn
        counts.
        """
        is_end = self.is_turn_end
        game = self.game_of_turn[is_end]
        total = self.count_by_game(game, values[is_end].astype("float64"))
        return total / self.count_by_game(game)

    # ------------------------------------------------------------ points

    @cached_property
    def points(self) -> Any:
        """Points: a row per row of `Trace.turns`, a column per seat."""
        return self.trace.turns[:, FIRST_POINTS : FIRST_POINTS + self.seat_count]

    @cached_property
    def last_row(self) -> Any:
        """Index of the last row of each game in `Trace.turns`."""
        return self.trace.marks[:, 2] - 1

    @cached_property
    def leader(self) -> Any:
        """Seat number of the sole leader in each row of `Trace.turns`, or -1."""
        best = self.points.max(axis=1, keepdims=True)
        leads = self.points == best
        sole = leads.sum(axis=1) == 1
        return self.numpy.where(sole, leads.argmax(axis=1), -1)

    @cached_property
    def best_other_points(self) -> Any:
        """Maximum points of the seats that did not win, by row of `Trace.turns`."""
        winner = self.winner[self.game_of_turn]
        others = self.points.copy()
        others[self.numpy.arange(len(winner)), winner] = (
            self.numpy.iinfo(others.dtype).min // 2
        )
        return others.max(axis=1)

    @cached_property
    def winner_lead(self) -> Any:
        """Lead of the winner over the best other seat, by row of `Trace.turns`."""
        winner = self.winner[self.game_of_turn]
        winner_points = self.points[self.numpy.arange(len(winner)), winner]
        return winner_points - self.best_other_points

    def values_of_won_games(self, values: Any) -> Any:
        """Return the values, with NaN for games without a sole winner or opponents."""
        has_winner = (self.winner >= 0) & (self.seat_count > 1)
        return self.numpy.where(has_winner, values, self.numpy.nan)

    # ------------------------------------------------------------ turns of changes

    @cached_property
    def turn_of_change(self) -> Any:
        """Turn number of each change of a watched cell."""
        return self.trace.events[self.trace.changes[:, EVENT], IN_TURN]

    @cached_property
    def has_changes(self) -> Any:
        """True where an action changed anything: a row per game, a column per turn."""
        changes = self.trace.changes
        by_action = self.trace.events[changes[:, EVENT], INDEX] >= 0
        busy = self.numpy.zeros(self.round_of_turn.shape, bool)
        busy[self.game_of_change[by_action], self.turn_of_change[by_action]] = True
        return busy

    @cached_property
    def round_of_turn(self) -> Any:
        """Round number of each turn: a row per game, a column per turn."""
        turns = self.trace.turns
        table = self.numpy.zeros(
            (self.game_count, int(self.turn_counts.max(initial=0)) + 1), int
        )
        table[self.game_of_turn, turns[:, TURN_NUMBER]] = turns[:, ROUND_NUMBER]
        return table

    @cached_property
    def last_row_of_turn(self) -> Any:
        """Index of each turn's last row in `Trace.turns`, or -1, by game and turn."""
        turns = self.trace.turns
        rows = self.numpy.full(self.round_of_turn.shape, -1)
        number = self.numpy.arange(len(turns))
        rows[self.game_of_turn, turns[:, TURN_NUMBER]] = number
        return rows

    def first_rounds(self, events: Any, categories: Any, size: int) -> Any:
        """Return the round in which each category first occurred in each game, or NaN.

        *categories* are the category numbers of *events*, which are all after set-up.
        *size* is the number of categories. The result has a row per game and a column
        per category.
        """
        numpy = self.numpy
        games = self.game_of_event[events].astype("int64")
        first = numpy.full(self.game_count * size, NO_EVENT, "int64")
        back = slice(
            None, None, -1
        )  # if an index occurs several times, the last value remains
        turns = self.trace.events[events, IN_TURN]
        first[(games * size + categories)[back]] = turns[back]
        first = first.reshape(self.game_count, size)
        never = first == NO_EVENT
        rows = numpy.arange(self.game_count)[:, None]
        rounds = self.round_of_turn[rows, numpy.where(never, 0, first)]
        return numpy.where(never, numpy.nan, rounds)
