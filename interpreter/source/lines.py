"""Lines of a Python program: text, or a jump to a step with a yet unknown number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from interpreter.source import code
from interpreter.source.code import Code


@attrs.frozen
class Jump:
    """Line that names a step by its label: `text` is before it, `more` after it."""

    text: str
    label: int
    more: str = ""
    deep: int = 0

    def at(self, places: Mapping[int, int]) -> str:
        """Return the line, given the step numbers of the labels."""
        return f"{'    ' * self.deep}{self.text}{places[self.label]}{self.more}"


Line = str | Jump
Lines = list[Line]


def goes_to(label: int) -> Jump:
    """Return the line that continues at a label."""
    return Jump("return ", label)


def indented(lines: Iterable[Line]) -> Lines:
    """Return lines indented by one level."""
    return [
        attrs.evolve(line, deep=line.deep + 1)
        if isinstance(line, Jump)
        else f"    {line}"
        for line in lines
    ]


def under(condition: Code, lines: Iterable[Line]) -> Lines:
    """Return lines under a condition, without an `if` if the condition is constant.

    >>> under(code.name("a"), ["b()"]), under(code.literal(True), ["b()"])
    (['if a:', '    b()'], ['b()'])
    """
    if condition.known:
        return list(lines) if condition.constant else []
    return [f"if {condition.text}:", *indented(lines)]


def unless(condition: Code, lines: Iterable[Line]) -> Lines:
    """Return lines that run if a condition does not hold."""
    return under(code.negated(condition), lines)


def guarded(tests: Sequence[Code], lines: Lines) -> Lines:
    """Return lines under conditions, if there are any."""
    return under(code.chain("and", list(tests)), lines)


def placed(lines: Lines, places: Mapping[int, int]) -> list[str]:
    """Return lines with labels replaced by step numbers."""
    return [line.at(places) if isinstance(line, Jump) else line for line in lines]
