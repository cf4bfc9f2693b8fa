"""Is a decision lost, or carried out twice, when the server of tables is killed?

    python -m benchmarks.table_kill examples/games/sealed_bids.rules --times 100
    python -m benchmarks.table_kill classic --database postgresql://me@host/base
    python -m benchmarks.table_kill classic --times 20 --postgresql

Four browsers play by HTTP. Each requests its choices, makes one, often sends it twice,
and sometimes asks for an undo. At a random moment the server receives SIGKILL. Browsers
without a response send the same again to the next server. After each kill, the database
is compared with the requests and responses: every confirmed decision is stored once,
and nothing is stored that nobody sent. `--postgresql` starts a separate PostgreSQL
server.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from typing import Any

import attrs
import httpx

from benchmarks.table_load import smallest_selection
from tests.web.support import postgresql
from workbench.files.records.record_replay import replay_text
from workbench.web.storage.journal import JournalLine, LineKind
from workbench.web.storage.rulebooks import BOOK_CACHE
from workbench.web.storage.table_state import TableState
from workbench.web.store import Store
from workbench.web.table import Table

COMMAND = [sys.executable, "-m", "workbench", "serve"]
SCRIPT = {"accept": "application/json"}
GONE = (httpx.TransportError,)
STARTS_MAX = 60.0
PLAYS = (0.0, 2.0)
"""Range of seconds after its first response in which a server is killed."""
TWICE, TAKES_BACK = 0.2, 0.04
"""Probabilities that a browser sends a decision twice, and asks for an undo."""


# ------------------------------------------------------------ the server


@attrs.define
class Server:
    """Server in its own process, at the same port each time."""

    database: str
    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start(self, words: Sequence[str]) -> dict[str, Any] | None:
        """Start the server; return its new table, if it is started with a variant."""
        shown = self.folder / "shown"
        with shown.open("wb") as out, (self.folder / "errors").open("ab") as errors:
            more = ["--json", "--port", str(self.port), "--database", self.database]
            self.process = subprocess.Popen(  # noqa: S603  (our own command)
                [*COMMAND, *words, *more],
                stdout=out,
                stderr=errors,
                start_new_session=True,
            )
        deadline = time.monotonic() + STARTS_MAX
        while time.monotonic() < deadline:
            said = shown.read_text(encoding="utf-8")
            if said.endswith("\n") and self.answers():
                table: dict[str, Any] | None = json.loads(said).get("table")
                return table
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        errors_said = (self.folder / "errors").read_text(encoding="utf-8")
        raise SystemExit(f"the server does not start: {errors_said[-2000:]}")

    def answers(self) -> bool:
        """Return whether the server answers."""
        try:
            httpx.get(f"{self.url}/nothing", timeout=5)
        except GONE:
            return False
        return True

    def kill(self) -> None:
        """Kill the server and all its child processes."""
        if self.process is not None and self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


# ------------------------------------------------------------ browsers


@attrs.define(eq=False)
class Attempt:
    """Decision that a browser has sent: its page, and the response.

    `version` is that of the response. Without one, the decision may be stored or not.
    """

    seat: str
    at: int
    texts: tuple[str, ...]
    version: int | None = None
    refused: bool = False


@attrs.define(eq=False)
class Browser:
    """Person at the table who makes random choices."""

    seat: str
    link: str
    numbers: Random
    counts: Counter[str]
    sent: list[Attempt] = attrs.field(factory=list)
    seen: int = 0
    _unanswered: Attempt | None = None
    _client: httpx.Client = attrs.field(factory=lambda: httpx.Client(timeout=20))

    @property
    def home(self) -> str:
        """Address of the table."""
        return self.link.partition("/sit/")[0]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def plays(self, until: Callable[[], bool]) -> None:
        """Play until the server is about to be killed, or is gone."""
        try:
            if not self._client.cookies:
                self._client.get(self.link)
            while not until():
                self.step()
        except GONE:
            self.counts["cut off"] += 1

    def step(self) -> None:
        """Request the state, and decide something if it is this seat's turn."""
        if self._unanswered is not None:
            self.counts["sent again after a kill"] += 1
            self.send(self._unanswered)
        answer = self._client.get(f"{self.home}/now")
        if answer.status_code != httpx.codes.OK:
            self.counts[f"now {answer.status_code}"] += 1
            time.sleep(0.2)
            return
        now = answer.json()
        if now["version"] < self.seen:
            raise AssertionError(f"{self.seat} has seen more than there is now")
        self.seen = now["version"]
        texts = self.chosen(now["choices"])
        if texts and self.numbers.random() < TAKES_BACK:
            self._client.post(f"{self.home}/undo", headers=SCRIPT)
        elif texts:
            self.decide(Attempt(self.seat, now["version"], texts))
        else:
            self._client.post(f"{self.home}/agree", headers=SCRIPT)
            time.sleep(0.02)

    def decide(self, attempt: Attempt) -> None:
        """Send a decision, sometimes twice."""
        self.sent.append(attempt)
        self.send(attempt)
        if attempt.version is not None and self.numbers.random() < TWICE:
            self.counts["sent twice"] += 1
            if self.post(attempt).status_code == httpx.codes.OK:
                raise AssertionError(f"{attempt} was done twice")

    def send(self, attempt: Attempt) -> None:
        """Send a decision and note the response."""
        self._unanswered = attempt
        answer = self.post(attempt)
        self._unanswered = None
        if answer.status_code == httpx.codes.OK:
            attempt.version = answer.json()["version"]
            self.counts["answered"] += 1
        else:
            attempt.refused = True
            self.counts[f"refused {answer.status_code}"] += 1

    def post(self, attempt: Attempt) -> httpx.Response:
        """Post a decision; return the response."""
        form = {"at": str(attempt.at), "action": list(attempt.texts)}
        return self._client.post(f"{self.home}/do", data=form, headers=SCRIPT)

    def chosen(self, choices: dict[str, Any]) -> tuple[str, ...]:
        """Return a random choice; an empty tuple if the seat does not decide."""
        texts: list[tuple[str, ...]] = []
        for action in choices["actions"]:
            if "form" not in action:
                for values in action["options"]:
                    named = f"{action['name']}({', '.join(values)})"
                    texts.append((named if values else action["name"],))
        for form in choices["forms"]:
            lead = () if form["lead"] is None else (form["lead"],)
            texts.append((*lead, *map(smallest_selection, form["rows"])))
        return self.numbers.choice(texts) if texts else ()


