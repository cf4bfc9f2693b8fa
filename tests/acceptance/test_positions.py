"""Contents of positions, and games created from them."""

import json
from copy import deepcopy
from typing import Any

import pytest

import workbench
from interpreter import Game, PositionError
from rulebook import Rulebook
from workbench.bots import generator, random_below


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return workbench.load("germany")


def played(game: Game, decisions: int, seed: int = 3) -> Game:
    """Return the game after some random decisions."""
    numbers = generator(seed, "everybody")
    for _ in range(decisions):
        legal = game.legal_actions()
        if not legal:
            break
        game.apply(legal[random_below(len(legal), numbers)])
    return game


def middle(book: Rulebook) -> Game:
    return played(Game.start(book, players=4, seed=3), 200)


def refused(book: Rulebook, position: Any) -> PositionError:
    with pytest.raises(PositionError) as caught:
        Game.from_position(book, position)
    return caught.value


def test_rejects_more_cards_than_the_game_has(book: Rulebook) -> None:
    position = middle(book).position
    position["player"]["red"]["hand"]["ore"] += 1

    error = refused(book, position)

    assert error.value == "game.bank, player.hand"
    assert error.message == "there are 19 ore, but only 18 in the game"


def test_a_violated_invariant_is_named_with_the_values_it_reads(
    book: Rulebook,
) -> None:
    position = middle(book).position
    position["pieces"]["robber"] = {}

    error = refused(book, position)

    assert error.value == "pieces.robber"
    assert "the robber stands on exactly one hex" in error.message


def test_missing_cards_violate_the_invariant_about_them(book: Rulebook) -> None:
    position = middle(book).position
    position["game"]["bank"]["ore"] -= 1

    assert "no resource card is lost or made" in refused(book, position).message


def test_the_record_of_a_game_from_a_position_can_be_replayed(book: Rulebook) -> None:
    for seed in (None, 7):
        chance = "given" if seed is None else "drawn"
        begun = middle(book).position
        game = Game.from_position(book, begun, seed=seed, chance=chance)
        played(game, 60, seed=5)
        head = json.loads(game.record.splitlines()[0])

        again = Game.replay(game.record, book)

        assert game.steps > 50
        assert list(head)[7:9] == ["board", "position"]
        assert head["position"]["pending"] == begun["pending"]
        assert again == game
        assert again.record == game.record


def test_a_sample_has_a_separate_record(book: Rulebook) -> None:
    sample = played(middle(book).sample("blue", seed=9), 30)

    assert Game.replay(sample.record, book) == sample


def test_positions_name_the_remaining_members_of_a_loop(book: Rulebook) -> None:
    options = {"variable_setup": True}
    game = Game.start(book, players=4, seed=1, options=options)
    (frame,) = (x for x in game.position["pending"] if x["clause"] == "choose_cities")

    assert frame["at"] == "place_town_hall"
    assert frame["values"] == {
        "starter": "blue",
        "player": "blue",
        "remaining player": ["white", "orange", "red"],
    }


def test_an_undealt_number_is_null() -> None:
    book = workbench.load("classic")
    game = Game.start(book, seed=1)
    board = game.position["board"]
    numbers = [space["number"] for space in board.values() if "number" in space]

    assert None in numbers
    assert -1 not in numbers
    assert Game.from_position(book, game.position, seed=1) == game
    assert Game.start(book, seed=1, board=deepcopy(board)).position["board"] == board
