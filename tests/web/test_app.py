"""Invalid and hostile requests are rejected with a message and change nothing.

Verified by manual mutations: no check of a post's origin, of the length of a body
(declared or chunked) or its duration, no check of the host, no security headers, no
rate limits, changes by GET, templates without escaping.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from tests.web.visiting import (
    DARE,
    HERE,
    SCRIPT,
    Made,
    Server,
    played,
    serving,
    with_server,
)
from workbench.web.keys import OWNER
from workbench.web.request_limits import Rate, RequestLimits

MEGABYTE = 1_000_000
SEALS = {
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def stands(made: Made) -> tuple[int, int]:
    """Return what must not change: a table's version and the events of its game."""
    return made.table.version, made.table.game.steps


# ------------------------------------------------------------ decisions


@with_server()
async def test_decision_is_applied_and_announced(server: Server) -> None:
    made = await server.table()
    browser, seat, action = await made.sat(made.due), made.due, made.action()
    answer = await made.do(browser, action)

    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert told["ok"]
    assert told["version"] == made.table.version
    event = next(e for e in made.table.game.events if e.get("seat") == seat)
    assert event["action"] == action


@with_server()
async def test_form_sent_twice_is_applied_once(server: Server) -> None:
    made = await server.table()
    browser, seat = await made.sat(made.due), made.due
    form = {"action": made.action(), "at": str(made.table.version)}
    address = f"{made.home}do"
    posts = [browser.post(address, data=form, headers=SCRIPT) for _ in range(3)]
    answers = await asyncio.gather(*posts)

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    decided = [e for e in made.table.game.events if e.get("seat") == seat]
    assert len(decided) == 1
    twice = next(answer.json() for answer in answers if answer.status_code == 409)
    assert twice["refused"]["key"] == "stale"
    assert twice["version"] == made.table.version


@with_server()
async def test_an_action_out_of_turn_changes_nothing(server: Server) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(made.other)
    answer = await made.do(browser, made.action())

    assert answer.status_code == 403
    assert answer.json()["refused"]["key"] == "not_yours"
    assert answer.json()["version"] == made.table.version
    assert stands(made) == before


@with_server()
async def test_stale_page_receives_the_current_state(server: Server) -> None:
    made = await server.table()
    first, old = made.due, made.table.version
    await made.do(await made.sat(first), made.action())
    before, browser = stands(made), await made.sat(made.due)
    answer = await made.do(browser, made.action(), at=old)

    assert answer.status_code == 409
    told = answer.json()
    assert told["refused"]["words"]
    assert told["version"] == made.table.version
    assert told["choices"]["decides"]
    assert stands(made) == before
    page = await browser.post(
        f"{made.home}do", data={"action": made.action(), "at": str(old)}
    )
    assert page.status_code == 409
    assert told["refused"]["words"] in page.text


@pytest.mark.parametrize(
    "form",
    [
        {"action": "no_such_action"},
        {"action": "dare_it(1)"},
        {"action": "x" * 10_000},
        {"action": ""},
        {},
        {"action": "dare_it", "at": "-1"},
        {"action": "dare_it", "at": "1e9"},
        {"action": "dare_it", "at": "9" * 400},
        {"action": "dare_it", "at": "²"},
    ],
)
@with_server()
async def test_rejects_an_invalid_action(server: Server, form: dict[str, str]) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(made.due)
    whole = {"at": str(made.table.version), **form}
    answer = await browser.post(f"{made.home}do", data=whole, headers=SCRIPT)

    assert answer.status_code in {400, 409}, answer.text
    assert answer.json()["refused"]["words"]
    assert stands(made) == before


@with_server()
async def test_get_requests_change_nothing(server: Server) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(made.due)
    query = {"action": made.action(), "at": str(made.table.version)}
    for name in ("do", "undo", "agree", "bot", "person", "name", "language", "why"):
        answer = await browser.get(made.home + name, params=query)
        assert answer.status_code == 405, name
    assert stands(made) == before
    assert (await browser.put(f"{made.home}do")).status_code == 405


# ------------------------------------------------------------ sent data

FAR = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1.evil.example"},
    {"origin": "http://127.0.0.1:81"},
    {"origin": "http://["},
)


@pytest.mark.parametrize("headers", FAR, ids=str)
@with_server()
async def test_a_post_from_another_site_is_refused(
    server: Server, headers: dict[str, str]
) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(made.due)
    form = {"action": made.action(), "at": str(made.table.version)}
    for address in (f"{made.home}do", "/tables", "/language"):
        answer = await browser.post(address, data=form, headers=headers)
        assert answer.status_code == 403, address
    assert stands(made) == before
    assert server.host.store.count() == 1


