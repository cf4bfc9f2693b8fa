"""Descriptions that are written out where they are called, when that is short.

What was tried once is kept, and descriptions that are called inside one another are
written out a few deep only: else the text, or the time to find that it is too long,
would double with each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rulebook as rb

if TYPE_CHECKING:
    from interpreter.expressions import Writer

SHORT = 200
LONG = 2_000
DEEP = 8


def inlined(w: Writer, define: str, arguments: tuple[str, ...]) -> str | None:
    """Return a description with arguments put in, its variables named anew.

    None: it is no condition, or too long or too deep to be written out.
    """
    condition = rb.condition_of(w.facts.model.defines[define])
    if condition is None or len(w.variable) > DEEP:
        return None
    key = (define, w.variable, w.lazy, *arguments)
    if key not in w.facts.inlined:
        bound = dict(enumerate(arguments, 1))
        inner = type(w)(w.source, w.facts, bound, f"{w.variable}0", lazy=w.lazy)
        text = inner.text(condition)
        short = len(text) <= (LONG if w.lazy else SHORT)
        w.facts.inlined[key] = text if short else None
    return w.facts.inlined[key]
