"""Failures in games as test items, each with the record of its game.

All commands use them to report broken invariants, failing effects and dead ends.
"""

import traceback
from typing import Any

import attrs

from interpreter import Chance, Game, VerdictStatus, check_invariant
from rulebook import RulesError
from rulebook.model import Invariant
from workbench.testing.rule_tests.suite import (
    INVARIANT,
    SuiteItem,
    exception_item,
    quoted_line,
    result_item,
)
from workbench.testing.scenarios.from_records import failure_scenario

FAILURE, DEAD_END = "failure", "dead end"

WAITING_SORTS = ("phase", "action", "to", "rule")
"""Sorts of clauses in which a game can wait."""


def invariant_item(game: Game, invariant: Invariant) -> SuiteItem:
    """Return the test item for an invariant that is false in a game."""
    try:
        verdict = check_invariant(game, invariant)
    except Exception:  # noqa: BLE001  (reported with the game that led there)
        return exception_item(INVARIANT, invariant, game)
    item = result_item(game.book, INVARIANT, invariant, verdict)
    return attrs.evolve(
        item,
        message=f"{item.message}\n{after_events_text(game)}",
        record=game.record,
        scenario=failure_scenario(game, invariant),
    )


def failing_effect_item(game: Game, number: int) -> SuiteItem:
    """Return the test item for a choice whose effect fails.

    *number* is its index among the legal choices, from 0.
    """
    choice = game.legal_actions()[number]
    try:
        game.copy().apply(choice)
    except RulesError as error:
        span = error.diagnostics[0].span
        location, reason = (span.file, span.line), str(error)
    except Exception:  # noqa: BLE001  (reported with the game that led there)
        location = waiting_clause_location(game)
        reason = f"internal error; please report it\n{traceback.format_exc()}"
    else:
        raise AssertionError("a choice that failed before succeeds when repeated")
    message = f"{reason}\n{after_events_text(game)}: {event_text(choice)}"
    status = VerdictStatus.ERROR
    name = event_text(choice)
    item = SuiteItem(FAILURE, name, name, *location, status, message, game.record)
    return attrs.evolve(item, scenario=failure_scenario(game))


def dead_end_item(game: Game) -> SuiteItem:
    """Return the test item for a game in which a seat has no legal action."""
    file, line = waiting_clause_location(game)
    quotation = quoted_line(game.book, file, line)
    message = (
        f"{game.to_act} must decide but has no legal action{quotation}\n"
        f"{after_events_text(game)}"
    )
    name = f"{game.to_act} can always act"
    status = VerdictStatus.FAILED
    return SuiteItem(DEAD_END, name, name, file, line, status, message, game.record)


def after_events_text(game: Game) -> str:
    """Return a phrase that says how many events have happened."""
    return f"  after event {game.steps}" if game.steps else "  at the start of the game"


def event_text(choice: Any) -> str:
    """Return an action or a chance outcome as text."""
    if isinstance(choice, Chance):
        return f"{choice.name}: {choice.outcome}"
    return f"{choice.seat} does {choice.text}"


def waiting_clause_location(game: Game) -> tuple[str, int]:
    """Return the file and line of the clause in which a game waits."""
    clauses = game.book.clauses
    for frame in reversed(game.position["pending"]):
        name = frame["clause"].rpartition(".")[2]
        for sort in WAITING_SORTS:
            if (clause := clauses.get(f"{sort}.{name}")) is not None:
                return clause.span.file, clause.span.line
    return game.book.merged.change_log.files[-1].span.file, 1
