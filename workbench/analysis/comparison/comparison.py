"""Comparisons of variants with the first one, in games with the same seeds."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from workbench.analysis.comparison.paired_games import (
    GameSettings,
    PairedGames,
    ResultDisplay,
)
from workbench.analysis.comparison.variant_games import VariantGames
from workbench.analysis.statistics.family import Family, paired_family
from workbench.budget import TimedBlock, TimeUp


@attrs.frozen(eq=False)
class VariantComparison:
    """Comparison of a variant with the first one.

    `rule_part_comparison` compares how often rule parts took effect in replayed games.
    """

    first: VariantGames
    second: VariantGames
    family: Family
    rule_part_comparison: VariantComparison | None = None

    @property
    def sides(self) -> tuple[VariantGames, VariantGames]:
        """Games of the first variant, then those of the other variant."""
        return self.first, self.second

    @property
    def labels(self) -> tuple[str, str]:
        """Labels of both variants in charts."""
        return self.first.label, self.second.label

    @property
    def pairs(self) -> int:
        """Number of pairs of games with equal seeds."""
        return len(self.first.results)

    def key(self, *parts: str) -> str:
        """Return the key of a number in the report, such as `B/turns/first`."""
        return "/".join((self.second.letter, *parts))


@attrs.frozen(eq=False)
class Comparison:
    """Comparisons of variants with the first one, in games with the same seeds.

    Text, JSON and the report are computed from it. `differences` has one element for
    each variant after the first. If time ran out before `requested_pairs` were
    played, `stopped` is set, and only the pairs played so far are compared.
    """

    settings: GameSettings
    requested_pairs: int
    variants: Sequence[VariantGames]
    differences: Sequence[VariantComparison]
    stopped: TimeUp | None

    @property
    def pairs(self) -> int:
        """Number of pairs of games that were played."""
        return len(self.variants[0].results)


def compare_variants(
    variants: Sequence[str], pairs: int, settings: GameSettings, display: ResultDisplay
) -> Comparison:
    """Play *pairs* games of each variant and compare each variant with the first.

    Raise `RequestError` if the variants do not have the same seats, and `TimeUp` if the
    time runs out before two pairs have been played.
    """
    games = PairedGames.prepare(variants, pairs, settings)
    with TimedBlock() as timed:
        games.play(display)
    first, *others = played = games.games_by_variant
    if timed.stopped is not None and len(first.results) < 2:
        raise timed.stopped
    differences = [
        variant_comparison(first, other, settings.replayed_pairs) for other in others
    ]
    return Comparison(settings, pairs, played, differences, timed.stopped)


def variant_comparison(
    first: VariantGames, second: VariantGames, replayed_pairs: int
) -> VariantComparison:
    """Compare *second* with *first*, also by rule parts if games were replayed."""
    replayed = None
    if replayed_pairs:
        family = paired_family(first.rule_part_counts, second.rule_part_counts)
        replayed = VariantComparison(
            first.replayed_games, second.replayed_games, family
        )
    family = paired_family(first.compared_columns, second.compared_columns)
    return VariantComparison(first, second, family, replayed)
