"""Random steps, and the threads of a batch: they wait, sleep, wake up and stop."""

from __future__ import annotations

import gc
import os
import threading
import time
from random import Random
from typing import Any

import pytest

from interpreter import UsageError
from interpreter.c_engine import Batch
from tests.native.compilers import NEEDS_C
from tests.native.test_batch_arrays import REVERSI, contents, random_indices
from workbench import load

np = pytest.importorskip("numpy")

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize(
    "name", ["classic", REVERSI, "tests/interpreter/workers.rules"]
)
def test_a_random_step_is_a_step_with_its_actions(name: str) -> None:
    book = load(name)
    chosen, given = (
        Batch(book, 6, seed=2, decisions=70),
        Batch(book, 6, seed=2, decisions=70),
    )
    for _ in range(300):
        legal = [
            set(row[:n])
            for row, n in zip(given.now.indices, given.now.counts, strict=True)
        ]
        step = chosen.step_random()
        assert all(
            index in here for index, here in zip(step.actions, legal, strict=True)
        )
        assert contents(step) == contents(given.step(step.actions))


@pytest.mark.parametrize("name", ["classic", REVERSI])
def test_many_random_decisions_equal_single_ones(name: str) -> None:
    book, many = load(name), 37
    once, each = (
        Batch(book, 4, seed=5, decisions=90),
        Batch(book, 4, seed=5, decisions=90),
    )
    for _ in range(12):
        steps = [contents(each.step_random()) for _ in range(many)]
        total = contents(once.step_random(many))
        for array, sum_of in (("rewards", sum_rows), ("finished", sum_rows)):
            assert total.pop(array) == pytest.approx(sum_of(steps, array))
        for array in ("terminated", "truncated", "failed"):
            ended = [
                any(rows) for rows in zip(*[step[array] for step in steps], strict=True)
            ]
            assert total.pop(array) == ended
        assert total == {array: steps[-1][array] for array in total}
    assert once.step_random(2_000).finished.min() > 1


def sum_rows(steps: list[dict[str, Any]], name: str) -> Any:
    """Return the sum of an array over steps, as nested lists."""
    return np.sum([step[name] for step in steps], axis=0)


def test_random_choices_of_a_game_depend_only_on_its_seed() -> None:
    book = load(REVERSI)
    few, many = Batch(book, 2, seed=11), Batch(book, 9, seed=4, threads=3)
    for _ in range(20):
        assert (
            few.step_random().actions.tolist()
            == many.step_random().actions[7:].tolist()
        )
    others = Batch(book, 2, seed=12)
    few = Batch(book, 2, seed=11)
    rows = [(few.step_random(), others.step_random()) for _ in range(20)]
    for first, second in rows:
        assert first.actions[1] == second.actions[0]
    paths = [
        [batch.step_random().actions[0] for _ in range(9)] for batch in (few, others)
    ]
    assert paths[0] != paths[1]


@pytest.mark.parametrize("wrong", [0, -1, 1.0, True, None])
def test_rejects_an_impossible_number_of_random_decisions(wrong: Any) -> None:
    with pytest.raises(
        UsageError, match="decisions must be a whole number of at least 1"
    ):
        Batch(load(REVERSI), 2).step_random(wrong)


def test_results_do_not_depend_on_threads_that_sleep_or_are_awake() -> None:
    book = load("germany")
    batches = [
        Batch(book, 5, seed=1, threads=threads, decisions=40) for threads in (1, 2, 9)
    ]
    for number in range(80):
        if number % 20 == 0:
            wait_for_sleep(batches)
        if number % 2:
            rows = [contents(batch.step_random(1 + number % 3)) for batch in batches]
        else:
            indices = random_indices(batches[0].now, Random(number))
            rows = [contents(batch.step(indices)) for batch in batches]
        assert rows[0] == rows[1] == rows[2]
    for batch in batches:
        batch.close()


