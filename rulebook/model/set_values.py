"""Checked expressions over sets: searches, counts, sums and measures."""

from __future__ import annotations

from typing import ClassVar

import attrs

from rulebook.model.base_parts import Binder, Expr, Part, Typed


@attrs.frozen
class AllOf(Typed):
    """All members of a domain, in order; for `player` the seats in play."""

    is_fixed = True

    domain: str


@attrs.frozen
class Clockwise(Typed):
    """All players clockwise from `start`; with `reverse`, the same list backwards.

    With `after`, all other players, starting with the next one. With `turning`, the
    order follows the current direction of turns.
    """

    start: Expr
    reverse: bool
    after: bool = False
    turning: bool = False


@attrs.frozen
class NumberSet(Typed):
    """Whole numbers from low to high; empty if high < low."""

    low: Expr
    high: Expr


@attrs.frozen
class Contains(Typed):
    set: Expr
    member: Expr


@attrs.frozen
class Exists(Binder, Typed):
    """Condition that the set has a member, which meets `where` if that is given."""


@attrs.frozen
class FindMember(Binder, Typed):
    """First member of the set that meets the condition, or none."""


@attrs.frozen(slots=False)
class Subset(Binder):
    """Base class of sets of selected members of another set."""


@attrs.frozen
class Filter(Subset, Typed):
    """Set of the members that meet the condition."""

    where: Expr


@attrs.frozen
class RankMeasure(Part):
    """Number by which members are compared; the largest or the smallest is best."""

    value: Expr
    smallest: bool = False


@attrs.frozen
class BestMembers(Subset, Typed):
    """Members that meet the condition and have the best measures.

    The measures are compared in order.
    """

    by: tuple[RankMeasure, ...]


@attrs.frozen
class SortedMembers(Subset, Typed):
    """Members that meet the condition, in a stable order by a number.

    With `count`, at most the first `count` of them.
    """

    value: Expr
    falling: bool = False
    count: Expr | None = None


@attrs.frozen
class Highest(Binder, Typed):
    """Largest (or smallest) `value` among matching members; 0 if no member matches."""

    value: Expr
    smallest: bool = False


@attrs.frozen
class OnlyMember(Typed):
    """The single member of a set; none if the set is empty or has several members."""

    set: Expr


@attrs.frozen
class CountMembers(Binder, Typed):
    """Number of members of the set that meet the condition."""


@attrs.frozen
class SumOver(Binder, Typed):
    """Sum of `value` over all members that meet the condition."""

    value: Expr


@attrs.frozen
class BagOver(Binder, Typed):
    """Bag with `value` copies of each member that meets the condition.

    A negative number counts as 0.
    """

    value: Expr


COMBINATION = "combination"
"""Default name of the variable for a combination."""


@attrs.frozen(slots=False)
class Combinations:
    """Variable that ranges over the combinations of cards in a bag or stack.

    A combination is a bag of `least` to `most` of the cards (None: no limit), at least
    one. Equal cards are different cards, so several combinations can be equal bags. If
    `given`, a condition that does not read the combination, is false, there are none.
    """

    scope: ClassVar[tuple[str, ...]] = ("where", "value")

    slot: int
    name: str
    holder: Expr
    least: Expr | None
    most: Expr | None
    given: Expr | None
    where: Expr | None


@attrs.frozen
class CombinationExists(Combinations, Typed):
    """Condition that a combination exists, which meets `where` if that is given."""


@attrs.frozen
class CountCombinations(Combinations, Typed):
    """Number of combinations that meet the condition."""


@attrs.frozen
class HighestCombination(Combinations, Typed):
    """Largest (or smallest) `value` among matching combinations; 0 if none matches."""

    value: Expr
    smallest: bool = False


@attrs.frozen
class Per(Part):
    """Value or condition that is evaluated with each member of a kind in `slot`."""

    scope = ("value",)

    slot: int
    name: str
    value: Expr


@attrs.frozen
class LongestTrail(Typed):
    """Maximum number of links in one trail, which uses no link twice.

    The trail may begin or end at a corner for which `closed` is true, but may not
    continue there. `also` are further sets of links. The trail may change to a link of
    another set only at a corner for which `joint` is true (None: everywhere). With a
    `weight`, the result is the sum of the weights of the links.
    """

    scope = ("closed",)

    links: Expr
    slot: int
    name: str
    closed: Expr
    also: tuple[Expr, ...] = ()
    weight: Per | None = None
    joint: Per | None = None


@attrs.frozen
class Reach(Typed):
    """Spaces that can be reached from `start` (one space or a set) via neighbours.

    Every space of a path, including the first and last, meets the condition; with
    `links`, every link of it does. Every step from one space (the variable of `step`)
    to the next meets `step`. The spaces between the first and the last meet `through`.
    A path has at most `within` steps.
    """

    scope = ("where", "step")

    start: Expr
    slot: int
    name: str
    domain: str
    where: Expr | None
    links: bool = False
    through: Per | None = None
    within: Expr | None = None
    step: Per | None = None


@attrs.frozen
class Distance(Typed):
    """Number of steps of a shortest path to `goal`, one space or the nearest of a set.

    With a `price`, it is the total price of a cheapest path; the first space costs
    nothing, and a negative price counts as 0. Without a path, it is the highest number
    of the type, which exceeds any length.
    """

    way: Reach
    goal: Expr
    price: Per | None = None
