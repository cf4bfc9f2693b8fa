"""`rulebook serve` as a process that people start and stop.

Verified by manual mutations: an access log, another exit code, streams that delay the
end by seconds, bots that are not checked before startup, a server that accepts any
host.
"""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import attrs
import httpx
import pytest
from jsonschema import Draft202012Validator

from tests.support.commands import Output, errors_of
from workbench.cli import main
from workbench.cli.frame.command_table import parser_of
from workbench.cli.play import serve
from workbench.errors import RequestError
from workbench.web.guard import LOOPBACK
from workbench.web.storage.table_options import MAX_CLOCK_SECONDS, TableOptions
from workbench.web.store import Store

ROOT = Path(__file__).parents[2]
DARE = str(ROOT / "examples" / "tiny" / "dare.rules")
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "serve.json").read_text("utf-8"))
SOON = 5.0
PATIENT = 60.0
"""Seconds for which a browser waits for a worker on a busy machine."""


@attrs.frozen
class Process:
    """Running server, with its output."""

    running: subprocess.Popen[str]
    said: dict[str, Any]

    def end(self, number: signal.Signals) -> tuple[int, float, str]:
        """Stop the server; return its exit code, the duration, and its error output."""
        began = time.monotonic()
        self.running.send_signal(number)
        _, complaints = self.running.communicate(timeout=30)
        return self.running.returncode, time.monotonic() - began, complaints


@contextmanager
def served(*words: str, folder: Path, files: int | None = None) -> Iterator[Process]:
    """Yield a server with a database in a folder, on a free port.

    `files` is the maximum number of its open files.
    """
    command = [sys.executable, "-m", "workbench", "serve", *words, "--json"]
    command += ["--port", "0", "--database", f"sqlite:///{folder / 'tables.sqlite'}"]
    if files is not None:
        command = ["prlimit", f"--nofile={files}:{files}", "--", *command]
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        assert line, running.communicate()[1]
        try:
            yield Process(running, json.loads(line))
        finally:
            running.kill()


def test_prints_its_address_and_stops_cleanly(tmp_path: Path) -> None:
    with served(DARE, "--bots", "random", folder=tmp_path) as process:
        said, table = process.said, process.said["table"]
        Draft202012Validator(SCHEMA).validate(said)
        assert table["bots"] == {"left": None, "right": "random"}
        with httpx.Client(follow_redirects=True) as browser:
            page = browser.get(table["seats"]["left"])
            assert page.status_code == 200
            assert "/sit/" not in str(page.url)
            browser.get(f"{page.url}no-such-page?key=secret")
            with browser.stream("GET", f"{page.url}news") as news:
                lines = news.iter_lines()
                assert any(line.startswith("data: ") for line in lines)
                status, seconds, complaints = process.end(signal.SIGINT)

    assert status == 130
    assert seconds < SOON
    assert complaints.splitlines() == [
        f"rulebook: stopped; the tables are stored in {said['database']}"
    ]


def test_links_survive_a_restart(tmp_path: Path) -> None:
    with served(DARE, folder=tmp_path) as process:
        table = process.said["table"]
        with httpx.Client(follow_redirects=True) as browser:
            first = browser.get(table["seats"]["left"])
            cookies = browser.cookies
            form = {"action": "dare_it", "at": "99"}
            refused = browser.post(f"{first.url}do", data=form)
            assert refused.status_code == 409
        status, _, _ = process.end(signal.SIGTERM)
        assert status == 143
    with served(folder=tmp_path) as process:
        assert process.said["table"] is None
        with httpx.Client(
            cookies=cookies, follow_redirects=True, timeout=PATIENT
        ) as browser:
            again = browser.get(f"{process.said['url']}t/{table['table']}/")
            assert again.status_code == 200
        key = table["seats"]["right"].rpartition("/")[2]
        link = f"{process.said['url']}t/{table['table']}/sit/{key}"
        assert httpx.get(link, follow_redirects=False).status_code == 303


SLOW = """rules language 1
rulebook slow "Slow"
  players 2 to 2
  seats red, blue
  turns 300
game has
  count: 0 to 9, seen by all
spaces cell (cells) by x 1 to 60, y 1 to 60
setup
  red starts
action go
  set count to 1
points of player
  a: sum over cell c of (sum over n in 1 to 215 of c's x * n)
turn
  phase play
    you do go
"""
"""Rules whose page takes long to render."""
JSON = {"accept": "application/json"}


def test_stops_in_time_with_busy_threads(tmp_path: Path) -> None:
    rules = tmp_path / "slow.rules"
    rules.write_text(SLOW)
    database = sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)
    with served(str(rules), folder=tmp_path) as process, closing(database):
        links = process.said["table"]["seats"]
        here, asked = process.said["url"], []
        url = f"{here}t/{process.said['table']['table']}/"
        with httpx.Client(timeout=60) as red, httpx.Client(timeout=60) as blue:
            red.get(links["red"])
            blue.get(links["blue"])
            made = red.post(f"{here}tables", data={"game": "classic"}, headers=JSON)
            other = made.json()
            red.get(other["seats"]["orange"])
            database.execute("BEGIN IMMEDIATE")
            with red.stream("GET", f"{url}news") as news:
                next(news.iter_lines())
                for browser, method, path in (
                    (red, "POST", f"{here}t/{other['table']}/name"),
                    (red, "GET", url),
                    (blue, "GET", url),
                ):
                    given = (browser, method, path)
                    asked.append(Thread(target=_ask, args=given))
                    asked[-1].start()
                time.sleep(0.5)
                status, seconds, complaints = process.end(signal.SIGTERM)
        for thread in asked:
            thread.join()
    assert status == 143
    assert seconds < SOON
    assert complaints.splitlines()[0].startswith("rulebook: stopped")
    assert "Traceback" not in complaints


