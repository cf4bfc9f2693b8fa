"""Values of definitions in a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.core.slots import FIRST_LOCAL
from interpreter.errors import UsageError
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.plan.plan import Plan
from rulebook import model as m


def definition_value(
    plan: Plan, cells: list[Any], name: str, arguments: Sequence[str | int]
) -> Any:
    """Return the value of a definition as plain data.

    `name` is the name and the kinds of the parameters, as in `worth(player)`. The
    arguments are names of members and numbers. Raise `UsageError` for an unknown
    definition, the wrong number of arguments, or an unknown member.
    """
    name = name.replace(" ", "")
    define = plan.model.defines.get(name)
    if define is None:
        raise UsageError(f"unknown definition {name}", definition=name)
    if len(arguments) != len(define.parameters):
        raise UsageError(
            f"{name} has {len(define.parameters)} parameters, not {len(arguments)}",
            definition=name,
        )
    frame: list[Any] = [0] * FIRST_LOCAL
    given = []
    for slot, (parameter, text) in enumerate(
        zip(define.parameters, arguments, strict=True)
    ):
        value = plan.values.from_text(parameter.type, str(text))
        if value is None:
            raise UsageError(f"{text} is not a value of {parameter.name}")
        frame.append(value)
        given.append(m.variable(slot, parameter.name, parameter.type))
    call = m.call(name, tuple(given), define.type)
    return ExpressionEvaluator(plan, cells, frame).plain(call)
