"""Clock of a decision in Chromium: it counts down, without announcements."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.web.browser.test_accessibility import violations
from workbench.web.storage.table_options import TableOptions


def test_clock_counts_down_for_everybody(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The time left differs in no browser, even if its own time is wrong."""
    made = serve().table(
        "germany", 3, seed=3, table_options=TableOptions(4, late_bot="random")
    )
    first = made.table.waits_for()[0]
    other = next(seat for seat in made.table.game.seats if seat != first)
    owner = sit(made.links[other])
    sitter = sit(made.links[first])
    for each in (owner, sitter):
        clock = each.page.locator("[role=timer]")
        expect(clock).to_have_count(1)
        expect(clock).to_have_text("0:03 left")
    assert not owner.page.locator("[role=timer]").evaluate("each => each.ariaLive")
    log = owner.page.locator("#log[role=log]")
    expect(log).to_contain_text("has used half of the time")
    expect(log).to_contain_text("the bot random made this decision")
    assert any(event.by == f"{first}/random" for event in made.table.state.events)
    assert violations(owner.page) == []
    assert not owner.wrong


def test_clock_shows_how_long_the_time_has_been_up(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    made = serve().table("germany", 3, seed=3, table_options=TableOptions(1))
    sitter = sit(made.links[made.table.waits_for()[0]], 390)
    clock = sitter.page.locator("[role=timer].late")
    expect(clock).to_have_text("0:02 over the limit")
    assert sitter.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(sitter.page) == []
    expect(sitter.page.locator("#log")).to_contain_text("time is up")
