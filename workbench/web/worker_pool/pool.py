"""Pool of worker processes that check and run untrusted rules.

A worker is limited in time, memory and file access, and is killed if it takes too long.
All clients share the pool. Each client has one request at a time and a budget of CPU
seconds.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import asynccontextmanager, suppress
from math import ceil
from typing import Any

import attrs

from rulebook import printable_lines
from workbench.web.request_limits import Budgets, Rate
from workbench.web.sandbox.checks import OUT_OF_MEMORY
from workbench.web.sandbox.findings import (
    CheckFindings,
    early_exit_findings,
    rejected_findings,
    timeout_findings,
)
from workbench.web.sandbox.process_limits import (
    UNLIMITED,
    WorkerLimits,
    can_limit_memory,
)
from workbench.web.sandbox.rule_texts import Texts
from workbench.web.sessions import RequestDenied
from workbench.web.thread_pools import RETRY_SECONDS

WORKER_MODULE = "workbench.web.worker"
ENVIRONMENT = ("PATH", "HOME", "XDG_CACHE_HOME", "SYSTEMROOT", "LANG", "TZ")
"""Environment variables that a worker inherits; none of them contains a secret."""
MAX_ANSWER_BYTES = 64 << 20
"""Maximum number of bytes of an answer from a worker."""
MAX_ERROR_BYTES = 4_000
"""Maximum number of bytes kept from the standard error of a worker."""
MAX_WORKERS = 6
"""Maximum number of worker processes at a time."""
MAX_WAITING_REQUESTS = 16
"""Maximum number of requests per client that wait for a worker."""
PATIENCE_SECONDS = 25.0
"""Seconds after which a request that waits for a worker is rejected."""
CLIENT_BUDGET = Rate(burst=90, seconds=2.0)
"""Budget of each client: 90 CPU seconds, refilled by one every two seconds."""
TIME, MEMORY, FAILURE = "time", "memory", "failure"
MEMORY_ERROR_TEXTS = (
    *("MemoryError", "Cannot allocate memory", "can't start new thread"),
    *("failed to map segment", "can't allocate"),
)
"""Error texts that indicate that a worker ran out of memory."""
LOG = logging.getLogger(__name__)

StoreRequestHandler = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
"""Callback that executes a store request of a worker."""


class WorkerStopped(RequestDenied):
    """Raised if a worker stopped before it answered.

    `reason` is `time`, `memory` or `failure`. `exit_status` is the exit status of the
    process, and `error_output` its standard error.
    """

    def __init__(
        self, reason: str, exit_status: int = 0, error_output: bytes = b""
    ) -> None:
        super().__init__(503, f"rules_{reason}")
        self.reason = reason
        self.exit_status = exit_status
        self.error_output = error_output


@attrs.define(eq=False)
class PooledWorker:
    """Worker process. `is_new` is true until its first answer."""

    process: asyncio.subprocess.Process
    error_output: asyncio.Task[bytes]
    is_new: bool = True
    is_busy: bool = True
    is_killed: bool = False

    def kill(self) -> None:
        """Kill the process, once.

        A second call could collect the exit status before asyncio does; asyncio would
        then report status 255 and an unknown process.
        """
        if self.is_killed:
            return
        self.is_killed = True
        with suppress(ProcessLookupError):
            self.process.kill()

    async def wait_until_exited(self) -> None:
        """Wait until the process has exited."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.wait()
        await self.error_output


