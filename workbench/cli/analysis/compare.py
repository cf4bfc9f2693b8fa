"""Command `rulebook compare`: differences between variants, in pairs of games."""

from argparse import Namespace

from workbench.analysis.comparison.comparison import (
    Comparison,
    VariantComparison,
    compare_variants,
)
from workbench.analysis.comparison.comparison_text import (
    comparison_document,
    name_lines,
    report_lines,
    table_rows,
)
from workbench.analysis.comparison.paired_games import GameSettings
from workbench.analysis.simulation.simulation import GameLimits
from workbench.bots.bot_lists import parse_bot_names
from workbench.cli.frame.arguments import (
    AUTO_JOBS,
    BOT_GAME_SETTINGS,
    BY_SEAT,
    GAME_LIMITS,
    JSON,
    LARGE_RUN_ENGINE,
    TIME_LIMIT,
    VARIANTS,
    bots,
    counted,
)
from workbench.cli.frame.command_line import command_words
from workbench.cli.frame.declarations import command, integer, option
from workbench.cli.frame.game_arguments import game_settings
from workbench.cli.frame.output import write_json, write_line, write_table
from workbench.cli.frame.time_up import report_time_up
from workbench.defaults import COMPARISON_GAMES, GREEDY
from workbench.errors import RequestError
from workbench.presentation.console.progress_bar import show_phase, with_progress

COUNTED_HEADING = "use of the rules, counted in replayed games"
FIRST_HEAD, LAST_HEADS = "per game", ("difference", "verdict")
ALWAYS_WRITTEN = ("games", "bots", "players", "seed")
"""Names of arguments always in a report's command line: they determine the games."""
NEVER_WRITTEN = ("engine", "jobs", "json")
"""Names of arguments never in a report's command line: they do not change games."""


@command(
    "compare",
    VARIANTS,
    integer(
        "--games N",
        "total number of games, divided among the variants, which use the same seeds",
        COMPARISON_GAMES,
    ),
    bots(GREEDY),
    LARGE_RUN_ENGINE,
    AUTO_JOBS,
    *GAME_LIMITS,
    BY_SEAT,
    counted("pairs"),
    *BOT_GAME_SETTINGS,
    option(
        "--report FILE.html",
        "also write an HTML report, with its data as .parquet files next to it",
    ),
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Compare variants in paired games between bots."""
    _check_options(arguments)
    report_file = getattr(arguments, "report", None)
    if report_file is not None:
        from workbench.analysis.report.report_files import ReportFiles

        report_files = ReportFiles.for_page(report_file)
    settings = _settings(arguments, with_points_by_round=report_file is not None)
    show_phase("preparing the games")
    comparison = compare_variants(
        arguments.variants,
        arguments.games // len(arguments.variants),
        settings,
        with_progress,
    )
    if report_file is not None:
        arguments.players = len(comparison.variants[0].bots)
        command = command_words(
            "compare", arguments, always_include=ALWAYS_WRITTEN, exclude=NEVER_WRITTEN
        )
        report_files.write(comparison, command)
    if arguments.json:
        write_json(comparison_document(comparison))
    else:
        _write_text(comparison)
    pairs, requested = comparison.pairs, comparison.requested_pairs
    report_time_up(comparison.stopped, f"{pairs:,} of {requested:,} pairs of games")
    return 0


def _settings(arguments: Namespace, *, with_points_by_round: bool) -> GameSettings:
    """Return the settings of the games, optionally with points by round."""
    return GameSettings(
        game_settings(arguments),
        parse_bot_names(arguments.bots),
        arguments.engine,
        arguments.jobs,
        GameLimits(arguments.max_turns, arguments.max_decisions),
        points_by_round=with_points_by_round,
        replayed_pairs=arguments.counted,
        by_seat=arguments.by_seat,
    )


def _write_text(comparison: Comparison) -> None:
    """Write how each variant differs from the first variant."""
    for number, compared in enumerate(comparison.differences):
        if number:
            write_line("")
        _write_comparison(compared)
        if compared.rule_part_comparison is not None:
            write_line("")
            write_line(COUNTED_HEADING)
            _write_comparison(compared.rule_part_comparison)


def _write_comparison(comparison: VariantComparison) -> None:
    """Write the sentences and the table of a comparison."""
    for line in report_lines(comparison):
        write_line(line)
    if table := list(table_rows(comparison)):
        names = (side.book.name for side in comparison.sides)
        heads = (FIRST_HEAD, *names, *LAST_HEADS)
        write_line("")
        write_table(table, headings=heads, indent=2, right_aligned=(1, 2))
    for line in name_lines(comparison):
        write_line("")
        write_line(line)


def _check_options(arguments: Namespace) -> None:
    """Raise `RequestError` for too few games, or for a variant compared with itself."""
    variants = arguments.variants
    if len(variants) < 2:
        raise RequestError("compare needs at least two variants")
    repeated = [name for index, name in enumerate(variants) if name in variants[:index]]
    if repeated:
        raise RequestError(f"{repeated[0]} is listed twice")
    minimum = 2 * len(variants)
    if arguments.games < minimum:
        raise RequestError(f"--games must be at least {minimum}, not {arguments.games}")
