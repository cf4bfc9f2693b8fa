"""How much a search may do, and how bots that search are called: `mcts(2000)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from interpreter.errors import UsageError

MCTS = "mcts"
"""What a bot is called that searches by itself; its budget may stand in brackets."""

USUAL = 1_000
"""The playouts of a decision where no budget is said."""

BUDGET_FORMS = "mcts(2000), mcts(50000 decisions) or mcts(0.5 s)"
"""How budgets are written: playouts, decisions in them, and time."""

ROOM = 1 << 16
"""For how many nodes there is room; a tree with more playouts grows no further."""

MOST: Mapping[str, int] = {
    "playouts": 1_000_000_000,
    "decisions": 1_000_000_000_000,
    "seconds": 86_400,
}
"""What may be asked for at most, so that a search ends some day."""

BRACKETS = re.compile(rf"\s*{MCTS}\s*(?:\((.*)\)\s*)?")
AMOUNT = re.compile(r"\s*([0-9][0-9_]*(?:\.[0-9]+)?)\s*([a-z]*)\s*")
UNITS = {
    "": "playouts",
    "playout": "playouts",
    "decision": "decisions",
    "s": "seconds",
    "second": "seconds",
    **{name: name for name in MOST},
}


@attrs.frozen
class Budget:
    """How much a search may do: `playouts` at most, and `decisions` in them.

    With `seconds` it goes on for that long; then it may choose otherwise elsewhere. It
    ends with what is used up first, and never before its first playout. Raises
    `UsageError` where nothing bounds it, or a bound is none.
    """

    playouts: int | None = None
    decisions: int | None = None
    seconds: float | None = None

    def __attrs_post_init__(self) -> None:
        bounds = {name: getattr(self, name) for name in MOST}
        if all(bound is None for bound in bounds.values()):
            raise UsageError(f"a search needs a limit: {', '.join(MOST)}")
        for name, bound in bounds.items():
            if bound is not None:
                check(name, bound)

    @property
    def room(self) -> int:
        """For how many nodes and actions tried there is room."""
        return min(self.playouts or ROOM, ROOM) + 1

    @property
    def timed(self) -> bool:
        """Whether a clock bounds it."""
        return self.seconds is not None

    def lasts(self, done: int, decisions: int) -> bool:
        """Whether there is something left of it after so many of each."""
        return (self.playouts is None or done < self.playouts) and (
            self.decisions is None or decisions < self.decisions
        )


def check(name: str, bound: float) -> None:
    """Raise `UsageError` for a bound with which nothing is done, or for ever."""
    whole = name != "seconds"
    kinds = int if whole else int | float
    if isinstance(bound, bool) or not isinstance(bound, kinds):
        said = "a whole number" if whole else "a number"
        raise UsageError(f"the {name} of a search must be {said}, not {bound!r}")
    if not bound > 0:
        raise UsageError(f"a search needs more than {bound} {name}")
    if bound > MOST[name]:
        raise UsageError(f"a search has at most {MOST[name]} {name}, not {bound}")


def budget_of(name: str) -> Budget | None:
    """Return the budget of a bot by its name, None: no bot of this name searches.

    `mcts`, `mcts(2000)`, `mcts(50000 decisions)`, `mcts(0.5 s)`. Raises `UsageError`
    for a budget that cannot be read, or with which nothing is found.
    """
    if name.partition("(")[0].strip() != MCTS:
        return None
    brackets = BRACKETS.fullmatch(name)
    if brackets is None:
        raise UsageError(f"`{name}` must end with one closing parenthesis")
    if brackets[1] is None:
        return Budget(playouts=USUAL)
    amount = AMOUNT.fullmatch(brackets[1])
    if amount is None:
        raise UsageError(f"`{name}` has no valid budget")
    number, unit = amount.groups()
    if unit not in UNITS:
        raise UsageError(
            f"`{name}`: a budget is given in {', '.join(MOST)}, not in `{unit}`"
        )
    bound: Any = float(number) if "." in number else int(number)
    try:
        return Budget(**{UNITS[unit]: bound})
    except UsageError as error:
        raise UsageError(f"`{name}`: {error.message}") from error
