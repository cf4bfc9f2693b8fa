"""Sentences about differences: the rounded interval, both means and the pairs.

The name of a measure is `turns`, or `points.red` if it belongs to a part of the game.
Measures without a phrase are described by their name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor, log10

import attrs

from workbench.analysis.statistics.contrasts import MIN_DIFFERENT_PAIRS
from workbench.analysis.statistics.family import AdjustedMeasure, Verdict

HUNDRED = 100
MAX_DECIMALS = 6
"""Maximum number of decimal places of a number in a sentence."""


@attrs.frozen
class DifferencePhrases:
    """Phrases that describe the difference of a measure.

    `start` starts the sentence and may contain `{of}`, the part of the game. `more` or
    `less` follows, with `{}` for the amount. Amounts are multiplied by `scale`: 100 for
    amounts per hundred.
    """

    start: str
    more: str
    less: str
    scale: int = 1


def count_phrases(lead: str, noun: str, scale: int = 1) -> DifferencePhrases:
    """Return the phrases for a count: more or fewer of *noun*."""
    return DifferencePhrases(lead, f"{{}} more {noun}", f"{{}} fewer {noun}", scale)


def frequency_phrases(lead: str) -> DifferencePhrases:
    """Return the phrases for an event that happens more or less often per game."""
    return DifferencePhrases(lead, "{} times more per game", "{} times fewer per game")


def round_phrases(lead: str) -> DifferencePhrases:
    """Return the phrases for an event that happens in a later or earlier round."""
    return DifferencePhrases(lead, "{} rounds later", "{} rounds earlier")


POINTS = ("{} more points", "{} fewer points")
GAMES = ("{} more of 100 games", "{} fewer of 100 games", HUNDRED)

PHRASES: Mapping[str, DifferencePhrases] = {
    "turns": DifferencePhrases("games are", "{} turns longer", "{} turns shorter"),
    "rounds": DifferencePhrases("games are", "{} rounds longer", "{} rounds shorter"),
    "decisions": DifferencePhrases(
        "a game takes", "{} more decisions", "{} fewer decisions"
    ),
    "finished": count_phrases("of 100 games", "are finished", HUNDRED),
    "draws": count_phrases("of 100 games", "are drawn", HUNDRED),
    "ties": count_phrases("of 100 games", "are tied", HUNDRED),
    "wins": DifferencePhrases("{of} wins", *GAMES),
    "wins_from": DifferencePhrases("position {of} in turn order wins", *GAMES),
    "gain": DifferencePhrases("relative to its share of seats, {of} wins", *GAMES),
    "points": DifferencePhrases("{of} has", *POINTS),
    "points_from": DifferencePhrases("position {of} in turn order has", *POINTS),
    "margin": DifferencePhrases("the winner is ahead by", *POINTS),
    "comeback": DifferencePhrases("the winner was behind by", *POINTS),
    "known_for": DifferencePhrases(
        "the final lead lasts", "{} more turns", "{} fewer turns"
    ),
    "drama": DifferencePhrases(
        "on average over all turns, the winner is behind by", *POINTS
    ),
    "decisiveness": count_phrases(
        "of 100 turns", "are played after the game is decided", HUNDRED
    ),
    "lead_changes": frequency_phrases("the lead changes"),
    "branching": count_phrases("in a decision", "actions are legal"),
    "branching_at": count_phrases("when {of} is chosen", "actions are legal"),
    "real_choices": count_phrases("of 100 decisions", "leave a choice", HUNDRED),
    "idle_turns": count_phrases("of 100 turns", "are idle", HUNDRED),
    "actions": frequency_phrases("{of} is chosen"),
    "share_of_actions": count_phrases("of 100 decisions", "are {of}", HUNDRED),
    "share_of_cards": count_phrases("of 100 cards", "are {of}", HUNDRED),
    "produced": count_phrases("per game", "{of} are produced"),
    "dealt": count_phrases("before the first turn", "{of} are dealt"),
    "taken": count_phrases("per game", "{of} are taken"),
    "spent": count_phrases("per game", "{of} are spent"),
    "exchanged": count_phrases("per game", "{of} are exchanged"),
    "discarded": count_phrases("per game", "{of} are discarded"),
    "traded": count_phrases("per game", "{of} are traded"),
    "seized": count_phrases("per game", "{of} are seized"),
    "idle_turns_by": count_phrases("of 100 turns of {of}", "are idle", HUNDRED),
    "produced_by": count_phrases("per game", "{of} are produced"),
    "taken_by": count_phrases("per game", "{of} are taken"),
    "spent_by": count_phrases("per game", "{of} are spent"),
    "exchanged_by": count_phrases("per game", "{of} are exchanged"),
    "discarded_by": count_phrases("per game", "{of} are discarded"),
    "traded_by": count_phrases("per game", "{of} are traded"),
    "received_by": count_phrases("per game", "{of} are received"),
    "seized_by": count_phrases("per game", "{of} are seized"),
    "lost_by": count_phrases("per game", "{of} are lost"),
    "first_card": round_phrases("the first {of} after set-up comes"),
    "first_piece": round_phrases("the first {of} after set-up comes"),
    "first_award": round_phrases("{of} is first held"),
    "award_points": DifferencePhrases(
        "whoever gains {of} has",
        "{} more points after that turn",
        "{} fewer points after that turn",
    ),
    "refused": count_phrases("{of} rejects", "actions per game"),
    "share_of_refusals": count_phrases("of 100 rejections", "are by {of}", HUNDRED),
    "decided": frequency_phrases("{of} applies"),
    "share_of_lines": count_phrases("of 100 evaluations", "are by {of}", HUNDRED),
    "entered": frequency_phrases("{of} is entered"),
    "share_of_branches": count_phrases("of 100 evaluations", "enter {of}", HUNDRED),
    "coverage": count_phrases("of 100 spaces ({of})", "are occupied", HUNDRED),
}

MAX_SENTENCES_PER_MEASURE = 2
"""Maximum number of sentences about one measure, such as one for each action."""

SHARE_PHRASES = DifferencePhrases("{name}:", *GAMES)
DEFAULT_PHRASES = DifferencePhrases("{name} is", "{} higher", "{} lower")
"""Phrases for measures that are neither in `PHRASES` nor shares."""


def first_measures(
    measures: Iterable[AdjustedMeasure], limit: int
) -> list[AdjustedMeasure]:
    """Return the first *limit* measures.

    At most `MAX_SENTENCES_PER_MEASURE` of them have the same name.
    """
    times: Counter[str] = Counter()
    chosen: list[AdjustedMeasure] = []
    for judged in measures:
        name = judged.contrast.name.partition(".")[0]
        times[name] += 1
        if times[name] <= MAX_SENTENCES_PER_MEASURE and len(chosen) < limit:
            chosen.append(judged)
    return chosen


def difference_sentence(
    measure: AdjustedMeasure, phrases: Mapping[str, DifferencePhrases] = PHRASES
) -> str:
    """Return a sentence about a tested measure: the difference and its evidence."""
    scale = phrases_for(measure, phrases).scale
    return f"{difference_text(measure, phrases)}: {evidence_text(measure, scale)}"


def difference_text(
    measure: AdjustedMeasure,
    phrases: Mapping[str, DifferencePhrases] = PHRASES,
    display_name: Callable[[str], str] = str,
    format_amount: Callable[[str], str] = str,
) -> str:
    """Return the difference of a measure in words, with its interval rounded outward.

    *display_name* returns the display name of a part of the game. *format_amount*
    formats an amount.
    """
    wording, interval = phrases_for(measure, phrases), measure.interval
    assert interval is not None
    low, high, places = rounded_outward(*(wording.scale * end for end in interval))
    name = measure.contrast.name
    names = {
        "of": display_name(name.partition(".")[2] or name),
        "name": display_name(name),
    }
    start = wording.start.format(**names)
    if low >= 0:
        amount = format_amount(range_text(low, high, places))
        return f"{start} {wording.more.format(amount, **names)}"
    if high <= 0:
        amount = format_amount(range_text(-high, -low, places))
        return f"{start} {wording.less.format(amount, **names)}"
    fewer = wording.less.format(
        f"at most {format_amount(format_number(-low, places))}", **names
    )
    more = wording.more.format(format_amount(format_number(high, places)), **names)
    return f"{start} {fewer} or {more}"


def phrases_for(
    measure: AdjustedMeasure, phrases: Mapping[str, DifferencePhrases]
) -> DifferencePhrases:
    """Return the phrases for a measure, or general phrases if it has none."""
    name = measure.contrast.name.partition(".")[0]
    return phrases.get(
        name, SHARE_PHRASES if measure.contrast.is_share else DEFAULT_PHRASES
    )


def evidence_text(measure: AdjustedMeasure, scale: int = 1) -> str:
    """Return both means, and in how many of 100 pairs the value was higher or lower."""
    contrast = measure.contrast
    unit = " of 100" if scale == HUNDRED else ""
    both_whole = (
        not (scale * contrast.first_mean) % 1 and not (scale * contrast.second_mean) % 1
    )
    places = 0 if both_whole else 2
    if contrast.standard_error:
        places = decimal_places(scale * contrast.standard_error)
    texts = [
        format_number(scale * side, places)
        for side in (contrast.first_mean, contrast.second_mean)
    ]
    means = f"{texts[0]} → {texts[1]}{unit}"
    if (
        contrast.lower_pairs is None
        or contrast.higher_pairs is None
        or not contrast.sample_size
    ):
        return means
    same = contrast.sample_size - contrast.lower_pairs - contrast.higher_pairs
    sides = sorted(
        (("lower", contrast.lower_pairs), ("higher", contrast.higher_pairs)),
        key=lambda side: -side[1],
    )
    (first, most), *rest = (
        (side, round(HUNDRED * pairs / contrast.sample_size))
        for side, pairs in (*sides, ("the same", same))
    )
    parts = [f"{first} in {most} of 100 pairs"]
    parts += [f"{side} in {pairs}" for side, pairs in rest if pairs]
    return f"{means}; {', '.join(parts)}"


def rounded_outward(low: float, high: float) -> tuple[float, float, int]:
    """Return an interval rounded outward, and its number of decimal places.

    It is rounded to the first significant digit of its half-width. An interval that
    excludes 0 keeps as many digits as it needs to exclude 0.

    >>> rounded_outward(-13.9, -7.4), rounded_outward(0.2, 3.9)
    ((-14.0, -7.0, 0), (0.2, 3.9, 1))
    """
    half = (high - low) / 2
    places = decimal_places(half) if half > 0 else 0 if low == round(low) else 2
    while True:
        step = 10.0**places
        slack = 1e-9  # for rounding errors
        ends = floor(low * step + slack) / step, ceil(high * step - slack) / step
        if places >= MAX_DECIMALS or low * high <= 0 or all(ends):
            return *ends, max(places, 0)
        places += 1


def decimal_places(size: float) -> int:
    """Return the number of decimal places for one significant digit; negative for tens.

    >>> decimal_places(3.2), decimal_places(0.24), decimal_places(41)
    (0, 1, -1)
    """
    return min(-floor(log10(size)), MAX_DECIMALS) if size > 0 else 0


def range_text(low: float, high: float, places: int) -> str:
    """Return a range of numbers as text."""
    ends = format_number(low, places), format_number(high, places)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def format_number(value: float, places: int) -> str:
    """Return a number with *places* decimal places.

    >>> format_number(1234.56, 1), format_number(1234.56, -1), format_number(-0.04, 1)
    ('1,234.6', '1,230', '0.0')
    """
    rounded = round(value, places) + 0.0
    return f"{rounded:,.{max(places, 0)}f}"


def verdict_heading(verdict: Verdict) -> str:
    """Return the heading for the measures with a verdict."""
    return {
        Verdict.CERTAIN: "certain",
        Verdict.SLIGHT: "certain, but slight",
        Verdict.UNCHANGED: "unchanged: any difference is slight at most",
        Verdict.NOT_KNOWN: (
            "unknown: there may be a more than slight difference or none;"
            " play more games to find out"
        ),
        Verdict.RARE: f"too rare: differs in fewer than {MIN_DIFFERENT_PAIRS} pairs",
        Verdict.SAME: "the same in every pair",
    }[verdict]
