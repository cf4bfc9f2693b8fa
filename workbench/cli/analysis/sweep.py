"""Command `rulebook sweep`: measures of games while numbers in the rules vary."""

import tempfile
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from math import isnan
from pathlib import Path
from typing import Any

from workbench.analysis.comparison.paired_games import GameSettings
from workbench.analysis.measures.measure_table import ALL_MEASURES, SHARE
from workbench.analysis.report.charts import check_picture
from workbench.analysis.report.measure_words import MeasureNames
from workbench.analysis.report.sweep_chart import ChartPoint, Panel, sweep_svg
from workbench.analysis.runs.interruptions import (
    EXTERNAL_STOPS,
    RunStopped,
    SignalGuard,
    is_failure,
    stop_reason_name,
)
from workbench.analysis.simulation.processes import WorkerLost
from workbench.analysis.simulation.simulation import GameLimits
from workbench.analysis.statistics.family import Verdict
from workbench.analysis.sweep.axes import axis_title, parse_axis
from workbench.analysis.sweep.points import check_distinct, rule_value
from workbench.analysis.sweep.sweep_goals import (
    MEAN,
    Goal,
    MeasureInterval,
    import_optuna,
    parse_goal,
)
from workbench.analysis.sweep.sweep_run import PlayedPoint, Sweep
from workbench.bots.bot_lists import parse_bot_names
from workbench.budget import TimeUp
from workbench.cli.frame.arguments import (
    AUTO_JOBS,
    BOT_GAME_SETTINGS,
    JSON,
    MAX_TURNS,
    TIME_LIMIT,
    VARIANT,
    engine,
)
from workbench.cli.frame.declarations import command, integer, option, repeated
from workbench.cli.frame.error_messages import write_error
from workbench.cli.frame.game_arguments import game_settings
from workbench.cli.frame.output import write_json, write_line, write_table
from workbench.cli.frame.run_output import stop_text
from workbench.defaults import GREEDY, SWEEP_GAMES, SWEEP_POINTS
from workbench.files.library.atomic_files import replace_text
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import with_progress
from workbench.presentation.localization.localizer import Localizer

DEFAULT_MEASURES = ("turns", "margin", "comeback", "idle_turns", "wins_from.1")
"""Measures reported if `--measure` is not given."""
MARKS = {Verdict.CERTAIN: "*", Verdict.SLIGHT: "·"}
SIGNIFICANT_DIGITS = 4
WHOLE = 100


