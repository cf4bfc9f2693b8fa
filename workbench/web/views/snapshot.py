"""Snapshot of a table: all data that a seat's page shows.

A snapshot is built only from the seat's view, log and legal actions, and from the list
of players.
"""

import time
from collections.abc import Collection, Mapping
from typing import Any

from rulebook import Rulebook
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import without_irrelevant_dice
from workbench.presentation.picture.scene import common_fields
from workbench.web.views.board_view import board_view
from workbench.web.views.cards.costs import cost_rows
from workbench.web.views.cards.faces import column_texts
from workbench.web.views.cards.hand import hand_data
from workbench.web.views.cards.tableaus import tableaus
from workbench.web.views.chat import chat_panel
from workbench.web.views.choices import choices
from workbench.web.views.click_targets import click_targets
from workbench.web.views.events import recent_log
from workbench.web.views.players_panel import player_rows
from workbench.web.views.printed_rules import pending_clauses
from workbench.web.views.protocols import TableView
from workbench.web.views.symbols import card_symbol, localizer_of, seat_symbols
from workbench.web.views.turn_panel import turn_panel


def snapshot(table: TableView, seat: str | None, language: str) -> dict[str, Any]:
    """Return all data for the page of a seat, or of a spectator if *seat* is None."""
    game, localizer = table.game_for(seat), localizer_of(table.book, language)
    view = without_irrelevant_dice(table.book, game.view(seat))
    decides = (
        seat is not None
        and seat in table.waits_for()
        and _is_person_deciding(table, seat)
    )
    seat_choices = choices(game, seat if decides else None, localizer)
    seat_choices |= {
        "clauses": pending_clauses(table.book, view),
        "rules": table.book.digest,
    }
    board = board_view(game, seat, language, view)
    on_table = tableaus(game, seat, view, localizer, has_board=bool(board.positions))
    hand = hand_data(game, seat, view, localizer) if seat is not None else None
    rows = [row for group in on_table for row in group["rows"]]
    rows += hand["groups"] if hand else []
    on_page = {card["card"] for row in rows for card in row["cards"]}
    unseen = [name for name in seat_choices["names"] if name not in on_page]
    seat_choices["details"] = column_texts(table.book, unseen, localizer)
    fields_on_table = {
        row["field"] for group in on_table if not group["sign"] for row in group["rows"]
    }
    symbols = seat_symbols(table.book, game.seats, language)
    for form in seat_choices["forms"]:
        form["signs"] = {
            pick["card"]: card_symbol(table.book, pick["card"], language)
            for pick in form["rows"][0]["picks"]
        }
    seat_view = next((each for each in table.seats if each.seat == seat), None)
    name = getattr(table, "name", "")
    return {
        "version": table.version,
        "language": language,
        "seat": seat,
        "title": localizer.heading,
        "name": name,
        "variant": table.variant,
        "me": seat_view
        and {
            "title": localizer.title(seat_view.seat),
            "name": seat_view.name,
            **symbols[seat_view.seat],
        },
        "turn": turn_panel(
            table, game, seat, view, seat_choices, localizer, fields_on_table
        ),
        "board": board,
        "places": click_targets(game, seat, board, seat_choices, localizer),
        "choices": seat_choices,
        "tableaus": on_table,
        "hand": hand,
        "costs": list(cost_rows(game, seat, view, localizer)),
        "players": player_rows(table, game, seat, view, localizer),
        "for_all": common_values(table.book, view, localizer, fields_on_table),
        "happened": recent_log(table, seat, localizer),
        "chat": chat_panel(table, seat, localizer),
        "now": time.time() if table.options.clock else None,
        "over": game.over,
        "seat_signs": symbols,
        "signs": {
            card: card_symbol(table.book, card, language)
            for action in seat_choices["actions"]
            for card in action.get("cards", ())
        },
    }


def common_values(
    book: Rulebook,
    view: Mapping[str, Any],
    localizer: Localizer,
    without: Collection[str] = (),
) -> list[tuple[str, str]]:
    """Return the titles and values of fields that belong to no seat.

    Dice are left out, because the turn panel shows them, and fields in `without`.
    """
    fields = book.model.fields
    values = {
        name: value
        for name, value in view.get("game", {}).items()
        if name not in without
        if name not in fields or not fields[name].faces
    }
    return list(common_fields(book, {**view, "game": values}, localizer))


def _is_person_deciding(table: TableView, seat: str) -> bool:
    """Return whether a person, not a bot, decides for a seat."""
    seat_view = next(each for each in table.seats if each.seat == seat)
    return seat_view.bot is None and seat_view.stand_in is None
