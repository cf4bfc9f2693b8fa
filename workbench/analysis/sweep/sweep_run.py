"""Sweep: the points of a grid, or of a search for a goal, and their games."""

from collections.abc import Iterator, Sequence
from math import isnan, prod
from pathlib import Path

import attrs

from rulebook import Rulebook
from workbench.analysis.comparison.paired_games import GameSettings, play_variant
from workbench.analysis.comparison.variant_games import VariantGames
from workbench.analysis.simulation.bot_errors import BotErrors
from workbench.analysis.statistics.contrasts import Columns
from workbench.analysis.statistics.family import Family, paired_family
from workbench.analysis.sweep.axes import Axis, Value
from workbench.analysis.sweep.points import (
    SweepPoint,
    grid_size,
    grid_values,
    make_point,
)
from workbench.analysis.sweep.sweep_goals import (
    Goal,
    MeasureInterval,
    goal_distance,
    measure_interval,
    search_points,
)
from workbench.errors import RequestError
from workbench.files.library.atomic_files import create_text
from workbench.files.library.house_rules import needed_files


@attrs.frozen
class PlayedPoint:
    """Point with the results of its games.

    `verdicts` is the verdict on each measure's difference from the unchanged game.
    `goal_interval` is the value of the goal's measure, and `distance` its distance from
    the goal; both are None without a goal or a value. `errors` are errors of bots. A
    point that is not a valid game has no measures.
    """

    point: SweepPoint
    file: Path
    measures: dict[str, MeasureInterval]
    verdicts: dict[str, str]
    errors: BotErrors
    distance: float | None = None
    goal_interval: MeasureInterval | None = None

    def missing_measures(self, measures: Sequence[str]) -> list[str]:
        """Return the measures without a value here; none for an invalid game."""
        if self.point.book is None:
            return []
        return [name for name in measures if not has_value(self.measures.get(name))]


@attrs.frozen(eq=False)
class Sweep:
    """Sweep to be played: axes, games, measures, and the folder for house rules."""

    book: Rulebook
    variant: str
    axes: Sequence[Axis]
    settings: GameSettings
    games: int
    measures: Sequence[str]
    folder: Path
    goal: Goal | None = None

    def point_count(self, max_points: int) -> int:
        """Return the number of points to play, at most *max_points* for a goal.

        Raises `RequestError` if the grid has too many.
        """
        if self.goal is not None:
            return min(max_points, prod(len(axis.values) for axis in self.axes))
        return grid_size(self.axes)

    def played_points(self, max_points: int) -> Iterator[PlayedPoint]:
        """Play the points; yield each one once its games are finished.

        With a goal there are at most *max_points* points.
        """
        for name, text in needed_files(self.book).items():
            write_rules(self.folder / name, text)
        base = self.play_variant(self.book, self.variant)
        for measure in self.measures:
            measure_interval(base.compared_columns, measure)  # raises if unknown
        if self.goal is None:
            for values in grid_values(self.axes):
                yield self.play_point(values, base)
            return
        distances: dict[tuple[Value, ...], float] = {}
        for values in search_points(self.axes, max_points, distances.__getitem__):
            played = self.play_point(values, base)
            distances[values] = (
                float("inf") if played.distance is None else played.distance
            )
            yield played

    def play_variant(self, book: Rulebook, variant: str) -> VariantGames:
        """Play the games of a variant, with the same seeds at every point."""
        return play_variant(variant, book, self.games, self.settings)

    def play_point(self, values: Sequence[Value], base: VariantGames) -> PlayedPoint:
        """Play the games of a point and return its results."""
        point = make_point(self.book, self.axes, values)
        file = self.folder / f"{point.name}.rules"
        if point.book is None:
            return PlayedPoint(point, file, {}, {}, BotErrors({}))
        write_rules(file, point.text)
        games = base if point.is_same else self.play_variant(point.book, str(file))
        columns, errors = games.compared_columns, games.errors
        intervals = {
            name: measure_interval(columns, name)
            for name in self.measures
            if name in columns
        }
        verdicts = self.verdicts_against(base.compared_columns, columns)
        wanted = None
        if self.goal is not None and has_value(intervals.get(self.goal.measure)):
            wanted = measure_interval(columns, self.goal.measure, self.goal.kind)
        if self.goal is None or wanted is None:
            return PlayedPoint(point, file, intervals, verdicts, errors)
        distance = goal_distance(self.goal, wanted)
        return PlayedPoint(point, file, intervals, verdicts, errors, distance, wanted)

    def verdicts_against(self, base: Columns, columns: Columns) -> dict[str, str]:
        """Return the verdict on each measure's difference from the unchanged game."""
        columns_of_sides = [
            {name: side[name] for name in self.measures if name in side}
            for side in (base, columns)
        ]
        family: Family = paired_family(*columns_of_sides)
        return {judged.contrast.name: str(judged.verdict) for judged in family.measures}


def has_value(measure: MeasureInterval | None) -> bool:
    """Return whether a measure has a value."""
    return measure is not None and not isnan(measure.value)


def write_rules(file: Path, text: str) -> None:
    """Write the rules of a point to a file, which may already contain them.

    Raises `RequestError` if the file has different content.
    """
    try:
        create_text(file, text)
    except FileExistsError:
        if file.read_text(encoding="utf-8") != text:
            problem = f"{file} already exists with different content"
            raise RequestError(problem, "choose another folder") from None
