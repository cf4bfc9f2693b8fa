"""What a seat may see of a game, as one row of numbers, made from its view.

It has the entries of `interpreter.compiled.Batch`, under the same names and in the
same order, so that what has learned from many games in C may play in any single one.
Who is not asked is not told what others are asked. Where points come from what is
hidden, those here are at least so many as everybody knows; a batch leaves such lines
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

import rulebook as rb
from interpreter import Game
from interpreter.compiled import HIDDEN
from rulebook import model as m

View = Mapping[str, Any]
Row = list[int]
NOTHING = -1
"""Stands for no seat, no member, no card and no piece."""

HEADER = ("turn", "round")
SEATS = ("active", "starter")


@attrs.frozen
class Told:
    """What a view is read for: the seat, whether it is asked, and what lies open."""

    view: View
    seat: int
    asked: bool
    points: Mapping[str, int]


@attrs.frozen
class Run:
    """Some entries that are read together: their names, and how."""

    names: tuple[str, ...]
    read: Callable[[Told], Row]


class Vector:
    """The entries of the games of a rule book with as many players as a game has."""

    def __init__(self, game: Game) -> None:
        self._seats = game.seats
        self._runs = tuple(runs(game))
        self.names = tuple([name for run in self._runs for name in run.names])
        """What each number is called."""

    def row(self, game: Game, seat: str) -> Row:
        """Return what a seat sees, `HIDDEN` in place of what it may not."""
        points = game.view(None)["points"]
        place = self._seats.index(seat)
        told = Told(game.view(seat), place, game.to_act == seat, points)
        return [number for run in self._runs for number in run.read(told)]


def runs(game: Game) -> Iterator[Run]:
    """Yield the runs of entries, in their order."""
    model, seats = game.book.model, game.seats
    members = members_of(model, seats)
    numbers = {domain: numbered(names) for domain, names in members.items()}
    yield Run(("seat",), lambda told: [told.seat])
    yield Run(("asks",), asking(model))
    yield Run(HEADER, lambda told: [told.view[key] for key in HEADER])
    who = numbers["player"]
    yield Run(SEATS, lambda told: [who[told.view[key]] for key in SEATS])
    if "order" in game.view(None):
        yield Run(*of_order(who))
    for field in model.fields.values():
        if not field.endless:
            yield from of_field(field, model, members, numbers)
    for piece in model.pieces.values():
        yield from of_piece(piece, members)
    for name in model.awards:
        yield Run((f"award.{name}",), holder(name, who))
    yield Run(
        tuple([f"points.{seat}" for seat in seats]),
        lambda told: [told.points[seat] for seat in seats],
    )


def members_of(model: m.Model, seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the members of every domain in a game with these seats."""
    return {name: tuple(members_in(d, seats)) for name, d in model.domains.items()}


def members_in(domain: m.Domain, seats: tuple[str, ...]) -> Iterator[str]:
    """Yield the members of a domain: those of each seat where it repeats them."""
    if domain.sort is m.DomainSort.PLAYER:
        yield from seats
    elif domain.each_player:
        for seat in seats:
            yield from [f"{seat}_{member}" for member in domain.members]
    else:
        yield from domain.members


def numbered(names: tuple[str, ...]) -> dict[str | None, int]:
    """Return the number of each name, and of none."""
    return {None: NOTHING} | {name: number for number, name in enumerate(names)}


# ---------------------------------------------------------------- the head


def asking(model: m.Model) -> Callable[[Told], Row]:
    """Return what reads the number of the clause that asks the seat."""
    clauses = ["game", *model.procedures, *model.actions]
    numbers = {name: number for number, name in enumerate(clauses)}

    def read(told: Told) -> Row:
        if not told.asked:
            return [HIDDEN]
        return [numbers[told.view["pending"][-1]["clause"]]]

    return read


def of_order(
    who: Mapping[str | None, int],
) -> tuple[tuple[str, ...], Callable[[Told], Row]]:
    """Return the entries of the order of turns, and what reads them."""

    def read(told: Told) -> Row:
        order = told.view["order"]
        misses = sum([1 << who[seat] for seat in order["missing"]])
        return [who[order["next"]], int(order["backwards"]), misses]

    return ("order.next", "order.backwards", "order.misses"), read


