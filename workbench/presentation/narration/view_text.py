"""Views, events and explanations as lines of text for one reader.

All data comes from a view or from a seat's log, never from the position.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interpreter import Explanation, Game
from rulebook.model import DomainSort, Model
from rulebook.tooling import counted_limit, phase_of
from workbench.presentation.localization.localizer import (
    PASS,
    Localizer,
    is_worth_showing,
)
from workbench.presentation.localization.refusals import citation, explanation_document
from workbench.presentation.narration.momentary_fields import (
    clauses_by_field,
    hidden_fields,
)
from workbench.presentation.narration.piece_counts import (
    count_suffix,
    piece_counts,
    piece_fields,
)
from workbench.presentation.narration.selection import action_names, action_title


def view_lines(
    view: Mapping[str, Any], seats: Sequence[str], localizer: Localizer
) -> Iterator[str]:
    """Yield lines with the points and visible holdings of seats, and common fields."""
    points = view.get("points", {})
    holdings, awards = view.get("player", {}), view.get("awards", {})
    scored = localizer.book is None or bool(localizer.book.model.points.lines)
    for seat in seats:
        least = seat in view.get("at_least", ())
        total = localizer.points_text(points.get(seat, "?"), at_least=least)
        parts = [total] if scored else []
        parts += [
            f"★ {localizer.title(award)}" for award in awards if awards[award] == seat
        ]
        parts += _holding_texts(
            holdings.get(seat, {}), localizer, view, DomainSort.PLAYER
        )
        yield f"  {localizer.title(seat)}: {'; '.join(parts)}".rstrip(": ")
    for_now = [
        *_holding_texts(
            view.get("game", {}), localizer, view, None, only_momentary=True
        )
    ]
    for_now += _permanent_fields(view, localizer)
    if for_now:
        yield "  " + "; ".join(for_now)


def decision_line(
    view: Mapping[str, Any],
    seat: str,
    model: Model,
    localizer: Localizer,
    remaining: int = 0,
    question: str = "",
) -> str:
    """Return a line stating who decides, about what, and how many choices remain.

    The line includes the question, if the rules have one, and the cards selected so
    far.
    """
    frame = (view.get("pending") or [{"clause": "", "values": {}}])[-1]
    unit = model.actions.get(frame["clause"]) or model.procedures.get(frame["clause"])
    given = {parameter.name for parameter in unit.parameters} if unit else set()
    about = [
        localizer.value_with_kind(name, value)
        for name, value in frame["values"].items()
        if name in given or f"remaining {name}" in frame["values"]
        if isinstance(value, str) and value != seat and not question
    ]
    about += gathered_texts(view, localizer) if remaining else ()
    key = "decides_left" if remaining > 1 else "decides"
    line = localizer.phrase(key, seat=localizer.title(seat), count=remaining)
    if question:
        line = f"{localizer.title(seat)}: {question}"
    return f"{line} ({', '.join(about)})" if about else line


def gathered_texts(view: Mapping[str, Any], localizer: Localizer) -> Iterator[str]:
    """Yield a text for the cards that the present choice of several has so far."""
    if cards := gathered_cards(view):
        yield localizer.phrase("so_far", cards=localizer.holding_text(cards))


def gathered_cards(view: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the cards that the present choice of several has so far, if any."""
    for frame in (view.get("pending") or ())[-1:]:
        value = frame["values"].get(str(frame["at"]).rpartition("/")[2])
        if isinstance(value, Mapping) and is_worth_showing(value):
            return value
    return {}


def table_lines(
    view: Mapping[str, Any], kinds: Sequence[str], localizer: Localizer
) -> Iterator[str]:
    """Yield lines with the fields of the game and of *kinds*, and with the pieces."""
    held = _holding_texts(view.get("game", {}), localizer, view, None)
    if held:
        yield "  " + "; ".join(held)
    for kind in kinds:
        for member, holdings in view.get(kind, {}).items():
            if parts := _holding_texts(holdings, localizer, view, kind):
                yield f"  {localizer.value(member)}: " + "; ".join(parts)
    for piece, places in view.get("pieces", {}).items():
        by_owner: dict[str, list[str]] = {}
        several = []
        for space, seat, count in piece_counts(places):
            where = localizer.value(space) + count_suffix(count)
            where += _piece_suffix(view, piece, space, seat, localizer)
            by_owner.setdefault(seat or "", []).append(where)
            several += [seat or ""] if count > 1 else []
        for owner, spaces in by_owner.items():
            whose = f"{localizer.title(owner)}: " if owner else ""
            many = spaces[1:] or owner in several
            title = (
                localizer.count_text("", piece).strip()
                if many
                else localizer.title(piece)
            )
            yield f"  {whose}{title}: {', '.join(spaces)}"


def _piece_suffix(
    view: Mapping[str, Any],
    piece: str,
    space: str,
    seat: str | None,
    localizer: Localizer,
) -> str:
    """Return a piece's field titles and values in brackets, or ""."""
    if localizer.book is None:
        return ""
    parts = [
        f"{field.written_name.replace('_', ' ')} {localizer.value_text(value)}"
        for field, value in piece_fields(localizer.book.model, view, piece, space, seat)
        if is_worth_showing(value)
    ]
    return f" ({', '.join(parts)})" if parts else ""


