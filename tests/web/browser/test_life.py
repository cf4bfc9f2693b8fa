"""Life of the table's page: motion, sounds, notifications, previews, settings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.clicking import Sitter
from tests.web.browser.test_accessibility import violations

SEATS = {"red": "person", "blue": "greedy", "white": "person", "orange": "person"}
FUNCTIONS = Path(__file__).with_name("life.js").read_text(encoding="utf-8")


def joined(sitter: Sitter) -> Sitter:
    """Load the functions of the tests into a page."""
    sitter.page.evaluate(f"{FUNCTIONS} null")
    sitter.page.evaluate("lookOn()")
    return sitter


def seated(serve: Callable[..., Any], sit: Callable[..., Any], **more: Any) -> Sitter:
    """Sit down at a table where another player is to move."""
    return joined(sit(serve().table("germany", SEATS, seed=3).links["red"], **more))


def setting(sitter: Sitter, name: str) -> Any:
    """Open the settings; return the checkbox of a setting."""
    if not sitter.page.locator("#settings[open]").count():
        sitter.page.locator("#settings summary").click()
    return sitter.page.locator(f"[data-setting={name}]")


def test_a_moved_piece_is_at_its_new_space_at_once(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Only a copy moves, from the middle of the old drawing to the new one."""
    red = seated(serve, sit)
    red.page.evaluate("change('Berlin')")
    pieces_and_copy = red.page.evaluate(
        """() => { change('Harz');
          const [copy] = $('motion').children, [move] = copy.getAnimations();
          return [$('at-Harz').querySelectorAll('[data-piece=thing]').length,
            $('at-Berlin').querySelectorAll('[data-piece]').length,
            move.effect.getKeyframes()[0].transform, move.effect.getTiming().duration,
            /data-|title/.test(copy.outerHTML)]; }"""
    )
    assert pieces_and_copy == [1, 0, "translate(-100px, 0px)", 250, False]
    red.until("() => motion.running.size === 0 && copies() === 0")
    assert not red.wrong


@pytest.mark.parametrize("event", ["pointerdown", "keydown", "wheel"])
def test_any_input_finishes_all_animations(
    serve: Callable[..., Any], sit: Callable[..., Any], event: str
) -> None:
    """Cards, pieces and dice are at rest, and no copies are left."""
    red = seated(serve, sit)
    red.page.evaluate("change('Berlin')")
    counts = red.page.evaluate(
        """(event) => { change('Harz', { isMore: true });
          const [die] = document.querySelector('.die').getAnimations();
          const states = [animations(), copies(), die.effect.getTiming().duration];
          document.body.dispatchEvent(new Event(event, { bubbles: true }));
          return [...states, animations(), copies(), motion.running.size]; }""",
        event,
    )
    assert counts[0] >= 4
    assert counts[1:] == [2, 400, 0, 0, 0]


