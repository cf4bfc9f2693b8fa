"""Default clauses of `expect`, which apply unless a file declares the clause."""

from __future__ import annotations

import attrs

from rulebook import syntax as s


def default_of(clause: s.Expectation) -> s.DefineClause | s.ProcedureClause | None:
    """Return the default clause of an expectation, or None if it has no default.

    The default clause gets the citations of the expectation. `otherwise nothing`
    becomes a body that stops at once.
    """
    if isinstance(clause, s.ExpectNamesClause) or clause.default is None:
        return None
    default = attrs.evolve(clause.default, cites=clause.cites)
    if isinstance(default, s.ProcedureClause) and not default.body:
        return attrs.evolve(default, body=(s.StopStatement(span=clause.span),))
    return default
