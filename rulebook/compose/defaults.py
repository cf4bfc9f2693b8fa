"""What a file leaves open: its default is laid at once, until somebody says it."""

from __future__ import annotations

import attrs

from rulebook import syntax as s


def default_of(clause: s.Expectation) -> s.DefineClause | s.ProcedureClause | None:
    """Return the clause that holds where nobody says what is expected.

    It cites what the expectation does, and `otherwise nothing` stops at once.
    """
    if isinstance(clause, s.ExpectNamesClause) or clause.default is None:
        return None
    default = attrs.evolve(clause.default, cites=clause.cites)
    if isinstance(default, s.ProcedureClause) and not default.body:
        return attrs.evolve(default, body=(s.Stop(span=clause.span),))
    return default
