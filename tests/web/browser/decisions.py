"""Decisions of different kinds, from games with random actions."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from workbench.presentation.localization.localizer import PASS

Kind = tuple[str, str, bool]
"""Clause and step that wait, and whether the seat that decides has the turn."""


@attrs.frozen
class Decision:
    """Decision of a seat, with the actions that make it.

    `choices` is the number of legal actions.
    """

    kind: Kind
    seat: str
    choices: int
    actions: Sequence[str]

    @property
    def typed(self) -> list[str]:
        """Actions as the page sends them: the server ends a choice of several cards."""
        is_ended = self.actions[1:] and self.actions[-1] == PASS
        return list(self.actions[:-1] if is_ended else self.actions)

    @property
    def answer(self) -> tuple[Kind, str]:
        """Kind, and the name of the first action."""
        return self.kind, self.actions[0].partition("(")[0]


@attrs.frozen
class Play:
    """Game from a random seed, with its first decisions; perhaps it ends with them."""

    seed: int
    seats: tuple[str, ...]
    decisions: Sequence[Decision]
    is_over: bool


def plays(book: Rulebook, games: int, steps: int) -> list[Play]:
    """Return games of all numbers of players, each with at most *steps* decisions."""
    fewest, most = book.players
    made = []
    for seed in range(games):
        players = most - seed % (most - fewest + 1)
        game = Game.start(book, players=players, seed=seed)
        decisions = list(islice(random_game(game), steps))
        made.append(Play(seed, game.seats, decisions, game.over))
    return made


def random_game(game: Game) -> Iterator[Decision]:
    """Play a game with random actions; yield its decisions."""
    chance = Random(game.seed)
    while not game.over:
        seat: Any = game.to_act
        view, gathering = game.view(seat), game.gathering
        waiting = (view.get("pending") or [{"clause": "", "at": ""}])[-1]
        kind = waiting["clause"], waiting["at"], view.get("active") in {None, seat}
        choices, actions = len(game.legal_actions()), list[str]()
        while True:
            actions.append(chance.choice(game.legal_actions()).text)
            game.apply(actions[-1])
            now = game.gathering
            if not gathering or not now or now.made != gathering.made + len(actions):
                break
        yield Decision(kind, seat, choices, actions)


def scenes(played: Sequence[Play]) -> set[tuple[int, int]]:
    """Return the game and number of the decisions to look at.

    These are the first and the fullest of each kind, and the first with each action.
    """
    first: dict[Any, tuple[int, int]] = {}
    fullest: dict[Kind, tuple[int, tuple[int, int]]] = {}
    for number, play in enumerate(played):
        for step, decision in enumerate(play.decisions):
            at, kind = (number, step), decision.kind
            first.setdefault(decision.answer, at)
            if decision.choices > fullest.get(kind, (0, at))[0]:
                fullest[kind] = decision.choices, at
    return {*first.values(), *(at for _, at in fullest.values())}
