"""Traversal of a file that collects names, with the variables in scope.

The scope of a variable extends from its binding to the end of the binding node. A
variable named like its kind counts as the kind's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.references.named_things import (
    Mention,
    NameDeclaration,
    PossibleMeanings,
    Sort,
    Thing,
    variable_owner,
)
from rulebook.references.roles import (
    AMENDED,
    CELL_SORTS,
    CLAUSE_PART_SORTS,
    DECLARED_SORTS,
    EDITED,
    MENTION_SORTS,
)
from rulebook.source.spans import Span
from rulebook.traversal import children

SCOPE_EXTENDING = (
    s.Let,
    s.LetTally,
    s.LetBag,
    s.ChooseStatement,
    s.ChanceChooses,
    s.GatherStatement,
    s.StepStatement,
)
"""Classes of statements whose variables stay in scope in later statements."""

USED_BEFORE_BOUND = (s.HighestExpression, s.HighestOfCombinations, s.NumberOf)
"""Classes of expressions that use a variable before its binder declares it."""

SCOPE_LIMITS = (
    *(
        s.Statement,
        s.Clause,
        s.Needs,
        s.SumOver,
        s.BagOverExpression,
        s.HighestExpression,
        s.NumberOf,
    ),
    *(
        s.NoneOf,
        s.Every,
        s.LongestTrailExpression,
        s.SomeCombination,
        s.NoCombination,
        s.NumberOfCombinations,
        s.HighestOfCombinations,
        s.ReachExpression,
        s.DistanceExpression,
        s.NextPlayer,
    ),
)
"""Classes of nodes at whose end the variables declared inside go out of scope."""

NO_SPAN = Span("", 0, 0, 0, 0)


NodeReader = Callable[["NameReader", Any], None]
"""Function that collects the names in nodes of a class."""


@attrs.define
class NameReader:
    """Collector of the names in a file; `owner` is the name of the current clause."""

    readers: Mapping[type[s.Node], NodeReader]
    declarations: list[NameDeclaration] = attrs.Factory(list)
    mentions: list[Mention] = attrs.Factory(list)
    variables_in_scope: dict[str, Thing] = attrs.Factory(dict)
    variables: list[tuple[str, Thing]] = attrs.Factory(list)
    owner: str = ""
    amended_clause: str = ""
    clause_span: Span = NO_SPAN

    def declare(
        self, sort: Sort, name: s.Name | None, owner: str, declaration_span: Span
    ) -> None:
        """Record that a name declares a thing."""
        if name is not None and name.span.file:
            thing = Thing(sort, owner, name.text)
            self.declarations.append(
                NameDeclaration(name.text, name.span, thing, declaration_span)
            )

    def mention(
        self, name: s.Name | None, sorts: tuple[Sort, ...], owner: str | None = None
    ) -> None:
        """Record that a name refers to a thing of one of these sorts."""
        if name is not None and name.span.file:
            wanted = PossibleMeanings(sorts, owner)
            self.mentions.append(
                Mention(name.text, name.span, wanted, self.clause_span)
            )

    def bind(self, name: s.Name, kind: s.Name | None, owner: str | None = None) -> None:
        """Declare a variable, whose owner is *owner* or else its place in the text.

        A variable named like its kind is a mention of the kind.
        """
        local = Thing(Sort.LOCAL, owner or variable_owner(name.span), name.text)
        self.variables_in_scope[name.text] = local
        self.variables.append((self.owner, local))
        if kind is not None and name.span == kind.span:
            wanted = PossibleMeanings((Sort.KIND,), variable=local, is_binding=True)
            self.mentions.append(
                Mention(name.text, name.span, wanted, self.clause_span)
            )
        else:
            self.declarations.append(
                NameDeclaration(name.text, name.span, local, self.clause_span)
            )

    # ------------------------------------------------------------ clauses

    def read_header(self, header: s.Header) -> None:
        """Collect the names in a header; its seats are members of `player`."""
        self.clause_span = header.span
        if not header.is_short and not header.sort.is_companion:
            self.declare(Sort.FILE, header.name, "", header.span)
        elif header.sort.is_companion:
            self.mention(header.name, (Sort.FILE,))
        for seat in header.seats:
            self.declare(Sort.MEMBER, seat, "player", header.span)
        self.record_fields(header)
        for node in (*header.sources, *header.teams):
            self.read_node(node)

    def read_clause(self, clause: Any) -> None:
        """Collect the names in a clause, which has its own variables."""
        self.clause_span, self.variables_in_scope = clause.span, {}
        self.owner = self.amended_clause = ""
        match clause:
            case s.Replace(clause=new):
                self.read_node(new)
            case s.Remove(sort=sort, name=name):
                self.mention(name, AMENDED.get(sort, (Sort.FIELD,)), _owner_kind(sort))
            case s.Within(sort=sort, name=name):
                self.mention(name, AMENDED.get(sort, (Sort.FIELD,)), _owner_kind(sort))
                self.owner = self.amended_clause = name.text if name else sort
                for edit in clause.edits:
                    self.read_edit(edit, sort)
            case _:
                self.read_node(clause)

    def read_edit(self, edit: s.Edit, sort: str) -> None:
        """Collect the names in one edit of a clause whose address has this *sort*."""
        content = edit.content
        adds = edit.verb in (s.EditVerb.ADD, s.EditVerb.ADD_FIRST)
        sorts = EDITED.get(edit.part)
        if sorts is not None and not (adds and content is not None):
            owner = self.owner if sorts[0] in CLAUSE_PART_SORTS else None
            if edit.part is s.EditPart.FIELD:
                owner = self.owner if sort == "each" else sort
            if isinstance(edit.name, s.Name):
                self.mention(edit.name, sorts, owner)
        if edit.anchor is not None:
            self.mention(edit.anchor, (Sort.PHASE, Sort.STEP))
        before = dict(self.variables_in_scope)
        match content:
            case s.Row():
                self.read_row(content, None)
            case s.FieldLine():
                self.read_field(content, self.owner if sort == "each" else sort)
            case _:
                self.read_node(content)
        self.variables_in_scope = before

    # ------------------------------------------------------------ nodes

    def read_node(self, node: Any) -> None:
        """Collect the names in a node and its parts."""
        if isinstance(node, tuple | list):
            for part in node:
                self.read_node(part)
            return
        if not isinstance(node, s.Node) or isinstance(node, s.Name):
            return
        before = None
        if isinstance(node, SCOPE_LIMITS) and not isinstance(node, SCOPE_EXTENDING):
            before = dict(self.variables_in_scope)
        read = self.readers.get(type(node))
        if read is not None:
            read(self, node)
        else:
            self.read_by_tables(node)
        if before is not None:
            self.variables_in_scope = before

    def read_by_tables(self, node: s.Node) -> None:
        """Collect the names in a node as the tables in `roles` specify."""
        sort = DECLARED_SORTS.get(type(node))
        if sort is not None:
            name = node.name  # type: ignore[attr-defined]
            self.declare(sort, name, "", node.span)
            self.record_plural(node, sort)
            if isinstance(node, s.Clause):
                self.owner = name.text
        self.record_fields(node)
        if isinstance(node, USED_BEFORE_BOUND) and getattr(node, "binder", None):
            self.read_node(node.binder)  # type: ignore[union-attr]
        for part in children(node):
            if part is not getattr(node, "binder", NO_SPAN) or not isinstance(
                node, USED_BEFORE_BOUND
            ):
                self.read_node(part)

    def record_plural(self, node: s.Node, sort: Sort) -> None:
        """Record the plural of a kind or piece, which refers to the same thing."""
        plural, name = getattr(node, "plural", None), getattr(node, "name", None)
        if plural is not None and name is not None and plural.span != name.span:
            thing = Thing(sort, "", name.text)
            self.declarations.append(
                NameDeclaration(plural.text, plural.span, thing, node.span)
            )

    def record_fields(self, node: s.Node) -> None:
        """Record the names in the fields of a node."""
        for field in attrs.fields(type(node)):
            sorts = MENTION_SORTS.get((type(node), field.name))
            value = getattr(node, field.name)
            if sorts is None or value is None:
                continue
            for name in value if isinstance(value, tuple) else (value,):
                local = self.variables_in_scope.get(name.text)
                if isinstance(node, s.Of) or not (_takes_variables(node)):
                    local = None
                wanted = PossibleMeanings(
                    sorts,
                    variable=local,
                    enclosing_span=node.span,
                    amended_clause=self.amended_clause,
                )
                self.mentions.append(
                    Mention(name.text, name.span, wanted, self.clause_span)
                )

    def read_row(self, row: s.Row, table: s.Table | None) -> None:
        """Collect the names in a row, whose first cell declares a member."""
        columns = table.columns if table else ()
        for number, cell in enumerate(row.cells):
            column = columns[number].text if number < len(columns) else None
            for name in names_in(cell.value):
                if number == 0 and self.owner:
                    self.declare(Sort.MEMBER, name, self.owner, row.span)
                else:
                    self.mention(name, CELL_SORTS, column)
            if isinstance(cell.value, s.Node) and not isinstance(cell.value, s.Name):
                self.read_node(cell.value)

    def read_field(self, field: s.FieldLine, owner: str) -> None:
        """Collect the names in the line that declares a field of *owner*."""
        self.declare(Sort.FIELD, field.name, owner, field.span)
        self.record_fields(field)
        for part in children(field):
            self.read_node(part)


def names_in(value: Any) -> list[s.Name]:
    """Return the names in a table cell: the name itself, or the names in a corner."""
    if isinstance(value, tuple):
        return [part for part in value if isinstance(part, s.Name)]
    return [value] if isinstance(value, s.Name) else []


def _takes_variables(node: s.Node) -> bool:
    return isinstance(node, s.NameRef | s.Is | s.Apply | s.HasA | s.HasAmount)


def _owner_kind(sort: str) -> str | None:
    return None if sort in AMENDED else sort
