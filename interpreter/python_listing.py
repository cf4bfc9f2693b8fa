"""Public functions for the program and the kernel of a game, as readable text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rulebook as rb
from interpreter.arguments import check_book, player_count
from interpreter.errors import UsageError
from interpreter.kernel.passes.pipeline import EVERY_PASS, PASSES
from interpreter.lowering.kernel_listing import listing as kernel_listing
from interpreter.plan.plan import Plan
from interpreter.planning import plan_for
from interpreter.python.listing import listing
from rulebook import tooling


def python_program(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    disabled_rewrites: Iterable[str] = (),
) -> str:
    """Return the Python program that plays a game of these rules, as readable text.

    Every function is listed under the address of its clause. `disabled_rewrites` are
    the names of rewrites to leave out; without any rewrites, the program follows the
    rules literally.
    """
    plan = plan_without_rewrites(book, players, options, disabled_rewrites)
    return listing(plan.source, book, setting_text(plan))


def kernel_program(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    disabled_rewrites: Iterable[str] = (),
) -> str:
    """Return the units, definitions and enumerators of a game as readable text.

    The code of both engines is printed from these operations. Arguments are those of
    `python_program`.
    """
    plan = plan_without_rewrites(book, players, options, disabled_rewrites)
    head = f"# The kernel of {book.name}, {setting_text(plan)}."
    return kernel_listing(plan, head, plan.optimiser)


def setting_text(plan: Plan) -> str:
    """Return the number of players and the options of a plan as text."""
    given = [f"{plan.players} players"]
    given += [f"{name} {value}" for name, value in plan.options.items()]
    return ", ".join(given)


def plan_without_rewrites(
    book: rb.Rulebook,
    players: int | None,
    options: dict[str, Any] | None,
    disabled_rewrites: Iterable[str],
) -> Plan:
    """Return the plan of a game without the disabled rewrites."""
    off = frozenset(disabled_rewrites)
    for name in sorted(off - EVERY_PASS):
        near = tooling.nearest(name, EVERY_PASS)
        hint = (
            f"; did you mean {near}?"
            if near
            else f"; optimisations are {', '.join(PASSES)}"
        )
        raise UsageError(f"there is no optimisation {name}{hint}", rewrite=name)
    check_book(book)
    return plan_for(book, player_count(book, players), options or {}, EVERY_PASS - off)
