"""How every expression is written: the tables of all modules in one."""

from __future__ import annotations

from interpreter.core.facts import Facts
from interpreter.python.expressions import cards, paths, pieces, sets, values
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source.source import Source

TEMPLATES: Templates = {
    **values.TEMPLATES,
    **cards.TEMPLATES,
    **sets.TEMPLATES,
    **pieces.TEMPLATES,
    **paths.TEMPLATES,
}


def writer(source: Source, facts: Facts) -> Writer:
    """Return a writer of the expressions of one game, or of the book as it stands."""
    return Writer(source, facts, TEMPLATES)
