"""Many games advanced by one call, with arrays of the caller as output.

Intended for training bots. A step takes one action index for each game, or lets C
choose at random. It writes the legal actions, observations for the seats to act,
rewards, and which games ended. All games are in one block of memory and advance in C,
without Python's global interpreter lock.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib import import_module
from threading import Lock
from typing import Any, Self
from weakref import finalize

import attrs

import rulebook as rb
from interpreter.arguments import check_book, check_seed, player_count
from interpreter.batches.buffers import (
    Buffer,
    check_apart,
    given_buffer,
    new_buffer,
    new_memory,
)
from interpreter.batches.step import (
    COLUMNS,
    MASK,
    MASK_BITS,
    OBSERVATIONS,
    Step,
    Width,
)
from interpreter.batches.workers import Task, Workers
from interpreter.errors import UsageError
from interpreter.game import Game
from interpreter.native.c_layout import STREAM_TYPE
from interpreter.native.c_observations import row_starts, seat_rows
from interpreter.native.engine import NoNativeEngine, engine_for
from interpreter.plan.observation_layout import (
    number_names,
    observed_runs,
    selected_runs,
)
from interpreter.planning import plan_for

SEEDS = 1 << 64
MAX_INDEX = (1 << 63) - 1
CACHE_LINE = 64


class Games(ctypes.Structure):
    """C structure `Batch` of `batch.h`: the games and the arrays for their results."""

    _fields_ = (
        ("games", ctypes.c_void_p),
        *[
            (name, ctypes.c_int64)
            for name in ("stride", "number", "turns", "most", "width")
        ],
        *[(name, ctypes.c_void_p) for name in ("sights", "sight_starts", "worker")],
        *[(name, ctypes.c_int64) for name in ("workers", "task", "steps", "marked")],
        *[
            (name, ctypes.c_void_p)
            for name in ("choice", "action", "seed", "decisions")
        ],
        *[(column.c_name, ctypes.c_void_p) for column in COLUMNS.values()],
    )


class Batch:
    """Fixed number of games of one rulebook, advanced together.

    Game `i` starts with the seed `seed + i`. When a game ends, the next one starts at
    once; its seed is greater by `number`. `turns` and `decisions` limit the length of a
    game. `fields` are the names of the numbers in an observation, or their beginnings
    up to a dot; `*` is any text. `out` contains arrays of the caller, by their names in
    `Step`. Each step overwrites the arrays.
    """

    def __init__(  # noqa: PLR0913  (all but two are keywords with defaults)
        self,
        book: rb.Rulebook,
        number: int,
        *,
        players: int | None = None,
        options: dict[str, Any] | None = None,
        seed: int = 0,
        turns: int | None = None,
        decisions: int = 0,
        threads: int = 1,
        masks: bool = True,
        fields: Iterable[str] | None = None,
        out: Mapping[str, Any] | None = None,
    ) -> None:
        """Start all games; raise `UsageError` if there is no engine in C."""
        check_book(book)
        check_seed(seed)
        for name, value, minimum in (
            ("number", number, 1),
            ("threads", threads, 1),
            ("decisions", decisions, 0),
            ("turns", 1 if turns is None else turns, 1),
        ):
            _check_integer(name, value, minimum)
        engine = engine_for(plan_for(book, player_count(book, players), options or {}))
        if isinstance(engine, NoNativeEngine):
            raise UsageError(f"{book.name} cannot be compiled to C: {engine.reason}")
        if engine.states.translation.cells.is_long:
            raise UsageError(
                f"{book.name} has numbers of more than 31 bits, too large for a batch"
            )
        self._numpy, self._engine, self._number = _import_numpy(), engine, number
        runs = observed_runs(engine.plan)
        if fields is not None:
            runs = tuple(selected_runs(runs, set(_chosen(fields, number_names(runs)))))
        self._names = number_names(runs)
        limit = engine.plan.model.turns
        self._games = self._new_games(min(turns or limit, limit), decisions, seed)
        self._sights = seat_rows(runs, engine.states.translation.cells, self.players)
        self._set_sights()
        given = self._accept(out or {})
        self._own = {
            name: given.get(name) or self._new_array(name)
            for name in COLUMNS
            if name in given or self._is_default(name, masks=masks)
        }
        check_apart(self._own)
        self._bound: dict[str, Buffer] = {}
        self._marked: Buffer | None = None
        self._now = self._bind({})
        self._lock, self._is_open = Lock(), True
        self.workers = Workers(engine.library, self._games, number, threads)
        self._stop = finalize(self, self.workers.close)
        self.workers.run(Task.START)
        self._check_started()

    # --------------------------------------------------------------- attributes

    @property
    def book(self) -> rb.Rulebook:
        """Rulebook of the game."""
        return self._engine.plan.book

    @property
    def number(self) -> int:
        """Number of games."""
        return self._number

    @property
    def players(self) -> int:
        """Number of players."""
        return self._engine.plan.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in play, in seating order."""
        return self._engine.plan.values.names["player"]

    @property
    def actions(self) -> int:
        """Number of action indices, which is the width of the mask of legal actions."""
        return self._engine.plan.actions.size

    def observed(self) -> tuple[str, ...]:
        """Return the names of the numbers in an observation."""
        return self._names

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array, given by its name in `Step`."""
        if name not in COLUMNS:
            raise UsageError(
                f"a batch has no array `{name}`; its arrays: {', '.join(COLUMNS)}",
                array=name,
            )
        match COLUMNS[name].width:
            case Width.GAME:
                return (self.number,)
            case Width.ACTION:
                return (self.number, self.actions)
            case Width.ACTION_BIT:
                return (self.number, (self.actions + 7) // 8)
            case Width.LEGAL:
                return (self.number, self._engine.states.translation.legal)
            case Width.OBSERVED:
                return (self.number, len(self._names))
            case Width.SEAT:
                return (self.number, self.players)

    def game(self, number: int) -> Game:
        """Return an independent copy of a game of the batch, given by its number."""
        if not 0 <= number < self.number:
            raise UsageError(
                f"there is no game {number}; games are 0 to {self.number - 1}",
                game=number,
            )
        native = self._native_game(number)
        state = self._engine.states.state(native, self._seeds[number])
        state.run()
        return Game(self._engine.plan, state)

    @property
    def now(self) -> Step:
        """Result of the last step, or the initial observations before any step."""
        return self._now

    # ------------------------------------------------------------ playing

    def step(self, indices: Any, *, out: Mapping[str, Any] | None = None) -> Step:
        """Apply one action in each game, given by its index.

        The arrays in `out`, by their names in `Step`, receive the results of this step.
        Raise `UsageError` if the batch is closed, an index is illegal or an array is
        unsuitable. In this case no game and no array changes.
        """
        with self._lock:
            self._check_open()
            self._write_actions(indices)
            return self._perform(Task.APPLY, out)

    def step_random(
        self, decisions: int = 1, *, out: Mapping[str, Any] | None = None
    ) -> Step:
        """Let each seat choose at random for a number of decisions in each game.

        The choices of a game depend only on its seed. `rewards` are added up over the
        games that ended, and `terminated`, `truncated` and `failed` are true if any
        game ended in this way; the other arrays describe the last decision.
        """
        _check_integer("decisions", decisions, 1)
        with self._lock:
            self._check_open()
            self._games.steps = decisions
            return self._perform(Task.CHOOSE, out)

    def close(self) -> None:
        """Stop the threads after the current step; no further step is possible."""
        with self._lock:
            self._is_open = False
            self._stop()
            self.workers.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ memory

    def _new_games(self, turns: int, decisions: int, seed: int) -> Games:
        """Allocate memory for the games; return the C structure of the batch."""
        size, number = ctypes.sizeof(self._engine.kinds["Game"]), self.number
        self._memory = ctypes.c_char.from_buffer(new_memory(number * size + CACHE_LINE))
        self._streams = ctypes.create_string_buffer(
            number * ctypes.sizeof(STREAM_TYPE) + CACHE_LINE
        )
        self._indices = (ctypes.c_int64 * number)()
        self._seeds = (ctypes.c_uint64 * number)(
            *[(seed + i) % SEEDS for i in range(number)]
        )
        self._decisions = (ctypes.c_int64 * number)()
        games = Games()
        games.games = -(-ctypes.addressof(self._memory) // CACHE_LINE) * CACHE_LINE
        games.choice = -(-ctypes.addressof(self._streams) // CACHE_LINE) * CACHE_LINE
        games.stride, games.number = size, number
        games.turns, games.most = turns, decisions
        games.action = ctypes.addressof(self._indices)
        games.seed = ctypes.addressof(self._seeds)
        games.decisions = ctypes.addressof(self._decisions)
        return games

    def _set_sights(self) -> None:
        """Store the table of the observations for C."""
        numbers = [n for rows in self._sights for row in rows for n in row.numbers]
        starts = row_starts(self._sights)
        self._tables = [
            (ctypes.c_int32 * len(table))(*table) for table in (numbers, starts)
        ]
        self._games.sights, self._games.sight_starts = map(
            ctypes.addressof, self._tables
        )
        self._games.width = len(self._names)

    def _is_default(self, name: str, *, masks: bool) -> bool:
        """Return whether the batch allocates an array that the caller does not own."""
        return {
            MASK: masks,
            MASK_BITS: False,
            OBSERVATIONS: bool(self._names),
        }.get(name, True)

    def _new_array(self, name: str) -> Buffer:
        """Return memory of the batch for an array."""
        return new_buffer(COLUMNS[name].number, self.shape(name), self._numpy)

    def _accept(self, out: Mapping[str, Any]) -> dict[str, Buffer]:
        """Return the memory of the caller's arrays; raise `UsageError` for mistakes."""
        accepted = {}
        for name, given in out.items():
            shape = self.shape(name)
            if not all(shape):
                raise UsageError(
                    f"the array `{name}` is empty, because the batch has no `fields`",
                    array=name,
                )
            accepted[name] = given_buffer(name, given, COLUMNS[name].number, shape)
        return accepted

    def _bind(self, given: dict[str, Buffer]) -> Step:
        """Let C write into the caller's arrays, and else the usual ones."""
        bound = self._own | given
        if given:
            check_apart(bound)
        for name, column in COLUMNS.items():
            buffer = bound.get(name)
            address = None if buffer is None else buffer.address
            setattr(self._games, column.c_name, address)
        self._bound = bound
        arrays = {name: buffer.array for name, buffer in bound.items()}
        return Step(**{name: arrays.get(name) for name in STEP_FIELDS})

    # ------------------------------------------------------------ private helpers

    def _perform(self, task: Task, out: Mapping[str, Any] | None) -> Step:
        """Perform a task, with results in the caller's arrays, if any."""
        given = self._accept(out) if out else {}
        if given or self._bound != self._own:
            before, self._now = self._now, self._bind(given)
        else:
            before = self._now
        mask = self._bound.get(MASK)
        self._games.marked = mask is not None and mask is self._marked
        marked, self._marked = self._marked, None
        self.workers.run(task)
        for worker in self.workers.list:
            if worker.wrong >= 0:
                self._now, self._marked = before, marked
                self._raise_illegal_index(worker.wrong)
        self._marked = None if mask is None or mask.is_given else mask
        self._check_started()
        return self._now

    def _write_actions(self, indices: Any) -> None:
        """Store the caller's action indices for C, as 64-bit integers."""
        if self._numpy is not None:
            given = self._numpy.asarray(indices)
            if given.shape != (self.number,) or given.dtype.kind not in "iu":
                self._raise_malformed(f"{given.dtype} of shape {given.shape}")
            self._numpy.frombuffer(self._indices, "int64")[:] = given
            return
        numbers = list(_listed(indices))
        is_whole = [type(n) is int and abs(n) <= MAX_INDEX for n in numbers]
        if len(numbers) != self.number or not all(is_whole):
            self._raise_malformed(f"{len(numbers)} values of {type(indices).__name__}")
        self._indices[:] = numbers

    def _raise_malformed(self, given: str) -> None:
        raise UsageError(
            f"a step takes {self.number} whole numbers, one index per game, not {given}"
        )

    def _native_game(self, number: int) -> Any:
        """Return the C structure of a game."""
        address = self._games.games + number * self._games.stride
        return self._engine.kinds["Game"].from_address(address)

    def _raise_illegal_index(self, game: int) -> None:
        """Raise `UsageError` that names the game and its legal indices."""
        native, index = self._native_game(game), self._indices[game]
        legal = native.legal[: native.legals]
        legal_text = ", ".join(map(str, legal[:10])) + (
            ", …" if len(legal) > 10 else ""
        )
        raise UsageError(
            f"{index} is not legal in game {game} for {self.seats[native.who]}; legal:"
            f" {legal_text or 'nothing'}; nothing was changed",
            game=game,
            index=index,
        )

    def _check_open(self) -> None:
        if not self._is_open:
            raise UsageError("this batch is closed; create a new one")

    def _check_started(self) -> None:
        """Raise `UsageError` if there are games that did not reach a decision."""
        if any(worker.stuck for worker in self.workers.list):
            raise UsageError(
                f"{self.book.name}: none of 1,000 seeds leads to a decision;"
                " play one with Game.start to see why"
            )


