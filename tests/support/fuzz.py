"""Inputs by number, what is tried with each, and children in which it is tried.

An input is made from (seed, number) alone, so that a failure can be made again. What
an input may cause is what the contract allows: a diagnostic, or an error of one of
the families. Everything else is a failure, and so are a child that needs more than
`SECONDS` of processor time for one input or more than `MEMORY`.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import attrs

import rulebook
from interpreter import Game, IllegalAction, PositionError, RecordError, UsageError
from rulebook import Rulebook, RulesError
from tests.support import fuzz_documents as documents
from tests.support.fuzz_texts import TEXTS
from tests.support.pages import FOLDER, PRELUDE

MEMORY = 500 * 1024 * 1024
SECONDS = 5
PATIENCE = 120
"""Seconds of the clock after which a child that says nothing is ended."""

STEPS = 25
"""How many actions of a game that came into being are tried."""

Answer = str | None


@attrs.frozen
class Input:
    """One thing to try: its number, its sort, and the bytes that a person may read."""

    number: int
    sort: str
    data: bytes
    attempt: Callable[[], None]


@attrs.frozen
class Failure:
    """An input that did what none may do."""

    input: Input
    message: str


# ---------------------------------------------------------------- inputs

DOCUMENTS = {"position": 12, "record": 12}


def make(seed: int, number: int) -> Input:
    """Return the input of a number."""
    numbers = Random(f"{seed}/{number}")
    weights = {**{name: weight for name, (weight, _) in TEXTS.items()}, **DOCUMENTS}
    (sort,) = numbers.choices(list(weights), list(weights.values()))
    if sort == "position":
        book, document = documents.position(numbers)
        data = f"{book.name}: {document!r}".encode(errors="replace")
        return Input(number, sort, data, lambda: try_position(book, document))
    if sort == "record":
        book, text = documents.record(numbers)
        data = f"{book.name}:\n{text}".encode(errors="replace")
        return Input(number, sort, data, lambda: try_record(book, text))
    text = TEXTS[sort][1](numbers)
    return Input(number, sort, text.encode(errors="replace"), lambda: try_rules(text))


def _never() -> None:
    while True:
        pass


def _greedy() -> None:
    bytearray(2 * MEMORY)


def _broken() -> None:
    raise ZeroDivisionError


def _ended() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


CONTROLS = (_never, _greedy, _broken, _ended)


def controls() -> list[Input]:
    """Return inputs that must be found, or nothing that is found means anything."""
    return [
        Input(-number, "control", one.__name__.encode(), one)
        for number, one in enumerate(CONTROLS, 1)
    ]


# ---------------------------------------------------------------- what is tried


@lru_cache(maxsize=1)
def shipped() -> dict[str, str]:
    """Return the texts that a rule file may rest on."""
    root = Path(__file__).parents[2] / "variants"
    paths = [FOLDER / f"{PRELUDE}.rules", *sorted(root.rglob("*.rules"))]
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


def try_rules(text: str) -> None:
    """Format a rule file; or read it, show what is wrong, play it if nothing is."""
    decoded = rulebook.decode(text.encode(errors="replace"), "fuzz.rules")
    if not isinstance(decoded, str):
        rulebook.render(decoded)
        return
    if len(decoded) % 2:
        _expect((RulesError,), lambda: rulebook.format_text(decoded, "fuzz.rules"))
        return
    try:
        book = rulebook.loads(decoded, "fuzz.rules", shipped().get)
    except RulesError as error:
        shown = [rulebook.render(one, shipped()) for one in error.diagnostics]
        if not all(shown):
            raise AssertionError("an error without a diagnostic") from error
        return
    players = book.players[0]
    game = _expect((RulesError,), lambda: Game.start(book, players=players, seed=1))
    if game is not None:
        play(game, Random(1))
        assert Game.from_position(book, game.position) == game


def try_position(book: Rulebook, document: Any) -> None:
    """Lay out a position; one that is taken can be looked at and played on.

    It is not laid out once more: in the middle of an action whose piece stands
    elsewhere than it did, what follows may not fit.
    """
    game = _expect(
        (PositionError, UsageError), lambda: Game.from_position(book, document)
    )
    if game is not None:
        play(game, Random(1))


def try_record(book: Rulebook, text: str) -> None:
    """Replay a record; what holds can be written again."""
    game = _expect((RecordError,), lambda: Game.replay(text, book))
    if game is not None:
        assert game.record


def _expect(allowed: tuple[type[Exception], ...], call: Callable[[], Any]) -> Any:
    """Return what a call gives, or None after an error that it may raise."""
    try:
        return call()
    except allowed as error:
        json.dumps(error.to_json())  # type: ignore[attr-defined]
        if not str(error):
            raise AssertionError("an error that says nothing") from error
        return None


def play(game: Game, numbers: Random) -> None:
    """Play some actions at random, looking at everything that can be looked at.

    An effect that fails ends it, and leaves the game as it was.
    """
    for _ in range(STEPS):
        for seat in (*game.seats, None):
            game.view(seat)
        if game.to_act is None:
            break
        legal = game.legal_actions()
        game.why(legal[-1].text)
        _expect((IllegalAction,), lambda: game.why("no such action"))
        action = numbers.choice(legal)
        if _expect((RulesError,), partial(game.apply, action)) is None:
            break
    assert game.record


# ---------------------------------------------------------------- children


def failures(inputs: Iterable[Input], batch: int = 100) -> Iterator[Failure]:
    """Try inputs in children of this process and yield those that failed.

    A child tries a batch and says before each which it is: one that ends early has
    failed at the last it named, and another child goes on after it.
    """
    waiting = iter(inputs)
    while held := list(islice(waiting, batch)):
        while held:
            done, message = _child(held)
            if message is None:
                break
            yield Failure(held[done], message)
            held = held[done + 1 :]


def _child(inputs: list[Input]) -> tuple[int, Answer]:
    """Return how many inputs a child was done with, and why it went no further."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _try_all(inputs, writing)
    os.close(writing)
    said = b""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], PATIENCE)[0]:
            more = pipe.read(65_536)
            if not more:
                break
            said += more
        else:
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    started, _, message = said.partition(b"!")
    done = started.count(b".") - 1
    if message:
        return done, message.decode(errors="replace")
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return done, f"the child was ended by {name}"
    return done, None if os.WEXITSTATUS(status) == 0 else "the child gave up"


def _try_all(inputs: list[Input], writing: int) -> NoReturn:
    """Be the child: try the inputs and end this process."""
    for number in (signal.SIGPROF, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    status = 0
    for one in inputs:
        os.write(writing, b".")
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            one.attempt()
        except BaseException:  # noqa: BLE001  (whatever it is, it is a failure)
            signal.setitimer(signal.ITIMER_PROF, 0)
            os.write(writing, b"!" + traceback.format_exc().encode(errors="replace"))
            status = 1
            break
    os._exit(status)
