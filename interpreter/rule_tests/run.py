"""Execution of the tests in rule files: scenarios and invariants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import rulebook as rb
from interpreter.documents.positions import write_position
from interpreter.documents.supplies import require_invariant
from interpreter.explain.require_messages import RequireMessages
from interpreter.game import Game, state_of
from interpreter.rule_tests.scenarios import (
    ScenarioFailure,
    ScenarioRun,
    pending_sentence,
)
from interpreter.rule_tests.verdict import Verdict, VerdictStatus
from interpreter.source.failures import RequireFailed
from interpreter.state.state import State
from rulebook import model as m


def check_invariant(game: Game, invariant: m.Invariant) -> Verdict:
    """Return the verdict on an invariant in the current position of a game.

    `you` is the active player, or none before the first turn.
    """
    plan = state_of(game).plan
    try:
        require_invariant(plan, state_of(game), invariant)
    except RequireFailed as failure:
        message = RequireMessages(plan).sentence(failure)
        span, status = failure.node.span, VerdictStatus.FAILED
        so_far = game.record, pending_sentence(game)
        return Verdict(status, message, span.file, span.line, *so_far)
    return Verdict(VerdictStatus.PASSED)


def violated_invariants(
    game: Game, invariants: Iterable[m.Invariant]
) -> list[m.Invariant]:
    """Return the invariants that are violated in the current position of a game.

    This is fast enough for many positions; `check_invariant` also reports the reason.
    """
    state = state_of(game)
    plan = state.plan
    violated = []
    for invariant in invariants:
        try:
            require_invariant(plan, state, invariant)
        except (RequireFailed, rb.RulesError):
            violated.append(invariant)
    return violated


def blank_position(game: Game) -> dict[str, Any]:
    """Return the position before set-up, in which a scenario starts."""
    plan = state_of(game).plan
    state = State(plan, 0, chance_given=True)
    state.s = list(plan.start_cells)
    return write_position(plan, state)


def run_scenario(
    book: rb.Rulebook,
    scenario: m.Scenario,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Verdict:
    """Run a scenario and return its verdict.

    `options` are values for options that the scenario does not set. Raise `UsageError`
    as `Game.start` does.
    """
    return run_scenario_with_game(book, scenario, options)[0]


def run_scenario_with_game(
    book: rb.Rulebook,
    scenario: m.Scenario,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Verdict, Game | None]:
    """Run a scenario; return its verdict, and its game or None if none was created."""
    run = None
    try:
        run = ScenarioRun(book, scenario, options)
        run.play()
    except ScenarioFailure as failure:
        span = failure.node.span if failure.node.span.file else scenario.span
        so_far = (None, None) if run is None else (run.record, run.pending())
        verdict = Verdict(
            failure.status, failure.message, span.file, span.line, *so_far
        )
    except rb.RulesError as error:
        first = error.diagnostics[0]
        so_far = (None, None) if run is None else (run.record, run.pending())
        status, span = VerdictStatus.ERROR, first.span
        verdict = Verdict(status, str(error), span.file, span.line, *so_far)
    else:
        span = scenario.span
        verdict = Verdict(VerdictStatus.PASSED, None, span.file, span.line)
    return verdict, None if run is None else run.game