def holder(award: str, who: Mapping[str | None, int]) -> Callable[[Told], Row]:
    """Return what reads who has an award."""
    return lambda told: [who[told.view["awards"][award]]]


# ---------------------------------------------------------------- fields


def of_field(
    field: m.Field,
    model: m.Model,
    members: Mapping[str, tuple[str, ...]],
    numbers: Mapping[str, Mapping[str | None, int]],
) -> Iterator[Run]:
    """Yield the entries of a field, for each of its owners."""
    looked_at = isinstance(field.type, m.Bag) and field.key in shown_bags(model)
    for place in places(field, model, members):
        mine, value = place.owned, place.value
        known = field.seen_by is not m.Audience.NOBODY
        known = known and (field.seen_by is m.Audience.ALL or mine is not None)
        match field.type:
            case m.Bag(domain=domain):
                yield Run((f"{place.name}.count",), counted(value))
                if known or looked_at:
                    kinds = tuple([f"{place.name}.{c}" for c in members[domain]])
                    yield Run(kinds, cards(value, members[domain]))
            case m.Stack(domain=domain):
                yield from of_stack(place.name, value, members, numbers, domain)
            case _ if known:
                reader = scalar(field, value, numbers)
                hides = field.seen_by is m.Audience.OWNER
                yield Run((place.name,), for_owner(reader, mine) if hides else reader)


@attrs.frozen
class Place:
    """Where a view has the field of one owner: its name, whose it is, its value."""

    name: str
    owned: int | None
    value: Callable[[View], Any]


def places(
    field: m.Field, model: m.Model, members: Mapping[str, tuple[str, ...]]
) -> Iterator[Place]:
    """Yield where a view has a field, owner by owner."""
    owner = field.owner
    if owner is None:
        yield Place(f"game.{field.name}", None, along("game", field.name))
        return
    domain = model.domains[owner]
    for index, name in enumerate(members[owner]):
        seat = seat_of(domain, index)
        if field.is_pair:
            way = (*pair_home(field, domain, index, members), field.name)
            words = pair_words(domain, index % len(domain.members), members)
            if field.home not in (None, m.DomainSort.PLAYER) and not domain.each_player:
                way, words = (str(field.home), words[0], field.name), words[1:]
            value = along(*way, *words)
        elif field.dealt:
            value = along("board", name, field.name)
        else:
            value = along(str(owner), name, field.name)
        yield Place(f"{name}.{field.name}", seat, value)


def seat_of(domain: m.Domain, index: int) -> int | None:
    """Return the seat to which the field of a member belongs."""
    if domain.sort is m.DomainSort.PLAYER:
        return index
    return index // len(domain.members) if domain.each_player else None


