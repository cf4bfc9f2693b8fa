"""Scenario lines under `then`, which state the changes made by an event."""

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter import Game
from rulebook import model as m
from workbench.analysis.simulation.setting_variations import CHANCE
from workbench.testing.scenarios.cards import card_field
from workbench.testing.scenarios.given_lines import (
    field_values,
    has_single_value,
    is_slot,
)
from workbench.testing.scenarios.rule_words import RecordNames, value_text


def changed_lines(
    before: Mapping[str, Any], game: Game, names: RecordNames
) -> list[str]:
    """Return lines that are all true now and were not all true before."""
    position = game.position
    lines = [
        *field_lines(before, game, names),
        *piece_change_lines(before, position, names),
    ]
    for name, seat in position["awards"].items():
        if before["awards"][name] != seat:
            lines.append(f"require {name}'s holder is {value_text(seat)}")
    if position["active"] != before["active"]:
        lines.append(f"require active_player is {value_text(position['active'])}")
    if position["round"] != before["round"]:
        lines.append(f"require round = {position['round']}")
    outcome = game.outcome
    if outcome is not None:
        lines.append(f"require winner is {value_text(outcome.winner)}")
    return lines or unchanged_lines(game, names)


def unchanged_lines(game: Game, names: RecordNames) -> list[str]:
    """Return lines about an event without changes: who acts, or a legal action."""
    legal = game.legal_actions() if game.to_act not in {None, CHANCE} else []
    if legal:
        return [f"{game.to_act} may still {names.to_rule_text(legal[0].text)}"]
    return [f"require active_player is {value_text(game.position['active'])}"]


def field_lines(
    before: Mapping[str, Any], game: Game, names: RecordNames
) -> Iterator[str]:
    """Yield the lines for changed fields and moved cards."""
    book = game.book
    for field, path, old, new in field_values(book, before, game.position, names):
        if old == new:
            continue
        if has_single_value(field) and not is_slot(book, field):
            yield value_line(field, path, new)
            continue
        had, has = card_field(path, field, old, new), card_field(path, field, new, new)
        if had is None or has is None or isinstance(field.type, m.Member):
            yield f"require {path} is {value_text(new)}"
            continue
        for card in {**has.after, **had.before}:
            count = has.after.get(card, 0)
            if count != had.before.get(card, 0):
                yield f"require number of {card} in {path} = {count}"


def value_line(field: m.Field, path: str, new: Any) -> str:
    """Return the line that states the value of a field."""
    match field.type, new:
        case m.Truth(), bool():
            return f"require {path}" if new else f"require not {path}"
        case _, None:
            return f"require {path} is none"
        case m.Member(), _:
            return f"require {path} is {value_text(new)}"
        case _:
            return f"require {path} = {value_text(new)}"


def piece_change_lines(
    before: Mapping[str, Any], position: Mapping[str, Any], names: RecordNames
) -> Iterator[str]:
    """Yield the lines for placed and removed pieces."""
    for piece, now in position["pieces"].items():
        old = before["pieces"].get(piece, {})
        for space in {**old, **now}:
            if old.get(space) != now.get(space):
                yield from piece_lines(piece, names.to_rule_text(space), now.get(space))


def piece_lines(piece: str, space: str, content: Any) -> Iterator[str]:
    """Yield the lines that state which pieces with one name are on a space."""
    match content:
        case None:
            yield f"require {space} has no {piece}"
        case True:
            yield f"require {space} has {piece}"
        case str():
            yield f"require {space} has {content}'s {piece}"
        case int():
            yield f"require number of {piece} on {space} = {content}"
        case _:
            for seat, count in content.items():
                yield f"require number of {seat}'s {piece} on {space} = {count}"
