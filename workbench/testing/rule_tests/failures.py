"""Failures in games as test items, each with the record of its game.

All commands report broken invariants, failing effects and dead ends in the same way.
"""

import traceback
from typing import Any

import attrs

from interpreter import Chance, Game, VerdictStatus, check_invariant
from rulebook import RulesError
from rulebook.model import Invariant
from workbench.testing.rule_tests.suite import (
    INVARIANT,
    Item,
    broken_off,
    quoted,
    result,
)
from workbench.testing.scenarios.from_records import scenario_of

FAILURE, DEAD_END = "failure", "dead end"

CODE = ("phase", "action", "to", "rule")
"""Sorts of clauses in which a game can wait."""


def of_invariant(game: Game, invariant: Invariant) -> Item:
    """Return the test item for an invariant that is false in a game."""
    try:
        verdict = check_invariant(game, invariant)
    except Exception:  # noqa: BLE001  (reported with the game that led there)
        return broken_off(INVARIANT, invariant, game)
    item = result(game.book, INVARIANT, invariant, verdict)
    return attrs.evolve(
        item,
        message=f"{item.message}\n{after(game)}",
        record=game.record,
        scenario=scenario_of(game, invariant),
    )


def failure(game: Game, number: int) -> Item:
    """Return the test item for a choice whose effect fails.

    *number* is its position among the legal choices.
    """
    choice = game.legal_actions()[number]
    try:
        game.copy().apply(choice)
    except RulesError as error:
        span = error.diagnostics[0].span
        place, said = (span.file, span.line), str(error)
    except Exception:  # noqa: BLE001  (reported with the game that led there)
        place = place_of(game)
        said = f"internal error; please report it\n{traceback.format_exc()}"
    else:
        raise AssertionError("a choice that failed before succeeds when repeated")
    message = f"{said}\n{after(game)}: {event_text(choice)}"
    status = VerdictStatus.ERROR
    name = event_text(choice)
    item = Item(FAILURE, name, name, *place, status, message, game.record)
    return attrs.evolve(item, scenario=scenario_of(game))


def dead_end(game: Game) -> Item:
    """Return the test item for a game in which a seat has no legal action."""
    file, line = place_of(game)
    where = quoted(game.book, file, line)
    message = f"{game.to_act} must decide but has no legal action{where}\n{after(game)}"
    name = f"{game.to_act} can always act"
    status = VerdictStatus.FAILED
    return Item(DEAD_END, name, name, file, line, status, message, game.record)


def after(game: Game) -> str:
    """Return a phrase with the number of events so far."""
    return f"  after event {game.steps}" if game.steps else "  at the start of the game"


def event_text(choice: Any) -> str:
    """Return an action or a chance outcome as text."""
    if isinstance(choice, Chance):
        return f"{choice.name}: {choice.outcome}"
    return f"{choice.seat} does {choice.text}"


def place_of(game: Game) -> tuple[str, int]:
    """Return the file and line of the clause in which a game waits."""
    clauses = game.book.clauses
    for frame in reversed(game.position["pending"]):
        name = frame["clause"].rpartition(".")[2]
        for kind in CODE:
            if (clause := clauses.get(f"{kind}.{name}")) is not None:
                return clause.span.file, clause.span.line
    return game.book.merged.siblings.files[-1].span.file, 1
