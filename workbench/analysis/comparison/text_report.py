"""Report of a comparison, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from workbench.analysis.comparison.games import VariantGames, bots_said, unit_of
from workbench.analysis.statistics.contrasts import RARE
from workbench.analysis.statistics.family import (
    SURE,
    AdjustedMeasure,
    Correction,
    Family,
    Verdict,
)
from workbench.analysis.statistics.sentences import (
    WORDS,
    foremost,
    in_words,
    number,
    outward,
    sentence,
    verdict_words,
    words_of,
)

SENTENCES = (Verdict.CERTAIN, Verdict.SLIGHT)
IN_TABLE = (*SENTENCES, Verdict.NOT_KNOWN)
FOLDED = (Verdict.UNCHANGED, Verdict.RARE)
"""Verdicts whose measures get a sentence, a table row, or only their name."""

GAIN = "gain"
SENTENCES_MAX = 12
"""Maximum number of sentences for a verdict, largest differences first."""

HOW = {
    Correction.LARGEST: "by the largest deviation",
    Correction.BONFERRONI: "by Bonferroni, with Student's t",
}


@attrs.frozen(eq=False)
class VariantComparison:
    """Comparison of a variant with the first one.

    `counted` is the family of the counts of the rules' decisions in replayed games.
    """

    first: VariantGames
    second: VariantGames
    family: Family
    counted: VariantComparison | None = None

    @property
    def pairs(self) -> int:
        """Number of pairs of games."""
        return len(self.first.results)


def lines(compared: VariantComparison) -> Iterator[str]:
    """Yield the lines of the report: bots, correction, and differences."""
    first, second, family = compared.first, compared.second, compared.family
    seeds = [result.seed for result in first.results]
    which = f", seeds {seeds[0]} to {seeds[-1]}" if seeds else ""
    yield f"{second.book.name} against {first.book.name}: {compared.pairs} pairs{which}"
    yield f"  {len(first.bots)} players, {bots_said(first.bots)}"
    for side in (first, second):
        yield from (f"  in {side.book.name} {gain}" for gain in side.gains.better)
    for side in (first, second):
        if side.unfinished:
            yield f"  {side.book.name}: {side.unfinished} unfinished games"
    for side in (first, second):
        yield from (f"  {side.book.name}: {line}" for line in side.errors.lines)
    if family.looked_at:
        yield (
            f"  {family.looked_at} measures, corrected together"
            f" {HOW[family.correction]}: intervals of {family.factor:.2f}"
            f" standard errors; at most {100 * (1 - SURE):.0f} of 100"
            " comparisons contain any wrong interval"
        )
    for verdict in SENTENCES:
        measures = list(measures_with_verdict(compared, verdict))
        if measures:
            yield ""
            yield verdict_words(verdict)
            said = foremost(measures, SENTENCES_MAX)
            yield from (f"  {sentence(judged)}" for judged in said)
            if len(measures) > len(said):
                yield f"  and {len(measures) - len(said)} more, in the table"
    if not any(map(family.of, SENTENCES)):
        yield ""
        yield "no difference is certain"


def rows(compared: VariantComparison) -> Iterator[tuple[str, ...]]:
    """Yield a table row for each measure, by verdict, largest differences first."""
    for verdict in IN_TABLE:
        for judged in measures_with_verdict(compared, verdict):
            yield (spoken(judged), *cells(judged), str(verdict))


def measures_with_verdict(
    compared: VariantComparison, verdict: Verdict
) -> Iterator[AdjustedMeasure]:
    """Yield the measures with this verdict.

    With exactly two bots, the gain of the worse one is left out, because it mirrors
    that of the better one.
    """
    bots = set(compared.first.bots.values())
    for judged in compared.family.of(verdict):
        mirrored = len(bots) == 2 and is_gain(judged) and judged.contrast.first < 0
        if not mirrored:
            yield judged


def is_gain(judged: AdjustedMeasure) -> bool:
    """Return whether a measure is the gain of a bot."""
    return judged.contrast.name.partition(".")[0] == GAIN


def cells(judged: AdjustedMeasure) -> tuple[str, str, str]:
    """Return the table cells of a measure: both means, and the interval."""
    assert judged.interval is not None
    contrast = judged.contrast
    scale = words_of(judged, WORDS).scale
    low, high, places = outward(*(scale * end for end in judged.interval))
    sign = " %" if scale != 1 else ""
    sides = (scale * contrast.first, scale * contrast.second)
    first, second = (f"{number(side, max(places, 1))}{sign}" for side in sides)
    return first, second, f"{number(low, places)} … {number(high, places)}{sign}"


def folded(compared: VariantComparison) -> Iterator[str]:
    """Yield a line for each verdict whose measures are only named."""
    for verdict in FOLDED:
        measures = list(measures_with_verdict(compared, verdict))
        if measures:
            yield f"{verdict_words(verdict)}: {', '.join(map(spoken, measures))}"
    same = compared.family.of(Verdict.SAME)
    if same:
        yield f"{verdict_words(Verdict.SAME)}: {len(same)} measures"


def spoken(judged: AdjustedMeasure) -> str:
    """Return the name of a measure for display."""
    return judged.contrast.name.replace(".", " ", 1)


# ---------------------------------------------------------------- plain data


def document(
    played: Sequence[VariantGames],
    every: Sequence[VariantComparison],
    seed: int,
    bot_seed: int,
) -> dict[str, Any]:
    """Return all comparisons as plain data."""
    first = played[0]
    return {
        "variants": [
            {
                "variant": side.book.name,
                "digest": side.book.digest,
                "engine": side.engine,
                "unfinished": side.unfinished,
                "gains": [gain.to_json() for gain in side.gains.each],
                "bot_errors": side.errors.to_json(),
            }
            for side in played
        ],
        "players": len(first.bots),
        "bots": dict(first.bots),
        "pairs": len(first.results),
        "seed": seed,
        "bot_seed": bot_seed,
        "comparisons": [
            {
                "variant": compared.second.book.name,
                "against": compared.first.book.name,
                "sure": SURE,
                "rare": RARE,
                **judged(compared.family),
                "counted": compared.counted
                and {
                    "pairs": compared.counted.pairs,
                    **judged(compared.counted.family),
                },
            }
            for compared in every
        ],
    }


def judged(family: Family) -> dict[str, Any]:
    """Return a family as plain data."""
    return {
        "looked_at": family.looked_at,
        "correction": str(family.correction),
        "factor": round(family.factor, 4),
        "measures": [measured(each) for each in family.measures],
    }


def measured(judged: AdjustedMeasure) -> dict[str, Any]:
    """Return a measure as plain data; one that was not tested has no interval."""
    contrast = judged.contrast
    name, _, of = contrast.name.partition(".")
    low, high = judged.interval or (None, None)
    return {
        "measure": name,
        "of": of or None,
        "unit": unit_of(contrast.name),
        "verdict": str(judged.verdict),
        "pairs": contrast.number,
        "first": rounded(contrast.first),
        "second": rounded(contrast.second),
        "difference": rounded(contrast.difference),
        "low": rounded(low),
        "high": rounded(high),
        "swing": rounded(contrast.swing),
        "slight": rounded(judged.slight),
        "lower": contrast.lower,
        "higher": contrast.higher,
        "says": in_words(judged) if judged.interval else None,
    }


def rounded(value: float | None) -> float | None:
    """Return a number rounded to the precision of documents."""
    return None if value is None else round(float(value), 6)
