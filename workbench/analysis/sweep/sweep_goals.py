"""Goals of a sweep: target values of a measure, and the search for points near them."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import inf, prod
from typing import Any

import attrs
import numpy as np

from rulebook import printable_line
from rulebook.tooling import nearest
from workbench.analysis.statistics.contrasts import Columns, as_numbers
from workbench.analysis.statistics.quantiles import normal_quantile
from workbench.analysis.sweep.axes import Axis, Value
from workbench.errors import RequestError
from workbench.extras import Extra, import_library

GOAL_PATTERN = re.compile(r"\s*([\w.]+)\s*=\s*(-?\d+(?:\.\d+)?)\s*")
MEAN, MEDIAN = "mean", "median"
CONFIDENCE = 0.95
SEARCH_SEED = 1
"""Random seed of the search, so that equal games lead to equal points."""
RANDOM_POINT_DIVISOR = 3
"""Ratio of the maximum number of points to those that are first drawn at random."""
MAX_REPEATED_POINTS = 50
"""Number of known points proposed in a row after which the search stops."""
INVALID_POINT_DISTANCE = 1e12
"""Distance assigned to a point that is not a valid game or has no value."""
SYNTAX_HELP = "write it as `turns.mean = 60`"
Values = tuple[Value, ...]


@attrs.frozen
class Goal:
    """Target value of a measure; `kind` is its statistic, mean or median."""

    measure: str
    kind: str
    value: float

    def __str__(self) -> str:
        return f"{self.measure}.{self.kind} = {self.value:g}"


@attrs.frozen
class MeasureInterval:
    """Value of a measure over the games of a point, with its 95 % interval."""

    value: float
    low: float
    high: float


def parse_goal(text: str) -> Goal:
    """Return the goal that a text describes. Raises `RequestError` if it is invalid."""
    parts = GOAL_PATTERN.fullmatch(text)
    if parts is None:
        raise RequestError(f"`{printable_line(text)}` is not a valid goal", SYNTAX_HELP)
    name, value = parts[1], float(parts[2])
    measure, _, kind = name.rpartition(".")
    if measure and kind in {MEAN, MEDIAN}:
        return Goal(measure, kind, value)
    return Goal(name, MEAN, value)


def measure_interval(
    columns: Columns, measure: str, statistic: str = MEAN
) -> MeasureInterval:
    """Return the mean or median of a measure over the games, with its interval.

    The interval of a mean uses its standard error, that of a median its ranks. The
    value is NaN if no game has one. Raises `RequestError` if the measure is unknown.
    """
    if measure not in columns:
        near = nearest(measure, list(columns))
        help = f"did you mean `{near}`?" if near else "see docs/measures.md"
        raise RequestError(
            f"there is no measure `{printable_line(measure)}` for these games", help
        )
    column = as_numbers(columns[measure])
    values = column[~np.isnan(column)]
    if not values.size:
        return MeasureInterval(float("nan"), -inf, inf)
    factor = normal_quantile((1 + CONFIDENCE) / 2)
    if statistic == MEDIAN:
        half_width = factor * np.sqrt(values.size) / 2
        ordered = np.sort(values)
        ranks = (values.size / 2 - half_width, values.size / 2 + half_width)
        low, high = (int(np.clip(rank, 0, values.size - 1)) for rank in ranks)
        return MeasureInterval(
            float(np.median(values)), float(ordered[low]), float(ordered[high])
        )
    error = (
        float(np.std(values, ddof=1) / np.sqrt(values.size)) if values.size > 1 else 0
    )
    mean = float(np.mean(values))
    return MeasureInterval(mean, mean - factor * error, mean + factor * error)


def goal_distance(goal: Goal, interval: MeasureInterval) -> float:
    """Return the absolute difference between a measure's value and its goal."""
    return abs(interval.value - goal.value)


def import_optuna() -> Any:
    """Import and return Optuna; raise `RequestError` if it is not installed."""
    return import_library("optuna", Extra.DESK, "a goal")


def search_points(
    axes: Sequence[Axis], max_points: int, distance_of: Callable[[Values], float]
) -> Iterator[Values]:
    """Yield at most *max_points* different points in search of a goal.

    *distance_of* returns the distance of a point from the goal once it has been played.
    Optuna's tree-structured Parzen estimator chooses each point from the results of
    earlier ones.
    """
    optuna = import_optuna()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    first = max(1, max_points // RANDOM_POINT_DIVISOR)
    sampler = optuna.samplers.TPESampler(seed=SEARCH_SEED, n_startup_trials=first)
    study = optuna.create_study(sampler=sampler, direction="minimize")
    known: dict[Values, float] = {}
    point_count = prod(len(axis.values) for axis in axes)
    repeats = 0
    while len(known) < min(max_points, point_count) and repeats < MAX_REPEATED_POINTS:
        trial = study.ask()
        values = tuple(
            axis.values[trial.suggest_int(axis.name, 0, len(axis.values) - 1)]
            for axis in axes
        )
        repeats = repeats + 1 if values in known else 0
        if values not in known:
            yield values
            known[values] = distance_of(values)
        study.tell(trial, min(known[values], INVALID_POINT_DISTANCE))
