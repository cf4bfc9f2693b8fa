"""Faults planted in the product inside a child, which the fuzzer must report.

Each breaks one part as a real mistake would, and returns a rule file that triggers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import rulebook.check
from interpreter.python.python_expressions import Printer
from interpreter.python.python_statements import StatementPrinter
from interpreter.source import code
from interpreter.source.lines import Lines
from rulebook.check.declare.symbol_table import SymbolTable

GAME = """rules language 1
rulebook planted "Planted"
  players 2 to 2
  turns 9
game has
  count: 0 to 9, seen by all
action go
  each player in players clockwise from you: set count to 3
  let amount be count + 1
turn
  phase play
    you do go
"""

Plant = Callable[[], str]


def hang_in_a_check() -> str:
    """Plant a pass of the checker that never ends."""

    def never(world: SymbolTable) -> None:
        while world.model is not None:
            pass

    rulebook.check.PASSES = (*rulebook.check.PASSES, never)
    return GAME


def hang_in_play() -> str:
    """Plant an endless loop in the generated code."""
    whole = StatementPrinter.lines

    def lines(self: StatementPrinter, ops: Iterable[Any]) -> Lines:
        return [*whole(self, ops), "while True: pass"]

    StatementPrinter.lines = lines  # type: ignore[method-assign]
    return GAME


def name_error() -> str:
    """Plant generated code that reads an unbound variable."""
    slot = Printer.slot

    def unbound(self: Any, number: int) -> code.Code:
        written = slot(self, number)
        return code.name("v99") if written.text == "f[4]" else written

    Printer.slot = unbound  # type: ignore[method-assign]
    return GAME.replace("let amount be count + 1", "set count to amount").replace(
        "action go", "action go(1 to 3 amount)"
    )


PLANTED: dict[str, tuple[Literal["hang", "traceback"], Plant]] = {
    "a planted hang while checking": ("hang", hang_in_a_check),
    "a planted hang while playing": ("hang", hang_in_play),
    "a planted NameError": ("traceback", name_error),
}
"""Planted faults, each with the failure that must be reported."""
