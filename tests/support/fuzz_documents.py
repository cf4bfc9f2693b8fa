"""Mutated records and positions: real ones with a few changes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

import rulebook
from interpreter import Game
from rulebook import Rulebook
from tests.support.fuzz_texts import mutated, small_files

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 10**6, 10**30, 1.5, "", "p1", "none", "wild"),
    *([], {}, [1], {"a": 1}, [[[]]], "chance", "\ud800", "x" * 1000),
)
STEPS = 40


@lru_cache(maxsize=1)
def games() -> tuple[Rulebook, ...]:
    """Return the small games that load without errors."""
    rulebooks = []
    for number, text in enumerate(small_files()):
        try:
            rulebooks.append(rulebook.loads(text, f"game{number}"))
        except rulebook.RulesError:
            continue
    return tuple(rulebooks)


def played(numbers: Random, book: Rulebook) -> Game:
    """Return a game after some random actions."""
    players = numbers.randint(*book.players)
    game = Game.start(book, players=players, seed=numbers.randrange(1_000))
    for _ in range(numbers.randrange(STEPS)):
        if game.to_act is None:
            break
        game.apply(numbers.choice(game.legal_actions()))
    return game


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container inside a document with each of its keys."""
    waiting = [document]
    while waiting:
        container = waiting.pop()
        if isinstance(container, dict | list):
            keys = (
                list(container)
                if isinstance(container, dict)
                else range(len(container))
            )
            yield from ((container, key) for key in keys)
            waiting.extend(container[key] for key in keys)


def value(numbers: Random) -> Any:
    """Return a fresh copy of a random value."""
    return copy.deepcopy(numbers.choice(VALUES))


def changed(numbers: Random, document: Any) -> Any:
    """Return a document with a few values changed, removed, added or exchanged."""
    document = copy.deepcopy(document)
    for _ in range(numbers.choice((1, 1, 1, 2, 4))):
        spots = list(places(document))
        if not spots:
            break
        inside, key = numbers.choice(spots)
        other, its = numbers.choice(spots)
        match numbers.choice(("value", "near", "leave out", "exchange", "add")):
            case "leave out":
                del inside[key]
            case "near" if isinstance(inside[key], int):
                inside[key] += numbers.choice((-1, 1))
            case "exchange":
                inside[key] = copy.deepcopy(other[its])
            case "add" if isinstance(inside, dict):
                inside[numbers.choice(("x", "", "p1"))] = value(numbers)
            case _:
                inside[key] = value(numbers)
    return document


def position(numbers: Random) -> tuple[Rulebook, Any]:
    """Return the rules of a game and a mutated position."""
    book = numbers.choice(games())
    return book, changed(numbers, played(numbers, book).position)


def record(numbers: Random) -> tuple[Rulebook, str]:
    """Return the rules of a game and a mutated record."""
    book = numbers.choice(games())
    text = played(numbers, book).record
    if numbers.random() < 0.2:
        return book, mutated(numbers, text)
    lines = [json.loads(line) for line in text.splitlines()]
    lines = changed(numbers, lines)
    return book, "".join(f"{json.dumps(line)}\n" for line in lines)
