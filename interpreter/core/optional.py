"""Expressions that may be none: a missing seat, space or card.

Effects on none do nothing. None contains nothing and belongs to nobody.
"""

from __future__ import annotations

from rulebook import model as m


def may_be_none(e: m.Expr) -> bool:
    """Return whether the value of an expression may be none, whatever its type says.

    A variable may be none if its value may be. An attribute of none is none. A
    definition is none if no line applies.
    """
    return m.is_none(e) if m.is_constant(e) else not m.is_you(e)
