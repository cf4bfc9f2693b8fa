"""Check that announcements and looks, which all players read, reveal no hidden values.

The values in an announcement must not come from hidden fields, neither directly nor
through variables; `rulebook.secrecy` determines which variables are hidden. A
simultaneous block must not announce anything, as all decisions in it stay hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.queries.calls import (
    body_of,
    call_graph,
    card_texts,
    reachable_code,
)
from rulebook.queries.look_definitions import look_definition
from rulebook.secrecy import PUBLIC, HiddenReadFinder, VariableSecrecy
from rulebook.signatures import Pause, effects_within, statements_in

Code = m.Procedure | m.Action


def check_announcements(world: SymbolTable) -> None:
    """Report announcements that reveal hidden values or are in a simultaneous block."""
    model = world.model
    if model is None:
        return
    _check_looks(world, model)
    units: tuple[Code, ...] = (
        *model.procedures.values(),
        *model.actions.values(),
    )
    if not any(announcements_in(unit.body) for unit in units):
        return
    secrecy = VariableSecrecy(model, grades_you=True)
    for unit in units:
        for node, values in announcements_in(unit.body):
            for label, value in zip(node.names, values, strict=True):
                if secrecy.grade(unit, value) > PUBLIC:
                    with world.collect_errors():
                        raise mistake(
                            "RB150",
                            value.span,
                            f"`{label}` may be hidden from some players, but everybody"
                            " reads an announcement",
                            "announce only what all players know",
                        )
    _check_simultaneous_blocks(world, model, units)


def _check_looks(world: SymbolTable, model: m.Model) -> None:
    """Report definitions that pictures show although they read hidden values."""
    finder = HiddenReadFinder(model)
    for hint in model.hints:
        if hint.word in (m.Look.SHOWS, m.Look.AT):
            key = look_definition(model, hint.word, hint.name)
            define = None if key is None else model.defines[key]
            if define is not None and any(finder.hidden_reads(define.lines)):
                with world.collect_errors():
                    raise mistake(
                        "RB150",
                        hint.span,
                        f"`{hint.text}` may be hidden from some players, but everybody"
                        " sees the picture",
                        "show only what all players know",
                        ((define.span, "defined here"),),
                    )


def announcements_in(*nodes: Any) -> list[tuple[m.Announce, tuple[m.Expr, ...]]]:
    """Return the announcements inside statements, each with the values it shows."""
    return [
        (node, effects.announces)
        for node, effects in statements_in(*nodes)
        if effects.announces is not None
    ]


def _check_simultaneous_blocks(
    world: SymbolTable, model: m.Model, units: tuple[Code, ...]
) -> None:
    graph = call_graph(model, world.code.values())
    for unit in units:
        for block, effects in statements_in(unit.body):
            if effects.pause is not Pause.SIMULTANEOUS:
                continue
            inside = [body for part in effects.blocks for body in part.body]
            called = reachable_code(graph, _run_code(model, inside))
            bodies = [inside, *(body_of(model, name) for name in called)]
            for node, _ in announcements_in(*bodies):
                with world.collect_errors():
                    raise mistake(
                        "RB130",
                        node.span,
                        "nothing is announced while players decide at the same time",
                        "put the announcement after the block, when all players have "
                        "decided",
                        ((block.span, "at the same time"),),
                    )


def _run_code(model: m.Model, nodes: Iterable[Any]) -> Iterator[str]:
    """Yield the names of the procedures and actions that statements run or offer."""
    for effects in effects_within(*nodes):
        for run in effects.runs:
            yield from card_texts(model) if run.code is None else (run.code,)
