"""Many games advanced by one call, with numpy arrays as input and output.

Intended for training bots. A step takes one action index for each game. It returns the
legal actions, observations for the seats to act, rewards, and which games ended. All
games are in one block of memory and advance in C, without Python's global interpreter
lock.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import pairwise
from typing import Any, Self

import attrs

import rulebook as rb
from interpreter.arguments import check_book, check_seed, player_count
from interpreter.errors import UsageError
from interpreter.game import Game
from interpreter.native.engine import NoNativeEngine, engine_for
from interpreter.plan.observation_layout import number_names, observed_runs
from interpreter.planning import plan_for

NUMPY = "stepping many games at once requires numpy: pip install 'rulebook-lang[batch]'"
SEEDS = 1 << 64
ARRAYS: dict[str, tuple[str, str]] = {
    "seed": ("seeds", "uint64"),
    "played": ("played", "uint64"),
    "decisions": ("decisions", "int64"),
    "length": ("lengths", "int64"),
    "who": ("seats", "int32"),
    "count": ("counts", "int32"),
    "legal": ("indices", "int32"),
    "observed": ("observations", "int32"),
    "reward": ("rewards", "float64"),
    "mask": ("legal", "uint8"),
    "ended": ("terminated", "uint8"),
    "truncated": ("truncated", "uint8"),
    "failed": ("failed", "uint8"),
    "stuck": ("stuck", "uint8"),
}
"""Arrays filled by C, in its order: name in C to (name in Python, element type)."""


class Games(ctypes.Structure):
    """C structure `Batch` of `batch.h`: the games and the arrays for their results."""

    _fields_ = (
        ("games", ctypes.c_void_p),
        *[(name, ctypes.c_int64) for name in ("stride", "number", "turns", "most")],
        *[(name, ctypes.c_void_p) for name in ARRAYS],
    )


@attrs.frozen(eq=False)
class Step:
    """Result of a step: read-only arrays with a row for each game.

    Fields for the game in progress, or the next one if a game has ended:

    * `legal`: mask over all indices, or None without masks
    * `counts`, `indices`: number of legal actions, and their ascending indices
    * `observations`: what the seat to act sees
    * `seats`: the seat to act

    Fields for the game in which the step was done:

    * `rewards`: reward of each seat
    * `terminated`: whether the rules ended it
    * `truncated`: whether the limit of turns or decisions ended it
    * `failed`: whether the engine could not continue it
    * `played`: its seed
    * `lengths`: number of its decisions so far
    """

    legal: Any
    counts: Any
    indices: Any
    observations: Any
    seats: Any
    rewards: Any
    terminated: Any
    truncated: Any
    failed: Any
    played: Any
    lengths: Any


class Batch:
    """Fixed number of games of one rulebook, advanced together.

    Game `i` starts with the seed `seed + i`. When a game ends, the next one starts at
    once; its seed is greater by `number`. `turns` and `decisions` limit the length of a
    game. Each step overwrites the arrays of the previous step.
    """

    def __init__(
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
    ) -> None:
        """Start all games; raise `UsageError` if there is no engine in C."""
        numpy = _import_numpy()
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
        self._numpy, self._engine, self._number = numpy, engine, number
        self._names = number_names(observed_runs(engine.plan))
        limit = engine.plan.model.turns
        self._arrays = self._new_arrays(seed, masks=masks)
        self._games = self._new_games(min(turns or limit, limit), decisions)
        self._slices = _slices(number, threads)
        self._pool = ThreadPoolExecutor(threads) if len(self._slices) > 1 else None
        self._closed = False
        self._now = self._step_result()
        begin = _declare_function(engine.library.rb_batch_begin, 0)
        self._wrong = _declare_function(engine.library.rb_batch_wrong, 1)
        self._step = _declare_function(engine.library.rb_batch_step, 1)
        self._check_started(self._call_slices(begin))

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

    def game(self, number: int) -> Game:
        """Return an independent copy of a game of the batch, given by its number."""
        if not 0 <= number < self.number:
            raise UsageError(
                f"there is no game {number}; games are 0 to {self.number - 1}",
                game=number,
            )
        address = self._games.games + number * self._games.stride
        native = self._engine.kinds["Game"].from_address(address)
        state = self._engine.states.state(native, int(self._arrays["seed"][number]))
        state.run()
        return Game(self._engine.plan, state)

    @property
    def now(self) -> Step:
        """Result of the last step, or the initial observations before any step."""
        return self._now

    # ------------------------------------------------------------ playing

    def step(self, indices: Any) -> Step:
        """Apply one action in each game, given by its index.

        Raise `UsageError` if the batch is closed or an index is illegal. In this case
        no game changes.
        """
        if self._closed:
            raise UsageError("this batch is closed; create a new one")
        chosen = self._index_array(indices)
        address = chosen.ctypes.data
        for wrong in self._call_slices(self._wrong, address):
            if wrong >= 0:
                self._raise_illegal_index(wrong, int(chosen[wrong]))
        self._check_started(self._call_slices(self._step, address))
        return self._now

    def close(self) -> None:
        """Stop the worker threads; the batch can then no longer be used."""
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ private helpers

    def _new_arrays(self, seed: int, *, masks: bool) -> dict[str, Any]:
        """Return arrays of zeros for C to fill, with the seeds of the first games."""
        widths = {
            "legal": self._engine.states.translation.legal,
            "observed": len(self._names),
            "reward": self.players,
            "mask": self.actions,
        }
        arrays = {
            name: self._numpy.zeros(
                (self.number, widths[name]) if name in widths else self.number, kind
            )
            for name, (_, kind) in ARRAYS.items()
            if masks or name != "mask"
        }
        seeds = [(seed + i) % SEEDS for i in range(self.number)]
        arrays["seed"][:] = self._numpy.array(seeds, "uint64")
        return arrays

    def _new_games(self, turns: int, decisions: int) -> Games:
        """Allocate memory for the games; return the C structure of the batch."""
        size = ctypes.sizeof(self._engine.kinds["Game"])
        self._memory = self._numpy.zeros(self.number * size + 64, "uint8")
        games = Games()
        games.games = -(-self._memory.ctypes.data // 64) * 64
        games.stride, games.number = size, self.number
        games.turns, games.most = turns, decisions
        for name, array in self._arrays.items():
            setattr(games, name, array.ctypes.data)
        return games

    def _call_slices(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a C function for each slice of the games, and return the results."""
        games = ctypes.addressof(self._games)
        if self._pool is None:
            return [function(games, *arguments, 0, self.number)]

        def call_slice(low: int, high: int) -> Any:
            return function(games, *arguments, low, high)

        return list(self._pool.map(call_slice, *zip(*self._slices, strict=True)))

    def _step_result(self) -> Step:
        """Return the arrays as a `Step`, read-only and under their Python names."""
        views = {
            python_name: self._arrays[c_name].view("bool" if kind == "uint8" else kind)
            for c_name, (python_name, kind) in ARRAYS.items()
            if c_name in self._arrays
        }
        for array in views.values():
            array.setflags(write=False)
        views.setdefault("legal", None)
        names = [field.name for field in attrs.fields(Step)]
        return Step(**{name: views[name] for name in names})

    def _index_array(self, indices: Any) -> Any:
        """Return the caller's action indices as an array of 64-bit integers."""
        given = self._numpy.asarray(indices)
        if given.shape != (self.number,) or given.dtype.kind not in "iu":
            raise UsageError(
                f"a step takes {self.number} whole numbers, one index per"
                f" game, not {given.dtype} of shape {given.shape}"
            )
        return self._numpy.ascontiguousarray(given, "int64")

    def _raise_illegal_index(self, game: int, index: int) -> None:
        """Raise `UsageError` that names the game and its legal indices."""
        count = int(self._arrays["count"][game])
        legal = self._arrays["legal"][game, :count].tolist()
        legal_text = ", ".join(map(str, legal[:10])) + (", …" if count > 10 else "")
        raise UsageError(
            f"{index} is not legal in game {game} for"
            f" {self.seats[self._seat_to_act(game)]}; legal: {legal_text or 'nothing'};"
            " nothing was changed",
            game=game,
            index=index,
        )

    def _seat_to_act(self, game: int) -> int:
        return int(self._arrays["who"][game])

    def _check_started(self, stuck: list[int]) -> None:
        """Raise `UsageError` if a slice has games that did not reach a decision."""
        if any(stuck):
            raise UsageError(
                f"{self.book.name}: none of 1,000 seeds leads to a decision;"
                " play one with Game.start to see why"
            )


def _slices(number: int, threads: int) -> list[tuple[int, int]]:
    """Split a number of games into (start, end) slices of nearly equal size.

    There is one slice for each thread, but none is empty.

    >>> _slices(5, 2), _slices(1, 4)
    ([(0, 2), (2, 5)], [(0, 1)])
    """
    parts = min(number, threads)
    ends = [number * part // parts for part in range(parts + 1)]
    return list(pairwise(ends))


def _declare_function(function: Any, arrays: int) -> Callable[..., int]:
    """Return a C function with declared types: batch, *arrays* pointers, slice."""
    pointers = [ctypes.c_void_p] * (1 + arrays)
    function.argtypes = [*pointers, ctypes.c_int64, ctypes.c_int64]
    function.restype = ctypes.c_int64
    declared: Callable[..., int] = function
    return declared


def _check_integer(name: str, value: object, minimum: int) -> None:
    if type(value) is not int or value < minimum:
        raise UsageError(
            f"{name} must be a whole number of at least {minimum}, not {value!r}",
            **{name: value},
        )


def _import_numpy() -> Any:
    """Import numpy, or raise `UsageError` if it is missing."""
    try:
        return import_module("numpy")
    except ImportError as error:
        raise UsageError(NUMPY) from error
