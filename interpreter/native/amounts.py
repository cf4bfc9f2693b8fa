"""Amounts: numbers that the C code reads as data, not as literals.

Examples are costs, the points needed to win, and numbers of copies or pieces. The
program does not depend on them; the library receives them when it is loaded. Rules that
differ only in amounts therefore share one compiled library.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import attrs


@attrs.frozen
class Array:
    """Array of amounts of one C type, with a comment for readers of the C code."""

    name: str
    kind: str
    values: tuple[int, ...]
    comment: str

    def declaration(self, *, with_values: bool) -> str:
        """Return the C declaration, including the numbers if `with_values` is true."""
        numbers = f" = {{{', '.join(map(str, self.values))}}}" if with_values else ""
        return f"static UNUSED {self.kind} {self.name}[{len(self.values)}]{numbers};"


@attrs.define
class Amounts:
    """Amounts of one game: single numbers and arrays, each by key."""

    single: dict[Hashable, int] = attrs.field(factory=dict)
    numbers: list[tuple[int, str]] = attrs.field(factory=list)
    arrays: dict[Hashable, Array] = attrs.field(factory=dict)

    def number(self, value: int, key: Hashable, comment: str) -> str:
        """Return the C expression for a number; equal keys share one variable.

        A number that appears once in the rules may be used several times in the code.
        """
        identity = (value, key)
        if identity not in self.single:
            self.single[identity] = len(self.numbers)
            self.numbers.append((value, comment))
        return f"AMOUNT[{self.single[identity]}]"

    def array(
        self, key: Hashable, name: str, kind: str, values: Sequence[int], comment: str
    ) -> str:
        """Return the C name of an array of numbers; equal keys share one array."""
        if key not in self.arrays:
            numbers = tuple(map(int, values)) or (0,)
            self.arrays[key] = Array(name, kind, numbers, comment)
        return self.arrays[key].name

    @property
    def values(self) -> tuple[int, ...]:
        """All numbers, in the order in which the library receives them."""
        single = [value for value, _ in self.numbers]
        return (*single, *[n for array in self.arrays.values() for n in array.values])

    def declarations(
        self, *, with_values: bool, comment: Callable[[str], str]
    ) -> list[str]:
        """Return the declarations of all amounts; `with_values` adds their values."""
        listed = [
            f"{value}, /* {place}: {comment(origin)} */"
            for place, (value, origin) in enumerate(self.numbers)
        ]
        size = max(1, len(self.numbers))
        head = f"static UNUSED num AMOUNT[{size}]"
        lines = (
            [f"{head} = {{", *(listed or ["0"]), "};"] if with_values else [f"{head};"]
        )
        for array in self.arrays.values():
            if with_values:
                lines.append(f"/* {comment(array.comment)} */")
            lines.append(array.declaration(with_values=with_values))
        return lines

    def receiver(self) -> list[str]:
        """Return the lines of the C function that stores the numbers it is passed."""
        lines = [
            "CALLED void rb_numbers(const int64_t *given) {",
            f"for (int i = 0; i < {len(self.numbers)}; i++) AMOUNT[i] = *given++;",
        ]
        for array in self.arrays.values():
            size = len(array.values)
            take = f"{array.name}[i] = ({array.kind})*given++;"
            lines.append(f"for (int i = 0; i < {size}; i++) {take}")
        return [*lines, "(void)given;", "}", ""]
