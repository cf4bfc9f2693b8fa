"""Can one hostile visitor stop a server of tables?

    python -m benchmarks.table_attack [GAME] [--tables 50] [--seconds 60] [--think 8]
        [--memory 4000]

Starts `rulebook serve` on 127.0.0.1 and lets browsers play at honest tables, as
`table_load` does. At the same time, one visitor at 127.0.0.2 does the following again
and again. It applies slow rules in the workshop, asks six times why an action is
illegal, and requests 60 pages. It uploads two long records, opens 1,100 connections
that send nothing, and requests bots in seats of a sleeping table. The report has the
slowest honest response, the number of confirmed decisions that are not stored, and the
peak memory of the server and its children. The exit code is 1 if an honest response
took more than 2 seconds or was an error. It is also 1 if a decision is lost, if a bot
took a seat before the announced wait was over, if the server used more than --memory
MiB, or if one of the attacks got no response at all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import attrs
import httpx

from benchmarks.table_load import (
    FILES,
    OK,
    START,
    Browser,
    Seen,
    made,
    memory,
    seated,
    served,
    told,
)
from interpreter import Game
from workbench.web.host import HostLimits
from workbench.web.sandbox.rule_texts import load_book
from workbench.web.storage.journal import LineKind
from workbench.web.store import Store

SLOWEST = 2.0
"""Seconds within which every honest response must arrive."""
HOSTILE = "127.0.0.2"
WHY, PAGES, IDLE, RECORDS, EVENTS = 6, 60, 1_100, 2, 4_000
ATTACKS = ("why", "page", "replay", "connections", "bot")
PATIENCE = 60.0
"""Seconds after which the hostile visitor gives up a request."""
OFTEN = 0.5
"""Seconds between measurements of the server's memory."""
SCRIPT = {"accept": "application/json"}
LINK = re.compile(r"/t/\w+/sit/[\w-]+")
HEAD = """rules language 1
rulebook classic "Slow"
  players 3 to 4
  seats red, blue, white, orange
  turns 5000
game has
  count: 0 to 9, seen by all
spaces cell (cells) by x 1 to 60, y 1 to 60
setup
  red starts
"""
TAIL = """points of player
  a: sum over cell c of (sum over n in 1 to 110 of c's x * n)
turn
  phase play
    you do go
"""
SLOW_PAGE = f"""{HEAD}action go
  needs a: (sum over cell c of (sum over n in 1 to 440 of c's x * n)) > 0 "n"
  set count to 1
{TAIL}"""
"""Rules whose pages and actions take long."""
SLOW_WHY = f"""{HEAD}action go(1 to 200 a, 1 to 200 b)
  needs h: (sum over cell c of (sum over n in 1 to 100 of c's x * n)) > 0 "n"
  needs f: a > 300 "f"
  set count to 1
action idle
  set count to 2
turn
  phase play
    you do go, idle
"""
"""Rules whose explanations take long: 40,000 instances of an illegal action."""


# ------------------------------------------------------------ the hostile visitor


@attrs.define
class Hostile:
    """Hostile visitor who does everything that might stop the server."""

    client: httpx.AsyncClient
    port: int
    until: float = float("inf")
    answers: Counter[str] = attrs.field(factory=Counter)
    idle: list[asyncio.StreamWriter] = attrs.field(factory=list)

    async def asks(self, what: str, method: str, path: str, **given: Any) -> Any:
        """Send a request, and count the response, whatever it is."""
        try:
            answer = await self.client.request(method, path, headers=SCRIPT, **given)
        except httpx.HTTPError as error:
            self.answers[f"{what} {type(error).__name__}"] += 1
            return None
        self.answers[f"{what} {answer.status_code}"] += 1
        return answer

    async def applies(self, text: str) -> str | None:
        """Create a table of slow rules, and take a seat; return its address."""
        form = {"game": "classic", "players": "3", "bots": "2"}
        first = await self.asks("table", "POST", "/tables", data=form)
        if first is None or first.status_code != OK:
            return None
        links = first.json()
        home = f"/t/{links['table']}/"
        await self.sits(next(iter(links["seats"].values())))
        query = {"seat": next(iter(links["seats"]))}
        page = await self.asks("workshop", "GET", f"{home}workshop", params=query)
        start = None if page is None else START.search(page.content)
        if start is None:
            return None
        begun = json.loads(start[1])
        changed = {"texts": {begun["file"]: text}, "rules": begun["rules"]}
        wish = {**changed, "to": "new", "try": True}
        path = f"{home}workshop/apply"
        applied = await self.asks("apply", "POST", path, params=query, json=wish)
        if applied is None or "address" not in applied.json():
            return None
        page = await self.asks("links", "GET", applied.json()["address"])
        keys = LINK.findall(page.text) if page is not None else []
        if not keys:
            return None
        await self.sits(keys[0])
        return str(keys[0]).partition("sit/")[0]

    async def sits(self, link: str) -> None:
        """Open the link of a seat."""
        await self.asks("sit", "GET", urlsplit(link).path)

    async def repeats(self, asking: Any, *given: Any) -> None:
        """Repeat an action until the time is over."""
        while time.monotonic() < self.until:
            began = time.monotonic()
            await asking(*given)
            await asyncio.sleep(max(0.2 - (time.monotonic() - began), 0))

    async def opens(self) -> None:
        """Open connections that send nothing."""
        for writer in self.idle:
            writer.close()
        self.idle.clear()
        for _ in range(IDLE):
            with suppress(OSError):
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(HOSTILE, 0)
                )
                self.idle.append(writer)
                self.answers["connections"] += 1
        await asyncio.sleep(5)

    async def prepares(self, sleeping: Any) -> tuple[str | None, str | None]:
        """Create two tables of slow rules, and take a seat of a sleeping table."""
        pages, whys = await asyncio.gather(
            self.applies(SLOW_PAGE), self.applies(SLOW_WHY)
        )
        await self.sits(next(iter(sleeping["seats"].values())))
        return pages, whys

    async def attacks(self, sleeping: Any, pages: str | None, whys: str | None) -> None:
        """Carry out all attacks at once until the time is over."""
        bot = {"seat": list(sleeping["seats"])[1], "bot": "random"}
        doing: list[Coroutine[Any, Any, None]] = [self.repeats(self.opens)]
        home = f"/t/{sleeping['table']}/bot"
        doing.append(self.repeats(self.wants_bot, home, bot))
        record = slow_record()
        doing += [self.repeats(self.hands_in, record) for _ in range(RECORDS)]
        if whys is not None:
            doing += [self.repeats(self.why, whys) for _ in range(WHY)]
        if pages is not None:
            doing += [
                self.repeats(self.asks, "page", "GET", pages) for _ in range(PAGES)
            ]
        tasks = [asyncio.create_task(each) for each in doing]
        await asyncio.sleep(max(self.until - time.monotonic(), 0))
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
        for writer in self.idle:
            writer.close()

    async def why(self, home: str) -> None:
        """Ask why an action is illegal."""
        await self.asks("why", "POST", f"{home}why", data={"action": "go"})

    async def wants_bot(self, path: str, form: Any) -> None:
        """Request a bot in the seat of somebody else."""
        await self.asks("bot", "POST", path, data=form)

    async def hands_in(self, record: bytes) -> None:
        """Upload a record."""
        await self.asks("replay", "POST", "/replay", content=record)


