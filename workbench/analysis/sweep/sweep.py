"""Sweep: the points of a grid, or of a search for a goal, and their games."""

from collections.abc import Iterator, Sequence
from math import isnan, prod
from pathlib import Path

import attrs

from rulebook import Rulebook
from workbench.analysis.comparison.games import GameSettings, VariantGames, of_variant
from workbench.analysis.simulation.bot_errors import BotErrors
from workbench.analysis.statistics.contrasts import Columns
from workbench.analysis.statistics.family import Family, pairs
from workbench.analysis.sweep.axes import Axis, Value
from workbench.analysis.sweep.goals import Goal, MeasureInterval, off, seen, sought
from workbench.analysis.sweep.points import Point, grid, point, size
from workbench.errors import Refused
from workbench.files.library.files import create_text
from workbench.files.library.house_rules import files_of


@attrs.frozen
class PlayedPoint:
    """Point with the results of its games.

    `changed` is the verdict on each measure's difference from the unchanged game.
    `wanted` is the value of the goal's measure, and `off` its distance from the goal;
    both are None without a goal or a value. `errors` are errors of bots. A point that
    is not a valid game has no measures.
    """

    point: Point
    file: Path
    measures: dict[str, MeasureInterval]
    changed: dict[str, str]
    errors: BotErrors
    off: float | None = None
    wanted: MeasureInterval | None = None

    def lacks(self, measures: Sequence[str]) -> list[str]:
        """Return the measures without a value here; none for an invalid game."""
        if self.point.book is None:
            return []
        return [name for name in measures if not is_said(self.measures.get(name))]


@attrs.frozen(eq=False)
class Sweep:
    """Sweep to be played: axes, games, measures, and the folder for house rules."""

    book: Rulebook
    variant: str
    axes: Sequence[Axis]
    asked: GameSettings
    games: int
    measures: Sequence[str]
    folder: Path
    goal: Goal | None = None

    def number(self, most: int) -> int:
        """Return the number of points to play, at most *most* for a goal.

        Raises `Refused` if the grid has too many.
        """
        if self.goal is not None:
            return min(most, prod(len(axis.values) for axis in self.axes))
        return size(self.axes)

    def points(self, most: int) -> Iterator[PlayedPoint]:
        """Yield each point once its games are played.

        With a goal there are at most *most* points.
        """
        for name, text in files_of(self.book).items():
            keep(self.folder / name, text)
        base = self.played(self.book, self.variant)
        for measure in self.measures:
            seen(base.columns, measure)  # raises if unknown
        if self.goal is None:
            for values in grid(self.axes):
                yield self.reached(values, base)
            return
        far: dict[tuple[Value, ...], float] = {}
        for values in sought(self.axes, most, far.__getitem__):
            reached = self.reached(values, base)
            far[values] = float("inf") if reached.off is None else reached.off
            yield reached

    def played(self, book: Rulebook, variant: str) -> VariantGames:
        """Play the games of a variant; the seeds are the same at each point."""
        return of_variant(variant, book, self.games, self.asked)

    def reached(self, values: Sequence[Value], base: VariantGames) -> PlayedPoint:
        """Play the games of a point and return its results."""
        here = point(self.book, self.axes, values)
        file = self.folder / f"{here.name}.rules"
        if here.book is None:
            return PlayedPoint(here, file, {}, {}, BotErrors({}))
        keep(file, here.text)
        games = base if here.is_same else self.played(here.book, str(file))
        columns, errors = games.columns, games.errors
        some = {name: seen(columns, name) for name in self.measures if name in columns}
        changed = self.changed(base.columns, columns)
        wanted = None
        if self.goal is not None and is_said(some.get(self.goal.measure)):
            wanted = seen(columns, self.goal.measure, self.goal.kind)
        if self.goal is None or wanted is None:
            return PlayedPoint(here, file, some, changed, errors)
        distance = off(self.goal, wanted)
        return PlayedPoint(here, file, some, changed, errors, distance, wanted)

    def changed(self, base: Columns, columns: Columns) -> dict[str, str]:
        """Return the verdict on each measure's difference from the unchanged game."""
        both = [
            {name: side[name] for name in self.measures if name in side}
            for side in (base, columns)
        ]
        family: Family = pairs(*both)
        return {judged.contrast.name: str(judged.verdict) for judged in family.measures}


def is_said(seen: MeasureInterval | None) -> bool:
    """Return whether a measure has a value."""
    return seen is not None and not isnan(seen.value)


def keep(file: Path, text: str) -> None:
    """Write the rules of a point to a file, which may already contain them.

    Raises `Refused` if the file has different content.
    """
    try:
        create_text(file, text)
    except FileExistsError:
        if file.read_text(encoding="utf-8") != text:
            said = f"{file} already exists with different content"
            raise Refused(said, "choose another folder") from None
