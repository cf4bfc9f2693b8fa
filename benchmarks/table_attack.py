"""Can one hostile visitor stop a server of tables?

    python -m benchmarks.table_attack [GAME] [--tables 50] [--seconds 60] [--think 8]
        [--memory 4000]

Starts `rulebook serve` on 127.0.0.1 and lets browsers play at honest tables, as
`table_load` does. At the same time, one visitor at 127.0.0.2 does the following again
and again. It applies slow rules in the workshop, asks six times why an action is
illegal, and requests 60 pages. It uploads two long records, opens 1,100 connections
that send nothing, and requests bots in seats of a sleeping table. He has a process of
his own (`benchmarks.hostile`), so that he does not delay the measurements. The report
has the slowest honest response, how late this program itself woke up at most (it is
part of the slowest response), the number of confirmed decisions that are not stored,
and the peak memory of the server and its children. The exit code is 1 if an honest
response took more than 2 seconds or was an error. It is also 1 if a decision is lost,
if a bot took a seat before the announced wait was over, if the server used more than
--memory MiB, or if one of the attacks got no response at all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.table_load import (
    FILES,
    Browser,
    Seen,
    browsers_at_tables,
    create_table,
    memory,
    start_server,
    time_statistics,
)
from workbench.web.host import HostLimits
from workbench.web.storage.journal import LineKind
from workbench.web.store import Store

RESPONSE_MAX = 2.0
"""Seconds within which every honest response must arrive."""
ATTACKS = ("why", "page", "replay", "connections", "bot")
OFTEN, BRIEF = 0.5, 0.05
"""Seconds between measurements of the server's memory, and of the program's delay."""


# ------------------------------------------------------------ measurements


def process_tree(process: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield process
    path = Path(f"/proc/{process}/task/{process}/children")
    with suppress(OSError):
        for child in path.read_text(encoding="ascii").split():
            yield from process_tree(int(child))


async def record_memory(process: int, peak: list[float]) -> None:
    """Record the peak memory of a process and its children, in MiB."""
    while True:
        total = 0.0
        for each in process_tree(process):
            with suppress(OSError, StopIteration):
                total += memory(each)
        peak[0] = max(peak[0], total)
        await asyncio.sleep(OFTEN)


def count_lost_decisions(
    folder: Path, browsers: Sequence[tuple[str, str, Browser]]
) -> int:
    """Return how many decisions were confirmed but are not in the journal."""
    store, missing = Store.open(f"sqlite:///{folder / 'tables.sqlite'}"), 0
    stored: dict[tuple[str, str], set[tuple[LineKind, int]]] = defaultdict(set)
    for id in {id for id, _, _ in browsers}:
        kept = store.read(id)
        for line in kept.lines if kept is not None else ():
            if line.sort in {LineKind.EVENT, LineKind.HELD}:
                which = line.decision if line.sort is LineKind.EVENT else line.number
                stored[id, line.by].add((line.sort, which))
    for id, seat, browser in browsers:
        missing += max(browser.seen.decided - len(stored[id, seat]), 0)
    store.close()
    return missing


def bots_at(folder: Path, id: str) -> int:
    """Return how many bots have taken a seat at a table."""
    store = Store.open(f"sqlite:///{folder / 'tables.sqlite'}")
    kept = store.read(id)
    store.close()
    return sum(line.sort is LineKind.BOT for line in kept.lines) if kept else 0


async def watch_for_early_bot(folder: Path, id: str, early: list[float]) -> None:
    """Record a bot that takes a seat before the announced wait is over."""
    began = time.monotonic()
    while (passed := time.monotonic() - began) < HostLimits().bot_wait - OFTEN:
        if await asyncio.to_thread(bots_at, folder, id):
            early.append(round(passed, 1))
            return
        await asyncio.sleep(1)


async def hostile_visitor(
    port: int, seconds: float, sleeping: Any
) -> asyncio.subprocess.Process:
    """Start the hostile visitor, wait until it is prepared, and let it begin."""
    command = [sys.executable, "-m", "benchmarks.hostile"]
    command += [str(port), str(seconds), json.dumps(sleeping)]
    pipe = asyncio.subprocess.PIPE
    started = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert started.stdin is not None
    assert started.stdout is not None
    if not await started.stdout.readline():
        raise SystemExit("the hostile visitor does not start")
    started.stdin.write(b"\n")
    await started.stdin.drain()
    return started


async def record_delay(longest: list[float]) -> None:
    """Record the longest time by which this program woke up too late."""
    while True:
        began = time.monotonic()
        await asyncio.sleep(BRIEF)
        longest[0] = max(longest[0], time.monotonic() - began - BRIEF)


async def measure_attack(
    process: int, port: int, folder: Path, arguments: argparse.Namespace
) -> tuple[dict[str, Any], list[tuple[str, str, Browser]]]:
    """Let honest browsers play beside the hostile visitor; return the measurements."""
    tables = [
        await create_table(port, arguments.game, n) for n in range(arguments.tables)
    ]
    sleeping, _ = await create_table(port, "classic", arguments.tables)
    players = await browsers_at_tables(
        port, tables, lambda: Seen(float("inf")), arguments.think
    )
    places = [(table["table"], seat) for table, _ in tables for seat in table["seats"]]
    browsers = [(*place, each) for place, each in zip(places, players, strict=True)]
    peak, early = [0.0], list[float]()
    late = [0.0]
    watching = asyncio.create_task(record_memory(process, peak))
    hostile = await hostile_visitor(port, arguments.seconds, sleeping)
    until = time.monotonic() + arguments.seconds
    for each in players:
        each.seen = Seen(until)
    looking = asyncio.create_task(watch_for_early_bot(folder, sleeping["table"], early))
    delayed = asyncio.create_task(record_delay(late))
    await asyncio.gather(*(each.plays() for each in players))
    answers, _ = await hostile.communicate()
    counted = json.loads(answers)
    for task in (watching, looking, delayed):
        task.cancel()
    times: dict[str, list[float]] = defaultdict(list)
    errors: Counter[str] = Counter()
    for each in players:
        errors += each.seen.errors
        for what, took in each.seen.answers.items():
            times[what] += took
    result = {
        "game": arguments.game,
        "tables": arguments.tables,
        "browsers": len(players),
        "errors": dict(errors),
        "answers": {what: time_statistics(took) for what, took in times.items()},
        "slowest": round(max(max(took) for took in times.values()), 2),
        "decisions": sum(each.seen.decided for each in players),
        "MiB at most": round(peak[0]),
        "own delay": round(late[0], 2),
        "hostile": counted,
        "attacks without a response": [
            what
            for what in ATTACKS
            if not any(told.split()[0] == what for told in counted)
        ],
    }
    result["seconds after which a bot took a seat"] = early
    return result, browsers


def main() -> int:
    """Serve, play and attack; report, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="germany")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=8)
    parser.add_argument("--memory", type=float, default=4_000)
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    with TemporaryDirectory() as folder:
        running, port = start_server(Path(folder))
        try:
            attack = measure_attack(running.pid, port, Path(folder), arguments)
            result, browsers = asyncio.run(attack)
        finally:
            began = time.monotonic()
            running.terminate()
            running.wait()
        result["seconds until it ended"] = round(time.monotonic() - began, 1)
        result["lost decisions"] = count_lost_decisions(Path(folder), browsers)
    print(json.dumps(result, indent=2))
    broken = result["errors"] or result["lost decisions"]
    broken = broken or result["attacks without a response"]
    slow = result["slowest"] > RESPONSE_MAX or result["MiB at most"] > arguments.memory
    early = result["seconds after which a bot took a seat"]
    return 1 if broken or slow or early else 0


if __name__ == "__main__":
    sys.exit(main())
