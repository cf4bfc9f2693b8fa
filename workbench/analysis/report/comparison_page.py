"""Page of a comparison report: how variants differ, and how sure that is.

All figures are computed from columns in the tables next to the page (`tables.py`).
"""

from collections.abc import Iterator, Sequence

import attrs

from workbench.analysis.comparison.games import bots_said
from workbench.analysis.impact.changes import RuleChanges
from workbench.analysis.report.figures import (
    Html,
    figure,
    fill_sentence,
    listed,
    named,
    number_text,
    signed,
)
from workbench.analysis.report.page import (
    Answer,
    MeasureLine,
    ReportPage,
    Section,
    VariantSection,
)
from workbench.analysis.report.questions import Two, questions
from workbench.analysis.report.variants import ReportVariant
from workbench.analysis.report.words import (
    WORDS,
    Spoken,
    capital,
    group_of,
    is_part,
    order_of,
)
from workbench.analysis.statistics.contrasts import RARE
from workbench.analysis.statistics.family import (
    SURE,
    AdjustedMeasure,
    Correction,
    Family,
    Verdict,
)
from workbench.analysis.statistics.quantiles import normal
from workbench.analysis.statistics.sentences import (
    HUNDRED,
    digits,
    foremost,
    in_words,
    verdict_words,
    words_of,
)
from workbench.presentation.localization.localizer import Wording

ANSWERS = 12
"""Maximum number of findings that get a sentence, largest differences first."""
CHANGES = 6
"""Maximum number of changed clauses shown."""
LARGE, CLEAR = 0.8, 0.5
WAYS = {
    Correction.LARGEST: "the largest-deviation bootstrap",
    Correction.BONFERRONI: "Bonferroni with Student's t, for few pairs",
}
CANNOT = (
    "Whether it is more fun, or whether the game feels longer. Turns are not minutes.",
    "What people will do. Bots do not plan, bluff, or learn the new rule.",
    "Other numbers of players, other options, or this change together with another.",
    f"Rare events: measures that differ in fewer than {RARE} pairs are not judged.",
)


@attrs.frozen(eq=False)
class ComparedVariants:
    """Variants played with the same seeds; all are compared with the first."""

    sides: Sequence[ReportVariant]
    families: Sequence[Family]
    players: int
    played: Sequence[tuple[str, Html]]
    command: Sequence[str]

    @property
    def twos(self) -> Iterator[Two]:
        """Comparisons of each other variant with the first."""
        first, *others = self.sides
        for other, family in zip(others, self.families, strict=True):
            yield Two(first, other, family)


def report(compared: ComparedVariants) -> ReportPage:
    """Return the contents of the page."""
    first, *others = compared.sides
    several = len(others) > 1
    title = f"What changes from {first.called} to {others[0].called}?"
    if several:
        title = f"What does each change in {first.called}?"
    elif others[0].variant.startswith(f"{first.variant}+"):
        title = f"What changes with {others[0].called}?"
    players = figure("players", str(compared.players))
    of = Wording.of(first.book).heading
    return ReportPage(
        title=named(title),
        kind=fill_sentence(
            "Report of a comparison · {of}, {n} players", of=named(of), n=players
        ),
        lede=lede(compared),
        parts=[part(two, several=several) for two in compared.twos],
        sections=[
            Section("What these games cannot tell", points=CANNOT),
            Section(
                "What was played, and how to repeat it",
                terms=compared.played,
                command=compared.command,
            ),
        ],
    )


def lede(compared: ComparedVariants) -> Html:
    """Return the introductory sentence, about how the games were played."""
    first, *others = compared.sides
    return fill_sentence(
        "Bots ({bots}) played each of {n} games {times} times with the same"
        " seeds, so everything that does not depend on the change is the same"
        " in all of them.",
        n={1: "Two", 2: "Three"}.get(len(others), "Several"),
        times=figure("pairs", number_text(first.games, 0)),
        bots=named(bots_said(first.played.bots)),
    )


