"""Fuzzing: numbered inputs, the attempts with each, and child processes that run them.

An input depends only on (seed, number), so that every failure is reproducible. Each is
tried in its own child, forked from a process in which everything is loaded. The
contract allows an input to cause a diagnostic or an error of one of the families.
Anything else is a failure: a traceback, a hang (too much processor time) or a kill.
`MEMORY` is the memory limit of a child in bytes.
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
from pathlib import Path
from random import Random
from typing import Any, Literal, NoReturn

import attrs

import rulebook
from interpreter import (
    Action,
    Game,
    IllegalAction,
    PositionError,
    RecordError,
    UsageError,
)
from rulebook import Limits, Rulebook, RulesError, tooling
from tests.support import fuzz_documents as documents
from tests.support.fuzz_faults import PLANTED
from tests.support.fuzz_texts import GAME, TEXTS, files_of
from tests.support.pages import FOLDER, PRELUDE

MEMORY = 500 * 1024 * 1024
CHECKING = 5
"""Processor seconds for reading a rule file or a document."""

PLAYING = 20
"""Processor seconds for playing, sampling and replaying what was read."""

PATIENCE = 120
"""Wall-clock seconds after which a silent child is killed."""

LIMITS = Limits(steps=100_000, firings=1_000, statements=100_000)
"""Limits for rule files. Whatever they admit must be fast to play."""

DECISIONS = 200
SAMPLED = 20
"""Number of decisions between samples of the game for each seat."""

Sort = Literal["hang", "kill", "traceback"]


@attrs.frozen
class Input:
    """Input to try: its number, its sort, and its bytes in readable form.

    `seconds` are the processor seconds for checking and for playing.
    """

    number: int
    sort: str
    data: bytes
    attempt: Callable[[], None]
    seconds: tuple[int, int] = (CHECKING, PLAYING)


@attrs.frozen
class Failure:
    """Input that failed: the kind of failure, and its details."""

    input: Input
    sort: Sort
    message: str


# ---------------------------------------------------------------- inputs

DOCUMENTS = {"position": 12, "record": 12}


def make(seed: int, number: int) -> Input:
    """Return the input with a number."""
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


def _greedy() -> None:
    bytearray(2 * MEMORY)


def _broken() -> None:
    raise ZeroDivisionError


def _ended() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _planted(plant: Callable[[], str]) -> None:
    try_rules(plant())


CONTROLS: dict[str, tuple[Sort, Callable[[], None]]] = {
    "takes too much memory": ("traceback", _greedy),
    "divides by zero": ("traceback", _broken),
    "is ended": ("kill", _ended),
    **{
        name: (sort, partial(_planted, plant))
        for name, (sort, plant) in PLANTED.items()
    },
}
"""Control inputs and the failures that they must cause.

