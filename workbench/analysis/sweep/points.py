"""Points of a sweep: house rules that give each axis a value."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import attrs

from rulebook import Rulebook, recheck
from rulebook.tooling import with_figure
from workbench.analysis.sweep.axes import Axis, Value
from workbench.errors import RequestError
from workbench.files.library.house_rules import first_error_message, house_rule_text

MAX_POINTS = 10_000
"""Maximum number of points of a grid."""
TRUTHS = {True: "yes", False: "no"}


@attrs.frozen
class SweepPoint:
    """Point of a sweep, with the values of its axes and the text of its house rule.

    If the point is not a valid game, `error` is the error and there is no text.
    `is_same` is true if all values are those of the unchanged game.
    """

    values: tuple[Value, ...]
    name: str
    text: str
    book: Rulebook | None = attrs.field(eq=False, repr=False)
    is_same: bool = False
    error: str = ""


def grid_values(axes: Sequence[Axis]) -> Iterator[tuple[Value, ...]]:
    """Yield the values of all points; those of the last axis vary fastest."""
    return product(*(axis.values for axis in axes))


def grid_size(axes: Sequence[Axis]) -> int:
    """Return the number of points of a grid, or raise `RequestError` for too many."""
    number = prod(len(axis.values) for axis in axes)
    if number > MAX_POINTS:
        raise RequestError(
            f"{number:,} points are too many: the limit is {MAX_POINTS:,}",
            "use fewer values, or search for a goal with --goal",
        )
    return number


def check_distinct(axes: Sequence[Axis]) -> None:
    """Raise `RequestError` if two axes vary the same number."""
    for number, axis in enumerate(axes):
        if any((a.address, a.word) == (axis.address, axis.word) for a in axes[:number]):
            raise RequestError(f"`{axis.name}` is varied twice")


def make_point(
    book: Rulebook, axes: Sequence[Axis], values: Sequence[Value]
) -> SweepPoint:
    """Return the point with these values of the axes."""
    new = book
    for axis, value in zip(axes, values, strict=True):
        changed = with_figure(new, axis.address, axis.word, value)
        assert changed is not None, axis
        new = attrs.evolve(
            new, merged=attrs.evolve(new.merged, clauses=changed.clauses)
        )
    tests = {key for key in new.merged.clauses if key.is_test}
    rules = {k: c for k, c in new.merged.clauses.items() if book.over or k not in tests}
    checked, diagnostics = recheck(book, rules)
    name = point_name(book, axes, values)
    if checked is None:
        error = first_error_message(diagnostics)
        return SweepPoint(tuple(values), name, "", None, error=error)
    title = ", ".join(map(axis_text, axes, values)).replace('"', "")
    text = house_rule_text(book, checked, name, f"{book.title}: {title}")
    same = checked.digest == book.digest
    return SweepPoint(tuple(values), name, text, checked, same)


def axis_text(axis: Axis, value: Value) -> str:
    """Return the assignment of a value to an axis, as text."""
    return f"{axis.name} = {rule_value(value)}"


def rule_value(value: Value) -> str:
    """Return a value as written in rule files."""
    return TRUTHS[value] if isinstance(value, bool) else str(value)


def point_name(book: Rulebook, axes: Sequence[Axis], values: Sequence[Value]) -> str:
    """Return the name of a point as an identifier made of its values."""
    parts = [book.name]
    for axis, value in zip(axes, values, strict=True):
        last = axis.name.split()[-1]
        word = "".join(letter if letter.isalnum() else "_" for letter in last)
        parts.append(f"{word}_{rule_value(value)}")
    return "_".join(parts)
