"""The nearest name: what somebody who mistyped a name probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_LETTERS_PER_MISTAKE = 3
_MISTAKES_MAX = 3


_MEANT = {
    "true": "yes",
    "false": "no",
    "null": "none",
    "nil": "none",
    "me": "you",
    "won": "winner is …",
}
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve"),
)


def meant(name: str) -> str | None:
    """Return a help line for a word that other languages have for one of this."""
    word = name.casefold()
    if word in _NUMBERS:
        return f"write `{_NUMBERS.index(word)}`"
    return f"write `{_MEANT[word]}`" if word in _MEANT else None


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the first of the candidates most like `name`, or None when none is near.

    Near is at most one mistake for every three letters of the name, and at most
    three; a word of two letters is near no other. Case does not count. Of two
    equally near the one that begins alike wins, then the first.
    """
    return next(iter(all_nearest(name, candidates)), None)


def all_nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return all candidates that are as near to `name` as the nearest, it first.

    What near means, and which of them is first, is said at `nearest`.
    """
    wanted = name.casefold()
    least = min(_MISTAKES_MAX, max(1, len(wanted) // _LETTERS_PER_MISTAKE))
    near: list[str] = []
    for candidate in candidates:
        if abs(len(candidate) - len(wanted)) > least:
            continue
        other = candidate.casefold()
        mistakes = distance(wanted, other)
        if mistakes > least or 2 * mistakes >= max(len(wanted), len(other)):
            continue
        if mistakes < least:
            near, least = [], mistakes
        near.append(candidate)
    return tuple(sorted(near, key=lambda it: it[:1].casefold() != wanted[:1]))


def either(words: Sequence[str]) -> str:
    """Return `a`, `a or b`, `a, b or c`."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def distance(left: str, right: str) -> int:
    """Return the mistakes between two words: letters put in, left out or changed.

    Two neighbours exchanged are one mistake (Damerau's measure in the restricted
    form, "optimal string alignment": no letter is touched twice).
    """
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        here = [row]
        for column, other in enumerate(right, 1):
            cost = min(
                above[column] + 1,
                here[column - 1] + 1,
                above[column - 1] + (letter != other),
            )
            exchanged = (
                row > 1
                and column > 1
                and letter == right[column - 2]
                and left[row - 2] == other
            )
            if exchanged:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        before, above = above, here
    return above[-1]
