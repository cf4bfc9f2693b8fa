"""Lines of the Python program: text, or a jump to a step whose number comes later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from interpreter.source import code
from interpreter.source.code import Code


@attrs.frozen
class Jump:
    """A line that names a step by its label: `text` is before it, `more` after it."""

    text: str
    label: int
    more: str = ""
    deep: int = 0

    def at(self, places: Mapping[int, int]) -> str:
        """Return the line when it is known where the labels are."""
        return f"{'    ' * self.deep}{self.text}{places[self.label]}{self.more}"


Line = str | Jump
Lines = list[Line]


def goes_to(label: int) -> Jump:
    """Return the line that goes on at a label."""
    return Jump("return ", label)


def indented(lines: Iterable[Line]) -> Lines:
    """Return lines one level further in."""
    return [
        attrs.evolve(line, deep=line.deep + 1)
        if isinstance(line, Jump)
        else f"    {line}"
        for line in lines
    ]


def under(condition: Code, lines: Iterable[Line]) -> Lines:
    """Return lines under a condition, unless that is known.

    >>> under(code.name("a"), ["b()"]), under(code.literal(True), ["b()"])
    (['if a:', '    b()'], ['b()'])
    """
    if condition.known:
        return list(lines) if condition.constant else []
    return [f"if {condition.text}:", *indented(lines)]


def unless(condition: Code, lines: Iterable[Line]) -> Lines:
    """Return lines for where a condition does not hold."""
    return under(code.negated(condition), lines)


def guarded(tests: Sequence[Code], lines: Lines) -> Lines:
    """Put lines under conditions, if there are any."""
    return under(code.chain("and", list(tests)), lines)


def placed(lines: Lines, places: Mapping[int, int]) -> list[str]:
    """Return lines with the numbers of the steps that they go to."""
    return [line.at(places) if isinstance(line, Jump) else line for line in lines]
