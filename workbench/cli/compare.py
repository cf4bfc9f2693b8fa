"""Command `rulebook compare`: differences between variants, in pairs of games."""

import os
from argparse import Namespace
from collections.abc import Iterable, Sequence

from workbench.bots.lists import bot_names
from workbench.budget import TIME, Timed
from workbench.cli.frame.command_line import command_words
from workbench.cli.frame.games import game_settings
from workbench.cli.frame.output import write_json, write_line, write_table
from workbench.cli.frame.time_up import report_time_up
from workbench.errors import Refused
from workbench.presentation.console.progress import phase, progress

AGAIN = "use of the rules, counted in replayed games"
HEAD, LAST = "per game", ("difference", "verdict")
SAID = ("games", "bots", "players", "seed")
"""Settings that the command in a report always includes: they determine the games."""
HERE = ("engine", "jobs", "json")
"""Settings that the command in a report omits: they depend on machine and reader."""


def run(arguments: Namespace) -> int:
    """Run `rulebook compare` and return the exit code."""
    _check(arguments)
    from workbench.analysis.comparison import text_report
    from workbench.analysis.comparison.games import GameSettings, Pairs
    from workbench.analysis.simulation.simulation import GameLimits
    from workbench.analysis.statistics.family import pairs

    chosen = game_settings(arguments)
    files = None
    if (page := getattr(arguments, "report", None)) is not None:
        from workbench.analysis.report import comparison_report as reporting

        files = reporting.see(page)
    asked = GameSettings(
        chosen,
        bot_names(arguments.bots),
        arguments.engine,
        arguments.jobs,
        GameLimits(arguments.max_turns, arguments.max_decisions),
        race=files is not None,
        counted=arguments.counted,
        by_seat=arguments.by_seat,
    )
    number = arguments.games // len(arguments.variants)
    phase("preparing the games")
    games = Pairs.of(arguments.variants, number, asked)
    with Timed() as timed:
        games.play(progress)
    sides = games.played
    pairs_played = len(sides[0].results)
    if timed.stopped is not None and pairs_played < 2:
        raise timed.stopped
    first, *others = sides
    every = [
        text_report.VariantComparison(
            *(first, other, pairs(first.columns, other.columns)),
            text_report.VariantComparison(
                *(first.again, other.again, pairs(first.counts, other.counts))
            )
            if arguments.counted
            else None,
        )
        for other in others
    ]
    if files is not None:
        families = [compared.family for compared in every]
        arguments.players = len(first.bots)
        again = command_words("compare", arguments, always=SAID, without=HERE)
        reporting.write(files, arguments.variants, sides, families, chosen, again)
    done = f"{pairs_played:,} of {number:,} pairs of games"
    if arguments.json:
        stopped = None if timed.stopped is None else TIME
        document = text_report.document(sides, every, arguments.seed, chosen.bot_seed)
        write_json({**document, "stopped": stopped})
        report_time_up(timed.stopped, done)
        return 0
    for place, compared in enumerate(every):
        heads = (HEAD, compared.first.book.name, compared.second.book.name, *LAST)
        if place:
            write_line("")
        _show(
            text_report.lines(compared),
            text_report.rows(compared),
            heads,
            text_report.folded(compared),
        )
        if (counted := compared.counted) is not None:
            write_line("")
            write_line(AGAIN)
            _show(
                text_report.lines(counted),
                text_report.rows(counted),
                heads,
                text_report.folded(counted),
            )
    report_time_up(timed.stopped, done)
    return 0


def _show(
    lines: Iterable[str],
    rows: Iterable[Sequence[str]],
    heads: Sequence[str],
    folded: Iterable[str],
) -> None:
    """Write how a variant differs from the first one."""
    for line in lines:
        write_line(line)
    if table := list(rows):
        write_line("")
        write_table(table, heads=heads, indent=2, right=(1, 2))
    for line in folded:
        write_line("")
        write_line(line)


def _check(arguments: Namespace) -> None:
    """Raise `Refused` for invalid numbers or a comparison of a variant with itself."""
    variants = arguments.variants
    if len(variants) < 2:
        raise Refused("compare needs at least two variants")
    twice = [name for place, name in enumerate(variants) if name in variants[:place]]
    if twice:
        raise Refused(f"{twice[0]} is listed twice")
    least = {"jobs": 1, "max_turns": 1, "max_decisions": 1, "counted": 0}
    for name, low in {"games": 2 * len(variants), **least}.items():
        value = getattr(arguments, name)
        if value is not None and value < low:
            raise Refused(
                f"--{name.replace('_', '-')} must be at least {low}, not {value}"
            )
    if (arguments.jobs or 1) > (os.cpu_count() or 1) * 4:
        raise Refused(
            f"--jobs {arguments.jobs} is too many for this machine: the limit is 4"
            " per core"
        )
