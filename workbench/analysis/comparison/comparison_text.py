"""Report of a comparison, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.analysis.comparison.comparison import Comparison, VariantComparison
from workbench.analysis.measures.counted import COUNTED_MEASURES
from workbench.analysis.measures.measure_table import ALL_MEASURES
from workbench.analysis.measures.seat_holdings import SEAT_MEASURES
from workbench.analysis.statistics.contrasts import MIN_DIFFERENT_PAIRS
from workbench.analysis.statistics.family import (
    CONFIDENCE,
    AdjustedMeasure,
    Correction,
    Family,
    Verdict,
)
from workbench.analysis.statistics.sentences import (
    PHRASES,
    difference_sentence,
    difference_text,
    first_measures,
    format_number,
    phrases_for,
    rounded_outward,
    verdict_heading,
)
from workbench.budget import STOPPED_BY_TIME

SENTENCES = (Verdict.CERTAIN, Verdict.SLIGHT)
TABLE_VERDICTS = (*SENTENCES, Verdict.NOT_KNOWN)
NAMED_VERDICTS = (Verdict.UNCHANGED, Verdict.RARE)
"""Verdicts whose measures are listed by name only, without sentence or table row."""

GAIN = "gain"
MAX_SENTENCES = 12
"""Maximum number of sentences per verdict, starting with the largest differences."""

CORRECTION_TEXTS = {
    Correction.LARGEST: "by the largest deviation",
    Correction.BONFERRONI: "by Bonferroni, with Student's t",
}

UNITS = {
    measure.name: measure.unit
    for measure in (*ALL_MEASURES, *SEAT_MEASURES, *COUNTED_MEASURES)
}


def report_lines(comparison: VariantComparison) -> Iterator[str]:
    """Yield the lines of the text report: bots, statistical correction, differences."""
    first, second, family = comparison.first, comparison.second, comparison.family
    seeds = [result.seed for result in first.results]
    seeds_text = f", seeds {seeds[0]} to {seeds[-1]}" if seeds else ""
    heading = f"{second.book.name} against {first.book.name}"
    yield f"{heading}: {comparison.pairs} pairs{seeds_text}"
    yield f"  {len(first.bots)} players, {first.bots_text}"
    for side in (first, second):
        yield from (
            f"  in {side.book.name} {gain}" for gain in side.gains.nonnegative_gains
        )
    for side in (first, second):
        if side.unfinished_count:
            yield f"  {side.book.name}: {side.unfinished_count} unfinished games"
    for side in (first, second):
        yield from (f"  {side.book.name}: {line}" for line in side.errors.lines)
    if family.tested_count:
        yield (
            f"  {family.tested_count} measures, corrected together"
            f" {CORRECTION_TEXTS[family.correction]}: intervals of {family.factor:.2f}"
            f" standard errors; at most {100 * (1 - CONFIDENCE):.0f} of 100"
            " comparisons contain any wrong interval"
        )
    for verdict in SENTENCES:
        measures = list(measures_with_verdict(comparison, verdict))
        if measures:
            yield ""
            yield verdict_heading(verdict)
            described = first_measures(measures, MAX_SENTENCES)
            yield from (f"  {difference_sentence(judged)}" for judged in described)
            if len(measures) > len(described):
                yield f"  and {len(measures) - len(described)} more, in the table"
    if not any(map(family.measures_with, SENTENCES)):
        yield ""
        yield "no difference is certain"


def table_rows(comparison: VariantComparison) -> Iterator[tuple[str, ...]]:
    """Yield a table row for each measure, by verdict, largest differences first."""
    for verdict in TABLE_VERDICTS:
        for judged in measures_with_verdict(comparison, verdict):
            yield (display_name(judged), *measure_cells(judged), str(verdict))


def measures_with_verdict(
    comparison: VariantComparison, verdict: Verdict
) -> Iterator[AdjustedMeasure]:
    """Yield the measures with this verdict.

    With exactly two bots, the gain of the worse bot is omitted, because it mirrors
    that of the better bot.
    """
    bots = set(comparison.first.bots.values())
    for judged in comparison.family.measures_with(verdict):
        mirrored = len(bots) == 2 and is_gain(judged) and judged.contrast.first_mean < 0
        if not mirrored:
            yield judged


def is_gain(measure: AdjustedMeasure) -> bool:
    """Return whether a measure is the gain of a bot (wins beyond its share)."""
    return measure.contrast.name.partition(".")[0] == GAIN


def measure_cells(measure: AdjustedMeasure) -> tuple[str, str, str]:
    """Return the table cells of a measure: both means and the interval."""
    assert measure.interval is not None
    contrast = measure.contrast
    scale = phrases_for(measure, PHRASES).scale
    low, high, places = rounded_outward(*(scale * end for end in measure.interval))
    unit = " %" if scale != 1 else ""
    means = (scale * contrast.first_mean, scale * contrast.second_mean)
    first, second = (f"{format_number(side, max(places, 1))}{unit}" for side in means)
    return (
        first,
        second,
        f"{format_number(low, places)} … {format_number(high, places)}{unit}",
    )


def name_lines(comparison: VariantComparison) -> Iterator[str]:
    """Yield a line for each verdict whose measures are listed by name only."""
    for verdict in NAMED_VERDICTS:
        measures = list(measures_with_verdict(comparison, verdict))
        if measures:
            names = ", ".join(map(display_name, measures))
            yield f"{verdict_heading(verdict)}: {names}"
    same = comparison.family.measures_with(Verdict.SAME)
    if same:
        yield f"{verdict_heading(Verdict.SAME)}: {len(same)} measures"


def display_name(measure: AdjustedMeasure) -> str:
    """Return the name of a measure for display, such as `points red`."""
    return measure.contrast.name.replace(".", " ", 1)


# ---------------------------------------------------------------- plain data


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data."""
    first, settings = comparison.variants[0], comparison.settings.settings
    return {
        "variants": [
            {
                "variant": side.book.name,
                "digest": side.book.digest,
                "engine": side.engine,
                "unfinished": side.unfinished_count,
                "gains": [gain.to_json() for gain in side.gains.gains],
                "bot_errors": side.errors.to_json(),
            }
            for side in comparison.variants
        ],
        "players": len(first.bots),
        "bots": dict(first.bots),
        "pairs": comparison.pairs,
        "seed": settings.seed,
        "bot_seed": settings.bot_seed,
        "comparisons": [
            {
                "variant": compared.second.book.name,
                "against": compared.first.book.name,
                "sure": CONFIDENCE,
                "rare": MIN_DIFFERENT_PAIRS,
                **family_document(compared.family),
                "counted": compared.rule_part_comparison
                and {
                    "pairs": compared.rule_part_comparison.pairs,
                    **family_document(compared.rule_part_comparison.family),
                },
            }
            for compared in comparison.differences
        ],
        "stopped": None if comparison.stopped is None else STOPPED_BY_TIME,
    }


