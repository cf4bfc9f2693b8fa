"""Page of a comparison report: how variants differ, and with what certainty.

All figures are computed from columns in the tables next to the page; see
`report_tables`.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from shlex import quote

import attrs

from workbench.analysis.comparison.comparison import Comparison, VariantComparison
from workbench.analysis.impact.rule_changes import RuleChanges
from workbench.analysis.report.figures import (
    Html,
    figure_key,
    fill_sentence,
    join_html,
    marked_figure,
    marked_name,
    number_text,
    signed_text,
)
from workbench.analysis.report.measure_words import (
    WORDS,
    MeasureNames,
    capitalized,
    group_heading,
    is_part,
    sort_key,
)
from workbench.analysis.report.page import (
    Answer,
    MeasureLine,
    ReportPage,
    Section,
    VariantSection,
)
from workbench.analysis.report.questions import question_sections
from workbench.analysis.statistics.contrasts import MIN_DIFFERENT_PAIRS, Contrast
from workbench.analysis.statistics.family import (
    CONFIDENCE,
    AdjustedMeasure,
    Correction,
    Family,
    Verdict,
)
from workbench.analysis.statistics.quantiles import normal_quantile
from workbench.analysis.statistics.sentences import (
    HUNDRED,
    decimal_places,
    difference_text,
    first_measures,
    phrases_for,
    verdict_heading,
)
from workbench.files.library.versions import version

DIGEST_LENGTH = 23
"""Number of characters to which a digest is shortened."""
MAX_ANSWERS = 12
"""Maximum number of findings that get a sentence, largest differences first."""
MAX_CHANGES = 6
"""Maximum number of changed clauses shown."""
LARGE_DEVIATIONS, CLEAR_DEVIATIONS = 0.8, 0.5
CORRECTION_NAMES = {
    Correction.LARGEST: "the largest-deviation bootstrap",
    Correction.BONFERRONI: "Bonferroni with Student's t, for few pairs",
}
LIMITATIONS = (
    "Whether it is more fun, or whether the game feels longer. Turns are not minutes.",
    "What people will do. Bots do not plan, bluff, or learn the new rule.",
    "Other numbers of players, other options, or this change together with another.",
    (
        f"Rare events: measures that differ in fewer than {MIN_DIFFERENT_PAIRS} pairs"
        " are not judged."
    ),
)


def report_page(
    comparison: Comparison, command: Sequence[str], tables: Sequence[str]
) -> ReportPage:
    """Return the contents of the page.

    *command* repeats the comparison. *tables* are the names of the files from which the
    figures are computed.
    """
    first, *others = comparison.variants
    several = len(others) > 1
    title = f"What changes from {first.title} to {others[0].title}?"
    if several:
        title = f"What does each change in {first.title}?"
    elif others[0].variant.startswith(f"{first.variant}+"):
        title = f"What changes with {others[0].title}?"
    return ReportPage(
        title=marked_name(title),
        kind=fill_sentence(
            "Report of a comparison · {of}, {n} players",
            of=marked_name(first.localizer.heading),
            n=marked_figure("players", str(len(first.bots))),
        ),
        lede=introduction(comparison),
        parts=[
            VariantPage(x).section(has_heading=several) for x in comparison.differences
        ],
        sections=[
            Section("What these games cannot tell", points=LIMITATIONS),
            Section(
                "What was played, and how to repeat it",
                terms=list(settings_terms(comparison, tables)),
                command=[quote(word) for word in command],
            ),
        ],
    )


def introduction(comparison: Comparison) -> Html:
    """Return the introductory sentence, about how the games were played."""
    number = len(comparison.differences)
    return fill_sentence(
        "Bots ({bots}) played each of {n} games {times} times with the same"
        " seeds, so everything that does not depend on the change is the same"
        " in all of them.",
        n={1: "Two", 2: "Three"}.get(number, "Several"),
        times=marked_figure("pairs", number_text(comparison.pairs, 0)),
        bots=marked_name(comparison.variants[0].bots_text),
    )


@attrs.frozen(eq=False)
class VariantPage:
    """Writer of the section that compares one variant with the first."""

    comparison: VariantComparison

    @property
    def names(self) -> MeasureNames:
        """Names of the measures in the words of the variant's rules."""
        return MeasureNames(self.comparison.second.localizer)

    @property
    def family(self) -> Family:
        """Measures of the comparison, judged together."""
        return self.comparison.family

    def figure(self, measure: str, what: str, text: str) -> Html:
        """Return a figure about a measure, marked with its key."""
        return marked_figure(self.comparison.key(measure, what), text)

    @property
    def tested_figure(self) -> Html:
        """Number of tested measures."""
        return self.figure("all", "looked_at", str(self.family.tested_count))

    def section(self, *, has_heading: bool) -> VariantSection:
        """Return the section, with a heading if the page has several of them."""
        certain = self.family.measures_with(Verdict.CERTAIN)
        answered = first_measures(certain, MAX_ANSWERS)
        tested = [judged for judged in self.family.measures if judged.verdict.is_tested]
        tested.sort(key=lambda judged: sort_key(judged.contrast.name))
        first, second = self.comparison.labels
        heading = fill_sentence(
            "{b} against {a}", a=marked_name(first), b=marked_name(second)
        )
        changed = list(self.changed_lines())
        return VariantSection(
            heading=heading if has_heading else "",
            letter=self.comparison.second.letter,
            names=self.comparison.labels,
            changes=changed[:MAX_CHANGES],
            more_changes=len(changed) > MAX_CHANGES,
            finding=self.main_finding(),
            how_to_read=self.reading_paragraphs(),
            answers=[self.answer(judged) for judged in answered],
            more_answers=len(certain) > len(answered),
            verdicts=list(self.other_measures()),
            lines=[self.line(judged) for judged in tested],
            about_lines=self.method_paragraphs(),
            sections=list(question_sections(self.comparison)),
        )

    def changed_lines(self) -> Iterator[tuple[str, str]]:
        """Yield the changed lines of each clause, before and after."""
        diff = RuleChanges(*(side.book for side in self.comparison.sides))
        for clause in diff.names:
            before, after = (
                " ".join(x.text for x in side) for side in diff.lines(clause)
            )
            if before or after:
                yield before, after

    def main_finding(self) -> Html:
        """Return the main finding: how many measures certainly changed."""
        if not self.family.tested_count:
            return fill_sentence("No measure differs in enough pairs to be judged.")
        certain = len(self.family.measures_with(Verdict.CERTAIN))
        if not certain:
            return fill_sentence(
                "None of {of} measures certainly changed by more than a slight amount.",
                of=self.tested_figure,
            )
        return fill_sentence(
            "{n} of {of} measures certainly changed. Together, these statements"
            " hold with 95 % confidence. The largest change comes first.",
            n=self.figure("all", "certain", str(certain)),
            of=self.tested_figure,
        )

    def reading_paragraphs(self) -> list[Html]:
        """Return paragraphs on how to read the lines with differences."""
        if not self.family.tested_count:
            return []
        alone = number_text(normal_quantile((1 + CONFIDENCE) / 2), 2)
        return [
            fill_sentence(
                "How to read a line. All values are averages over games. The dot"
                " is the best estimate and the bar is its confidence interval, in"
                " usual swings: one swing is how much games under the same rules"
                " typically differ from their average. Differences inside the"
                " shaded stripe are slight."
            ),
            fill_sentence(
                "Why the bars are so wide. Among {of} measures, one is likely to"
                " differ by luck. Each bar is therefore ±{factor} standard errors"
                " instead of ±{alone}: in 95 of 100 such reports, every bar"
                " contains the true value.",
                of=self.tested_figure,
                factor=self.figure("all", "factor", number_text(self.family.factor, 2)),
                alone=marked_figure("alone", alone),
            ),
        ]

    def method_paragraphs(self) -> list[Html]:
        """Return paragraphs on how the differences were computed."""
        if not self.family.tested_count:
            return []
        return [
            fill_sentence(
                "The strip shows the difference over {pairs} pairs, divided by"
                " the usual swing (the standard deviation of a single game). The"
                " last two columns give it in the unit of the measure.",
                pairs=marked_figure("pairs", number_text(self.comparison.pairs, 0)),
            ),
            fill_sentence(
                "Together, all intervals hold with 95 % confidence (by {way} over"
                " {of} measures). Four times as many pairs halve their width.",
                way=CORRECTION_NAMES[self.family.correction],
                of=self.tested_figure,
            ),
            fill_sentence("Shares are out of 100; rounds are counted as in the game."),
        ]

    def other_measures(self) -> Iterator[tuple[str, Html]]:
        """Yield the heading of each verdict and its measures that have no sentence.

        Measures of single parts are only counted, because the table lists them.
        """
        for verdict in (Verdict.SLIGHT, Verdict.UNCHANGED, Verdict.NOT_KNOWN):
            measures = self.family.measures_with(verdict)
            main = [x for x in measures if not is_part(x.contrast.name)]
            names = [
                fill_sentence(
                    "{title}: {means}",
                    title=self.names.column_title(judged.contrast.name)[0],
                    means=self.means_text(judged),
                )
                for judged in main
            ]
            more = len(measures) - len(main)
            if more:
                key = f"{verdict.name.lower()}_parts"
                text = (
                    "{n} more, in the table below"
                    if main
                    else "{n}, in the table below"
                )
                names.append(fill_sentence(text, n=self.figure("all", key, str(more))))
            if names:
                yield capitalized(verdict_heading(verdict)), join_html(names, " · ")
        rare = self.family.measures_with(Verdict.RARE)
        if rare:
            titles = [self.names.column_title(x.contrast.name)[0] for x in rare]
            yield capitalized(verdict_heading(Verdict.RARE)), join_html(titles, " · ")
        same = len(self.family.measures_with(Verdict.SAME))
        if same:
            count = self.figure("all", "same", str(same))
            yield (
                "The same in every pair, and not tested",
                fill_sentence("{n} measures", n=count),
            )

    def answer(self, judged: AdjustedMeasure) -> Answer:
        """Return the finding about a measure, with its evidence."""
        measure = judged.contrast.name
        sentence = difference_text(
            judged,
            WORDS,
            self.names.part_namer(measure),
            lambda amount: bold(self.figure(measure, "between", amount)),
        )
        evidence = fill_sentence(
            "{size}: {means}; {pairs}",
            size=size_word(judged.size),
            means=self.means_text(judged),
            pairs=self.pairs_text(judged.contrast),
        )
        return Answer(Html(f"{capitalized(sentence)}."), evidence, self.line(judged))

    def means_text(self, judged: AdjustedMeasure) -> Html:
        """Return both means as text, rounded to significant digits."""
        contrast, scale = judged.contrast, phrases_for(judged, WORDS).scale
        error = contrast.standard_error
        places = decimal_places(scale * error) if error else 1

        def mean_figure(which: str, mean: float) -> Html:
            return self.figure(contrast.name, which, number_text(scale * mean, places))

        return fill_sentence(
            "{first} → {second}{unit}",
            first=mean_figure("first", contrast.first_mean),
            second=mean_figure("second", contrast.second_mean),
            unit=" of 100" if scale == HUNDRED else "",
        )

    def pairs_text(self, contrast: Contrast) -> Html:
        """Return in how many of 100 pairs the value is lower, higher or equal."""
        lower, higher = contrast.lower_pairs or 0, contrast.higher_pairs or 0
        same = contrast.sample_size - lower - higher
        sides = sorted(
            (("lower", lower), ("higher", higher)), key=lambda side: -side[1]
        )
        parts = [
            fill_sentence(
                f"{word} in {{n}}{'' if at else ' of 100 pairs'}",
                n=self.figure(
                    contrast.name,
                    word.split()[-1],
                    number_text(HUNDRED * pairs / contrast.sample_size, 0),
                ),
            )
            for at, (word, pairs) in enumerate((*sides, ("the same", same)))
            if not at or pairs
        ]
        return join_html(parts)

    def line(self, judged: AdjustedMeasure) -> MeasureLine:
        """Return the table line of a measure."""
        contrast, deviation = judged.contrast, judged.contrast.deviation or 1.0
        scale = phrases_for(judged, WORDS).scale
        assert judged.interval is not None
        low, high = judged.interval
        half = scale * (high - low) / 2
        places = max(0, decimal_places(half) + 1) if half else 1
        title, unit = self.names.column_title(contrast.name)
        marked = partial(self.figure, contrast.name)
        ends = (signed_text(scale * end, places) for end in (low, high))
        return MeasureLine(
            key=self.comparison.key(contrast.name),
            group=group_heading(contrast.name),
            title=title,
            unit=unit,
            first=marked("first", number_text(scale * contrast.first_mean, places)),
            other=marked("second", number_text(scale * contrast.second_mean, places)),
            difference=marked(
                "difference", signed_text(scale * contrast.difference, places)
            ),
            interval=marked("interval", " … ".join(ends)),
            low=low / deviation,
            middle=contrast.difference / deviation,
            high=high / deviation,
            slight=judged.slight_limit / deviation,
            is_certain=judged.verdict in {Verdict.CERTAIN, Verdict.SLIGHT},
        )