# ------------------------------------------------------------ stored decisions


@attrs.frozen
class Unit:
    """Stored decision of a person."""

    seat: str
    number: int
    texts: tuple[str, ...]


def units(lines: Sequence[JournalLine]) -> Iterator[Unit]:
    """Yield the decisions of people, each once: held in advance, or done at once."""
    held: dict[str, list[int]] = {}
    for line in lines:
        seat = line.by
        if line.sort is LineKind.HELD:
            held.setdefault(seat, []).append(line.number)
            yield Unit(seat, line.number, tuple(line.content["texts"]))
        elif line.sort is LineKind.DROPPED:
            held[seat] = held.get(seat, [])[: line.content["left"]]
        elif line.sort is LineKind.EVENT and line.number == line.decision and seat:
            if held.get(seat):
                del held[seat][0]
                continue
            own = [each for each in lines if each.decision == line.number]
            said = [each.content for each in own]
            texts = tuple(each["action"] for each in said if "action" in each)
            yield Unit(seat, line.number, texts)


def differences(
    lines: Sequence[JournalLine], browsers: Sequence[Browser]
) -> Iterator[str]:
    """Yield differences between the database and the requests."""
    numbers = [line.number for line in lines]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the lines are not numbered from 1 on: {numbers}"
    stored = list(units(_without_restored(lines)))
    for browser in browsers:
        own = [unit for unit in stored if unit.seat == browser.seat]
        place = 0
        for attempt in browser.sent:
            unit = own[place] if place < len(own) else None
            fits = unit is not None and unit.number > attempt.at
            fits = fits and unit is not None and _same(attempt, unit)
            if attempt.version is not None and not fits:
                yield f"lost: {attempt}, there is {unit}"
            if fits and unit is not None:
                if attempt.version is not None and unit.number > attempt.version:
                    yield f"stored after it was confirmed: {attempt}, {unit}"
                answered = attempt.version is not None
                place += answered or _is_next(unit, browser, attempt)
        if place != len(own):
            yield (
                "nobody sent these decisions, or they were carried out twice: "
                f"{own[place:]}"
            )


def _without_restored(lines: Sequence[JournalLine]) -> list[JournalLine]:
    """Return the lines without those that the table itself added after an undo."""
    kept: list[JournalLine] = []
    restoring = False
    for line in lines:
        restoring = line.sort is LineKind.UNDONE or (
            restoring and line.sort is LineKind.HELD
        )
        if not (restoring and line.sort is LineKind.HELD):
            kept.append(line)
    return kept


