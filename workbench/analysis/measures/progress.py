"""Measures of the course of games: length, winners, points and choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebook.model import GameMeasure
from workbench.analysis.measures.games import (
    LEGAL,
    ROUND,
    STARTER,
    TURN_NUMBER,
    Games,
)

Parts = dict[str, Any]
"""Values of a measure by game (arrays), for each part; `""` is the whole game."""


def turns(games: Games) -> Parts:
    """Return the number of turns of each game."""
    return {"": games.turns}


def rounds(games: Games) -> Parts:
    """Return the number of rounds started in each game."""
    return {"": games.trace.ends[:, ROUND]}


def decisions(games: Games) -> Parts:
    """Return the number of actions in each game."""
    return {"": games.decisions}


def finished(games: Games) -> Parts:
    """Return whether each game ended without reaching a limit."""
    return {"": games.finished.astype("int64")}


def ties(games: Games) -> Parts:
    """Return whether each game ended without a sole winner."""
    return {"": (games.finished & (games.winner < 0)).astype("int64")}


def wins(games: Games) -> Parts:
    """Return 1 for each seat that won, alone or with others, else 0."""
    won = games.won.astype("int64")
    return {seat: won[:, place] for place, seat in enumerate(games.legend.seats)}


def wins_from(games: Games) -> Parts:
    """Return 1 for each position in the turn order whose seat won, else 0."""
    numpy = games.numpy
    starter = numpy.maximum(games.trace.ends[:, STARTER], 0)
    rows, won = numpy.arange(games.number), games.won.astype("int64")
    return {
        str(place + 1): won[rows, (starter + place) % games.seats]
        for place in range(games.seats)
    }


def gains(games: Games) -> Parts:
    """Return each bot's fraction of the win, minus its share of the seats."""
    each = [beyond_shares(ended.winners, games.bots) for ended in games.ended]
    names = each[0] if each else ()
    numbers = {name: [gained[name] for gained in each] for name in names}
    return {name: games.numpy.array(values) for name, values in numbers.items()}


def beyond_shares(winners: Sequence[int], bots: Sequence[str]) -> dict[str, float]:
    """Return each bot's fraction of a win, minus its share of the seats.

    *winners* are seat numbers, and *bots* are in seating order. Several winners share
    the win equally. All values are 0 if nobody won.

    >>> beyond_shares((0, 2), ("a", "b", "b", "b"))
    {'a': 0.25, 'b': -0.25}
    """
    names = dict.fromkeys(bots)
    if len(names) < 2 or not winners:
        return dict.fromkeys(names, 0.0) if len(names) > 1 else {}
    won = [bots[place] for place in winners]
    return {
        name: won.count(name) / len(won) - bots.count(name) / len(bots)
        for name in names
    }


def points_from(games: Games) -> Parts:
    """Return the final points by position in the turn order."""
    numpy = games.numpy
    starter = numpy.maximum(games.trace.ends[:, STARTER], 0)
    rows, last = numpy.arange(games.number), games.points[games.last_row]
    return {
        str(place + 1): last[rows, (starter + place) % games.seats]
        for place in range(games.seats)
    }


def points(games: Games) -> Parts:
    """Return the final points of each seat."""
    last = games.points[games.last_row]
    return {seat: last[:, place] for place, seat in enumerate(games.legend.seats)}


# ---------------------------------------------------------------- points


def margin(games: Games) -> Parts:
    """Return the lead of the sole winner over the best other seat at the end."""
    return {"": games.if_won(games.ahead[games.last_row])}


def comeback(games: Games) -> Parts:
    """Return the largest deficit of the sole winner at the end of a turn."""
    numpy = games.numpy
    worst = numpy.zeros(games.number, "int64")
    numpy.maximum.at(worst, games.game_of_turn, -games.ahead)
    return {"": games.if_won(worst)}


def drama(games: Games) -> Parts:
    """Return the mean deficit of the sole winner over the ends of all turns."""
    behind = games.numpy.maximum(-games.ahead, 0)
    return {"": games.if_won(games.mean_of_turns(behind))}


