"""Points of a sweep: the rules with each of its axes at a value, as a house rule."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import attrs

from rulebook import Rulebook, recheck
from rulebook.tooling import figured
from workbench.analysis.sweep.axes import Axis, Value
from workbench.errors import Refused
from workbench.files.library.house_rules import first_error, house_rule_of

POINTS_MAX = 10_000
"""So many points a grid has at most."""
TRUTHS = {True: "yes", False: "no"}


@attrs.frozen
class Point:
    """A house rule: the values of the axes, what it is called, and its text.

    `wrong` says why it is no game: then there is no text. Where the values are those of
    the game, it is the game: `is_same`.
    """

    values: tuple[Value, ...]
    name: str
    text: str
    book: Rulebook | None = attrs.field(eq=False, repr=False)
    is_same: bool = False
    wrong: str = ""


def grid(axes: Sequence[Axis]) -> Iterator[tuple[Value, ...]]:
    """The values of all points, those of the last axis change fastest."""
    return product(*(axis.values for axis in axes))


def size(axes: Sequence[Axis]) -> int:
    """How many points there are. Raises `Refused` for more than `POINTS_MAX`."""
    number = prod(len(axis.values) for axis in axes)
    if number > POINTS_MAX:
        raise Refused(
            f"{number:,} points are too many: the limit is {POINTS_MAX:,}",
            "use fewer values, or search for a goal with --goal",
        )
    return number


def see_apart(axes: Sequence[Axis]) -> None:
    """Raise `Refused` where one figure is varied twice."""
    for number, axis in enumerate(axes):
        if any((a.address, a.word) == (axis.address, axis.word) for a in axes[:number]):
            raise Refused(f"`{axis.name}` is varied twice")


def point(book: Rulebook, axes: Sequence[Axis], values: Sequence[Value]) -> Point:
    """The rules with these values of the axes."""
    now = book
    for axis, value in zip(axes, values, strict=True):
        changed = figured(now, axis.address, axis.word, value)
        assert changed is not None, axis
        now = attrs.evolve(
            now, merged=attrs.evolve(now.merged, clauses=changed.clauses)
        )
    tests = {key for key in now.merged.clauses if key.is_test}
    kept = {k: c for k, c in now.merged.clauses.items() if book.over or k not in tests}
    checked, diagnostics = recheck(book, kept)
    name = called(book, axes, values)
    if checked is None:
        wrong = first_error(diagnostics)
        return Point(tuple(values), name, "", None, wrong=wrong)
    title = ", ".join(map(axis_text, axes, values)).replace('"', "")
    text = house_rule_of(book, checked, name, f"{book.title}: {title}")
    same = checked.digest == book.digest
    return Point(tuple(values), name, text, checked, same)


def axis_text(axis: Axis, value: Value) -> str:
    """An axis with one of its values, as a designer reads it."""
    return f"{axis.name} = {worded(value)}"


def worded(value: Value) -> str:
    """A value as it is written in rules."""
    return TRUTHS[value] if isinstance(value, bool) else str(value)


def called(book: Rulebook, axes: Sequence[Axis], values: Sequence[Value]) -> str:
    """The name of a point: letters, digits and _ alone."""
    parts = [book.name]
    for axis, value in zip(axes, values, strict=True):
        last = axis.name.split()[-1]
        word = "".join(letter if letter.isalnum() else "_" for letter in last)
        parts.append(f"{word}_{worded(value)}")
    return "_".join(parts)
