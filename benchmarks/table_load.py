"""How many tables can a server carry?

    python -m benchmarks.table_load [GAME] [--tables 200] [--seconds 120] [--think 8]

Starts `rulebook serve` on 127.0.0.1 with default limits, and seats four simulated
browsers at each table. Each listens to the news and requests what is new. When it must
decide, it makes a random choice, after a time of thought around `--think` seconds. The
browsers of a table have their own address, reported as by a proxy. Prints responses,
errors, decisions per second, response times, the server's processor time, and the
memory per table. The exit code is 1 if any response was an error.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode, urlsplit

import attrs

OK, SEE_OTHER, CONFLICT = 200, 303, 409
FILES = 20_000
START = re.compile(rb'id="start">(.*?)</script>', re.DOTALL)
"""Pattern for the initial data of a page's script."""
NAME = "http://tables.example"
FORM = "application/x-www-form-urlencoded"


# ------------------------------------------------------------ connections


@attrs.define
class Connection:
    """Persistent connection to a server on this machine."""

    port: int
    address: str
    cookie: str = ""
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self.port, limit=4_000_000
        )

    async def send(self, method: str, path: str, form: Any = None) -> tuple[int, Any]:
        """Send a request; return the status and headers of the response."""
        if self._reader is None or self._reader.at_eof():
            await self.open()
        assert self._reader is not None
        assert self._writer is not None
        body = b"" if form is None else urlencode(form, doseq=True).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: tables.example\r\n"
            f"Accept: application/json\r\nX-Forwarded-For: {self.address}\r\n"
            f"Cookie: {self.cookie}\r\nContent-Type: {FORM}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        text = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = text.rstrip().split("\r\n")
        headers = [line.split(": ", 1) for line in lines]
        return int(first.split()[1]), [(name.lower(), value) for name, value in headers]

    async def ask(self, method: str, path: str, form: Any = None) -> Any:
        """Send a request; return the status, headers and body of the response."""
        status, headers = await self.send(method, path, form)
        assert self._reader is not None
        size = int(dict(headers).get("content-length", "0"))
        body = await self._reader.readexactly(size)
        return status, headers, body

    async def line(self) -> bytes:
        """Return the next line of a stream."""
        assert self._reader is not None
        return await self._reader.readline()

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()


# ------------------------------------------------------------ browsers


@attrs.define
class Seen:
    """Measurements of all browsers."""

    until: float
    answers: dict[str, list[float]] = attrs.field(factory=lambda: defaultdict(list))
    sizes: Counter[str] = attrs.field(factory=Counter)
    errors: Counter[str] = attrs.field(factory=Counter)
    decided: int = 0
    refused: int = 0
    over: int = 0


@attrs.define
class Browser:
    """Person at a table who makes random choices."""

    connection: Connection
    listening: Connection
    home: str
    seen: Seen
    numbers: Random
    think: float
    digests: dict[str, str] = attrs.field(factory=dict)
    version: int = 0
    choices: Any = None
    news: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def sits(self, link: str) -> None:
        """Open the link of a seat, then the page."""
        status, headers, _ = await self.connection.ask("GET", urlsplit(link).path)
        assert status == SEE_OTHER, status
        cookies = [v.partition(";")[0] for n, v in headers if n == "set-cookie"]
        self.connection.cookie = self.listening.cookie = "; ".join(cookies)
        page = await self.asks("page", "GET", self.home)
        start = START.search(page or b"")
        assert start is not None, page
        self.takes(json.loads(start[1]))

    async def asks(self, what: str, method: str, path: str, form: Any = None) -> Any:
        """Send a request; note its duration and its errors."""
        began = time.perf_counter()
        status, _, body = await self.connection.ask(method, path, form)
        self.seen.answers[what].append(time.perf_counter() - began)
        self.seen.sizes[what] += len(body)
        if status == CONFLICT:
            self.seen.refused += 1
        elif status != OK:
            self.seen.errors[f"{what} {status}"] += 1
            return None
        return body if what == "page" else self.takes(json.loads(body))

    def takes(self, told: Any) -> Any:
        """Apply what is new."""
        self.version, self.choices = told["version"], told["choices"]
        self.digests.update(told["digests"])
        return told

    async def listens(self) -> None:
        """Listen for newer versions."""
        path = f"{self.home}news?after={self.version}"
        status, _ = await self.listening.send("GET", path)
        if status != OK:
            self.seen.errors[f"news {status}"] += 1
            return
        while line := await self.listening.line():
            if line.startswith(b"data: ") and int(line[6:]) > self.version:
                self.news.set()

    async def plays(self) -> None:
        """Request what is new, think and decide, until the time is over.

        Browsers come within the first `think` seconds: all at the same moment would
        measure 200 pages at once, not a table.
        """
        await asyncio.sleep(self.think * self.numbers.random())
        listener = asyncio.create_task(self.listens())
        while time.monotonic() < self.seen.until:
            actions = self.chosen()
            if not actions:
                await self.waits(self.seen.until - time.monotonic())
                continue
            at = self.version
            await asyncio.sleep(self.think * (0.5 + self.numbers.random()))
            if time.monotonic() >= self.seen.until:
                break
            form = {"action": actions, "at": at, "have": self.have}
            told = await self.asks("do", "POST", f"{self.home}do", form)
            self.seen.decided += bool(told and told["ok"])
        listener.cancel()
        self.connection.close()
        self.listening.close()

    async def waits(self, seconds: float) -> None:
        """Wait for news, and request them."""
        try:
            async with asyncio.timeout(max(seconds, 0.01)):
                await self.news.wait()
        except TimeoutError:
            return
        self.news.clear()
        await self.asks("now", "GET", f"{self.home}now?have={self.have}")

    @property
    def have(self) -> str:
        """Parts that the page has, in the form that its script sends."""
        return ",".join(f"{name}:{digest}" for name, digest in self.digests.items())

    def chosen(self) -> list[str]:
        """Return a random choice; an empty list if the seat does not decide."""
        if not self.choices["decides"]:
            return []
        offered: list[list[str]] = []
        for action in self.choices["actions"]:
            if "form" not in action:
                for given in action["options"]:
                    named = f"{action['name']}({', '.join(given)})"
                    offered.append([named if given else action["name"]])
        for form in self.choices["forms"]:
            lead = [form["lead"]] if form["lead"] else []
            offered.append([*lead, *map(smallest_selection, form["rows"])])
        return self.numbers.choice(offered) if offered else []


