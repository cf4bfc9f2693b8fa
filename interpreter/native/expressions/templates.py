"""Templates for all expressions: the tables of all modules combined."""

from __future__ import annotations

from interpreter.native.expressions import cards, paths, pieces, sets, tables, values
from interpreter.native.writer import Templates

TEMPLATES = Templates(
    values={
        **values.VALUES,
        **cards.VALUES,
        **sets.VALUES,
        **pieces.VALUES,
        **paths.VALUES,
    },
    loops={**sets.LOOPS, **cards.LOOPS, **pieces.LOOPS},
    lists={**sets.LISTS, **paths.LISTS},
    counts=cards.COUNTS,
    fills=cards.FILLS,
    most=sets.MOST,
    unordered=paths.UNORDERED,
    tabulated=tables.tabulated,
    narrowed=tables.narrowed,
)