def part(two: Two, *, several: bool) -> VariantSection:
    """Return the section that compares one variant with the first."""
    family = two.family
    certain = family.of(Verdict.CERTAIN)
    answered = foremost(certain, ANSWERS)
    spoken = Spoken(Wording.of(two.other.book))
    told = [judged for judged in family.measures if judged.verdict.tested]
    told.sort(key=lambda judged: order_of(judged.contrast.name))
    heading = fill_sentence(
        "{b} against {a}", a=named(two.first.label), b=named(two.other.label)
    )
    changed = list(changes(two))
    return VariantSection(
        heading=heading if several else "",
        letter=two.other.letter,
        names=(two.first.label, two.other.label),
        changes=changed[:CHANGES],
        more_changes=len(changed) > CHANGES,
        finding=finding(two),
        how_to_read=how_to_read(two),
        answers=[answer(two, judged, spoken) for judged in answered],
        more_answers=len(certain) > len(answered),
        verdicts=list(verdicts(two, spoken)),
        lines=[line(two, judged, spoken) for judged in told],
        about_lines=about(two),
        sections=list(questions(two)),
    )


def changes(two: Two) -> Iterator[tuple[str, str]]:
    """Yield the changed lines of each clause, before and after."""
    apart = RuleChanges(two.first.book, two.other.book)
    for clause in apart.names:
        before, after = (" ".join(x.text for x in side) for side in apart.lines(clause))
        if before or after:
            yield before, after


# ---------------------------------------------------------------- findings


def finding(two: Two) -> Html:
    """Return the main finding: how many measures certainly changed."""
    family = two.family
    if not family.looked_at:
        return fill_sentence("No measure differs in enough pairs to be judged.")
    of = figure(two.key("all", "looked_at"), str(family.looked_at))
    certain = len(family.of(Verdict.CERTAIN))
    if not certain:
        return fill_sentence(
            "None of {of} measures certainly changed by more than a slight amount.",
            of=of,
        )
    return fill_sentence(
        "{n} of {of} measures certainly changed. Together, these statements"
        " hold with 95 % confidence. The largest change comes first.",
        n=figure(two.key("all", "certain"), str(certain)),
        of=of,
    )


def how_to_read(two: Two) -> list[Html]:
    """Return paragraphs on how to read the lines with differences."""
    family = two.family
    if not family.looked_at:
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
            of=figure(two.key("all", "looked_at"), str(family.looked_at)),
            factor=figure(two.key("all", "factor"), number_text(family.factor, 2)),
            alone=figure("alone", number_text(normal((1 + SURE) / 2), 2)),
        ),
    ]


def about(two: Two) -> list[Html]:
    """Return paragraphs on how the differences were computed."""
    family = two.family
    if not family.looked_at:
        return []
    return [
        fill_sentence(
            "The strip shows the difference over {pairs} pairs, divided by"
            " the usual swing (the standard deviation of a single game). The"
            " last two columns give it in the unit of the measure.",
            pairs=figure("pairs", number_text(two.first.games, 0)),
        ),
        fill_sentence(
            "Together, all intervals hold with 95 % confidence (by {way} over"
            " {of} measures). Four times as many pairs halve their width.",
            way=WAYS[family.correction],
            of=figure(two.key("all", "looked_at"), str(family.looked_at)),
        ),
        fill_sentence("Shares are out of 100; rounds are counted as in the game."),
    ]


def verdicts(two: Two, spoken: Spoken) -> Iterator[tuple[str, Html]]:
    """Yield the heading of each verdict and its measures that have no sentence.

    Measures of single parts are only counted, because the table lists them.
    """
    for verdict in (Verdict.SLIGHT, Verdict.UNCHANGED, Verdict.NOT_KNOWN):
        measures = two.family.of(verdict)
        whole = [x for x in measures if not is_part(x.contrast.name)]
        names = [short(two, judged, spoken) for judged in whole]
        more = len(measures) - len(whole)
        if more:
            count = figure(two.key("all", f"{verdict.name.lower()}_parts"), str(more))
            names.append(
                fill_sentence(
                    "{n} more, in the table below"
                    if whole
                    else "{n}, in the table below",
                    n=count,
                )
            )
        if names:
            yield capital(verdict_words(verdict)), listed(names, " · ")
    rare = two.family.of(Verdict.RARE)
    if rare:
        titles = [spoken.title(judged.contrast.name)[0] for judged in rare]
        yield capital(verdict_words(Verdict.RARE)), listed(titles, " · ")
    same = len(two.family.of(Verdict.SAME))
    if same:
        count = figure(two.key("all", "same"), str(same))
        yield (
            "The same in every pair, and not tested",
            fill_sentence("{n} measures", n=count),
        )


