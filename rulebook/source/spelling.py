"""Suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_LETTERS_PER_MISTAKE = 3
_MISTAKES_MAX = 3


_EQUIVALENTS = {
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


def foreign_word_help(name: str) -> str | None:
    """Return help that names the equivalent of a word of another language, or None."""
    word = name.casefold()
    if word in _NUMBERS:
        return f"write `{_NUMBERS.index(word)}`"
    return f"write `{_EQUIVALENTS[word]}`" if word in _EQUIVALENTS else None


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most similar to *name*, or None if none is similar.

    A similar name has at most one mistake for every three letters, and at most three in
    all. A word of two letters is similar to no other. Case does not count. Of two
    equally similar names, the one with the same first letter wins, then the first.
    """
    return next(iter(nearest_names(name, candidates)), None)


def nearest_names(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the candidates that are most similar to *name*, the best one first."""
    wanted = name.casefold()
    least = min(_MISTAKES_MAX, max(1, len(wanted) // _LETTERS_PER_MISTAKE))
    near: list[str] = []
    for candidate in candidates:
        if abs(len(candidate) - len(wanted)) > least:
            continue
        other = candidate.casefold()
        mistakes = edit_distance(wanted, other)
        if mistakes > least or 2 * mistakes >= max(len(wanted), len(other)):
            continue
        if mistakes < least:
            near, least = [], mistakes
        near.append(candidate)
    return tuple(sorted(near, key=lambda it: it[:1].casefold() != wanted[:1]))


def join_with_or(words: Sequence[str]) -> str:
    """Return words as text: `a`, `a or b`, `a, b or c`."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def edit_distance(left: str, right: str) -> int:
    """Return the minimum number of edits that turn one word into another.

    An edit inserts, deletes or changes a letter, or swaps two neighbours. No letter is
    edited twice (restricted Damerau-Levenshtein distance, "optimal string alignment").
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
