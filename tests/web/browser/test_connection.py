"""What comes between: a server that goes, a late page, two at a browser, undo."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import stop
from workbench.web.notifications import EventStreams
from workbench.web.request_limits import RequestLimits

SEATS = {"red": "person", "blue": "greedy", "white": "person", "orange": "person"}


def test_a_page_says_that_the_server_is_gone_and_goes_on_when_it_is_back(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """What it shows stays, nothing can be sent, and nothing is lost."""
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


def test_a_page_that_gets_no_news_plays_on_and_asks_by_itself(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Where all places of listeners are taken, only the news come later."""
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


def test_a_click_that_comes_late_changes_nothing_and_is_told(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """A page that did not hear of what happened since shows how it stands now."""
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


def test_two_who_share_a_browser_cover_the_table_between_them(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Nobody's cards are seen until somebody says who is there."""
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


def test_what_was_done_is_taken_back_when_the_others_agree(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Asked by a button, agreed to by a button on the pages of the others."""
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
def test_the_page_moves_nothing_when_something_happens(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    """The board stays where it is seen and what it is; the focus is kept."""
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
    assert red.page.locator("#map").bounding_box() == pytest.approx(box, abs=1)
    assert red.page.evaluate("document.activeElement.id") == "zoom-in"
    assert red.page.evaluate("kept.isConnected")
