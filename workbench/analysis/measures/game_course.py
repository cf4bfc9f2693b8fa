"""Measures of the course of games: length, winners, points and choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebook.model import GameMeasure
from workbench.analysis.measures.measured_games import (
    LEGAL,
    ROUND,
    STARTER,
    TURN_NUMBER,
    MeasuredGames,
)

ValuesByPart = dict[str, Any]
"""Array of a measure's values by game, for each part; `""` is the whole game."""


def turns(games: MeasuredGames) -> ValuesByPart:
    """Return the number of turns of each game."""
    return {"": games.turn_counts}


def rounds(games: MeasuredGames) -> ValuesByPart:
    """Return the number of rounds started in each game."""
    return {"": games.trace.ends[:, ROUND]}


def decisions(games: MeasuredGames) -> ValuesByPart:
    """Return the number of actions in each game."""
    return {"": games.decision_counts}


def finished(games: MeasuredGames) -> ValuesByPart:
    """Return 1 for each game that ended without reaching a limit, else 0."""
    return {"": games.is_finished.astype("int64")}


def ties(games: MeasuredGames) -> ValuesByPart:
    """Return 1 for each finished game without a sole winner, else 0."""
    return {"": (games.is_finished & (games.winner < 0)).astype("int64")}


def wins(games: MeasuredGames) -> ValuesByPart:
    """Return 1 for each seat that won, alone or with others, else 0."""
    won = games.has_won.astype("int64")
    return {seat: won[:, index] for index, seat in enumerate(games.legend.seats)}


def wins_by_turn_order(games: MeasuredGames) -> ValuesByPart:
    """Return 1 for each position in the turn order whose seat won, else 0."""
    numpy = games.numpy
    starter = numpy.maximum(games.trace.ends[:, STARTER], 0)
    rows, won = numpy.arange(games.game_count), games.has_won.astype("int64")
    return {
        str(position + 1): won[rows, (starter + position) % games.seat_count]
        for position in range(games.seat_count)
    }


def bot_gains(games: MeasuredGames) -> ValuesByPart:
    """Return each bot's fraction of the win, minus its share of the seats."""
    each = [win_gains(end.winners, games.bots) for end in games.game_ends]
    names = each[0] if each else ()
    numbers = {name: [gains[name] for gains in each] for name in names}
    return {name: games.numpy.array(values) for name, values in numbers.items()}


def win_gains(winners: Sequence[int], bots: Sequence[str]) -> dict[str, float]:
    """Return each bot's fraction of a win, minus its share of the seats.

    *winners* are seat numbers, and *bots* are in seating order. Several winners share
    the win equally. All values are 0 if nobody won. With one bot, there are none.

    >>> win_gains((0, 2), ("a", "b", "b", "b"))
    {'a': 0.25, 'b': -0.25}
    """
    names = dict.fromkeys(bots)
    if len(names) < 2 or not winners:
        return dict.fromkeys(names, 0.0) if len(names) > 1 else {}
    won = [bots[seat] for seat in winners]
    return {
        name: won.count(name) / len(won) - bots.count(name) / len(bots)
        for name in names
    }


def points_by_turn_order(games: MeasuredGames) -> ValuesByPart:
    """Return the final points by position in the turn order."""
    numpy = games.numpy
    starter = numpy.maximum(games.trace.ends[:, STARTER], 0)
    rows, last = numpy.arange(games.game_count), games.points[games.last_row]
    return {
        str(position + 1): last[rows, (starter + position) % games.seat_count]
        for position in range(games.seat_count)
    }


def points(games: MeasuredGames) -> ValuesByPart:
    """Return the final points of each seat."""
    last = games.points[games.last_row]
    return {seat: last[:, index] for index, seat in enumerate(games.legend.seats)}


# ---------------------------------------------------------------- points


def margin(games: MeasuredGames) -> ValuesByPart:
    """Return the final lead in points of the sole winner over the best other seat."""
    return {"": games.values_of_won_games(games.winner_lead[games.last_row])}


def comeback(games: MeasuredGames) -> ValuesByPart:
    """Return the largest deficit in points of the sole winner at the end of a turn."""
    numpy = games.numpy
    worst = numpy.zeros(games.game_count, "int64")
    numpy.maximum.at(worst, games.game_of_turn, -games.winner_lead)
    return {"": games.values_of_won_games(worst)}


def drama(games: MeasuredGames) -> ValuesByPart:
    """Return the mean deficit in points of the sole winner at the ends of turns."""
    behind = games.numpy.maximum(-games.winner_lead, 0)
    return {"": games.values_of_won_games(games.mean_over_turns(behind))}


