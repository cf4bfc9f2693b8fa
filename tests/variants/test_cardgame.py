"""Behaviour of the card game: views, searches in piles, and played cards."""

import itertools
from typing import Any

import pytest

import workbench
from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Const, Does, Member
from rulebook.tooling import walk
from tests.support.rare import happened, rare_games
from workbench.bots import generator, random_below

KINDS = 51
PILES = ("pile_1", "pile_2", "pile_3", "pile_4", "pile_5")


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return workbench.load("cardgame")


def positions(book: Rulebook, seed: int, decisions: int) -> list[Game]:
    """Return the game before each decision of random play."""
    game = Game.start(book, seed=seed)
    numbers = generator(seed, "everybody")
    games: list[Game] = []
    while game.to_act is not None and len(games) < decisions:
        games.append(game.copy())
        legal = game.legal_actions()
        assert legal, "a state without a legal action"
        game.apply(legal[random_below(len(legal), numbers)])
    return games


def order(game: Game, pile: str) -> list[Any]:
    """Return the cards of a pile from the top, regardless of who knows them."""
    known = game.position["pile"][pile]["cards"]["known"]
    return [card["card"] if isinstance(card, dict) else card for card in known]


def known_card(place: Any, seat: str) -> Any:
    """Return the card at a place of a stack if a seat knows it."""
    if isinstance(place, dict):
        return place["card"] if seat in place["known_to"] else None
    return place


def test_each_kind_of_card_has_a_scenario(book: Rulebook) -> None:
    model = book.model
    kinds = [
        (domain, index)
        for domain in ("development", "event")
        for index in range(len(model.domains[domain].members))
    ]
    shown = {
        (node.type.domain, node.value)
        for scenario in model.scenarios
        for node in walk(scenario.steps)
        if isinstance(node, Const) and isinstance(node.type, Member)
    }

    assert len(kinds) == KINDS
    assert [kind for kind in kinds if kind not in shown] == []


def test_a_view_hides_the_other_players_hand(book: Rulebook) -> None:
    seen = 0
    for game in positions(book, seed=3, decisions=800):
        for seat, other in (("white", "black"), ("black", "white")):
            hand = game.view(seat)["player"][other]["hand"]
            looked = seat in game.position.get("seen", {}).get("player.hand", {}).get(
                other, []
            )
            assert looked or set(hand) == {"count"}
            seen += looked

    assert seen > 0


def test_a_spectator_knows_no_card_of_a_stack_or_hand(book: Rulebook) -> None:
    for game in positions(book, seed=4, decisions=300):
        view = game.view(None)
        hidden = [view["player"][seat]["hand"] for seat in game.seats]
        hidden += [view["pile"][pile]["cards"] for pile in PILES]
        hidden.append(view["game"]["region_stack"])

        assert all(set(stack) == {"count"} for stack in hidden)


def test_a_view_shows_the_cards_of_a_stack_that_the_seat_has_seen(
    book: Rulebook,
) -> None:
    shown = 0
    for game in positions(book, seed=5, decisions=300):
        for pile in PILES:
            known = game.position["pile"][pile]["cards"]["known"]
            for seat in game.seats:
                view = game.view(seat)["pile"][pile]["cards"]
                mine = [known_card(card, seat) for card in known]
                assert view.get("known", [None] * len(known)) == mine
                shown += len(mine) - mine.count(None)

    assert shown > 0


def test_searching_a_pile_takes_one_card_and_keeps_the_order(book: Rulebook) -> None:
    searched = 0
    games = positions(book, seed=6, decisions=1200)
    for before, after in itertools.pairwise(games):
        done = after.events[before.steps]
        if not str(done.get("action", "")).startswith("choose_card"):
            continue
        for pile in PILES:
            old, new = order(before, pile), order(after, pile)
            if len(new) == len(old) - 1:
                place = next(
                    (n for n, card in enumerate(new) if card != old[n]), len(new)
                )
                assert old[:place] + old[place + 1 :] == new
                searched += 1

    assert searched > 3


def test_scenarios_contain_all_rare_actions(book: Rulebook) -> None:
    done = {
        node.action
        for scenario in book.model.scenarios
        for _, statements in scenario.steps
        for node in statements
        if isinstance(node, Does)
    }

    assert {"play_scout", "answer_with", "demolish", "counter_offer"} <= done


PLAYS = ("build_upgrade", "play_action_card", "play_before_the_roll", "answer_with")


def test_every_card_is_played_in_some_game(book: Rulebook, deep: bool) -> None:
    done = {
        what
        for game in rare_games(
            book, 2000 if deep else 60, offers_per_turn=3, longest_offer=4
        )
        for what in happened(game)
    }

    domains = book.model.domains
    drawn = {card for card in domains["event"].members if f"draw_event: {card}" in done}
    played = {
        card
        for card in domains["development"].members
        if any(f"{play} {card}" in done for play in PLAYS)
    }
    assert drawn == set(domains["event"].members)
    assert "play_scout" in done
    assert played | {"scout"} == set(domains["development"].members)
