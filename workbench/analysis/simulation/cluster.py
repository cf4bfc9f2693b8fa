"""Games played by the workers of a Dask cluster, through joblib.

A worker receives the pickled rules and the numbers of its games. It needs the same
version of this package, but no files. If a worker is lost, others play its games with
the same results, because a game depends only on its number.

Data is not scattered in advance: it would be lost with its worker, together with all
tasks that wait for it.
"""

from __future__ import annotations

import logging
import pickle
import re
import threading
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from typing import Any

from rulebook import Rulebook
from workbench.analysis.simulation.processes import WorkerLost
from workbench.analysis.simulation.simulation import GameTask, Portion, portion_player
from workbench.analysis.simulation.statistics import Result
from workbench.errors import RequestError
from workbench.extras import Extra, import_library
from workbench.files.library.versions import version

ADDRESS = re.compile(r"[a-z]+://[^\s/]+:\d{1,5}")
CLUSTER_LOST = (
    "the cluster lost too many workers or its scheduler; finished games were saved"
)
PATIENCE_SECONDS = 10
PORTION_FACTOR = 4
"""Factor by which portions are larger on a cluster than in local processes."""

_thread_cache = threading.local()


def play_on_cluster(
    address: str,
    book: Rulebook,
    task: GameTask,
    portions: Iterable[Portion],
    *,
    native: bool,
) -> Iterator[list[Result]]:
    """Yield the results of each portion as they arrive.

    If *native* is true, the native engine plays. Raise `RequestError` if no cluster
    responds or the extra is not installed.
    """
    joblib, distributed = _import_libraries()
    _silence_logs()
    packed = pack_task(book, task, native=native)
    cluster_errors = (
        CancelledError,
        distributed.CancelledError,
        distributed.KilledWorker,
        distributed.comm.CommClosedError,
    )
    with (
        _client(distributed, address) as client,
        joblib.parallel_config("dask", client=client, pure=False) as config,
    ):
        _use_cluster(config["backend"])
        work = joblib.delayed(play_portion)
        parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1)
        with closing(
            parallel(work(packed, portion) for portion in portions)
        ) as results:
            try:
                yield from results
            except cluster_errors as error:
                raise WorkerLost(CLUSTER_LOST, exit_code=1) from error


def _use_cluster(backend: Any) -> None:
    """Make joblib use the cluster even if it has only one thread."""
    threads = backend.effective_n_jobs
    backend.effective_n_jobs = lambda jobs: max(2, threads(jobs))


def check_cluster(address: str) -> None:
    """Raise `RequestError` if an address is invalid or the extra is not installed."""
    if not ADDRESS.fullmatch(address):
        raise RequestError(
            f"--cluster {address} is not a valid address", "such as tcp://HOST:8786"
        )
    _import_libraries()


def _import_libraries() -> tuple[Any, Any]:
    """Import and return joblib and distributed."""
    names = ("joblib", "dask.distributed")
    joblib, distributed = [import_library(x, Extra.CLUSTER, "a cluster") for x in names]
    return joblib, distributed


def _silence_logs() -> None:
    """Silence the libraries' messages about unfinished tasks.

    Unfinished tasks are normal when a run is stopped or has become precise enough.
    """
    warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
    for name in ("distributed", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    """Yield a client of the scheduler at an address.

    Raise `RequestError` if there is no scheduler or it has no workers.
    """
    try:
        client = distributed.Client(
            address, timeout=PATIENCE_SECONDS, set_as_default=False
        )
    except (OSError, ValueError) as error:
        problem = f"no cluster responds at {address}"
        raise RequestError(problem, "is its scheduler running?", exit_code=1) from error
    try:
        if not client.ncores():
            problem = f"the cluster at {address} has no workers"
            raise RequestError(
                problem, f"start one with: dask worker {address}", exit_code=1
            )
        yield client
    finally:
        client.close()


# ---------------------------------------------------------------- on a worker


def pack_task(book: Rulebook, task: GameTask, *, native: bool) -> bytes:
    """Return all data that a worker needs to play games, as bytes."""
    return zlib.compress(pickle.dumps((version(), book, task, native)))


def play_portion(packed_task: bytes, portion: Portion) -> list[Result]:
    """Play a portion of games on a worker.

    *packed_task* are the bytes returned by `pack_task`. Each thread caches the rules of
    its last run. Raise `RequestError` if the worker has another version of this
    package.
    """
    cached: tuple[bytes, Callable[[Portion], list[Result]]] | None
    cached = getattr(_thread_cache, "player", None)
    if cached is None or cached[0] != packed_task:
        raw = zlib.decompress(packed_task)
        expected, book, task, native = pickle.loads(raw)  # noqa: S301  (our own client)
        if expected != version():
            problem = f"a worker has version {version()}, not {expected}"
            raise RequestError(
                problem, "install the same version on all machines", exit_code=1
            )
        cached = _thread_cache.player = (
            packed_task,
            portion_player(book, task, use_native=native),
        )
    return cached[1](portion)
