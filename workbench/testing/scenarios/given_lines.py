"""Scenario lines under `given`, which lead to a position."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter import Game, blank_position
from rulebook import Rulebook
from rulebook import model as m
from rulebook.tooling import phase_of
from workbench.testing.scenarios.cards import Holder, holder, moves
from workbench.testing.scenarios.words import NAME, RecordNames, place, value_text

Position = Mapping[str, Any]
GAME = "game"


def phase_at(position: Position) -> str | None:
    """Return the phase if a seat is to move and nothing else has started, or None."""
    match position["pending"]:
        case [{"clause": "game"}, {"clause": clause}] if "split" not in position:
            return phase_of(clause)
        case _:
            return None


def given_lines(game: Game) -> list[str]:
    """Return all lines that lead to a position; the seat to move comes last."""
    book, position, start = game.book, game.position, blank_position(game)
    names = RecordNames.of(book)
    lines = [*options(book, position), *values(book, start, position, names)]
    lines += pieces(start, position, names)
    lines += cards(book, start, position, names)
    lines += [*seen(book, position, names), *awards(position)]
    phase = phase_at(position)
    if phase is not None:
        lines += turn(position, phase)
    return lines


def options(book: Rulebook, position: Position) -> Iterator[str]:
    """Yield a line for each option that differs from its default."""
    usual = Game.from_position(book, {"players": position["players"]}).options
    for name, value in position["options"].items():
        if value != usual[name]:
            yield f"set {name} to {value_text(value)}"


def fields(
    book: Rulebook, start: Position, position: Position, names: RecordNames
) -> Iterator[tuple[m.Field, str, Any, Any]]:
    """Yield each field with the path, the old and the new value of each entry."""
    for field in book.model.fields.values():
        if not NAME.fullmatch(field.name):
            continue
        if field.dealt:
            for space, now in position["board"].items():
                if field.name in now:
                    before = start["board"][space][field.name]
                    path = place(names.spoken(space), field.name)
                    yield field, path, before, now[field.name]
            continue
        homes = {None: position.get(GAME, {})}
        befores = {None: start.get(GAME, {})}
        if field.home is not None:
            homes, befores = position.get(field.home, {}), start.get(field.home, {})
        for owner, now in homes.items():
            if field.name in now:
                before = befores[owner][field.name]
                whose = owner and names.spoken(owner)
                yield from leaves(field, whose, (), before, now[field.name], names)


def leaves(
    field: m.Field,
    owner: str | None,
    words: tuple[str, ...],
    before: Any,
    now: Any,
    names: RecordNames,
) -> Iterator[tuple[m.Field, str, Any, Any]]:
    """Yield the entries of a field: one for each pair, or only one."""
    if field.is_pair and isinstance(now, Mapping) and plain(field):
        for word, inner in now.items():
            deeper = (*words, names.spoken(word))
            yield from leaves(field, owner, deeper, before[word], inner, names)
    else:
        yield field, place(owner, field.name, words), before, now


def plain(field: m.Field) -> bool:
    """Return whether a field has a single value."""
    return isinstance(field.type, m.Truth | m.Whole | m.Member)


def is_slot(book: Rulebook, field: m.Field) -> bool:
    """Return whether a field is a slot, which holds one card or none."""
    match field.type:
        case m.Member(domain=domain, optional=True) if not field.dealt:
            return bool(book.model.domains[domain].copies)
        case _:
            return False


def values(
    book: Rulebook, start: Position, position: Position, names: RecordNames
) -> Iterator[str]:
    """Yield the lines that set fields without cards."""
    for field, path, before, now in fields(book, start, position, names):
        if plain(field) and before != now and not is_slot(book, field):
            yield f"set {path} to {names.spoken(value_text(now))}"


def cards(
    book: Rulebook, start: Position, position: Position, names: RecordNames
) -> Iterator[str]:
    """Yield the lines that move cards."""
    holders: dict[str, list[Holder]] = {}
    for field, path, before, now in fields(book, start, position, names):
        kind = field.type
        if isinstance(kind, m.Bag | m.Stack) or is_slot(book, field):
            made = holder(path, field, before, now)
            if made is not None:
                assert isinstance(kind, m.Bag | m.Stack | m.Member)
                holders.setdefault(kind.domain, []).append(made)
    for of_a_kind in holders.values():
        yield from moves(of_a_kind)


def pieces(start: Position, position: Position, names: RecordNames) -> Iterator[str]:
    """Yield the lines that place and remove pieces."""
    for name, now in position["pieces"].items():
        before = start["pieces"].get(name, {})
        for space in {**before, **now}:
            if before.get(space) != now.get(space):
                where = names.spoken(space)
                yield from lot(name, where, before.get(space), "remove", "from")
                yield from lot(name, where, now.get(space), "place", "on")


def lot(piece: str, space: str, who: Any, verb: str, where: str) -> Iterator[str]:
    """Yield the lines for all pieces with one name on a space.

    *verb* and *where* are words of the line, such as `place` and `on`.
    """
    match who:
        case None:
            return
        case True:
            yield f"{verb} {piece} {where} {space}"
        case str():
            yield f"{verb} {who}'s {piece} {where} {space}"
        case int():
            yield f"{verb} {who} {piece} {where} {space}"
        case _:
            for seat, count in who.items():
                yield f"{verb} {count} of {seat}'s {piece} {where} {space}"


def seen(book: Rulebook, position: Position, names: RecordNames) -> Iterator[str]:
    """Yield the lines that say what seats have looked at."""
    for key, owners in position.get("seen", {}).items():
        field = book.model.fields[key]
        for owner, seats in owners.items():
            path = place(None if owner == GAME else names.spoken(owner), field.name)
            for seat in seats:
                yield f"{seat} sees {path}"


def awards(position: Position) -> Iterator[str]:
    """Yield the lines that give awards to their holders."""
    for name, seat in position["awards"].items():
        if seat is not None:
            yield f"set {name}'s holder to {seat}"


def turn(position: Position, phase: str) -> Sequence[str]:
    """Return the lines that set the round, the active seat and the phase."""
    active, starter, number = (position[key] for key in ("active", "starter", "round"))
    lines = [] if starter in {None, active} else [f"{starter} starts"]
    lines += [] if (starter, number) == (active, 1) else [f"set round to {number}"]
    return [*lines, f"{active} is to move in {phase}"]