def wait_for_sleep(batches: list[Batch]) -> None:
    """Wait until all threads sleep in Python."""
    workers = [each for batch in batches for each in batch.workers.list[1:]]
    end = time.monotonic() + 20
    while not all(each.asleep for each in workers):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_games_of_all_threads_stay_as_they_are_if_one_index_is_illegal() -> None:
    with Batch(load(REVERSI), 6, seed=1, threads=3) as batch:
        for wrong in range(6):
            wait_for_sleep([batch])
            keys = [batch.game(i).key for i in range(6)]
            indices = random_indices(batch.now, Random(1))
            indices[wrong] = batch.actions
            with pytest.raises(UsageError, match=f"is not legal in game {wrong} for"):
                batch.step(indices)
            assert keys == [batch.game(i).key for i in range(6)]
            batch.step_random()


def test_closing_waits_for_a_running_step() -> None:
    batch = Batch(load(REVERSI), 8, seed=1, threads=2)
    results: list[Any] = []
    begun = threading.Event()

    def play() -> None:
        try:
            for _ in range(10_000):
                begun.set()
                results.append(contents(batch.step_random(200)))
        except UsageError as error:
            results.append(str(error))

    player = threading.Thread(target=play)
    player.start()
    begun.wait()
    time.sleep(0.05)
    batch.close()
    player.join()
    assert results[-1] == "this batch is closed; create a new one"
    assert contents(batch.now) == results[-2]
    again = Batch(load(REVERSI), 8, seed=1)
    expected = [contents(again.step_random(200)) for _ in results[:-1]]
    assert results[:-1] == expected


def test_threads_stop_with_the_batch() -> None:
    before = threading.active_count()
    batch = Batch(load(REVERSI), 8, seed=1, threads=4)
    assert threading.active_count() == before + 3
    batch.close()
    batch.close()
    assert threading.active_count() == before
    batch = Batch(load(REVERSI), 8, seed=1, threads=4)
    del batch
    gc.collect()
    end = time.monotonic() + 20
    while threading.active_count() > before:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_an_interrupt_does_not_leave_a_step_half_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = load(REVERSI)
    batch, usual = Batch(book, 6, seed=1, threads=3), Batch(book, 6, seed=1)
    wait_for_sleep([batch])
    locks: list[Any] = batch.workers.locks
    locks[1] = InterruptedLock(locks[1])
    with pytest.raises(KeyboardInterrupt):
        batch.step_random()
    assert contents(batch.now) == contents(usual.step_random())
    for _ in range(20):
        assert contents(batch.step_random()) == contents(usual.step_random())
    batch.close()


class InterruptedLock:
    """Lock whose first release is interrupted from the keyboard."""

    def __init__(self, lock: Any) -> None:
        self.lock = lock
        self.locked = lock.locked
        self.is_first = True

    def release(self) -> None:
        if self.is_first:
            self.is_first = False
            raise KeyboardInterrupt
        self.lock.release()


def test_an_interrupt_before_a_step_does_no_part_of_it() -> None:
    book = load(REVERSI)
    batch, usual = Batch(book, 6, seed=1, threads=3), Batch(book, 6, seed=1)
    post = batch.workers.post

    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    batch.workers.post = interrupted
    with pytest.raises(KeyboardInterrupt):
        batch.step_random()
    batch.workers.post = post
    for _ in range(20):
        assert contents(batch.step_random()) == contents(usual.step_random())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_cannot_use_the_threads() -> None:
    batch = Batch(load(REVERSI), 6, seed=1, threads=2)
    process = os.fork()
    if not process:
        code = 1
        try:
            batch.step_random()
        except UsageError as error:
            code = 0 if "the process that forked" in str(error) else 2
        finally:
            os._exit(code)
    assert os.waitpid(process, 0)[1] == 0
    assert batch.step_random().counts.all()
    batch.close()


def test_two_threads_of_the_caller_take_turns() -> None:
    batch, usual = (
        Batch(load(REVERSI), 8, seed=1, threads=2),
        Batch(load(REVERSI), 8, seed=1),
    )

    def play() -> None:
        for _ in range(50):
            batch.step_random(3)

    players = [threading.Thread(target=play) for _ in range(3)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    for _ in range(150):
        usual.step_random(3)
    assert contents(batch.now) == contents(usual.now)
