"""Search for the lines of definitions that explain why a requirement is not met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.explain.condition_parts import Explainer, condition_parts
from rulebook import model as m

MAX_DEPTH = 4


def deciding_lines(
    reader: Explainer, part: m.Expr, depth: int = 0
) -> Iterator[dict[str, Any]]:
    """Yield the lines that decide the value of an expression, outermost first."""
    for name, given in reader.deciding_calls(part):
        define = reader.plan.model.defines[name]
        arguments = [reader.value(argument) for argument in given]
        rest = [None] * (len(define.slots) - len(arguments))
        frame = [0, 0, None, *arguments, *rest]
        inner = Explainer(reader.plan, reader.s, frame)
        for line, decided in applicable_lines(inner, define):
            yield {
                "definition": define.sentence,
                "line": line.label,
                "text": inner.text(decided),
                "values": inner.values(decided),
            }
            if depth < MAX_DEPTH:
                yield from deciding_lines(inner, decided, depth + 1)


def applicable_lines(
    reader: Explainer, define: m.Define
) -> Iterator[tuple[m.DefineLine, m.Expr]]:
    """Yield the line of a definition that applies, with the part of it that decides.

    If no line applies, yield the lines with the most satisfied conditions.
    """
    if define.adds or is_search(define):
        return
    for line in define.lines:
        if line.condition is None or reader.value(line.condition):
            if not (m.is_constant(line.value) or condition_parts(line.value).is_option):
                yield line, reader.failing_part(line.value)
            elif line.condition is not None:
                yield line, line.condition
            return
    conditional = [(x, x.condition) for x in define.lines if x.condition is not None]
    most = max(
        [count_satisfied(reader, condition) for _, condition in conditional], default=0
    )
    for line, condition in conditional:
        if count_satisfied(reader, condition) == most:
            yield line, reader.failing_part(condition)


def is_search(define: m.Define) -> bool:
    """Return whether a definition searches for arguments that make an action legal."""
    return define.action is not None and not define.lines[0].label


def count_satisfied(reader: Explainer, condition: m.Expr) -> int:
    """Return the number of parts of a condition before the first that is false."""
    parts = reader.conjuncts(condition)
    for number, part in enumerate(parts):
        if not reader.value(part):
            return number
    return len(parts)
