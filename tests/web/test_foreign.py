"""Workers play untrusted rules; the server process never does."""

import asyncio
import json
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import rulebook
from interpreter import Game
from tests.web.test_full_disk import full
from tests.web.test_host import until
from tests.web.test_serve import DARE as NAMED
from tests.web.test_serve import PATIENT, served
from tests.web.visiting import DARE, SCRIPT, Made, Server, played, serving, with_server
from workbench.web.host import HostLimits as HostBounds
from workbench.web.keys import OWNER, SEAT, derive_keys
from workbench.web.request_limits import Rate
from workbench.web.sandbox.process_limits import WorkerLimits
from workbench.web.sessions import key_link
from workbench.web.storage.journal import LineKind
from workbench.web.store import texts_digest
from workbench.web.worker_pool.base_table import RemoteTable
from workbench.web.worker_pool.pool import WorkerPool

TEXT = Path(DARE).read_text(encoding="utf-8")
FOREIGN = TEXT.replace('"Dare"', '"Dare from elsewhere"')
SLOW = (Path(__file__).parent / "slow.rules").read_text(encoding="utf-8")
SOON = 5.0
STOPPED_IN = 20.0
"""Maximum seconds from a signal until the server has stopped, on a busy machine.

The slow rules would keep it busy for minutes.
"""


def of_foreign(book: rulebook.Rulebook) -> bool:
    """Return whether a book has other texts than the file named by the operator."""
    return not book.shipped and TEXT not in book.files.values()


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if this process reads untrusted texts, or plays a game of them."""

    def reads(name: str) -> None:
        reader = getattr(rulebook, name)

        def read(text: str, *given: Any, **settings: Any) -> Any:
            assert text == TEXT, f"{name} of foreign rules"
            return reader(text, *given, **settings)

        monkeypatch.setattr(rulebook, name, read)

    def plays(name: str, book_at: int) -> None:
        player = getattr(Game, name)

        def play(*given: Any, **settings: Any) -> Any:
            assert not of_foreign(given[book_at]), f"{name} of foreign rules"
            return player(*given, **settings)

        monkeypatch.setattr(Game, name, play)

    for name in ("loads", "examine_text"):
        reads(name)
    plays("start", 0)
    plays("replay", 1)
    plays("from_any_position", 0)


async def foreign(server: Server, text: str = FOREIGN, **more: Any) -> Made:
    """Return a table whose rules were changed in the workshop."""
    made = await server.table(seed=3, **more)
    owner = await made.sat(OWNER)
    document = {"texts": {"dare": text}, "rules": texts_digest(made.table.texts)}
    place = f"{made.home}workshop/apply"
    answer = await owner.post(place, json=document, headers=SCRIPT)
    assert answer.json()["applied"], answer.text
    return made


async def remote_table_of(made: Made) -> RemoteTable:
    """Return the server's part of a table with untrusted rules."""
    table = await made.server.host.get_any_table(made.table.id)
    assert isinstance(table, RemoteTable)
    return table


async def decide(made: Made, browser: httpx.AsyncClient) -> httpx.Response:
    """Post any decision that the page of an untrusted table offers."""
    now = (await browser.get(f"{made.home}now", headers=SCRIPT)).json()
    action = now["choices"]["actions"][0]["name"]
    form = {"action": action, "at": str(now["version"])}
    return await browser.post(f"{made.home}do", data=form, headers=SCRIPT)


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.05)


# ---------------------------------------------------------------- untrusted rules


