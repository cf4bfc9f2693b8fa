"""A preview shows the cards after an action, but no outcome of chance."""

from collections.abc import Iterator
from random import Random

import pytest

from interpreter import Game
from tests.web.visiting import SCRIPT, Server, with_server
from workbench.files.library.loading import load
from workbench.presentation.cards.costs import fixed_price
from workbench.presentation.localization.localizer import Localizer
from workbench.web.request_limits import Rate, RequestLimits
from workbench.web.views.cards.previews import cards_after

STEPS = 400


def played(variant: str, seed: int) -> Iterator[Game]:
    """Return the game before each of its random decisions."""
    game, chance = Game.start(load(variant), seed=seed), Random(seed)
    for _ in range(STEPS):
        yield game
        game.apply(chance.choice(game.legal_actions()))


def hand(game: Game, seat: str) -> dict[str, int]:
    """Return the cards of a seat that pay for actions."""
    held: dict[str, int] = game.view(seat)["player"][seat]["hand"]
    return held


def test_previews_agree_with_the_actions() -> None:
    """The text names the cards that the seat has after the action."""
    words, names = Localizer.for_book(load("germany"), "en"), set()
    for game in played("germany", 4):
        seat, before = str(game.to_act), game.record
        for action in game.legal_actions()[:30]:
            text = cards_after(game, seat, action.text, words)
            assert game.record == before
            if not text:
                continue
            assert not game.teaches(action)
            after = game.copy()
            after.apply(action)
            cards = text.partition(": ")[2].partition(" · ")[0]
            assert cards == words.holding_text(hand(after, seat))
            lost = sum(hand(after, seat).values()) < sum(hand(game, seat).values())
            names.add((action.name, text.startswith("You keep: "), lost))
    assert ("build_road", True, True) in names
    assert ("trade_with_bank", False, True) in names


def test_previews_are_silent_about_chance_and_illegal_actions() -> None:
    words, names = Localizer.for_book(load("germany"), "en"), set()
    for game in played("germany", 4):
        seat = str(game.to_act)
        for action in game.legal_actions():
            if game.teaches(action):
                names.add(action.name)
                assert cards_after(game, seat, action.text, words) == ""
        assert cards_after(game, seat, "build_road(nowhere)", words) == ""
        other = next(each for each in game.seats if each != seat)
        first = game.legal_actions()[0].text
        assert cards_after(game, other, first, words) == ""
    assert names >= {"end_turn", "buy_development_card"}


@pytest.mark.parametrize(
    ("language", "start"), [("en", "affordable then: "), ("de", "dann bezahlbar: ")]
)
def test_preview_names_what_is_affordable_then(language: str, start: str) -> None:
    book = load("germany")
    words, texts = Localizer.for_book(book, language), set()
    for game in played("germany", 4):
        seat = str(game.to_act)
        for action in game.legal_actions()[:30]:
            text = cards_after(game, seat, action.text, words)
            if not text:
                continue
            after = game.copy()
            after.apply(action)
            held = hand(after, seat)
            affordable = ", ".join(
                words.short_title(name)
                for name in book.model.actions
                if (price := fixed_price(book, name))
                and all(held[card] >= count for card, count in price)
            )
            assert text.partition(" · ")[2] == (affordable and start + affordable)
            texts.add(affordable)
    assert len(texts) > 1


@with_server(limits=RequestLimits(preview_rate=Rate(2, 60)))
async def test_previews_have_their_own_rate(server: Server) -> None:
    made = await server.table("germany", seats=4, seed=3)
    browser = await made.sat(str(made.table.game.to_act))
    data = {"action": "end_turn"}
    paths = ("preview",) * 3 + ("why",)
    answers = [
        await browser.post(made.home + path, data=data, headers=SCRIPT)
        for path in paths
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 200]


@with_server()
async def test_seat_asks_for_a_preview_of_its_own_action(server: Server) -> None:
    """Spectators have no preview, and the game stays as it is."""
    made = await server.table("germany", seats=4, seed=3)
    seat, version = str(made.table.game.to_act), made.table.version
    data = {"action": "end_turn"}
    answers = {
        each: await (await made.sat(each)).post(
            f"{made.home}preview", data=data, headers=SCRIPT
        )
        for each in (seat, "watch")
    }
    assert answers[seat].json() == {"ok": True, "after": ""}
    assert answers["watch"].status_code == 403
    assert made.table.version == version
