"""Work in several processes, none of which outlives its parent.

Each worker has a pipe to its parent, over which it gets what to do; a thread of its
own listens to it. When the parent ends, however that happens, the pipe closes and the
worker ends in the middle of what it does. When a worker ends, its parent says so.
Workers ignore SIGTERM, which a shell may send to a whole group: `end` kills them.
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

from workbench.errors import Refused

AHEAD = 2
"""How many things a worker is given at once, so that it need not wait."""
PATIENCE_SECONDS = 1.0
"""Maximum time to wait for a process that ends or was killed."""

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""Signals that stop a command. Its workers ignore them, and end with it."""

NAME = "rulebook worker"
"""Name of each worker among the processes of its parent."""

Work = Callable[[Any], Any]
Pipe = connection.Connection


def spread(
    prepare: Callable[[], Work], items: Iterable[Any], jobs: int
) -> Iterator[Any]:
    """What a function gives for each item, as it comes.

    Each process makes the function by `prepare`. Raises what these raise, and `Lost`
    when a process is; what had come by then was given before.
    """
    workers: list[ProcessWorker] = []
    left = iter(items)
    try:
        _begin(workers, prepare, jobs)
        give(workers, left)
        while busy := {worker.pipe: worker for worker in workers if worker.owes}:
            wrong: list[Exception] = []
            for pipe in connection.wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                answer = worker.take()
                if isinstance(answer, RemoteError):
                    wrong.append(answer.error)
                    continue
                yield answer
                give(workers, left)
            if wrong:
                raise wrong[0]
        for worker in workers:
            worker.dismiss()
    finally:
        end([worker.process for worker in workers])
        for worker in workers:
            worker.pipe.close()


def give(workers: Sequence["ProcessWorker"], left: Iterator[Any]) -> None:
    """Let those do something who have too little to do, as far as there is more."""
    for owed in range(AHEAD):
        for worker in workers:
            if worker.owes <= owed:
                worker.give(left)


@attrs.frozen
class RemoteError:
    """What was raised in place of a result."""

    error: Exception


@attrs.define
class ProcessWorker:
    """A process, as its parent sees it; `owes` are the results still to come."""

    process: BaseProcess
    pipe: Pipe
    owes: int = 0

    def give(self, left: Iterator[Any]) -> None:
        """Let it do the next item, if there is one."""
        for item in left:
            self.owes += 1
            with suppress(OSError):  # it is lost, which `take` finds
                self.pipe.send(item)
            return

    def take(self) -> Any:
        """Its next result, or what went wrong."""
        self.owes -= 1
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(PATIENCE_SECONDS)
            return RemoteError(_lost(self.process.exitcode))

    def dismiss(self) -> None:
        """Let it end, since there is nothing more to do."""
        with suppress(OSError):
            self.pipe.send(None)
        self.process.join(PATIENCE_SECONDS)


def end(processes: Sequence[BaseProcess]) -> None:
    """Kill workers and wait for them; they have nothing to finish."""
    for process in processes:
        process.kill()
    for process in processes:
        process.join(PATIENCE_SECONDS)


@atexit.register
def _end_all() -> None:
    """End the workers that a second signal kept `spread` from ending.

    Without this, `multiprocessing` sends them SIGTERM when Python exits, and waits.
    """
    if left := [each for each in active_children() if each.name == NAME]:
        for number in STOPPING:
            signal.signal(number, signal.SIG_IGN)
        end(left)


class Lost(Refused):
    """A process is lost; what had come by then was given before."""


def _lost(code: int | None) -> Lost:
    """The refusal to go on without a process that has ended with this code."""
    how = f"with {code}"
    if code is not None and code < 0:
        how = f"by {signal.Signals(-code).name}"
    return Lost(
        f"a worker process ended {how}; finished games were saved",
        "if memory is short, use fewer --jobs",
        status=1,
    )


def inherits() -> bool:
    """Whether a process begins with all that its parent has, and loads nothing anew."""
    return get_context().get_start_method() == "fork"


def _begin(
    workers: list[ProcessWorker], prepare: Callable[[], Work], jobs: int
) -> None:
    """Start the processes; a forked one closes what belongs to the others."""
    context = get_context()
    forked = inherits()
    with _uninterrupted():
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            others = [*(worker.pipe for worker in workers), ours] if forked else []
            process = context.Process(
                target=_work, name=NAME, args=(theirs, others, prepare), daemon=True
            )
            process.start()
            theirs.close()
            workers.append(ProcessWorker(process, ours))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait, where the system can; and SIGTERM, which may be the parent's."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------- in the process


def _work(pipe: Pipe, others: Sequence[Pipe], prepare: Callable[[], Work]) -> None:
    """Do what comes over a pipe, until nothing more does.

    Ctrl-C and SIGTERM are the parent's: when it ends, so does this.
    """
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    for other in others:
        other.close()
    items: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, items), daemon=True).start()
    work: Work | None = None
    while (item := items.get()) is not None:
        try:
            work = work or prepare()
            answer = work(item)
        except Exception as error:  # noqa: BLE001  (the parent raises it)
            answer = RemoteError(_sendable(error))
        try:
            pipe.send(answer)
        except OSError:
            os._exit(1)


def _listen(pipe: Pipe, items: "SimpleQueue[Any]") -> None:
    """Hand on what comes over a pipe; end the process when it closes."""
    try:
        while (item := pipe.recv()) is not None:
            items.put(item)
    except (EOFError, OSError):
        os._exit(1)
    items.put(None)


def _sendable(error: Exception) -> Exception:
    """An error as it can be sent, with where it was raised."""
    where = traceback.format_exc()
    with suppress(AttributeError):  # one that cannot be changed
        error.add_note(where)
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  (our own)
    except Exception:  # noqa: BLE001
        return RuntimeError(where)
    return error
