"""Pages are accessible with a screen reader and by keyboard, as checked by axe-core."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.clicking import Sitter

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SEATS = {"red": "person", "blue": "greedy", "white": "person", "orange": "person"}
WIDTHS = (1400, 390)


def violations(page: Page) -> list[str]:
    """Return axe-core's violations of levels A and AA, with an element for each."""
    page.evaluate(AXE)
    found_by_axe = page.evaluate(
        "tags => axe.run(document, { runOnly: tags }).then(told => told.violations)",
        RULES,
    )
    return [
        f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found_by_axe
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_conform_to_wcag_level_aa(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int, *, dark: bool
) -> None:
    """Lobby, links, table (deciding, choosing, rejected, waiting), replay, workshop."""
    server = serve()
    made = server.table("germany", SEATS, seed=3)
    scheme = "dark" if dark else "light"
    orange = sit(made.links["orange"], width, color_scheme=scheme)
    orange.until_due()
    wrong = {"deciding": violations(orange.page)}
    orange.page.locator("[data-why]").first.click()
    expect(orange.page.locator("#why .cite")).to_be_visible()
    wrong["refused"] = violations(orange.page)
    red = sit(made.links["red"], width, color_scheme=scheme)
    wrong["waiting"] = violations(red.page)
    for name, address in pages(orange, made).items():
        orange.page.goto(address, timeout=60_000)
        wrong[name] = violations(orange.page)
    left = [f"{name}: {told}" for name, each in wrong.items() for told in each]
    assert not left, "\n".join(left)


def pages(sitter: Sitter, made: Any) -> dict[str, str]:
    """Visit the lobby and the other pages that a table links to."""
    home = sitter.page.url.partition("?")[0]
    base = made.server.base
    return {
        "lobby": f"{base}/",
        "replay": f"{home}replay",
        "workshop": f"{home}workshop",
        "sat": made.links["owner"],
        "links": f"{home}links",
    }


def test_axe_detects_violations(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """A picture without text and a button without a name are reported."""
    made = serve().table("germany", SEATS, seed=3)
    orange = sit(made.links["orange"])
    orange.page.evaluate(
        "document.getElementById('zoom-in').removeAttribute('aria-label')"
    )
    orange.page.evaluate("document.getElementById('zoom-in').textContent = ''")
    assert any(told.startswith("button-name") for told in violations(orange.page))


def test_a_turn_is_played_with_the_keyboard_alone(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Tab to the board, arrow keys between places, Enter twice: a town hall is
    built.
    """
    made = serve().table("germany", SEATS, seed=5, options={"variable_setup": True})
    first = made.table.waits_for()[0]
    sitter = sit(made.links[first])
    sitter.until_due()
    keys = sitter.page.keyboard
    for _ in range(60):
        keys.press("Tab")
        place = sitter.page.evaluate("document.activeElement.dataset.place ?? null")
        if place:
            break
    assert place
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    chosen = sitter.page.evaluate("document.activeElement.dataset.place")
    assert chosen != place
    assert sitter.page.locator(".place[tabindex='0']").count() == 1
    label = sitter.page.evaluate("document.activeElement.getAttribute('aria-label')")
    keys.press("Enter")
    assert sitter.text("#c-what") == label.partition(",")[0]
    assert sitter.page.evaluate("document.activeElement.id") == "c-yes"
    keys.press("Escape")
    assert not sitter.page.locator("#c-yes").count()
    sitter.page.locator(f'[id="place-{chosen}"]').focus()
    keys.press(" ")
    keys.press("Enter")
    sitter.until("() => state.done === 1")
    assert made.table.game.events[-1]["action"] == f"place_town_hall({chosen})"
    assert sitter.page.evaluate("document.activeElement.id") == "h-turn"


def test_the_list_of_actions_does_the_same_as_the_board(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Opening an action in the list marks its places; a choice marks both."""
    made = serve().table("germany", SEATS, seed=5, options={"variable_setup": True})
    sitter = sit(made.links[made.table.waits_for()[0]])
    sitter.until_due()
    opener = sitter.page.locator("[data-act=place_town_hall]")
    expect(opener).to_have_attribute("aria-expanded", "false")
    opener.click()
    expect(opener).to_have_attribute("aria-expanded", "true")
    option = sitter.page.locator("[data-option]").nth(3)
    name = option.get_attribute("data-option")
    marked = sitter.page.locator(".place:not(.off)").count()
    assert sitter.page.locator("[data-option]").count() == marked
    option.click()
    place = sitter.page.locator(f'[id="place-{name}"]')
    expect(place).to_have_attribute("aria-pressed", "true")
    expect(option).to_have_attribute("aria-pressed", "true")


def test_lobby_choice_takes_effect_only_on_submit(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The keyboard selects a game in the list, and its form creates that game."""
    made = serve().table("germany", SEATS, seed=3)
    page = sit(made.links["red"]).page
    page.goto(f"{made.server.base}/?game=germany")
    page.locator("#bots").select_option("1")
    page.locator("#game").focus()
    page.locator("#game").select_option("classic")
    page.wait_for_timeout(300)
    assert page.url.endswith("game=germany")
    assert page.evaluate("document.activeElement.id") == "game"
    page.get_by_role("button", name="Show options").click()
    page.wait_for_url("**/?game=classic&**")
    expect(page.locator("#bots")).to_have_value("1")
    page.locator("#game").select_option("germany")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/links")
    expect(page.locator("#h-seats + span")).to_have_text("germany")


def test_only_new_lines_are_added_to_the_log(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Existing lines of the log stay, so a screen reader reads only new ones."""
    made = serve().table("germany", SEATS, seed=3)
    red, orange = sit(made.links["red"]), sit(made.links["orange"])
    lines = red.page.locator("#log[role=log] li")
    before = lines.count()
    assert before
    red.page.evaluate(
        """() => { window.put = []; new MutationObserver((all) => {
          for (const { addedNodes } of all) put.push(...addedNodes);
        }).observe($('log'), { childList: true, subtree: true }); }"""
    )
    version = made.table.version
    orange.page.locator("[data-at-once=end_turn]").click()
    red.until(f"() => state.version > {version}")
    put = red.page.evaluate("put.filter(each => each.nodeName === 'LI').length")
    assert 0 < put < before
    expect(lines.last).to_be_in_viewport()
    shown = lines.all_inner_texts()
    red.page.reload()
    assert lines.all_inner_texts()[-len(shown) :] == shown
    assert not red.wrong


def test_page_fits_a_phone_screen(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Tabs stay at the bottom edge and lead to each part."""
    made = serve().table("germany", SEATS, seed=3)
    orange = sit(made.links["orange"], 390, has_touch=True, is_mobile=True)
    orange.until_due()
    assert orange.page.evaluate("document.documentElement.scrollWidth") <= 390
    orange.page.locator(".tabs a[href='#log']").click()
    expect(orange.page.locator("#h-log")).to_be_in_viewport()
    box = orange.page.locator(".tabs").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == pytest.approx(844, abs=1)
