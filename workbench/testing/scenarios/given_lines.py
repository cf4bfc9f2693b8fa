"""Scenario lines under `given`, which lead to a position."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter import Game, blank_position
from rulebook import Rulebook
from rulebook import model as m
from rulebook.tooling import phase_of
from workbench.testing.scenarios.cards import CardField, card_field, move_lines
from workbench.testing.scenarios.rule_words import (
    NAME,
    RecordNames,
    field_text,
    value_text,
)

Position = Mapping[str, Any]
GAME = "game"


def idle_phase(position: Position) -> str | None:
    """Return the phase name if a seat is to move and nothing else started, or None."""
    match position["pending"]:
        case [{"clause": "game"}, {"clause": clause}] if "split" not in position:
            return phase_of(clause)
        case _:
            return None


def given_lines(game: Game) -> list[str]:
    """Return all lines that lead to a position, ending with the seat to move."""
    book, position, start = game.book, game.position, blank_position(game)
    names = RecordNames.of_book(book)
    lines = [*option_lines(book, position), *value_lines(book, start, position, names)]
    lines += piece_lines(start, position, names)
    lines += card_lines(book, start, position, names)
    lines += [*knowledge_lines(book, position, names), *award_lines(position)]
    phase = idle_phase(position)
    if phase is not None:
        lines += turn_lines(position, phase)
    return lines


def option_lines(book: Rulebook, position: Position) -> Iterator[str]:
    """Yield a line for each option that differs from its default."""
    defaults = Game.from_position(book, {"players": position["players"]}).options
    for name, value in position["options"].items():
        if value != defaults[name]:
            yield f"set {name} to {value_text(value)}"


def field_values(
    book: Rulebook, start: Position, position: Position, names: RecordNames
) -> Iterator[tuple[m.Field, str, Any, Any]]:
    """Yield (field, path, old value, new value) for each entry of each field."""
    for field in book.model.fields.values():
        if not NAME.fullmatch(field.name):
            continue
        if field.dealt:
            for space, now in position["board"].items():
                if field.name in now:
                    before = start["board"][space][field.name]
                    path = field_text(names.to_rule_text(space), field.name)
                    yield field, path, before, now[field.name]
            continue
        owners = {None: position.get(GAME, {})}
        earlier = {None: start.get(GAME, {})}
        if field.home is not None:
            owners, earlier = position.get(field.home, {}), start.get(field.home, {})
        for owner, now in owners.items():
            if field.name in now:
                before = earlier[owner][field.name]
                owner_text = owner and names.to_rule_text(owner)
                yield from entry_values(
                    field, owner_text, (), before, now[field.name], names
                )


def entry_values(
    field: m.Field,
    owner: str | None,
    words: tuple[str, ...],
    before: Any,
    after: Any,
    names: RecordNames,
) -> Iterator[tuple[m.Field, str, Any, Any]]:
    """Yield (field, path, before, after) for each entry of a field.

    *words* are the arguments in the path so far."""
    if field.is_pair and isinstance(after, Mapping) and has_single_value(field):
        for word, inner in after.items():
            deeper = (*words, names.to_rule_text(word))
            yield from entry_values(field, owner, deeper, before[word], inner, names)
    else:
        yield field, field_text(owner, field.name, words), before, after


def has_single_value(field: m.Field) -> bool:
    """Return whether an entry of a field is a truth value, a number or a member."""
    return isinstance(field.type, m.Truth | m.Whole | m.Member)


def is_slot(book: Rulebook, field: m.Field) -> bool:
    """Return whether a field is a slot, which holds one card or none."""
    match field.type:
        case m.Member(domain=domain, optional=True) if not field.dealt:
            return bool(book.model.domains[domain].copies)
        case _:
            return False


def value_lines(
    book: Rulebook, start: Position, position: Position, names: RecordNames
) -> Iterator[str]:
    """Yield the lines that set changed fields, except fields that hold cards."""
    for field, path, before, now in field_values(book, start, position, names):
        if has_single_value(field) and before != now and not is_slot(book, field):
            yield f"set {path} to {names.to_rule_text(value_text(now))}"


def card_lines(
    book: Rulebook, start: Position, position: Position, names: RecordNames
) -> Iterator[str]:
    """Yield the lines that move cards from their places at *start*."""
    holders: dict[str, list[CardField]] = {}
    for field, path, before, now in field_values(book, start, position, names):
        kind = field.type
        if isinstance(kind, m.Bag | m.Stack) or is_slot(book, field):
            holder = card_field(path, field, before, now)
            if holder is not None:
                assert isinstance(kind, m.Bag | m.Stack | m.Member)
                holders.setdefault(kind.domain, []).append(holder)
    for same_kind in holders.values():
        yield from move_lines(same_kind)


def piece_lines(
    start: Position, position: Position, names: RecordNames
) -> Iterator[str]:
    """Yield the lines that place and remove the pieces that differ from *start*."""
    for name, now in position["pieces"].items():
        before = start["pieces"].get(name, {})
        for space in {**before, **now}:
            if before.get(space) != now.get(space):
                where = names.to_rule_text(space)
                yield from space_piece_lines(
                    name, where, before.get(space), "remove", "from"
                )
                yield from space_piece_lines(name, where, now.get(space), "place", "on")


def space_piece_lines(
    piece: str, space: str, content: Any, verb: str, preposition: str
) -> Iterator[str]:
    """Yield the lines that place or remove the pieces with one name on a space.

    *content* is True, an owner, a count, counts by owner, or None for no piece. *verb*
    and *preposition* are words of the line, such as `place` and `on`.
    """
    match content:
        case None:
            return
        case True:
            yield f"{verb} {piece} {preposition} {space}"
        case str():
            yield f"{verb} {content}'s {piece} {preposition} {space}"
        case int():
            yield f"{verb} {content} {piece} {preposition} {space}"
        case _:
            for seat, count in content.items():
                yield f"{verb} {count} of {seat}'s {piece} {preposition} {space}"


def knowledge_lines(
    book: Rulebook, position: Position, names: RecordNames
) -> Iterator[str]:
    """Yield the lines that specify which cards seats have looked at."""
    for key, owners in position.get("seen", {}).items():
        field = book.model.fields[key]
        for owner, seats in owners.items():
            path = field_text(
                None if owner == GAME else names.to_rule_text(owner), field.name
            )
            for seat in seats:
                yield f"{seat} sees {path}"


def award_lines(position: Position) -> Iterator[str]:
    """Yield the lines that give awards to their holders."""
    for name, seat in position["awards"].items():
        if seat is not None:
            yield f"set {name}'s holder to {seat}"


def turn_lines(position: Position, phase: str) -> Sequence[str]:
    """Return the lines that set the round, the active seat and the phase."""
    active, starter, number = (position[key] for key in ("active", "starter", "round"))
    lines = [] if starter in {None, active} else [f"{starter} starts"]
    lines += [] if (starter, number) == (active, 1) else [f"set round to {number}"]
    return [*lines, f"{active} is to move in {phase}"]
