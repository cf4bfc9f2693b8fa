"""Hostile visitor of a server of tables, in a process of its own.

    python -m benchmarks.hostile PORT SECONDS TABLE

`benchmarks.table_attack` starts it. It prepares its attacks at 127.0.0.2, prints a
line, and waits for one. Then it carries out all attacks at once for SECONDS seconds.
It prints how many responses of each kind it got, as JSON. TABLE is a sleeping table
whose first seat it takes, as JSON: its address and the links of its seats.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import attrs
import httpx

from benchmarks.table_load import OK, START
from interpreter import Game
from workbench.web.sandbox.rule_texts import load_book

HOSTILE = "127.0.0.2"
WHY, PAGES, IDLE, RECORDS, EVENTS = 6, 60, 1_100, 2, 4_000
PATIENCE = 60.0
"""Seconds after which the hostile visitor gives up a request."""
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
    """Hostile visitor, who tries everything that could stop the server."""

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


async def visit(port: int, seconds: float, sleeping: Any) -> Counter[str]:
    """Prepare and carry out all attacks; return the responses, counted by kind."""
    transport = httpx.AsyncHTTPTransport(
        local_address=HOSTILE, limits=httpx.Limits(max_connections=None)
    )
    async with httpx.AsyncClient(
        transport=transport, base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE
    ) as client:
        hostile = Hostile(client, port)
        prepared = await hostile.prepares(sleeping)
        print("prepared", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        hostile.until = time.monotonic() + seconds
        await hostile.attacks(sleeping, *prepared)
    return hostile.answers


if __name__ == "__main__":
    counted = asyncio.run(
        visit(int(sys.argv[1]), float(sys.argv[2]), json.loads(sys.argv[3]))
    )
    print(json.dumps(dict(sorted(counted.items()))))
