"""Slow work delays only work of the same kind: tables continue meanwhile.

Verified by manual mutations: one thread pool for everything, an unlimited queue of
records, unlimited requests for house rules.
"""

import asyncio
from collections import Counter
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.web.visiting import SCRIPT, Made, Server, played, serving, with_server
from workbench.web import catalogue
from workbench.web.host import HostLimits
from workbench.web.request_limits import Rate, RequestLimits
from workbench.web.worker_pool.pool import MAX_WAITING_REQUESTS, WorkerPool

MANY = 40
"""More tasks than the default thread pool has threads."""


async def plays_on(made: Made) -> None:
    """Check that somebody can decide at a table, even if it must be loaded first."""
    host = made.server.host
    usual, host.limits = host.limits, HostLimits(unload_after=0)
    host.unload_idle_tables()
    host.limits = usual
    assert host.loaded_count == 0
    browser = await made.sat(made.due)
    answer = await made.do(browser, made.action())
    assert answer.status_code == 200, answer.text


@played
async def test_reading_rules_for_the_lobby_does_not_block_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends, read = Event(), catalogue.book_of

    def slowly(variant: str) -> Any:
        ends.wait(60)
        return read(variant)

    async with serving(tmp_path) as server:
        made, browser = await server.table(), server.browser()
        monkeypatch.setattr(catalogue, "book_of", slowly)
        asked = [asyncio.create_task(browser.get("/?game=dare")) for _ in range(MANY)]
        await asyncio.sleep(0.1)
        try:
            async with asyncio.timeout(20):
                await plays_on(made)
            assert not any(task.done() for task in asked)
        finally:
            ends.set()
        assert {each.status_code for each in await asyncio.gather(*asked)} == {200}


@played
async def test_rendering_replays_does_not_block_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = asyncio.Event()

    async def slowly(*_: Any, **__: Any) -> dict[str, Any]:
        await ends.wait()
        return {}

    async with serving(
        tmp_path, limits=RequestLimits(creation_rate=Rate(MANY, 60))
    ) as server:
        made, browser = await server.table(), server.browser(**SCRIPT)
        monkeypatch.setattr(WorkerPool, "ask", slowly)
        asked = [
            asyncio.create_task(browser.post("/replay", content=b"{}"))
            for _ in range(MANY)
        ]
        await asyncio.sleep(0.1)
        try:
            async with asyncio.timeout(20):
                await plays_on(made)
        finally:
            ends.set()
        answers = await asyncio.gather(*asked)
        statuses = Counter(answer.status_code for answer in answers)
        assert statuses == {200: MAX_WAITING_REQUESTS, 429: MANY - MAX_WAITING_REQUESTS}


@with_server(limits=RequestLimits(lobby_rate=Rate(2, 60)))
async def test_requests_for_house_rules_are_limited(server: Server) -> None:
    browser = server.browser()
    laid = {"game": "classic", "rule": "endless_bank"}
    statuses = [(await browser.get("/", params=laid)).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert (await browser.get("/?game=classic")).status_code == 200
