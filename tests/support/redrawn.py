"""Games that a seat cannot distinguish from its own, made from a position and a view.

Nothing here depends on how samples are made: all that the view hides is redrawn.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import attrs

from interpreter import Game, PositionError, violated_invariants
from interpreter.game import state_of
from interpreter.knowledge.pending_picks import pending_picks
from rulebook import RulesError
from rulebook import model as m

Plain = dict[str, Any]


@attrs.frozen
class Covered:
    """Field hidden from a seat: its place in the position, and its type."""

    home: Plain
    name: str
    type: m.Type
    view: Any

    @property
    def value(self) -> Any:
        return self.home[self.name]


def covered(game: Game, seat: str, position: Plain, view: Plain) -> Iterator[Covered]:
    """Yield the fields of a position that the view of a seat hides."""
    for field in game.book.model.fields.values():
        if field.seen_by is m.Audience.ALL or field.endless:
            continue
        owner = "game" if field.home is None else field.home
        places = [(position["game"], view["game"])] if owner == "game" else []
        if owner != "game":
            key = "board" if field.dealt else owner
            mine, seen = position.get(key, {}), view.get(key, {})
            owned = field.seen_by is m.Audience.OWNER
            places = [
                (mine[name], seen[name])
                for name in mine
                if not (owned and (name == seat or name.startswith(f"{seat}_")))
            ]
        for home, shown in places:
            yield from leaves(field, home, shown, field.name)


def leaves(field: m.Field, home: Plain, shown: Plain, name: str) -> Iterator[Covered]:
    """Yield a hidden value, or each hidden value of a table of pairs."""
    here, there = home[name], shown[name]
    if field.is_pair and isinstance(here, dict):
        for key in here:
            yield from leaves(field, here, there, key)
    elif there is None or (isinstance(there, dict) and "count" in there):
        yield Covered(home, name, field.type, there)


def can_differ(game: Game, seat: str, position: Plain, view: Plain) -> bool:
    """Return whether hidden cards or values could be different.

    `position` and `view` are those of the game.
    """
    places: dict[str, list[list[str]]] = {}
    for each in covered(game, seat, position, view):
        if each.view is None and domain(each) not in places:
            return True
        places.setdefault(domain(each), []).append([*cards(each)])
    return any(
        sum(map(bool, here)) > 1 and len({card for cards in here for card in cards}) > 1
        for here in places.values()
    )


def redrawn(
    game: Game, seat: str, numbers: Random, view: Plain | None = None
) -> tuple[Game, int] | None:
    """Return another game with an equal view, and the number of fields that differ.

    `view` is that of the seat, if it is at hand. None inside simultaneous choices,
    and if the deal is impossible: it breaks an invariant, leads to another decision,
    or takes away cards that were picked and are still to be moved.
    """
    position = game.position
    view = game.view(seat) if view is None else view
    if "split" in position:
        return None
    picked = picks(game)
    fields = [*covered(game, seat, position, view)]
    before = [each.value for each in fields]
    decks: dict[str, list[str]] = {}
    for each in fields:
        decks.setdefault(domain(each), []).extend(cards(each))
    for deck in decks.values():
        numbers.shuffle(deck)
    for each in fields:
        lay(each, decks[domain(each)], game, numbers)
    try:
        world = Game.from_any_position(game.book, position, engine=game.engine)
    except (PositionError, RulesError):
        return None
    if world.to_act != game.to_act or violated_invariants(
        world, game.book.model.invariants
    ):
        return None
    if picks(world) != picked:
        return None
    pairs = zip(fields, before, strict=True)
    return world, sum(new.value != old for new, old in pairs)


def picks(game: Game) -> list[list[int]]:
    """Return the cards of each pick whose cards are still in their source."""
    return [pick.cards for pick in pending_picks(state_of(game))]


def domain(each: Covered) -> str:
    """Return the domain of the cards in a field."""
    return getattr(each.type, "domain", None) or ""


def cards(each: Covered) -> Iterator[str]:
    """Yield the cards that a seat does not know."""
    match each.type, each.value:
        case m.Bag(), bag:
            yield from (card for card, number in bag.items() for _ in range(number))
        case m.Stack(), stack:
            known = each.view.get("known", [None] * len(stack["known"]))
            pairs = zip(stack["known"], known, strict=True)
            yield from (named(card) for card, seen in pairs if card and not seen)
            pool = stack["pool"].items()
            yield from (card for card, number in pool for _ in range(number))
        case _, str(card) if each.view is not None:
            yield card


def lay(each: Covered, deck: list[str], game: Game, numbers: Random) -> None:
    """Replace a field by the same number of cards from a deck, or by another value."""
    match each.type, each.value:
        case m.Bag(), bag:
            each.home[each.name] = counted(bag, deck)
        case m.Stack(), stack:
            known = each.view.get("known", [None] * len(stack["known"]))
            pairs = zip(stack["known"], known, strict=True)
            laid = [
                renamed(card, deck) if card and not seen else card
                for card, seen in pairs
            ]
            pool = counted(stack["pool"], deck)
            each.home[each.name] = {"known": laid, "pool": pool}
        case _, str() if each.view is not None:
            each.home[each.name] = deck.pop()
        case _, value if each.view is None:
            each.home[each.name] = another(each.type, value, game, numbers)


def named(entry: str | Plain) -> str:
    """Return the card of an entry of a stack."""
    return entry if isinstance(entry, str) else str(entry["card"])


def renamed(entry: str | Plain, deck: list[str]) -> str | Plain:
    """Return an entry of a stack with the next card of a deck."""
    card = deck.pop()
    return card if isinstance(entry, str) else {**entry, "card": card}


def counted(bag: dict[str, int], deck: list[str]) -> dict[str, int]:
    """Return a bag with as many cards of a deck."""
    taken = [deck.pop() for _ in range(sum(bag.values()))]
    return {card: taken.count(card) for card in bag}


def another(kind: m.Type, value: Any, game: Game, numbers: Random) -> Any:
    """Return a random value of a type."""
    match kind:
        case m.Truth():
            return numbers.random() < 0.5
        case m.Whole(low=low, high=high):
            return numbers.randint(low, high)
        case m.Member(domain=name, optional=optional):
            players = name == "player"
            members = game.seats if players else game.book.model.domains[name].members
            return numbers.choice([*members, *[None] * optional])
        case _:
            return value
