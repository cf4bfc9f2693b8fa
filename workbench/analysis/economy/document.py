"""Economy of a game as plain data, printed by `rulebook economy --json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from workbench.analysis.economy.board_samples import Boards, Spread
from workbench.analysis.economy.examination import Begun, Economy, SupplyReport, Wait
from workbench.analysis.economy.probes.blockers import Blocked
from workbench.analysis.economy.probes.income import Income
from workbench.analysis.economy.valuation.unreachable import Unreachable
from workbench.budget import TIME

DIGITS = 6
Plain = dict[str, Any]


def document(economy: Economy) -> Plain:
    """Return the economy on one board as plain data; incomes are per turn."""
    ground, fed = economy.ground, economy.fed
    return {
        "variant": economy.book.name,
        "digest": economy.book.digest,
        "players": len(ground.seats),
        "seed": economy.settings.seed,
        "board": ground.board if ground.deals else None,
        "round": ground.round,
        "otherwise_in_round": economy.otherwise,
        "income": None if fed is None else _income(fed),
        "unknown": economy.why or None,
        "stopped": None if economy.stopped is None else TIME,
        "boards": None,
        "prices": [
            {"action": it.action, "card": it.card, "cost": dict(it.cost)}
            for it in economy.prices
        ],
        "reckoned_in_play": list(economy.unsaid),
        "never": {
            "unaffordable": _never(economy.unaffordable),
            "not_by_income": _never(economy.unfed),
            "awards": _never(economy.awards),
            "actions": _never(economy.actions),
            "cards": _never(economy.cards),
        },
    }


def boards_document(boards: Boards) -> Plain:
    """Return the economy over many boards as plain data, in the same format."""
    return {
        **document(boards.first),
        "stopped": None if boards.stopped is None else TIME,
        "board": None,
        "income": None,
        "boards": _boards(boards),
    }


def _boards(boards: Boards) -> Plain:
    """Return the values over many boards as plain data."""
    return {
        "number": boards.number,
        "per": boards.fed.per,
        "pieces": [
            {
                "piece": piece,
                "richest": _spread(boards.richest[piece]),
                "together": _spreads(boards.kinds[piece]),
                "spaces": _spreads(row),
            }
            for piece, row in boards.spaces.items()
        ],
        "blocked": [
            {
                "piece": it.piece,
                "begins": None if it.begins is None else _spread(it.begins),
                "evenly": _spread(it.evenly),
                "most": _spread(it.most),
            }
            for it in boards.blocked
        ],
        "setups": _spreads(boards.setups),
        "waits": [
            {
                "label": label,
                "action": price.action,
                "card": price.card,
                "turns": None if it is None else _spread(it),
            }
            for label, waits in boards.waits.items()
            for price, it in waits
        ],
    }


def _spreads(table: Mapping[str, Spread]) -> Plain:
    """Return several spreads as plain data, by name."""
    return {name: _spread(it) for name, it in table.items()}


def _spread(it: Spread) -> Plain:
    """Return a spread over boards as plain data."""
    return {
        "mean": _number(it.mean),
        "half": _number(it.half),
        "least": _number(it.least),
        "most": _number(it.most),
        "never": it.never,
    }


def _income(fed: SupplyReport) -> Plain:
    """Return the income of turns on one board as plain data."""
    return {
        "seat": fed.asker.seat,
        "per": fed.per,
        "every_turn_alike": fed.even,
        "nothing": _counts(fed.nothing),
        "spaces": [
            {
                "piece": piece,
                "space": space,
                "cards": _number(sum(income.values())),
                "income": _counts(income),
            }
            for piece, row in fed.spaces.items()
            for space, income in row.items()
        ],
        "blocked": [_blocked(it) for it in fed.blocked],
        "setups": {
            "chosen": fed.setups.chosen,
            "seen": fed.setups.seen,
            "mean": _counts(fed.setups.mean),
            "listed": [_start_document(it) for it in fed.begun],
        },
    }


def _blocked(it: Blocked) -> Plain:
    """Return a piece that blocks income as plain data."""
    return {
        "piece": it.piece,
        "begins": None if it.begins is None else _number(it.begins),
        "evenly": _number(it.evenly),
        "most": _number(it.most),
        "where": list(it.where),
        "places": it.places,
    }


def _start_document(it: Begun) -> Plain:
    """Return a set-up with its income and saving times as plain data."""
    return {
        "label": it.setup.label or None,
        "often": it.setup.often,
        "pieces": {name: list(spaces) for name, spaces in it.setup.pieces.items()},
        "cards": dict(it.setup.cards),
        "income": _counts(it.income),
        "exchanges": [
            {
                "action": how.action,
                "give": how.give,
                "gives": how.gives,
                "get": how.get,
                "gets": how.gets,
            }
            for how in it.exchanges
        ],
        "waits": [_wait(wait) for wait in it.waits],
    }


def _wait(it: Wait) -> Plain:
    """Return the saving time of a price as plain data."""
    return {
        "action": it.price.action,
        "card": it.price.card,
        "known": it.known,
        "turns": _maybe(it.full),
        "without_exchanges": _maybe(it.without),
        "long_run": _maybe(it.worth.turns),
        "worth": {kind: _number(value) for kind, value in it.worth.cards.items()},
    }


def _never(listed: Iterable[Unreachable]) -> list[dict[str, str]]:
    """Return unreachable content as plain data."""
    return [{"name": it.name, "reason": it.reason} for it in listed]


def _counts(income: Income | Mapping[str, Fraction]) -> dict[str, float]:
    """Return an income as rounded numbers of cards by kind."""
    return {kind: _number(value) for kind, value in income.items()}


def _number(value: Fraction | float) -> float:
    """Return a number rounded to the precision of documents."""
    return round(float(value), DIGITS)


def _maybe(value: float | None) -> float | None:
    """Return a rounded number, or None for None."""
    return None if value is None else _number(value)
