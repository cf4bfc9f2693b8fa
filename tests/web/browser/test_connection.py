"""Interruptions: a stopped server, a stale page, a shared browser, undo."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import stop
from workbench.web.notifications import EventStreams
from workbench.web.request_limits import RequestLimits

SEATS = {"red": "person", "blue": "greedy", "white": "person", "orange": "person"}


def test_page_reports_a_lost_connection_and_reconnects(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The page keeps its content and sends nothing; no data is lost."""
    server = serve()
    made = server.table("germany", SEATS, seed=3)
    orange = sit(made.links["orange"])
    orange.until_due()
    held = orange.text("#hand .cards")
    stop(server)
    alarm = orange.page.locator("#alarm")
    expect(alarm).to_be_visible(timeout=20_000)
    expect(alarm).to_contain_text("nothing is lost")
    assert orange.text("#hand .cards") == held
    orange.page.locator("[data-at-once=end_turn]").click()
    assert orange.look()["done"] == 0
    again = serve(port=server.port)
    orange.named("button", "Retry now").click()
    expect(alarm).to_be_hidden(timeout=20_000)
    orange.page.locator("[data-at-once=end_turn]").click()
    orange.until("() => state.done === 1")
    assert again.port == server.port


def test_page_without_an_event_stream_polls(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """If all event streams are taken, updates only arrive later."""
    server = serve()
    made = server.table("germany", SEATS, seed=3)
    usual = server.app.state.listeners
    server.app.state.listeners = EventStreams(RequestLimits(streams_per_seat=0))
    orange, red = sit(made.links["orange"]), sit(made.links["red"])
    orange.until("() => news.readyState === EventSource.CLOSED")
    orange.page.locator("[data-at-once=end_turn]").click()
    orange.until("() => state.done === 1")
    assert not orange.look()["offline"]
    expect(orange.page.locator("#alarm")).to_be_hidden()
    red.until_due()
    server.app.state.listeners = usual
    red.until("() => news.readyState === EventSource.OPEN")


def test_late_click_changes_nothing_and_is_reported(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """A stale page shows the current position after a rejected click."""
    made = serve().table("germany", SEATS, seed=3)
    first, second = sit(made.links["orange"]), sit(made.links["orange"])
    for each in (first, second):
        each.until_due()
    second.page.evaluate("news.close()")
    first.page.locator("[data-at-once=end_turn]").click()
    first.until("() => state.done === 1")
    steps = len(made.table.game.events)
    second.page.locator("[data-at-once=end_turn]").click()
    alarm = second.page.locator("#alarm")
    expect(alarm).to_contain_text("The game has moved on")
    expect(second.page.locator("#h-turn")).to_have_text("Red is to move")
    assert len(made.table.game.events) == steps
    second.named("button", "OK").click()
    expect(alarm).to_be_hidden()


def test_shared_browser_hides_the_table_on_switching(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """No hand is visible until a player confirms the switch."""
    made = serve().table("germany", SEATS, seed=3)
    orange = sit(made.links["orange"])
    held = orange.text("#hand .cards")
    orange.page.goto(made.links["red"])
    assert orange.page.locator("#hand").count() == 0
    orange.page.get_by_role("link", name="I am Orange").click()
    assert orange.text("#hand .cards") == held
    orange.page.get_by_role("link", name="Switch seats").first.click()
    orange.page.get_by_role("link", name="I am Red").click()
    assert orange.text("#hand .cards") != held
    expect(orange.page.locator("#h-turn")).to_have_text("Orange is to move")


def test_action_is_undone_when_the_others_agree(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """A button requests the undo, and buttons on other pages agree to it."""
    seats = {"red": "person", "blue": "greedy", "white": "greedy", "orange": "greedy"}
    options = {"variable_setup": True}
    made = serve().table(
        "germany", {**seats, "blue": "person"}, options=options, seed=5
    )
    red, blue = sit(made.links["red"]), sit(made.links["blue"])
    red.until_due()
    red.page.locator(".place:not(.off)").first.click()
    red.page.locator("#c-yes").click()
    red.until("() => state.done === 1")
    before = made.table.game.steps
    red.page.locator("[data-call=undo]").click()
    agree = blue.page.locator("[data-call=agree]")
    expect(blue.page.locator("#turn")).to_contain_text("Red asks to undo")
    expect(blue.page.locator("#turn")).to_contain_text("lace a town hall")
    agree.click()
    red.until_due()
    assert made.table.game.steps < before


@pytest.mark.parametrize("width", [1400, 390])
def test_update_does_not_move_the_page(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    """The board keeps its position and element, and the focus stays.

    On a phone, it makes room below it for the actions of one's turn.
    """
    made = serve().table("germany", SEATS, seed=3)
    red, orange = sit(made.links["red"], width), sit(made.links["orange"])
    red.page.evaluate(
        """() => { window.kept = document.querySelector('#at-Harz polygon');
          document.getElementById('zoom-in').focus(); scrollTo(0, 40); }"""
    )
    box = red.page.locator("#map").bounding_box()
    orange.until_due()
    orange.page.locator("[data-at-once=end_turn]").click()
    red.until_due()
    after = red.page.locator("#map").bounding_box()
    assert box is not None and after is not None
    kept = box.keys() if width == 1400 else {"x", "y", "width"}
    assert {key: after[key] for key in kept} == pytest.approx(
        {key: box[key] for key in kept}, abs=1
    )
    assert red.page.evaluate("document.activeElement.id") == "zoom-in"
    assert red.page.evaluate("kept.isConnected")
