"""Edited positions, which normal play rarely reaches, as starts of games.

Cards and pieces are moved and numbers are changed where the rules do so in play, within
existing amounts. Supplies are emptied, hands are filled, and players are made equal.
Positions that are invalid or break an invariant are rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import Game, PositionError
from rulebook import Rulebook, RulesError
from rulebook import model as m
from rulebook.signatures import Effects, effects_within
from workbench.analysis.simulation.setting_variations import MAX_TURNS

MAX_ATTEMPTS = 6
"""Maximum number of attempts to find a valid edited position."""
MAX_EDITS = 4
"""Maximum number of edits of one position."""
Plain = dict[str, Any]


def is_between_actions(game: Game) -> bool:
    """Return whether a game is between actions, at the top level of a phase."""
    if game.turn == 0 or game.to_act is None:
        return False
    position = game.position
    is_in_action = any(frame["values"] for frame in position["pending"])
    return not is_in_action and "split" not in position


def edited_game(game: Game, rng: Random) -> Game | None:
    """Return a game that starts from an edited position, or None if none is valid."""
    editor = PositionEditor.of_book(game.book)
    for _ in range(MAX_ATTEMPTS):
        position = editor.edited_position(game.position, game.seats, rng)
        try:
            edited = Game.from_position(game.book, position, chance="given")
        except (PositionError, RulesError):
            continue
        if edited.to_act is not None and edited.legal_actions():
            edited.limit_turns(edited.turn + MAX_TURNS)
            return edited
    return None


@attrs.frozen
class PositionEditor:
    """Editor of positions, which changes only what play can change after set-up.

    `holders` are the fields between which cards move, by domain. `spaces` are the kinds
    of spaces on which each piece is placed. `number_fields` are the number fields.
    """

    model: m.Model
    holders: dict[str, tuple[m.Field, ...]]
    spaces: dict[str, tuple[str, ...]]
    number_fields: tuple[m.Field, ...]

    @classmethod
    def of_book(cls, book: Rulebook) -> PositionEditor:
        """Return an editor that makes the edits possible under a book's rules."""
        model = book.model
        effects = tuple(effects_within(units_in_turns(model)))
        return cls(
            model,
            card_holders(model, effects),
            spaces_by_piece(effects),
            number_fields(model, effects),
        )

    def edited_position(
        self, position: Plain, seats: Sequence[str], rng: Random
    ) -> Plain:
        """Edit a position in place; return it with its awards due for re-evaluation."""
        edits: list[Callable[[Plain, Sequence[str], Random], None]] = []
        edits += [self.move_cards] * 2 * bool(self.holders)
        edits += [self.move_pieces] * 2 * bool(self.spaces)
        edits += [self.set_number] * bool(self.number_fields)
        for _ in range(1 + random_below(MAX_EDITS, rng) if edits else 0):
            random_element(edits, rng)(position, seats, rng)
        position.pop("seen", None)
        rules = [f"rule {name}" for name in self.model.rules]
        position["triggers"] = [*self.model.awards, *rules]
        return position

    # ------------------------------------------------------------ cards

    def move_cards(self, position: Plain, seats: Sequence[str], rng: Random) -> None:
        """Move one, several or all cards, of one kind or any, between two holders."""
        del seats
        fields = self.holders[random_element(list(self.holders), rng)]
        places = [
            (row[field.name], field)
            for field in fields
            for row in field_owners(position, field)
        ]
        held = [
            (place, card)
            for place, (cards, field) in enumerate(places)
            for card in cards_in(cards, field)
        ]
        if not held:
            return
        source, only = random_element(held, rng)
        any_kind = random_below(3, rng) == 0
        taken = [c for place, c in held if place == source and (any_kind or c == only)]
        (here, out_of), (there, into) = places[source], random_element(places, rng)
        count = random_element((1, 1 + random_below(len(taken), rng), len(taken)), rng)
        for _ in range(count if there is not here else 0):
            card = taken.pop(random_below(len(taken), rng))
            change_card(here, out_of, card, change=-1, rng=rng)
            change_card(there, into, card, change=1, rng=rng)

    # ------------------------------------------------------------ pieces

    def move_pieces(self, position: Plain, seats: Sequence[str], rng: Random) -> None:
        """Place, remove or move pieces with one name."""
        name = random_element(list(self.spaces), rng)
        piece, pieces = self.model.pieces[name], position["pieces"][name]
        if piece.room is not None or piece.moves or piece.owner is None:
            self.move_piece(name, pieces, seats, rng)
            return
        owners = seats if piece.each_player else self.model.domains[piece.owner].members
        free = [
            space for space in self.piece_spaces(name, seats) if space not in pieces
        ]
        owner = random_element(owners, rng)
        own = [space for space, holder in pieces.items() if holder == owner]
        match random_below(3, rng):
            case 0:
                for _ in range(
                    min(len(free), random_element((1, 2, 3, 5, 8, 12), rng))
                ):
                    pieces[free.pop(random_below(len(free), rng))] = owner
            case 1 if own:
                for _ in range(1 + random_below(len(own), rng)):
                    del pieces[own.pop(random_below(len(own), rng))]
            case _ if own:
                pieces[random_element(own, rng)] = random_element(owners, rng)

    def move_piece(
        self, name: str, pieces: Plain, seats: Sequence[str], rng: Random
    ) -> None:
        """Move a random one of these pieces to a random space."""
        if pieces:
            space = random_element(list(pieces), rng)
            content = pieces.pop(space)
            pieces[random_element([*self.piece_spaces(name, seats), space], rng)] = (
                content
            )

    def piece_spaces(self, name: str, seats: Sequence[str]) -> list[str]:
        """Return the names of all spaces on which a piece of these seats may stand."""
        spaces: list[str] = []
        for kind in self.spaces[name]:
            domain = self.model.domains[kind]
            if domain.each_player:
                spaces += [f"{seat}_{it}" for seat in seats for it in domain.members]
            else:
                spaces += domain.members
        return spaces

    # ------------------------------------------------------------ numbers

    def set_number(self, position: Plain, _: Sequence[str], rng: Random) -> None:
        """Set a number to a bound, another owner's value, or a neighbouring number."""
        field = random_element(self.number_fields, rng)
        owners = list(field_owners(position, field))
        owner, other = random_element(owners, rng), random_element(owners, rng)
        kind, name = field.type, field.name
        assert isinstance(kind, m.Whole)
        values = (kind.low, kind.high, other[name], owner[name] + 1, owner[name] - 1)
        owner[name] = min(kind.high, max(kind.low, random_element(values, rng)))


