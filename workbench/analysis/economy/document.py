"""Economy of a game as plain data, printed by `rulebook economy --json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from workbench.analysis.economy.board_samples import BoardsEconomy, BoardSpread
from workbench.analysis.economy.examination import (
    Economy,
    ExaminedSetUp,
    IncomeReport,
    SavingTime,
)
from workbench.analysis.economy.probes.blockers import Blocker
from workbench.analysis.economy.probes.income_probe import Income
from workbench.analysis.economy.valuation.unreachable import Unreachable
from workbench.budget import STOPPED_BY_TIME

DIGITS = 6
Plain = dict[str, Any]


def economy_document(economy: Economy) -> Plain:
    """Return the economy on one board as plain data; incomes are per turn."""
    baseline, income_report = economy.baseline, economy.income_report
    return {
        "variant": economy.book.name,
        "digest": economy.book.digest,
        "players": len(baseline.seats),
        "seed": economy.settings.seed,
        "board": baseline.board if baseline.deals_board else None,
        "round": baseline.round,
        "otherwise_in_round": economy.later_round,
        "income": None if income_report is None else _income_document(income_report),
        "unknown": economy.unknown_reason or None,
        "stopped": None if economy.time_up is None else STOPPED_BY_TIME,
        "boards": None,
        "prices": [
            {"action": price.action, "card": price.card, "cost": dict(price.cost)}
            for price in economy.prices
        ],
        "reckoned_in_play": list(economy.unknown_prices),
        "never": {
            "unaffordable": _unreachable_documents(economy.unaffordable),
            "not_by_income": _unreachable_documents(economy.unpayable),
            "awards": _unreachable_documents(economy.awards),
            "actions": _unreachable_documents(economy.actions),
            "cards": _unreachable_documents(economy.cards),
        },
    }


def boards_document(boards: BoardsEconomy) -> Plain:
    """Return the economy over many boards as plain data, in the same format."""
    return {
        **economy_document(boards.first),
        "stopped": None if boards.time_up is None else STOPPED_BY_TIME,
        "board": None,
        "income": None,
        "boards": _boards_values(boards),
    }


def _boards_values(boards: BoardsEconomy) -> Plain:
    """Return the means over many boards as plain data."""
    return {
        "number": boards.board_count,
        "per": boards.income_report.turns,
        "pieces": [
            {
                "piece": piece,
                "richest": _spread_document(boards.richest[piece]),
                "together": _spread_documents(boards.kinds[piece]),
                "spaces": _spread_documents(row),
            }
            for piece, row in boards.spaces.items()
        ],
        "blocked": [
            {
                "piece": it.piece,
                "begins": None if it.initial is None else _spread_document(it.initial),
                "evenly": _spread_document(it.mean),
                "most": _spread_document(it.worst),
            }
            for it in boards.blocked_shares
        ],
        "setups": _spread_documents(boards.setups),
        "waits": [
            {
                "label": label,
                "action": price.action,
                "card": price.card,
                "turns": None if it is None else _spread_document(it),
            }
            for label, waits in boards.saving_times.items()
            for price, it in waits
        ],
    }


def _spread_documents(table: Mapping[str, BoardSpread]) -> Plain:
    """Return several spreads as plain data, by name."""
    return {name: _spread_document(spread) for name, spread in table.items()}


def _spread_document(spread: BoardSpread) -> Plain:
    """Return a spread over boards as plain data."""
    return {
        "mean": _number(spread.mean),
        "half": _number(spread.half_width),
        "least": _number(spread.lowest),
        "most": _number(spread.highest),
        "never": spread.missing_count,
    }


def _income_document(report: IncomeReport) -> Plain:
    """Return the income of turns on one board as plain data."""
    return {
        "seat": report.probe.seat,
        "per": report.turns,
        "every_turn_alike": report.is_even,
        "nothing": _card_counts(report.base_income),
        "spaces": [
            {
                "piece": piece,
                "space": space,
                "cards": _number(sum(income.values())),
                "income": _card_counts(income),
            }
            for piece, row in report.spaces.items()
            for space, income in row.items()
        ],
        "blocked": [_blocker_document(item) for item in report.blockers],
        "setups": {
            "chosen": report.setups.chosen_by_players,
            "seen": report.setups.sample_size,
            "mean": _card_counts(report.setups.mean),
            "listed": [_setup_document(item) for item in report.examined_setups],
        },
    }


def _blocker_document(blocker: Blocker) -> Plain:
    """Return a piece that blocks income as plain data."""
    return {
        "piece": blocker.piece,
        "begins": None
        if blocker.initial_share is None
        else _number(blocker.initial_share),
        "evenly": _number(blocker.mean_share),
        "most": _number(blocker.worst_share),
        "where": list(blocker.worst_place),
        "places": blocker.places,
    }


def _setup_document(setup: ExaminedSetUp) -> Plain:
    """Return a set-up with its income and saving times as plain data."""
    return {
        "label": setup.setup.label or None,
        "often": setup.setup.count,
        "pieces": {name: list(spaces) for name, spaces in setup.setup.pieces.items()},
        "cards": dict(setup.setup.cards),
        "income": _card_counts(setup.income),
        "exchanges": [
            {
                "action": exchange.action,
                "give": exchange.give,
                "gives": exchange.give_count,
                "get": exchange.get,
                "gets": exchange.get_count,
            }
            for exchange in setup.exchanges
        ],
        "waits": [_saving_time_document(wait) for wait in setup.saving_times],
    }


def _saving_time_document(saving_time: SavingTime) -> Plain:
    """Return the saving time of a price as plain data."""
    return {
        "action": saving_time.price.action,
        "card": saving_time.price.card,
        "known": saving_time.known,
        "turns": _optional_number(saving_time.turns_with_exchanges),
        "without_exchanges": _optional_number(saving_time.turns_without_exchanges),
        "long_run": _optional_number(saving_time.purchase_value.turns),
        "worth": {
            kind: _number(value)
            for kind, value in saving_time.purchase_value.cards.items()
        },
    }


def _unreachable_documents(content: Iterable[Unreachable]) -> list[dict[str, str]]:
    """Return unreachable content as plain data."""
    return [{"name": item.name, "reason": item.reason} for item in content]


def _card_counts(income: Income | Mapping[str, Fraction]) -> dict[str, float]:
    """Return an income as rounded numbers of cards by kind."""
    return {kind: _number(value) for kind, value in income.items()}


def _number(value: Fraction | float) -> float:
    """Return a number rounded to `DIGITS` decimal places."""
    return round(float(value), DIGITS)


def _optional_number(value: float | None) -> float | None:
    """Return a rounded number, or None for None."""
    return None if value is None else _number(value)