@played
async def test_server_never_reads_or_plays_untrusted_rules(
    tmp_path: Path,
) -> None:
    seats = {"left": "person", "right": "random"}
    async with serving(tmp_path) as server:
        with pytest.MonkeyPatch.context() as patched:
            forbid(patched)
            made = await foreign(server, seats=seats)
            browser = await made.sat("left", OWNER)
            paths = ("", "now", "rules", "links", "replay", "replay/at", "workshop")
            for path in paths:
                answer = await browser.get(f"{made.home}{path}")
                assert answer.status_code == 200, (path, answer.text)
            assert "Dare from elsewhere" in (await browser.get(made.home)).text
            form = {"action": "lay_aside"}
            why = await browser.post(f"{made.home}why", data=form, headers=SCRIPT)
            assert why.json()["why"]["legal"]
            table = await remote_table_of(made)
            while not table.over:
                answer = await decide(made, browser)
                assert answer.status_code == 200, answer.text
                version = table.version
                if not table.over:
                    await eventually(lambda: not table.bot_is_due())
                    assert table.version > version, "the bot has played"
            form = {"at": str(table.version)}
            undo = await browser.post(f"{made.home}undo", data=form, headers=SCRIPT)
            assert undo.json()["refused"]["key"] == "ended"
            record = await browser.get(f"{made.home}replay/record")
            assert "from elsewhere" in record.text
            summary = await browser.get(f"{made.home}replay/summary", headers=SCRIPT)
            assert "h-ranking" in summary.json()["summary"]
            again = await browser.post(f"{made.home}again")
            assert again.status_code == 303
            assert (await browser.get(again.headers["location"])).status_code == 200
            form = {"at": "2", "with": "bots"}
            onward = await browser.post(f"{made.home}replay/go-on", data=form)
            assert (await browser.get(onward.headers["location"])).status_code == 200
            handed = await browser.post("/replay", content=record.content)
            assert handed.status_code == 303, handed.text
            address = handed.headers["location"]
            assert "from elsewhere" in (await browser.get(address)).text
            assert "h-ranking" in (await browser.get(f"{address}/summary")).text
            onward = await browser.post(f"{address}/go-on", data=form)
            assert (await browser.get(onward.headers["location"])).status_code == 200


@with_server()
async def test_audit_detects_untrusted_rules_in_this_process(server: Server) -> None:
    server.host.workers, workers = None, server.host.workers
    with pytest.MonkeyPatch.context() as patched:
        forbid(patched)
        with pytest.raises(AssertionError, match="of foreign rules"):
            await server.host.create_table(DARE, texts={"dare": FOREIGN})
    server.host.workers = workers


@with_server()
async def test_table_with_its_original_texts_is_trusted_again(server: Server) -> None:
    made = await foreign(server)
    owner, table = await made.sat(OWNER), await remote_table_of(made)
    document = {"texts": {"dare": TEXT}, "rules": texts_digest(table.texts)}
    place = f"{made.home}workshop/apply"
    assert (await owner.post(place, json=document, headers=SCRIPT)).json()["applied"]
    assert (await server.host.get_table(made.table.id)).book.title == "Dare"


# ---------------------------------------------------------------- durability


@with_server()
async def test_a_killed_worker_loses_no_decision(server: Server) -> None:
    made = await foreign(server)
    browser = await made.sat("left", "right")
    asked = f"{made.home}now?seat={made.due}"
    now = (await browser.get(asked, headers=SCRIPT)).json()
    form = {"action": "lay_aside", "at": str(now["version"])}
    place = f"{made.home}do?seat={made.due}"
    assert (await browser.post(place, data=form, headers=SCRIPT)).json()["ok"]
    table = await remote_table_of(made)
    version = table.version
    assert version > now["version"]
    assert server.host.workers is not None
    server.host.workers.stop_worker(table.id)
    again = (await browser.get(asked, headers=SCRIPT)).json()
    assert again["version"] == version


@with_server()
async def test_presence_is_stored_without_a_worker(server: Server) -> None:
    made = await foreign(server)
    browser, table = await made.sat("left"), await remote_table_of(made)
    assert (await browser.get(made.home)).status_code == 200
    host = server.host
    await host.append_lines(table.id, lambda here: here.set_away("right", away=True))
    assert table.state.away == {"right"}
    assert "away" in (await browser.get(made.home)).text
    kept = host.store.read(table.id)
    assert kept is not None
    assert kept.lines[-1].sort == LineKind.LEFT


@played
async def test_requested_bot_takes_a_seat_of_an_untrusted_table(tmp_path: Path) -> None:
    bounds = HostBounds(bot_delay=0, away=3_600, bot_wait=0.2)
    async with serving(tmp_path, bounds=bounds) as server:
        host = server.host
        made = await foreign(server)
        asker, table = await made.sat("left"), await remote_table_of(made)
        form = {"seat": "right", "bot": "random"}
        answer = await asker.post(f"{made.home}bot", data=form, headers=SCRIPT)
        assert answer.status_code == 200, answer.text
        assert "random takes over after" in (await asker.get(made.home)).text
        assert table.seat_state("right").stand_in is None
        await host.append_lines(
            table.id, lambda here: here.set_away("right", away=True)
        )
        await until(lambda: table.seat_state("right").stand_in == "random")
        assert "random now plays for" in (await asker.get(made.home)).text


