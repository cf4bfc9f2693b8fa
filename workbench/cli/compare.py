"""Command `rulebook compare`: differences between variants, in pairs of games."""

from argparse import Namespace
from collections.abc import Sequence

from workbench.analysis.comparison import text_report
from workbench.analysis.comparison.games import GameSettings, Pairs, VariantGames
from workbench.analysis.comparison.text_report import VariantComparison
from workbench.analysis.simulation.simulation import GameLimits
from workbench.analysis.statistics.family import pairs
from workbench.bots.lists import bot_names
from workbench.budget import TIME, Timed
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
from workbench.defaults import COMPARED, GREEDY
from workbench.errors import Refused
from workbench.presentation.console.progress import phase, progress

COUNTED_HEADING = "use of the rules, counted in replayed games"
FIRST_HEAD, LAST_HEADS = "per game", ("difference", "verdict")
ALWAYS_WRITTEN = ("games", "bots", "players", "seed")
"""Arguments that the command in a report always includes: they determine the games."""
NEVER_WRITTEN = ("engine", "jobs", "json")
"""Arguments that the command in a report omits: they depend on machine and reader."""


@command(
    "compare",
    VARIANTS,
    integer(
        "--games N",
        "total number of games, divided among the variants, which use the same seeds",
        COMPARED,
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
    """Compare variants in paired games of bots."""
    _check(arguments)
    page = getattr(arguments, "report", None)
    if page is not None:
        from workbench.analysis.report import comparison_report

        files = comparison_report.see(page)
    settings = _settings(arguments, race=page is not None)
    number = arguments.games // len(arguments.variants)
    phase("preparing the games")
    games = Pairs.of(arguments.variants, number, settings)
    with Timed() as timed:
        games.play(progress)
    played = games.played
    pairs_played = len(played[0].results)
    if timed.stopped is not None and pairs_played < 2:
        raise timed.stopped
    comparisons = [_comparison(played[0], other, arguments) for other in played[1:]]
    if page is not None:
        arguments.players = len(played[0].bots)
        comparison_report.write(
            *(files, arguments.variants, played),
            [comparison.family for comparison in comparisons],
            settings.settings,
            command_words(
                "compare", arguments, always=ALWAYS_WRITTEN, without=NEVER_WRITTEN
            ),
        )
    if arguments.json:
        stopped = None if timed.stopped is None else TIME
        seeds = (arguments.seed, settings.settings.bot_seed)
        document = text_report.document(played, comparisons, *seeds)
        write_json({**document, "stopped": stopped})
    else:
        _write_report(comparisons)
    report_time_up(timed.stopped, f"{pairs_played:,} of {number:,} pairs of games")
    return 0


def _settings(arguments: Namespace, *, race: bool) -> GameSettings:
    """Return the settings of the games; `race` adds the race of each game."""
    return GameSettings(
        game_settings(arguments),
        bot_names(arguments.bots),
        arguments.engine,
        arguments.jobs,
        GameLimits(arguments.max_turns, arguments.max_decisions),
        race=race,
        counted=arguments.counted,
        by_seat=arguments.by_seat,
    )


def _comparison(
    first: VariantGames, other: VariantGames, arguments: Namespace
) -> VariantComparison:
    """Return the comparison of a variant with the first one."""
    counted = None
    if arguments.counted:
        family = pairs(first.counts, other.counts)
        counted = VariantComparison(first.again, other.again, family)
    return VariantComparison(first, other, pairs(first.columns, other.columns), counted)


def _write_report(comparisons: Sequence[VariantComparison]) -> None:
    """Write how each variant differs from the first one."""
    for number, comparison in enumerate(comparisons):
        if number:
            write_line("")
        _write_comparison(comparison)
        if comparison.counted is not None:
            write_line("")
            write_line(COUNTED_HEADING)
            _write_comparison(comparison.counted)


def _write_comparison(comparison: VariantComparison) -> None:
    """Write the sentences and the table of a comparison."""
    for line in text_report.lines(comparison):
        write_line(line)
    if table := list(text_report.rows(comparison)):
        names = (comparison.first.book.name, comparison.second.book.name)
        heads = (FIRST_HEAD, *names, *LAST_HEADS)
        write_line("")
        write_table(table, heads=heads, indent=2, right=(1, 2))
    for line in text_report.folded(comparison):
        write_line("")
        write_line(line)


def _check(arguments: Namespace) -> None:
    """Raise `Refused` for too few games, or for a variant compared with itself."""
    variants = arguments.variants
    if len(variants) < 2:
        raise Refused("compare needs at least two variants")
    twice = [name for place, name in enumerate(variants) if name in variants[:place]]
    if twice:
        raise Refused(f"{twice[0]} is listed twice")
    least = 2 * len(variants)
    if arguments.games < least:
        raise Refused(f"--games must be at least {least}, not {arguments.games}")
