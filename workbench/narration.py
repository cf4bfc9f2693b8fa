"""What is on the table, in lines for one reader: events, views, refusals.

Everything shown comes from a view or from the log of a seat, never from the position.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter import Action, Explanation

LIST_MAX = 40


def event_line(event: Mapping[str, Any]) -> str:
    """One event of a record as a line; what the reader may not know is `?`."""
    if "seat" in event:
        return f"  {event['seat']}: {_shown(event.get('action'))}"
    if "chance" in event:
        return f"  ({event['chance']}: {_shown(event.get('outcome'))})"
    return f"  {_shown(event)}"


def view_lines(view: Mapping[str, Any], seats: Sequence[str]) -> Iterator[str]:
    """The points and what each seat holds, as far as the reader knows."""
    points = view.get("points", {})
    holdings = view.get("player", {})
    for seat in seats:
        held = holdings.get(seat, {})
        parts = [f"{seat}: {points.get(seat, '?')} points"]
        parts += (
            f"{name} {_shown(value)}" for name, value in held.items() if _worth(value)
        )
        yield "  " + "; ".join(parts)


def table_lines(view: Mapping[str, Any]) -> Iterator[str]:
    """What belongs to no seat, and which pieces stand where."""
    common = view.get("game", {})
    held = [f"{name} {_shown(value)}" for name, value in common.items() if value]
    if held:
        yield "  " + "; ".join(held)
    for piece, places in view.get("pieces", {}).items():
        by_owner: dict[str, list[str]] = {}
        for space, owner in places.items():
            by_owner.setdefault(owner if isinstance(owner, str) else "", []).append(
                space
            )
        for owner, spaces in by_owner.items():
            yield f"  {f'{owner} {piece}'.strip()}: {', '.join(spaces)}"


def action_lines(legal: Sequence[Action], *, whole: bool = False) -> Iterator[str]:
    """The legal actions by number; a long list is cut unless the whole is wanted."""
    shown = legal if whole else legal[:LIST_MAX]
    digits = len(str(len(legal)))
    for number, action in enumerate(shown, 1):
        yield f"  {number:>{digits}}  {action.text}"
    if len(shown) < len(legal):
        yield f"  and {len(legal) - len(shown)} more: ? lists all"


def why_lines(explanation: Explanation) -> Iterator[str]:
    """An explanation in sentences."""
    found = explanation.to_json()
    if found["legal"]:
        yield f"  {found['action']} is legal"
        return
    label = f" ({found['requirement']})" if found["requirement"] else ""
    yield f"  {found['action']} is not legal{label}: {found['reason']}"
    for name, value in (found["values"] or {}).items():
        yield f"    {name} = {_shown(value)}"
    for line in found["lines"]:
        label = f", {line['line']}" if line["line"] else ""
        yield f"    {line['definition']}{label}: {line['text']}"
        for name, value in line["values"].items():
            yield f"      {name} = {_shown(value)}"
    if found["fix"]:
        yield f"    what would help: {_shown(found['fix'])}"
    citation = found["citation"]
    if citation:
        yield f"    see {citation['source']}, “{citation['section']}”"
    if found["file"]:
        yield f"    {found['file']}:{found['line']}:{found['column']}"


def outcome_lines(outcome: Any, points: Mapping[str, int]) -> Iterator[str]:
    """How the game ended."""
    if outcome is None:
        yield "The game is not finished."
    elif not outcome.winners:
        yield f"A draw ({outcome.reason})."
    else:
        yield f"{' and '.join(outcome.winners)} wins ({outcome.reason})."
    yield "  " + ", ".join(f"{seat} {count}" for seat, count in points.items())


def _worth(value: Any) -> bool:
    """Whether a value of a holding is worth a word."""
    if isinstance(value, Mapping):
        return any(_worth(part) for part in value.values())
    return bool(value)


def _shown(value: Any) -> str:
    match value:
        case None:
            return "?"
        case bool():
            return "yes" if value else "no"
        case str() | int():
            return str(value)
        case Mapping():
            if set(value) == {"count"}:
                return f"({value['count']})"
            parts = (f"{part} {name}" for name, part in value.items() if _worth(part))
            return ", ".join(parts) or "nothing"
        case _:
            return ", ".join(_shown(part) for part in value)
