"""Evaluation of values that read no state."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import prod

from interpreter.kernel import operations as k

OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
    "|": operator.or_,
    "&": operator.and_,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Meaning of every binary operator and comparison."""

Functions = Callable[[str], tuple[tuple[int, ...], k.Value] | None]
"""Function from a name to the parameters and value of a definition, if it is one."""


class Unknown(Exception):
    """Raised for a value that depends on the state."""


def known(
    e: k.Value, locals_: Mapping[int, int], functions: Functions | None = None
) -> int:
    """Return a value, given some locals. Raise `Unknown` if it reads anything else."""

    def of(x: k.Value) -> int:
        return known(x, locals_, functions)

    match e:
        case k.Int() | k.Amount():
            return e.value
        case k.Var():
            if e.slot not in locals_:
                raise Unknown(e)
            return locals_[e.slot]
        case k.Lookup():
            return int(e.table[of(e.index)])
        case k.Binary() | k.CompareValues():
            return int(OPERATORS[e.operator](of(e.left), of(e.right)))
        case k.Between():
            value = of(e.value)
            return int(
                OPERATORS[e.first](of(e.low), value)
                and OPERATORS[e.second](value, of(e.high))
            )
        case k.Negate():
            return int(not of(e.value))
        case k.All():
            return int(all(map(of, e.parts)))
        case k.Some():
            return int(any(map(of, e.parts)))
        case k.Select():
            return of(e.then if of(e.condition) else e.otherwise)
        case k.GridIndex():
            owner = None if e.owner is None else of(e.owner)
            return grid_index(e, [of(x) for x in e.coordinates], owner)
        case k.CallFunction(arguments=arguments) if functions is not None:
            body = functions(e.function)
            if body is not None:
                given = [of(x) for x in arguments if isinstance(x, k.Value)]
                return known(body[1], dict(zip(body[0], given, strict=True)), functions)
        case _:
            pass
    raise Unknown(e)


def grid_index(e: k.GridIndex, coordinates: list[int], owner: int | None) -> int:
    """Return the index of coordinates in a grid, or -1."""
    index = 0
    for (low, size), at in zip(e.axes, coordinates, strict=True):
        if not 0 <= at - low < size:
            return -1
        index = index * size + at - low
    if owner is None:
        return index
    return -1 if owner < 0 else index + owner * prod(size for _, size in e.axes)
