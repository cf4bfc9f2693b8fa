"""Cards on the table, as plain data for a page: rows, stacks and laid-out cards."""

from collections.abc import Mapping
from typing import Any

from interpreter import Game
from workbench.presentation.cards.tableaus import tableaus_of
from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.cards.faces import group_data
from workbench.web.views.symbols import seat_symbols


def tableaus(
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    localizer: Localizer,
    *,
    has_board: bool,
) -> list[dict[str, Any]]:
    """Return the rows of cards on the table, grouped by seat; common rows come first.

    The sign of the common rows is None.
    """
    book, language = game.book, localizer.language
    signs = seat_symbols(book, game.seats, language)
    return [
        {
            "title": "" if each.seat is None else localizer.title(each.seat),
            "sign": None if each.seat is None else signs[each.seat],
            "rows": [group_data(book, row, language) for row in each.rows],
        }
        for each in tableaus_of(game, seat, view, localizer, has_board=has_board)
    ]
