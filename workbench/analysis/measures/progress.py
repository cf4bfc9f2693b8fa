"""Measures of how games go: how long, who wins, the race, what there is to decide."""

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
"""What a measure is of, and its values game by game; of the whole game it is ``."""


def turns(games: Games) -> Parts:
    """How many turns there were."""
    return {"": games.turns}


def rounds(games: Games) -> Parts:
    """How many rounds had begun."""
    return {"": games.trace.ends[:, ROUND]}


def decisions(games: Games) -> Parts:
    """How many actions were done."""
    return {"": games.decisions}


def finished(games: Games) -> Parts:
    """Whether a game came to its end."""
    return {"": games.finished.astype("int64")}


def ties(games: Games) -> Parts:
    """Whether a game that ended has not exactly one winner."""
    return {"": (games.finished & (games.winner < 0)).astype("int64")}


def wins(games: Games) -> Parts:
    """Whether a seat has won, alone or with others."""
    won = games.won.astype("int64")
    return {seat: won[:, place] for place, seat in enumerate(games.legend.seats)}


def wins_from(games: Games) -> Parts:
    """Whether who began so many places after the first has won."""
    numpy = games.numpy
    starter = numpy.maximum(games.trace.ends[:, STARTER], 0)
    rows, won = numpy.arange(games.number), games.won.astype("int64")
    return {
        str(place + 1): won[rows, (starter + place) % games.seats]
        for place in range(games.seats)
    }


def gains(games: Games) -> Parts:
    """What each bot wins beyond its share, where several play."""
    each = [beyond_shares(ended.winners, games.bots) for ended in games.ended]
    names = each[0] if each else ()
    numbers = {name: [gained[name] for gained in each] for name in names}
    return {name: games.numpy.array(values) for name, values in numbers.items()}


def beyond_shares(winners: Sequence[int], bots: Sequence[str]) -> dict[str, float]:
    """What each of several bots has of a win beyond its share of the seats.

    A win is parted by those who have won, by their places. Where nobody has, each has
    its share.

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
    """What who began so many places after the first has in the end."""
    numpy = games.numpy
    starter = numpy.maximum(games.trace.ends[:, STARTER], 0)
    rows, last = numpy.arange(games.number), games.points[games.last_row]
    return {
        str(place + 1): last[rows, (starter + place) % games.seats]
        for place in range(games.seats)
    }


def points(games: Games) -> Parts:
    """What each seat has in the end."""
    last = games.points[games.last_row]
    return {seat: last[:, place] for place, seat in enumerate(games.legend.seats)}


# ---------------------------------------------------------------- the race


def margin(games: Games) -> Parts:
    """By how much the winner is before the second."""
    return {"": games.if_won(games.ahead[games.last_row])}


def comeback(games: Games) -> Parts:
    """How far the winner has been behind at the end of a turn."""
    numpy = games.numpy
    worst = numpy.zeros(games.number, "int64")
    numpy.maximum.at(worst, games.game_of_turn, -games.ahead)
    return {"": games.if_won(worst)}


def drama(games: Games) -> Parts:
    """How far the winner is behind, in the middle of all ends of turns."""
    behind = games.numpy.maximum(-games.ahead, 0)
    return {"": games.if_won(games.mean_of_turns(behind))}


def decisiveness(games: Games) -> Parts:
    """The share of turns left when the winner first has more than others ever have."""
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
    """How often another leads alone than who did so last."""
    numpy = games.numpy
    leads = games.leader >= 0
    leaders, whose = games.leader[leads], games.game_of_turn[leads]
    changed = (leaders[1:] != leaders[:-1]) & (whose[1:] == whose[:-1])
    return {"": numpy.bincount(whose[1:][changed], minlength=games.number)}


def known_for(games: Games) -> Parts:
    """How many turns are left when the winner is ahead for good."""
    numpy = games.numpy
    number = numpy.where(games.ahead <= 0, games.trace.turns[:, TURN_NUMBER], 0)
    last = numpy.zeros(games.number, "int64")
    numpy.maximum.at(last, games.game_of_turn, number)
    ahead = games.ahead[games.last_row] > 0
    left = numpy.where(ahead, numpy.maximum(games.turns - last - 1, 0), 0)
    return {"": games.if_won(left)}


# ---------------------------------------------------------------- deciding


def branching(games: Games) -> Parts:
    """How many actions are legal, in the middle of all decisions."""
    return {"": _per_decision(games, games.trace.events[:, LEGAL])}


def branching_at(games: Games) -> Parts:
    """How many actions are legal in the decisions by which each action was done."""
    legal = games.trace.events[games.acting, LEGAL].astype("float64")
    done = games.action_of_event[games.acting]
    total = games.table(games.game_of_action, done, len(games.legend.actions), legal)
    with games.numpy.errstate(invalid="ignore"):
        means = total / games.times
    return {name: means[:, x] for x, name in enumerate(games.legend.actions)}


def real_choices(games: Games) -> Parts:
    """The share of the decisions in which more than one action is legal."""
    return {"": _per_decision(games, games.trace.events[:, LEGAL] > 1)}


def _per_decision(games: Games, values: Any) -> Any:
    """The mean of what events have over the actions of each game."""
    some = values[games.acting].astype("float64")
    total = games.counted(games.game_of_action, some)
    with games.numpy.errstate(invalid="ignore"):
        return total / games.decisions


def idle_turns(games: Games) -> Parts:
    """The share of the turns in which no action moved anything."""
    idle = games.turns - games.busy[:, 1:].sum(axis=1)
    with games.numpy.errstate(invalid="ignore"):
        return {"": idle / games.turns}


def actions(games: Games) -> Parts:
    """How often each action was done."""
    names = enumerate(games.legend.actions)
    return {name: games.times[:, number] for number, name in names}


def shares_of_actions(games: Games) -> Parts:
    """Which share of the decisions each action has."""
    with games.numpy.errstate(invalid="ignore"):
        shares = games.times / games.decisions[:, None]
    return {name: shares[:, x] for x, name in enumerate(games.legend.actions)}


# ---------------------------------------------------------------- what rules declare


def declared(games: Games, *, place: int, measure: GameMeasure) -> Parts:
    """What a measure of the rules comes to, whose values stand from a column on."""
    value = games.each_turn if measure.each_turn else games.at_end
    if not measure.each_player:
        return {"": value(place)}
    seats = enumerate(games.legend.seats, place)
    return {seat: value(column) for column, seat in seats}
