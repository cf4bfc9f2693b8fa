"""Lines of Python code: text, or a jump to a step whose number is not yet known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from interpreter.source import code
from interpreter.source.code import Code


@attrs.frozen
class Jump:
    """Line that contains the number of a step, given by its label.

    `prefix` is the text before the number, and `suffix` the text after it.
    """

    prefix: str
    label: int
    suffix: str = ""
    indentation: int = 0

    def resolve(self, step_numbers: Mapping[int, int]) -> str:
        """Return the text of the line, given the step numbers of all labels."""
        start = "    " * self.indentation + self.prefix
        return f"{start}{step_numbers[self.label]}{self.suffix}"


Line = str | Jump
Lines = list[Line]


def jump_to(label: int) -> Jump:
    """Return the line that jumps to a label."""
    return Jump("return ", label)


def indent(lines: Iterable[Line]) -> Lines:
    """Return lines indented by one level."""
    return [
        attrs.evolve(line, indentation=line.indentation + 1)
        if isinstance(line, Jump)
        else f"    {line}"
        for line in lines
    ]


def if_lines(condition: Code, lines: Iterable[Line]) -> Lines:
    """Return lines under an `if`; a constant condition needs no `if`.

    >>> if_lines(code.name("a"), ["b()"]), if_lines(code.literal(True), ["b()"])
    (['if a:', '    b()'], ['b()'])
    """
    if condition.is_constant:
        return list(lines) if condition.constant else []
    return [f"if {condition.text}:", *indent(lines)]


def unless_lines(condition: Code, lines: Iterable[Line]) -> Lines:
    """Return lines that run if a condition is false."""
    return if_lines(code.negate(condition), lines)


def resolve_lines(lines: Lines, step_numbers: Mapping[int, int]) -> list[str]:
    """Return the texts of lines, given the step numbers of all labels."""
    return [
        line.resolve(step_numbers) if isinstance(line, Jump) else line for line in lines
    ]
