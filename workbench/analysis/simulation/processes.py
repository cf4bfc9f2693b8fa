"""Worker processes, none of which outlives its parent.

A worker receives items over a pipe from its parent, on which a separate thread listens.
When the parent ends for any reason, the pipe closes and the worker exits at once. When
a worker ends unexpectedly, the parent reports it. Workers ignore SIGTERM, which a shell
may send to the whole process group; `kill_workers` kills them.
"""

import atexit
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import active_children, connection, get_context
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any

import attrs

from workbench.errors import RequestError

ITEMS_IN_ADVANCE = 2
"""Number of items that a worker is given in advance, so that it never waits."""
POLL_SECONDS = 0.05
"""Seconds until the number of usable processes is determined again."""

PATIENCE_SECONDS = 1.0
"""Maximum time to wait for a process to end."""

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that stop a command. Workers ignore them and end with the parent."""

WORKER_NAME = "rulebook worker"
"""Process name of the workers."""

Work = Callable[[Any], Any]
Pipe = connection.Connection


def map_in_processes(
    prepare: Callable[[], Work],
    items: Iterable[Any],
    jobs: int,
    usable: Callable[[int], int] | None = None,
) -> Iterator[Any]:
    """Yield the result of a function for each item, in order of arrival.

    Each process creates the function with *prepare*. Exceptions of the function are
    raised here, as is `WorkerLost` if a process ends unexpectedly; earlier results are
    yielded first. Given the number of processes, *usable* returns how many of them
    receive items at present.
    """
    workers: list[ProcessWorker] = []
    remaining = iter(items)
    try:
        _start_workers(workers, prepare, jobs)
        count = jobs if usable is None else usable(jobs)
        distribute(workers[:count], remaining)
        while busy := {
            worker.pipe: worker for worker in workers if worker.pending_count
        }:
            errors: list[Exception] = []
            ready = connection.wait(list(busy), POLL_SECONDS if count < jobs else None)
            count = jobs if usable is None else usable(jobs)
            if not ready:
                distribute(workers[:count], remaining)
            for pipe in ready:
                worker = busy[pipe]  # type: ignore[index]
                result = worker.receive_result()
                if isinstance(result, RemoteError):
                    errors.append(result.error)
                    continue
                yield result
                distribute(workers[:count], remaining)
            if errors:
                raise errors[0]
        for worker in workers:
            worker.dismiss()
    finally:
        kill_workers([worker.process for worker in workers])
        for worker in workers:
            worker.pipe.close()


def distribute(workers: Sequence["ProcessWorker"], items: Iterator[Any]) -> None:
    """Send items to the workers that have too few, while items remain."""
    for pending in range(ITEMS_IN_ADVANCE):
        for worker in workers:
            if worker.pending_count <= pending:
                worker.send_next(items)


@attrs.frozen
class RemoteError:
    """Error of a worker, which the parent receives instead of a result."""

    error: Exception


@attrs.define
class ProcessWorker:
    """Worker process as seen by its parent, with the number of its pending results."""

    process: BaseProcess
    pipe: Pipe
    pending_count: int = 0

    def send_next(self, items: Iterator[Any]) -> None:
        """Send the next item to the worker, if there is one."""
        for item in items:
            self.pending_count += 1
            with suppress(OSError):  # a lost worker; `receive_result` reports it
                self.pipe.send(item)
            return

    def receive_result(self) -> Any:
        """Return the worker's next result, or a `RemoteError` if it failed."""
        self.pending_count -= 1
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(PATIENCE_SECONDS)
            return RemoteError(_worker_lost_error(self.process.exitcode))

    def dismiss(self) -> None:
        """Tell the worker to exit, since there are no more items."""
        with suppress(OSError):
            self.pipe.send(None)
        self.process.join(PATIENCE_SECONDS)


def kill_workers(processes: Sequence[BaseProcess]) -> None:
    """Kill workers and wait until they have ended."""
    for process in processes:
        process.kill()
    for process in processes:
        process.join(PATIENCE_SECONDS)


@atexit.register
def _kill_all_workers() -> None:
    """Kill all remaining workers when Python exits.

    They remain if a second signal interrupts `map_in_processes`. Otherwise
    `multiprocessing` would send SIGTERM, which they ignore, and wait for them.
    """
    if remaining := [child for child in active_children() if child.name == WORKER_NAME]:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        kill_workers(remaining)


class WorkerLost(RequestError):
    """Raised if a worker process ends unexpectedly, after earlier results."""


def _worker_lost_error(code: int | None) -> WorkerLost:
    """Return the exception for a worker that ended with an exit code."""
    how = f"with {code}"
    if code is not None and code < 0:
        how = f"by {signal.Signals(-code).name}"
    return WorkerLost(
        f"a worker process ended {how}; finished games were saved",
        "if memory ran out, use fewer --jobs",
        exit_code=1,
    )


def available_cores() -> int:
    """Return the number of processes that can run at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def uses_fork() -> bool:
    """Return whether processes are forked, and so inherit everything loaded."""
    return get_context().get_start_method() == "fork"


def _start_workers(
    workers: list[ProcessWorker], prepare: Callable[[], Work], jobs: int
) -> None:
    """Start workers; a forked one closes the pipes of the others."""
    context = get_context()
    forked = uses_fork()
    with _postpone_signals():
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            others = [*(worker.pipe for worker in workers), ours] if forked else []
            process = context.Process(
                target=_run_worker,
                name=WORKER_NAME,
                args=(theirs, others, prepare),
                daemon=True,
            )
            process.start()
            theirs.close()
            workers.append(ProcessWorker(process, ours))


@contextmanager
def _postpone_signals() -> Iterator[None]:
    """Postpone Ctrl-C and SIGTERM until the end of the block, where possible."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------- worker process


def _run_worker(
    pipe: Pipe, others: Sequence[Pipe], prepare: Callable[[], Work]
) -> None:
    """Process items from a pipe until there are no more; this is the worker's program.

    Ctrl-C and SIGTERM are ignored; the worker ends with its parent.
    """
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    for other in others:
        other.close()
    items: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, items), daemon=True).start()
    work: Work | None = None
    while (item := items.get()) is not None:
        try:
            work = work or prepare()
            result = work(item)
        except Exception as error:  # noqa: BLE001  (the parent raises it)
            result = RemoteError(_picklable_error(error))
        try:
            pipe.send(result)
        except OSError:
            os._exit(1)


def _listen(pipe: Pipe, items: "SimpleQueue[Any]") -> None:
    """Put items from a pipe into a queue; exit the process when the pipe closes."""
    try:
        while (item := pipe.recv()) is not None:
            items.put(item)
    except (EOFError, OSError):
        os._exit(1)
    items.put(None)


def _picklable_error(error: Exception) -> Exception:
    """Return an equivalent error that can be pickled, with its traceback as a note."""
    details = traceback.format_exc()
    with suppress(AttributeError):  # an immutable exception
        error.add_note(details)
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  (our own)
    except Exception:  # noqa: BLE001
        return RuntimeError(details)
    return error