def slow_record() -> bytes:
    """Return a record of many slow events that contains its rules."""
    book = load_book("classic", {"classic": SLOW_PAGE})
    head = Game.start(book, players=3, seed=1).record.splitlines()[0]
    seats = book.seats[:3]
    events = (
        json.dumps({"seat": seats[number % 3], "action": "go"})
        for number in range(EVENTS)
    )
    return "".join(f"{line}\n" for line in (head, *events)).encode()


# ------------------------------------------------------------ measurements


def family(process: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield process
    path = Path(f"/proc/{process}/task/{process}/children")
    with suppress(OSError):
        for child in path.read_text(encoding="ascii").split():
            yield from family(int(child))


async def watched(process: int, peak: list[float]) -> None:
    """Record the peak memory of a process and its children, in MiB."""
    while True:
        total = 0.0
        for each in family(process):
            with suppress(OSError, StopIteration):
                total += memory(each)
        peak[0] = max(peak[0], total)
        await asyncio.sleep(OFTEN)


def lost(folder: Path, browsers: Sequence[tuple[str, str, Browser]]) -> int:
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


async def too_early(folder: Path, id: str, early: list[float]) -> None:
    """Record a bot that takes a seat before the announced wait is over."""
    began = time.monotonic()
    while (passed := time.monotonic() - began) < HostLimits().bot_wait - OFTEN:
        if await asyncio.to_thread(bots_at, folder, id):
            early.append(round(passed, 1))
            return
        await asyncio.sleep(1)


async def attacked(
    process: int, port: int, folder: Path, arguments: argparse.Namespace
) -> tuple[dict[str, Any], list[tuple[str, str, Browser]]]:
    """Let honest browsers play beside the hostile visitor; return the measurements."""
    tables = [await made(port, arguments.game, n) for n in range(arguments.tables)]
    sleeping, _ = await made(port, "classic", arguments.tables)
    players = await seated(port, tables, lambda: Seen(float("inf")), arguments.think)
    places = [(table["table"], seat) for table, _ in tables for seat in table["seats"]]
    browsers = [(*place, each) for place, each in zip(places, players, strict=True)]
    peak, early = [0.0], list[float]()
    transport = httpx.AsyncHTTPTransport(
        local_address=HOSTILE, limits=httpx.Limits(max_connections=None)
    )
    watching = asyncio.create_task(watched(process, peak))
    async with httpx.AsyncClient(
        transport=transport, base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE
    ) as client:
        hostile = Hostile(client, port)
        prepared = await hostile.prepares(sleeping)
        hostile.until = time.monotonic() + arguments.seconds
        for each in players:
            each.seen = Seen(hostile.until)
        looking = asyncio.create_task(too_early(folder, sleeping["table"], early))
        playing = [asyncio.create_task(each.plays()) for each in players]
        await asyncio.gather(hostile.attacks(sleeping, *prepared), *playing)
    watching.cancel()
    looking.cancel()
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
        "answers": {what: told(took) for what, took in times.items()},
        "slowest": round(max(max(took) for took in times.values()), 2),
        "decisions": sum(each.seen.decided for each in players),
        "MiB at most": round(peak[0]),
        "hostile": dict(sorted(hostile.answers.items())),
        "attacks without a response": [
            what
            for what in ATTACKS
            if not any(told.split()[0] == what for told in hostile.answers)
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
        running, port = served(Path(folder))
        try:
            attack = attacked(running.pid, port, Path(folder), arguments)
            result, browsers = asyncio.run(attack)
        finally:
            began = time.monotonic()
            running.terminate()
            running.wait()
        result["seconds until it ended"] = round(time.monotonic() - began, 1)
        result["lost decisions"] = lost(Path(folder), browsers)
    print(json.dumps(result, indent=2))
    broken = result["errors"] or result["lost decisions"]
    broken = broken or result["attacks without a response"]
    slow = result["slowest"] > SLOWEST or result["MiB at most"] > arguments.memory
    early = result["seconds after which a bot took a seat"]
    return 1 if broken or slow or early else 0


if __name__ == "__main__":
    sys.exit(main())