def _ask(browser: httpx.Client, method: str, url: str) -> None:
    """Send a request that may never be answered."""
    with suppress(httpx.HTTPError):
        browser.request(method, url, data={"name": "x"} if method == "POST" else None)


def test_a_table_has_the_clock_the_bot_and_the_chat_of_the_flags(
    tmp_path: Path,
) -> None:
    flags = ("--clock", "60", "--late-bot", "greedy", "--chat", "none")
    with served(DARE, *flags, folder=tmp_path) as process:
        table = process.said["table"]
        with httpx.Client(follow_redirects=True) as browser:
            page = browser.get(table["seats"]["left"])
        assert "data-clock-end" in page.text
        assert 'id="chat-panel"' not in page.text
        database = process.said["database"]
    with closing(Store.open(database)) as store:
        stored = store.read(table["table"])
    assert stored is not None
    options = TableOptions.from_settings(stored.settings)
    assert options == TableOptions(60, "greedy", "none")


def test_serves_a_record(tmp_path: Path) -> None:
    record = str(tmp_path / "game.jsonl")
    assert main(["play", DARE, "--seat", "all=random", "--record", record]) == 0
    with served("--record", record, folder=tmp_path) as process:
        Draft202012Validator(SCHEMA).validate(process.said)
        page = httpx.get(process.said["record"], timeout=PATIENT)
        assert page.status_code == 200
        assert "Dare" in page.text


def test_busy_port_is_reported(tmp_path: Path, capsys: Output) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        database = f"sqlite:///{tmp_path / 'x.sqlite'}"
        status = main(["serve", DARE, "--port", port, "--database", database])

    said = capsys.readouterr()
    assert (status, said.out) == (1, "")
    assert f"cannot listen on port {port} of 127.0.0.1" in said.err
    assert "--port 0" in said.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--port", "99999"), 2, "not 99999"),
        (("--port", "-1"), 2, "not -1"),
        (
            ("--host", "no.such.name.invalid", "--port", "0"),
            2,
            "cannot resolve the address",
        ),
        (("--players", "3"), 2, "--players requires a VARIANT"),
        (("--option", "a=1"), 2, "--option requires a VARIANT"),
        (("--bots", "random"), 2, "--bots requires a VARIANT"),
        (("--clock", "60"), 2, "--clock requires a VARIANT"),
        (("--clock", "60", "--late-bot", "greedy"), 2, "clock requires a VARIANT"),
        (("--chat", "none"), 2, "--chat requires a VARIANT"),
        ((DARE, "--clock", "-1"), 2, "cannot be -1 seconds"),
        ((DARE, "--clock", "9999999"), 2, f"choose 1 to {MAX_CLOCK_SECONDS} seconds"),
        ((DARE, "--clock", "60", "--late-bot", "nobody"), 2, "nobody"),
        ((DARE, "--late-bot", "greedy"), 2, "--late-bot requires --clock"),
        ((DARE, "--chat", "some"), 2, "there is no chat `some`"),
        (("--url", "ftp://x"), 2, "--url ftp://x"),
        (("--url", "https://x/y"), 2, "--url https://x/y"),
        (("--database", "nonsense", "--port", "0"), 2, "--database"),
        (("--database", "oracle://u:secret@h/x", "--port", "0"), 2, "oracledb"),
        (
            ("--database", "sqlite:////no/such/x", "--port", "0"),
            1,
            "the database cannot be opened",
        ),
        (("no_such_game", "--port", "0"), 2, "no_such_game"),
        ((DARE, "--bots", "nobody", "--port", "0"), 2, "nobody"),
        ((DARE, "--bots", "random,random,random", "--port", "0"), 2, "2 seats"),
        ((DARE, "--players", "5", "--port", "0"), 2, "5"),
        ((DARE, "--option", "x", "--port", "0"), 2, "NAME=VALUE"),
        ((DARE, "--option", "x=1", "--port", "0"), 2, "x"),
    ],
)
def test_rejects_invalid_arguments_before_serving(
    words: tuple[str, ...], status: int, said: str, tmp_path: Path, capsys: Output
) -> None:
    given = ["serve", *words]
    if "--database" not in words:
        given += ["--database", f"sqlite:///{tmp_path / 'x.sqlite'}"]

    complaint = errors_of(capsys, *given, status=status)
    assert said in complaint
    assert "secret" not in complaint
    assert "Traceback" not in complaint


def test_listens_on_this_machine_only() -> None:
    parser = parser_of("serve")
    assert parser is not None
    given = parser.parse_args([])
    with closing(serve.listen(given.host, 0)) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        assert serve.accepted_hosts(given, listening) == LOOPBACK
        proxied = parser.parse_args(["--url", "https://tables.example"])
        names = serve.accepted_hosts(proxied, listening)
        assert names is not None
        assert "tables.example" in names
        assert serve.base_url(proxied, listening) == "https://tables.example"
    with closing(serve.listen("0.0.0.0", 0)) as everywhere:  # noqa: S104
        assert serve.accepted_hosts(given, everywhere) is None
        assert serve.accepted_hosts(proxied, everywhere) == frozenset(
            {"tables.example"}
        )
        assert "0.0.0.0" not in serve.base_url(given, everywhere)  # noqa: S104


def test_a_password_is_not_shown() -> None:
    nobody = "postgresql://me:hidden@127.0.0.1:1/x"
    with pytest.raises(RequestError, match="the database cannot be opened") as refused:
        serve.open_store(nobody)
    assert "hidden" not in str(refused.value)
