"""The page of a finished table shows the summary of the game, for every reader."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.web.browser.clicking import Sitter
from tests.web.browser.test_accessibility import violations

DARE = str(Path(__file__).parents[3] / "examples" / "tiny" / "dare.rules")
SIZES = ((1400, 900), (1024, 768), (390, 844))
PARTS = ("ranking", "sources", "race", "numbers", "done", "rolls")


def see_summary(sitter: Sitter) -> None:
    """Check that the page shows all parts of the summary, and the board."""
    sitter.until("() => document.querySelector('#summary-parts .ranking') !== null")
    for part in PARTS:
        expect(sitter.page.locator(f"#summary .{part}")).to_have_count(1)
    expect(sitter.page.locator("#summary")).to_be_visible()
    expect(sitter.page.locator("#board")).to_be_in_viewport()
    expect(sitter.page.locator("#actions")).to_be_hidden()


def test_game_ends_with_its_summary(
    serve: Callable[..., Any], sit: Callable[..., Any]
) -> None:
    """Two people click to the end; both, and a spectator, see the numbers."""
    chance = random.Random(5)
    made = serve(games=(DARE,)).table(DARE, 2, seed=7)
    sitters = {seat: sit(made.links[seat]) for seat in made.table.game.seats}
    for sitter in sitters.values():
        expect(sitter.page.locator("#summary")).to_be_hidden()
    while not made.table.over:
        sitter = sitters[made.table.waits_for()[0]]
        sitter.until_due()
        if sitter.is_due:
            sitter.decide(chance)
    watcher = sit(made.links["watch"])
    for sitter in (*sitters.values(), watcher):
        see_summary(sitter)
    left = sitters["left"]
    points = {seat: made.table.game.points(seat) for seat in sitters}
    rows = left.page.locator("#summary .ranking tbody tr").all_inner_texts()
    assert sorted(" ".join(row.split()).split()[-1] for row in rows) == sorted(
        map(str, points.values())
    )
    left.page.reload()
    see_summary(left)
    for width, height in SIZES:
        left.page.set_viewport_size({"width": width, "height": height})
        assert left.page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(left.page) == []
    left.page.set_viewport_size({"width": 1400, "height": 900})
    left.page.locator("#summary header a").click()
    expect(left.page.locator(".summary.wide .ranking")).to_be_visible()
    assert violations(left.page) == []
    left.page.locator(".row a.button").click()
    left.page.get_by_role("link", name="Result and numbers").click()
    expect(left.page.locator(".summary.wide .race svg[role=img]")).to_have_count(1)
    assert not [error for each in (*sitters.values(), watcher) for error in each.wrong]
