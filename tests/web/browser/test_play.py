"""People play in browsers: up to the first landmark, trades, rejected actions."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.clicking import Sitter

PEOPLE = {"red": "person", "blue": "person", "white": "greedy", "orange": "greedy"}
CHOSEN = {"variable_setup": True}
DECISIONS = 600


def decided(made: Any, sitters: dict[str, Sitter], chance: random.Random) -> bool:
    """Let the person who is due decide; return whether there was one."""
    due = [seat for seat in made.table.waits_for() if seat in sitters]
    if not due:
        next(iter(sitters.values())).page.wait_for_timeout(20)
        return False
    sitter = sitters[due[0]]
    sitter.until_due()
    ends = sitter.page.locator("[data-at-once=end_turn]")
    if ends.count() and chance.random() < 0.6:
        ends.click()
        sitter.until("() => !state.busy")
    elif sitter.is_due:
        sitter.decide(chance)
    return True


@pytest.mark.slow
def test_two_browsers_and_two_bots_play_from_set_up_to_the_first_landmark(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Play by clicks only; buildings appear on every page."""
    server, chance = serve(), random.Random(5)
    made = server.table("germany", PEOPLE, options=CHOSEN, seed=5)
    sitters = {seat: sit(made.links[seat]) for seat in ("red", "blue")}
    first = sitters["red"]
    first.until_due()
    place = first.page.locator(".place:not(.off)").first
    name = place.get_attribute("data-place")
    place.click()
    expect(first.page.locator("#c-what")).to_contain_text("Place a town hall")
    first.page.locator("#c-yes").click()
    built = f"place_town_hall({name})"
    first.until("() => state.done === 1")
    assert {"seat": "red", "action": built} in made.table.game.events
    mark = sitters["blue"].page.locator(f'[id="at-{name}"] title').first
    expect(mark).to_have_text(re.compile("Red town hall"), use_inner_text=False)
    for _ in range(DECISIONS):
        decided(made, sitters, chance)
        done = [str(event.get("action")) for event in made.table.game.events]
        landmarks = [text for text in done if text.startswith("build_landmark(")]
        if landmarks:
            break
    assert landmarks
    for sitter in sitters.values():
        marks = sitter.page.locator("#marks title", has_text=re.compile(r", landmark$"))
        expect(marks).to_have_count(len(landmarks))
        assert not sitter.wrong