# ---------------------------------------------------------------- changes in play


def units_in_turns(model: m.Model) -> tuple[m.Procedure | m.Action, ...]:
    """Return the procedures and actions that can run during turns."""
    return reachable_units(model, [name for name in model.procedures if "." in name])


def reachable_units(
    model: m.Model, names: Sequence[str]
) -> tuple[m.Procedure | m.Action, ...]:
    """Return the procedures and actions reachable from the named procedures."""
    waiting: list[m.Procedure | m.Action] = [model.procedures[name] for name in names]
    units: dict[int, m.Procedure | m.Action] = {}
    while waiting:
        unit = waiting.pop()
        if id(unit) in units:
            continue
        units[id(unit)] = unit
        for effects in effects_within(unit.body):
            calls = [run.code for run in effects.calls if run.code is not None]
            waiting += [model.procedures[name] for name in calls]
            offered = [offer.action for offer in effects.offers]
            others = [name for name in effects.choices if name not in offered]
            waiting += [model.actions[name] for name in (*offered, *others)]
    return tuple(units.values())


def card_holders(
    model: m.Model, effects: Sequence[Effects]
) -> dict[str, tuple[m.Field, ...]]:
    """Return the bags and stacks between which cards move in play, by domain."""
    assigned = assigned_fields(effects)
    moved = [place.field for each in effects if each.cards for place in each.fields]
    by_domain: dict[str, list[m.Field]] = {}
    for key in dict.fromkeys(moved):
        field = model.fields[key]
        is_plain = not field.endless and not field.is_pair and key not in assigned
        if is_plain and isinstance(field.type, m.Bag | m.Stack):
            by_domain.setdefault(field.type.domain, []).append(field)
    return {domain: tuple(fields) for domain, fields in by_domain.items()}


def spaces_by_piece(played: Sequence[Effects]) -> dict[str, tuple[str, ...]]:
    """Return the kinds of spaces on which each piece is placed in play."""
    kinds: dict[str, dict[str, None]] = {}
    for moved in [effects.pieces for effects in played if effects.pieces]:
        if moved.destination is not None:
            kind = moved.destination.type
            if isinstance(kind, m.Member):
                kinds.setdefault(moved.piece, {})[kind.domain] = None
    return {piece: tuple(domains) for piece, domains in kinds.items()}


def number_fields(model: m.Model, effects: Sequence[Effects]) -> tuple[m.Field, ...]:
    """Return the number fields that play sets."""
    return tuple(
        field
        for field in map(model.fields.__getitem__, assigned_fields(effects))
        if isinstance(field.type, m.Whole)
        and not (field.is_pair or field.dealt or field.type.optional)
    )


def assigned_fields(played: Sequence[Effects]) -> dict[str, None]:
    """Return the keys of the fields that play sets, as an ordered set."""
    return {
        place.field: None for effects in played for place in effects.assigned_fields
    }


# ---------------------------------------------------------------- plain positions


def field_owners(position: Plain, field: m.Field) -> Iterator[Plain]:
    """Yield the objects of a position that contain a field: the game, or each owner."""
    if field.owner is None:
        yield position["game"]
    else:
        yield from position[field.owner].values()


def cards_in(contents: Any, field: m.Field) -> list[str]:
    """Return the cards in a bag or stack, each as often as it occurs."""
    if isinstance(field.type, m.Bag):
        return [card for card, count in contents.items() for _ in range(count)]
    entries = [entry for entry in contents["known"] if entry is not None]
    known = [entry if isinstance(entry, str) else entry["card"] for entry in entries]
    return known + [card for card, n in contents["pool"].items() for _ in range(n)]


def change_card(
    contents: Any, field: m.Field, card: str, *, change: int, rng: Random
) -> None:
    """Add a card to a bag or stack (*change* is 1) or remove one (-1), in place.

    In a stack, the position of an added card is unknown, and known cards are removed
    last.
    """
    if isinstance(field.type, m.Bag):
        contents[card] += change
        return
    known, pool = contents["known"], contents["pool"]
    if change > 0:
        known.insert(random_below(len(known) + 1, rng), None)
        pool[card] += 1
    elif pool[card]:
        known.remove(None)
        pool[card] -= 1
    else:
        entries = [e if e is None or isinstance(e, str) else e["card"] for e in known]
        del known[entries.index(card)]


def random_below(number: int, rng: Random) -> int:
    """Return a random integer from 0 to *number* - 1."""
    return int(rng.random() * number)


def random_element(elements: Sequence[Any], rng: Random) -> Any:
    """Return a random element of a sequence."""
    return elements[random_below(len(elements), rng)]
