"""Whole games by people who only click what their pages offer."""

import random
from collections import Counter, deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from interpreter import Game
from workbench.bots import bot_random, decide, greedy
from workbench.files.library.loading import load

EXAMPLES = Path(__file__).parents[3] / "examples"
WIDTHS = (1400, 390)
"""Widths of the pages, which people use in turn."""
DECISIONS = 4_000


@attrs.frozen
class Play:
    """Players of a game: its seats, or their number with people in the first and
    last; the share of decisions that people leave to a bot; the kinds of elements that
    they must have clicked.
    """

    seats: Mapping[str, str] | int
    considered: float = 0.0
    kinds: frozenset[str] = frozenset({"list"})


BOARD, CARDS = frozenset({"board"}), frozenset({"card"})
GERMANY = {"red": "person", "blue": "greedy", "white": "greedy", "orange": "person"}
GAMES = {
    "germany": Play(GERMANY, kinds=BOARD),
    "base": Play(3, kinds=BOARD),
    "classic": Play(3, kinds=BOARD),
    "cardgame": Play({"white": "person", "black": "greedy"}, kinds=CARDS),
    str(EXAMPLES / "tiny" / "hex.rules"): Play(2, kinds=BOARD),
    str(EXAMPLES / "tiny" / "dare.rules"): Play(2),
    str(EXAMPLES / "games" / "backgammon.rules"): Play(2, 0.8, BOARD),
    str(EXAMPLES / "games" / "ramparts.rules"): Play(2, 0.5, BOARD),
    str(EXAMPLES / "games" / "hidden_ranks.rules"): Play(2, 0.9, BOARD),
}
QUICK = ("dare", "backgammon")
"""Games that are played without `--deep`; with a share of considered decisions, only
from `LAST` decisions before the end.
"""
LAST = 14


@pytest.mark.parametrize("variant", GAMES, ids=lambda name: Path(name).stem)
def test_a_whole_game_is_played_by_clicking_what_is_offered(
    variant: str, serve: Callable[..., Any], sit: Callable[..., Any], *, deep: bool
) -> None:
    """Every decision of the people is made by clicks; the game ends without errors."""
    if not deep and Path(variant).stem not in QUICK:
        pytest.skip("whole games of this are among the long checks: --deep")
    chance, play = random.Random(19), GAMES[variant]
    server = serve(games=(variant,) if variant.endswith(".rules") else ())
    record = late(variant) if play.considered and not deep else None
    made = server.table(variant, seated(variant, play.seats), seed=19, record=record)
    people = [place.seat for place in made.table.seats if place.bot is None]
    sitters = {
        seat: sit(made.links[seat], width=WIDTHS[number % 2])
        for number, seat in enumerate(people)
    }
    decided = 0
    while not made.table.over and decided < DECISIONS:
        due = [seat for seat in made.table.waits_for() if seat in sitters]
        if not due:
            sitters[people[0]].page.wait_for_timeout(20)
            continue
        sitter = sitters[due[0]]
        sitter.until_due()
        if sitter.is_due:
            considers = chance.random() < play.considered
            action = considered(made.table, due[0], decided) if considers else None
            sitter.decide(chance, action)
            decided += 1
    assert made.table.over, f"after {decided} decisions: {made.table.game!r}"
    clicks = Counter[str]()
    for sitter in sitters.values():
        sitter.until("() => document.querySelector('[data-state=over]') !== null")
        assert not sitter.wrong
        clicks += sitter.clicks
    acted = [event["seat"] for event in made.table.game.events if "seat" in event]
    assert len(acted) >= decided
    assert decided > 1
    assert play.kinds <= clicks.keys()


def late(variant: str) -> str:
    """Return the record of a game of greedy bots, shortly before its end."""
    game = Game.start(load(variant), seed=19, players=2)
    records = deque[str](maxlen=LAST)
    while not game.over:
        records.append(game.record)
        seat = str(game.to_act)
        game.apply(decide(greedy, game, seat, bot_random(19, game.steps, seat)))
    return records[0]


def considered(table: Any, seat: str, number: int) -> str:
    """Return the action that a greedy bot would choose."""
    game = table.game_for(seat)
    return str(decide(greedy, game, seat, bot_random(19, number, seat)).text)


def seated(variant: str, seats: Any) -> Any:
    """Return the player of each seat: two people, and bots in the others."""
    if not isinstance(seats, int):
        return seats
    names = load(variant).seats[:seats]
    return {
        name: "person" if number in {0, len(names) - 1} else "greedy"
        for number, name in enumerate(names)
    }