def test_an_action_animates_pieces_and_ends_by_itself(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The page shows the piece at once; the focus and the board stay in place."""
    made = serve().table("germany", SEATS, seed=5, options={"variable_setup": True})
    sitter = joined(sit(made.links[made.table.waits_for()[0]]))
    sitter.until_due()
    before = sitter.page.locator("#marks [data-piece]").count()
    box = sitter.page.locator("#map").bounding_box()
    sitter.page.locator(".place:not(.off)").first.click()
    sitter.page.locator("#c-yes").click()
    sitter.until("() => state.done === 1")
    (first, *_) = sitter.page.evaluate("states.filter((each) => each.running)")
    assert first["pieces"] == before + 1
    assert sitter.page.locator("#map").bounding_box() == box
    assert sitter.page.evaluate("document.activeElement.id") == "h-turn"
    sitter.until("() => motion.running.size === 0")
    assert not sitter.wrong


def test_a_redrawn_space_fades_in_but_not_a_whole_board(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """A board that changes its scale is redrawn everywhere."""
    red = seated(serve, sit)
    counts = red.page.evaluate(
        "[8, 9].map((number) => { redraw(number); return motion.running.size; })"
    )
    assert counts == [8, 0]


@pytest.mark.parametrize("way", ["reduced", "off", "hidden"])
def test_no_motion_that_nobody_wants_or_sees(
    serve: Callable[..., Any], sit: Callable[..., Any], way: str
) -> None:
    """The browser asks for reduced motion, the menu says so, or the page is hidden."""
    more = {"reduced_motion": "reduce"} if way == "reduced" else {}
    red = seated(serve, sit, **more)
    if way == "off":
        setting(red, "motion").uncheck()
    if way == "hidden":
        red.page.evaluate("hide(true)")
    red.page.evaluate("change('Berlin'); change('Harz', { isMore: true })")
    states = red.page.evaluate("states")
    assert len(states) >= 2
    assert not any(each["running"] or each["copies"] for each in states)
    assert red.page.locator("#at-Harz [data-piece=thing]").count() == 1


def test_settings_are_remembered_and_accessible(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """A browser that knows nothing animates, is silent and does not notify."""
    red = seated(serve, sit, width=390)
    names = ("motion", "sound", "notices", "haste")
    assert [setting(red, name).is_checked() for name in names] == [1, 0, 0, 0]
    setting(red, "motion").uncheck()
    setting(red, "sound").check()
    assert not violations(red.page)
    red.page.keyboard.press("Escape")
    expect(red.page.locator("#settings summary")).to_be_focused()
    expect(setting(red, "motion")).to_be_visible()
    red.page.locator("#hand h2").first.click()
    expect(red.page.locator("#settings[open]")).to_have_count(0)
    red.page.reload()
    assert [setting(red, name).is_checked() for name in names] == [0, 1, 0, 0]
    assert not red.wrong


def test_fast_bots_are_requested_by_the_event_stream(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Bots are fast as long as all connected players want it."""
    server = serve()
    made = server.table("germany", SEATS, seed=3)
    red = sit(made.links["red"])
    setting(red, "haste").check()
    wait_for(red, lambda: server.host.presence.wants_fast_bots(made.table.id))
    blue = sit(made.links["white"])
    wait_for(red, lambda: not server.host.presence.wants_fast_bots(made.table.id))
    blue.page.close()
    wait_for(red, lambda: server.host.presence.wants_fast_bots(made.table.id))
    setting(red, "haste").uncheck()
    wait_for(red, lambda: not server.host.presence.wants_fast_bots(made.table.id))


def wait_for(sitter: Sitter, condition: Callable[[], bool]) -> None:
    """Wait until a condition of the server is true."""
    for _ in range(500):
        if condition():
            return
        sitter.page.wait_for_timeout(20)
    assert condition()


@pytest.mark.parametrize("language", ["en", "de"])
def test_hidden_page_notifies_of_the_question(
    serve: Callable[..., Any], sit: Callable[..., Any], language: str
) -> None:
    """The words are those of the page, and its title has a mark."""
    made = serve().table("germany", SEATS, seed=3)
    red = joined(sit(made.links["red"], language=language))
    orange = sit(made.links["orange"])
    red.page.evaluate("recordNotices('granted')")
    setting(red, "notices").check()
    red.page.evaluate("hide(true)")
    orange.until_due()
    orange.page.locator("[data-at-once=end_turn]").click()
    red.until("() => notices.length > 0")
    title = {"en": "It’s your turn", "de": "Du bist am Zug"}[language]
    assert red.page.evaluate("notices") == [[title, red.text("#h-turn"), language]]
    assert red.page.title().startswith("● ")
    red.page.evaluate("hide(false); alerts.tell({ decides: false }, {})")
    assert len(red.page.evaluate("notices")) == 1
    assert not red.wrong


def test_setting_without_permission_is_unchecked(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The menu gives the reason."""
    red = seated(serve, sit)
    red.page.evaluate("recordNotices('denied')")
    setting(red, "notices").click()
    expect(red.page.locator("#settings-note")).to_contain_text("does not allow")
    expect(setting(red, "notices")).not_to_be_checked()


def test_sounds_are_played_on_request(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Off by default; then each kind of news has its own tone."""
    red = seated(serve, sit)
    red.page.evaluate("recordSounds()")

    def notes(*given: Any) -> Any:
        return red.page.evaluate("(given) => notes(...given)", list(given))

    waiting, asked = {"state": "waiting"}, {"state": "yours", "asked": ""}
    due = {"decides": True}
    assert notes({}, waiting) == 0
    setting(red, "sound").check()
    assert red.page.evaluate("heard") == [523, 784]
    assert notes({}, waiting) == 1
    assert notes({}, waiting, {"isMine": True}) == 0
    assert notes({}, {"state": "over"}) == 4
    assert notes({}, {"state": "yours"}, due) == 2
    assert notes(due, {"state": "yours"}, due) == 1
    assert notes({}, asked, due) == 3
    setting(red, "sound").uncheck()
    assert notes({}, {"state": "over"}) == 0


def test_places_of_an_answer_are_previewed(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Under the pointer and with the focus, on the board and in the list."""
    made = serve().table("germany", SEATS, seed=5, options={"variable_setup": True})
    sitter = sit(made.links[made.table.waits_for()[0]])
    sitter.until_due()
    places, previews = sitter.page.locator(".place"), sitter.page.locator(".preview")
    sitter.page.locator("[data-act=place_town_hall]").hover()
    expect(previews).to_have_count(places.count())
    sitter.page.mouse.move(2, 400)
    expect(previews).to_have_count(0)
    sitter.page.locator("[data-act=place_town_hall]").click()
    option = sitter.page.locator("[data-option]").nth(3)
    option.focus()
    name = option.get_attribute("data-option")
    expect(previews).to_have_attribute("data-place", str(name))
    option.click()
    expect(sitter.page.locator("#c-yes")).to_be_focused()
    sitter.page.mouse.move(2, 400)
    expect(previews).to_have_attribute("data-place", str(name))
    sitter.page.keyboard.press("Escape")
    expect(previews).to_have_count(0)


def test_preview_shows_the_cards_after_an_answer(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """It lies over the edge of the board, so that the board does not move."""
    sitter = sit(serve().table("germany", SEATS, seed=10).links["white"])
    sitter.until_due()
    box = sitter.page.locator("#map").bounding_box()
    after = sitter.page.locator("#c-after")
    sitter.page.locator("[data-at-once=end_turn]").focus()
    expect(after).to_be_empty()
    sitter.page.locator('[id="place-Köln-Düsseldorf"]').click()
    expect(after).to_have_text("You keep: 1 ore")
    assert sitter.page.locator("#map").bounding_box() == box
    sitter.page.keyboard.press("Escape")
    expect(after).to_be_empty()
    assert not sitter.wrong
