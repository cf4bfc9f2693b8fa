"""Fields and dice that are never shown, or only while they are relevant.

A field that is `not shown` is bookkeeping. `hint during FIELD: "clause / clause"` means
that a field, such as an offer, is relevant only while one of these clauses runs. Dice
that only set-up rolls are hidden after set-up; dice that only turns roll are hidden
before the first turn.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from interpreter import Game
from rulebook import Address, Rulebook
from rulebook.model import Bag, Look, Model
from rulebook.tooling import FieldPlace, effects_within
from workbench.files.records.record_replay import replay_text

SETUP = "setup"


def hidden_fields(book: Rulebook, view: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of fields that are `not shown` or irrelevant now."""
    running = set(running_clauses(view))
    return unshown_fields(book) | {
        name
        for name, clauses in clauses_by_field(book).items()
        if running.isdisjoint(clauses)
    }


@lru_cache(maxsize=8)
def unshown_fields(book: Rulebook) -> frozenset[str]:
    """Return the names whose fields are all `not shown`.

    Fields of pieces count as `not shown`, because they are shown with the pieces.
    """
    fields = book.model.fields.values()
    shown = {f.name for f in fields if not (f.bookkeeping or f.piece)}
    return frozenset(field.name for field in fields) - shown


@lru_cache(maxsize=8)
def clauses_by_field(book: Rulebook) -> Mapping[str, tuple[str, ...]]:
    """Return the clauses that `during` hints name for fields, by field name."""
    return {
        hint.name: tuple(clause.strip() for clause in hint.text.split("/"))
        for hint in book.model.hints
        if hint.word == Look.DURING
    }


def running_clauses(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the address of each running clause, and after it the clause's sort."""
    for frame in view.get("pending") or ():
        yield frame["clause"]
        yield Address.parse(frame["clause"]).sort


@lru_cache(maxsize=8)
def name_only_bags(book: Rulebook) -> frozenset[str]:
    """Return the names of bags that rules assign: mere lists of cards, as in offers."""
    clauses = [*book.model.procedures.values(), *book.model.actions.values()]
    written = {
        write.place.field
        for effects in effects_within(clauses)
        for write in effects.writes
        if isinstance(write.place, FieldPlace) and write.value is not None
    }
    fields = book.model.fields.items()
    return frozenset(
        field.name
        for key, field in fields
        if isinstance(field.type, Bag) and written & {key, field.name}
    )


# ---------------------------------------------------------------- dice


def relevant_view(game: Game, seat: str | None) -> Mapping[str, Any]:
    """Return the view of a seat without dice that are irrelevant now.

    It depends only on the view, so a sampled game yields the same result.
    """
    return without_irrelevant_dice(game.book, game.view(seat))


def without_irrelevant_dice(
    book: Rulebook, view: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return a view without dice that are irrelevant now."""
    first, later = setup_and_turn_dice(book)
    irrelevant = first - later if view.get("turn") else later - first
    common = {n: v for n, v in view.get("game", {}).items() if n not in irrelevant}
    return {**view, "game": common}


@lru_cache(maxsize=8)
def setup_and_turn_dice(book: Rulebook) -> tuple[frozenset[str], frozenset[str]]:
    """Return the dice that set-up rolls, and the dice that turns roll."""
    clauses = {**book.model.procedures, **book.model.actions}
    later = turn_clauses(book.model)
    sorts: tuple[set[str], set[str]] = (set(), set())
    for name, clause in clauses.items():
        for effects in effects_within(clause):
            sorts[name in later].update(effects.dice)
    return frozenset(sorts[0]), frozenset(sorts[1])


def turn_clauses(model: Model) -> frozenset[str]:
    """Return the procedures and actions that may run after set-up."""
    clauses = {**model.procedures, **model.actions}
    reached: set[str] = set()
    due = [
        name for name in clauses if Address.parse(name).name or name in model.actions
    ]
    while due:
        name = due.pop()
        if name not in reached and name in clauses:
            reached.add(name)
            calls = (effects.calls for effects in effects_within(clauses[name]))
            due += [call.code for call in chain(*calls) if call.code is not None]
    return frozenset(reached)


def game_before_first_turn(game: Game) -> Game:
    """Return the game before the chance events that opened its first turn.

    If anything else has happened since, return the game itself.
    """
    first = game
    if game.turn and all("seat" not in event for event in game.events):
        for step in range(game.steps - 1, -1, -1):
            earlier = replay_text(game.record, game.book, step, exact=True).game
            if not earlier.turn:
                break
            first = earlier
    return first
