"""The ground that is asked about: a turn begins, the board lies, nobody has anything.

Set-up is played once to come there; then what the players have is taken off, and so are
the pieces of nobody that a turn moves about. What a question is about is put there.
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
from rulebook.tooling import find
from workbench.analysis.economy.probes.payments import Payments, Plain
from workbench.analysis.simulation.settings import Settings
from workbench.errors import Refused

STEPS = 20_000
"""So many events a set-up may take."""
PENDING = "pending"
Pieces = Mapping[str, Sequence[str]]
"""The spaces of the pieces of a seat, by the name of the piece."""


@attrs.frozen
class Number:
    """A number of a member of a kind, with a value to give it in a position."""

    owner: str
    member: str
    field: str
    value: int


@attrs.frozen
class Baseline:
    """The beginning of a turn as a position, with what is known of its rules.

    `position` has no player's piece and no card that pays. `asks` says whether set-up
    let players decide. The turn is one of the first round, or of another `round`.
    """

    book: Rulebook
    seats: tuple[str, ...]
    position: Plain
    purse: Payments | None
    bags: tuple[m.Field, ...]
    asks: bool
    declining: frozenset[str]
    round: int = 1

    @classmethod
    def of(cls, book: Rulebook, settings: Settings) -> Baseline:
        """The ground of a game that is begun with some settings."""
        lot = Random(f"set-up {settings.seed}")
        game, asks = first_turn(book, settings, lot)
        if game.to_act is None:
            raise Refused(f"{book.name} ends before its first turn", status=1)
        purse = Payments.of(book.model)
        return cls(
            book,
            game.seats,
            cleared(book.model, game.position, purse),
            purse,
            bags(book.model, purse),
            asks,
            declining(book.model),
        )

    def later(self, round: int) -> Baseline:
        """The same in a later round; nothing else is as it would be so late."""
        turn, last = (round - 1) * len(self.seats) + 1, self.book.model.rounds
        if turn > self.book.model.turns or (last is not None and round > last):
            raise Refused(f"{self.book.name} has no round {round}", status=1)
        position = {**copied(self.position), "round": round, "turn": turn}
        return attrs.evolve(self, position=position, round=round)

    @property
    def board(self) -> Plain:
        """What set-up dealt on the board."""
        return self.position["board"]  # type: ignore[no-any-return]

    @property
    def deals(self) -> bool:
        """Whether set-up dealt anything on the board."""
        return any(self.board.values())

    def others(self, seat: str) -> tuple[str, ...]:
        """All seats, that one first, in the order of their turns."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def with_holdings(
        self,
        seat: str,
        pieces: Pieces,
        *,
        active: str | None = None,
        nobodys: Mapping[str, Any] | None = None,
        without: Iterable[str] = (),
        cards: Mapping[str, int] | None = None,
        numbers: Iterable[Number] = (),
    ) -> Game:
        """The game in which a seat has some pieces and cards when a turn begins.

        It is the turn of `active`, or of the seat. `nobodys` are where pieces of nobody
        stand, in the place of where set-up put them; those `without` stand nowhere.
        Some `numbers` are not as set-up left them.
        """
        position = copied(self.position)
        for name, spaces in pieces.items():
            piece = self.book.model.pieces[name]
            standing: Any = seat if piece.room is None else {seat: 1}
            position["pieces"][name] = dict.fromkeys(spaces, standing)
        for name in without:
            position["pieces"][name] = {}
        position["pieces"].update(nobodys or {})
        if self.purse is not None and cards:
            self.purse.filled(position, seat, cards)
        for it in numbers:
            position[it.owner][it.member][it.field] = it.value
        give_turn(position, active or seat)
        return Game.laid_out(self.book, position, chance="given", engine="reference")


def copied(position: Plain) -> Plain:
    """A position of its own."""
    return json.loads(json.dumps(position))  # type: ignore[no-any-return]


def give_turn(position: Plain, seat: str) -> None:
    """Let the turn that begins be another seat's."""
    position["active"] = position["starter"] = seat


def first_turn(book: Rulebook, settings: Settings, lot: Random) -> tuple[Game, bool]:
    """The game at the first stop of its first turn, with chance given from there on.

    What players decide in set-up they decide by lot; whether they were asked at all.
    """
    drawn = settings.start(book, engine="reference")
    asks = by_lot(drawn, lot)
    given = settings.start(book, chance="given", engine="reference")
    for event in drawn.events:
        if given.turn or given.over:
            break
        given.apply(event if "chance" in event else event["action"])
    return given, asks


def by_lot(game: Game, numbers: Random) -> bool:
    """Play set-up to its end with decisions by lot; whether there was any."""
    asked = False
    while not game.turn and not game.over:
        actions = game.legal_actions()
        if not actions or game.steps > STEPS:
            raise Refused(f"the set-up of {game.book.name} never ends", status=1)
        asked = asked or len(actions) > 1
        game.apply(actions[int(numbers.random() * len(actions))])
    return asked


def cleared(model: m.Model, position: Plain, purse: Payments | None) -> Plain:
    """The beginning of a turn without pieces of players and without cards that pay.

    What the turn passed over, since nobody could do it, comes up again.
    """
    clear = copied(position)
    clear[PENDING] = [{**clear[PENDING][0], "at": model.phases[0]}]
    for name, piece in model.pieces.items():
        if piece.each_player:
            clear["pieces"][name] = {}
    if purse is not None:
        purse.emptied(clear)
    return clear


def bags(model: m.Model, purse: Payments | None) -> tuple[m.Field, ...]:
    """The bags of each player in which income is looked for.

    Of what pays that is the field that pays, or none where none does.
    """
    own = [
        field
        for field in model.fields.values()
        if field.each_player and isinstance(field.type, m.Bag)
    ]
    return tuple(
        field
        for field in own
        if purse is None
        or field.type != m.Bag(purse.domain)
        or field.name == purse.field
    )


def declining(model: m.Model) -> frozenset[str]:
    """The actions by which a seat says that it wants nothing more."""
    code = (model.procedures, model.actions)
    names = {ask.until for ask in find(code, m.Ask) if ask.until is not None}
    return frozenset({*names, "pass"})


def pieces_of(position: Plain, seat: str, model: m.Model) -> Iterator[tuple[str, str]]:
    """The pieces of a seat in a position: each with its space."""
    for name, where in position["pieces"].items():
        if not model.pieces[name].each_player:
            continue
        for space, whose in where.items():
            count = whose.get(seat, 0) if isinstance(whose, dict) else whose == seat
            yield from ((name, space) for _ in range(count))