def decisiveness(games: Games) -> Parts:
    """Return the share of turns left when the winner first exceeds all others."""
    numpy, whose = games.numpy, games.game_of_turn
    others, own = games.best_of_others, games.ahead + games.best_of_others
    most = numpy.full(games.number, numpy.iinfo(others.dtype).min, others.dtype)
    numpy.maximum.at(most, whose, others)
    first = games.turns.astype("int64")
    beyond = own > most[whose]
    numpy.minimum.at(first, whose[beyond], games.trace.turns[beyond, TURN_NUMBER])
    with numpy.errstate(invalid="ignore"):
        return {"": games.if_won((games.turns - first) / games.turns)}


def lead_changes(games: Games) -> Parts:
    """Return how often a different seat became the sole leader."""
    numpy = games.numpy
    leads = games.leader >= 0
    leaders, whose = games.leader[leads], games.game_of_turn[leads]
    changed = (leaders[1:] != leaders[:-1]) & (whose[1:] == whose[:-1])
    return {"": numpy.bincount(whose[1:][changed], minlength=games.number)}


def known_for(games: Games) -> Parts:
    """Return the number of turns left when the winner took the lead for good."""
    numpy = games.numpy
    number = numpy.where(games.ahead <= 0, games.trace.turns[:, TURN_NUMBER], 0)
    last = numpy.zeros(games.number, "int64")
    numpy.maximum.at(last, games.game_of_turn, number)
    ahead = games.ahead[games.last_row] > 0
    left = numpy.where(ahead, numpy.maximum(games.turns - last - 1, 0), 0)
    return {"": games.if_won(left)}


# ---------------------------------------------------------------- decisions


def branching(games: Games) -> Parts:
    """Return the mean number of legal actions per decision."""
    return {"": _per_decision(games, games.trace.events[:, LEGAL])}


def branching_at(games: Games) -> Parts:
    """Return the mean number of legal actions when each action was chosen."""
    legal = games.trace.events[games.acting, LEGAL].astype("float64")
    done = games.action_of_event[games.acting]
    total = games.table(games.game_of_action, done, len(games.legend.actions), legal)
    with games.numpy.errstate(invalid="ignore"):
        means = total / games.times
    return {name: means[:, x] for x, name in enumerate(games.legend.actions)}


def real_choices(games: Games) -> Parts:
    """Return the share of decisions with more than one legal action."""
    return {"": _per_decision(games, games.trace.events[:, LEGAL] > 1)}


def _per_decision(games: Games, values: Any) -> Any:
    """Return the mean over the actions of each game, given a value per event."""
    some = values[games.acting].astype("float64")
    total = games.counted(games.game_of_action, some)
    with games.numpy.errstate(invalid="ignore"):
        return total / games.decisions


def idle_turns(games: Games) -> Parts:
    """Return the share of turns in which no action changed anything."""
    idle = games.turns - games.busy[:, 1:].sum(axis=1)
    with games.numpy.errstate(invalid="ignore"):
        return {"": idle / games.turns}


def actions(games: Games) -> Parts:
    """Return how often each action was chosen."""
    names = enumerate(games.legend.actions)
    return {name: games.times[:, number] for number, name in names}


def shares_of_actions(games: Games) -> Parts:
    """Return the share of each action among all decisions."""
    with games.numpy.errstate(invalid="ignore"):
        shares = games.times / games.decisions[:, None]
    return {name: shares[:, x] for x, name in enumerate(games.legend.actions)}


# ---------------------------------------------------------------- declared measures


def declared(games: Games, *, place: int, measure: GameMeasure) -> Parts:
    """Return the values of a measure that the rules declare.

    *place* is its first column in `Trace.turns`.
    """
    value = games.each_turn if measure.each_turn else games.at_end
    if not measure.each_player:
        return {"": value(place)}
    seats = enumerate(games.legend.seats, place)
    return {seat: value(column) for column, seat in seats}
