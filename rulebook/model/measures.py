"""Measures of played games that a rule file declares; they change no rule."""

from __future__ import annotations

import attrs

from rulebook.model.base_parts import Expr, Part
from rulebook.source.spans import Cite


@attrs.frozen
class GameMeasure(Part):
    """Number measured in each game, or for each player (who is in slot 1).

    If `each_turn`, it is measured at the end of every turn, else when the game is over.
    """

    name: str
    value: Expr
    each_player: bool
    each_turn: bool
    unit: str
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()
