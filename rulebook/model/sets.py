"""Values over sets, checked: what is sought in them, counted, summed, measured."""

from __future__ import annotations

import attrs

from rulebook.model.base import Binder, Expr, Part, Typed


@attrs.frozen
class AllOf(Typed):
    """All members of a domain, in order; of `player` the seats in play."""

    domain: str


@attrs.frozen
class Clockwise(Typed):
    """All players from `start` clockwise; reversed, the same list backwards.

    With `after` all others, the next one first; with `turning` the way that the turns
    go.
    """

    start: Expr
    reverse: bool
    after: bool = False
    turning: bool = False


@attrs.frozen
class Numbers(Typed):
    """The whole numbers from low to high; empty when high < low."""

    low: Expr
    high: Expr


@attrs.frozen
class Contains(Typed):
    set: Expr
    member: Expr


@attrs.frozen
class Exists(Binder, Typed):
    """Whether some member of the set meets the condition (None: any)."""


@attrs.frozen
class Find(Binder, Typed):
    """The first member of the set that meets the condition, or none."""


@attrs.frozen
class Filter(Binder, Typed):
    """The members of the set that meet the condition, as a set."""

    where: Expr


@attrs.frozen
class Measure(Part):
    """By what members are compared: the largest is best, or the smallest."""

    value: Expr
    smallest: bool = False


@attrs.frozen
class Best(Binder, Typed):
    """Of the members that meet the condition those whose measures are best, in turn."""

    by: tuple[Measure, ...]


@attrs.frozen
class Sorted(Binder, Typed):
    """The members that meet the condition, by a number; equals stay as they were."""

    value: Expr
    falling: bool = False


@attrs.frozen
class Highest(Binder, Typed):
    """The largest `value` of a member that meets the condition; of nobody 0."""

    value: Expr
    smallest: bool = False


@attrs.frozen
class Only(Typed):
    """The only member of a set; none if there is none, or are several."""

    set: Expr


@attrs.frozen
class Count(Binder, Typed):
    """How many members of the set meet the condition."""


@attrs.frozen
class Sum(Binder, Typed):
    """The sum of `value` over the members that meet the condition."""

    value: Expr


@attrs.frozen
class BagOver(Binder, Typed):
    """The bag with `value` cards of each member that meets the condition.

    A number below 0 counts as none.
    """

    value: Expr


@attrs.frozen
class Per(Part):
    """A value for each member of a kind: the member is in `slot`."""

    slot: int
    name: str
    value: Expr


@attrs.frozen
class LongestTrail(Typed):
    """The most links of the set in one trail (no link twice).

    The trail may not run through a corner for which `closed` holds; it may begin
    or end there. `also` are further sets. It may go on with a link of another set only
    at a corner for which `joint` holds (None: everywhere). With a `weight` the numbers
    of its links are added up.
    """

    links: Expr
    slot: int
    name: str
    closed: Expr
    also: tuple[Expr, ...] = ()
    weight: Per | None = None
    joint: Per | None = None


@attrs.frozen
class Reach(Typed):
    """The spaces to which one gets from `start`, one or a set, over neighbours.

    Every space of a way, its first and last too, meets the condition; with `links`
    every link of it does. The spaces between the first and the last meet `through`.
    A way has at most `within` steps.
    """

    start: Expr
    slot: int
    name: str
    domain: str
    where: Expr | None
    links: bool = False
    through: Per | None = None
    within: Expr | None = None


@attrs.frozen
class Distance(Typed):
    """The steps of a shortest way to `goal`, one space or the nearest of a set.

    Where no way leads to, it is so many as the kind has spaces, more than any way has.
    """

    way: Reach
    goal: Expr
