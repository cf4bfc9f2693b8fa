"""How every expression is written: the tables of all modules in one."""

from __future__ import annotations

from interpreter.plan.specialise import Specialiser
from interpreter.python.expressions import cards, paths, pieces, sets, values
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source.source import Source
from interpreter.tables.facts import Facts

TEMPLATES: Templates = {
    **values.TEMPLATES,
    **cards.TEMPLATES,
    **sets.TEMPLATES,
    **pieces.TEMPLATES,
    **paths.TEMPLATES,
}


def writer(source: Source, facts: Facts, special: Specialiser | None = None) -> Writer:
    """Return a writer; without a specialiser it writes what the book says."""
    return Writer(source, facts, TEMPLATES, special)
