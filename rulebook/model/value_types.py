"""Types of values. Every type is finite and known before play.

At run time a truth is a bool and a number an int. A member is its index in its domain
(-1 for `none`). A bag is a tuple of counts with one count for each member. A set is a
tuple of indices in the domain's order. A stack is read through its own operations.
"""

from __future__ import annotations

import attrs

NONE = -1


@attrs.frozen
class Truth:
    """Type of yes and no."""

    def __str__(self) -> str:
        return "yes/no"


@attrs.frozen
class Whole:
    """Type of whole numbers from `low` to `high` inclusive, or `none` if `optional`."""

    low: int
    high: int
    optional: bool = False

    def __str__(self) -> str:
        return f"{self.low} to {self.high}{' or none' * self.optional}"


@attrs.frozen
class Member:
    """Type of members of a domain, or `none` if `optional`."""

    domain: str
    optional: bool = False

    def __str__(self) -> str:
        return f"{self.domain} or none" if self.optional else self.domain


@attrs.frozen
class Bag:
    """Type of bags, with a count for each member of a domain."""

    domain: str

    def __str__(self) -> str:
        return f"bag of {self.domain}"


@attrs.frozen
class Stack:
    """Type of ordered stacks of a domain's cards, with the top card first."""

    domain: str

    def __str__(self) -> str:
        return f"stack of {self.domain}"


@attrs.frozen
class SetOf:
    """Type of sets of members of a domain, or of numbers if the domain is None."""

    domain: str | None

    def __str__(self) -> str:
        return f"set of {self.domain or 'numbers'}"


@attrs.frozen
class Tally:
    """Type of tallies: a number for each combination of members of `domains`."""

    domains: tuple[str, ...]

    def __str__(self) -> str:
        return f"tally of {' and '.join(self.domains)}"


@attrs.frozen
class NoneType:
    """Type of `none` before its domain is known."""

    def __str__(self) -> str:
        return "none"


Type = Truth | Whole | Member | Bag | Stack | SetOf | Tally | NoneType
