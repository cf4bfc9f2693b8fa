"""Mutation operators for clauses: requirements, tables, fields, options, awards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.model import Audience
from rulebook.mutation.operators import LineOperator, Operator, SimilarNames
from rulebook.mutation.statement_operators import mutate_statements
from rulebook.mutation.value_operators import Mutations
from rulebook.shared_enums import Period
from rulebook.source.spans import Span
from rulebook.syntax import Node

Lines = tuple[Any, ...]


def drop_line(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop one of several lines."""
    for place, line in enumerate(values if len(values) > 1 else ()):
        yield "dropped", line.span, values[:place] + values[place + 1 :]


def drop_or_swap_line(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop a line, or swap it with the next line."""
    yield from drop_line(values)
    for place, (line, following) in enumerate(pairwise(values)):
        changed = (*values[:place], following, line, *values[place + 2 :])
        yield "order", line.span, changed


def mutate_rows(values: Lines) -> Iterator[tuple[str, Span, Lines]]:
    """Drop a row of a table, or swap a cell with the one below it."""
    yield from drop_line(values)
    for place, (above, below) in enumerate(pairwise(values)):
        for column in range(1, len(above.cells)):
            mine, theirs = above.cells[column], below.cells[column]
            if mine != theirs:
                upper, lower = (
                    _with_cell(above, column, theirs),
                    _with_cell(below, column, mine),
                )
                changed = (*values[:place], upper, lower, *values[place + 2 :])
                yield "row", mine.span, changed


def _with_cell(row: s.Row, column: int, cell: s.Cell) -> s.Row:
    cells = (*row.cells[:column], cell, *row.cells[column + 1 :])
    return attrs.evolve(row, cells=cells)


def mutate_round(node: s.RoundClause, names: SimilarNames) -> Mutations:
    """Swap `before each round` and `after each round`."""
    yield "before/after", attrs.evolve(node, when=node.when.other)


def mutate_header(node: s.Header, names: SimilarNames) -> Mutations:
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


def mutate_cell(node: s.Cell, names: SimilarNames) -> Mutations:
    """Change a number by one, or swap yes and no."""
    if node.form is s.CellForm.NUMBER:
        for value in (node.value + 1, node.value - 1):
            if value >= 0:
                yield "number", attrs.evolve(node, value=value)
    elif node.form is s.CellForm.YES_NO:
        yield "yes/no", attrs.evolve(node, value=not node.value)


def mutate_row(node: s.Row, names: SimilarNames) -> Mutations:
    """Replace a cell by another member of the same kind."""
    for column, entry in enumerate(node.cells):
        if column and entry.form is s.CellForm.NAME:
            for other in names.alternatives_to(entry.value):
                yield "name", _with_cell(node, column, attrs.evolve(entry, value=other))


def mutate_needs(node: s.Needs, names: SimilarNames) -> Mutations:
    """Negate a requirement."""
    yield "negated", attrs.evolve(node, condition=s.NotExpression(node.condition))


def mutate_define_line(node: s.DefinitionLine, names: SimilarNames) -> Mutations:
    """Negate or drop the condition of a definition's line."""
    if node.condition is not None:
        yield "negated", attrs.evolve(node, condition=s.NotExpression(node.condition))
        yield "condition dropped", attrs.evolve(node, condition=s.YesNo(value=True))


def mutate_predicate(node: s.DefineClause, names: SimilarNames) -> Mutations:
    """Negate a predicate, or make it always or never true."""
    if isinstance(node.signature, s.PredicateSignature) and len(node.lines) == 1:
        line = node.lines[0]
        if line.condition is None:
            new = attrs.evolve(line, value=s.NotExpression(line.value))
            yield "negated", attrs.evolve(node, lines=(new,))
        for value in (True, False):
            new = attrs.evolve(line, value=s.YesNo(value), condition=None)
            yield "all or none", attrs.evolve(node, lines=(new,))


def mutate_field(node: s.FieldLine, names: SimilarNames) -> Mutations:
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
        more = s.ArithExpression(
            s.ArithmeticOperator.MINUS, node.starts_of_each, s.Number(1)
        )
        yield "number", attrs.evolve(node, starts_of_each=more)


def mutate_piece(node: s.PieceClause, names: SimilarNames) -> Mutations:
    """Drop one of several kinds of spaces of a piece, or its room."""
    for place in range(len(node.stands_on)):
        rest = node.stands_on[:place] + node.stands_on[place + 1 :]
        if rest:
            yield "part dropped", attrs.evolve(node, stands_on=rest)
    if node.room is not None:
        yield "room dropped", attrs.evolve(node, room=None)


def mutate_award(node: s.AwardClause, names: SimilarNames) -> Mutations:
    """Reverse the tie rule of an award, or drop one of its conditions."""
    if node.tie is not None:
        yield "tie", attrs.evolve(node, tie=node.tie.other)
    if node.at_least is not None:
        yield "part dropped", attrs.evolve(node, at_least=None)
    if node.only_if is not None:
        yield "condition dropped", attrs.evolve(node, only_if=None)


def mutate_rule(node: s.RuleClause, names: SimilarNames) -> Mutations:
    """Negate the condition of a triggered rule."""
    if node.condition is not None:
        yield "negated", attrs.evolve(node, condition=s.NotExpression(node.condition))


def mutate_limit(node: s.LimitClause, names: SimilarNames) -> Mutations:
    """Drop one of several actions that a limit counts, or change its period."""
    for period in Period:
        if period != node.period:
            yield "period", attrs.evolve(node, period=period)
    for place in range(len(node.actions)):
        rest = node.actions[:place] + node.actions[place + 1 :]
        if rest:
            yield "part dropped", attrs.evolve(node, actions=rest)


def swap_phases(
    clauses: Mapping[Address, s.Clause], key: Address
) -> Iterator[tuple[dict[Address, s.Clause], Address]]:
    """Yield the clauses with a phase after the next one, and the next one's address."""
    phases = [phase for phase, clause in clauses.items() if isinstance(clause, s.Phase)]
    for phase, following in pairwise(phases):
        if phase == key:
            changed = {phase: following, following: phase}
            order = [changed.get(name, name) for name in clauses]
            yield {name: clauses[name] for name in order}, following


OF_CLAUSES: dict[type[Node], tuple[Operator, ...]] = {
    s.Header: (mutate_header,),
    s.Cell: (mutate_cell,),
    s.Row: (mutate_row,),
    s.Needs: (mutate_needs,),
    s.DefinitionLine: (mutate_define_line,),
    s.DefineClause: (mutate_predicate,),
    s.FieldLine: (mutate_field,),
    s.PieceClause: (mutate_piece,),
    s.AwardClause: (mutate_award,),
    s.RuleClause: (mutate_rule,),
    s.LimitClause: (mutate_limit,),
    s.RoundClause: (mutate_round,),
}

OF_LINES: dict[type[Node], LineOperator] = {
    s.Needs: mutate_statements,
    s.Pays: mutate_statements,
    s.NeedsAs: mutate_statements,
    s.Statement: mutate_statements,
    s.DefinitionLine: drop_or_swap_line,
    s.PointsLine: drop_line,
    s.Row: mutate_rows,
    s.ActionOffer: drop_line,
}

__all__ = ["OF_CLAUSES", "OF_LINES", "swap_phases"]
