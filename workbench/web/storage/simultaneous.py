"""Simultaneous choices: the game asks seat by seat, but seats answer in any order.

A seat that is asked later decides in a copy of the game, with arbitrary answers for the
seats before it. It does not see these answers, and they do not affect it. Its decision
is stored until the game asks the seat. A seat with a chance event before its decision
must wait for its turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from interpreter import Game, IllegalAction
from workbench.web.storage.table_errors import NoDecisionDue
from workbench.web.storage.undo import seat_learns_something

CHANCE = "chance"
MAX_ANSWERS = 500
"""Number of answers after which the search for further seats stops."""


def block_answers(game: Game) -> Sequence[Mapping[str, Any]] | None:
    """Return the answers so far in the simultaneous block, or None if none is open."""
    position = game.position
    if position.get("split") is None:
        return None
    answers: Sequence[Mapping[str, Any]] = position.get("answers") or ()
    return answers


def later_games(game: Game) -> dict[str, Game]:
    """Return a copy of the game for each seat that is due later in the open block.

    Seats with a chance event before their decision are left out.
    """
    answers, first = block_answers(game), game.to_act
    later: dict[str, Game] = {}
    if answers is None or first is None:
        return later
    game_copy = game.copy()
    for _ in range(MAX_ANSWERS):
        count = len(answers)
        try:
            game_copy.apply(game_copy.legal_actions()[0])
        except (IllegalAction, IndexError):
            return later
        answers, seat = block_answers(game_copy), game_copy.to_act
        if answers is None or len(answers) <= count or seat in {None, CHANCE}:
            return later
        assert seat is not None
        has_chance = any(
            CHANCE in answer and answer["seat"] == seat for answer in answers
        )
        if seat != first and seat not in later and not has_chance:
            later[seat] = game_copy.copy()
    return later


def next_block_game(
    game_copy: Game, seat: str, decisions: Sequence[Sequence[str]]
) -> Game | None:
    """Return the copy of the game in which a seat decides next in the block, or None.

    `decisions` are the advance decisions of the seat. The result is None if the seat
    has answered everything, or would learn something that only its real turn may
    reveal. Raises `IllegalAction` if a decision is illegal, and `NoDecisionDue` if the
    seat has learnt something before a further decision.
    """
    game_copy, ended = game_copy.copy(), False
    for text in chain.from_iterable(decisions):
        if ended:
            raise NoDecisionDue(seat=seat)
        before = game_copy.copy()
        game_copy.apply(text)
        answered, answers = block_answers(before) or (), block_answers(game_copy)
        is_over = answers is None or len(answers) <= len(answered)  # or a new block
        ended = is_over or game_copy.to_act != seat
        ended = ended or seat_learns_something(before, seat, text, game_copy)
    return None if ended else game_copy
