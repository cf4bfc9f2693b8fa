"""Snapshot of a table: all data that a seat's page shows.

It is built only from the seat's view, log and legal actions, and from the list of
players.
"""

from collections.abc import Mapping
from typing import Any

from rulebook import Rulebook
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import without_irrelevant_dice
from workbench.presentation.picture.scene import common_fields
from workbench.web.views.board_view import board_view
from workbench.web.views.choices import choices
from workbench.web.views.click_targets import click_targets
from workbench.web.views.events import recent_log
from workbench.web.views.hand import cost_rows, hand_data
from workbench.web.views.offers import has_gather
from workbench.web.views.players_panel import player_rows
from workbench.web.views.protocols import TableView
from workbench.web.views.symbols import card_symbol, localizer_of, seat_symbols
from workbench.web.views.turn_panel import turn_panel


def snapshot(table: TableView, seat: str | None, language: str) -> dict[str, Any]:
    """Return all data for the page of a seat (None: a spectator), in a language."""
    game, words = table.game_for(seat), localizer_of(table.book, language)
    view = without_irrelevant_dice(table.book, game.view(seat))
    decides = (
        seat is not None
        and seat in table.waits_for()
        and _is_person_deciding(table, seat)
    )
    chosen = choices(game, seat if decides else None, words)
    drawn = board_view(game, seat, language, view)
    signs = seat_symbols(table.book, game.seats, language)
    for form in chosen["forms"]:
        form["signs"] = {
            pick["card"]: card_symbol(table.book, pick["card"], language)
            for pick in form["rows"][0]["picks"]
        }
    place = next((each for each in table.seats if each.seat == seat), None)
    name = getattr(table, "name", "")
    return {
        "version": table.version,
        "language": language,
        "seat": seat,
        "title": words.heading,
        "name": name,
        "variant": table.variant,
        "me": place
        and {"title": words.title(place.seat), "name": place.name, **signs[place.seat]},
        "turn": turn_panel(table, game, seat, view, chosen, words),
        "board": drawn,
        "places": click_targets(drawn, chosen, words),
        "choices": chosen,
        "hand": hand_data(game, seat, view, words) if seat is not None else None,
        "costs": list(cost_rows(game, seat, view, words)),
        "players": player_rows(table, game, seat, view, words),
        "for_all": common_values(table.book, view, words),
        "gathers": has_gather(table.book),
        "happened": recent_log(table, game, seat, view, words),
        "over": game.over,
        "seat_signs": signs,
        "signs": {
            card: card_symbol(table.book, card, language)
            for action in chosen["actions"]
            for card in action.get("cards", ())
        },
    }


def common_values(
    book: Rulebook, view: Mapping[str, Any], localizer: Localizer
) -> list[tuple[str, str]]:
    """Return the titles and values of fields that belong to no seat.

    Dice are left out, because the turn panel shows them.
    """
    fields = book.model.fields
    left = {
        name: value
        for name, value in view.get("game", {}).items()
        if name not in fields or not fields[name].faces
    }
    return list(common_fields(book, {**view, "game": left}, localizer))


def _is_person_deciding(table: TableView, seat: str) -> bool:
    """Return whether a person, not a bot, decides for a seat."""
    place = next(each for each in table.seats if each.seat == seat)
    return place.bot is None and place.stands_in is None
