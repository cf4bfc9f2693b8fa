"""Numbers that only say how much: they are no part of the text, but data beside it.

A cost, how many points win, how many copies or pieces there are: nothing about the
shape of the program depends on them. The text names a place for each; the library is
given the numbers when it is loaded. Rules that differ in nothing else have one text.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import attrs


@attrs.frozen
class Array:
    """An array of numbers of one kind, and what it is, for who reads the text."""

    name: str
    kind: str
    values: tuple[int, ...]
    what: str

    def line(self, *, filled: bool) -> str:
        """Return its declaration, with its numbers or without."""
        numbers = f" = {{{', '.join(map(str, self.values))}}}" if filled else ""
        return f"static UNUSED {self.kind} {self.name}[{len(self.values)}]{numbers};"


@attrs.define
class Amounts:
    """The numbers of one game: single ones, by what they are, and whole arrays."""

    single: dict[Hashable, int] = attrs.field(factory=dict)
    said: list[tuple[int, str]] = attrs.field(factory=list)
    arrays: dict[Hashable, Array] = attrs.field(factory=dict)

    def number(self, value: int, key: Hashable, what: str) -> str:
        """Return the place of a number, made now or before for the same key.

        What is said once may be written out often: then it has one place.
        """
        here = (value, key)
        if here not in self.single:
            self.single[here] = len(self.said)
            self.said.append((value, what))
        return f"AMOUNT[{self.single[here]}]"

    def array(
        self, key: Hashable, name: str, kind: str, values: Sequence[int], what: str
    ) -> str:
        """Return the name of an array of numbers, made now or before."""
        if key not in self.arrays:
            numbers = tuple(map(int, values)) or (0,)
            self.arrays[key] = Array(name, kind, numbers, what)
        return self.arrays[key].name

    @property
    def values(self) -> tuple[int, ...]:
        """All numbers, in the order in which a library is given them."""
        single = [value for value, _ in self.said]
        return (*single, *[n for array in self.arrays.values() for n in array.values])

    def places(self, *, filled: bool, comment: Callable[[str], str]) -> list[str]:
        """Return the declarations of all places; filled, with what stands in them."""
        listed = [
            f"{value}, /* {place}: {comment(what)} */"
            for place, (value, what) in enumerate(self.said)
        ]
        size = max(1, len(self.said))
        head = f"static UNUSED num AMOUNT[{size}]"
        lines = [f"{head} = {{", *(listed or ["0"]), "};"] if filled else [f"{head};"]
        for array in self.arrays.values():
            if filled:
                lines.append(f"/* {comment(array.what)} */")
            lines.append(array.line(filled=filled))
        return lines

    def taken(self) -> list[str]:
        """Return the function by which a library is given its numbers."""
        lines = [
            "CALLED void rb_numbers(const int64_t *given) {",
            f"for (int i = 0; i < {len(self.said)}; i++) AMOUNT[i] = *given++;",
        ]
        for array in self.arrays.values():
            size = len(array.values)
            take = f"{array.name}[i] = ({array.kind})*given++;"
            lines.append(f"for (int i = 0; i < {size}; i++) {take}")
        return [*lines, "(void)given;", "}", ""]
