"""Whole games by people who only click what their pages offer."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TINY = Path(__file__).parents[3] / "examples" / "tiny"
GAMES = {
    "germany": {
        "red": "person",
        "blue": "greedy",
        "white": "greedy",
        "orange": "person",
    },
    "base": 3,
    "classic": 3,
    "cardgame": {"white": "person", "black": "greedy"},
    str(TINY / "hex.rules"): 2,
    str(TINY / "dare.rules"): 2,
}
QUICK = (str(TINY / "dare.rules"),)
DECISIONS = 4_000


@pytest.mark.parametrize("variant", GAMES, ids=lambda name: Path(name).stem)
def test_a_whole_game_is_played_by_clicking_what_is_offered(
    variant: str, serve: Callable[..., Any], sit: Callable[..., Any], *, deep: bool
) -> None:
    """Every decision of the people is made by clicks; the game ends without errors."""
    if not deep and variant not in QUICK:
        pytest.skip("whole games of this are among the long checks: --deep")
    chance = random.Random(19)
    server = serve(games=(variant,) if variant.endswith(".rules") else ())
    made = server.table(variant, seated(variant, GAMES[variant]), seed=19)
    people = [place.seat for place in made.table.seats if place.bot is None]
    sitters = {seat: sit(made.links[seat]) for seat in people}
    decided = 0
    while not made.table.over and decided < DECISIONS:
        due = [seat for seat in made.table.waits_for() if seat in sitters]
        if not due:
            sitters[people[0]].page.wait_for_timeout(20)
            continue
        sitter = sitters[due[0]]
        sitter.until_due()
        if sitter.is_due:
            sitter.decide(chance)
            decided += 1
    assert made.table.over, f"after {decided} decisions: {made.table.game!r}"
    for sitter in sitters.values():
        sitter.until("() => document.querySelector('[data-state=over]') !== null")
        assert not sitter.wrong
    acted = [event["seat"] for event in made.table.game.events if "seat" in event]
    assert len(acted) >= decided
    assert decided > 1


def seated(variant: str, seats: Any) -> Any:
    """Return the player of each seat: two people, and bots in the others."""
    if not isinstance(seats, int):
        return seats
    from workbench.files.library.loading import load

    names = load(variant).seats[:seats]
    return {
        name: "person" if number in {0, len(names) - 1} else "greedy"
        for number, name in enumerate(names)
    }
