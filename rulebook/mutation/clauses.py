"""Mutation operators for clauses: requirements, tables, fields, options, awards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.model import Audience
from rulebook.mutation.operators import Names, OfLines, Operator
from rulebook.mutation.statements import statements
from rulebook.mutation.values import Found
from rulebook.source.spans import Span
from rulebook.syntax import Node

Lines = tuple[Any, ...]


def dropped(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop one of several lines."""
    for place, line in enumerate(values if len(values) > 1 else ()):
        yield "dropped", line.span, values[:place] + values[place + 1 :]


def in_order(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop a line, or swap it with the next, where the first applicable line counts."""
    yield from dropped(values)
    for place, (line, following) in enumerate(pairwise(values)):
        changed = (*values[:place], following, line, *values[place + 2 :])
        yield "order", line.span, changed


def rows(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop a row of a table, or swap a cell with the one below it."""
    yield from dropped(values)
    for place, (above, below) in enumerate(pairwise(values)):
        for column in range(1, len(above.cells)):
            mine, theirs = above.cells[column], below.cells[column]
            if mine != theirs:
                upper, lower = _with(above, column, theirs), _with(below, column, mine)
                changed = (*values[:place], upper, lower, *values[place + 2 :])
                yield "row", mine.span, changed


def _with(row: s.Row, column: int, cell: s.Cell) -> s.Row:
    cells = (*row.cells[:column], cell, *row.cells[column + 1 :])
    return attrs.evolve(row, cells=cells)


def round_(node: s.RoundClause, names: Names) -> Found:
    """Swap `before each round` and `after each round`."""
    yield "before/after", attrs.evolve(node, when=node.when.other)


def header(node: s.Header, names: Names) -> Found:
    """Change the number of players or rounds by one, swap two seats, or drop teams."""
    if node.players is not None:
        fewest, most = node.players
        for players in ((fewest - 1, most), (fewest + 1, most)):
            yield "number", attrs.evolve(node, players=players)
        for players in ((fewest, most - 1), (fewest, most + 1)):
            yield "number", attrs.evolve(node, players=players)
    for place, (seat, following) in enumerate(pairwise(node.seats)):
        seats = (*node.seats[:place], following, seat, *node.seats[place + 2 :])
        yield "order", attrs.evolve(node, seats=seats)
    if node.rounds is not None:
        for rounds in (node.rounds - 1, node.rounds + 1):
            yield "number", attrs.evolve(node, rounds=rounds)
    if node.teams:
        yield "teams dropped", attrs.evolve(node, teams=())


def cell(node: s.Cell, names: Names) -> Found:
    """Change a number by one, or swap yes and no."""
    if node.form is s.CellForm.NUMBER:
        for value in (node.value + 1, node.value - 1):
            if value >= 0:
                yield "number", attrs.evolve(node, value=value)
    elif node.form is s.CellForm.YES_NO:
        yield "yes/no", attrs.evolve(node, value=not node.value)


def row(node: s.Row, names: Names) -> Found:
    """Replace a cell by another member of the same kind."""
    for column, entry in enumerate(node.cells):
        if column and entry.form is s.CellForm.NAME:
            for other in names.mistaken(entry.value):
                yield "name", _with(node, column, attrs.evolve(entry, value=other))


def needs(node: s.Needs, names: Names) -> Found:
    """Negate a requirement."""
    yield "negated", attrs.evolve(node, condition=s.Not(node.condition))


def define_line(node: s.DefineLine, names: Names) -> Found:
    """Negate or drop the condition of a definition's line."""
    if node.condition is not None:
        yield "negated", attrs.evolve(node, condition=s.Not(node.condition))
        yield "condition dropped", attrs.evolve(node, condition=s.YesNo(value=True))


def predicate(node: s.DefineClause, names: Names) -> Found:
    """Negate a predicate, or make it always or never true."""
    if isinstance(node.signature, s.PredicateSignature) and len(node.lines) == 1:
        line = node.lines[0]
        if line.condition is None:
            new = attrs.evolve(line, value=s.Not(line.value))
            yield "negated", attrs.evolve(node, lines=(new,))
        for value in (True, False):
            new = attrs.evolve(line, value=s.YesNo(value), condition=None)
            yield "all or none", attrs.evolve(node, lines=(new,))


def field(node: s.Field, names: Names) -> Found:
    """Change who sees a field, whether it resets each turn, or its start value."""
    for audience in Audience:
        if audience != node.seen_by:
            yield "seen by", attrs.evolve(node, seen_by=audience)
    yield "resets", attrs.evolve(node, resets=not node.resets)
    if node.starts_every is not None:
        yield "start dropped", attrs.evolve(node, starts_every=None)
    if node.starts_at is not None:
        yield "start dropped", attrs.evolve(node, starts_at=None)
    if node.starts_of_each is not None:
        more = s.Arith(s.Reckoning.MINUS, node.starts_of_each, s.Number(1))
        yield "number", attrs.evolve(node, starts_of_each=more)


def piece(node: s.PieceClause, names: Names) -> Found:
    """Drop one of several kinds of spaces of a piece, or its room."""
    for place in range(len(node.stands_on)):
        rest = node.stands_on[:place] + node.stands_on[place + 1 :]
        if rest:
            yield "part dropped", attrs.evolve(node, stands_on=rest)
    if node.room is not None:
        yield "room dropped", attrs.evolve(node, room=None)


def award(node: s.AwardClause, names: Names) -> Found:
    """Reverse the tie rule of an award, or drop one of its conditions."""
    if node.tie is not None:
        yield "tie", attrs.evolve(node, tie=node.tie.other)
    if node.at_least is not None:
        yield "part dropped", attrs.evolve(node, at_least=None)
    if node.only_if is not None:
        yield "condition dropped", attrs.evolve(node, only_if=None)


def rule(node: s.RuleClause, names: Names) -> Found:
    """Negate the condition of a triggered rule."""
    if node.condition is not None:
        yield "negated", attrs.evolve(node, condition=s.Not(node.condition))


def limit(node: s.LimitClause, names: Names) -> Found:
    """Drop one of several actions that a limit counts."""
    for place in range(len(node.actions)):
        rest = node.actions[:place] + node.actions[place + 1 :]
        if rest:
            yield "part dropped", attrs.evolve(node, actions=rest)


def in_other_orders(
    clauses: Mapping[Address, s.Clause], key: Address
) -> Iterator[tuple[dict[Address, s.Clause], Address]]:
    """Yield the clauses with a phase swapped with the next one, and that next phase."""
    phases = [phase for phase, clause in clauses.items() if isinstance(clause, s.Phase)]
    for phase, following in pairwise(phases):
        if phase == key:
            changed = {phase: following, following: phase}
            order = [changed.get(name, name) for name in clauses]
            yield {name: clauses[name] for name in order}, following


OF_CLAUSES: dict[type[Node], tuple[Operator, ...]] = {
    s.Header: (header,),
    s.Cell: (cell,),
    s.Row: (row,),
    s.Needs: (needs,),
    s.DefineLine: (define_line,),
    s.DefineClause: (predicate,),
    s.Field: (field,),
    s.PieceClause: (piece,),
    s.AwardClause: (award,),
    s.RuleClause: (rule,),
    s.LimitClause: (limit,),
    s.RoundClause: (round_,),
}

OF_LINES: dict[type[Node], OfLines] = {
    s.Needs: statements,
    s.Pays: statements,
    s.NeedsAs: statements,
    s.Statement: statements,
    s.DefineLine: in_order,
    s.PointLine: dropped,
    s.Row: rows,
    s.Call: dropped,
}

__all__ = ["OF_CLAUSES", "OF_LINES", "in_other_orders"]
