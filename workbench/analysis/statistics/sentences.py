"""Sentences about differences: the rounded interval, both means and the pairs.

The name of a measure is `turns`, or `points.red` if it belongs to a part of the game.
Measures without a phrase are described by their name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor, log10

import attrs

from workbench.analysis.statistics.contrasts import RARE
from workbench.analysis.statistics.family import AdjustedMeasure, Verdict

HUNDRED = 100
PLACES_MAX = 6
"""Maximum number of decimal places of a number in a sentence."""


@attrs.frozen
class Words:
    """Phrases that describe the difference of a measure.

    `begins` starts the sentence and may contain `{of}`, the part of the game. `more` or
    `less` follows, with `{}` for the amount. Amounts are multiplied by `scale`: 100 for
    amounts per hundred.
    """

    begins: str
    more: str
    less: str
    scale: int = 1


def more_or_fewer(begins: str, what: str, scale: int = 1) -> Words:
    """Return the phrases for a count: more or fewer of *what*."""
    return Words(begins, f"{{}} more {what}", f"{{}} fewer {what}", scale)


def times(begins: str) -> Words:
    """Return the phrases for an event that happens more or less often per game."""
    return Words(begins, "{} times more per game", "{} times fewer per game")


def when(begins: str) -> Words:
    """Return the phrases for an event that happens in a later or earlier round."""
    return Words(begins, "{} rounds later", "{} rounds earlier")


POINTS = ("{} more points", "{} fewer points")
GAMES = ("{} more of 100 games", "{} fewer of 100 games", HUNDRED)

WORDS: Mapping[str, Words] = {
    "turns": Words("games are", "{} turns longer", "{} turns shorter"),
    "rounds": Words("games are", "{} rounds longer", "{} rounds shorter"),
    "decisions": Words("a game takes", "{} more decisions", "{} fewer decisions"),
    "finished": more_or_fewer("of 100 games", "are finished", HUNDRED),
    "draws": more_or_fewer("of 100 games", "are drawn", HUNDRED),
    "ties": more_or_fewer("of 100 games", "are tied", HUNDRED),
    "wins": Words("{of} wins", *GAMES),
    "wins_from": Words("position {of} in turn order wins", *GAMES),
    "gain": Words("relative to its share of seats, {of} wins", *GAMES),
    "points": Words("{of} has", *POINTS),
    "points_from": Words("position {of} in turn order has", *POINTS),
    "margin": Words("the winner is ahead by", *POINTS),
    "comeback": Words("the winner was behind by", *POINTS),
    "known_for": Words("the final lead lasts", "{} more turns", "{} fewer turns"),
    "drama": Words("on average over all turns, the winner is behind by", *POINTS),
    "decisiveness": more_or_fewer(
        "of 100 turns", "are played after the game is decided", HUNDRED
    ),
    "lead_changes": times("the lead changes"),
    "branching": more_or_fewer("in a decision", "actions are legal"),
    "branching_at": more_or_fewer("when {of} is chosen", "actions are legal"),
    "real_choices": more_or_fewer("of 100 decisions", "leave a choice", HUNDRED),
    "idle_turns": more_or_fewer("of 100 turns", "are idle", HUNDRED),
    "actions": times("{of} is chosen"),
    "share_of_actions": more_or_fewer("of 100 decisions", "are {of}", HUNDRED),
    "share_of_cards": more_or_fewer("of 100 cards", "are {of}", HUNDRED),
    "produced": more_or_fewer("per game", "{of} are produced"),
    "dealt": more_or_fewer("before the first turn", "{of} are dealt"),
    "taken": more_or_fewer("per game", "{of} are taken"),
    "spent": more_or_fewer("per game", "{of} are spent"),
    "exchanged": more_or_fewer("per game", "{of} are exchanged"),
    "discarded": more_or_fewer("per game", "{of} are discarded"),
    "traded": more_or_fewer("per game", "{of} are traded"),
    "seized": more_or_fewer("per game", "{of} are seized"),
    "idle_turns_by": more_or_fewer("of 100 turns of {of}", "are idle", HUNDRED),
    "produced_by": more_or_fewer("per game", "{of} are produced"),
    "taken_by": more_or_fewer("per game", "{of} are taken"),
    "spent_by": more_or_fewer("per game", "{of} are spent"),
    "exchanged_by": more_or_fewer("per game", "{of} are exchanged"),
    "discarded_by": more_or_fewer("per game", "{of} are discarded"),
    "traded_by": more_or_fewer("per game", "{of} are traded"),
    "received_by": more_or_fewer("per game", "{of} are received"),
    "seized_by": more_or_fewer("per game", "{of} are seized"),
    "lost_by": more_or_fewer("per game", "{of} are lost"),
    "first_card": when("the first {of} after set-up comes"),
    "first_piece": when("the first {of} after set-up comes"),
    "first_award": when("{of} is first held"),
    "award_points": Words(
        "whoever gains {of} has",
        "{} more points after that turn",
        "{} fewer points after that turn",
    ),
    "refused": more_or_fewer("{of} rejects", "actions per game"),
    "share_of_refusals": more_or_fewer("of 100 rejections", "are by {of}", HUNDRED),
    "decided": times("{of} applies"),
    "share_of_lines": more_or_fewer("of 100 evaluations", "are by {of}", HUNDRED),
    "entered": times("{of} is entered"),
    "share_of_branches": more_or_fewer("of 100 evaluations", "enter {of}", HUNDRED),
    "coverage": more_or_fewer("of 100 spaces ({of})", "are occupied", HUNDRED),
}

ALIKE_MAX = 2
"""Maximum number of sentences about one measure, such as one for each action."""

SHARES = Words("{name}:", *GAMES)
OTHERS = Words("{name} is", "{} higher", "{} lower")
"""Phrases for measures that have none."""


def foremost(measures: Iterable[AdjustedMeasure], most: int) -> list[AdjustedMeasure]:
    """Return the first *most* measures, with at most `ALIKE_MAX` of the same name."""
    times: Counter[str] = Counter()
    said: list[AdjustedMeasure] = []
    for judged in measures:
        name = judged.contrast.name.partition(".")[0]
        times[name] += 1
        if times[name] <= ALIKE_MAX and len(said) < most:
            said.append(judged)
    return said


def sentence(judged: AdjustedMeasure, words: Mapping[str, Words] = WORDS) -> str:
    """Return a sentence about a tested measure: the difference and its evidence."""
    scale = words_of(judged, words).scale
    return f"{in_words(judged, words)}: {evidence(judged, scale)}"


def in_words(
    judged: AdjustedMeasure,
    words: Mapping[str, Words] = WORDS,
    called: Callable[[str], str] = str,
    dressed: Callable[[str], str] = str,
) -> str:
    """Return the difference of a measure in words, with its interval rounded outward.

    *called* returns the display name of a part of the game. *dressed* formats an
    amount.
    """
    words_for, interval = words_of(judged, words), judged.interval
    assert interval is not None
    low, high, places = outward(*(words_for.scale * end for end in interval))
    name = judged.contrast.name
    of = {"of": called(name.partition(".")[2] or name), "name": called(name)}
    begins = words_for.begins.format(**of)
    if low >= 0:
        much = dressed(span(low, high, places))
        return f"{begins} {words_for.more.format(much, **of)}"
    if high <= 0:
        much = dressed(span(-high, -low, places))
        return f"{begins} {words_for.less.format(much, **of)}"
    fewer = words_for.less.format(f"at most {dressed(number(-low, places))}", **of)
    more = words_for.more.format(dressed(number(high, places)), **of)
    return f"{begins} {fewer} or {more}"


def words_of(judged: AdjustedMeasure, words: Mapping[str, Words]) -> Words:
    """Return the phrases for a measure, or general ones if it has none."""
    name = judged.contrast.name.partition(".")[0]
    return words.get(name, SHARES if judged.contrast.share else OTHERS)


def evidence(judged: AdjustedMeasure, scale: int = 1) -> str:
    """Return both means, and in how many of 100 pairs the value was higher or lower."""
    contrast = judged.contrast
    unit = " of 100" if scale == HUNDRED else ""
    both_whole = not (scale * contrast.first) % 1 and not (scale * contrast.second) % 1
    places = 0 if both_whole else 2
    if contrast.error:
        places = digits(scale * contrast.error)
    both = [number(scale * side, places) for side in (contrast.first, contrast.second)]
    means = f"{both[0]} → {both[1]}{unit}"
    if contrast.lower is None or contrast.higher is None or not contrast.number:
        return means
    same = contrast.number - contrast.lower - contrast.higher
    sides = sorted(
        (("lower", contrast.lower), ("higher", contrast.higher)),
        key=lambda side: -side[1],
    )
    (first, most), *rest = (
        (side, round(HUNDRED * pairs / contrast.number))
        for side, pairs in (*sides, ("the same", same))
    )
    parts = [f"{first} in {most} of 100 pairs"]
    parts += [f"{side} in {pairs}" for side, pairs in rest if pairs]
    return f"{means}; {', '.join(parts)}"


def outward(low: float, high: float) -> tuple[float, float, int]:
    """Return an interval rounded outward, and its number of decimal places.

    It is rounded to the first significant digit of its half-width. An interval that
    excludes 0 keeps as many digits as it needs to exclude 0.

    >>> outward(-13.9, -7.4), outward(2.11, 2.58), outward(0.2, 3.9)
    ((-14.0, -7.0, 0), (2.1, 2.6, 1), (0.2, 3.9, 1))
    """
    half = (high - low) / 2
    places = digits(half) if half > 0 else 0 if low == round(low) else 2
    while True:
        step = 10.0**places
        nearly = 1e-9  # tolerance for rounding errors
        ends = floor(low * step + nearly) / step, ceil(high * step - nearly) / step
        if places >= PLACES_MAX or low * high <= 0 or all(ends):
            return *ends, max(places, 0)
        places += 1


def digits(size: float) -> int:
    """Return the number of decimal places for one significant digit; negative for tens.

    >>> digits(3.2), digits(0.24), digits(41)
    (0, 1, -1)
    """
    return min(-floor(log10(size)), PLACES_MAX) if size > 0 else 0


def span(low: float, high: float, places: int) -> str:
    """Return a range of numbers as text."""
    ends = number(low, places), number(high, places)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def number(value: float, places: int) -> str:
    """Return a number with *places* decimal places.

    >>> number(1234.56, 1), number(1234.56, -1), number(-0.04, 1)
    ('1,234.6', '1,230', '0.0')
    """
    rounded = round(value, places) + 0.0
    return f"{rounded:,.{max(places, 0)}f}"


def verdict_words(verdict: Verdict) -> str:
    """Return the heading for the measures with a verdict."""
    return {
        Verdict.CERTAIN: "certain",
        Verdict.SLIGHT: "certain, but slight",
        Verdict.UNCHANGED: "unchanged: any difference is slight at most",
        Verdict.NOT_KNOWN: (
            "unknown: there may be a more than slight difference or none;"
            " play more games to find out"
        ),
        Verdict.RARE: f"too rare: differs in fewer than {RARE} pairs",
        Verdict.SAME: "the same in every pair",
    }[verdict]
