"""What every part of the checked rules has."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulebook.model.types import Type
from rulebook.source.spans import NOWHERE, Span

YOU = 0
FREE = 1


@attrs.frozen
class Part:
    """Anything in the model that was written somewhere."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Typed(Part):
    """An expression: something with a value of a known type."""

    type: Type = attrs.field(kw_only=True)


Expr: TypeAlias = Typed
"""What stands where a value is wanted; `values` and `sets` have all there are."""
