"""Replay and workshop in Chromium: by slider, keys and typing, for all players."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.test_accessibility import violations

SLOW = 60_000
"""Maximum milliseconds of a check on a busy machine."""
TEXT = Path(__file__).parents[3] / "examples" / "tiny" / "noughts_and_crosses.rules"


@pytest.fixture
def over(serve: Callable[..., Any]) -> Any:
    """Return a table at which two bots have finished their game."""
    made = serve(games=(str(TEXT),)).table(str(TEXT), 2)
    played(made, 100)
    assert made.table.over
    return made


def played(made: Any, events: int) -> None:
    """Let the people at a table take the first legal action, *events* times."""
    table = made.table
    while not table.over and table.game.steps < events:
        seat = table.waits_for()[0]
        table.decide(seat, table.game.legal_actions(seat)[0].text, table.version)
    made.server.loop.call_soon_threadsafe(made.server.host.announce_change, table)


def at(page: Page, event: int, of: int) -> None:
    """Check that a page shows an event."""
    expect(page.locator("#h-time")).to_have_text(f"Event {event} of {of}")
    expect(page.locator("#slide")).to_have_value(str(event))
    assert f"at={event}" in page.url


def pieces(page: Page) -> str:
    """Return the pieces on the board of a page."""
    return page.locator("#marks").inner_html()


def test_replay_is_controlled_by_keys_buttons_and_slider(
    over: Any, sit: Callable[..., Any]
) -> None:
    sitter = sit(over.links["watch"])
    page, steps = sitter.page, over.table.game.steps
    page.goto(f"{page.url.partition('?')[0]}replay?at=0")
    page.locator("html[data-ready]").wait_for()
    at(page, 0, steps)
    empty = pieces(page)
    page.locator("body").press("ArrowRight")
    at(page, 1, steps)
    first = pieces(page)
    assert first != empty
    page.locator("#on").click()
    at(page, 2, steps)
    page.locator("#back").click()
    at(page, 1, steps)
    assert pieces(page) == first
    page.locator("#slide").focus()
    page.keyboard.press("End")
    at(page, steps, steps)
    page.keyboard.press("Home")
    at(page, 0, steps)
    assert pieces(page) == empty
    page.locator("#events a").nth(3).click()
    at(page, 4, steps)
    expect(page.locator("#events li[aria-current]")).to_have_count(1)
    page.reload()
    at(page, 4, steps)
    page.locator("#play").click()
    at(page, 5, steps)
    page.locator("#play").click()
    assert not sitter.wrong


def test_continues_from_an_event_with_bots(over: Any, sit: Callable[..., Any]) -> None:
    page = sit(over.links["watch"]).page
    page.goto(f"{page.url.partition('?')[0]}replay?at=3")
    page.locator("html[data-ready]").wait_for()
    page.locator("body").press("ArrowLeft")
    at(page, 2, over.table.game.steps)
    page.locator("button[value=bots]").click()
    page.wait_for_url("**/links")
    id = page.url.split("/")[-2]
    assert id != over.table.id


def test_all_can_go_to_the_rematch(over: Any, sit: Callable[..., Any]) -> None:
    """A player creates the rematch; a spectator can then open it."""
    watching = sit(over.links["watch"])
    sitting = sit(over.links[over.table.game.seats[0]])
    again, onward = "Rematch", "Go to the rematch"
    assert not watching.named("button", again).count()
    sitting.named("button", again).click()
    sitting.page.wait_for_url(lambda url: over.table.id not in url)
    watching.named("button", onward).click()
    watching.page.wait_for_url(lambda url: over.table.id not in url)
    assert watching.page.url == sitting.page.url
    expect(watching.page.locator("#turn")).to_contain_text("You are watching.")
    assert not watching.wrong + sitting.wrong


def test_record_is_uploaded_as_a_file(
    over: Any, sit: Callable[..., Any], tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(over.table.game.record, encoding="utf-8")
    page = sit(over.links["watch"]).page
    page.goto(f"{over.server.base}/replay")
    page.locator("#file").set_input_files(record)
    page.wait_for_url("**/replay/*", timeout=SLOW)
    steps = over.table.game.steps
    expect(page.locator("#h-time")).to_have_text(f"Event {steps} of {steps}")


def typed_over(page: Page, old: str, new: str) -> None:
    """Replace a text in the editor by keyboard."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Control+f")
    page.locator(".cm-search input[name=search]").press_sequentially(old)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.insert_text(new)


