"""Panel with the printed rules at a table: place, marked clause, keys, language."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.clicking import Sitter
from tests.web.browser.test_accessibility import SEATS, violations

SIZES = ((1400, 900), (1024, 768), (390, 844))
PHASE = "#rules-phase\\.trade_and_build"
MARKED = "#rules-text [aria-current]"


def seated(serve: Callable[..., Any], sit: Callable[..., Any], **more: Any) -> Sitter:
    """Sit down where the first player is to move."""
    links = serve().table("germany", SEATS, seed=3).links
    sitter: Sitter = sit(links["orange"], **more)
    sitter.until_due()
    return sitter


def is_in_sight(sitter: Sitter) -> bool:
    """Return whether the marked clause is in the visible part of the rules."""
    return bool(
        sitter.page.evaluate(
            """(marked) => {
              const text = $('rules-text').getBoundingClientRect(),
                { top } = document.querySelector(marked).getBoundingClientRect();
              return top >= text.top && top < text.bottom; }""",
            MARKED,
        )
    )


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_rules_open_at_the_present_clause_and_leave_the_board_in_place(
    serve: Callable[..., Any], sit: Callable[..., Any], size: tuple[int, int]
) -> None:
    sitter = seated(serve, sit, width=size[0])
    page = sitter.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    box = page.locator("#map").bounding_box()
    page.locator("#rules-open").click()
    assert page.locator("#map").bounding_box() == box
    expect(page.locator(MARKED)).to_have_count(1)
    expect(page.locator(f"{MARKED} {PHASE}")).to_be_visible()
    assert is_in_sight(sitter)
    expect(page.locator(MARKED)).to_be_focused()
    page.evaluate("chooseAction('offer_trade', { focus: false })")
    expect(page.locator(f"{MARKED} #rules-action\\.offer_trade")).to_be_visible()
    assert is_in_sight(sitter)
    expect(page.locator("#rules-links [aria-current]")).to_have_text("make an offer")
    if size[0] < SIZES[1][0]:  # on a phone, the board grows when an action is chosen
        box = page.locator("#map").bounding_box()
    assert page.locator("#map").bounding_box() == box
    assert not violations(page)
    page.keyboard.press("Escape")
    expect(page.locator("#rules")).to_be_hidden()
    expect(page.locator("#rules-open")).to_be_focused()
    assert page.locator("#map").bounding_box() == box
    assert not sitter.wrong


def test_a_refusal_opens_the_rules_at_its_requirement(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Without the refused action, the clause of the present moment is marked again."""
    sitter = seated(serve, sit)
    page = sitter.page
    page.evaluate(
        "refuse({ title: 'Build', reason: 'no', rule: 'action.build_road.reached' })"
    )
    page.locator(".show-rule").click()
    expect(page.locator(MARKED)).to_have_id("rules-action.build_road.reached")
    assert is_in_sight(sitter)
    page.evaluate("show()")
    expect(page.locator(f"{MARKED} {PHASE}")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".show-rule")).to_be_focused()
    page.evaluate(
        "refuse({ title: 'Build', reason: 'no', rule: 'action.build_road.unprinted' })"
    )
    page.keyboard.press("F1")
    expect(page.locator(f"{MARKED} #rules-action\\.build_road")).to_have_count(1)
    assert not sitter.wrong


def test_links_in_the_rules_move_only_the_rules(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    sitter = seated(serve, sit, width=390)
    page = sitter.page
    page.keyboard.press("F1")
    expect(page.locator(MARKED)).to_be_focused()
    link = page.locator("#rules-text section li a").first
    target = link.get_attribute("href") or ""
    link.click()
    assert page.evaluate(
        "(id) => document.activeElement.contains(document.getElementById(id))",
        target[1:],
    )
    assert page.evaluate("[scrollY, location.hash]") == [0, ""]
    page.keyboard.press("F1")
    expect(page.locator("#rules")).to_be_hidden()
    assert not sitter.wrong


def test_rules_are_in_the_language_of_the_reader(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    sitter = seated(serve, sit, language="de")
    page = sitter.page
    expect(page.locator("#rules-open")).to_have_text("§Regeln")
    page.locator("#rules-open").click()
    expect(page.locator("#rules-text")).to_contain_text("Spielmaterial")
    expect(page.locator("#rules-text")).to_contain_text("Landschaftsfeld")
    assert not sitter.wrong


def test_a_reader_who_reads_elsewhere_stays_there(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The mark moves to the chosen action; the text moves only if it was seen."""
    sitter = seated(serve, sit)
    page = sitter.page
    page.locator("#rules-open").click()
    expect(page.locator(MARKED)).to_have_count(1)
    scrolls = page.evaluate(
        """() => { const text = document.getElementById('rules-text'), places = [];
          for (const away of [true, false]) {
            if (away) text.scrollTop = 0;
            else rulesPanel.point('setup');
            rulesPanel.follow(['action.build_landmark'], []);
            places.push(text.scrollTop > 0);
          }
          return places; }"""
    )
    assert scrolls == [False, True]
