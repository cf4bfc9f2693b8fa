"""What may be none: a seat, a space, a card that is not there.

Nothing is done to it, nothing stands or lies there, and it is nobody's.
"""

from __future__ import annotations

from rulebook import model as m


def may_hold_none(e: m.Expr) -> bool:
    """Whether something may be none after all, whatever its type says.

    A variable is none where what was given to it is, a part of none is none, and so is
    a description of which no line applies.
    """
    match e:
        case m.Const(value=value):
            return bool(value == m.NONE)
        case m.Local(slot=m.YOU):
            return False
        case _:
            return True
