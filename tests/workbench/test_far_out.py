"""Generated games with pairwise settings and edited positions."""

from collections import Counter
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from rulebook import Rulebook, load
from workbench.analysis.simulation.setting_pairs import (
    MAX_VALUES_IN_PAIRS,
    option_values,
    pairwise_settings,
)
from workbench.analysis.simulation.settings import Settings
from workbench.bots.randomness import KeyedRandom
from workbench.files.library.loading import load as load_game
from workbench.testing.rule_tests.generated_games import (
    GeneratedGame,
    rotating_settings,
)
from workbench.testing.rule_tests.start_positions import (
    PositionEditor,
    edited_game,
    is_between_actions,
)

GAMES = ("base", "cardgame", "classic", "germany")


@pytest.fixture(scope="module")
def tiny() -> Rulebook:
    return load(Path(__file__).parents[1] / "support" / "tiny.rules")


def cells(settings: Settings) -> dict[str, Any]:
    return {"": settings.players, **settings.options}


@pytest.mark.parametrize("name", ["base", "cardgame"])
def test_all_pairs_of_option_values_occur_together(name: str) -> None:
    book = load_game(name)
    options = {
        option: option_values(book.options[option], MAX_VALUES_IN_PAIRS)
        for option in book.options
    }
    fewest, most = book.players
    factors = {"": tuple(range(fewest, most + 1)), **options}
    largest = sorted(len(every) for every in factors.values())[-2:]
    needed = largest[0] * largest[1]

    rows = [
        cells(setting)
        for setting in islice(pairwise_settings(book, Settings()), needed * 2)
    ]
    came = {pair for row in rows for pair in combinations(sorted(row.items()), 2)}
    for one_name, other_name in combinations(sorted(factors), 2):
        for value in factors[one_name]:
            for other in factors[other_name]:
                assert ((one_name, value), (other_name, other)) in came


def test_few_games_cover_every_option_value() -> None:
    book = load_game("cardgame")
    rows = [
        cells(settings) for settings in islice(pairwise_settings(book, Settings()), 40)
    ]

    for name, option in book.options.items():
        assert {row[name] for row in rows} == set(
            option_values(option, MAX_VALUES_IN_PAIRS)
        )


def test_base_settings_are_kept(tiny: Rulebook) -> None:
    base = Settings(players=2, options={"goal": 5})
    rows = list(islice(pairwise_settings(tiny, base), 10))

    assert {row.players for row in rows} == {2}
    assert {row.options["goal"] for row in rows} == {5}
    assert {row.options["quick"] for row in rows} == {False, True}


def moved_games(name: str, games: int) -> list[tuple[GeneratedGame, list[Game]]]:
    """Return games with edited positions, at those positions."""
    book = load_game(name)
    return [
        (made, [game for game in made.play(book) if game.initial_position is not None])
        for number, settings in enumerate(
            islice(rotating_settings(book, Settings()), games)
        )
        for made in (GeneratedGame(settings, number, is_edited=True, weights={}),)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_edited_positions_are_valid(name: str) -> None:
    moved = 0
    for made, games in moved_games(name, 4):
        for game in games[:1]:
            moved += 1
            assert game.book.players[0] <= game.players
            began = game.initial_position
            assert began is not None
            Game.from_position(game.book, began, chance="given")
            assert made.settings.players == game.players
            assert Game.replay(games[-1].record, game.book) == games[-1]
    assert moved > 1


def test_game_depends_only_on_its_number() -> None:
    book = load_game("classic")
    made = GeneratedGame(Settings(players=3), 2, is_edited=True, weights={})

    first, second = ([game.key for game in made.play(book)] for _ in range(2))
    assert first == second


def totals(position: dict[str, Any]) -> Counter[str]:
    """Return the number of cards of each resource."""
    counts: Counter[str] = Counter(position["game"]["bank"])
    for player in position["player"].values():
        counts.update(player["hand"])
    return counts


def test_edits_empty_supplies_and_preserve_totals() -> None:
    book = load_game("classic")
    game = next(
        game
        for game in GeneratedGame(Settings(players=3), 1).play(book)
        if game.turn > 40 and is_between_actions(game)
    )
    emptied, pieces = 0, set()
    for number in range(60):
        other = edited_game(game, KeyedRandom("change", number))
        if other is None:
            continue
        position = other.position
        assert totals(position) == totals(game.position)
        emptied += 0 in position["game"]["bank"].values()
        pieces.add(len(position["pieces"]["road"]))
    assert emptied > 3
    assert len(pieces) > 5


def test_edits_change_only_what_play_changes() -> None:
    changes = PositionEditor.of_book(load_game("germany"))

    assert set(changes.holders) == {"development", "resource"}
    names = {field.key for fields in changes.holders.values() for field in fields}
    assert "player.building_costs" not in names
    assert changes.spaces["landmark"] == ("corner",)
