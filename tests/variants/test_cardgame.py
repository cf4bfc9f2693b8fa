"""Cards of the card game: each has a scenario and is played in some game."""

import pytest

import workbench
from rulebook import Rulebook
from rulebook.model import Const, Does, Member
from rulebook.tooling import walk
from tests.support.rare import happened, rare_games

KINDS = 51


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return workbench.load("cardgame")


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