STEP_FIELDS = [field.name for field in attrs.fields(Step)]


def _chosen(fields: Iterable[str], names: Sequence[str]) -> Iterator[str]:
    """Yield the names that the fields choose; raise `UsageError` for unknown ones."""
    if isinstance(fields, str):
        raise UsageError(f"`fields` is a list of names, not the text `{fields}`")
    for field in fields:
        chosen = [
            name
            for name in names
            if name.startswith(f"{field}.") or fnmatchcase(name, field)
        ]
        if not chosen:
            near = get_close_matches(field, [*names, *_beginnings(names)], 1)
            help = f"; the nearest name is `{near[0]}`" if near else ""
            raise UsageError(
                f"no number of an observation is called `{field}`{help}."
                " `Batch.observed()` lists the names",
                field=field,
            )
        yield from chosen


def _beginnings(names: Iterable[str]) -> set[str]:
    """Return the beginnings of the names up to a dot.

    >>> sorted(_beginnings(["red.points.total", "seat"]))
    ['red', 'red.points']
    """
    parts = [name.split(".") for name in names]
    return {".".join(part[:end]) for part in parts for end in range(1, len(part))}


def _listed(indices: Any) -> Iterable[Any]:
    """Return the elements of a buffer or a sequence."""
    try:
        return memoryview(indices).tolist()
    except TypeError:
        return indices if isinstance(indices, Iterable) else [indices]


def _check_integer(name: str, value: object, minimum: int) -> None:
    if type(value) is not int or value < minimum:
        raise UsageError(
            f"{name} must be a whole number of at least {minimum}, not {value!r}",
            **{name: value},
        )


def _import_numpy() -> Any:
    """Return numpy, or None if it is not installed."""
    try:
        return import_module("numpy")
    except ImportError:
        return None
