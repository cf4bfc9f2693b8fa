"""Python code for paths over a board and longest trails."""

from __future__ import annotations

from interpreter.algorithms.ways import links_around
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source import code
from interpreter.source.code import Code
from rulebook import model as m

NO = Code("None")


def _reach(w: Writer, e: m.Reach) -> Code:
    if e.links or e.through is not None or e.within is not None:
        steps = _steps(w, e)
        return code.made(f"tuple(sorted({steps.text}))", steps)
    return code.call("reach", *_led(w, e))


def _distance(w: Writer, e: m.Distance) -> Code:
    farthest = code.literal(w.facts.sizes[e.way.domain])
    return code.call("nearest", _steps(w, e.way), _spaces(w, e.goal), farthest)


def _steps(w: Writer, e: m.Reach) -> Code:
    """Return code for the reached spaces, with the number of steps to each."""
    word = "steps_along" if e.links else "steps_over"
    most = NO if e.within is None else w.number(e.within)
    return code.call(word, *_led(w, e), per(w, e.through), most)


def _led(w: Writer, e: m.Reach) -> tuple[Code, Code, Code]:
    """Return code for the start of a path, the table that it follows, and its
    condition.
    """
    board = w.facts.model.board
    if e.links:
        assert board is not None
        rows = links_around(board.link_ends, w.facts.sizes[e.domain])
        table = w.source.table(rows)
    else:
        table = w.source.table(w.facts.relations[f"{e.domain}.neighbours"])
    start = _spaces(w, e.start)
    with w.binding(e.slot) as v:
        test = code.literal(True) if e.where is None else w.code(e.where)
        return start, Code(table), code.function_of(v, test)


def _spaces(w: Writer, e: m.Expr) -> Code:
    """Return code for a tuple of spaces; a single space becomes a tuple."""
    spaces = w.code(e)
    return code.row_of([spaces]) if isinstance(e.type, m.Member) else spaces


def _longest_trail(w: Writer, e: m.LongestTrail) -> Code:
    if e.also or e.weight is not None:
        return code.call("trail.of_sets", *_course(w, e))
    return code.call("trail", w.code(e.links), _closed(w, e))


def route(w: Writer, e: m.LongestTrail) -> Code:
    """Return code for the links of a longest trail, in order."""
    return code.call("trail.route", *_course(w, e))


def _course(w: Writer, e: m.LongestTrail) -> tuple[Code, ...]:
    """Return code for all inputs that determine a trail."""
    sets = code.row_of([w.code(links) for links in (e.links, *e.also)])
    return sets, _closed(w, e), per(w, e.weight), per(w, e.joint)


def _closed(w: Writer, e: m.LongestTrail) -> Code:
    return per(w, m.Per(e.slot, e.name, e.closed))


def per(w: Writer, e: m.Per | None) -> Code:
    """Return code for the function that evaluates each member, or `None`."""
    if e is None:
        return NO
    with w.binding(e.slot) as v:
        return code.function_of(v, w.code(e.value))


TEMPLATES: Templates = {
    m.Reach: _reach,
    m.Distance: _distance,
    m.LongestTrail: _longest_trail,
}