def test_offer_is_made_countered_and_accepted(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Use forms with steppers, and buttons; the cards change hands as agreed."""
    made = serve().table("germany", {**PEOPLE, "orange": "person"}, seed=3)
    orange, red = sit(made.links["orange"]), sit(made.links["red"])
    blue = sit(made.links["blue"])
    before = {seat: hand(made, seat) for seat in ("orange", "red")}
    given, wanted = (
        card(before["orange"]),
        card(before["red"], but=card(before["orange"])),
    )
    orange.until_due()
    orange.page.locator("[data-act=offer_trade][data-form]").click()
    offer(orange, "give", "want", given, wanted)
    orange.page.locator("form.gather:not([hidden]) [type=submit]").click()
    red.until_due()
    assert f"1 {given}" in red.text("#turn")
    red.page.locator("#turn").get_by_role("button", name="counter-offer").click()
    offer(red, "counter_give", "counter_want", wanted, given)
    red.page.locator("form.gather:not([hidden]) [type=submit]").click()
    blue.until_due()
    blue.page.locator("#turn").get_by_role("button", name="Refuse the offer").click()
    orange.until_due()
    orange.page.locator("#turn").get_by_role("button", name="Trade with Red").click()
    orange.until("() => !state.busy")
    red.until(f"() => state.version >= {made.table.version}")
    assert hand(made, "orange")[wanted] == before["orange"][wanted] + 1
    assert hand(made, "red")[given] == before["red"][given] + 1
    expect(orange.page.locator(f"#hand [data-thing={wanted}] b")).to_have_text(
        str(before["orange"][wanted] + 1)
    )
    assert not orange.wrong + red.wrong + blue.wrong


def hand(made: Any, seat: str) -> dict[str, int]:
    """Return the hand of a seat."""
    return dict(made.table.game.view(seat)["player"][seat]["hand"])


def card(held: dict[str, int], but: str = "") -> str:
    """Return a held card other than *but*."""
    return next(name for name, count in held.items() if count and name != but)


def offer(sitter: Sitter, give: str, want: str, given: str, wanted: str) -> None:
    """Put a card on each side of a form."""
    for row, name in ((give, given), (want, wanted)):
        steppers = f"form.gather:not([hidden]) [data-row={row}] [data-card={name}]"
        sitter.page.locator(f"{steppers} [data-step='1']").click()
    barred = f"form.gather:not([hidden]) [data-row={want}] [data-card={given}]"
    expect(sitter.page.locator(f"{barred} [data-step='1']")).to_be_disabled()


def test_click_on_an_illegal_action_shows_the_requirement(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The page shows the remedy and the place in the rules; nothing else changes."""
    made = serve().table("germany", {**PEOPLE, "orange": "person"}, seed=3)
    orange = sit(made.links["orange"])
    orange.until_due()
    before = made.table.game.steps
    expect(orange.page.locator("#connected")).to_have_text("connected")
    orange.until(f"() => state.version >= {made.table.version}")  # an update hides it
    x, y = orange.page.evaluate(
        """() => { const [x, y] = state.spots['Berlin-I30'];
          const at = new DOMPoint(x, y).matrixTransform(view.svg.getScreenCTM());
          return [at.x, at.y]; }"""
    )
    orange.page.mouse.click(x, y)
    expect(orange.page.locator("#c-what")).to_contain_text("Berlin–I30")
    why = orange.page.locator("#why")
    expect(why).to_contain_text("costs 1 lumber and 1 brick")
    expect(why).to_contain_text("What would help")
    expect(why).to_contain_text("build_road.pays")
    row = orange.named("button", "“build a landmark” is not possible: why not?")
    row.click()
    expect(why).to_contain_text("costs 1 grain and 2 ore")
    assert made.table.game.steps == before
    assert not orange.wrong


def test_closed_browser_returns_to_its_seat(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The hand is the same; meanwhile the others see that the player is away."""
    made = serve().table("germany", PEOPLE, seed=3)
    red, blue = sit(made.links["red"]), sit(made.links["blue"])
    address, context = red.page.url, red.page.context
    held = red.text("#hand .cards")
    red.page.close()
    expect(blue.page.locator("#players .seat").first).to_contain_text("away")
    again = Sitter.at(context.new_page(), address)
    assert again.text("#hand .cards") == held
    expect(blue.page.locator("#players .seat").first).not_to_contain_text("away")
    assert "/sit/" not in again.page.url


def test_one_click_lets_a_bot_replace_an_absent_player(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """The returning player is informed, and takes the seat back with one click."""
    made = serve().table("germany", {**PEOPLE, "orange": "person"}, seed=3)
    orange, red = sit(made.links["orange"]), sit(made.links["red"])
    address, context = orange.page.url, orange.page.context
    orange.page.close()
    red.named("button", "Ask for a bot to play for Orange").click()
    seat = red.page.locator("#players .seat").last
    expect(seat).to_contain_text("greedy takes over after 2 s of absence")
    expect(seat).to_contain_text("bot, greedy")
    assert made.table.seat_state("orange").stand_in == "greedy"
    red.until_due()
    again = Sitter.at(context.new_page(), address)
    again.named("button", "Take your seat back").click()
    expect(again.page.locator("#h-turn")).not_to_have_text("A bot is playing for you")
    assert made.table.seat_state("orange").is_person_deciding
    assert not red.wrong + again.wrong


def test_player_can_set_a_name(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Set the name in the page; the others see it, and an invalid name is rejected."""
    made = serve().table("germany", PEOPLE, seed=3)
    red, blue = sit(made.links["red"]), sit(made.links["blue"])
    watching = sit(made.links["watch"])
    assert not watching.page.get_by_text("Your name").count()
    red.page.get_by_text("Your name").click()
    red.named("textbox", "Your name").fill("Rosa <b>")
    red.named("button", "Save").click()
    expect(blue.page.locator("#players .seat").first).to_contain_text("Rosa <b>")
    expect(red.page.locator("#players .seat").first).to_contain_text("Rosa <b>, you")
    expect(red.page.locator("summary:focus")).to_have_text("Your name")
    assert not red.wrong
    red.page.keyboard.press("Enter")
    red.named("textbox", "Your name").fill("x" * 41)
    red.page.keyboard.press("Enter")
    expect(red.page.locator("#confirm")).to_contain_text("at most 40 characters")
    red.page.reload()
    red.page.get_by_text("Your name").click()
    expect(red.named("textbox", "Your name")).to_have_value("Rosa <b>")


def test_page_switches_its_language(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """One click changes the language of the page and of the rules."""
    made = serve().table("germany", {**PEOPLE, "orange": "person"}, seed=3)
    orange = sit(made.links["orange"])
    expect(orange.page.locator("#h-turn")).to_have_text("What do you want to do?")
    orange.page.get_by_role("button", name="DE", exact=True).click()
    expect(orange.page.locator("html")).to_have_attribute("lang", "de")
    expect(orange.page.locator("#h-turn")).to_have_text("Was möchtest du tun?")
    expect(orange.page.locator("#turn")).to_contain_text("Zug beenden")
    assert re.search("Getreide|Holz|Wolle|Lehm|Erz", orange.text("#hand"))
