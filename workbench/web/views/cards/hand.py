"""Hand of a seat, as plain data for a page."""

from collections.abc import Mapping
from typing import Any

from interpreter import Game
from workbench.presentation.cards.hand import hand_of
from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.cards.faces import group_data


def hand_data(
    game: Game, seat: str, view: Mapping[str, Any], localizer: Localizer
) -> dict[str, Any]:
    """Return the cards of a seat, grouped by field, and its other values."""
    hand, language = hand_of(game, seat, view, localizer), localizer.language
    return {
        "groups": [group_data(game.book, group, language) for group in hand.groups],
        "facts": [{"title": title, "text": text} for title, text in hand.facts],
    }
