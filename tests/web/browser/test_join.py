"""Joining with a code in Chromium: from the lobby to a seat."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.test_accessibility import violations


@pytest.mark.parametrize("width", [1400, 390])
def test_code_leads_from_the_lobby_to_a_seat(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    server = serve()
    made = server.table("germany", 3, seed=3)
    first, second, third = made.table.game.seats
    owner = sit(made.links[first]).page
    owner.goto(made.links["owner"])
    owner.goto(f"{server.base}/t/{made.table.id}/links")
    code = owner.locator("#join-code").inner_text()
    assert violations(owner) == []

    guest = sit(server.table("germany", 3).links["watch"], width).page
    guest.goto(server.base)
    guest.get_by_label("Code of the table").fill(code.lower())
    guest.get_by_role("button", name="Show free seats").click()
    expect(guest.get_by_role("radio")).to_have_count(2)
    assert violations(guest) == []
    guest.get_by_role("radio").last.check()
    guest.get_by_label("Name").fill("Ann")
    guest.get_by_role("button", name="Take a seat").click()
    guest.wait_for_url(f"**/t/{made.table.id}/")
    expect(guest.locator("#players li", has_text="Ann, you")).to_have_count(1)
    assert made.table.seat_state(third).name == "Ann"
    assert made.table.free_seats() == (second,)
    guest.goto(server.base)
    expect(guest.locator("td", has_text=made.table.id)).to_have_count(1)
