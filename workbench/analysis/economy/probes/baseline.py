"""Baseline position: start of a turn, board laid out, all hands empty.

Set-up is played once. Then the players' pieces and cards are removed. Probes add the
pieces and cards that they need.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook import model as m
from rulebook.signatures import effects_within
from workbench.analysis.economy.probes.payments import Payments, Plain
from workbench.analysis.simulation.settings import Settings
from workbench.errors import RequestError

MAX_SETUP_EVENTS = 20_000
"""Maximum number of events in a set-up."""
PENDING = "pending"
Pieces = Mapping[str, Sequence[str]]
"""Spaces of a seat's pieces, by name of the piece."""


@attrs.frozen
class NumberValue:
    """Number field of a member, and the value that a probe sets it to."""

    owner: str
    member: str
    field: str
    value: int


@attrs.frozen
class Baseline:
    """Position at the start of a turn, and properties of the rules that probes need.

    `position` contains no player's pieces and no cards that can pay. `bags` are the
    fields in which income can appear, and `declining_actions` the actions by which a
    seat passes. `has_setup_decisions` is true if players make decisions during set-up.
    """

    book: Rulebook
    seats: tuple[str, ...]
    position: Plain
    payments: Payments | None
    bags: tuple[m.Field, ...]
    has_setup_decisions: bool
    declining_actions: frozenset[str]
    round: int = 1

    @classmethod
    def of_game(cls, book: Rulebook, settings: Settings) -> Baseline:
        """Return the baseline of a game with these settings."""
        rng = Random(f"set-up {settings.seed}")
        game, has_setup_decisions = first_turn(book, settings, rng)
        if game.to_act is None:
            raise RequestError(f"{book.name} ends before its first turn", exit_code=1)
        payments = Payments.of_model(book.model)
        return cls(
            book,
            game.seats,
            without_holdings(book.model, game.position, payments),
            payments,
            income_bags(book.model, payments),
            has_setup_decisions,
            declining_actions(book.model),
        )

    def in_round(self, round: int) -> Baseline:
        """Return the baseline moved to a later round."""
        turn, last = (round - 1) * len(self.seats) + 1, self.book.model.rounds
        if turn > self.book.model.turns or (last is not None and round > last):
            raise RequestError(f"{self.book.name} has no round {round}", exit_code=1)
        position = {**deep_copy(self.position), "round": round, "turn": turn}
        return attrs.evolve(self, position=position, round=round)

    @property
    def board(self) -> Plain:
        """Contents of the board as dealt by set-up."""
        return self.position["board"]  # type: ignore[no-any-return]

    @property
    def deals_board(self) -> bool:
        """True if set-up dealt anything on the board."""
        return any(self.board.values())

    def seats_from(self, seat: str) -> tuple[str, ...]:
        """Return all seats in turn order, from *seat* on."""
        index = self.seats.index(seat)
        return self.seats[index:] + self.seats[:index]

    def with_holdings(
        self,
        seat: str,
        pieces: Pieces,
        *,
        active: str | None = None,
        unowned: Mapping[str, Any] | None = None,
        removed_pieces: Iterable[str] = (),
        cards: Mapping[str, int] | None = None,
        numbers: Iterable[NumberValue] = (),
    ) -> Game:
        """Return a game at the start of a turn in which *seat* has pieces and cards.

        It is the turn of *active*, by default *seat*. *unowned* replaces the places of
        unowned pieces, and pieces named in *removed_pieces* are removed. *numbers* sets
        number fields.
        """
        position = deep_copy(self.position)
        for name, spaces in pieces.items():
            piece = self.book.model.pieces[name]
            occupant: Any = seat if piece.room is None else {seat: 1}
            position["pieces"][name] = dict.fromkeys(spaces, occupant)
        for name in removed_pieces:
            position["pieces"][name] = {}
        position["pieces"].update(unowned or {})
        if self.payments is not None and cards:
            self.payments.give_cards(position, seat, cards)
        for number in numbers:
            position[number.owner][number.member][number.field] = number.value
        give_turn(position, active or seat)
        return Game.from_any_position(
            self.book, position, chance="given", engine="reference"
        )


def deep_copy(position: Plain) -> Plain:
    """Return a deep copy of a position."""
    return json.loads(json.dumps(position))  # type: ignore[no-any-return]


def give_turn(position: Plain, seat: str) -> None:
    """Make *seat* the active seat at the start of its turn, in place."""
    position["active"] = position["starter"] = seat


def first_turn(book: Rulebook, settings: Settings, rng: Random) -> tuple[Game, bool]:
    """Return a game at the first wait point of its first turn.

    Chance outcomes must be given from there on. Decisions of set-up were made at
    random; the second value is true if there were any.
    """
    played = settings.start(book, engine="reference")
    has_setup_decisions = play_setup_at_random(played, rng)
    replayed = settings.start(book, chance="given", engine="reference")
    for event in played.events:
        if replayed.turn or replayed.over:
            break
        replayed.apply(event.get("action", event))
    return replayed, has_setup_decisions


def play_setup_at_random(game: Game, rng: Random) -> bool:
    """Play set-up with random decisions; return whether there were any."""
    had_choice = False
    while not game.turn and not game.over:
        actions = game.legal_actions()
        if not actions or game.steps > MAX_SETUP_EVENTS:
            raise RequestError(
                f"the set-up of {game.book.name} never ends", exit_code=1
            )
        had_choice = had_choice or len(actions) > 1
        game.apply(actions[int(rng.random() * len(actions))])
    return had_choice


def without_holdings(
    model: m.Model, position: Plain, payments: Payments | None
) -> Plain:
    """Return a position without owned pieces and without cards that can pay.

    The turn restarts at its first phase, so that skipped phases are offered again.
    """
    cleared = deep_copy(position)
    cleared[PENDING] = [{**cleared[PENDING][0], "at": model.phases[0]}]
    for name, piece in model.pieces.items():
        if piece.owner is not None:
            cleared["pieces"][name] = {}
    if payments is not None:
        payments.return_all_cards(cleared)
    return cleared


def income_bags(model: m.Model, payments: Payments | None) -> tuple[m.Field, ...]:
    """Return the bags of each player in which income can appear.

    Of the bags with kinds of cards that can pay, only the bag that pays is included.
    """
    bags = [
        field
        for field in model.fields.values()
        if field.each_player and isinstance(field.type, m.Bag)
    ]
    return tuple(
        field
        for field in bags
        if payments is None
        or field.type != m.Bag(payments.domain)
        or field.name == payments.field
    )


def declining_actions(model: m.Model) -> frozenset[str]:
    """Return the names of the actions with which a seat declines an offer."""
    all_effects = effects_within(model.procedures, model.actions)
    ends = [effects.until for effects in all_effects if effects.offers]
    return frozenset({"pass", *filter(None, ends)})


def pieces_of(position: Plain, seat: str, model: m.Model) -> Iterator[tuple[str, str]]:
    """Yield the name and the space of each piece of a seat in a position."""
    for name, spaces in position["pieces"].items():
        if not model.pieces[name].each_player:
            continue
        for space, owner in spaces.items():
            count = owner.get(seat, 0) if isinstance(owner, dict) else owner == seat
            yield from ((name, space) for _ in range(count))
