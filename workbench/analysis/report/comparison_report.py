"""The report of `compare`, made and written: `see` before the games, `write` after."""

from collections.abc import Iterable, Sequence
from shlex import quote

from workbench.analysis.comparison.games import Played, bots_said
from workbench.analysis.report.comparison_page import Compared, report
from workbench.analysis.report.figures import (
    Html,
    figure,
    key,
    listed,
    named,
    said,
    shown,
)
from workbench.analysis.report.files import Files
from workbench.analysis.report.income import Ground
from workbench.analysis.report.page import page
from workbench.analysis.report.tables import beside
from workbench.analysis.report.variants import Side, sides
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.statistics.family import Family
from workbench.files.library.versions import version

DIGEST = 23
"""So many characters of a digest are shown."""


def see(name: str) -> Files:
    """The files of a report; refused where they could not be written."""
    return Files.seen(name)


def write(
    files: Files,
    variants: Sequence[str],
    played: Sequence[Played],
    families: Sequence[Family],
    settings: Settings,
    command: Iterable[str],
) -> None:
    """Write the report of variants, each of which was set against the first."""
    grounds = [Ground.of(each.book, settings) for each in played]
    listed_sides = sides(variants, played, grounds)
    compared = Compared(
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
    every: Sequence[Side], settings: Settings, files: Files
) -> list[tuple[str, Html]]:
    """What was played, and by which rules."""
    first = every[0]
    told = [
        (
            side.letter,
            said(
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
        said(
            "{n} of {letter} not finished",
            n=figure(key(side.letter, "unfinished"), str(side.played.unfinished)),
            letter=side.letter,
        )
        for side in every
        if side.played.unfinished
    ]
    count = said(
        "{n} of each, seeds {low} to {high}",
        n=figure("pairs", shown(first.games, 0)),
        low=low,
        high=high,
    )
    told.append(("Games", listed([count, *unfinished])))
    told.append(
        (
            "Players",
            said(
                "{n}; {bots}",
                n=figure("players", str(len(first.played.bots))),
                bots=named(bots_said(first.played.bots)),
            ),
        )
    )
    options = ", ".join(f"{name}={value}" for name, value in settings.options.items())
    told.append(("Options", named(options or "as the rules have them")))
    told.append(
        ("Engine", named(", ".join(dict.fromkeys(x.played.engine for x in every))))
    )
    told.append(("Program", named(f"rulebook {version() or ''}".strip())))
    names = [path.name for path in beside(files.page).values()]
    told.append(("Figures", said("all are in {files}", files=named(", ".join(names)))))
    return told
