"""Report of `rulebook compare`.

Call `see` before the games are played and `write` afterwards.
"""

from collections.abc import Iterable, Sequence
from shlex import quote

from workbench.analysis.comparison.games import VariantGames, bots_said
from workbench.analysis.report.comparison_page import ComparedVariants, report
from workbench.analysis.report.figures import (
    Html,
    figure,
    fill_sentence,
    key,
    listed,
    named,
    number_text,
)
from workbench.analysis.report.files import ReportFiles
from workbench.analysis.report.income import BoardIncome
from workbench.analysis.report.page import page
from workbench.analysis.report.tables import beside
from workbench.analysis.report.variants import ReportVariant, sides
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.statistics.family import Family
from workbench.files.library.versions import version

DIGEST = 23
"""Number of characters to which a digest is shortened."""


def see(name: str) -> ReportFiles:
    """Return the files of a report after checking that they can be written.

    Raise `Refused` or `OSError` if they cannot.
    """
    return ReportFiles.seen(name)


def write(
    files: ReportFiles,
    variants: Sequence[str],
    played: Sequence[VariantGames],
    families: Sequence[Family],
    settings: Settings,
    command: Iterable[str],
) -> None:
    """Write the report on variants, each compared with the first one."""
    grounds = [BoardIncome.of(each.book, settings) for each in played]
    listed_sides = sides(variants, played, grounds)
    compared = ComparedVariants(
        listed_sides,
        families,
        len(played[0].bots),
        list(terms(listed_sides, settings, files)),
        [quote(word) for word in command],
    )
    about = {
        "players": len(played[0].bots),
        "seed": settings.seed,
        "bot_seed": settings.bot_seed,
        "options": dict(settings.options),
        "program": version(),
    }
    files.write(page(report(compared)), listed_sides, about)


def terms(
    every: Sequence[ReportVariant], settings: Settings, files: ReportFiles
) -> list[tuple[str, Html]]:
    """Return the rules and settings of the games, as pairs of term and description."""
    first = every[0]
    told = [
        (
            side.letter,
            fill_sentence(
                "{name} · {digest}",
                name=named(side.book.name),
                digest=figure(key(side.letter, "digest"), side.book.digest[:DIGEST]),
            ),
        )
        for side in every
    ]
    seeds = [int(seed) for seed in first.seeds[[0, -1]]] if first.games else [0, 0]
    low, high = (
        figure(f"seeds/{what}", str(seed))
        for what, seed in zip(("first", "last"), seeds, strict=True)
    )
    unfinished = [
        fill_sentence(
            "{n} of {letter} unfinished",
            n=figure(key(side.letter, "unfinished"), str(side.played.unfinished)),
            letter=side.letter,
        )
        for side in every
        if side.played.unfinished
    ]
    count = fill_sentence(
        "{n} of each, seeds {low} to {high}",
        n=figure("pairs", number_text(first.games, 0)),
        low=low,
        high=high,
    )
    told.append(("Games", listed([count, *unfinished])))
    told.append(
        (
            "Players",
            fill_sentence(
                "{n}; {bots}",
                n=figure("players", str(len(first.played.bots))),
                bots=named(bots_said(first.played.bots)),
            ),
        )
    )
    options = ", ".join(f"{name}={value}" for name, value in settings.options.items())
    told.append(("Options", named(options or "defaults of the rules")))
    told.append(
        ("Engine", named(", ".join(dict.fromkeys(x.played.engine for x in every))))
    )
    told.append(("Program", named(f"rulebook {version() or ''}".strip())))
    names = [path.name for path in beside(files.page).values()]
    told.append(
        (
            "Figures",
            fill_sentence("computed from {files}", files=named(", ".join(names))),
        )
    )
    return told