def family_document(family: Family) -> dict[str, Any]:
    """Return a family of measures as plain data."""
    return {
        "looked_at": family.tested_count,
        "correction": str(family.correction),
        "factor": round(family.factor, 4),
        "measures": [measure_document(judged) for judged in family.measures],
    }


def measure_document(measure: AdjustedMeasure) -> dict[str, Any]:
    """Return a measure as plain data; an untested measure has no interval."""
    contrast = measure.contrast
    name, _, part = contrast.name.partition(".")
    low, high = measure.interval or (None, None)
    return {
        "measure": name,
        "of": part or None,
        "unit": UNITS.get(name, ""),
        "verdict": str(measure.verdict),
        "pairs": contrast.sample_size,
        "first": rounded_number(contrast.first_mean),
        "second": rounded_number(contrast.second_mean),
        "difference": rounded_number(contrast.difference),
        "low": rounded_number(low),
        "high": rounded_number(high),
        "swing": rounded_number(contrast.deviation),
        "slight": rounded_number(measure.slight_limit),
        "lower": contrast.lower_pairs,
        "higher": contrast.higher_pairs,
        "says": difference_text(measure) if measure.interval else None,
    }


def rounded_number(value: float | None) -> float | None:
    """Return a number rounded to 6 decimal places, or None."""
    return None if value is None else round(float(value), 6)
