"""What a rule file wants to know of games that were played; it changes no rule."""

from __future__ import annotations

import attrs

from rulebook.model.base import Expr, Part
from rulebook.source.spans import Cite


@attrs.frozen
class GameMeasure(Part):
    """A number of each game, or of each player in it, who is slot 1.

    `each_turn`: at the end of every turn, else when the game is over.
    """

    name: str
    value: Expr
    each_player: bool
    each_turn: bool
    unit: str
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()
