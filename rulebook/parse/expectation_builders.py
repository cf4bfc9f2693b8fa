"""Node builders for `expect`: declarations that an extending file must make."""

from __future__ import annotations

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse import statement_builders
from rulebook.parse.clause_builders import (
    names_and_lines,
    parameters,
    signature_of,
)
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, parts

RULES = BuilderTable()


@RULES("expect_define")
def _expect_define(b: Builder, t: Tree[Token]) -> syntax.ExpectClause:
    signature, value, text, cites = parts(t)
    lines: tuple[syntax.DefinitionLine, ...] = ()
    if value is not None:
        lines = (syntax.DefinitionLine(b.expr(value), span=b.span(value)),)
    return _definition(b, t, (signature, text, cites), lines)


@RULES("expect_lines")
def _expect_lines(b: Builder, t: Tree[Token]) -> syntax.ExpectClause:
    signature, text, cites, *below = parts(t)
    names, lines = names_and_lines(b, below)
    return _definition(b, t, (signature, text, cites), lines, names)


def _definition(
    b: Builder,
    t: Tree[Token],
    head: tuple[Branch, Branch, Branch],
    lines: tuple[syntax.DefinitionLine, ...],
    names: tuple[syntax.Let, ...] = (),
) -> syntax.ExpectClause:
    signature, text, cites = head
    wanted = signature_of(b, signature)
    return syntax.ExpectClause(
        wanted,
        b.optional_text(text),
        syntax.DefineClause(wanted, lines, names, span=b.span(t)) if lines else None,
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("expect_to")
def _expect_to(b: Builder, t: Tree[Token]) -> syntax.ExpectProcedureClause:
    name, params, nothing, text, cites, body = parts(t)
    if nothing is not None and body is not None:
        b.report(
            "RB018",
            "`otherwise nothing` cannot have lines below it",
            b.span(body),
            help="remove `otherwise nothing`, or the lines",
        )
    default = None
    if nothing is not None or body is not None:
        done = () if body is None else statement_builders.suite(b, body)
        default = syntax.ProcedureClause(
            b.name(name), parameters(b, params), done, span=b.span(t)
        )
    return syntax.ExpectProcedureClause(
        b.name(name),
        parameters(b, params),
        b.optional_text(text),
        default,
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("expect_names")
def _expect_names(b: Builder, t: Tree[Token]) -> syntax.ExpectNamesClause:
    sort, names, text, cites = parts(t)
    return syntax.ExpectNamesClause(
        str(sort),
        b.name_list(names),
        b.optional_text(text),
        cites=b.cites(cites),
        span=b.span(t),
    )