@with_server()
async def test_untrusted_table_announces_the_keys_of_a_browser(server: Server) -> None:
    made = await foreign(server)
    owner, other = await made.sat(OWNER, "right"), await made.sat("left")
    assert (await owner.get(made.home)).status_code == 200
    page = await other.get(made.home)
    assert "The table owner&#39;s browser has opened the link" in page.text


@with_server()
async def test_untrusted_table_reports_a_full_disk(server: Server) -> None:
    made = await foreign(server)
    browser, table = await made.sat("left"), await remote_table_of(made)
    url, workers = f"{made.home}name", made.server.host.workers
    assert workers is not None
    assert (await browser.get(made.home)).status_code == 200
    worker = workers.process_of(table.id)
    with full(server):
        for number in range(2_000):
            version, form = table.version, {"name": f"{number:040}"}
            answer = await browser.post(url, data=form, headers=SCRIPT)
            if answer.status_code != 200:
                break
        assert answer.status_code == 507, answer.text
        assert "the disk is full" in answer.text
        assert workers.process_of(table.id) is worker, "it goes on"
        assert table.version == version
    answer = await browser.post(url, data={"name": "Ada"}, headers=SCRIPT)
    assert answer.status_code == 200
    assert table.seat_state("left").name == "Ada"


# ---------------------------------------------------------------- bounds


@played
async def test_slow_rules_are_stopped_with_a_message(
    tmp_path: Path,
) -> None:
    workers = WorkerPool(answer_limits=WorkerLimits(cpu=1, seconds=0.2))
    async with serving(tmp_path, workers=workers) as server:
        made = await foreign(server)
        browser = await made.sat("left")
        assert (await browser.get(made.home)).status_code == 200
        process = workers.process_of(made.table.id)
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        answer = await browser.get(made.home)
        assert answer.status_code == 503
        assert "took too long" in answer.text
        german = {"accept-language": "de"}
        assert (await browser.get(made.home, headers=german)).status_code == 200


@with_server()
async def test_rules_that_need_too_much_memory_are_stopped_with_a_message(
    server: Server,
) -> None:
    made = await foreign(server)
    assert server.host.workers is not None
    server.host.workers.loading_limits = WorkerLimits(memory=100 << 20, seconds=20)
    answer = await (await made.sat("left")).get(made.home)
    assert answer.status_code == 503
    assert "were stopped" in answer.text


@played
async def test_a_client_has_a_share_of_the_workers(tmp_path: Path) -> None:
    async with serving(
        tmp_path, workers=WorkerPool(client_rate=Rate(1, 100))
    ) as server:
        made = await foreign(server)
        browser = await made.sat("left")
        last = await browser.get(made.home)
        assert last.status_code == 429
        assert int(last.headers["retry-after"]) > 1
        other = await made.sat("left", address="203.0.113.9")
        assert (await other.get(made.home)).status_code == 200


@played
async def test_slow_records_do_not_block_others(tmp_path: Path) -> None:
    steps = SLOW.replace("action go(1 to 200 a, 1 to 200 b)", "action go")
    steps = steps.replace('  needs f: a > 300 "f"\n', "")
    head, *_ = Game.start(rulebook.loads(steps, "slow.rules"), seed=1).record.split(
        "\n"
    )
    events = [
        json.dumps({"seat": ("left", "right")[number % 2], "action": "go"})
        for number in range(4_000)
    ]
    slow = "\n".join([head, *events])
    honest = Game.start(rulebook.loads(TEXT, "dare.rules"), seed=1).record
    workers = WorkerPool(WorkerLimits(cpu=6, seconds=100))
    async with serving(tmp_path, workers=workers) as server:

        async def handed(record: str, address: str) -> httpx.Response:
            browser = server.browser(address, **SCRIPT)
            return await browser.post("/replay", content=record.encode())

        *refused, accepted = await asyncio.gather(
            handed(slow, "198.51.100.1"),
            handed(slow, "198.51.100.1"),
            handed(honest, "198.51.100.2"),
        )
        for answer in refused:
            assert answer.status_code == 503
            assert answer.json()["refused"]["key"] == "rules_time"
        assert accepted.status_code == 200


