"""Statistics of two variants: intervals, verdicts and sentences.

Expected values come from published tables or are computed by hand.
"""

from typing import Any

import numpy as np
import pytest

from workbench.analysis.statistics.contrasts import (
    MIN_DIFFERENT_PAIRS,
    paired_contrast,
    unpaired_contrast,
)
from workbench.analysis.statistics.family import (
    DRAWS,
    MIN_BOOTSTRAP_PAIRS,
    Correction,
    Family,
    Verdict,
    bonferroni_factor,
    bootstrap_draws,
    largest_deviation_factor,
    make_family,
    paired_family,
    unpaired_family,
    verdict_of,
)
from workbench.analysis.statistics.quantiles import (
    normal_quantile,
    student_quantile,
    wilson_interval,
)
from workbench.analysis.statistics.sentences import (
    difference_sentence,
    difference_text,
    evidence_text,
    first_measures,
    rounded_outward,
    verdict_heading,
)

GAMES = 400


def numbers(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def spread(seed: int, mean: float = 0.0, games: int = GAMES) -> Any:
    return numbers(seed).normal(mean, 1.0, games)


def judged(d: Any, *, base: Any = None) -> Family:
    """Return pairs in which one measure differs by *d*."""
    start = spread(9, 20, len(d)) if base is None else base
    return paired_family({"turns": start}, {"turns": start + d})


# ---------------------------------------------------------------- quantiles


@pytest.mark.parametrize(
    ("probability", "degrees", "value"),
    [
        (0.975, 1, 12.7062),
        (0.975, 2, 4.3027),
        (0.975, 10, 2.2281),
        (0.975, 30, 2.0423),
        (0.995, 5, 4.0321),
        (0.9995, 20, 3.8495),
        (0.975, 120, 1.9799),
        (0.975, 10_000, 1.9600),
    ],
)
def test_student_quantiles_agree_with_published_tables(
    probability: float, degrees: int, value: float
) -> None:
    assert student_quantile(probability, degrees) == pytest.approx(value, abs=6e-5)


@pytest.mark.parametrize(
    ("successes", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (63, 100, 0.5322, 0.7182), (10, 10, 0.7225, 1.0)],
)
def test_shares_have_wilsons_intervals(
    successes: int, games: int, low: float, high: float
) -> None:
    assert wilson_interval(successes, games) == pytest.approx((low, high), abs=1e-4)


def test_share_without_games_is_unknown() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


# ---------------------------------------------------------------- contrasts


def test_a_pair_is_a_difference_with_its_error() -> None:
    contrast = paired_contrast("turns", [10, 20, 30, 40], [12, 20, 29, 47])

    assert (contrast.first_mean, contrast.second_mean, contrast.difference) == (
        25,
        27,
        2,
    )
    assert (contrast.lower_pairs, contrast.higher_pairs, contrast.different_pairs) == (
        1,
        2,
        3,
    )
    differences = np.array([2, 0, -1, 7])
    assert contrast.standard_error == pytest.approx(differences.std(ddof=1) / 2)
    swings = [np.var(side, ddof=1) for side in ([10, 20, 30, 40], [12, 20, 29, 47])]
    assert contrast.deviation == pytest.approx(np.sqrt(sum(swings) / 2))


def test_pairs_without_a_value_are_omitted() -> None:
    contrast = paired_contrast("when", [1, None, 3, 4], [2, 5, None, 6])

    assert (contrast.sample_size, contrast.first_mean, contrast.second_mean) == (
        2,
        2.5,
        4,
    )
    assert contrast.influence.tolist() == [-0.25, 0, 0, 0.25]


def test_games_without_pairs_have_the_errors_of_both() -> None:
    first, second = spread(1, games=50), spread(2, 1, games=80)
    contrast = unpaired_contrast("turns", first, second)

    error = np.sqrt(first.var(ddof=1) / 50 + second.var(ddof=1) / 80)
    assert contrast.standard_error == pytest.approx(error)
    assert (contrast.lower_pairs, contrast.higher_pairs, contrast.sample_size) == (
        None,
        None,
        50,
    )


def test_rejects_columns_of_different_lengths() -> None:
    with pytest.raises(ValueError, match="3 games cannot be paired with 2"):
        paired_contrast("turns", [1, 2, 3], [1, 2])


# ---------------------------------------------------------------- factors


@pytest.mark.parametrize("measures", [1, 3, 10])
def test_factor_of_independent_measures_is_that_of_their_maximum(
    measures: int,
) -> None:
    contrasts = [
        paired_contrast(str(n), np.zeros(4_000), spread(n, games=4_000))
        for n in range(measures)
    ]

    exact = normal_quantile((1 + 0.95 ** (1 / measures)) / 2)
    assert largest_deviation_factor(contrasts) == pytest.approx(exact, abs=0.04)
    assert (
        largest_deviation_factor(contrasts) <= bonferroni_factor(measures, 4_000) + 0.03
    )


def test_correlated_measures_have_the_factor_of_one() -> None:
    base = spread(1)
    contrasts = [
        paired_contrast(str(n), np.zeros(GAMES), base * (n + 1)) for n in range(12)
    ]

    assert largest_deviation_factor(contrasts) == pytest.approx(1.96, abs=0.03)
    assert bonferroni_factor(12, GAMES) > 2.8


def test_multipliers_over_the_pairs_give_the_same_factor() -> None:
    base = spread(1)
    columns = [base + spread(n) * n for n in range(1, 6)]
    contrasts = [
        paired_contrast(str(n), np.zeros(GAMES), c) for n, c in enumerate(columns)
    ]

    influences = np.column_stack([each.influence for each in contrasts])
    errors = np.array([each.standard_error for each in contrasts])
    draws = numbers(5).standard_normal((5_000, GAMES)) @ influences / errors
    plain = np.quantile(np.abs(draws).max(axis=1), 0.95)
    assert largest_deviation_factor(contrasts) == pytest.approx(plain, abs=0.06)


def test_the_draws_are_the_same_each_time() -> None:
    first = [chunk.copy() for chunk in bootstrap_draws(3)]
    bootstrap_draws.cache_clear()

    assert sum(len(chunk) for chunk in first) == DRAWS
    assert all((a == b).all() for a, b in zip(first, bootstrap_draws(3), strict=True))


@pytest.mark.parametrize(
    ("games", "correction"),
    [
        (MIN_BOOTSTRAP_PAIRS - 1, Correction.BONFERRONI),
        (MIN_BOOTSTRAP_PAIRS, Correction.LARGEST),
    ],
)
def test_few_pairs_are_corrected_by_bonferroni(
    games: int, correction: Correction
) -> None:
    zero = np.zeros(games)
    both = {"a": spread(1, games=games), "b": spread(2, games=games)}
    told = paired_family({"a": zero, "b": zero}, both)

    assert told.correction is correction
    if correction is Correction.BONFERRONI:
        assert told.factor == student_quantile(1 - 0.05 / 4, games - 1)
    assert told.tested_count == 2


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((0.3, 0.9), Verdict.CERTAIN),
        ((-0.9, -0.1), Verdict.CERTAIN),
        ((0.05, 0.15), Verdict.SLIGHT),
        ((-0.15, 0.1), Verdict.UNCHANGED),
        ((-0.1, 0.3), Verdict.NOT_KNOWN),
        ((0.0, 0.3), Verdict.NOT_KNOWN),
    ],
)
def test_an_interval_has_one_of_four_verdicts(
    interval: tuple[float, float], verdict: Verdict
) -> None:
    assert verdict_of(interval, 0.2) is verdict