@pytest.mark.parametrize(
    "headers", [{"sec-fetch-site": "same-origin"}, {"origin": HERE}, {}], ids=str
)
@with_server()
async def test_post_from_the_same_site_is_accepted(
    server: Server, headers: dict[str, str]
) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    form = {"action": made.action(), "at": str(made.table.version)}
    answer = await browser.post(f"{made.home}do", data=form, headers=headers)
    assert answer.status_code == 303


@with_server()
async def test_a_body_of_a_megabyte_is_refused(server: Server) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(made.due)
    sent = 0

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < MEGABYTE:
            sent += 10_000
            yield b"x" * 10_000

    form = {"content-type": "application/x-www-form-urlencoded", **SCRIPT}
    for body in (b"action=" + b"x" * MEGABYTE, pieces()):
        answer = await browser.post(f"{made.home}do", content=body, headers=form)
        assert answer.status_code == 413
        assert answer.json()["refused"]["key"] == "too_long"
    assert sent < MEGABYTE * 2
    announced = {**form, "content-length": str(MEGABYTE)}
    answer = await browser.post(
        f"{made.home}do", content=b"action=x", headers=announced
    )
    assert answer.status_code == 413
    assert stands(made) == before


@with_server()
async def test_a_length_that_is_no_number_is_refused(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    answer = await browser.post(
        f"{made.home}do", content=b"", headers={"content-length": "-5"}
    )
    assert answer.status_code == 400


@with_server(limits=RequestLimits(body_seconds=0.05))
async def test_slow_body_is_rejected(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)

    async def slow() -> AsyncIterator[bytes]:
        yield b"action"
        await asyncio.sleep(0.5)
        yield b"=x"

    answer = await browser.post(f"{made.home}do", content=slow(), headers=SCRIPT)
    assert answer.status_code == 408


@pytest.mark.parametrize(
    ("sort", "body"),
    [
        ("application/json", b'{"action": "dare_it"}'),
        ("multipart/form-data; boundary=x", b"--x--"),
        ("text/plain", b""),
        ("application/x-www-form-urlencoded", b"\xff\xfe=\x00"),
        ("application/x-www-form-urlencoded", b"a=%ff%fe"),
        ("application/x-www-form-urlencoded", b"a=1&" * 1_000),
    ],
)
@with_server()
async def test_rejects_an_invalid_form(server: Server, sort: str, body: bytes) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(made.due)
    good = f"action={made.action()}&at={made.table.version}&".encode()
    answer = await browser.post(
        f"{made.home}do",
        content=good + body,
        headers={"content-type": sort, **SCRIPT},
    )
    assert answer.status_code in {400, 415}
    assert answer.json()["refused"]["key"] == "not_understood"
    assert stands(made) == before


@with_server()
async def test_rejects_an_unknown_host(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    for name in ("evil.example", "127.0.0.1.evil.example", "", "[::1"):
        answer = await browser.get(made.home, headers={"host": name})
        assert answer.status_code == 421, name
    for name in ("localhost:8000", "127.0.0.1", "[::1]:8000"):
        answer = await browser.get(made.home, headers={"host": name})
        assert answer.status_code == 200, name


@played
async def test_rate_limit_is_enforced(tmp_path: Path) -> None:
    limits = RequestLimits(seat_rate=Rate(4, 60), creation_rate=Rate(1, 60))
    async with serving(tmp_path, limits=limits) as server:
        made = await server.table()
        browser, other = await made.sat(made.due), await made.sat(made.other)
        answers = [await browser.get(f"{made.home}now") for _ in range(6)]

        assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
        assert 50 <= int(answers[-1].headers["retry-after"]) <= 61
        assert (await other.get(f"{made.home}now")).status_code == 200
        form = {"game": "dare"}
        made_twice = [await browser.post("/tables", data=form) for _ in range(2)]
        assert [answer.status_code for answer in made_twice] == [303, 429]


@played
async def test_rate_limits_apply_to_tables_and_addresses(tmp_path: Path) -> None:
    limits = RequestLimits(table_rate=Rate(3, 60), request_rate=Rate(8, 60))
    async with serving(tmp_path, limits=limits) as server:
        made = await server.table()
        browser, other = await made.sat(made.due), await made.sat(made.other)
        statuses = [
            (await each.get(f"{made.home}now")).status_code
            for each in (browser, other, browser, other)
        ]
        assert statuses == [200, 200, 200, 429]
        assert (await browser.get("/robots.txt")).status_code == 200
        assert (await browser.get("/robots.txt")).status_code == 200
        assert (await browser.get("/robots.txt")).status_code == 429
        elsewhere = server.browser(address="203.0.113.9")
        assert (await elsewhere.get("/robots.txt")).status_code == 200


# ------------------------------------------------------------ output


class Tags(HTMLParser):
    """Elements of a page, including any that an inline script would need."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[dict[str, str | None]] = []
        self.handlers: list[str] = []
        self.styled = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and given.get("type") != "application/json":
            self.scripts.append(given)
        self.styled += tag == "style" or "style" in given
        self.handlers += [name for name in given if name.startswith("on")]


def see_no_script_of_its_own(page: httpx.Response) -> None:
    tags = Tags(page.text)
    assert all((each.get("src") or "").startswith("/static/") for each in tags.scripts)
    assert tags.handlers == []
    assert tags.styled == 0


EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


@with_server()
async def test_name_with_markup_is_escaped(server: Server) -> None:
    made = await server.table()
    browser, maker = await made.sat(made.due), await made.sat(OWNER)
    name = "<img src=x onerror=alert(1)>"
    answer = await browser.post(f"{made.home}name", data={"name": name})

    assert answer.status_code == 303
    assert made.table.seat_state(made.due).name == name
    for page in (
        await browser.get(made.home),
        await maker.get(f"{made.home}links"),
    ):
        assert "&lt;img src=x" in page.text
        see_no_script_of_its_own(page)
    for wrong in ("x" * 60, "a\x1b[31m", "a\u202eb"):
        answer = await browser.post(
            f"{made.home}name", data={"name": wrong}, headers=SCRIPT
        )
        assert answer.status_code == 400, wrong
        assert made.table.seat_state(made.due).name == name


@played
async def test_hostile_titles_are_escaped(tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.rules"
    text = Path(DARE).read_text(encoding="utf-8")
    evil = EVIL.replace('"', "'")
    text = text.replace('"Dare"', f'"{evil}"')
    text += f'\nwords en\n  dare_it = "{evil}"\n  raven = "{evil}"\n'
    hostile.write_text(text, encoding="utf-8")
    async with serving(tmp_path, games=(str(hostile),)) as server:
        made = await server.table(str(hostile))
        browser = await made.sat(made.due, OWNER)
        pages = [
            await browser.get(path, params=query)
            for path, query in (
                (made.home, {"seat": made.due}),
                (f"{made.home}links", {}),
                ("/", {}),
            )
        ]
        for page in pages:
            assert page.status_code == 200, page.text
            assert "alert(1)" in page.text
            see_no_script_of_its_own(page)
        now = (await browser.get(f"{made.home}now", params={"seat": made.due})).json()
        assert "alert(1)" in now["parts"]["turn"]
        for part in now["parts"].values():
            tags = Tags(part)
            assert (tags.scripts, tags.handlers, tags.styled) == ([], [], 0)


@with_server()
async def test_every_response_has_security_headers(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    page = await browser.get(made.home)
    asset = re.search(r'href="(/static/[^"]+\.css)"', page.text)
    assert asset is not None
    answers = [
        page,
        await browser.get(made.link(made.due)),
        await browser.get(f"{made.home}now"),
        await browser.get("/"),
        await browser.get("/nothing"),
        await browser.get(asset[1]),
        await browser.get("/robots.txt"),
        await browser.post(f"{made.home}do"),
        await browser.get("/", headers={"host": "evil.example"}),
    ]
    for answer in answers:
        for name, value in SEALS.items():
            assert value in answer.headers[name], (answer.url, name)
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "*" not in policy
    assert "immutable" in answers[5].headers["cache-control"]
    others = answers[:5] + answers[6:]
    assert {each.headers["cache-control"] for each in others} == {"no-store"}


@played
async def test_internal_error_is_reported_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("a secret of the server")

    async with serving(tmp_path) as server:
        made = await server.table()
        browser = await made.sat(made.due)
        monkeypatch.setattr("workbench.web.table_routes.snapshot", breaks)
        answer = await browser.get(made.home)

        assert answer.status_code == 500
        assert "Internal error" in answer.text
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/static/0/table.css",
        "/static/0/../app.py",
        "/static/0/%2e%2e/app.py",
        "/static/0//etc/passwd",
        "/static/0/..%2f..%2fapp.py",
        f"/static/0/{'x' * 300}.js",
        "/static/0/x%00.js",
        "/t",
        "/t/",
        "/.git/config",
    ],
)
@with_server()
async def test_there_are_no_other_files(server: Server, path: str) -> None:
    answer = await server.browser().get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text
