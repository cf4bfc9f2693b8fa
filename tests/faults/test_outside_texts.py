"""Texts from outside show no control characters, wherever they are shown.

Names of files and folders, errors and choices of bots, arguments, environment
variables, records, and what visitors send to the server.
"""

import io
import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from interpreter import Game
from rulebook import loads
from rulebook.tooling import UNPRINTABLE
from tests.web.visiting import DARE, SCRIPT, Server, with_server
from workbench.cli import main
from workbench.web.keys import OWNER
from workbench.web.network.logs import PrintableFormatter
from workbench.web.views.rendering import render_page

SPOOF = "rulebook: all is well"
HOSTILE = f"\x1b[31m\u202e\n{SPOOF}\u2066\x9b"
FOLDER = f"d{HOSTILE}"
RULES, BOTS = f"{FOLDER}/g.rules", f"{FOLDER}/bot.py"
RECORD = f"{FOLDER}/r.jsonl"
BOT = f"""
HOSTILE = {HOSTILE!r}

class Odd(Exception):
    def __str__(self):
        return HOSTILE

def fine(view, legal, sample, numbers):
    return legal[0]

def raises(view, legal, sample, numbers):
    raise ValueError(HOSTILE)

def is_odd(view, legal, sample, numbers):
    raise Odd

def chooses(view, legal, sample, numbers):
    return HOSTILE
"""
Output = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a hostile name that contains a game, bots and a record."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / FOLDER).mkdir()
    text = Path(DARE).read_text(encoding="utf-8")
    (tmp_path / RULES).write_text(text, encoding="utf-8")
    (tmp_path / BOTS).write_text(BOT, encoding="utf-8")
    (tmp_path / f"{FOLDER}/wrong.rules").write_text("rules language 1\nknd a: b\n")
    (tmp_path / RECORD).write_text(Game.start(loads(text, "dare"), seed=1).record)
    return tmp_path


def see_nothing_hostile(text: str) -> None:
    """Assert that a text contains no terminal command and starts no new line."""
    kept = text.translate(dict.fromkeys(map(ord, "\n\r\t")))
    assert UNPRINTABLE.findall(kept) == []
    assert not any(line.startswith(SPOOF) for line in text.splitlines())


GAMES = ("--games", "2", "--jobs", "1")


def bots(name: str) -> Sequence[str]:
    """Return the arguments that use one of the hostile bots."""
    return ("--bots", f"{BOTS}:{name}")


