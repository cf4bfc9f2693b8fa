"""Goals: which value of a measure is wanted, and how points that have it are found."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import inf, prod
from typing import Any

import attrs
import numpy as np

from rulebook import visible
from rulebook.tooling import nearest
from workbench.analysis.statistics.contrasts import Columns, as_numbers
from workbench.analysis.statistics.quantiles import normal
from workbench.analysis.sweep.axes import Axis, Value
from workbench.errors import Refused
from workbench.extras import Extra, library

WRITTEN = re.compile(r"\s*([\w.]+)\s*=\s*(-?\d+(?:\.\d+)?)\s*")
MEAN, MEDIAN = "mean", "median"
SURE = 0.95
SEED = 1
"""Of the search: the same games lead to the same points."""
FIRST = 3
"""One in so many points is looked for anywhere, before the search learns."""
PATIENCE = 50
"""So often a point may be asked for again before the search is over."""
FAR = 1e12
"""What stands for a point that is no game, or cannot say."""
HOW = "write it as `turns.mean = 60`"
Values = tuple[Value, ...]


@attrs.frozen
class Goal:
    """A measure, whether its mean or its median is meant, and what it should be."""

    measure: str
    kind: str
    value: float

    def __str__(self) -> str:
        return f"{self.measure}.{self.kind} = {self.value:g}"


@attrs.frozen
class MeasureInterval:
    """What a measure is at a point: between what the truth lies with 95 %."""

    value: float
    low: float
    high: float


def goal(text: str) -> Goal:
    """The goal that is written so. Raises `Refused` for what is none."""
    parts = WRITTEN.fullmatch(text)
    if parts is None:
        raise Refused(f"`{visible(text)}` is not a valid goal", HOW)
    name, value = parts[1], float(parts[2])
    measure, _, kind = name.rpartition(".")
    if measure and kind in {MEAN, MEDIAN}:
        return Goal(measure, kind, value)
    return Goal(name, MEAN, value)


def seen(columns: Columns, measure: str, kind: str = MEAN) -> MeasureInterval:
    """What a measure is in some games.

    The interval of a mean is that of its standard error, of a median that of its
    ranks. Raises `Refused` for a measure that there is not, or that no game can say.
    """
    if measure not in columns:
        near = nearest(measure, list(columns))
        help = f"did you mean `{near}`?" if near else "see docs/measures.md"
        raise Refused(f"there is no measure `{visible(measure)}` for these games", help)
    every = as_numbers(columns[measure])
    values = every[~np.isnan(every)]
    if not values.size:
        return MeasureInterval(float("nan"), -inf, inf)
    factor = normal((1 + SURE) / 2)
    if kind == MEDIAN:
        half = factor * np.sqrt(values.size) / 2
        ordered = np.sort(values)
        ranks = (values.size / 2 - half, values.size / 2 + half)
        low, high = (int(np.clip(rank, 0, values.size - 1)) for rank in ranks)
        return MeasureInterval(
            float(np.median(values)), float(ordered[low]), float(ordered[high])
        )
    error = (
        float(np.std(values, ddof=1) / np.sqrt(values.size)) if values.size > 1 else 0
    )
    mean = float(np.mean(values))
    return MeasureInterval(mean, mean - factor * error, mean + factor * error)


def off(wanted: Goal, here: MeasureInterval) -> float:
    """How far a measure that games say is from a goal."""
    return abs(here.value - wanted.value)


def searching() -> Any:
    """What looks for goals; refused where it is not installed."""
    return library("optuna", Extra.DESK, "a goal")


def sought(
    axes: Sequence[Axis], points: int, far: Callable[[Values], float]
) -> Iterator[Values]:
    """The points at which a goal is looked for, one after another: at most so many.

    Each is chosen by how `far` those before it were, by Optuna's tree of Parzen
    estimators, over the places of the values on each axis. None comes twice.
    """
    optuna = searching()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    first = max(1, points // FIRST)
    sampler = optuna.samplers.TPESampler(seed=SEED, n_startup_trials=first)
    study = optuna.create_study(sampler=sampler, direction="minimize")
    known: dict[Values, float] = {}
    every = prod(len(axis.values) for axis in axes)
    again = 0
    while len(known) < min(points, every) and again < PATIENCE:
        trial = study.ask()
        values = tuple(
            axis.values[trial.suggest_int(axis.name, 0, len(axis.values) - 1)]
            for axis in axes
        )
        again = again + 1 if values in known else 0
        if values not in known:
            yield values
            known[values] = far(values)
        study.tell(trial, min(known[values], FAR))
