"""Simultaneous choices: asked seat by seat, answered in any order.

A seat that is asked later decides on a copy, in which the seats before it have answered
arbitrarily. Their answers do not affect it, and it does not see them. Its decision is
held, and carried out when the game reaches it. If chance falls in its own part, it must
wait.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from interpreter import Game, IllegalAction
from workbench.web.storage.errors import NotYours
from workbench.web.storage.undo import learns

CHANCE = "chance"
ANSWERS_MAX = 500
"""Number of answers after which the search for further seats ends."""


def answers_of(game: Game) -> Sequence[Mapping[str, Any]] | None:
    """Return the answers so far in the open block, or None if no block is open."""
    position = game.position
    if position.get("split") is None:
        return None
    answers: Sequence[Mapping[str, Any]] = position.get("answers") or ()
    return answers


def asked_later(game: Game) -> dict[str, Game]:
    """Return the seats that the open block asks later, each with its copy of the game.

    Seats with a chance event in their part before they are asked are left out.
    """
    answers, first = answers_of(game), game.to_act
    later: dict[str, Game] = {}
    if answers is None or first is None:
        return later
    world = game.copy()
    for _ in range(ANSWERS_MAX):
        count = len(answers)
        try:
            world.apply(world.legal_actions()[0])
        except (IllegalAction, IndexError):
            return later
        answers, seat = answers_of(world), world.to_act
        if answers is None or len(answers) <= count or seat in {None, CHANCE}:
            return later
        assert seat is not None
        drawn = any(CHANCE in each and each["seat"] == seat for each in answers)
        if seat != first and seat not in later and not drawn:
            later[seat] = world.copy()
    return later


def going_on(world: Game, seat: str, decisions: Sequence[Sequence[str]]) -> Game | None:
    """Return the game of a seat after its held decisions, or None.

    None once the seat has answered everything, or would learn something that only its
    real turn may reveal. Raises `IllegalAction` if a decision is illegal, and
    `NotYours` if one follows after the seat has learnt something.
    """
    world, ended = world.copy(), False
    for text in chain.from_iterable(decisions):
        if ended:
            raise NotYours(seat=seat)
        before = world.copy()
        world.apply(text)
        ended = answers_of(world) is None or world.to_act != seat
        ended = ended or learns(before, seat, text, world)
    return None if ended else world
