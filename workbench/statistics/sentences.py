"""Differences in plain words: an interval rounded outward, both means, and the pairs.

A name of a measure is `turns`, or with what it is of `points.red`. What has no words of
its own is said by its name.
"""

from collections.abc import Mapping
from math import ceil, floor, log10

import attrs

from workbench.statistics.contrasts import RARE
from workbench.statistics.family import Judged, Verdict

HUNDRED = 100
PLACES_MAX = 6
"""To how many places a number is given at most."""


@attrs.frozen
class Words:
    """How a measure is said: `begins`, in which `{of}` is what it is of, then `more` or
    `less`, in which `{}` is how much."""

    begins: str
    more: str
    less: str


WORDS: Mapping[str, Words] = {
    "turns": Words("games are", "{} turns longer", "{} turns shorter"),
    "rounds": Words("games are", "{} rounds longer", "{} rounds shorter"),
    "decisions": Words("a game takes", "{} decisions more", "{} decisions fewer"),
    "finished": Words("of 100 games", "{} more are finished", "{} fewer are finished"),
    "draws": Words("of 100 games", "{} more are drawn", "{} fewer are drawn"),
    "wins": Words("{of} wins", "{} games more of 100", "{} games fewer of 100"),
    "points": Words("{of} has", "{} points more", "{} points fewer"),
    "actions": Words("{of} is done", "{} times more a game", "{} times fewer a game"),
}

SHARES = Words("{name}:", "{} games more of 100", "{} games fewer of 100")
OTHERS = Words("{name} is", "{} higher", "{} lower")
"""For what has no words of its own."""


def sentence(judged: Judged, words: Mapping[str, Words] = WORDS) -> str:
    """What may be said of a measure that was tested, in one sentence."""
    return f"{claim(judged, words)}: {evidence(judged)}"


def claim(judged: Judged, words: Mapping[str, Words] = WORDS) -> str:
    """How much a measure differs: the interval rounded outward, in words."""
    said = words_of(judged, words)
    interval = judged.interval
    assert interval is not None
    scale = HUNDRED if judged.contrast.share else 1
    low, high, places = outward(*(scale * end for end in interval))
    name = judged.contrast.name
    begins = said.begins.format(of=name.partition(".")[2] or name, name=name)
    if low >= 0:
        return f"{begins} {said.more.format(span(low, high, places))}"
    if high <= 0:
        return f"{begins} {said.less.format(span(-high, -low, places))}"
    fewer = said.less.format(f"at most {number(-low, places)}")
    return f"{begins} {fewer} or {said.more.format(number(high, places))}"


def words_of(judged: Judged, words: Mapping[str, Words]) -> Words:
    """How a measure is said; a share that has no words of its own is one of 100."""
    name = judged.contrast.name.partition(".")[0]
    if name in words:
        return words[name]
    if judged.contrast.share:
        return SHARES
    return OTHERS


def evidence(judged: Judged) -> str:
    """Both means, and in how many of 100 pairs it was so: that needs no statistics."""
    contrast = judged.contrast
    scale, unit = (HUNDRED, " of 100") if contrast.share else (1, "")
    places = digits(scale * max(contrast.error, 1e-9))
    both = [number(scale * side, places) for side in (contrast.first, contrast.second)]
    means = f"{both[0]} → {both[1]}{unit}"
    if contrast.lower is None or contrast.higher is None or not contrast.number:
        return means
    same = contrast.number - contrast.lower - contrast.higher
    sides = sorted(
        (("lower", contrast.lower), ("higher", contrast.higher)),
        key=lambda side: -side[1],
    )
    (first, most), *rest = (*sides, ("the same", same))
    parts = [f"{first} in {of_hundred(most, contrast.number)} of 100 pairs"]
    parts += [
        f"{side} in {of_hundred(pairs, contrast.number)}"
        for side, pairs in rest
        if pairs
    ]
    return f"{means}; {', '.join(parts)}"


def of_hundred(pairs: int, number: int) -> int:
    """So many of a number of pairs, in a hundred."""
    return round(HUNDRED * pairs / number)


def outward(low: float, high: float) -> tuple[float, float, int]:
    """An interval rounded outward to one digit of its half width, and the places.

    One that excludes 0 has more digits where it would not do so any more.

    >>> outward(-13.9, -7.4), outward(2.11, 2.58), outward(0.2, 3.9)
    ((-14.0, -7.0, 0), (2.1, 2.6, 1), (0.2, 3.9, 1))
    """
    half = (high - low) / 2
    places = digits(half) if half > 0 else 0 if low == round(low) else 2
    while True:
        step = 10.0**places
        nearly = 1e-9  # what stands on a digit stays there
        ends = floor(low * step + nearly) / step, ceil(high * step - nearly) / step
        if places >= PLACES_MAX or low * high <= 0 or all(ends):
            return *ends, max(places, 0)
        places += 1


def digits(size: float) -> int:
    """To how many places a number of this size has one digit; below 0: tens, hundreds.

    >>> digits(3.2), digits(0.24), digits(41)
    (0, 1, -1)
    """
    return min(-floor(log10(size)), PLACES_MAX) if size > 0 else 0


def span(low: float, high: float, places: int) -> str:
    """From one number to another."""
    ends = number(low, places), number(high, places)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def number(value: float, places: int) -> str:
    """A number to so many places.

    >>> number(1234.56, 1), number(1234.56, -1), number(-0.04, 1)
    ('1,234.6', '1,230', '0.0')
    """
    rounded = round(value, places) + 0.0
    return f"{rounded:,.{max(places, 0)}f}"


def verdict_words(verdict: Verdict) -> str:
    """What stands above the measures of a verdict."""
    return {
        Verdict.CERTAIN: "certain",
        Verdict.SLIGHT: "certain, but slight",
        Verdict.UNCHANGED: "unchanged: any difference there may be is slight",
        Verdict.NOT_KNOWN: "not known: it may be more than slight, or nothing",
        Verdict.RARE: f"too rare: differs in fewer than {RARE} pairs",
        Verdict.SAME: "the same in every pair",
    }[verdict]
