"""Speed of loops for machine learning, from Python: one game, and many in a batch.

    python -m benchmarks.batch [GAME …] [--seconds N] [--size N] [--peers FOLDER]

Prints for each loop the decisions per second of processor time, the best of some
rounds, and the share of time in C. The choices are random, by numpy or in C. With
`--peers`, catanatron plays in turns with the loops of the first game (`python -m
benchmarks.peer_engines FOLDER` installs it). Then it prints decisions per second of
real time for one and two threads, which mean nothing without free processors, and of
more threads on paper. Players make no offers to each other. Needs
`rulebook-lang[learning]`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from benchmarks.peer_engines import round_of
from interpreter.c_engine import Batch
from interpreter.native.engine import Engine, engine_for
from interpreter.planning import plan_for
from rulebook import Rulebook
from workbench import load
from workbench.learning import environment

ROUNDS = 5
WARM_UP = 64
"""Number of steps before a measurement, so that the games are at different points."""

OFFERS = "offers_per_turn"
PEER = "catanatron"
REQUIRED_RATIO = 40
"""Required ratio of a batch to the peer's decisions per second."""

THREADS = (1, 2)
MORE_THREADS = (4, 8, 16, 32)
AT_ONCE = 100
"""Number of random decisions in each game in one call of C."""

Play = Callable[[], int]
"""Function that plays some decisions and returns their number."""


