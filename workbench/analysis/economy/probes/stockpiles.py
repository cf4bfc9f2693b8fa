"""Stockpiles: numbers that a definition counts as payable.

No field contains the cards in this case, so the engine is asked. Each number that the
definition reads is raised, one at a time. If a seat can then pay more of one kind, the
number is a stockpile of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter import PositionError
from rulebook import model as m
from rulebook.tooling import PartSort as Sort
from rulebook.tooling import ReadFinder
from workbench.analysis.economy.probes.baseline import Baseline, NumberValue
from workbench.analysis.economy.probes.turns import held_cards

Stockpiles = Mapping[str, tuple[NumberValue, ...]]


def find_stockpiles(baseline: Baseline, seat: str) -> Stockpiles:
    """Return the stockpile fields of a seat by kind, each at its maximum."""
    payments = baseline.payments
    if payments is None or payments.field is not None:
        return {}
    before = held_cards(baseline, baseline.with_holdings(seat, {}), seat)
    table: dict[str, list[NumberValue]] = {}
    for number in _payable_numbers(baseline):
        try:
            now = held_cards(
                baseline, baseline.with_holdings(seat, {}, numbers=(number,)), seat
            )
        except PositionError:
            continue
        match [kind for kind in payments.kinds if now[kind] != before[kind]]:
            case [kind] if now[kind] > before[kind]:
                table.setdefault(kind, []).append(number)
    return {kind: tuple(numbers) for kind, numbers in table.items()}


def find_storage_limits(
    baseline: Baseline, seat: str, stockpiles: Stockpiles
) -> Mapping[str, int]:
    """Return the maximum amount of each kind that a seat's stockpiles can store."""
    limits = {}
    for kind, numbers in stockpiles.items():
        game = baseline.with_holdings(seat, {}, numbers=numbers)
        limits[kind] = held_cards(baseline, game, seat)[kind]
    return limits


def _payable_numbers(baseline: Baseline) -> Iterator[NumberValue]:
    """Yield the number fields that the payment condition reads, at their maximum."""
    assert baseline.payments is not None
    model = baseline.book.model
    for part in ReadFinder(model).parts_read(baseline.payments.requirement.condition):
        field = model.fields[part.name] if part.sort is Sort.FIELD else None
        match field:
            case m.Field(owner=str(owner), type=m.Whole(high=high)) if (
                not field.is_pair
            ):
                for name in baseline.position[owner]:
                    yield NumberValue(owner, name, field.name, high)