def smallest_selection(row: Any) -> str:
    """Return the smallest selection of cards that a row accepts, in their order."""
    left, picks = max(row["fewest"], min(1, row["most"])), []
    for pick in row["picks"]:
        count = min(left, pick["most"])
        left -= count
        picks += [f"{count} {pick['card']}"] if count else []
    return f"{row['name']}({', '.join(picks)})"


# ------------------------------------------------------------ the server


def start_server(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Start a server in its own process; return it and its port."""
    command = [sys.executable, "-m", "workbench", "serve", "--json", "--port", "0"]
    command += ["--url", NAME, "--database", f"sqlite:///{folder / 'tables.sqlite'}"]
    running = subprocess.Popen(  # noqa: S603  (our own command)
        command, stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    if not running.stdout.readline():
        raise SystemExit("the server does not start")
    targets = []
    for link in Path(f"/proc/{running.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since
            targets.append(str(link.readlink()))
    inodes = {
        target.removeprefix("socket:[").rstrip("]")
        for target in targets
        if target.startswith("socket:[")
    }
    for row in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        cells = row.split()
        if cells[9] in inodes and cells[3] == "0A":
            return running, int(cells[1].rpartition(":")[2], 16)
    raise SystemExit("the server does not listen")


def memory(process: int) -> float:
    """Return the memory of a process in MiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def processor(process: int) -> float:
    """Return the processor seconds of a process."""
    cells = Path(f"/proc/{process}/stat").read_text(encoding="ascii").split()
    return (int(cells[13]) + int(cells[14])) / os.sysconf("SC_CLK_TCK")


async def create_table(port: int, game: str, number: int) -> Any:
    """Create a table; return its links and the address of its browsers."""
    address = f"10.1.{number // 250}.{number % 250 + 1}"
    connection = Connection(port, address)
    status, _, body = await connection.ask("POST", "/tables", {"game": game})
    connection.close()
    if status != OK:
        raise SystemExit(f"no table: {status} {body[:300]!r}")
    return json.loads(body), address


async def browsers_at_tables(
    port: int, tables: Sequence[Any], seen: Callable[[], Seen], think: float
) -> list[Browser]:
    """Return a browser for each seat of some tables, in order."""
    browsers = []
    for number, (table, address) in enumerate(tables):
        for place, link in enumerate(table["seats"].values()):
            browser = Browser(
                *(Connection(port, address), Connection(port, address)),
                f"/t/{table['table']}/",
                seen(),
                Random(number * 10 + place),
                think,
            )
            await browser.sits(link)
            browsers.append(browser)
    return browsers


async def measure_load(
    process: int, port: int, arguments: argparse.Namespace
) -> dict[str, Any]:
    """Let all browsers play; return the measurements."""
    await create_table(port, arguments.game, 0)
    before = memory(process)
    tables = [
        await create_table(port, arguments.game, n) for n in range(arguments.tables)
    ]
    bare = memory(process)
    seen = Seen(float("inf"))
    browsers = await browsers_at_tables(port, tables, lambda: seen, arguments.think)
    began, used = time.monotonic(), processor(process)
    seen.until = began + arguments.seconds
    await asyncio.gather(*(browser.plays() for browser in browsers))
    seconds = time.monotonic() - began
    return {
        "game": arguments.game,
        "tables": arguments.tables,
        "browsers": len(browsers),
        "seconds": round(seconds, 1),
        "think": arguments.think,
        "errors": dict(seen.errors),
        "refused": seen.refused,
        "decisions per second": round(seen.decided / seconds, 1),
        "responses per second": round(
            sum(len(seen.answers[what]) for what in ("now", "do")) / seconds, 1
        ),
        "answers": {
            what: time_statistics(times) for what, times in seen.answers.items()
        },
        "kB per response": {
            what: round(size / len(seen.answers[what]) / 1000, 1)
            for what, size in seen.sizes.items()
        },
        "server's share of a core": round((processor(process) - used) / seconds, 2),
        "MiB per new table": round((bare - before) / arguments.tables, 2),
        "MiB per played table": round((memory(process) - before) / arguments.tables, 2),
        "MiB of the server": round(memory(process)),
    }


def time_statistics(times: Sequence[float]) -> dict[str, float]:
    """Return statistics of response times, in milliseconds."""
    ordered = sorted(times)

    def at(part: float) -> float:
        return round(ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1e3, 1)

    return {"number": len(ordered), "median": at(0.5), "95 %": at(0.95), "most": at(1)}


def main() -> int:
    """Serve, let browsers play, and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="germany")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=8)
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    with TemporaryDirectory() as folder:
        running, port = start_server(Path(folder))
        try:
            result = asyncio.run(measure_load(running.pid, port, arguments))
        finally:
            running.terminate()
            running.wait()
    print(json.dumps(result, indent=2))
    return 1 if result["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
