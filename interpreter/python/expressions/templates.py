"""Templates for all expressions: the tables of all modules combined."""

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
    """Return a writer for the expressions of one game, or of the book itself."""
    return Writer(source, facts, TEMPLATES)
