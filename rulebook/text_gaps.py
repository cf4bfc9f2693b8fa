"""Gaps in the texts of a game: names in braces, such as `{player's hand}`."""

from __future__ import annotations

import re

YOU = "you"
"""Gap for the player who decides."""

YOUR = "your"
"""Owner in a gap for a part of that player: `{your hand}`."""

ACTIVE_PLAYER = "active_player"
"""Gap for the player whose turn it is."""

COUNT = "count"
"""Gap for the number of cards that a choice of several still needs."""

GAP = re.compile(r"\{(?:(your) +|([^\W\d]\w*)'s +)?([^\W\d]\w*)(?: +([^\W\d]\w*))?\}")
"""Pattern of a gap: `your` or the name of another owner, the name, and a counted kind.

`{count card}` is a number with the title of the kind, such as `1 card` or `2 cards`.
"""