@command(
    "sweep",
    VARIANT,
    repeated(
        "--vary WHAT=VALUES",
        "number in the rules to vary, with its values: `cost NAME.KIND = 1..4`, `option"
        " NAME = 8, 10` or `action NAME#1 = 1..9 by 2`; may be repeated",
        required=True,
    ),
    option(
        "--goal MEASURE=NUMBER",
        "search for the points at which a measure has this value, such as `turns.mean ="
        " 60`",
        default_text="play every point",
    ),
    repeated(
        "--measure NAME",
        "measure to report, named as in docs/measures.md; may be repeated",
    ),
    integer("--games N", "number of games at each point", SWEEP_GAMES, minimum=1),
    integer(
        "--points N",
        "maximum number of points to play when searching for --goal",
        SWEEP_POINTS,
        minimum=1,
    ),
    option(
        "--bots NAME[,NAME...]",
        "one bot for all seats, or one for each seat",
        GREEDY,
    ),
    engine("auto uses native for large runs where possible"),
    AUTO_JOBS,
    MAX_TURNS,
    option("--keep DIR", "folder to save the rules of each point in, as a house rule"),
    option(
        "--out FILE.svg", "write a chart of each measure against the varied numbers"
    ),
    *BOT_GAME_SETTINGS,
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Vary numbers in the rules and report how measures change."""
    book = load(arguments.variant)
    axes = [parse_axis(book, text) for text in arguments.vary]
    check_distinct(axes)
    goal = None if arguments.goal is None else parse_goal(arguments.goal)
    if goal is not None:
        import_optuna()
    check_picture(arguments.out, "a sweep")
    measures = list(dict.fromkeys(arguments.measure or DEFAULT_MEASURES))
    if goal is not None and goal.measure not in measures:
        measures.insert(0, goal.measure)
    settings = GameSettings(
        game_settings(arguments),
        parse_bot_names(arguments.bots),
        arguments.engine,
        arguments.jobs,
        GameLimits(arguments.max_turns),
    )
    with ExitStack() as stack:
        folder = arguments.keep
        if folder is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
        Path(folder).mkdir(parents=True, exist_ok=True)
        sweep = Sweep(
            book,
            arguments.variant,
            axes,
            settings,
            arguments.games,
            measures,
            Path(folder),
            goal,
        )
        total = sweep.point_count(arguments.points)
        played, stopped = play_points(sweep, arguments.points, total)
        if arguments.out is not None:
            replace_text(Path(arguments.out), sweep_chart(sweep, played))
    keep_files = arguments.keep is not None
    if arguments.json:
        write_json(sweep_document(sweep, played, stopped, keep_files=keep_files))
    elif played:
        write_report(sweep, played, arguments.out, keep_files=keep_files)
    if stopped is not None:
        write_error(stop_text(stopped, f"{len(played):,} of {total:,} points"))
        if is_failure(stopped):
            return stopped.exit_code
    if goal is None:
        return 0
    return 0 if any(is_goal_reached(goal, each) for each in played) else 1


def sweep_chart(sweep: Sweep, points: Sequence[PlayedPoint]) -> str:
    """Return a chart of the measures against the first axis, as SVG."""
    first, *others = sweep.axes
    localizer = Localizer.for_book(sweep.book, "en")
    titles = [axis_title(axis, sweep.book, localizer) for axis in sweep.axes]
    order = [rule_value(value) for value in first.values]
    panels = []
    for name in sweep.measures:
        scale = WHOLE if is_share(name) else 1
        goal = sweep.goal
        goal_value = None
        if goal and (goal.measure, goal.kind) == (name, MEAN):
            goal_value = scale * goal.value
        spots = []
        for each in points:
            here = each.measures.get(name)
            if here is None or isnan(here.value):
                continue
            x, *rest = map(rule_value, each.point.values)
            names = [axis.name for axis in others]
            key, line = (
                ", ".join(map(" ".join, zip(words, rest, strict=True)))
                for words in (names, titles[1:])
            )
            key = ", ".join(filter(None, (_named(name), key)))
            low, middle, high = (
                scale * value for value in (here.low, here.value, here.high)
            )
            spots.append(
                ChartPoint(key, x, line, low, middle, high, each.point.is_same)
            )
        title, unit = MeasureNames(localizer).plain_title(name)
        panels.append(Panel(title, unit, spots, goal_value))
    return sweep_svg(panels, titles[0], order)


def _named(measure: str) -> str:
    """Return the name of a measure for the figures of a chart."""
    return f"{measure} %" if is_share(measure) else measure


def play_points(
    sweep: Sweep, max_points: int, total: int
) -> tuple[list[PlayedPoint], EXTERNAL_STOPS | WorkerLost | None]:
    """Play *total* points of a sweep; return them and the reason for an early stop."""
    played: list[PlayedPoint] = []
    try:
        with SignalGuard():
            for each in with_progress(sweep.played_points(max_points), total, "points"):
                played.append(each)  # noqa: PERF402  (points before a stop are kept)
    except (RunStopped, TimeUp, WorkerLost) as stopped:
        return played, stopped
    return played, None


def is_goal_reached(goal: Goal, point: PlayedPoint) -> bool:
    """Return whether the goal is in its measure's confidence interval at a point."""
    here = point.goal_interval
    return here is not None and here.low <= goal.value <= here.high


def sweep_document(
    sweep: Sweep,
    points: Sequence[PlayedPoint],
    stop_reason: EXTERNAL_STOPS | WorkerLost | None,
    *,
    keep_files: bool,
) -> dict[str, Any]:
    """Return the results of a sweep as plain data."""
    return {
        "variant": sweep.book.name,
        "digest": sweep.book.digest,
        "axes": [
            {
                "name": axis.name,
                "clause": axis.address,
                "now": axis.current_value,
                "values": list(axis.values),
            }
            for axis in sweep.axes
        ],
        "games": sweep.games,
        "bots": list(sweep.settings.bots),
        "seed": sweep.settings.settings.seed,
        "goal": None if sweep.goal is None else str(sweep.goal),
        "stopped": stop_reason_name(stop_reason),
        "points": [
            {
                "values": list(each.point.values),
                "name": each.point.name,
                "file": str(each.file) if keep_files and each.point.book else None,
                "same": each.point.is_same,
                "wrong": each.point.error or None,
                "off": each.distance,
                "lacks": each.missing_measures(sweep.measures),
                "bot_errors": each.errors.to_json(),
                "measures": {
                    name: {
                        **measure_document(measure),
                        "change": each.verdicts.get(name),
                    }
                    for name, measure in each.measures.items()
                },
            }
            for each in points
        ],
    }


def measure_document(measure: MeasureInterval) -> dict[str, float | None]:
    """Return a measure as plain data; all values are None if it is undefined."""
    if isnan(measure.value):
        return {"value": None, "low": None, "high": None}
    return {"value": measure.value, "low": measure.low, "high": measure.high}


def write_report(
    sweep: Sweep, points: Sequence[PlayedPoint], out: str | None, *, keep_files: bool
) -> None:
    """Write a row for each point; if there is a goal, the nearest point first."""
    bots = ", ".join(sweep.settings.bots)
    games = f"{sweep.games:,} games of {bots} at each point, with the same seeds"
    write_line(f"{sweep.book.name}, {games}")
    ordered = list(points)
    if sweep.goal is not None:
        write_line(f"sought: {sweep.goal}")
        ordered.sort(
            key=lambda each: float("inf") if each.distance is None else each.distance
        )
    measures = [f"{name} %" if is_share(name) else name for name in sweep.measures]
    heads = (*(axis.name for axis in sweep.axes), *measures, "")
    rows = [
        (*map(rule_value, each.point.values), *measure_cells(sweep, each))
        for each in ordered
    ]
    number = len(sweep.axes) + len(sweep.measures)
    write_table(rows, headings=heads, indent=2, right_aligned=list(range(number)))
    write_line(
        "± is the 95 % interval of each mean; * marks a certain difference from"
        " the unchanged"
    )
    write_line(
        "game, · a certain but small difference (all measures of a point taken"
        " together)"
    )
    for each in ordered:
        for line in each.errors.lines:
            write_line(f"{each.point.name}: {line}")
    if sweep.goal is not None and ordered:
        write_line(goal_conclusion(sweep.goal, ordered[0]))
    if out is not None:
        write_line(f"{out}: the picture")
    if keep_files:
        write_line(f"the rules of each point were saved in {sweep.folder}")


def measure_cells(sweep: Sweep, point: PlayedPoint) -> Iterator[str]:
    """Yield the table cells of a point: its measures, and a note."""
    for name in sweep.measures:
        measure = point.measures.get(name)
        if measure is None or isnan(measure.value):
            yield "-"
            continue
        mark = MARKS.get(Verdict(point.verdicts.get(name, Verdict.SAME)), " ")
        scale = WHOLE if is_share(name) else 1
        half_width = scale * (measure.high - measure.low) / 2
        yield f"{scale * measure.value:.{SIGNIFICANT_DIGITS}g} ± {half_width:.2g}{mark}"
    notes = [point.point.error, "unchanged" if point.point.is_same else ""]
    if sweep.goal is not None and sweep.goal.measure in point.missing_measures(
        sweep.measures
    ):
        notes.append(f"{sweep.goal.measure} unknown")
    yield ", ".join(filter(None, notes))


def is_share(name: str) -> bool:
    """Return whether a measure is a share, shown as a percentage."""
    base_name = name.partition(".")[0]
    return any(
        measure.name == base_name and measure.unit == SHARE for measure in ALL_MEASURES
    )


def goal_conclusion(goal: Goal, nearest: PlayedPoint) -> str:
    """Return a sentence on the nearest point and whether it reaches the goal."""
    here = nearest.goal_interval
    if here is None:
        return f"{goal.measure} is unknown at all points"
    bounds = f"{here.low:.{SIGNIFICANT_DIGITS}g} to {here.high:.{SIGNIFICANT_DIGITS}g}"
    if is_goal_reached(goal, nearest):
        return f"nearest: {nearest.point.name} ({bounds}), which contains the goal"
    return f"nearest: {nearest.point.name} ({bounds}); no setting reaches the goal"
