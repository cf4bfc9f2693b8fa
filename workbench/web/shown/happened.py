"""What happened since a seat last decided, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from interpreter import Game
from workbench.localization.localizer import Wording
from workbench.web.shown.signs import seat_signs
from workbench.web.shown.tables import Table

SHOWN = 60
"""How many lines are shown at most."""
LATELY = 12
"""How many events are shown where nothing has happened since."""


def happened(
    table: Table, game: Game, seat: str | None, words: Wording
) -> dict[str, Any]:
    """The events since a seat last decided; the last few where there are none."""
    since = table.since(seat) if seat is not None else []
    events = since or table.log(seat)[-LATELY:]
    lines = list(_lines(events[-2 * SHOWN :], game, seat, words))
    return {"is_since": bool(since), "lines": lines[-SHOWN:]}


def _lines(
    events: Sequence[Mapping[str, Any]], game: Game, seat: str | None, words: Wording
) -> Iterator[dict[str, Any]]:
    """Events in words, with whose they are; the same several times over is one line."""
    signs = seat_signs(game.book, game.seats, words.language)
    for (who, text, touches), same in groupby(_told(e, seat, words) for e in events):
        times = len(list(same))
        yield {
            "seat": words.title(who) if who else "",
            "sign": signs.get(who),
            "text": text if times == 1 else f"{text} × {times}",
            "touches": touches,
        }


def _told(
    event: Mapping[str, Any], seat: str | None, words: Wording
) -> tuple[str, str, bool]:
    """An event: whose, in words, and whether it names the reader."""
    if "seat" in event:
        action = event.get("action")
        text = words.thing(None) if action is None else words.action(action)
        inside = (action or "").partition("(")[2].rstrip(")").split(", ")
        return event["seat"], text, seat in inside
    if "chance" in event:
        outcome = words.outcome(event["chance"], event.get("outcome"))
        return "", f"{words.title(event['chance'])}: {outcome}", False
    return "", words.thing(dict(event)), False