class WorkerPool:
    """Pool of worker processes of a server.

    `loading_limits` apply to a worker's first answer and checks, `answer_limits` to all
    other answers. `note` describes what this platform cannot limit, if anything.
    """

    def __init__(
        self,
        loading_limits: WorkerLimits | None = None,
        answer_limits: WorkerLimits | None = None,
        *,
        max_busy: int | None = None,
        client_rate: Rate = CLIENT_BUDGET,
        max_workers: int = MAX_WORKERS,
    ) -> None:
        self.loading_limits = loading_limits or WorkerLimits()
        self.answer_limits = answer_limits or WorkerLimits(cpu=6, seconds=20.0)
        self.note = None if can_limit_memory() else UNLIMITED
        self.settings: dict[str, Any] = {}
        self._client_rate = client_rate
        self._max_workers = max_workers
        self._budgets = Budgets()
        max_busy = max_busy or max(2, os.cpu_count() or 1)
        self._slots = asyncio.Semaphore(min(max_busy, max_workers))
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()
        self._workers: dict[Hashable, PooledWorker] = {}
        self._exits: set[asyncio.Task[None]] = set()
        self._is_closed = False

    # ------------------------------------------------------------ budgets

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Hold a client's turn to use a worker. May raise `RequestDenied`."""
        if self._waiting[client] >= MAX_WAITING_REQUESTS:
            raise RequestDenied(429, "too_often", seconds=RETRY_SECONDS)
        self._waiting[client] += 1
        lock = self._turns.setdefault(client, asyncio.Lock())
        try:
            await self._wait_or_deny(lock.acquire())
            try:
                wait = self._budgets.spend("work", client, self._client_rate, 0)
                if wait:
                    raise RequestDenied(429, "too_often", seconds=ceil(wait))
                yield
            finally:
                lock.release()
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client], self._turns[client]

    async def _wait_or_deny(self, waiting: Awaitable[Any]) -> None:
        """Await *waiting*; raise `RequestDenied` after `PATIENCE_SECONDS` seconds."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await waiting
        except TimeoutError:
            raise RequestDenied(429, "too_often", seconds=RETRY_SECONDS) from None

    # ------------------------------------------------------------ requests

    async def ask(
        self,
        key: Hashable,
        message: Mapping[str, Any],
        client: str,
        *,
        on_store: StoreRequestHandler | None = None,
        preamble: Mapping[str, Any] | None = None,
        limits: WorkerLimits | None = None,
    ) -> dict[str, Any]:
        """Send a message to the worker with this key; return its answer.

        The worker is started if necessary, and then also receives the `preamble`.
        Without a key, the worker ends after its answer. The caller must hold the
        client's `turn` and not use the same key concurrently. Raises `WorkerStopped`,
        and `RequestDenied` if all workers are busy.
        """
        await self._wait_or_deny(self._slots.acquire())
        worker, spent = None, 0.0
        try:
            worker = await self._worker(key)
            if worker.is_new:
                message = {**message, **(preamble or {})}
            limits = limits or (
                self.loading_limits if worker.is_new else self.answer_limits
            )
            spent = limits.cpu
            answer = await self._exchange(worker, message, limits, on_store)
            worker.is_new = False
            spent = min(spent, max(0.0, float(answer.pop("spent"))))
        except BaseException:
            self.stop_worker(key, worker)
            raise
        else:
            return answer
        finally:
            if worker is not None:
                worker.is_busy = False
                if key is None:
                    self.stop_worker(None, worker)
            self._slots.release()
            self._budgets.charge("work", client, self._client_rate, spent)

    async def _worker(self, key: Hashable) -> PooledWorker:
        """Return the worker with this key, and mark it as most recently used."""
        if self._is_closed:
            raise RequestDenied(503, "full")
        worker = self._workers.pop(key, None)
        if worker is None or worker.process.returncode is not None:
            worker = await self._start_worker()
        worker.is_busy = True
        self._workers[worker if key is None else key] = worker
        for name, other in list(self._workers.items()):
            if len(self._workers) > self._max_workers and not other.is_busy:
                self.stop_worker(name)
        return worker

    async def _start_worker(self) -> PooledWorker:
        """Start a worker process, and send it the settings of the server."""
        environment = {
            name: os.environ[name] for name in ENVIRONMENT if name in os.environ
        }
        environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        process = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                "-P",
                "-m",
                WORKER_MODULE,
                str(self.loading_limits.memory),
            ),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**environment, "PYTHONUTF8": "1", "MALLOC_ARENA_MAX": "2"},
            start_new_session=True,
            limit=MAX_ANSWER_BYTES,
        )
        assert process.stderr is not None
        error_output = asyncio.create_task(_last_bytes(process.stderr))
        worker = PooledWorker(process, error_output)
        assert process.stdin is not None
        process.stdin.write(_message_line(self.settings))
        return worker

    async def _exchange(
        self,
        worker: PooledWorker,
        message: Mapping[str, Any],
        limits: WorkerLimits,
        on_store: StoreRequestHandler | None,
    ) -> dict[str, Any]:
        """Return a worker's answer to a message; serve its store requests meanwhile."""
        reader, writer = worker.process.stdout, worker.process.stdin
        assert reader is not None
        assert writer is not None
        try:
            async with asyncio.timeout(limits.seconds):
                writer.write(_message_line({**message, "cpu": limits.cpu}))
                await writer.drain()
                while line := await reader.readline():
                    answer: dict[str, Any] = json.loads(line)
                    if "store" not in answer:
                        return answer
                    assert on_store is not None
                    writer.write(_message_line(await on_store(answer)))
                    await writer.drain()
        except TimeoutError:
            raise WorkerStopped(TIME) from None
        except (ConnectionError, ValueError):  # it exited or its answer is invalid
            worker.kill()
        if self._is_closed:
            raise RequestDenied(503, "full")
        status = await worker.process.wait()
        error_output = await worker.error_output
        reason = _stop_reason(status, error_output)
        if reason == FAILURE:
            text = error_output.decode(errors="replace")
            LOG.error(
                "a worker process exited with status %s: %s",
                status,
                printable_lines(text),
            )
        raise WorkerStopped(reason, status, error_output)

    # ------------------------------------------------------------ shutdown

    def stop_worker(self, key: Hashable, worker: PooledWorker | None = None) -> None:
        """Stop the worker with this key, if there is one."""
        current = self._workers.pop(worker if key is None else key, None)
        for each in (current, worker):
            if each is not None:
                each.kill()
                task = asyncio.create_task(each.wait_until_exited())
                self._exits.add(task)
                task.add_done_callback(self._exits.discard)

    def stop_all(self) -> None:
        """Stop all workers, and reject later requests."""
        self._is_closed = True
        for key, worker in list(self._workers.items()):
            self.stop_worker(key, worker)

    async def close(self) -> None:
        """Stop all workers, and wait until they have exited."""
        self.stop_all()
        await asyncio.gather(*self._exits)

    def process_of(self, key: Hashable) -> asyncio.subprocess.Process | None:
        """Return the process of the worker with a key, or None."""
        worker = self._workers.get(key)
        return None if worker is None else worker.process

    @property
    def live_count(self) -> int:
        """Number of running workers."""
        return len(self._workers)

    # ------------------------------------------------------------ checks

    async def check(
        self,
        texts: Texts,
        client: str = "",
        is_old: Callable[[], bool] = lambda: False,
        **options: Any,
    ) -> CheckFindings | None:
        """Return the findings of a check of rule texts; the first text is the game.

        `options` may contain `players`, a `record` to replay, its rule texts `before`,
        and the `reader` for whom the result is described. Returns None if `is_old()` is
        true when the client's turn comes. Raises `RequestDenied` if the client has used
        up its budget.
        """
        rejection = rejected_findings(texts)
        if rejection is not None:
            return rejection
        message = {"op": "check", "texts": dict(texts), **options}
        async with self.turn(client):
            if is_old():
                return None
            try:
                result = await self.ask(
                    None, message, client, limits=self.loading_limits
                )
            except WorkerStopped as stopped:
                if stopped.reason == TIME:
                    return timeout_findings(texts, self.loading_limits)
                out_of_memory = stopped.reason == MEMORY
                return early_exit_findings(
                    texts, self.loading_limits, out_of_memory=out_of_memory
                )
        diagnostics = tuple(result.pop("diagnostics"))
        return CheckFindings(diagnostics, **result)

    async def completions(
        self, texts: Texts, client: str, **options: Any
    ) -> list[Mapping[str, Any]]:
        """Return the completions at a place of rule texts; none if that takes too long.

        `options` contain the valid texts `before`, the `file` and `at`, the number of
        characters before the place. Raises `RequestDenied` if the client has used up
        its budget.
        """
        if rejected_findings(texts) is not None:
            return []
        message = {"op": "complete", "texts": dict(texts), **options}
        async with self.turn(client):
            try:
                answer = await self.ask(
                    ("completions", client), message, client, limits=self.loading_limits
                )
            except WorkerStopped:
                return []
        return list(answer["items"])


def _stop_reason(status: int, error_output: bytes) -> str:
    """Return why a worker process ended: `time`, `memory` or `failure`."""
    xcpu = getattr(signal, "SIGXCPU", None)
    if xcpu is not None and status == -xcpu:
        return TIME
    last_line = error_output.decode(errors="replace").strip().rpartition("\n")[2]
    if status == OUT_OF_MEMORY or any(text in last_line for text in MEMORY_ERROR_TEXTS):
        return MEMORY
    return FAILURE


def _message_line(message: Mapping[str, Any]) -> bytes:
    """Serialize a message as one line of JSON."""
    return json.dumps(message).encode() + b"\n"


async def _last_bytes(stream: asyncio.StreamReader) -> bytes:
    """Read a stream to its end; return its last `MAX_ERROR_BYTES` bytes."""
    last = b""
    while chunk := await stream.read(MAX_ERROR_BYTES):
        last = (last + chunk)[-MAX_ERROR_BYTES:]
    return last