def short(two: Two, judged: AdjustedMeasure, spoken: Spoken) -> Html:
    """Return a measure as a short text: its title and both means."""
    title, _ = spoken.title(judged.contrast.name)
    return fill_sentence("{title}: {means}", title=title, means=means(two, judged))


def answer(two: Two, judged: AdjustedMeasure, spoken: Spoken) -> Answer:
    """Return the finding about a measure, with its evidence."""
    measure = judged.contrast.name
    sentence = in_words(
        judged,
        WORDS,
        spoken.called(measure),
        lambda much: bold(figure(two.key(measure, "between"), much)),
    )
    evidence = fill_sentence(
        "{size}: {means}; {pairs}",
        size=size_word(judged.size),
        means=means(two, judged),
        pairs=in_pairs(two, judged),
    )
    return Answer(Html(f"{capital(sentence)}."), evidence, line(two, judged, spoken))


def bold(text: Html) -> Html:
    """Return a text marked as bold."""
    return Html(f"<b>{text}</b>")


def size_word(swings: float) -> str:
    """Return a phrase for the size of a difference in standard deviations of a game."""
    if swings >= LARGE:
        return "Large difference"
    return "Clear difference" if swings >= CLEAR else "Modest difference"


def means(two: Two, judged: AdjustedMeasure) -> Html:
    """Return both means as text, rounded to significant digits."""
    contrast, scale = judged.contrast, words_of(judged, WORDS).scale
    places = digits(scale * contrast.error) if contrast.error else 1
    first, second = (
        figure(two.key(contrast.name, which), number_text(scale * mean, places))
        for which, mean in (("first", contrast.first), ("second", contrast.second))
    )
    unit = " of 100" if scale == HUNDRED else ""
    return fill_sentence(
        "{first} → {second}{unit}", first=first, second=second, unit=unit
    )


def in_pairs(two: Two, judged: AdjustedMeasure) -> Html:
    """Return in how many of 100 pairs the value is lower, higher or equal, as text."""
    contrast = judged.contrast
    lower, higher = contrast.lower or 0, contrast.higher or 0
    same = contrast.number - lower - higher
    sides = sorted((("lower", lower), ("higher", higher)), key=lambda side: -side[1])
    parts = [
        fill_sentence(
            f"{word} in {{n}}{'' if at else ' of 100 pairs'}",
            n=figure(
                two.key(contrast.name, word.split()[-1]),
                number_text(HUNDRED * pairs / contrast.number, 0),
            ),
        )
        for at, (word, pairs) in enumerate((*sides, ("the same", same)))
        if not at or pairs
    ]
    return listed(parts)


def line(two: Two, judged: AdjustedMeasure, spoken: Spoken) -> MeasureLine:
    """Return the table line of a measure."""
    contrast, swing = judged.contrast, judged.contrast.swing or 1.0
    scale = words_of(judged, WORDS).scale
    assert judged.interval is not None
    low, high = judged.interval
    half = scale * (high - low) / 2
    places = max(0, digits(half) + 1) if half else 1
    title, unit = spoken.title(contrast.name)

    def told(what: str, text: str) -> Html:
        return figure(two.key(contrast.name, what), text)

    return MeasureLine(
        key=two.key(contrast.name),
        group=group_of(contrast.name),
        title=title,
        unit=unit,
        first=told("first", number_text(scale * contrast.first, places)),
        other=told("second", number_text(scale * contrast.second, places)),
        difference=told("difference", signed(scale * contrast.difference, places)),
        between=told(
            "interval",
            f"{signed(scale * low, places)} … {signed(scale * high, places)}",
        ),
        low=low / swing,
        middle=contrast.difference / swing,
        high=high / swing,
        slight=judged.slight / swing,
        is_certain=judged.verdict in {Verdict.CERTAIN, Verdict.SLIGHT},
    )