def _same(attempt: Attempt, unit: Unit) -> bool:
    """Return whether a stored decision is the one sent.

    The server adds actions to the decisions of a form, so these are not compared.
    """
    if len(attempt.texts) > 1 or " " in attempt.texts[0]:
        return True
    return attempt.texts == unit.texts


def _is_next(unit: Unit, browser: Browser, attempt: Attempt) -> bool:
    """Return whether an unanswered decision was stored, not the one after it."""
    later = browser.sent[browser.sent.index(attempt) + 1 :]
    return not later or unit.number <= later[0].at


# ------------------------------------------------------------ benchmark


@attrs.define
class Bench:
    """Tables played one after another while their server is killed."""

    variant: str
    server: Server
    store: Store
    numbers: Random
    counts: Counter[str] = attrs.field(factory=Counter)
    browsers: list[Browser] = attrs.field(factory=list)
    table: str = ""
    said: list[str] = attrs.field(factory=list)

    def moment(self) -> None:
        """Start the server, let people play, kill it, and compare."""
        words = [] if self.goes_on() else [self.variant, "--players", "4"]
        made = self.server.start(words)
        if made is not None:
            self.table = made["table"]
            self.counts["tables"] += 1
            self.close()
            self.browsers = [
                Browser(seat, link, Random(self.numbers.random()), self.counts)
                for seat, link in made["seats"].items()
            ]
        ends, failed = Event(), ThreadErrors()
        answered = self.counts["answered"]
        threads = [
            Thread(target=failed.noted, args=(browser.plays, ends.is_set))
            for browser in self.browsers
        ]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + 30
        while self.counts["answered"] == answered and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(self.numbers.uniform(*PLAYS))
        self.server.kill()
        ends.set()
        for thread in threads:
            thread.join()
        self.said += failed.said
        self.look()

    def close(self) -> None:
        """Close the connections of all browsers."""
        for browser in self.browsers:
            browser.close()

    def goes_on(self) -> bool:
        """Return whether the table exists and its game is not over."""
        kept = self.store.read(self.table) if self.table else None
        return kept is not None and kept.state == "open"

    def look(self) -> None:
        """Compare the database with the requests and responses."""
        kept = self.store.read(self.table)
        if kept is None:
            self.said.append(f"the table {self.table} is gone")
            return
        self.said += differences(kept.lines, self.browsers)
        book = BOOK_CACHE.from_texts(kept.texts, kept.variant)
        table = Table(self.store, kept, book)
        again = replay_text(table.game.record, book)
        if (
            again.divergence is not None
            or TableState.from_lines(kept.lines) != table.state
        ):
            self.said.append(f"{self.table} does not replay: {again.sentence}")
        self.counts["lines"] = len(kept.lines)


@attrs.define
class ThreadErrors:
    """Errors in threads."""

    said: list[str] = attrs.field(factory=list)
    _lock: Lock = attrs.field(factory=Lock)

    def noted(self, plays: Callable[[Callable[[], bool]], None], until: Any) -> None:
        """Let a browser play, and note its errors."""
        try:
            plays(until)
        except Exception as error:  # noqa: BLE001  (told at the end)
            with self._lock:
                self.said.append(f"{type(error).__name__}: {error}")


def free_port() -> int:
    """Return a port that is free."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


@contextmanager
def bench(variant: str, database: str | None, seed: int) -> Iterator[Bench]:
    """Prepare the server and the store in a temporary folder."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        url = database or f"sqlite:///{folder / 'tables.sqlite'}"
        server = Server(url, folder, free_port())
        store = Store.open(url)
        played = Bench(variant, server, store, Random(seed))
        try:
            yield played
        finally:
            played.close()
            server.kill()
            store.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if no decision is lost or carried out twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", nargs="?", default="classic")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default=None)
    parser.add_argument("--postgresql", action="store_true")
    asked = parser.parse_args(arguments)
    with ExitStack() as stack:
        own = stack.enter_context(postgresql()) if asked.postgresql else None
        played = stack.enter_context(
            bench(asked.variant, own or asked.database, asked.seed)
        )
        sys.stdout.write(f"on {played.store.engine.dialect.name}, {asked.variant}\n")
        for number in range(1, asked.times + 1):
            played.moment()
            counts = ", ".join(
                f"{n} {what}" for what, n in sorted(played.counts.items())
            )
            sys.stdout.write(f"{number}: {counts}\n")
            sys.stdout.flush()
            if played.said:
                sys.stdout.write("\n".join([*played.said[:10], ""]))
                return 1
    sys.stdout.write(
        "no confirmed decision is missing, and none was carried out twice\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
