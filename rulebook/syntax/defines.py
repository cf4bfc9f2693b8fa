"""Syntax nodes of definitions, procedures and expectations."""

from __future__ import annotations

import attrs

from rulebook.syntax.base import Clause, Name, Node
from rulebook.syntax.expressions import Expr
from rulebook.syntax.statements import Stmt
from rulebook.syntax.types import Parameter, TypeExpr


@attrs.frozen
class PropertySignature(Node):
    """`SUBJECT's NAME[(parameters)][: type]`: signature of a property."""

    subject: Parameter
    name: Name
    parameters: tuple[Parameter, ...] = ()
    type: TypeExpr | None = None


@attrs.frozen
class PredicateSignature(Node):
    """`SUBJECT is NAME [PREPOSITION OBJECT]`: signature of a yes/no predicate."""

    subject: Parameter
    name: Name
    preposition: str | None = None
    object: Parameter | None = None


@attrs.frozen
class ValueSignature(Node):
    """`NAME[(parameters)]: type`: signature of a value without a subject."""

    name: Name
    parameters: tuple[Parameter, ...] = ()
    type: TypeExpr | None = None


Signature = PropertySignature | PredicateSignature | ValueSignature


@attrs.frozen
class DefineLine(Clause):
    """`[LABEL:] VALUE [if CONDITION]`; `otherwise VALUE` has no condition."""

    value: Expr
    condition: Expr | None = None
    label: Name | None = None


@attrs.frozen
class DefineClause(Clause):
    signature: Signature
    lines: tuple[DefineLine, ...]


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
    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]


@attrs.frozen
class ExpectProcedureClause(Clause):
    """`expect to NAME(parameters)`, with a default that runs if nobody defines it.

    A default without statements is `otherwise nothing`.
    """

    name: Name
    parameters: tuple[Parameter, ...]
    text: str | None = None
    default: ProcedureClause | None = None


Expectation = ExpectClause | ExpectNamesClause | ExpectProcedureClause
