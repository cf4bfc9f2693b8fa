"""Checker: turns merged syntax trees into a model, or reports all errors in them.

`PASSES` is an ordered list, because each pass needs the declarations of earlier passes.
Members come before the tables that name them, and the board before its spaces. Options
come before the types whose ranges use them, signatures before the bodies that call
them, and bodies before the analyses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import get_args

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.check.analysis.announcements import check_announcements
from rulebook.check.analysis.cycles import check_cycles
from rulebook.check.analysis.dead_statements import check_dead_statements
from rulebook.check.analysis.divisors import check_divisors
from rulebook.check.analysis.optional_numbers import check_optional_numbers
from rulebook.check.analysis.seats import check_seats
from rulebook.check.analysis.sizes import check_sizes
from rulebook.check.analysis.termination import check_termination
from rulebook.check.analysis.visibility import check_hidden_reads
from rulebook.check.bodies.body_checker import check_bodies
from rulebook.check.bodies.component_declarations import (
    declare_costs,
    declare_dice,
    declare_fields,
    declare_limits,
    declare_options,
    declare_pieces,
)
from rulebook.check.bodies.endings import check_end
from rulebook.check.bodies.scenarios import check_named_chance
from rulebook.check.bodies.units import declare_actions
from rulebook.check.declare.board import declare_board, declare_sides
from rulebook.check.declare.domains import (
    check_copies,
    declare_columns,
    declare_domains,
    declare_players,
)
from rulebook.check.declare.expected_declarations import (
    check_expected_defines,
    check_expected_names,
    check_expected_procedures,
)
from rulebook.check.declare.labels import check_labels
from rulebook.check.declare.outline import declare_phases_and_awards
from rulebook.check.declare.signatures import declare_defines
from rulebook.check.declare.spaces_on_sides import declare_spaces_on_sides
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.check.declare.teams import declare_teams
from rulebook.check.facts.effects import check_effects
from rulebook.check.looks.drawings import check_drawings
from rulebook.check.looks.hints import check_hints
from rulebook.check.typing.combinations import COMBINATION_CHECKS
from rulebook.check.typing.expression_checks import CHECKS
from rulebook.check.typing.paths import PATH_CHECKS
from rulebook.check.typing.piece_fields import PIECE_FIELD_CHECKS
from rulebook.check.typing.ranges import range_of
from rulebook.check.typing.selections import SELECTION_CHECKS
from rulebook.completeness import check_complete
from rulebook.model.limits import Limits
from rulebook.source.diagnostics import Diagnostic, has_errors

CHECKS.update(PATH_CHECKS | SELECTION_CHECKS | COMBINATION_CHECKS | PIECE_FIELD_CHECKS)
check_complete("the table of checks of expressions", CHECKS, get_args(s.Expr))

PASSES: tuple[Callable[[SymbolTable], None], ...] = (
    check_expected_names,
    declare_players,
    declare_teams,
    declare_domains,
    declare_board,
    declare_spaces_on_sides,
    declare_columns,
    declare_sides,
    declare_phases_and_awards,
    check_labels,
    declare_options,
    check_copies,
    declare_costs,
    declare_dice,
    declare_pieces,
    declare_fields,
    declare_defines,
    check_expected_defines,
    declare_actions,
    check_expected_procedures,
    declare_limits,
    check_drawings,
    check_hints,
    check_bodies,
    check_named_chance,
    check_cycles,
    check_end,
    check_divisors,
    check_dead_statements,
    check_optional_numbers,
    check_effects,
    check_hidden_reads,
    check_announcements,
    check_seats,
    check_termination,
    check_sizes,
)


def check(
    header: s.Header,
    clauses: dict[Address, s.Clause],
    expectations: tuple[s.Expectation, ...],
    limits: Limits | None = None,
    texts: Mapping[str, str] | None = None,
) -> tuple[m.Model | None, tuple[Diagnostic, ...]]:
    """Return the model, or None if the rules contain an error, and all diagnostics.

    `texts` are the files by name, for diagnostics that quote them.
    """
    world = SymbolTable(header=header, clauses=clauses)
    world.texts = texts or {}
    world.size_limits = limits or Limits()
    world.expectations = expectations
    for run_pass in PASSES:
        with world.collect_errors():
            run_pass(world)
    diagnostics = tuple(dict.fromkeys(world.diagnostics))
    if not has_errors(diagnostics):  # report at least these errors
        diagnostics = (*diagnostics, *world.consequential_errors)
    return (None if has_errors(diagnostics) else world.model), diagnostics


__all__ = ["PASSES", "check", "range_of"]
