"""Results of dice rolls in a game, counted and compared with their expectation.

Only rolls whose probabilities are fixed are counted: all rolls of an event use the same
dice without a condition. Dice that the rules add up are counted by their sum, all
others by their faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulebook.model import Field, Member, Model, RollDice, Whole
from rulebook.tooling import find
from workbench.presentation.localization.localizer import Localizer

MAX_ROWS = 40
"""Maximum number of different results in a table; rolls with more are left out."""


@attrs.frozen
class RollTable:
    """Counted results of dice.

    `rows` are the results with their count and their expected count; `rolls` is the
    sum of the counts.
    """

    dice: tuple[str, ...]
    is_sum: bool
    rolls: int
    rows: tuple[tuple[Any, int, float], ...]


def roll_tables(
    log: Sequence[Mapping[str, Any]], localizer: Localizer
) -> Iterator[RollTable]:
    """Yield the tables for the rolls in a log, without hidden and unfair results."""
    assert localizer.book is not None
    model = localizer.book.model
    for event, dice in fixed_rolls(model).items():
        outcomes = [
            tuple(line["outcome"])
            for line in log
            if line.get("chance") == event and isinstance(line["outcome"], list)
        ]
        fields = [model.fields[name] for name in dice]
        faces = [face_values(model, field) for field in fields]
        if not outcomes or not all(faces):
            continue
        if event in localizer.summed_rolls and dice[1:]:
            parts = [(tuple(range(len(dice))), True)]
        else:
            parts = [(group, False) for group in equal_dice(faces)]
        for numbers, is_sum in parts:
            yield from _table(dice, numbers, outcomes, faces, is_sum=is_sum)


def _table(
    dice: Sequence[str],
    numbers: Sequence[int],
    outcomes: Sequence[Sequence[Any]],
    faces: Sequence[Sequence[Any]],
    *,
    is_sum: bool,
) -> Iterator[RollTable]:
    """Yield the table for the dice with these numbers, unless it is too long."""
    if is_sum:
        chances = sum_chances([faces[number] for number in numbers])
        results = Counter(sum(rolled[n] for n in numbers) for rolled in outcomes)
        throws = len(outcomes)
    else:
        chances = sum_chances([faces[numbers[0]]])
        results = Counter(rolled[n] for rolled in outcomes for n in numbers)
        throws = len(outcomes) * len(numbers)
    if len(chances) <= MAX_ROWS:
        rows = [
            (value, results[value], throws * chance)
            for value, chance in chances.items()
        ]
        names = tuple(dice[number] for number in numbers)
        yield RollTable(names, is_sum, throws, tuple(rows))


def fixed_rolls(model: Model) -> dict[str, tuple[str, ...]]:
    """Return the dice of each event whose rolls all have the same probabilities."""
    code = (*model.procedures.values(), *model.actions.values())
    by_event: dict[str, set[tuple[tuple[str, ...], bool]]] = {}
    for roll in find(code, RollDice):
        is_free = roll.condition is None
        by_event.setdefault(roll.event, set()).add((roll.fields, is_free))
    return {
        event: dice
        for event, variants in by_event.items()
        for dice, is_free in variants
        if is_free and len(variants) == 1
    }


def face_values(model: Model, die: Field) -> list[Any]:
    """Return the face of each side of a die, as logs show it; empty if unsupported."""
    match die.type:
        case Whole():
            return list(die.faces)
        case Member(domain=domain):
            members = model.domains[domain].members
            return [members[face] for face in die.faces]
        case _:
            return []


def equal_dice(faces: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    """Return the numbers of the dice, grouped by equal faces."""
    groups: dict[tuple[Any, ...], tuple[int, ...]] = {}
    for number, sides in enumerate(faces):
        key = tuple(sorted(sides, key=str))
        groups[key] = (*groups.get(key, ()), number)
    return list(groups.values())


def sum_chances(faces: Sequence[Sequence[Any]]) -> dict[Any, float]:
    """Return the probability of each sum of dice, or of each face of a single die."""
    first, *others = faces
    weights = Counter(first)
    for sides in others:
        longer = Counter[Any]()
        for total, weight in weights.items():
            for face in sides:
                longer[total + face] += weight
        weights = longer
    whole = weights.total()
    numbers = all(isinstance(value, int) for value in weights)
    values = sorted(weights) if numbers else weights
    return {value: weights[value] / whole for value in values}
