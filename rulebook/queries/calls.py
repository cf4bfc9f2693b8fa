"""Call graph of a model: definitions, points, procedures and actions.

All code in a model has a name: that of a definition, a procedure or an action,
`points`, or a description such as `whenever RULE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from rulebook import model as m
from rulebook.addresses import ACTION, CARD, DEFINE, Address, sort_of
from rulebook.signatures import (
    Run,
    callees_of,
    effects_of,
    effects_within,
    is_statement,
)
from rulebook.signatures.expression_signatures import POINTS
from rulebook.source.spans import Span
from rulebook.traversal import walk

Graph = Mapping[str, Mapping[str, Span]]
VALUES = "hint value"


@attrs.frozen(slots=False)
class Code:
    """Named piece of code with parameters; its parts are statements or expressions."""

    name: str
    parts: tuple[Any, ...]
    span: Span
    parameters: tuple[m.Parameter, ...] = ()

    @cached_property
    def nodes(self) -> tuple[Any, ...]:
        """All nodes, parents before children."""
        return tuple(walk(self.parts))

    def find(self, *sorts: type[Any]) -> Iterator[Any]:
        """Yield the nodes of the given classes."""
        return (node for node in self.nodes if isinstance(node, sorts))


def condition_of(define: m.Define) -> m.Expr | None:
    """Return a yes/no definition as a single condition, or None if it cannot be one."""
    conditions: list[m.Expr] = []
    for line in define.lines:
        if line.condition is None or not m.is_truth(line.value, True):
            return None
        conditions.append(line.condition)
    return m.disjunction(tuple(conditions)) if conditions else None


def single_expression(define: m.Define) -> m.Expr | None:
    """Return a definition as one expression, or None if that is impossible."""
    match define.lines:
        case (m.DefineLine(condition=None, value=value),) if not define.adds:
            return value
        case _:
            return condition_of(define)


def define_code(name: str) -> str:
    """Return the name of a definition's code, such as `define.NAME`."""
    return str(Address(DEFINE, name))


def action_code(name: str) -> str:
    """Return the name of an action's code, such as `action.NAME`."""
    return str(Address(ACTION, name))


def measure_code(name: str) -> str:
    """Return the name of a measure's code, such as `measure length`."""
    return f"measure {name}"


def whenever_code(name: str) -> str:
    """Return the name of the code for a rule's condition, such as `whenever finish`."""
    return f"whenever {name}"


def all_code(model: m.Model) -> Iterator[Code]:
    """Yield all code of a model, in the order of declaration."""
    parts: tuple[Any, ...]
    for name, define in model.defines.items():
        parts = tuple(part for x in define.lines for part in (x.value, x.condition))
        yield Code(define_code(name), parts, define.span, define.parameters)
    for name, table in ((POINTS, model.points), (VALUES, model.values)):
        parts = tuple(part for x in table.lines for part in (x.value, x.condition))
        yield Code(name, parts, table.span)
    for name, measure in model.measures.items():
        yield Code(measure_code(name), (measure.value,), measure.span)
    for name, procedure in model.procedures.items():
        yield Code(name, procedure.body, procedure.span, procedure.parameters)
    for name, action in model.actions.items():
        needs = tuple(need.condition for need in action.requirements)
        parts = (*needs, *action.body)
        yield Code(action_code(name), parts, action.span, action.parameters)
    for name, award in model.awards.items():
        parts = (award.measure, award.at_least, award.only_if)
        yield Code(f"most of {name}", parts, award.span)
    for name, rule in model.rules.items():
        yield Code(whenever_code(name), (rule.set, rule.condition), rule.span)
    for number, scenario in enumerate(model.scenarios):
        yield Code(f"scenario {number}", scenario.steps, scenario.span)
    for number, invariant in enumerate(model.invariants):
        yield Code(f"invariant {number}", invariant.body, invariant.span)


def called_code(model: m.Model, code: Code) -> dict[str, Span]:
    """Return the code that *code* calls, by name, with the span of the first call."""
    spans: dict[str, Span] = {}
    for node in code.nodes:
        for name in code_names(model, calls_of(node)):
            spans.setdefault(name, node.span)
    return spans


def calls_of(node: Any) -> tuple[Run, ...]:
    """Return the code that a node itself calls, without the actions that it offers."""
    return effects_of(node).calls if is_statement(node) else tuple(callees_of(node))


def code_names(model: m.Model, runs: Iterable[Run]) -> Iterator[str]:
    """Yield the names of the code in *runs*; an unknown card may have any card text."""
    for run in runs:
        yield from card_texts(model) if run.code is None else (run.code,)


def card_texts(model: m.Model) -> tuple[str, ...]:
    """Return the names of the procedures that carry out the texts of cards."""
    return tuple(name for name in model.procedures if sort_of(name) == CARD)


def body_of(model: m.Model, name: str) -> tuple[m.Stmt, ...]:
    """Return the statements of a procedure or an action, by the name of its code."""
    if name in model.procedures:
        return model.procedures[name].body
    address = Address.parse(name)
    action = model.actions.get(address.name) if address.sort == ACTION else None
    return () if action is None else action.body


def offered_actions(code: Code) -> dict[str, Span]:
    """Return the names of the offered actions, with the spans of their first offers."""
    spans: dict[str, Span] = {}
    for effects in effects_within(code.parts):
        for run in effects.runs:
            if run.code is not None and run.offer is not None:
                spans.setdefault(run.code, run.offer.span)
    return spans


def call_graph(model: m.Model, units: Iterable[Code]) -> Graph:
    """Return the call graph of *units*: code names, the code they call, and spans."""
    return {
        code.name: called_code(model, code) | offered_actions(code) for code in units
    }


def reachable_code(graph: Graph, names: Iterable[str]) -> set[str]:
    """Return the given names, and those of all code that they call or offer."""
    waiting = list(names)
    met = set(waiting)
    while waiting:
        called = graph.get(waiting.pop(), {})
        waiting += [name for name in called if name not in met]
        met.update(called)
    return met


def callees_first(graph: Graph) -> tuple[str, ...]:
    """Return the names in an acyclic graph, each after those that it calls."""
    done: dict[str, None] = {}
    for start in graph:
        todo = [(start, False)]
        while todo:
            name, left = todo.pop()
            if left:
                done[name] = None
            elif name in graph and name not in done:
                todo.append((name, True))
                nexts = [(n, False) for n in graph[name] if n not in done]
                todo.extend(reversed(nexts))
    return tuple(done)


def definition_order(defines: Mapping[str, m.Define]) -> tuple[str, ...]:
    """Return the keys of definitions, each after those that it calls directly."""
    graph = {
        name: {part.define: part.span for part in walk(define.lines) if m.is_call(part)}
        for name, define in defines.items()
    }
    return callees_first(graph)


def definitions_in_order(model: m.Model) -> tuple[str, ...]:
    """Return the keys of the definitions, each after those that it calls."""
    defines = {define_code(name): name for name in model.defines}
    graph = {
        code.name: called_code(model, code)
        for code in all_code(model)
        if code.name == POINTS or code.name in defines
    }
    return tuple(defines[name] for name in callees_first(graph) if name in defines)


__all__ = [
    "POINTS",
    "VALUES",
    "Code",
    "Graph",
    "action_code",
    "all_code",
    "body_of",
    "call_graph",
    "called_code",
    "callees_first",
    "calls_of",
    "card_texts",
    "code_names",
    "define_code",
    "definition_order",
    "definitions_in_order",
    "offered_actions",
    "reachable_code",
    "single_expression",
    "whenever_code",
]
