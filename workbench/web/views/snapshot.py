"""Snapshot of a table: all data that a seat's page shows.

It is built only from the seat's view, log and legal actions, and from the list of
players.
"""

from collections.abc import Mapping
from typing import Any

from rulebook import Rulebook
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.momentary_fields import without_silent
from workbench.presentation.picture.scene import for_all
from workbench.web.views.board import board
from workbench.web.views.choices import choices
from workbench.web.views.click_targets import places
from workbench.web.views.events import happened
from workbench.web.views.hand import costs, hand
from workbench.web.views.offers import gathers
from workbench.web.views.players import players
from workbench.web.views.protocols import TableView
from workbench.web.views.symbols import seat_signs, sign, words_of
from workbench.web.views.turn_panel import turn_panel


def moment(table: TableView, seat: str | None, language: str) -> dict[str, Any]:
    """Return all data for the page of a seat (None: a spectator), in a language."""
    game, words = table.game_for(seat), words_of(table.book, language)
    view = without_silent(table.book, game.view(seat))
    decides = seat is not None and seat in table.waits_for() and _may(table, seat)
    chosen = choices(game, seat if decides else None, words)
    drawn = board(game, seat, language, view)
    signs = seat_signs(table.book, game.seats, language)
    for form in chosen["forms"]:
        form["signs"] = {
            pick["card"]: sign(table.book, pick["card"], language)
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
        "places": places(drawn, chosen, words),
        "choices": chosen,
        "hand": hand(game, seat, view, words) if seat is not None else None,
        "costs": list(costs(game, seat, view, words)),
        "players": players(table, game, seat, view, words),
        "for_all": common(table.book, view, words),
        "gathers": gathers(table.book),
        "happened": happened(table, game, seat, view, words),
        "over": game.over,
        "seat_signs": signs,
        "signs": {
            card: sign(table.book, card, language)
            for action in chosen["actions"]
            for card in action.get("cards", ())
        },
    }


def common(
    book: Rulebook, view: Mapping[str, Any], words: Wording
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
    return list(for_all(book, {**view, "game": left}, words))


def _may(table: TableView, seat: str) -> bool:
    """Return whether a person, not a bot, decides for a seat."""
    place = next(each for each in table.seats if each.seat == seat)
    return place.bot is None and place.stands_in is None