def decisiveness(games: MeasuredGames) -> ValuesByPart:
    """Return the share of turns left once the winner passes the others' peak points."""
    numpy, game = games.numpy, games.game_of_turn
    others, own = games.best_other_points, games.winner_lead + games.best_other_points
    peak = numpy.full(games.game_count, numpy.iinfo(others.dtype).min, others.dtype)
    numpy.maximum.at(peak, game, others)
    first = games.turn_counts.astype("int64")
    beyond = own > peak[game]
    numpy.minimum.at(first, game[beyond], games.trace.turns[beyond, TURN_NUMBER])
    with numpy.errstate(invalid="ignore"):
        return {
            "": games.values_of_won_games(
                (games.turn_counts - first) / games.turn_counts
            )
        }


def lead_changes(games: MeasuredGames) -> ValuesByPart:
    """Return the number of times that a different seat became the sole leader."""
    numpy = games.numpy
    leads = games.leader >= 0
    leaders, game = games.leader[leads], games.game_of_turn[leads]
    changed = (leaders[1:] != leaders[:-1]) & (game[1:] == game[:-1])
    return {"": numpy.bincount(game[1:][changed], minlength=games.game_count)}


def turns_after_final_lead(games: MeasuredGames) -> ValuesByPart:
    """Return the number of turns left when the winner took the lead for good."""
    numpy = games.numpy
    number = numpy.where(games.winner_lead <= 0, games.trace.turns[:, TURN_NUMBER], 0)
    last = numpy.zeros(games.game_count, "int64")
    numpy.maximum.at(last, games.game_of_turn, number)
    ahead = games.winner_lead[games.last_row] > 0
    left = numpy.where(ahead, numpy.maximum(games.turn_counts - last - 1, 0), 0)
    return {"": games.values_of_won_games(left)}


# ---------------------------------------------------------------- decisions


def branching(games: MeasuredGames) -> ValuesByPart:
    """Return the mean number of legal actions per decision."""
    return {"": _mean_per_decision(games, games.trace.events[:, LEGAL])}


def branching_by_action(games: MeasuredGames) -> ValuesByPart:
    """Return, for each action, the mean number of legal actions when it was chosen."""
    legal = games.trace.events[games.action_events, LEGAL].astype("float64")
    chosen = games.action_of_event[games.action_events]
    total = games.count_by_game_and_category(
        games.game_of_action, chosen, len(games.legend.actions), legal
    )
    with games.numpy.errstate(invalid="ignore"):
        means = total / games.action_counts
    return {name: means[:, number] for number, name in enumerate(games.legend.actions)}


def real_choices(games: MeasuredGames) -> ValuesByPart:
    """Return each game's share of decisions with more than one legal action."""
    return {"": _mean_per_decision(games, games.trace.events[:, LEGAL] > 1)}


def _mean_per_decision(games: MeasuredGames, values: Any) -> Any:
    """Return the mean over the actions of each game, given a value per event."""
    selected = values[games.action_events].astype("float64")
    total = games.count_by_game(games.game_of_action, selected)
    with games.numpy.errstate(invalid="ignore"):
        return total / games.decision_counts


def idle_turns(games: MeasuredGames) -> ValuesByPart:
    """Return the share of turns in which no action changed anything."""
    idle = games.turn_counts - games.has_changes[:, 1:].sum(axis=1)
    with games.numpy.errstate(invalid="ignore"):
        return {"": idle / games.turn_counts}


def actions(games: MeasuredGames) -> ValuesByPart:
    """Return how often each action was chosen."""
    names = enumerate(games.legend.actions)
    return {name: games.action_counts[:, number] for number, name in names}


def shares_of_actions(games: MeasuredGames) -> ValuesByPart:
    """Return the share of each action among all decisions."""
    with games.numpy.errstate(invalid="ignore"):
        shares = games.action_counts / games.decision_counts[:, None]
    return {name: shares[:, number] for number, name in enumerate(games.legend.actions)}


# ---------------------------------------------------------------- declared measures


def declared_measure(
    games: MeasuredGames, *, first_column: int, measure: GameMeasure
) -> ValuesByPart:
    """Return the values of a measure that the rules declare.

    *first_column* is its first column in `Trace.turns`.
    """
    read = games.column_mean_over_turns if measure.each_turn else games.final_values
    if not measure.each_player:
        return {"": read(first_column)}
    seats = enumerate(games.legend.seats, first_column)
    return {seat: read(column) for column, seat in seats}
