"""Page of a comparison report: how variants differ, and with what certainty.

All figures are computed from columns in the tables next to the page; see
`report_tables`.
"""

from collections.abc import Iterator, Sequence

from workbench.analysis.comparison.comparison import Comparison, VariantComparison
from workbench.analysis.impact.rule_changes import RuleChanges
from workbench.analysis.report.figures import (
    Html,
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
from workbench.analysis.statistics.contrasts import MIN_DIFFERENT_PAIRS
from workbench.analysis.statistics.family import (
    CONFIDENCE,
    AdjustedMeasure,
    Correction,
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
    comparison: Comparison, terms: Sequence[tuple[str, Html]], command: Sequence[str]
) -> ReportPage:
    """Return the contents of the page; *command* repeats the comparison."""
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
        parts=[variant_section(x, several=several) for x in comparison.differences],
        sections=[
            Section("What these games cannot tell", points=LIMITATIONS),
            Section(
                "What was played, and how to repeat it", terms=terms, command=command
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


def variant_section(comparison: VariantComparison, *, several: bool) -> VariantSection:
    """Return the section that compares one variant with the first."""
    family = comparison.family
    certain = family.measures_with(Verdict.CERTAIN)
    answered = first_measures(certain, MAX_ANSWERS)
    names = MeasureNames(comparison.second.localizer)
    tested = [judged for judged in family.measures if judged.verdict.is_tested]
    tested.sort(key=lambda judged: sort_key(judged.contrast.name))
    heading = fill_sentence(
        "{b} against {a}",
        a=marked_name(comparison.first.label),
        b=marked_name(comparison.second.label),
    )
    changed = list(changed_lines(comparison))
    return VariantSection(
        heading=heading if several else "",
        letter=comparison.second.letter,
        names=(comparison.first.label, comparison.second.label),
        changes=changed[:MAX_CHANGES],
        more_changes=len(changed) > MAX_CHANGES,
        finding=main_finding(comparison),
        how_to_read=reading_paragraphs(comparison),
        answers=[measure_answer(comparison, judged, names) for judged in answered],
        more_answers=len(certain) > len(answered),
        verdicts=list(other_measures(comparison, names)),
        lines=[measure_line(comparison, judged, names) for judged in tested],
        about_lines=method_paragraphs(comparison),
        sections=list(question_sections(comparison)),
    )


def changed_lines(comparison: VariantComparison) -> Iterator[tuple[str, str]]:
    """Yield the changed lines of each clause, before and after."""
    diff = RuleChanges(comparison.first.book, comparison.second.book)
    for clause in diff.names:
        before, after = (" ".join(x.text for x in side) for side in diff.lines(clause))
        if before or after:
            yield before, after


# ---------------------------------------------------------------- findings


def main_finding(comparison: VariantComparison) -> Html:
    """Return the main finding: how many measures certainly changed."""
    family = comparison.family
    if not family.tested_count:
        return fill_sentence("No measure differs in enough pairs to be judged.")
    tested = marked_figure(comparison.key("all", "looked_at"), str(family.tested_count))
    certain = len(family.measures_with(Verdict.CERTAIN))
    if not certain:
        return fill_sentence(
            "None of {of} measures certainly changed by more than a slight amount.",
            of=tested,
        )
    return fill_sentence(
        "{n} of {of} measures certainly changed. Together, these statements"
        " hold with 95 % confidence. The largest change comes first.",
        n=marked_figure(comparison.key("all", "certain"), str(certain)),
        of=tested,
    )


def reading_paragraphs(comparison: VariantComparison) -> list[Html]:
    """Return paragraphs on how to read the lines with differences."""
    family = comparison.family
    if not family.tested_count:
        return []
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
            of=marked_figure(
                comparison.key("all", "looked_at"), str(family.tested_count)
            ),
            factor=marked_figure(
                comparison.key("all", "factor"), number_text(family.factor, 2)
            ),
            alone=marked_figure(
                "alone", number_text(normal_quantile((1 + CONFIDENCE) / 2), 2)
            ),
        ),
    ]


def method_paragraphs(comparison: VariantComparison) -> list[Html]:
    """Return paragraphs on how the differences were computed."""
    family = comparison.family
    if not family.tested_count:
        return []
    return [
        fill_sentence(
            "The strip shows the difference over {pairs} pairs, divided by"
            " the usual swing (the standard deviation of a single game). The"
            " last two columns give it in the unit of the measure.",
            pairs=marked_figure("pairs", number_text(comparison.pairs, 0)),
        ),
        fill_sentence(
            "Together, all intervals hold with 95 % confidence (by {way} over"
            " {of} measures). Four times as many pairs halve their width.",
            way=CORRECTION_NAMES[family.correction],
            of=marked_figure(
                comparison.key("all", "looked_at"), str(family.tested_count)
            ),
        ),
        fill_sentence("Shares are out of 100; rounds are counted as in the game."),
    ]


def other_measures(
    comparison: VariantComparison, measure_names: MeasureNames
) -> Iterator[tuple[str, Html]]:
    """Yield the heading of each verdict and its measures that have no sentence.

    Measures of single parts are only counted, because the table lists them.
    """
    for verdict in (Verdict.SLIGHT, Verdict.UNCHANGED, Verdict.NOT_KNOWN):
        measures = comparison.family.measures_with(verdict)
        main = [x for x in measures if not is_part(x.contrast.name)]
        names = [short_text(comparison, judged, measure_names) for judged in main]
        more = len(measures) - len(main)
        if more:
            count = marked_figure(
                comparison.key("all", f"{verdict.name.lower()}_parts"), str(more)
            )
            names.append(
                fill_sentence(
                    "{n} more, in the table below"
                    if main
                    else "{n}, in the table below",
                    n=count,
                )
            )
        if names:
            yield capitalized(verdict_heading(verdict)), join_html(names, " · ")
    rare = comparison.family.measures_with(Verdict.RARE)
    if rare:
        titles = [
            measure_names.column_title(judged.contrast.name)[0] for judged in rare
        ]
        yield capitalized(verdict_heading(Verdict.RARE)), join_html(titles, " · ")
    same = len(comparison.family.measures_with(Verdict.SAME))
    if same:
        count = marked_figure(comparison.key("all", "same"), str(same))
        yield (
            "The same in every pair, and not tested",
            fill_sentence("{n} measures", n=count),
        )


def short_text(
    comparison: VariantComparison, measure: AdjustedMeasure, measure_names: MeasureNames
) -> Html:
    """Return a measure as a short text: its title and both means."""
    title, _ = measure_names.column_title(measure.contrast.name)
    return fill_sentence(
        "{title}: {means}", title=title, means=means_text(comparison, measure)
    )


def measure_answer(
    comparison: VariantComparison, judged: AdjustedMeasure, measure_names: MeasureNames
) -> Answer:
    """Return the finding about a measure, with its evidence."""
    measure = judged.contrast.name
    sentence = difference_text(
        judged,
        WORDS,
        measure_names.part_namer(measure),
        lambda amount: bold(marked_figure(comparison.key(measure, "between"), amount)),
    )
    evidence = fill_sentence(
        "{size}: {means}; {pairs}",
        size=size_word(judged.size),
        means=means_text(comparison, judged),
        pairs=pairs_text(comparison, judged),
    )
    return Answer(
        Html(f"{capitalized(sentence)}."),
        evidence,
        measure_line(comparison, judged, measure_names),
    )


def bold(text: Html) -> Html:
    """Return a text marked as bold."""
    return Html(f"<b>{text}</b>")


def size_word(deviations: float) -> str:
    """Return a phrase for the size of a difference in standard deviations of a game."""
    if deviations >= LARGE_DEVIATIONS:
        return "Large difference"
    return "Clear difference" if deviations >= CLEAR_DEVIATIONS else "Modest difference"


def means_text(comparison: VariantComparison, measure: AdjustedMeasure) -> Html:
    """Return both means as text, rounded to significant digits."""
    contrast, scale = measure.contrast, phrases_for(measure, WORDS).scale
    places = (
        decimal_places(scale * contrast.standard_error)
        if contrast.standard_error
        else 1
    )
    first, second = (
        marked_figure(
            comparison.key(contrast.name, which), number_text(scale * mean, places)
        )
        for which, mean in (
            ("first", contrast.first_mean),
            ("second", contrast.second_mean),
        )
    )
    unit = " of 100" if scale == HUNDRED else ""
    return fill_sentence(
        "{first} → {second}{unit}", first=first, second=second, unit=unit
    )


def pairs_text(comparison: VariantComparison, measure: AdjustedMeasure) -> Html:
    """Return in how many of 100 pairs the value is lower, higher or equal, as text."""
    contrast = measure.contrast
    lower, higher = contrast.lower_pairs or 0, contrast.higher_pairs or 0
    same = contrast.sample_size - lower - higher
    sides = sorted((("lower", lower), ("higher", higher)), key=lambda side: -side[1])
    parts = [
        fill_sentence(
            f"{word} in {{n}}{'' if at else ' of 100 pairs'}",
            n=marked_figure(
                comparison.key(contrast.name, word.split()[-1]),
                number_text(HUNDRED * pairs / contrast.sample_size, 0),
            ),
        )
        for at, (word, pairs) in enumerate((*sides, ("the same", same)))
        if not at or pairs
    ]
    return join_html(parts)


def measure_line(
    comparison: VariantComparison, measure: AdjustedMeasure, measure_names: MeasureNames
) -> MeasureLine:
    """Return the table line of a measure."""
    contrast, deviation = measure.contrast, measure.contrast.deviation or 1.0
    scale = phrases_for(measure, WORDS).scale
    assert measure.interval is not None
    low, high = measure.interval
    half = scale * (high - low) / 2
    places = max(0, decimal_places(half) + 1) if half else 1
    title, unit = measure_names.column_title(contrast.name)

    def marked(what: str, text: str) -> Html:
        return marked_figure(comparison.key(contrast.name, what), text)

    return MeasureLine(
        key=comparison.key(contrast.name),
        group=group_heading(contrast.name),
        title=title,
        unit=unit,
        first=marked("first", number_text(scale * contrast.first_mean, places)),
        other=marked("second", number_text(scale * contrast.second_mean, places)),
        difference=marked(
            "difference", signed_text(scale * contrast.difference, places)
        ),
        interval=marked(
            "interval",
            f"{signed_text(scale * low, places)} … {signed_text(scale * high, places)}",
        ),
        low=low / deviation,
        middle=contrast.difference / deviation,
        high=high / deviation,
        slight=measure.slight_limit / deviation,
        is_certain=measure.verdict in {Verdict.CERTAIN, Verdict.SLIGHT},
    )
