"""Nothing may call itself: neither a define nor a procedure or action.

So every evaluation ends, and the depth of the control stack is known.
"""

from __future__ import annotations

from rulebook import model as m
from rulebook.check.world import World, mistake
from rulebook.source import Span
from rulebook.walk import find

Graph = dict[str, dict[str, Span]]


def check_cycles(world: World) -> None:
    """Report every chain of calls that comes back to where it began."""
    if world.model is None:
        return
    titles = {name: one.sentence for name, one in world.model.defines.items()}
    for graph, names in ((_defines(world.model), titles), (_units(world.model), {})):
        _report(world, graph, names)


def _defines(model: m.Model) -> Graph:
    return {
        name: {call.define: call.span for call in find(define.lines, m.CallDefine)}
        for name, define in model.defines.items()
    }


def _units(model: m.Model) -> Graph:
    graph: Graph = {}
    for name, procedure in model.procedures.items():
        graph[name] = _calls(model, procedure.body)
    for name, action in model.actions.items():
        graph[f"action {name}"] = _calls(model, action.body)
    return graph


def _calls(model: m.Model, body: tuple[m.Stmt, ...]) -> dict[str, Span]:
    calls: dict[str, Span] = {}
    for node in find(body, (m.Call, m.Offer, m.CarryOut)):
        if isinstance(node, m.Call):
            calls.setdefault(node.procedure, node.span)
        elif isinstance(node, m.Offer):
            calls.setdefault(f"action {node.action}", node.span)
        else:
            for name in model.procedures:
                if name.startswith("card."):
                    calls.setdefault(name, node.span)
    return calls


def _report(world: World, graph: Graph, titles: dict[str, str]) -> None:
    done: set[str] = set()
    for start in graph:
        with world.collecting():
            cycle = _cycle_from(graph, start, done)
            if cycle is None:
                continue
            names = [titles.get(name, name) for name in (*cycle, cycle[0])]
            span = graph[cycle[-1]][cycle[0]]
            raise mistake(
                "RB151",
                span,
                f"this comes back to itself: {' -> '.join(names)}",
                "nothing may call itself, so that every evaluation ends",
            )


def _cycle_from(graph: Graph, start: str, done: set[str]) -> list[str] | None:
    """Return a cycle reachable from a node, by depth-first search without recursion."""
    path: list[str] = []
    todo: list[tuple[str, int]] = [(start, 0)]
    while todo:
        name, depth = todo.pop()
        del path[depth:]
        if name in path:
            cycle = path[path.index(name) :]
            done.update(cycle)
            return cycle
        if name in done or name not in graph:
            continue
        path.append(name)
        nexts = [n for n in graph[name] if n not in done]
        if not nexts:
            done.add(name)
        todo.extend((n, depth + 1) for n in reversed(nexts))
    return None
