"""Parts of the state that expressions read and that statements change."""

from __future__ import annotations

from typing import Any

from rulebook import model as m
from rulebook.addresses import DEFINE
from rulebook.queries.calls import body_of, code_names
from rulebook.queries.state_parts import StatePart, part_of
from rulebook.signatures import (
    Effects,
    Ending,
    callees_of,
    effects_of,
    inputs_of,
    is_statement,
)
from rulebook.signatures.expression_signatures import POINTS
from rulebook.traversal import walk


def part_owner(owner: m.Expr | None) -> m.Expr | None:
    """Return an owner unchanged, or its player if it is a space that belongs to one."""
    if isinstance(owner, m.SpaceAt) and owner.owner is not None:
        return owner.owner
    return owner


class ReadFinder:
    """Finder of the parts of the state that expressions read."""

    def __init__(self, model: m.Model) -> None:
        self.model = model

    def parts_read(self, *nodes: Any) -> tuple[StatePart, ...]:
        """Return the state parts that expressions and called definitions read."""
        parts: dict[StatePart | None, None] = {}
        called: dict[str | None, None] = {}
        waiting = [node for node in reversed(nodes) if node is not None]
        while waiting:
            for inner in walk(waiting.pop()):
                for place in inputs_of(inner).places:
                    parts[part_of(place)] = None
                for run in callees_of(inner):
                    if run.code not in called:
                        called[run.code] = None
                        waiting.append(definition_lines(self.model, run.code))
        return tuple(part for part in parts if part is not None)


def definition_lines(model: m.Model, code: str | None) -> tuple[Any, ...]:
    """Return the lines of the definition or `points` with this code name, or ()."""
    if code == POINTS:
        return model.points.lines
    define = model.defines.get((code or "").removeprefix(f"{DEFINE}."))
    return () if define is None else define.lines


class Writes:
    """Parts of the state that statements change, including all code that they run.

    `may_wait` is true if a decision or chance event may occur, `may_end_game` if the
    game may end.
    """

    def __init__(self, model: m.Model, block: Any) -> None:
        self.model = model
        self.parts: dict[StatePart, None] = {}
        self.may_wait = False
        self.may_end_game = False
        called: dict[str, None] = {}
        waiting = [block]
        while waiting:
            for node in walk(waiting.pop()):
                if not is_statement(node):
                    continue
                effects = effects_of(node)
                self.add(effects)
                for name in code_names(model, effects.runs):
                    if name not in called:
                        called[name] = None
                        waiting.append(body_of(model, name))

    def add(self, effects: Effects) -> None:
        """Add the effects of one statement, without the statements inside it."""
        self.may_wait = self.may_wait or effects.may_wait
        self.may_end_game = self.may_end_game or effects.ends is Ending.GAME
        for write in effects.writes:
            part = part_of(write.place)
            if part is not None:
                self.parts[part] = None


def is_interruption(effects: Effects) -> bool:
    """Return whether a statement itself may wait or end the game."""
    runs_card = any(run.code is None for run in effects.runs)
    return effects.may_wait or runs_card or effects.ends is Ending.GAME
