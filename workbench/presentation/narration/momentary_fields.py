"""What is worth showing now: fields that a hint keeps for their moment, dice that lie.

`hint during FIELD: "clause / clause"` says that a field means something to people only
while one of these clauses goes on: what is offered, during an offer. A die that only
set-up rolls says nothing after it, one that set-up does not roll nothing before.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from interpreter import Game
from rulebook import Address, Rulebook
from rulebook.model import Bag, Call, Look, Model, RollDice, SetField
from rulebook.tooling import find
from workbench.files.records.replay import replayed

SETUP = "setup"


def at_rest(book: Rulebook, view: Mapping[str, Any]) -> frozenset[str]:
    """The fields that are not to be shown now, as a view says what goes on."""
    going = set(going_on(view))
    return frozenset(
        name for name, clauses in momentary(book).items() if going.isdisjoint(clauses)
    )


def momentary(book: Rulebook) -> Mapping[str, tuple[str, ...]]:
    """The fields that have their moment, and the clauses that are it."""
    return {
        hint.name: tuple(clause.strip() for clause in hint.text.split("/"))
        for hint in book.model.hints
        if hint.word == Look.DURING
    }


def going_on(view: Mapping[str, Any]) -> Iterator[str]:
    """The clauses that go on; a phase of the turn, and with it the turn."""
    for frame in view.get("pending") or ():
        yield frame["clause"]
        yield Address.parse(frame["clause"]).sort


@lru_cache(maxsize=8)
def notes(book: Rulebook) -> frozenset[str]:
    """The bags that rules set, so that cards are only named there: nobody has them."""
    clauses = [*book.model.procedures.values(), *book.model.actions.values()]
    written = {write.field for clause in clauses for write in find(clause, SetField)}
    fields = book.model.fields.items()
    return frozenset(
        field.name
        for key, field in fields
        if isinstance(field.type, Bag) and written & {key, field.name}
    )


# ---------------------------------------------------------------- dice


def seen(game: Game, seat: str | None) -> Mapping[str, Any]:
    """The view of a seat without dice that say nothing: of set-up, or of turns, only.

    It follows from the view alone, so that a sample shows the same.
    """
    return without_silent(game.book, game.view(seat))


def without_silent(book: Rulebook, view: Mapping[str, Any]) -> Mapping[str, Any]:
    """A view without dice that say nothing."""
    first, later = dice(book)
    silent = first - later if view.get("turn") else later - first
    common = {n: v for n, v in view.get("game", {}).items() if n not in silent}
    return {**view, "game": common}


@lru_cache(maxsize=8)
def dice(book: Rulebook) -> tuple[frozenset[str], frozenset[str]]:
    """The dice that set-up rolls, and those that are rolled in turns."""
    clauses = {**book.model.procedures, **book.model.actions}
    later = in_turns(book.model)
    sorts: tuple[set[str], set[str]] = (set(), set())
    for name, clause in clauses.items():
        for roll in find(clause, RollDice):
            sorts[name in later].update(roll.fields)
    return frozenset(sorts[0]), frozenset(sorts[1])


def in_turns(model: Model) -> frozenset[str]:
    """The clauses that may go on after set-up."""
    clauses = {**model.procedures, **model.actions}
    reached: set[str] = set()
    due = [
        name for name in clauses if Address.parse(name).name or name in model.actions
    ]
    while due:
        name = due.pop()
        if name not in reached and name in clauses:
            reached.add(name)
            due += [call.procedure for call in find(clauses[name], Call)]
    return frozenset(reached)


def first_of_turns(game: Game) -> Game:
    """A game before the chance with which its first turn began, if nothing else came.

    Else the game itself.
    """
    first = game
    if game.turn and all("chance" in event for event in game.events):
        for step in range(game.steps - 1, -1, -1):
            earlier = replayed(game.record, game.book, step, exactly=True).game
            if not earlier.turn:
                break
            first = earlier
    return first