def bold(text: Html) -> Html:
    """Return a text marked as bold."""
    return Html(f"<b>{text}</b>")


def size_word(deviations: float) -> str:
    """Return a phrase for the size of a difference in standard deviations of a game."""
    if deviations >= LARGE_DEVIATIONS:
        return "Large difference"
    return "Clear difference" if deviations >= CLEAR_DEVIATIONS else "Modest difference"


# ---------------------------------------------------------------- games


def settings_terms(
    comparison: Comparison, tables: Sequence[str]
) -> Iterator[tuple[str, Html]]:
    """Yield the rules and settings of the games, as pairs of term and description.

    *tables* are the names of the files from which the figures are computed.
    """
    variants, first = comparison.variants, comparison.variants[0]
    for side in variants:
        key, digest = figure_key(side.letter, "digest"), side.book.digest
        yield (
            side.letter,
            fill_sentence(
                "{name} · {digest}",
                name=marked_name(side.book.name),
                digest=marked_figure(key, digest[:DIGEST_LENGTH]),
            ),
        )
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
    yield "Games", join_html([count, *unfinished])
    players = marked_figure("players", str(len(first.bots)))
    yield (
        "Players",
        fill_sentence("{n}; {bots}", n=players, bots=marked_name(first.bots_text)),
    )
    options = comparison.settings.settings.options.items()
    given = ", ".join(f"{name}={value}" for name, value in options)
    yield "Options", marked_name(given or "defaults of the rules")
    yield "Engine", marked_name(", ".join(dict.fromkeys(x.engine for x in variants)))
    yield "Program", marked_name(f"rulebook {version() or ''}".strip())
    files = marked_name(", ".join(tables))
    yield "Figures", fill_sentence("computed from {files}", files=files)