def test_identical_measure_is_not_tested() -> None:
    told = judged(np.zeros(GAMES))

    assert told["turns"].verdict is Verdict.SAME
    assert told["turns"].interval is None
    assert (told.tested_count, told.correction) == (0, Correction.NONE)


@pytest.mark.parametrize("often", [MIN_DIFFERENT_PAIRS - 1, MIN_DIFFERENT_PAIRS])
def test_rarely_different_measure_is_not_tested(often: int) -> None:
    told = judged(np.where(np.arange(GAMES) < often, 1.0, 0.0))

    assert (told["turns"].verdict is Verdict.RARE) == (often < MIN_DIFFERENT_PAIRS)
    assert told.tested_count == (often >= MIN_DIFFERENT_PAIRS)


def test_a_rare_measure_widens_no_interval() -> None:
    start, rare = spread(1), np.where(np.arange(GAMES) < 3, 1.0, 0.0)
    other = start + spread(2, 1)
    alone = paired_family({"turns": start}, {"turns": other})
    beside = paired_family({"turns": start, "x": rare * 0}, {"turns": other, "x": rare})

    assert beside["turns"].interval == alone["turns"].interval


def test_shares_are_slight_below_five_in_a_hundred() -> None:
    first = np.array([1.0, 0.0] * 5_000)
    second = first.copy()
    second[:300] = 1 - second[:300]
    second[1:1200:2] = 1.0
    told = paired_family({"wins.red": first}, {"wins.red": second})["wins.red"]

    assert told.slight_limit == 0.05
    assert told.contrast.is_share


def test_measure_can_declare_a_slight_limit() -> None:
    start = spread(1)
    both = {"turns": start}, {"turns": start + spread(2, 1)}

    assert paired_family(*both)["turns"].verdict is Verdict.CERTAIN
    assert paired_family(*both, {"turns": 9.0})["turns"].verdict is Verdict.SLIGHT


def test_constant_difference_is_certain_with_zero_width() -> None:
    told = judged(np.full(GAMES, 2.0), base=np.arange(GAMES) * 1.0)["turns"]

    assert told.interval == (2.0, 2.0)
    assert told.verdict in {Verdict.CERTAIN, Verdict.SLIGHT}


def test_measures_are_ranked_by_usual_swings() -> None:
    start = spread(1)
    first = {"small": start, "large": start * 10}
    second = {"small": start + spread(2, 2), "large": start * 10 + spread(3, 5)}

    names = [
        each.contrast.name
        for each in paired_family(first, second).measures_with(Verdict.CERTAIN)
    ]
    assert names == ["small", "large"]