The planted ones break the product itself.
"""


def controls() -> list[Input]:
    """Return the control inputs. If any is not found, no result is meaningful."""
    return [
        Input(-number, "control", name.encode(), attempt, (1, 2))
        for number, (name, (_, attempt)) in enumerate(CONTROLS.items(), 1)
    ]


# ---------------------------------------------------------------- attempts

now_playing: Callable[[], None] = lambda: None  # noqa: E731
"""Callback for the start of play; a child resets its time limit in it."""


@lru_cache(maxsize=1)
def shipped() -> dict[str, str]:
    """Return the texts that a rule file may extend."""
    root = Path(__file__).parents[2] / "variants"
    paths = [FOLDER / f"{PRELUDE}.rules", *sorted(root.rglob("*.rules"))]
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


def try_rules(text: str) -> None:
    """Format or read a rule file; render its diagnostics, or play it if there are none.

    The text may contain companion files too, which the game finds by name.
    """
    files = files_of(text)
    decoded = tooling.decode(files.pop("").encode(errors="replace"), f"{GAME}.rules")
    if not isinstance(decoded, str):
        rulebook.render(decoded)
        return
    if len(decoded) % 4 == 1:
        for each in (decoded, *files.values()):
            _expect((RulesError,), partial(rulebook.format_text, each, f"{GAME}.rules"))
    texts = shipped() | files
    try:
        book = rulebook.loads(decoded, f"{GAME}.rules", texts.get, LIMITS)
    except RulesError as error:
        shown = [rulebook.render(diagnostic, texts) for diagnostic in error.diagnostics]
        if not all(shown):
            raise AssertionError("an error without a diagnostic") from error
        return
    now_playing()
    players = book.players[len(decoded) % 2]
    game = _expect((RulesError,), lambda: Game.start(book, players=players, seed=1))
    if game is None:
        return
    play(game, Random(1))
    record = game.record
    if not book.model.invariants:  # a random invariant need not hold
        assert Game.from_position(book, game.position) == game
    again = _expect((RulesError,), lambda: Game.replay(record, book))
    assert again is None or again == game


def try_position(book: Rulebook, document: Any) -> None:
    """Load a position; if it is accepted, view and play it.

    It is not loaded again: in the middle of an action whose piece was moved by the
    mutation, what follows may not fit.
    """
    allowed = (PositionError, UsageError, RulesError)
    game = _expect(allowed, lambda: Game.from_position(book, document))
    if game is not None:
        now_playing()
        play(game, Random(1), sampled=False)


def try_record(book: Rulebook, text: str) -> None:
    """Replay a record; if it is valid, its record must be writable."""
    game = _expect((RecordError, RulesError), lambda: Game.replay(text, book))
    if game is not None:
        assert game.record


def _expect(allowed: tuple[type[Exception], ...], call: Callable[[], Any]) -> Any:
    """Return the result of a call, or None after an allowed error."""
    try:
        return call()
    except allowed as error:
        json.dumps(error.to_json())  # type: ignore[attr-defined]
        if not str(error):
            raise AssertionError("an error that says nothing") from error
        return None


def play(game: Game, numbers: Random, *, sampled: bool = True) -> None:
    """Play random decisions and query everything on the way.

    An effect that fails ends the game and leaves the state unchanged.
    """
    for step in range(DECISIONS):
        for seat in (*game.seats, None):
            game.view(seat)
        if game.to_act is None:
            break
        legal = game.legal_actions()
        last = legal[-1]
        if step % SAMPLED == 0 and isinstance(last, Action):  # not a chance outcome
            look(game, last.text, sampled=sampled)
        action = numbers.choice(legal)
        if _expect((RulesError,), partial(game.apply, action)) is None:
            break
    assert game.record


def look(game: Game, text: str, *, sampled: bool) -> None:
    """Query reasons for an action, and a sample of the game for each seat."""
    game.why(text)
    _expect((IllegalAction,), lambda: game.why("no such action"))
    if sampled:
        for seat in game.seats:
            world = _expect((RulesError,), partial(game.sample, seat, 1))
            if world is not None and world.to_act is not None:
                _expect((RulesError,), partial(world.apply, world.legal_actions()[0]))


# ---------------------------------------------------------------- children


def failures(inputs: Iterable[Input]) -> Iterator[Failure]:
    """Try each input in a child process; yield the failures."""
    warm()
    for tried in inputs:
        failure = _child(tried)
        if failure is not None:
            yield Failure(tried, *failure)


@lru_cache(maxsize=1)
def warm() -> None:
    """Load what every child would otherwise load again."""
    documents.games()
    shipped()


def _child(tried: Input) -> tuple[Sort, str] | None:
    """Try an input in a child; return its failure, or None."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _try(tried, writing)
    os.close(writing)
    said, silent = b"", False
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while not silent:
            silent = not select.select([pipe], [], [], PATIENCE)[0]
            more = b"" if silent else pipe.read(65_536)
            said += more
            if not more:
                break
    if silent:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return _told(said.decode(errors="replace"), status, silent=silent)


def _told(said: str, status: int, *, silent: bool) -> tuple[Sort, str] | None:
    """Return the failure that the output and status of a child mean, or None."""
    doing = "playing" if said.startswith(PLAYED) else "checking"
    message = said.removeprefix(PLAYED)
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if message:
        return "traceback", message
    if silent:
        return "hang", f"it said nothing for {PATIENCE} seconds while {doing}"
    if ended == signal.SIGPROF:
        return "hang", f"it took too many seconds of the processor while {doing}"
    if ended:
        name = signal.Signals(ended).name
        return "kill", f"the child was ended by {name} while {doing}"
    return None if status == 0 else ("kill", f"the child gave up while {doing}")


PLAYED = "."
"""Output of a child when it starts to play."""


def _try(tried: Input, writing: int) -> NoReturn:
    """Run in the child: try an input and end the process."""
    for number in (signal.SIGPROF, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    checking, playing = tried.seconds

    def begun() -> None:
        os.write(writing, PLAYED.encode())
        signal.setitimer(signal.ITIMER_PROF, playing)

    globals()["now_playing"] = begun
    status = 0
    signal.setitimer(signal.ITIMER_PROF, checking)
    try:
        tried.attempt()
    except BaseException:  # noqa: BLE001  (whatever it is, it is a failure)
        signal.setitimer(signal.ITIMER_PROF, 0)
        without = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.setrlimit(resource.RLIMIT_AS, without)
        os.write(writing, traceback.format_exc().encode(errors="replace"))
        status = 1
    finally:
        os._exit(status)
