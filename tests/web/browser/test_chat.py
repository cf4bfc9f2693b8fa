"""Chat in Chromium: live, read aloud line by line, and hidden on request."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.test_accessibility import violations


def write(page: Page, text: str) -> None:
    """Write a message."""
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Message")).to_have_value("")


def test_messages_appear_live(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Only new lines are added, so that a screen reader reads nothing twice."""
    made = serve().table("germany", 3, seed=3)
    first, second, _ = made.table.game.seats
    one, two = sit(made.links[first]), sit(made.links[second])
    lines = two.page.locator("#chat[role=log] li")
    write(one.page, "Hello <b>all</b>!")
    expect(lines).to_have_count(1)
    two.page.evaluate(
        """() => { window.put = []; new MutationObserver((all) => {
          for (const { addedNodes } of all) put.push(...addedNodes);
        }).observe($('chat'), { childList: true, subtree: true }); }"""
    )
    write(two.page, "Hi!")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("Hello <b>all</b>!")
    assert two.page.evaluate("put.filter(each => each.nodeName === 'LI').length") == 1
    assert two.page.evaluate("put.length") == 1
    two.page.reload()
    expect(lines).to_have_count(2)
    assert violations(two.page) == []
    box, view = two.page.locator("#chat-panel").bounding_box(), 900
    assert box is not None
    assert box["y"] + box["height"] <= view
    assert not one.wrong
    assert not two.wrong


@pytest.mark.parametrize("width", [1400, 1024, 390])
def test_reader_hides_the_chat(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    """The browser remembers it, and counts the messages that were not read."""
    made = serve().table("germany", 3, seed=3)
    first, second, _ = made.table.game.seats
    one, two = sit(made.links[first]), sit(made.links[second], width)
    panel, chat = two.page.locator("#chat-panel"), two.page.locator("#chat")
    if width == 1400:
        expect(chat).to_be_visible()
        panel.locator("summary").click()
    expect(chat).to_be_hidden()
    write(one.page, "Hello!")
    expect(two.page.locator("#unread")).to_have_text("1 new")
    two.page.reload()
    expect(chat).to_be_hidden()
    panel.locator("summary").click()
    expect(chat).to_be_visible()
    expect(chat).to_contain_text("Hello!")
    expect(two.page.locator("#unread")).to_have_text("")
    two.page.reload()
    expect(chat).to_be_visible()
    assert two.page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(two.page) == []
    assert not two.wrong
