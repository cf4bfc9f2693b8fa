"""No visitor slows down others: pages are rendered in threads, one per visitor.

Verified by manual mutations: rendering on the event loop, parallel rendering for one
visitor, an unlimited queue.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.web.visiting import SCRIPT, Server, played, serving, with_server
from workbench.web.host import PAGE_THREADS, HostLimits
from workbench.web.table import Table
from workbench.web.views.snapshot import snapshot

HOSTILE = "192.0.2.66"
MANY = 60
SOON = 5.0
TASKS = HostLimits().visitor_tasks


@contextmanager
def slow_pages(ids: set[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Block the rendering of some tables until the end of the block."""
    ends = Event()

    def slowly(table: Table, seat: str | None, language: str) -> dict[str, Any]:
        if table.id in ids:
            ends.wait(20)
        return snapshot(table, seat, language)

    monkeypatch.setattr("workbench.web.table_routes.snapshot", slowly)
    try:
        yield
    finally:
        ends.set()


@with_server()
async def test_slow_pages_of_one_visitor_do_not_block_others(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await server.table() for _ in range(PAGE_THREADS + 1)]
    honest, hostile = await server.table(), server.browser(HOSTILE, **SCRIPT)
    for made in tables:
        await hostile.get(made.link(made.due))
    player = await honest.sat(honest.due)
    with slow_pages({made.table.id for made in tables}, monkeypatch):
        asked = [
            asyncio.create_task(hostile.get(f"{made.home}now"))
            for made in tables
            for _ in range(MANY // len(tables))
        ]
        async with asyncio.timeout(SOON):
            assert (await player.get("/robots.txt")).status_code == 200
            assert (await player.get(honest.home)).status_code == 200
            answer = await honest.do(player, honest.action())
            assert answer.status_code == 200

    answers = await asyncio.gather(*asked)
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses == {200: TASKS, 429: MANY - TASKS}
    refused = next(each for each in answers if each.status_code == 429)
    assert int(refused.headers["retry-after"]) > 0


@played
async def test_slow_changes_of_one_visitor_do_not_block_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends, usual = Event(), Table.rename

    def slowly(table: Table, seat: str, name: str) -> None:
        ends.wait(20)
        usual(table, seat, name)

    async with serving(tmp_path) as server:
        tables = [await server.table() for _ in range(10)]
        honest, hostile = await server.table(), server.browser(HOSTILE, **SCRIPT)
        for made in tables:
            await hostile.get(made.link(made.due))
        player = await honest.sat(honest.due)
        monkeypatch.setattr(Table, "rename", slowly)
        asked = [
            asyncio.create_task(hostile.post(f"{made.home}name", data={"name": "x"}))
            for made in tables
        ]
        await asyncio.sleep(0.1)
        try:
            async with asyncio.timeout(SOON):
                answer = await honest.do(player, honest.action())
                assert answer.status_code == 200
        finally:
            ends.set()
        assert {each.status_code for each in await asyncio.gather(*asked)} == {200}
