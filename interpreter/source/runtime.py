"""Runtime functions that the generated code of a plan calls by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import ge
from typing import Any

from interpreter.algorithms import constrained_deal
from interpreter.core import stacks
from interpreter.core.layout import StackValue
from interpreter.core.ranks import ranks_by_key, shared_ranks, winners_of
from interpreter.kernel.selections import selections
from interpreter.source import failures
from rulebook.model import NONE

Counts = Sequence[int]
Table = Sequence[tuple[int, ...]]


def seat_bit(seat: int | None) -> int:
    """Return a seat as a bit, or 0 for nobody."""
    return 0 if seat is None or seat < 0 else 1 << seat


def touching_places(rows: Table, members: Iterable[int]) -> list[int]:
    """Return the indices of the rows that share a member with *members*."""
    wanted = set(members)
    return [place for place, row in enumerate(rows) if not wanted.isdisjoint(row)]


def covers(bag: Counts, other: Counts) -> bool:
    """Return whether a bag contains at least the cards of another bag."""
    return all(map(ge, bag, other))


def single_card_bag(size: int, member: int, number: int) -> tuple[int, ...]:
    """Return a bag with copies of one card; a negative number counts as 0."""
    counts = [0] * size
    if member >= 0 and number > 0:
        counts[member] = number
    return tuple(counts)


def bag_of(size: int, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return a bag from pairs of card and number; negative numbers count as 0."""
    counts = [0] * size
    for member, number in pairs:
        counts[member] = max(number, 0)
    return tuple(counts)


def with_value(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """Return a tuple with one value replaced."""
    return (*values[:place], value, *values[place + 1 :])


def best_members(
    members: Sequence[int], key: Callable[[int], tuple[int, ...]]
) -> tuple[int, ...]:
    """Return the members with the largest key, in their original order."""
    keys = [key(member) for member in members]
    most = max(keys, default=())
    return tuple(
        [
            member
            for member, ranking in zip(members, keys, strict=True)
            if ranking == most
        ]
    )


def only_member(members: Sequence[int]) -> int:
    """Return the only member of a set, or none if there is not exactly one."""
    return members[0] if len(members) == 1 else NONE


def bag_outcomes(bag: Counts) -> list[tuple[int, int]]:
    """Return the cards that can be drawn from a bag, with their weights."""
    return [(member, count) for member, count in enumerate(bag) if count]


def stack_outcomes(stack: StackValue) -> list[tuple[int, int]] | int:
    """Return the cards that may be on top, weighted, or the known top card."""
    entries, pool = stack
    if entries and entries[0][0] != NONE:
        return entries[0][0]
    return bag_outcomes(pool)


def filter_outcomes(
    s: list[Any], cells: tuple[int, ...], outcomes: Any, test: Any
) -> list[tuple[Any, int]]:
    """Return the outcomes of a roll for which a condition is true."""
    before = [s[cell] for cell in cells]
    fitting = []
    for faces, weight in outcomes:
        for cell, face in zip(cells, faces, strict=True):
            s[cell] = face
        if test():
            fitting.append((faces, weight))
    for cell, face in zip(cells, before, strict=True):
        s[cell] = face
    return fitting


RUNTIME: dict[str, Any] = {
    "StepLimitReached": constrained_deal.StepLimitReached,
    "around": touching_places,
    "bag_of": bag_of,
    "bag_outcomes": bag_outcomes,
    "best": best_members,
    "begin_dealing": constrained_deal.begin_dealing,
    "begin_spread": constrained_deal.resume_dealing,
    "changed": with_value,
    "conditioned": filter_outcomes,
    "contents": stacks.contents,
    "covers": covers,
    "failed": failures.raise_require_failed,
    "first_of": winners_of,
    "learn": stacks.reveal_unknown,
    "only": only_member,
    "put": stacks.put,
    "ranked": ranks_by_key,
    "seat_bit": seat_bit,
    "selections": selections,
    "sharing": shared_ranks,
    "show": stacks.show,
    "show_top": stacks.show_top,
    "shuffled": stacks.shuffled,
    "single": single_card_bag,
    "spread_outcomes": constrained_deal.spread_outcomes,
    "stack_count": stacks.count,
    "stack_entry": stacks.entry,
    "stack_kinds": stacks.kinds,
    "stack_outcomes": stack_outcomes,
    "take": stacks.take,
    "take_top": stacks.take_top,
    "too_hard": failures.fail_deal_not_found,
    **{str(x): function for x, function in failures.FAILURE_FUNCTIONS.items()},
}
"""Runtime functions by name.

All keys are plain `str`, because CPython looks up globals more slowly if a key belongs
to a subclass.
"""
