"""C code for the value of a position according to hints.

Slow lines are cached by player and by the cells they read, as in the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from interpreter.core.layout import RANKS, REASON
from interpreter.native.bots.hidden import number_array, struct_array
from interpreter.native.c_writer import CWriter
from interpreter.plan.heuristic import is_slow, ranges
from interpreter.plan.plan import Plan
from rulebook import model as m

Lines = list[str]


@attrs.frozen
class HintFunction:
    """C function that sums lines of the hints for a player.

    `cells` are the ranges of cells that it reads if its results are cached.
    """

    name: str
    body: Lines
    cells: tuple[slice, ...] = ()

    @property
    def signature(self) -> str:
        """C signature of the function."""
        return f"static UNUSED num {self.name}(Game *g, VAR v1)"


def hint_functions(plan: Plan, w: CWriter, stacks: Iterable[int]) -> list[HintFunction]:
    """Return one C function for all fast lines of the hints, and one per slow line.

    The costs in hints are plain numbers, so every positive number becomes an amount.
    Raise `NotTranslatable` if a line cannot be translated.
    """
    w = attrs.evolve(w, costs=True)
    book, facts = plan.model, plan.facts
    fast: list[m.PointLine] = []
    cached: list[HintFunction] = []
    ordered = {RANKS, REASON, *stacks}
    for line in book.values.lines:
        cells = ranges(facts.layout, facts.read_finder.parts_read(line))
        plain = not any(ordered.intersection(range(x.start, x.stop)) for x in cells)
        if is_slow(book, line, facts.sizes) and plain:
            cached.append(HintFunction(f"worth{len(cached)}", body(w, [line]), cells))
        else:
            fast.append(line)
    return [HintFunction("quick_worth", body(w, fast)), *cached]


def body(w: CWriter, lines: Iterable[m.PointLine]) -> Lines:
    """Return the body of a C function that sums lines for the player `v1`."""
    return ["(void)g;", "if (v1 < 0) return 0;", f"return {total(w, lines)};"]


def total(w: CWriter, lines: Iterable[m.DefineLine | m.PointLine]) -> str:
    """Return the C expression for the sum of the lines whose conditions are true."""
    parts = []
    for line in lines:
        value = w.code(line.value)
        if line.condition is not None:
            value = f"({w.code(line.condition)} ? {value} : 0)"
        parts.append(value)
    return " + ".join(parts) or "0"


def cache_tables(written: list[HintFunction]) -> Lines:
    """Return the C tables of the cached lines and of the cells they read."""
    cached = written[1:]
    read = [[(x.start, x.stop - x.start) for x in line.cells] for line in cached]
    parts = list(dict.fromkeys(part for line in read for part in line))
    starts, rows = [0], []
    for line in read:
        rows += [parts.index(part) for part in line]
        starts.append(len(rows))
    most = max([1, *[sum(size for _, size in line) for line in read]])
    functions = ", ".join(line.name for line in cached) or "quick_worth"
    return [
        f"enum {{ LINES = {len(cached)}, LINE_CELLS = {most}, PARTS = {len(parts)} }};",
        struct_array("Range", "PART", parts),
        number_array("int16_t", "READ", rows),
        number_array("int16_t", "READ_FROM", starts),
        f"static num (*const LINE[])(Game *, num) = {{{functions}}};",
    ]
