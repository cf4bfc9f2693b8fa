"""Report of `rulebook compare`, written from a comparison."""

from collections.abc import Iterable
from shlex import quote

from workbench.analysis.comparison.comparison import Comparison
from workbench.analysis.report.comparison_page import report_page
from workbench.analysis.report.figures import (
    Html,
    figure_key,
    fill_sentence,
    join_html,
    marked_figure,
    marked_name,
    number_text,
)
from workbench.analysis.report.page import render_page
from workbench.analysis.report.report_files import ReportFiles
from workbench.analysis.report.report_tables import table_paths
from workbench.files.library.versions import version

DIGEST_LENGTH = 23
"""Number of characters to which a digest is shortened."""


def write_report(
    files: ReportFiles, comparison: Comparison, command: Iterable[str]
) -> None:
    """Write the report on a comparison; *command* is the command that repeats it."""
    terms = list(settings_terms(comparison, files))
    page = report_page(comparison, terms, [quote(word) for word in command])
    files.write(render_page(page), comparison)


def settings_terms(
    comparison: Comparison, files: ReportFiles
) -> list[tuple[str, Html]]:
    """Return the rules and settings of the games, as pairs of term and description."""
    variants, settings = comparison.variants, comparison.settings.settings
    first = variants[0]
    terms = [
        (
            side.letter,
            fill_sentence(
                "{name} · {digest}",
                name=marked_name(side.book.name),
                digest=marked_figure(
                    figure_key(side.letter, "digest"), side.book.digest[:DIGEST_LENGTH]
                ),
            ),
        )
        for side in variants
    ]
    seeds = [result.seed for result in first.results] or [0]
    unfinished = [
        fill_sentence(
            "{n} of {letter} unfinished",
            n=marked_figure(
                figure_key(side.letter, "unfinished"), str(side.unfinished_count)
            ),
            letter=side.letter,
        )
        for side in variants
        if side.unfinished_count
    ]
    count = fill_sentence(
        "{n} of each, seeds {low} to {high}",
        n=marked_figure("pairs", number_text(comparison.pairs, 0)),
        low=marked_figure("seeds/first", str(seeds[0])),
        high=marked_figure("seeds/last", str(seeds[-1])),
    )
    terms.append(("Games", join_html([count, *unfinished])))
    terms.append(
        (
            "Players",
            fill_sentence(
                "{n}; {bots}",
                n=marked_figure("players", str(len(first.bots))),
                bots=marked_name(first.bots_text),
            ),
        )
    )
    options = ", ".join(f"{name}={value}" for name, value in settings.options.items())
    terms.append(("Options", marked_name(options or "defaults of the rules")))
    terms.append(
        (
            "Engine",
            marked_name(", ".join(dict.fromkeys(x.engine for x in variants))),
        )
    )
    terms.append(("Program", marked_name(f"rulebook {version() or ''}".strip())))
    names = [path.name for path in table_paths(files.page).values()]
    terms.append(
        (
            "Figures",
            fill_sentence("computed from {files}", files=marked_name(", ".join(names))),
        )
    )
    return terms
