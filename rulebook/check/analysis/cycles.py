"""Detection of recursion: no definition, procedure or action may call itself.

Therefore every evaluation ends and the depth of the control stack is bounded.
`Limits.calls` limits how deeply calls may be nested.
"""

from __future__ import annotations

from typing import Any

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.queries.calls import (
    Code,
    Graph,
    all_code,
    called_code,
    callees_first,
    calls_of,
    code_names,
    define_code,
    offered_actions,
)
from rulebook.traversal import children


def check_cycles(world: SymbolTable) -> None:
    """Report every cycle of calls, and the first chain of calls that is too deep.

    Without cycles, all code can be visited after the code that it calls. Later checks
    depend on that order.
    """
    if world.model is None:
        return
    model = world.model
    world.code = code_by_name = {code.name: code for code in all_code(model)}
    graph = {
        name: called_code(model, code) | offered_actions(code)
        for name, code in code_by_name.items()
        if code.parts
    }
    titles = {
        define_code(name): define.sentence for name, define in model.defines.items()
    }
    before = len(world.diagnostics)
    _report_cycles(world, graph, titles)
    if len(world.diagnostics) > before:
        world.model = None  # later checks would not terminate
        return
    _check_depth(
        world,
        code_by_name,
        {n: called_code(model, code) for n, code in code_by_name.items()},
    )


def _report_cycles(world: SymbolTable, graph: Graph, titles: dict[str, str]) -> None:
    finished: set[str] = set()
    for start in graph:
        with world.collect_errors():
            cycle = _cycle_from(graph, start, finished)
            if cycle is None:
                continue
            names = [titles.get(name, name) for name in (*cycle, cycle[0])]
            span = graph[cycle[-1]][cycle[0]]
            raise mistake(
                "RB151",
                span,
                f"this calls itself: {' -> '.join(names)}",
                "remove the recursion: every evaluation must end",
            )


def _cycle_from(graph: Graph, start: str, finished: set[str]) -> list[str] | None:
    """Return a cycle of names reachable from *start*, or None; extend *finished*."""
    path: list[str] = []
    todo: list[tuple[str, int]] = [(start, 0)]
    while todo:
        name, depth = todo.pop()
        del path[depth:]
        if name in path:
            cycle = path[path.index(name) :]
            finished.update(cycle)
            return cycle
        if name in finished or name not in graph:
            continue
        path.append(name)
        successors = [n for n in graph[name] if n not in finished]
        if not successors:
            finished.add(name)
        todo.extend((n, depth + 1) for n in reversed(successors))
    return None


# ---------------------------------------------------------------- depth


def _check_depth(
    world: SymbolTable, code_by_name: dict[str, Code], graph: Graph
) -> None:
    """Raise `Mistake` for the innermost code that is nested too deeply."""
    assert world.model is not None
    depths: dict[str, int] = {}
    most = world.size_limits.calls
    for name in callees_first(graph):
        depths[name] = depth = _depth(world.model, code_by_name[name].parts, depths)
        if depth > most:
            raise mistake(
                "RB153",
                code_by_name[name].span,
                f"calls and loops are nested {depth} levels deep here; the"
                f" limit is {most:,}",
                "reduce the nesting: merge a chain of definitions or"
                " procedures into one",
            )


def _depth(model: m.Model, parts: tuple[Any, ...], depths: dict[str, int]) -> int:
    """Return the nesting depth of calls and iterations, given *depths* of callees."""
    deepest = 0
    waiting = [(part, 0) for part in parts]
    while waiting:
        node, depth = waiting.pop()
        binds = isinstance(node, m.Binder | m.Combinations)
        iterates = binds or m.is_board_search(node)
        depth += iterates and isinstance(node, m.Typed)
        called = code_names(model, calls_of(node))
        inside = [1 + depths.get(name, 0) for name in called]
        deepest = max(deepest, depth + max(inside, default=0))
        waiting.extend((child, depth) for child in children(node))
    return deepest
