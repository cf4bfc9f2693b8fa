"""Malformed records and positions are rejected with a clear message."""

import json
from typing import Any

import pytest

import workbench
from interpreter import Game, PositionError, RecordError, UsageError
from rulebook import Rulebook


@pytest.fixture
def game(tiny: Rulebook) -> Game:
    game = Game.start(tiny, players=2, seed=1)
    game.apply(game.legal_actions()[0])
    return game


@pytest.mark.parametrize(
    "options", ["goal", 3, ["goal"], {"goal": [3]}, {3: "goal"}, {"goal": True}]
)
def test_rejects_malformed_options(tiny: Rulebook, options: Any) -> None:
    Game.start(tiny, players=2, options={"goal": 1})

    with pytest.raises(UsageError):
        Game.start(tiny, players=2, options=options)


@pytest.mark.parametrize("options", ["goal", 3, ["goal"], {"goal": [3]}])
def test_rejects_a_record_with_wrong_options(game: Game, options: Any) -> None:
    head, *events = game.record.splitlines()
    new = json.dumps({**json.loads(head), "options": options})

    with pytest.raises(RecordError, match="options"):
        Game.replay("\n".join([new, *events]), game.book)


@pytest.mark.parametrize(
    ("part", "value", "path"),
    [
        ("triggers", 3, "triggers"),
        ("triggers", [{}], "triggers"),
        ("split", 3, "split"),
        ("split", {}, "split"),
        ("end", {"winner": None, "reason": 3}, "end.reason"),
        ("options", {"goal": []}, "options"),
        ("pending", [{"clause": "game", "at": []}], "pending.0.at"),
        ("pending", [{"clause": "game", "at": {}}], "pending.0.at"),
    ],
)
def test_rejects_a_position_with_wrong_parts(
    game: Game, part: str, value: Any, path: str
) -> None:
    position = {**game.position, part: value}

    with pytest.raises(PositionError) as caught:
        Game.from_position(game.book, position)

    assert caught.value.value == path


def test_rejects_a_board_with_unknown_spaces() -> None:
    book = workbench.load("germany")

    with pytest.raises(PositionError) as caught:
        Game.start(book, board={"Atlantis": {}})

    assert caught.value.value == "board.Atlantis"


@pytest.mark.parametrize("seed", ["7", None, True, 1.0])
def test_rejects_a_seed_that_is_not_an_integer(
    game: Game, tiny: Rulebook, seed: Any
) -> None:
    with pytest.raises(UsageError, match="a seed must be a whole number"):
        Game.start(tiny, seed=seed)
    with pytest.raises(UsageError, match="a seed must be a whole number"):
        game.sample("north", seed)
