"""What happened since a seat last decided, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from interpreter import Game
from workbench.localization.localizer import Wording
from workbench.web.shown.gains import brought
from workbench.web.shown.signs import seat_signs
from workbench.web.shown.tables import Table

SHOWN = 60
"""How many lines are shown at most."""
LATELY = 12
"""How many events are shown where nothing has happened since."""


def happened(
    table: Table,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    words: Wording,
) -> dict[str, Any]:
    """The events since a seat last decided; the last few where there are none."""
    log = table.log(seat)
    since = len(table.since(seat)) if seat is not None else 0
    count = min(since or LATELY, 2 * SHOWN, len(log))
    first = len(log) - count
    told = (
        brought((table.id, seat), game, view, words) if game.steps == len(log) else {}
    )
    lines = list(_lines(log[first:], first, told, game, seat, words))
    return {"is_since": bool(since), "lines": lines[-SHOWN:]}


def _lines(
    events: Sequence[Mapping[str, Any]],
    first: int,
    told: Mapping[int, str],
    game: Game,
    seat: str | None,
    words: Wording,
) -> Iterator[dict[str, Any]]:
    """Events in words, with whose they are and what they brought.

    The same several times over is one line.
    """
    signs = seat_signs(game.book, game.seats, words.language)
    mine = words.title(seat) if seat else None
    numbered = [(_told(e, seat, words), first + n) for n, e in enumerate(events, 1)]
    for (who, text, touches), same in groupby(numbered, lambda pair: pair[0]):
        steps = [step for _, step in same]
        brought_here = " · ".join(told[step] for step in steps if step in told)
        parts = brought_here.split(" · ")
        yield {
            "seat": words.title(who) if who else "",
            "sign": signs.get(who),
            "text": text if len(steps) == 1 else f"{text} × {len(steps)}",
            "brought": brought_here,
            "touches": touches or (who != seat and _names(mine, parts)),
        }


def _names(mine: str | None, parts: Sequence[str]) -> bool:
    """Whether something was brought to the reader, or taken."""
    return mine is not None and any(f"{part} ".startswith(f"{mine} ") for part in parts)


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
