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
    writer, reader = sit(made.links[first]), sit(made.links[second])
    lines = reader.page.locator("#chat[role=log] li")
    write(writer.page, "Hello <b>all</b>!")
    expect(lines).to_have_count(1)
    reader.page.evaluate(
        """() => { window.put = []; new MutationObserver((all) => {
          for (const { addedNodes } of all) put.push(...addedNodes);
        }).observe($('chat'), { childList: true, subtree: true }); }"""
    )
    write(reader.page, "Hi!")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("Hello <b>all</b>!")
    assert (
        reader.page.evaluate("put.filter(each => each.nodeName === 'LI').length") == 1
    )
    assert reader.page.evaluate("put.length") == 1
    reader.page.reload()
    expect(lines).to_have_count(2)
    assert violations(reader.page) == []
    box, view = reader.page.locator("#chat-panel").bounding_box(), 900
    assert box is not None
    assert box["y"] + box["height"] <= view
    assert not writer.wrong
    assert not reader.wrong


@pytest.mark.parametrize("width", [1400, 1024, 390])
def test_reader_hides_the_chat(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    """The browser remembers it, and counts the messages that were not read."""
    made = serve().table("germany", 3, seed=3)
    first, second, _ = made.table.game.seats
    writer, reader = sit(made.links[first]), sit(made.links[second], width)
    panel, chat = reader.page.locator("#chat-panel"), reader.page.locator("#chat")
    if width == 1400:
        expect(chat).to_be_visible()
        panel.locator("summary").click()
    expect(chat).to_be_hidden()
    write(writer.page, "Hello!")
    expect(reader.page.locator("#unread")).to_have_text("1 new")
    reader.page.reload()
    expect(chat).to_be_hidden()
    panel.locator("summary").click()
    expect(chat).to_be_visible()
    expect(chat).to_contain_text("Hello!")
    expect(reader.page.locator("#unread")).to_have_text("")
    reader.page.reload()
    expect(chat).to_be_visible()
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(reader.page) == []
    assert not reader.wrong
