"""Places where a syntax tree can be mutated: nodes, and sequences of lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.mutation.sampling_operators import (
    operator_in_clause,
    operator_of,
    operator_of_lines,
)
from rulebook.source.spans import Span
from rulebook.syntax import Name, Node
from rulebook.traversal import find, replaceable_places


@attrs.frozen
class Change:
    """Mutation: its description, its span, the resulting tree and sampling operator."""

    description: str
    span: Span
    new: Any
    operator: str = ""


@attrs.frozen
class SimilarNames:
    """Names that could be confused with each other.

    They are members of the same kind, and fields of the same owner and type. `actions`
    are all actions; `player_variables` are the player variables of the mutated clause.
    """

    alternatives: Mapping[str, tuple[str, ...]]
    actions: tuple[str, ...] = ()
    player_variables: tuple[str, ...] = ()

    @classmethod
    def collect(cls, clauses: Iterable[s.Clause]) -> SimilarNames:
        """Return the similar names among those that the clauses declare."""
        members: list[list[str]] = []
        actions: list[str] = []
        fields: dict[tuple[s.Name | None, s.TypeExpr], list[str]] = {}
        for clause in clauses:
            if isinstance(clause, s.FieldsClause):
                field = clause.fields[0]
                alike = fields.setdefault((clause.owner, field.type), [])
                alike.append(field.name.text)
            elif isinstance(clause, s.ActionClause):
                actions.append(clause.name.text)
            else:
                members.append(_members(clause))
        following: dict[str, tuple[str, ...]] = {}
        for alike in (*members, *fields.values()):
            for name, other in zip(alike, [*alike[1:], *alike[:1]], strict=True):
                if other not in {name, *following.get(name, ())}:
                    following[name] = (*following.get(name, ()), other)
        return cls(following, tuple(actions))

    def for_clause(self, part: Node) -> SimilarNames:
        """Return these names together with the player variables of one clause."""
        players = [
            (binder.name or binder.kind).text
            for binder in find(part, (s.ParameterPhrase, s.BinderPhrase))
            if binder.kind is not None and binder.kind.text == "player"
        ]
        return attrs.evolve(self, player_variables=tuple(dict.fromkeys(players)))

    def alternatives_to(self, name: Name) -> Iterator[Name]:
        """Yield the names that could be confused with a name."""
        for other in self.alternatives.get(name.text, ()):
            yield attrs.evolve(name, text=other)


def _members(clause: s.Clause) -> list[str]:
    """Return the members that a clause declares, in its head or in the first column."""
    members = [name.text for name in getattr(clause, "members", ())]
    table = getattr(clause, "table", None)
    if isinstance(table, s.Table):
        firsts = [row.cells[0].value for row in table.rows if row.cells]
        members += [first.text for first in firsts if isinstance(first, Name)]
    return members


Operator = Callable[[Any, SimilarNames], Iterator[tuple[str, Any]]]
"""Function that yields (description, replacement) pairs for a node."""

LineOperator = Callable[[tuple[Any, ...]], Iterator[tuple[str, Span, tuple[Any, ...]]]]
"""Function that yields (description, span, replacement) for a sequence of lines."""


@attrs.frozen
class Operators:
    """Mutation operators for nodes, and for sequences of lines, by class."""

    node_operators: Mapping[type[Node], tuple[Operator, ...]]
    line_operators: Mapping[type[Node], LineOperator]

    def line_operator(self, values: tuple[Any, ...]) -> LineOperator | None:
        """Return the operator for a sequence, by the class of its first line."""
        for sort in type(values[0]).__mro__ if values else ():
            if sort in self.line_operators:
                return self.line_operators[sort]
        return None


def changes(
    part: s.Clause | s.Header, operators: Operators, names: SimilarNames
) -> Iterator[Change]:
    """Yield all mutations of a clause or header, the whole before its parts."""
    names = names.for_clause(part)
    for value, put in replaceable_places(part):
        if isinstance(value, Node):
            for operator in operators.node_operators.get(type(value), ()):
                for description, new in operator(value, names):
                    tree, sampling = put(new), operator_of(description, value, new)
                    sampling = operator_in_clause(part, tree, sampling)
                    yield Change(description, value.span, tree, sampling)
        elif (lines := operators.line_operator(value)) is not None:
            for description, span, new in lines(value):
                sampling = operator_of_lines(description, value, span)
                yield Change(description, span, put(new), sampling)


__all__ = ["Change", "LineOperator", "Operator", "Operators", "SimilarNames", "changes"]
