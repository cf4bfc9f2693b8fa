"""Log of a page: events of the game and notices since a seat's last decision."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Wording
from workbench.web.views.gains import brought
from workbench.web.views.phrases import Phrases
from workbench.web.views.protocols import NoticeView, TableView
from workbench.web.views.symbols import seat_signs

SHOWN = 60
"""Maximum number of lines in the log."""
LATELY = 12
"""Number of latest events shown if none has happened since the seat's last decision."""
BESIDE_PLAYERS = ("left", "came")
"""Keys of notices that the log omits because the players panel shows them."""
BARE = {
    "named": ("name", "unnamed"),
    "rules": ("clauses", "rules_bare"),
    "wanted": ("asker", "wanted_by_owner"),
    "opened": ("other", "opened_by_owner"),
}
"""Notices that use another phrase if a gap is empty: the gap, and the phrase's key."""

NAMES = ("seat", "asker", "other")
"""Gaps of notices that are filled with seats."""


@attrs.frozen
class Told:
    """Log entry in words: its text, its seat, and whether it concerns the reader."""

    text: str
    who: str = ""
    touches: bool = False
    is_notice: bool = False


def happened(
    table: TableView,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    words: Wording,
) -> dict[str, Any]:
    """Return the log lines since a seat's last decision, or else the last few."""
    log = table.log(seat)
    since = len(table.since(seat)) if seat is not None else 0
    count = min(since or LATELY, 2 * SHOWN, len(log))
    first = len(log) - count
    gains = (
        brought((table.id, seat), game, view, words) if game.steps == len(log) else {}
    )
    numbers = [line.number for line in table.story.events]
    after = numbers[first - 1] if first else 0
    rows = [
        (numbers[step - 1], _event(event, seat, words), gains.get(step, ""))
        for step, event in enumerate(log[first:], first + 1)
    ]
    rows += [
        (notice.number, _notice(notice, words), "")
        for notice in table.messages
        if notice.number > after and notice.key not in BESIDE_PLAYERS
    ]
    rows.sort(key=lambda row: row[0])
    lines = list(_lines(rows, game, seat, words))
    return {"is_since": bool(since), "lines": lines[-SHOWN:]}


def _lines(
    rows: Iterable[tuple[int, Told, str]],
    game: Game,
    seat: str | None,
    words: Wording,
) -> Iterator[dict[str, Any]]:
    """Yield log lines with their seats and gains.

    Equal consecutive entries become one line with a count.
    """
    signs = seat_signs(game.book, game.seats, words.language)
    mine = words.title(seat) if seat else None
    for told, same in groupby(rows, lambda row: row[1]):
        gains = [gain for _, _, gain in same]
        brought_here = " · ".join(filter(None, gains))
        parts, who, text = brought_here.split(" · "), told.who, told.text
        yield {
            "seat": words.title(who) if who else "",
            "sign": signs.get(who),
            "text": text if len(gains) == 1 else f"{text} × {len(gains)}",
            "brought": brought_here,
            "is_notice": told.is_notice,
            "touches": told.touches or (who != seat and _names(mine, parts)),
        }


def _names(mine: str | None, parts: Sequence[str]) -> bool:
    """Return whether any of the gains and losses is the reader's."""
    return mine is not None and any(f"{part} ".startswith(f"{mine} ") for part in parts)


def _event(event: Mapping[str, Any], seat: str | None, words: Wording) -> Told:
    """Describe an event of the game."""
    if "seat" in event:
        action = event.get("action")
        text = words.thing(None) if action is None else words.action(action)
        inside = (action or "").partition("(")[2].rstrip(")").split(", ")
        return Told(text, event["seat"], seat in inside)
    if "chance" in event:
        outcome = words.outcome(event["chance"], event.get("outcome"))
        return Told(f"{words.title(event['chance'])}: {outcome}")
    return Told(words.thing(dict(event)))


def _notice(notice: NoticeView, words: Wording) -> Told:
    """Describe a notice."""
    key, gaps = notice.key, {**notice.gaps}
    needed, bare = BARE.get(key, ("", ""))
    if needed and not gaps.get(needed):
        key = bare
    for gap in NAMES:
        if gaps.get(gap):
            gaps[gap] = words.title(gaps[gap])
    if "seconds" in gaps:
        gaps["seconds"] = round(gaps["seconds"])
    return Told(Phrases(words.language)(f"notice.{key}", **gaps), is_notice=True)
