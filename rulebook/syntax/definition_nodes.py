"""Syntax nodes of definitions, procedures and expectations."""

from __future__ import annotations

import attrs

from rulebook.syntax.base_nodes import Clause, Name, Node
from rulebook.syntax.component_nodes import Table
from rulebook.syntax.expression_nodes import Expr
from rulebook.syntax.statement_nodes import Let, Stmt
from rulebook.syntax.type_nodes import ParameterPhrase, TypeExpr


@attrs.frozen
class PropertySignature(Node):
    """`SUBJECT's NAME[(parameters)][: type]`: signature of a property."""

    subject: ParameterPhrase
    name: Name
    parameters: tuple[ParameterPhrase, ...] = ()
    type: TypeExpr | None = None


@attrs.frozen
class PredicateSignature(Node):
    """`SUBJECT is NAME [PREPOSITION OBJECT]`: signature of a yes/no predicate."""

    subject: ParameterPhrase
    name: Name
    preposition: str | None = None
    object: ParameterPhrase | None = None


@attrs.frozen
class ValueSignature(Node):
    """`NAME[(parameters)]: type`: signature of a value without a subject."""

    name: Name
    parameters: tuple[ParameterPhrase, ...] = ()
    type: TypeExpr | None = None


Signature = PropertySignature | PredicateSignature | ValueSignature


@attrs.frozen
class DefinitionLine(Clause):
    """`[LABEL:] VALUE [if CONDITION]`; `otherwise VALUE` has no condition."""

    value: Expr
    condition: Expr | None = None
    label: Name | None = None


@attrs.frozen
class DefineClause(Clause):
    """`define SIGNATURE` with lines; `names` from `let` are known in all lines.

    Instead of lines it may have a `table` of values, with columns for its parameters.
    """

    signature: Signature
    lines: tuple[DefinitionLine, ...]
    names: tuple[Let, ...] = ()
    table: Table | None = None


@attrs.frozen
class ExpectClause(Clause):
    """`expect define SIGNATURE`, with a default that applies if nobody defines it."""

    signature: Signature
    text: str | None = None
    default: DefineClause | None = None


@attrs.frozen
class ExpectNamesClause(Clause):
    """`expect SORT NAME, NAME`: names that some file must declare.

    `expect spaces` allows spaces of any shape.
    """

    sort: str
    names: tuple[Name, ...]
    text: str | None = None


@attrs.frozen
class ProcedureClause(Clause):
    name: Name
    parameters: tuple[ParameterPhrase, ...]
    body: tuple[Stmt, ...]


@attrs.frozen
class ExpectProcedureClause(Clause):
    """`expect to NAME(parameters)`, with a default that runs if nobody defines it.

    A default without statements is `otherwise nothing`.
    """

    name: Name
    parameters: tuple[ParameterPhrase, ...]
    text: str | None = None
    default: ProcedureClause | None = None


Expectation = ExpectClause | ExpectNamesClause | ExpectProcedureClause
