"""Python code for the end of a game: the ranks of all seats."""

from __future__ import annotations

from interpreter.python.expressions.sets import keys
from interpreter.python.expressions.writer import Writer
from interpreter.source import code
from interpreter.source.code import Code
from rulebook import model as m


def ranks(w: Writer, node: m.Wins) -> Code:
    """Return code for the ranks of all seats when some seats win."""
    players = code.literal(w.facts.players)
    if node.ranking is not None:
        by = node.ranking
        return code.call("ranked", players, w.chosen(by), keys(w, by))
    if node.who is None:
        return Code("()")
    who = w.code(node.who)
    several = isinstance(node.who.type, m.SetOf)
    return code.call("sharing", players, who if several else code.row_of([who]))
