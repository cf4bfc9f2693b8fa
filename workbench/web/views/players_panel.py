"""Players panel: points, holdings and names, as one seat sees them."""

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import Game
from rulebook.model import Audience, DomainSort
from rulebook.tooling import counted_limit
from workbench.defaults import GREEDY
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import hidden_fields
from workbench.presentation.picture.scene import field_text, pair_texts
from workbench.web.views.phrases import Phrases
from workbench.web.views.protocols import SeatView, TableView
from workbench.web.views.symbols import seat_symbols


def player_rows(
    table: TableView,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    words: Localizer,
) -> list[dict[str, Any]]:
    """Return all seats in seating order, with what the reader may know of them."""
    say = Phrases(words.language)
    signs = seat_symbols(game.book, game.seats, words.language)
    due = table.waits_for()
    scored = bool(game.book.model.points.lines)
    shown = []
    for place in table.seats:
        own = view.get("player", {}).get(place.seat, {})
        points = view["points"].get(place.seat, 0)
        least = place.seat in view.get("at_least", ())
        awards = view.get("awards", {})
        shown.append(
            {
                "seat": place.seat,
                "title": words.title(place.seat),
                "sign": signs[place.seat],
                "who": player_text(place, seat, say),
                "points": words.points(points, at_least=least) if scored else "",
                "number": points if scored else "",
                "held": _holding_texts(game, own, view, words, mine=place.seat == seat),
                "awards": [words.title(a) for a in awards if awards[a] == place.seat],
                "acts": place.seat in due,
                "mine": place.seat == seat,
                "soon": _takeover_text(table, place.seat, say),
                "substitute": GREEDY if _can_request_bot(table, place, seat) else None,
            }
        )
    return shown


def _can_request_bot(table: TableView, place: SeatView, seat: str | None) -> bool:
    """Return whether the reader may request a bot for an absent player."""
    if seat in {None, place.seat} or table.over or not place.away:
        return False
    if place.seat in table.story.bot_requests:
        return False
    return place.bot is None and place.stands_in is None


def _takeover_text(table: TableView, seat: str, say: Phrases) -> str:
    """Describe which bot will take over a seat, and when; empty without a request."""
    wanted = table.story.bot_requests.get(seat)
    if wanted is None or table.over:
        return ""
    return say("page.bot_soon", bot=wanted.bot, seconds=round(wanted.seconds))


def player_text(place: SeatView, seat: str | None, say: Phrases) -> str:
    """Describe the player of a seat: a name, a bot, or the reader."""
    whom = place.name or (say("page.you") if place.seat == seat else "")
    if place.stands_in is not None and whom:
        return say("page.bot_for", bot=place.stands_in, name=whom)
    if bot := place.bot or place.stands_in:
        return say("page.bot", bot=bot)
    parts = [place.name] if place.name else []
    parts += [say("page.you")] if place.seat == seat else []
    parts += [say("page.away")] if place.away else []
    return ", ".join(parts)


def _holding_texts(
    game: Game,
    own: Mapping[str, Any],
    view: Mapping[str, Any],
    words: Localizer,
    *,
    mine: bool,
) -> list[str]:
    """Describe what a seat has, field by field, without empty fields.

    The reader's own hidden cards are only counted, because the hand shows them.
    """
    hidden = hidden_fields(game.book, view)
    told = []
    for field in game.book.model.fields.values():
        if (
            field.home != DomainSort.PLAYER
            or field.name not in own
            or field.name in hidden
        ):
            continue
        if counted_limit(field.name) is not None:
            continue
        value = own[field.name]
        if mine and field.seen_by is not Audience.ALL and _is_bag(value):
            text = str(sum(value.values())) if sum(value.values()) else ""
        else:
            text = (pair_texts if field.is_pair else field_text)(value, words)
        if text:
            told.append(f"{words.field(field.home, field.name)} {text}")
    return told


def _is_bag(value: Any) -> bool:
    """Return whether a value is a bag whose cards are visible."""
    return isinstance(value, Mapping) and all(type(n) is int for n in value.values())


def seat_titles(seats: Sequence[str], words: Localizer) -> str:
    """Return the titles of seats as a list in words."""
    return words.list_text(map(words.title, seats))