# ---------------------------------------------------------------- as a process


def children(of: int) -> list[int]:
    """Return the running child processes of a process."""
    running = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = place.read_text().rpartition(") ")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == of and state != "Z":
            running.append(int(place.parent.name))
    return running


def see_gone(processes: list[int]) -> None:
    """Check that processes end soon."""
    ends = time.monotonic() + STOPPED_IN
    while any(Path(f"/proc/{each}").exists() for each in processes):
        assert time.monotonic() < ends, "a worker has stayed behind"
        time.sleep(0.05)


def slow_table(browser: httpx.Client, said: Any) -> str:
    """Return the address of a new table whose rules take long to explain an action."""
    made, url = said["table"], said["url"].rstrip("/")
    for link in (made["owner"], *made["seats"].values()):
        browser.get(link)
    page = browser.get(f"{url}/t/{made['table']}/workshop?seat=left").text
    rules = re.search(r'"rules": ?"(\w{64})"', page)
    assert rules, page
    document = {"texts": {"dare": SLOW}, "rules": rules[1], "to": "new"}
    place = f"{url}/t/{made['table']}/workshop/apply?seat=left"
    answer = browser.post(place, json=document, headers=SCRIPT).json()
    address = str(answer["address"]).removesuffix("links")
    owner = next(
        cookie.value for cookie in browser.cookies.jar if cookie.path == address
    )
    key = derive_keys(str(owner), ("left", "right"))[SEAT, "left"]
    browser.get(key_link(url, address.split("/")[2], key))
    return f"{url}{address}"


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_slow_rules_block_neither_other_tables_nor_shutdown(
    number: signal.Signals, tmp_path: Path
) -> None:
    with served(NAMED, folder=tmp_path) as process:
        with httpx.Client(timeout=PATIENT, follow_redirects=True) as browser:
            home = slow_table(browser, process.said)
            cookies = browser.cookies

        async def load() -> list[int]:
            async with httpx.AsyncClient(cookies=cookies, timeout=PATIENT) as client:
                asked = [
                    asyncio.create_task(
                        client.post(f"{home}why", data={"action": "go"}, headers=SCRIPT)
                    )
                    for _ in range(6)
                ]
                told = (await next(asyncio.as_completed(asked))).json()["why"]
                assert " of 40000 combinations" in told["stopped"]
                other = process.said["table"]["seats"]["left"]
                for _ in range(3):
                    began = time.monotonic()
                    page = await client.get(other, follow_redirects=True)
                    assert page.status_code == 200
                    assert time.monotonic() - began < SOON
                workers = children(process.running.pid)
                assert workers
                for task in asked:
                    task.cancel()
                await asyncio.gather(*asked, return_exceptions=True)
                return workers

        workers = asyncio.run(load())
        _, seconds, _ = process.end(number)
        assert seconds < STOPPED_IN
        see_gone(workers)


def test_busy_threads_do_not_block_shutdown(tmp_path: Path) -> None:
    """Shut down without waiting for threads that evaluate slow rules.

    Games named at startup run in threads, which cannot be stopped. Each of these
    requests would take minutes.
    """
    with served(str(Path(__file__).parent / "slow.rules"), folder=tmp_path) as process:
        table = process.said["table"]

        async def load() -> None:
            timeout = httpx.Timeout(PATIENT, read=1.0)
            async with httpx.AsyncClient(timeout=timeout) as client:
                await client.get(table["seats"]["left"])
                place = f"{process.said['url']}t/{table['table']}/why"
                asked = [
                    client.post(place, data={"action": "go"}, headers=SCRIPT)
                    for _ in range(12)
                ]
                await asyncio.gather(*asked, return_exceptions=True)

        asyncio.run(load())
        status, seconds, complaints = process.end(signal.SIGTERM)
        assert status == 143
        assert seconds < STOPPED_IN
        assert "stopped; the tables are stored in" in complaints
