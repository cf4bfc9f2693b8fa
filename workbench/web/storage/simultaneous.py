"""Choices made at the same time: asked seat by seat, answered in any order.

Who is asked later decides in a copy, in which those before him have answered somehow:
what they do is nothing to him, and he does not see it. What he decides there is held,
and done when the game comes to him. Where chance falls in his own part he must wait.
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
"""After so many answers nobody further is looked for."""


def answers_of(game: Game) -> Sequence[Mapping[str, Any]] | None:
    """What has been answered in the open block; None: no block is open."""
    position = game.position
    if position.get("split") is None:
        return None
    answers: Sequence[Mapping[str, Any]] = position.get("answers") or ()
    return answers


def asked_later(game: Game) -> dict[str, Game]:
    """The seats that the open block asks later, each with a game in which it is asked.

    Not those in whose part chance has fallen before they are asked.
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
    """The game of a seat after what is held of it; None: it decides no more now.

    That it has answered all, or learns something by it, for which the game must come to
    it. Raises `IllegalAction` where it cannot decide so, and `NotYours` where it would
    decide on after it has learnt something.
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