def test_action_unknown_to_a_variant_counts_as_0() -> None:
    told = paired_family(
        {"turns": spread(1)}, {"turns": spread(1), "actions.go": np.ones(GAMES)}
    )

    assert told["actions.go"].contrast.first_mean == 0
    assert told["actions.go"].verdict is Verdict.CERTAIN


def test_pairs_give_narrower_intervals_than_independent_games() -> None:
    start = spread(1, 20)
    first, second = {"turns": start}, {"turns": start + spread(2, 0.1) * 0.3}

    def width(told: Family) -> float:
        interval = told["turns"].interval
        assert interval is not None
        return interval[1] - interval[0]

    assert (
        width(paired_family(first, second)) < width(unpaired_family(first, second)) / 2
    )


def test_family_may_be_empty() -> None:
    assert make_family([]).tested_count == 0


@pytest.mark.parametrize("sort", [paired_family, unpaired_family])
def test_intervals_rarely_exclude_0_without_a_difference(sort: Any) -> None:
    wrong = alone = any_wrong = 0
    for repeat in range(120):
        r = numbers(repeat)
        first, second = (
            {f"m{n}": r.normal(0, 1 + n, 150) for n in range(5)} for _ in range(2)
        )
        told = sort(first, second).measures
        alone += sum(
            e.unadjusted_interval[0] > 0 or e.unadjusted_interval[1] < 0 for e in told
        )
        wrong = sum(e.interval[0] > 0 or e.interval[1] < 0 for e in told)
        any_wrong += wrong > 0

    assert 0.03 <= alone / 600 <= 0.08
    assert any_wrong / 120 <= 0.09


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-13.9, -7.4, (-14, -7, 0)),
        (2.11, 2.58, (2.1, 2.6, 1)),
        (-0.31, 0.18, (-0.4, 0.2, 1)),
        (410, 1290, (400, 1300, 0)),
        (0.2, 3.9, (0.2, 3.9, 1)),
        (0.02, 3.9, (0.02, 3.9, 2)),
        (2, 2, (2, 2, 0)),
    ],
)
def test_intervals_are_rounded_outward(
    low: float, high: float, said: tuple[float, float, int]
) -> None:
    assert rounded_outward(low, high) == pytest.approx(said)


def shift(mean: float, name: str = "turns") -> Any:
    start = spread(1, 50)
    d = spread(2, 0.0)
    d = 3 * (d - d.mean()) / d.std(ddof=1) + mean  # half of the interval is 0.294
    return paired_family({name: start}, {name: start + d})[name]


@pytest.mark.parametrize(
    ("name", "mean", "said"),
    [
        ("turns", -2, "games are 1.7 to 2.3 turns shorter"),
        ("turns", 2, "games are 1.7 to 2.3 turns longer"),
        ("points.red", 2, "red has 1.7 to 2.3 more points"),
        ("actions.build", -2, "build is chosen 1.7 to 2.3 times fewer per game"),
        ("spent.ore", 2, "per game 1.7 to 2.3 more ore are spent"),
        ("share_of_actions.go", 2, "of 100 decisions 170 to 230 more are go"),
        ("hurry", 2, "hurry is 1.7 to 2.3 higher"),
        ("turns", 0, "games are at most 0.3 turns shorter or 0.3 turns longer"),
    ],
)
def test_difference_in_words(name: str, mean: float, said: str) -> None:
    assert difference_text(shift(mean, name)) == said


def test_evidence_contains_both_means_and_the_pairs() -> None:
    first = np.array([10.0] * 100)
    second = np.array([9.0] * 63 + [11.0] * 36 + [10.0])
    told = paired_family({"turns": first}, {"turns": second})["turns"]

    assert evidence_text(told) == (
        "10.00 → 9.73; lower in 63 of 100 pairs, higher in 36, the same in 1"
    )
    assert (
        difference_sentence(told) == f"{difference_text(told)}: {evidence_text(told)}"
    )


def test_shares_are_given_per_100_games() -> None:
    first = np.array([1.0] * 30 + [0.0] * 170)
    second = np.array([1.0] * 100 + [0.0] * 100)
    told = paired_family({"wins.red": first}, {"wins.red": second})["wins.red"]

    assert difference_text(told) == "red wins 28 to 42 more of 100 games"
    assert evidence_text(told, 100).startswith(
        "15 → 50 of 100; higher in 35 of 100 pairs"
    )


@pytest.mark.parametrize("verdict", Verdict)
def test_each_verdict_has_a_heading(verdict: Verdict) -> None:
    assert verdict_heading(verdict)


def test_sentences_per_measure_are_limited() -> None:
    names = ("actions.a", "actions.b", "actions.c", "turns", "rounds", "actions.d")
    columns = {name: spread(1) for name in names}
    family = paired_family(columns, {name: spread(2, 9) for name in names})
    said = [each.contrast.name for each in first_measures(family.measures, 4)]

    assert said == ["actions.a", "actions.b", "turns", "rounds"]
    assert [each.contrast.name for each in first_measures(family.measures, 3)] == said[
        :3
    ]
