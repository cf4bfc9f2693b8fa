"""Players panel: points, holdings and names, as one seat sees them."""

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import Game
from rulebook.model import Audience, DomainSort
from rulebook.tooling import counted_limit
from workbench.defaults import GREEDY
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import hidden_fields
from workbench.presentation.narration.view_changes import AT_LEAST
from workbench.presentation.picture.scene import field_text, pair_table_text
from workbench.web.views.phrases import Phrases
from workbench.web.views.protocols import SeatView, TableView
from workbench.web.views.symbols import seat_symbols


def player_rows(
    table: TableView,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    localizer: Localizer,
) -> list[dict[str, Any]]:
    """Return all seats in seating order, with the data that the reader may see."""
    phrases = Phrases(localizer.language)
    symbols = seat_symbols(game.book, game.seats, localizer.language)
    due = table.waits_for()
    scored = bool(game.book.model.points.lines)
    rows = []
    for place in table.seats:
        values = view.get("player", {}).get(place.seat, {})
        points = view["points"].get(place.seat, 0)
        is_minimum = place.seat in view.get("at_least", ())
        awards = view.get("awards", {})
        rows.append(
            {
                "seat": place.seat,
                "title": localizer.title(place.seat),
                "sign": symbols[place.seat],
                "who": player_text(place, seat, phrases),
                "points": localizer.points_text(points, at_least=is_minimum)
                if scored
                else "",
                "number": f"{AT_LEAST * is_minimum}{points}" if scored else "",
                "unit": localizer.points_text(points).partition(" ")[2],
                "held": _holding_texts(
                    game, values, view, localizer, is_own=place.seat == seat
                ),
                "awards": [
                    localizer.title(a) for a in awards if awards[a] == place.seat
                ],
                "acts": place.seat in due,
                "mine": place.seat == seat,
                "clock_end": _clock_end(table, place.seat),
                "soon": _takeover_text(table, place.seat, phrases),
                "substitute": GREEDY if _can_request_bot(table, place, seat) else None,
            }
        )
    return rows


def _clock_end(table: TableView, seat: str) -> float | None:
    """Return the time at which a seat's clock ends, or None if it does not run."""
    clock = table.state.clock.running.get(seat)
    if clock is None or table.over:
        return None
    return clock.started + table.options.clock


def _can_request_bot(table: TableView, seat_view: SeatView, seat: str | None) -> bool:
    """Return whether the reader may request a bot for an absent player."""
    if seat in {None, seat_view.seat} or table.over or not seat_view.away:
        return False
    if seat_view.seat in table.state.bot_requests:
        return False
    return seat_view.bot is None and seat_view.stand_in is None


def _takeover_text(table: TableView, seat: str, phrases: Phrases) -> str:
    """Describe which bot will take over a seat, and when; empty without a request."""
    request = table.state.bot_requests.get(seat)
    if request is None or table.over:
        return ""
    return phrases("page.bot_soon", bot=request.bot, seconds=round(request.seconds))


def player_text(seat_view: SeatView, seat: str | None, phrases: Phrases) -> str:
    """Describe the player of a seat: a name, a bot, or the reader."""
    name = seat_view.name or (phrases("page.you") if seat_view.seat == seat else "")
    if seat_view.stand_in is not None and name:
        return phrases("page.bot_for", bot=seat_view.stand_in, name=name)
    if bot := seat_view.bot or seat_view.stand_in:
        return phrases("page.bot", bot=bot)
    parts = [seat_view.name] if seat_view.name else []
    parts += [phrases("page.you")] if seat_view.seat == seat else []
    parts += [phrases("page.away")] if seat_view.away else []
    return ", ".join(parts)


def _holding_texts(
    game: Game,
    holdings: Mapping[str, Any],
    view: Mapping[str, Any],
    localizer: Localizer,
    *,
    is_own: bool,
) -> list[str]:
    """Describe what a seat has, field by field, without empty fields.

    The reader's own hidden cards are only counted, because the hand shows them.
    """
    hidden = hidden_fields(game.book, view)
    texts = []
    for field in game.book.model.fields.values():
        if (
            field.home != DomainSort.PLAYER
            or field.name not in holdings
            or field.name in hidden
        ):
            continue
        if counted_limit(field.name) is not None:
            continue
        value = holdings[field.name]
        if is_own and field.seen_by is not Audience.ALL and _is_bag(value):
            text = str(sum(value.values())) if sum(value.values()) else ""
        else:
            text = (pair_table_text if field.is_pair else field_text)(value, localizer)
        if text:
            texts.append(f"{localizer.field(field.home, field.name)} {text}")
    return texts


def _is_bag(value: Any) -> bool:
    """Return whether a value is a bag whose cards are visible."""
    return isinstance(value, Mapping) and all(type(n) is int for n in value.values())


def winners_text(game: Game, localizer: Localizer) -> str:
    """Describe the winners of a game that is over."""
    phrases = Phrases(localizer.language)
    if game.outcome is None:
        return phrases("page.unfinished")
    winners = game.outcome.winners
    if not winners:
        return phrases("page.nobody_won")
    key = "page.has_won" if len(winners) == 1 else "page.have_won"
    return phrases(key, seats=seat_list_text(winners, localizer))


def seat_list_text(seats: Sequence[str], localizer: Localizer) -> str:
    """Return the titles of seats as one text: `a, b and c`."""
    return localizer.list_text(map(localizer.title, seats))