COMMANDS = (
    *(("check", RULES), ("check", f"{FOLDER}/wrong.rules"), ("check", "--json", RULES)),
    *(("check", "--sarif", f"{FOLDER}/wrong.rules"), ("check", f"no{HOSTILE}")),
    *(("show", RULES), ("show", "--names", RULES), ("show", "--json", RULES)),
    *(("test", "--games", "1", RULES), ("test", f"{FOLDER}/wrong.rules")),
    *(("simulate", *GAMES, RULES), ("simulate", *GAMES, *bots("fine"), RULES)),
    *(("simulate", *GAMES, *bots(name), RULES) for name in ("raises", "is_odd")),
    ("simulate", *GAMES, *bots("chooses"), RULES),
    ("simulate", *GAMES, *bots(HOSTILE), RULES),
    ("simulate", *GAMES, "--json", *bots("raises"), RULES),
    ("simulate", *GAMES, *bots("raises"), "--on-bot-error", "random", RULES),
    ("simulate", *GAMES, "--out", f"{FOLDER}/o.csv", RULES),
    ("simulate", *GAMES, "--out", f"no{HOSTILE}/o.csv", RULES),
    ("simulate", *GAMES, "--bots", HOSTILE, RULES),
    ("simulate", "--seed", HOSTILE, RULES),
    ("ladder", *GAMES, "--bots", f"random,{BOTS}:fine", RULES),
    ("ladder", *GAMES, "--bots", f"random,{BOTS}:raises", RULES),
    ("compare", *GAMES, RULES, RULES),
    ("coverage", "--games", "1", "--html", f"{FOLDER}/c.html", RULES),
    ("explore", "--depth", "1", RULES),
    ("print", RULES),
    ("print", "--out", f"{FOLDER}/p.html", RULES),
    ("print", "--out", f"{FOLDER}/p.md", RULES),
    ("format", "--check", RULES),
    ("format", f"{FOLDER}/wrong.rules"),
    ("board", "--out", f"{FOLDER}/b.svg", RULES),
    ("new", f"{FOLDER}/neu"),
    ("replay", RECORD),
    ("replay", f"no{HOSTILE}"),
    ("repair", RECORD),
    ("impact", RULES, RECORD),
    ("record-to-scenario", "--rules", RULES, RECORD),
    ("play", "--bots", f"{BOTS}:raises", RULES),
    ("play", "--resume", f"no{HOSTILE}"),
    ("serve", "--bots", HOSTILE, RULES),
    ("serve", HOSTILE),
    ("explain", HOSTILE),
    (HOSTILE,),
    ("check", f"--{HOSTILE}"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: "-".join(each[:1]))
def test_commands_show_no_hostile_text(
    command: Sequence[str],
    folder: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{HOSTILE}\n1\nquit\n"))
    capsys.readouterr()
    with suppress(SystemExit):
        main(command)
    written = capsys.readouterr()

    assert "a bug of ours" not in written.err
    see_nothing_hostile(written.out)
    see_nothing_hostile(written.err)
    for made in ("c.html", "p.html", "p.md", "b.svg"):
        path = folder / FOLDER / made
        if path.is_file():
            see_nothing_hostile(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "name", ["CC", "HOME", "XDG_CACHE_HOME", "LANG", "COLUMNS", "TERM", "TMPDIR"]
)
def test_environment_variables_show_no_hostile_text(
    name: str, folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "HOME":
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv(name, HOSTILE)
    for command in (("cache",), ("simulate", *GAMES, DARE)):
        capsys.readouterr()
        main(command)
        written = capsys.readouterr()
        see_nothing_hostile(written.out)
        see_nothing_hostile(written.err)


# ------------------------------------------------------------ server


def requests(home: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield hostile requests: method, address and content."""
    said = quote(HOSTILE)
    record = {"rulebook": 1, "variant": HOSTILE, "sources": {HOSTILE: HOSTILE}}
    yield "GET", f"/?language={said}", {}
    yield "GET", f"/t/{said}/", {}
    yield "GET", f"{home}?seat={said}&language={said}", {}
    yield "GET", f"/replay/{said}", {}
    yield "GET", "/", {"headers": {"accept-language": b"\x85\x9b1m\xad"}}
    yield "GET", "/", {"headers": {"cookie": f"language={said}"}}
    for field in (
        "game",
        "rule",
        "language",
        "players",
        "bots",
        "bot",
        "option.points",
    ):
        yield "POST", "/tables", {"data": {"game": DARE, field: HOSTILE}}
    for name in ("name", "do", "why", "bot", "language"):
        given = dict.fromkeys(("name", "action", "bot", "seat", "language"), HOSTILE)
        yield "POST", f"{home}{name}", {"data": given}
    yield "POST", "/replay", {"content": HOSTILE.encode()}
    yield "POST", "/replay", {"content": json.dumps(record).encode()}
    yield "POST", f"{home}workshop/check", {"data": {"text": HOSTILE, "name": HOSTILE}}


@with_server()
async def test_answers_show_no_hostile_text(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due, OWNER)
    for method, address, more in requests(made.home):
        for headers in ({}, SCRIPT):
            sent = {**more, "headers": {**headers, **more.get("headers", {})}}
            answer = await browser.request(method, address, **sent)
            assert answer.status_code < 500, address
            see_nothing_hostile(answer.text)
            see_nothing_hostile("".join(map(": ".join, answer.headers.items())))


def test_pages_show_no_hostile_text() -> None:
    told = render_page("error", status=400, said=HOSTILE)

    assert SPOOF in told
    assert UNPRINTABLE.findall(told.replace("\n", "")) == []


def test_log_messages_show_no_hostile_text() -> None:
    error = ValueError(HOSTILE)
    trace = (ValueError, error, None)
    record = logging.LogRecord("b", logging.ERROR, "b.py", 1, "%s", (HOSTILE,), trace)
    written = PrintableFormatter().format(record)

    assert written.count(SPOOF) == 2
    assert UNPRINTABLE.findall(written.replace("\n", "")) == []
