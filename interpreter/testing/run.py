"""Tests that stand in rule files, run: scenarios and invariants."""

from __future__ import annotations

import rulebook as rb
from interpreter.documents.supplies import hold
from interpreter.explain.requires import Words
from interpreter.game import Game, state_of
from interpreter.source.failing import RequireFailed
from interpreter.testing.scenarios import Stage, Wrong
from interpreter.testing.verdict import Verdict, VerdictStatus
from rulebook import model as m


def check_invariant(game: Game, invariant: m.Invariant) -> Verdict:
    """Test whether an invariant holds in a game as it stands.

    `you` is the active player, none before the first turn.
    """
    plan = state_of(game).plan
    try:
        hold(plan, state_of(game), invariant)
    except RequireFailed as failure:
        message = Words(plan).sentence(failure)
        span = failure.node.span
        return Verdict(VerdictStatus.FAILED, message, span.file, span.line, game.record)
    return Verdict(VerdictStatus.PASSED)


def run_scenario(book: rb.Rulebook, scenario: m.Scenario) -> Verdict:
    """Play a scenario and say whether it comes out as it says."""
    stage = None
    try:
        stage = Stage(book, scenario)
        stage.play()
    except Wrong as wrong:
        span = wrong.node.span if wrong.node.span.file else scenario.span
        record = None if stage is None else stage.record
        return Verdict(wrong.status, wrong.message, span.file, span.line, record)
    except rb.RulesError as error:
        first = error.diagnostics[0]
        record = None if stage is None else stage.record
        return Verdict(
            VerdictStatus.ERROR, str(error), first.span.file, first.span.line, record
        )
    return Verdict(VerdictStatus.PASSED, None, scenario.span.file, scenario.span.line)
