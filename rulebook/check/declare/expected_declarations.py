"""Check that a game declares everything that its base files `expect`."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.check.declare.signatures import parameter_types, signature_of
from rulebook.check.declare.symbol_table import DefineSignature, SymbolTable, mistake
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span
from rulebook.write.expression_text import parameters

BOARD_SORTS = ("hexes", "corners", "links")
"""Sorts of clauses, besides `spaces`, that declare spaces."""


def check_expected_names(world: SymbolTable) -> None:
    """Report expected names that no file declares.

    Uses of these names are then not reported as unknown.
    """
    declared = set(_declarations(world))
    for clause in world.expectations:
        if isinstance(clause, s.ExpectNamesClause):
            for name in clause.names:
                if (clause.sort, name.text) not in declared:
                    what = f"have {clause.sort} `{name.text}`"
                    _report_missing(world, what, clause.text, name.span, name.text)


def _declarations(world: SymbolTable) -> Iterator[tuple[str, str]]:
    """Yield the sort and name of each declaration."""
    for address, clause in world.clauses.items():
        sort = address.sort
        yield "spaces" if sort in BOARD_SORTS else sort, address.without_sort
        if isinstance(clause, s.DiceClause):
            for declared in clause.names:
                yield sort, declared.text


def check_expected_procedures(world: SymbolTable) -> None:
    """Report expected procedures that are missing or have other parameters."""
    for clause in world.expectations:
        if isinstance(clause, s.ExpectProcedureClause):
            with world.collect_errors():
                _check_procedure(world, clause)


def _check_procedure(world: SymbolTable, clause: s.ExpectProcedureClause) -> None:
    name = clause.name
    wanted = tuple(type_ for _, type_ in parameter_types(world, clause.parameters))
    head = f"to {name.text}{parameters(clause.parameters)}"
    procedure = world.clauses.get(Address("to", name.text))
    if not isinstance(procedure, s.ProcedureClause):
        _report_missing(world, f"contain `{head}`", clause.text, name.span, name.text)
        return
    given = world.procedure_parameters.get(name.text)
    if given is not None and tuple(parameter.type for parameter in given) != wanted:
        raise mistake(
            "RB144",
            procedure.name.span,
            f"`{name.text}` does not have the expected parameters",
            f"write `{head}`",
            ((name.span, "expected here"),),
        )


def check_expected_defines(world: SymbolTable) -> None:
    """Report expected definitions that are missing or have another signature."""
    for clause in world.expectations:
        if isinstance(clause, s.ExpectClause):
            with world.collect_errors():
                wanted = signature_of(world, clause.signature, clause.signature.name)
                _check_define(world, clause, wanted)


def _check_define(
    world: SymbolTable, clause: s.ExpectClause, expected: DefineSignature
) -> None:
    entries = world.defines.get(expected.name, [])
    if any(
        entry.key == expected.key and entry.sort == expected.sort for entry in entries
    ):
        return
    if entries:
        raise mistake(
            "RB144",
            entries[0].span,
            f"`{entries[0].sentence}` does not match the expected definition",
            f"define it as `{expected.sentence}`",
            ((expected.span, "expected here"),),
        )
    what = f"define `{expected.sentence}`"
    _report_missing(world, what, clause.text, expected.span, expected.name)


def _report_missing(
    world: SymbolTable, sort: str, text: str | None, span: Span, name: str
) -> None:
    if name in world.broken_names:  # declared, but with an error
        return
    explanation = f" ({text})" if text else ""
    world.broken_names.add(name)
    world.diagnostics.append(
        Diagnostic(
            "RB144",
            f"this rulebook must {sort}{explanation}",
            world.header.span,
            related=((span, "expected here"),),
            name=name,
        )
    )
