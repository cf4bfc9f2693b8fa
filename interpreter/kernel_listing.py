"""Public function for the program in the kernel, as readable text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rulebook as rb
from interpreter.kernel.passes.pipeline import chosen_passes, optimised
from interpreter.lowering.definitions import Definitions
from interpreter.lowering.listing import listing
from interpreter.python_listing import planned


def kernel_program(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    without: Iterable[str] = (),
) -> str:
    """Return the units, definitions and enumerators of a game as readable text.

    These are the operations from which both engines are printed. `without` are the
    names of rewrites or passes to leave out.
    """
    plan = planned(book, players, options, without)
    passes = chosen_passes(plan.ready.special.on)
    functions = Definitions(plan.facts).function
    given = [f"{plan.players} players"]
    given += [f"{name} {value}" for name, value in plan.options.items()]
    head = f"# The kernel of {book.name}, {', '.join(given)}."
    return listing(plan, head, lambda e: optimised(e, passes, functions))