@attrs.define
class Stopwatch:
    """Time that was spent in wrapped functions, in seconds."""

    seconds: float = 0.0

    @contextmanager
    def timing(self, owner: Any, *names: str) -> Iterator[None]:
        """Measure the functions with these names within a block."""
        before = {name: getattr(owner, name) for name in names}
        for name, function in before.items():
            setattr(owner, name, self.timed(function))
        try:
            yield
        finally:
            for name, function in before.items():
                setattr(owner, name, function)

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time is measured."""
        clock = time.perf_counter

        def call(*given: Any) -> Any:
            begun = clock()
            result = function(*given)
            self.seconds += clock() - begun
            return result

        return call


@attrs.frozen
class Measured:
    """Decisions per second, and the share of time in C."""

    rate: float
    share: float


def batch_stepper(batch: Batch) -> Play:
    """Return a function that steps a batch once: choose, step, read the results."""
    numbers, games = np.random.default_rng(1), np.arange(batch.number)

    def play() -> int:
        step = batch.now
        choice = (numbers.random(batch.number) * step.counts).astype(np.int64)
        batch.step(step.indices[games, choice])
        return batch.number

    return play


def random_stepper(batch: Batch, decisions: int = 1) -> Play:
    """Return a function that steps a batch with random choices in C."""

    def play() -> int:
        batch.step_random(decisions)
        return batch.number * decisions

    return play


def environment_stepper(env: Any) -> Play:
    """Return a function that makes one decision in an environment, or resets it."""
    numbers = np.random.default_rng(1)
    env.reset(seed=1)

    def play() -> int:
        if not env.agents:
            env.reset()
        seen, _, ended, cut_off, _ = env.last()
        if ended or cut_off:
            env.step(None)
            return 0
        env.step(int(numbers.choice(np.flatnonzero(seen["action_mask"]))))
        return 1

    return play


def rate(
    play: Play, seconds: float, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the decisions per second, the best of several rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        begun, decisions = clock(), 0
        while clock() - begun < seconds / ROUNDS:
            decisions += play()
        best = max(best, decisions / (clock() - begun))
    return best


def share_in_c(play: Play, seconds: float, owner: Any, *names: str) -> float:
    """Return the share of time in functions of an object, which call C."""
    watch, begun = Stopwatch(), time.perf_counter()
    with watch.timing(owner, *names):
        while time.perf_counter() - begun < seconds / ROUNDS:
            play()
    return watch.seconds / (time.perf_counter() - begun)


def game_setting(book: Rulebook) -> dict[str, Any]:
    """Return the number of players, and options without offers between players."""
    options = {OFFERS: 0} if OFFERS in book.options else {}
    return {"players": min(4, book.players[1]), "options": options}


class Loops:
    """Loops of a game, by name, each measured in its own round."""

    def __init__(self, book: Rulebook, size: int) -> None:
        game = game_setting(book)
        engine = engine_for(plan_for(book, game["players"], game["options"]))
        assert isinstance(engine, Engine)
        env = environment(book, **game)
        self.loops: dict[str, tuple[Play, Any, tuple[str, ...]]] = {
            "one game (PettingZoo)": (
                environment_stepper(env),
                engine,
                ("step", "observe", "run", "copy_to"),
            ),
        }
        settings: dict[str, dict[str, Any]] = {
            "a batch of 1": {"number": 1},
            "a batch": {},
            "… masks as bits": {"masks": False, "bits": True},
            "… without observations": {"fields": ()},
            "… without both": {"fields": (), "masks": False},
            "… choices in C": {"decisions": 1},
            f"… {AT_ONCE} choices in C": {"decisions": AT_ONCE},
        }
        for name, setting in settings.items():
            given = {"number": size, **setting}
            decisions, bits = given.pop("decisions", 0), given.pop("bits", False)
            batch = Batch(book, **game, **given)
            if bits:
                marks = np.zeros(batch.shape("legal_bits"), "uint8")
                batch = Batch(book, **game, **given, out={"legal_bits": marks})
            batch.step_random(WARM_UP)
            play = (
                random_stepper(batch, decisions) if decisions else batch_stepper(batch)
            )
            self.loops[name] = (play, batch.workers, ("run",))

    def measure(self, seconds: float, peers: Path | None) -> dict[str, Measured]:
        """Measure all loops, and the peer if it is installed, in turns."""
        best, clock = dict.fromkeys(self.loops, 0.0), time.process_time
        peer, part = 0.0, seconds / ROUNDS
        for number in range(ROUNDS):
            if peers is not None:
                _, decisions, _, taken = round_of(peers, PEER, part, number)
                peer = max(peer, decisions / taken)
            for name, (play, _, _) in self.loops.items():
                begun, decisions = clock(), 0
                while clock() - begun < part:
                    decisions += play()
                best[name] = max(best[name], decisions / (clock() - begun))
        measured = {
            name: Measured(best[name], share_in_c(play, seconds, owner, *names))
            for name, (play, owner, names) in self.loops.items()
        }
        return measured | ({PEER: Measured(peer, 0)} if peer else {})


def print_loops(book: Rulebook, measured: dict[str, Measured]) -> None:
    """Print the figures of a game."""
    print(f"{book.name}: decisions per second of processor time, share of time in C")
    peer = measured.pop(PEER, None)
    for name, each in measured.items():
        line = f"  {name:26}{each.rate:12,.0f}{each.share:7.0%}"
        if peer is not None:
            line += f"{each.rate / peer.rate:8.1f} times {PEER}"
        print(line)
    if peer is not None:
        print(f"  {PEER:26}{peer.rate:12,.0f}  ({REQUIRED_RATIO} times are required)")


def print_threads(book: Rulebook, size: int, seconds: float) -> None:
    """Print the speed of a batch by threads, and that of more threads on paper."""
    game = game_setting(book)
    print(f"  {size:,} games, decisions per second of real time")
    for threads in THREADS:
        with Batch(book, size, **game, threads=threads) as batch:
            batch.step_random(WARM_UP)
            by_numpy = rate(batch_stepper(batch), seconds)
            in_c = rate(random_stepper(batch), seconds)
        print(f"    {threads} threads{by_numpy:12,.0f}, choices in C{in_c:12,.0f}")
    batch = Batch(book, size, **game)
    batch.step_random(WARM_UP)
    seconds_each = 1 / rate(batch_stepper(batch), seconds)
    share = share_in_c(batch_stepper(batch), seconds, batch.workers, "run")
    written = sum(
        np.asarray(array).nbytes
        for array in attrs.asdict(batch.now, recurse=False).values()
        if array is not None
    )
    print(f"    arrays: {written / size:,.0f} bytes for each decision")
    for threads in MORE_THREADS:
        on_paper = 1 / (seconds_each * (1 - share + share / threads))
        traffic = on_paper * written / size / 1e9
        print(
            f"    {threads} threads on paper{on_paper:12,.0f}"
            f"{on_paper * seconds_each:7.1f} times, {traffic:.1f} GB/s written"
        )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=["classic"])
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="seconds for each figure"
    )
    parser.add_argument(
        "--size", type=int, default=256, help="number of games in a batch"
    )
    parser.add_argument("--peers", type=Path, help="folder of other engines")
    given = parser.parse_args()
    peers = given.peers
    for name in given.games:
        book = load(name)
        loops = Loops(book, given.size)
        print_loops(book, loops.measure(given.seconds, peers))
        print_threads(book, given.size, given.seconds)
        peers = None
    return 0


if __name__ == "__main__":
    sys.exit(main())