@pytest.mark.parametrize("width", [1400, 390])
def test_completions_are_offered_and_inserted(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    made = serve(games=(str(TEXT),)).table(str(TEXT), 2)
    sitter = sit(made.links["owner"], width)
    page = sitter.page
    page.goto(f"{page.url.partition('?')[0]}workshop")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text('\ninvariant "kept"\n  require ever')
    page.keyboard.press("Control+Space")
    offered = page.locator(".cm-tooltip-autocomplete li")
    expect(offered).to_have_text(["every"], timeout=SLOW)
    assert not sitter.wrong
    assert violations(page) == []
    page.wait_for_timeout(200)  # a completion accepts no key right after it opens
    page.keyboard.press("Enter")
    expect(page.locator(".cm-content")).to_contain_text("require every")


@pytest.mark.parametrize("width", [1400, 390])
def test_error_is_marked_and_fixed_by_a_click(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    made = serve(games=(str(TEXT),)).table(str(TEXT), 2)
    page = sit(made.links["owner"], width).page
    page.goto(f"{page.url.partition('?')[0]}workshop")
    typed_over(page, "square has no mark", "square has no mrak")
    note = page.locator(".r-note")
    expect(note.first).to_be_visible(timeout=SLOW)
    expect(page.locator("#h-found")).to_contain_text("error")
    expect(page.locator(".cm-lintRange-error").first).to_be_visible()
    expect(page.locator("#apply")).to_have_attribute("aria-disabled", "true")
    assert not violations(page)
    page.locator("#diagnostics button").first.click()
    expect(page.locator(".cm-content")).to_be_focused()
    expect(page.locator(".r-note button")).to_have_text("mark")
    page.locator(".r-note button").click()
    expect(page.locator("#h-found")).to_have_text("No errors", timeout=SLOW)
    expect(page.locator("#changed")).to_be_hidden()


def text_of(made: Any) -> str:
    """Return the text of the rules in force on the server."""
    (text,) = made.server.host.tables[made.table.id].texts.values()
    return str(text)


def test_applied_rules_are_visible_to_all_and_invalid_ones_rejected(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    made = serve(games=(str(TEXT),)).table(str(TEXT), 2)
    played(made, 4)
    other = sit(made.links[made.table.game.seats[0]])
    owner = sit(made.links["owner"])
    page = owner.page
    page.goto(f"{page.url.partition('?')[0]}workshop")
    title = made.table.book.title
    earlier, looked = page.context.new_page(), list[str]()
    earlier.on("request", lambda request: looked.append(request.url))
    with earlier.expect_request(lambda request: "/news" in request.url):
        earlier.goto(page.url)
    expect(earlier.locator("#connected")).to_have_text("connected")
    earlier.wait_for_timeout(300)
    assert not any("/now" in url for url in looked), "there is nothing new yet"
    typed_over(page, f'"{title}"', '"Another name"')
    expect(page.locator("#h-apply")).to_have_text(
        "The game so far is still valid", timeout=SLOW
    )
    page.locator("#apply").click()
    expect(page.locator("#h-apply")).to_have_text(
        "The game continues under the changed rules", timeout=SLOW
    )
    assert '"Another name"' in text_of(made)
    expect(earlier.locator("#checking")).to_contain_text("The rules of this table")
    typed_over(earlier, f'"{title}"', '"An earlier name"')
    expect(earlier.locator("#apply-why")).to_contain_text("changed in the meantime")
    typed_over(page, '"Another name"', '"A third name"')
    expect(page.locator("#h-apply")).to_have_text(
        "The game so far is still valid", timeout=SLOW
    )
    page.locator("#apply").click()
    expect(page.locator("#changed")).to_be_hidden(timeout=SLOW)
    assert '"A third name"' in text_of(made)
    other.page.reload()
    expect(other.page.locator("h1")).to_contain_text("A third name")


LOOK_ON = """() => { window.moves = []; const show = motion.show;
  motion.show = (before) => { show(before); moves.push(motion.running.size); }; }"""


@pytest.mark.parametrize("way", ["plain", "reduced", "off"])
def test_neighbouring_events_are_animated_but_not_jumps(
    over: Any, sit: Callable[..., Any], way: str
) -> None:
    """Nor with reduced motion, or if the reader switched animations off at a table."""
    more = {"reduced_motion": "reduce"} if way == "reduced" else {}
    sitter = sit(over.links["watch"], **more)
    page, steps = sitter.page, over.table.game.steps
    if way == "off":
        page.evaluate("settings.set('motion', false)")
    page.goto(f"{page.url.partition('?')[0]}replay?at=0")
    page.locator("html[data-ready]").wait_for()
    page.evaluate(LOOK_ON)
    page.locator("body").press("ArrowRight")
    at(page, 1, steps)
    page.locator("#back").click()
    at(page, 0, steps)
    page.locator("body").press("End")
    at(page, steps, steps)
    if way == "plain":
        page.locator("body").press("Home")
        at(page, 0, steps)
        page.locator("#play").click()
        at(page, 1, steps)
        page.locator("#play").click()
    moves = page.evaluate("moves.map((count) => Math.sign(count))")
    assert moves[:5] == ([1, 1, 0, 0, 1] if way == "plain" else [0, 0, 0])
    page.locator("body").press("a")
    assert page.evaluate(
        "[motion.running.size, document.querySelectorAll('#motion > *').length]"
    ) == [0, 0]
    assert not sitter.wrong
