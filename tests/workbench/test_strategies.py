"""Strategies draw valid values, and shrink to the simplest."""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import find, given
from hypothesis.stateful import run_state_machine_as_test
from hypothesis.strategies import SearchStrategy

import rulebook
import workbench
from interpreter import Game, UsageError, options_of
from rulebook import Rulebook, RulesError
from rulebook.tooling import numbers
from workbench.testing import (
    Amendment,
    InvariantBroken,
    Settings,
    amendments,
    boards,
    games,
    machine_for,
    positions,
    starts,
)

FIXED = hypothesis.settings(
    max_examples=60, deadline=None, derandomize=True, database=None
)


def drawn(strategy: SearchStrategy[Any], number: int = 60) -> list[Any]:
    """Return a number of values that a strategy draws, with all health checks on."""
    seen: list[Any] = []

    def note(thing: Any) -> None:
        seen.append(thing)

    hypothesis.settings(FIXED, max_examples=number)(given(strategy)(note))()
    return seen


def simplest(strategy: SearchStrategy[Any], like: Callable[[Any], bool]) -> Any:
    """Return the simplest value that meets a condition."""
    fixed = hypothesis.settings(FIXED, max_examples=2_000)
    return find(strategy, like, settings=fixed, random=random.Random(1))


@pytest.fixture(scope="module")
def classic() -> Rulebook:
    return workbench.load("classic")


# ---------------------------------------------------------------- settings


def test_settings_take_all_players_and_all_values(tiny: Rulebook) -> None:
    settings = drawn(starts(tiny), 200)

    assert {each.players for each in settings} == {2, 3}
    assert {each.options.get("goal") for each in settings} == {None, *range(1, 10)} - {
        3
    }
    assert {each.options.get("quick") for each in settings} == {None, True}
    assert {} in [each.options for each in settings]
    assert 2 in [len(each.options) for each in settings]


def test_settings_shrink_to_the_fewest_players_and_no_option(tiny: Rulebook) -> None:
    assert simplest(starts(tiny), lambda _: True) == Settings(players=2)
    goal = simplest(starts(tiny), lambda each: each.options.get("goal", 3) != 3)
    assert goal == Settings(players=2, options={"goal": 4})
    low = simplest(starts(tiny), lambda each: each.options.get("goal", 3) < 3)
    assert low == Settings(players=2, options={"goal": 2})