def pair_home(
    field: m.Field,
    domain: m.Domain,
    index: int,
    members: Mapping[str, tuple[str, ...]],
) -> tuple[str, ...]:
    """Return where a view has the table of a field for pairs."""
    if not domain.each_player:
        return ("game",)
    seat = members["player"][index // len(domain.members)]
    return (str(field.home), seat)


def pair_words(
    domain: m.Domain, at: int, members: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Return how a pair is called, coordinate by coordinate."""
    stride, words = len(domain.members), []
    for axis in domain.axes:
        stride //= axis.size
        place, at = divmod(at, stride)
        if isinstance(axis.type, m.Member):
            names = members[axis.type.domain]
            words.append(names[place] if place < len(names) else "")
        else:
            words.append(str(axis.low + place))
    return tuple(words)


def along(*way: str) -> Callable[[View], Any]:
    """Return what follows a way into a view; None where it does not go so far."""

    def follow(view: View) -> Any:
        here: Any = view
        for word in way:
            here = here.get(word) if isinstance(here, Mapping) else None
        return here

    return follow


def shown_bags(model: m.Model) -> frozenset[str]:
    """Return the keys of the bags that the rules let a seat look at."""
    bodies = (tuple(model.procedures.values()), tuple(model.actions.values()))
    return frozenset(
        model.fields[node.holder.field].key
        for node in rb.find(bodies, m.Sees)
        if isinstance(node.holder, m.FieldValue) and node.holder.field in model.fields
    )


def scalar(
    field: m.Field,
    value: Callable[[View], Any],
    numbers: Mapping[str, Mapping[str | None, int]],
) -> Callable[[Told], Row]:
    """Return what reads a number, yes or no, or a member."""
    if isinstance(field.type, m.Member):
        members = numbers[field.type.domain]
        return lambda told: [members[value(told.view)]]

    def read(told: Told) -> Row:
        number = value(told.view)
        return [NOTHING if number is None else int(number)]

    return read


def for_owner(
    reader: Callable[[Told], Row], owner: int | None
) -> Callable[[Told], Row]:
    """Return what reads for the owner only."""
    return lambda told: reader(told) if told.seat == owner else [HIDDEN]


# ---------------------------------------------------------------- cards


def hides(bag: Mapping[str, Any], kinds: tuple[str, ...]) -> bool:
    """Whether a bag in a view says only how many cards it has."""
    return tuple(bag) == ("count",) != kinds


def counted(value: Callable[[View], Any]) -> Callable[[Told], Row]:
    """Return what reads how many cards are in a bag or a stack."""
    return lambda told: [sum(value(told.view).values())]


def cards(
    value: Callable[[View], Any], kinds: tuple[str, ...]
) -> Callable[[Told], Row]:
    """Return what reads how many cards there are of each kind in a bag."""
    unseen = [HIDDEN] * len(kinds)

    def read(told: Told) -> Row:
        bag = value(told.view)
        return unseen if hides(bag, kinds) else [bag[kind] for kind in kinds]

    return read


def of_stack(
    name: str,
    value: Callable[[View], Any],
    members: Mapping[str, tuple[str, ...]],
    numbers: Mapping[str, Mapping[str | None, int]],
    domain: str,
) -> Iterator[Run]:
    """Yield the entries of a stack: how many cards, and which the seat knows."""
    kinds, number, seats = members[domain], numbers[domain], members["player"]

    def read(told: Told) -> Row:
        cards = list(known(value(told.view), seats[told.seat]))
        top = (HIDDEN if cards[0] is None else number[cards[0]]) if cards else NOTHING
        return [len(cards), top, *[cards.count(kind) for kind in kinds]]

    heads = (f"{name}.count", f"{name}.top")
    yield Run((*heads, *[f"{name}.known.{kind}" for kind in kinds]), read)


def known(stack: Mapping[str, Any], seat: str) -> Iterator[str | None]:
    """Yield the cards of a stack as a seat knows them, the top first."""
    if "known" not in stack:
        yield from [None] * stack["count"]
        return
    for card in stack["known"]:
        if isinstance(card, Mapping):
            yield card["card"] if seat in card["known_to"] else None
        else:
            yield card


# ---------------------------------------------------------------- pieces


def of_piece(piece: m.Piece, members: Mapping[str, tuple[str, ...]]) -> Iterator[Run]:
    """Yield the entries of a piece, for each domain on which it may stand."""
    seats = members["player"]
    who = numbered(seats)

    def alone(spaces: tuple[str, ...], told: Told) -> Row:
        standing = told.view["pieces"][piece.name]
        if piece.each_player:
            return [who[standing.get(space)] for space in spaces]
        return [0 if space in standing else NOTHING for space in spaces]

    def several(spaces: tuple[str, ...], told: Told) -> Row:
        standing = told.view["pieces"][piece.name]
        if piece.each_player:
            none: Mapping[str, int] = {}
            there = [standing.get(space, none) for space in spaces]
            return [owners.get(seat, 0) for owners in there for seat in seats]
        return [standing.get(space, 0) for space in spaces]

    for domain in piece.stands_on:
        spaces = members[domain]
        named = [f"{piece.name}.{space}" for space in spaces]
        read = alone if piece.room is None else several
        if piece.room is not None and piece.each_player and len(seats) > 1:
            named = [f"{name}.{seat}" for name in named for seat in seats]
        if spaces:
            yield Run(tuple(named), bound(read, spaces))


def bound(
    read: Callable[[tuple[str, ...], Told], Row], spaces: tuple[str, ...]
) -> Callable[[Told], Row]:
    """Return what reads a piece on some spaces."""
    return lambda told: read(spaces, told)