def turn_lines(view: Mapping[str, Any], localizer: Localizer) -> Iterator[str]:
    """Yield a line stating whose turn it is, the phase and the running clauses.

    In a game in which nobody has a turn, it states the round instead.
    """
    clauses = [frame["clause"] for frame in view.get("pending", [])]
    phases = [phase for phase in map(phase_of, clauses) if phase is not None]
    others = [clause for clause in clauses[1:] if phase_of(clause) is None]
    in_rounds = localizer.book is not None and localizer.book.model.phases_each_round
    if view.get("turn") and view.get("active"):
        seat = localizer.title(view["active"])
        phase = localizer.short_title(phases[-1]) if phases else ""
        key = "round_of" if in_rounds else "turn_of"
        line = localizer.phrase(key, turn=view["turn"], seat=seat, phase=phase)
    else:
        line = localizer.phrase("before_rounds" if in_rounds else "before_turns")
    named = [
        action_title(clause, localizer)
        for clause in others
        if clause in localizer.words
    ]
    if named:
        line += " · " + localizer.phrase("because", clauses=" › ".join(named))
    yield line.rstrip(" ·")


def explanation_lines(explanation: Explanation, localizer: Localizer) -> Iterator[str]:
    """Yield an explanation of why an action is legal or illegal."""
    action = localizer.action(explanation.action)
    if explanation.legal:
        yield f"  {localizer.phrase('legal', action=action)}"
        return
    data = explanation_document(explanation, localizer)
    yield f"  {localizer.phrase('not_legal', action=action, reason=data['reason'])}"
    for name, value in explanation.values.items():
        yield f"    {name} = {localizer.value_text(value)}"
    for line in explanation.lines:
        label = f", {line['line']}" if line["line"] else ""
        yield f"    {line['definition']}{label}: {line['text']}"
        for name, value in line["values"].items():
            yield f"      {name} = {localizer.value_text(value)}"
    if data["fix"]:
        yield f"    {localizer.phrase('would_help', fix=data['fix'])}"
    passage = citation(explanation, localizer)
    if passage is not None:
        says = (explanation.citation or {}).get("says")
        more = f": {says}" if says else ""
        see = localizer.phrase("see", section=passage[0], source=passage[1])
        yield f"    {see}{more}"
    if data["file"]:
        parts = (data["clause"], data["requirement"])
        name = ".".join(part for part in parts if part)
        yield f"    {name} {data['file']}:{data['line']}:{data['column']}".rstrip()


def outcome_lines(
    game: Game, points: Mapping[str, int], localizer: Localizer
) -> Iterator[str]:
    """Yield the outcome of a game that is over: winners, points and reason."""
    outcome = game.outcome
    if outcome is None:
        limit = game.turn_limit or game.book.model.turns
        yield localizer.phrase("not_finished", turns=limit)
    elif not outcome.winners:
        yield localizer.phrase("draw", reason=localizer.title(outcome.reason))
    else:
        winners = localizer.list_text(map(localizer.title, outcome.winners))
        verb = "wins" if len(outcome.winners) == 1 else "win"
        yield localizer.phrase(
            verb, winners=winners, reason=localizer.title(outcome.reason)
        )
        if outcome.ranked:
            ranks = sorted(outcome.ranks.items(), key=lambda pair: pair[1])
            shown = ", ".join(
                f"{rank}. {localizer.title(seat)}" for seat, rank in ranks
            )
            yield f"  {shown}"
    yield "  " + ", ".join(f"{localizer.title(seat)} {points[seat]}" for seat in points)


def _permanent_fields(view: Mapping[str, Any], localizer: Localizer) -> Iterator[str]:
    """Yield the titles and values of the game's fields that are always shown."""
    omitted = frozenset[str]()
    if localizer.book:
        hinted = clauses_by_field(localizer.book)
        omitted = hidden_fields(localizer.book, view) | hinted.keys()
    for name, value in view.get("game", {}).items():
        plain = isinstance(value, int | str) and not isinstance(value, bool)
        if plain and counted_limit(name) is None and name not in omitted:
            yield f"{localizer.field(None, name)} {localizer.value_text(value)}"


def interrupting_choice_line(
    view: Mapping[str, Any], names: Iterable[str], localizer: Localizer
) -> str:
    """Return a line naming the actions of an interrupting choice; "" without one."""
    pending = view.get("pending")
    if not pending or phase_of(pending[-1]["clause"]) is not None:
        return ""
    titles = [
        localizer.action(name) if name == PASS else action_names(name, localizer)[-1]
        for name in names
    ]
    return localizer.phrase("choose_first", choices=localizer.list_text(titles, "or"))


def _holding_texts(
    holdings: Mapping[str, Any],
    localizer: Localizer,
    view: Mapping[str, Any],
    owner: str | None,
    *,
    only_momentary: bool = False,
) -> list[str]:
    """Return titles and values of the fields of *owner* that are shown now.

    With *only_momentary*, return only fields with a `during` hint that applies now.
    """
    hidden = hidden_fields(localizer.book, view) if localizer.book else frozenset()
    wanted = (
        clauses_by_field(localizer.book)
        if localizer.book and only_momentary
        else holdings
    )
    return [
        f"{localizer.field(owner, name)} {localizer.value_text(value)}"
        for name, value in holdings.items()
        if is_worth_showing(value)
        and counted_limit(name) is None
        and name not in hidden
        and name in wanted
    ]