def test_given_settings_are_kept(tiny: Rulebook) -> None:
    for each in drawn(starts(tiny, players=3, options={"goal": 7}), 20):
        assert each.players == 3
        assert each.options["goal"] == 7
        assert each.start(tiny, seed=1).options["goal"] == 7


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"players": 9}, "2 to 3"),
        ({"options": {"gaol": 3}}, "did you mean goal"),
        ({"options": {"goal": 30}}, "1 to 9"),
    ],
)
@pytest.mark.parametrize("strategy", [starts, games, positions, machine_for])
def test_unknown_settings_are_rejected_immediately(
    tiny: Rulebook, strategy: Any, more: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        strategy(tiny, **more)


def test_the_options_of_a_game_are_known_without_it(tiny: Rulebook) -> None:
    assert options_of(tiny) == {"goal": 3, "quick": False}
    chosen = options_of(tiny, players=3, options={"quick": True})
    assert chosen == Game.start(tiny, players=3, options={"quick": True}).options


def test_none_and_other_values_are_drawn(classic: Rulebook) -> None:
    limits = {each.options.get("longest_offer", 0) for each in drawn(starts(classic))}

    assert options_of(classic)["longest_offer"] is None
    assert len(limits) > 1
    assert None not in limits


# ---------------------------------------------------------------- boards


def test_boards_have_the_same_values_in_other_places(classic: Rulebook) -> None:
    laid = drawn(boards(classic, players=3), 20)
    counts = {
        tuple(sorted(Counter(space["terrain"] for space in board.values()).items()))
        for board in ({k: v for k, v in b.items() if "terrain" in v} for b in laid)
    }

    assert len(counts) == 1
    assert len({str(board) for board in laid}) > 5
    for board in laid:
        assert Game.start(classic, players=3, board=board).position["board"] == board


def test_a_board_may_be_one_that_set_up_does_not_deal(classic: Rulebook) -> None:
    """Seed 0 deals only its own board."""
    own = Game.start(classic, seed=0).position["board"]

    def swapped(board: dict[str, Any]) -> bool:
        return 1 < len([space for space in own if board[space] != own[space]]) <= 4

    other = simplest(boards(classic), swapped)

    assert sum(other[space] != own[space] for space in own) == 2
    assert simplest(boards(classic), lambda _: True) == own


def test_settings_may_have_a_board(classic: Rulebook, tiny: Rulebook) -> None:
    given_ = [each.board is not None for each in drawn(starts(classic, board=True))]

    assert {*given_} == {True, False}
    assert not any(each.board for each in drawn(starts(tiny, board=True), 20))
    played = drawn(games(classic, board=True, events=3), 20)
    assert {game.given_board is None for game in played} == {True, False}


def test_game_without_a_deal_has_no_boards(tiny: Rulebook) -> None:
    with pytest.raises(UsageError, match="the set-up of tiny deals no board"):
        boards(tiny)


# ---------------------------------------------------------------- games, positions


def test_a_game_shrinks_to_the_shortest_of_the_simplest_settings(
    tiny: Rulebook,
) -> None:
    game = simplest(games(tiny), lambda game: game.turn == 3)

    assert (game.players, game.options) == (2, options_of(tiny))
    assert [event.get("outcome", [1]) for event in game.events] == [[1]] * game.steps
    assert game.steps == 4


def test_ended_games_have_ended(tiny: Rulebook) -> None:
    ended = drawn(games(tiny, ended=True, events=10), 20)

    assert all(game.over and game.outcome is not None for game in ended)
    assert len({game.outcome.winner for game in ended}) > 1


def test_chance_is_given_or_drawn(tiny: Rulebook) -> None:
    assert all(game.seed is None for game in drawn(games(tiny, events=3), 5))
    seeds = [game.seed for game in drawn(games(tiny, events=3, chance="drawn"), 5)]
    assert None not in seeds
    with pytest.raises(UsageError, match="chance must be drawn or given, not 'thrown'"):
        games(tiny, chance="thrown")


def test_positions_are_reached_or_edited(tiny: Rulebook) -> None:
    for position in drawn(positions(tiny, events=12)):
        assert Game.from_position(tiny, position, chance="given").position == position

    def many(position: dict[str, Any]) -> bool:
        return bool(position["player"]["north"]["pouch"]["white"] >= 5)

    laid = simplest(positions(tiny, events=9), many)
    heap, pouches = laid["game"]["heap"], laid["player"].values()
    assert heap["white"] + sum(each["pouch"]["white"] for each in pouches) == 9
    with pytest.raises(UsageError, match="not -1"):
        positions(tiny, changes=-1)


def test_unedited_positions_occur_in_play(tiny: Rulebook) -> None:
    for position in drawn(positions(tiny, events=9, changes=0), 30):
        pouches = [each["pouch"] for each in position["player"].values()]
        assert sum(sum(pouch.values()) for pouch in pouches) <= 9


# ---------------------------------------------------------------- amendments


def laid_over(book: Rulebook, amendment: Amendment) -> Rulebook:
    """Return the rules of an amendment, read from its text under its name."""
    texts = {Path(file).name: text for file, text in book.files.items()}

    def resolve(name: str) -> str | None:
        return texts.get(f"{name}.rules")

    return rulebook.loads(amendment.text, "amended.rules", resolve, book.limits)


@pytest.mark.parametrize("name", ["old_town", "two_against_two"])
def test_amendment_of_a_larger_file_means_the_same_as_its_book(
    name: str, *, deep: bool
) -> None:
    """One file has hints with names that a change may remove; one amends a game."""
    book = workbench.load(f"examples/games/{name}.rules")
    for each in drawn(amendments(book), 60 if deep else 3):
        assert laid_over(book, each).digest == each.book.digest != book.digest


def test_amendment_means_the_same_as_its_book(tiny: Rulebook) -> None:
    some = drawn(amendments(tiny, changes=3))

    for each in some:
        read = laid_over(tiny, each)
        assert read.digest == each.book.digest
        assert read.digest != tiny.digest
        with suppress(RulesError):  # some changes together may repeat a step for ever
            assert Game.start(each.book, seed=1).book is each.book
    assert {len(each.changes) for each in some} == {1, 2, 3}
    kinds = Counter(each.changes[0].split(": ")[1] for each in some)
    assert kinds["number"] > 5
    assert len(kinds) > 5


def test_an_amendment_shrinks_to_one_change() -> None:
    book = workbench.load("examples/tiny/noughts_and_crosses.rules")
    least = simplest(amendments(book), lambda _: True)

    assert len(least.changes) == 1
    assert least.text.count("\nreplace ") == 1


def test_number_may_be_replaced_by_any_other(tiny: Rulebook) -> None:
    """The goal, three of one to nine, can be any of these numbers."""

    def goal(amendment: Amendment) -> str:
        return amendment.text.partition("replace option goal (1 to 9): ")[2][:1]

    seen = {goal(each) for each in drawn(amendments(tiny, changes=1), 150)}

    assert numbers(tiny, "option.goal") == (1, 9, 3)
    assert seen - {"", "2", "3", "4"}, "others than those beside it"


def test_there_is_at_least_one_change(tiny: Rulebook) -> None:
    with pytest.raises(UsageError, match="at least 1, not 0"):
        amendments(tiny, changes=0)


# ---------------------------------------------------------------- state machine


def test_the_machine_has_all_health_checks_and_shrinks_settings(
    tiny: Rulebook,
) -> None:
    text = (
        'extends tiny\n\ninvariant "nobody scores"\n'
        "  each player:\n    require player's score = 0\n"
    )
    texts = {"tiny": next(iter(tiny.files.values()))}
    book = rulebook.loads(text, "leaky.rules", texts.get)
    machine = machine_for(book, events=60, max_examples=5, derandomize=True)
    usual = machine.TestCase.settings
    with pytest.raises(InvariantBroken) as caught:
        run_state_machine_as_test(machine, settings=usual)

    assert not usual.suppress_health_check
    header = caught.value.record.splitlines()[0]
    assert '"players": 2' in header
    assert '"options": {"goal": 3, "quick": false}' in header
    assert caught.value.events <= 16


def test_a_book_is_shown_by_its_name(tiny: Rulebook) -> None:
    """Hypothesis prints drawn values; otherwise it would print the whole book."""
    assert len(repr(starts(tiny))) < 300
    assert repr(tiny) in repr(games(tiny))
