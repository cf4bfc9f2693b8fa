"""Start of a game, from set-up or from a position, up to the first decision."""

from __future__ import annotations

from typing import Any

import rulebook as rb
from interpreter.arguments import check_book, check_seed, player_count
from interpreter.documents.pickling import DRAWN, GIVEN
from interpreter.documents.positions import read_position
from interpreter.errors import PositionError, UsageError
from interpreter.plan.plan import Plan
from interpreter.plan.start_cells import write_board
from interpreter.planning import complete_options, plan_for
from interpreter.state.state import State

STACK_ERRORS = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""Exceptions that an impossible control stack causes, such as missing values."""


def state_before_setup(
    book: rb.Rulebook,
    players: int | None,
    seed: int,
    options: dict[str, Any] | None,
    chance: str,
) -> State:
    """Return the state of a game before set-up."""
    check_book(book)
    plan = plan_for(book, player_count(book, players), options or {})
    check_seed(seed)
    check_chance(chance)
    state = State(plan, seed, chance_given=chance == GIVEN)
    state.s = list(plan.start_cells)
    state.triggers = plan.all_triggers
    return state


def check_chance(chance: str) -> None:
    """Raise `UsageError` if *chance* is not a source of chance."""
    if chance not in {DRAWN, GIVEN}:
        raise UsageError(f"chance must be {DRAWN} or {GIVEN}, not {chance!r}")


def options_of(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the values of all options of a game, with defaults for options not given.

    Raise `UsageError` as `Game.start` does.
    """
    check_book(book)
    return complete_options(book, player_count(book, players), options or {})


def prepare_setup(
    state: State, board: dict[str, Any] | None, turns: int | None
) -> None:
    """Set the given board, if any, and the limit of turns, before set-up runs."""
    plan = state.plan
    if turns is not None:
        state.turns = min(state.turns, turns)
    if board is not None:
        write_board(plan.facts, plan.values, state.s, board)
    state.frames.append(plan.units[0].frame(0))


def read_start(
    book: rb.Rulebook,
    position: dict[str, Any],
    seed: int | None,
    chance: str | None,
) -> tuple[Plan, State]:
    """Return the plan and state of a position, before the game continues.

    `seed` and `chance` default to the values in the position.
    """
    check_book(book)
    if chance is not None:
        check_chance(chance)
    elif seed is not None:
        chance = DRAWN
    return read_position(
        book, position, seed, None if chance is None else chance == GIVEN
    )


def continue_position(state: State, position: dict[str, Any]) -> None:
    """Continue a game from the step at which its position is waiting."""
    try:
        state.run()
    except STACK_ERRORS as error:
        if "pending" not in position:
            raise
        message = "the game cannot continue from this control state"
        raise PositionError("pending", message) from error
