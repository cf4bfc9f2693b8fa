"""Properties that are true at every step of random games of small rule files."""

import json
from collections.abc import Iterator

import pytest

from interpreter import Game, IllegalAction, check_invariant
from interpreter.core.chance import Stream
from interpreter.game import state_of
from interpreter.state.wait_points import AskStep
from rulebook import Rulebook

SEEDS = range(4)


@pytest.fixture(params=["tiny", "meadow"])
def book(request: pytest.FixtureRequest) -> Rulebook:
    rulebook: Rulebook = request.getfixturevalue(request.param)
    return rulebook


def start(book: Rulebook, seed: int, chance: str = "drawn") -> Game:
    players = book.players[seed % 2]
    return Game.start(book, players=players, seed=seed, chance=chance)


def played(book: Rulebook, seed: int, every: int = 1) -> Iterator[Game]:
    """Yield a game every *every* steps of random play."""
    game = start(book, seed)
    numbers = Stream(seed, "random player")
    step = 0
    while game.to_act is not None:
        if step % every == 0:
            yield game
        legal = game.legal_actions()
        game.apply(legal[numbers.next_below(len(legal))])
        step += 1
    yield game


def one_by_one(game: Game) -> list[int]:
    """Return the legal indices, found by testing the requirements of every index."""
    waiting, state = state_of(game).waiting, state_of(game)
    assert isinstance(waiting, AskStep)
    space = state_of(game).plan.actions
    indices = [0] if waiting.node.optional else []
    for index in range(1, space.size):
        action, values = space.decode(index)
        if action.name in waiting.offers and any(
            action.failing_requirement(state.s, frame) is None
            for frame in waiting.frames(state, action.name, values)
        ):
            indices.append(index)
    return indices


@pytest.mark.parametrize("seed", SEEDS)
def test_the_legal_list_is_every_index_that_passes_its_requirements(
    book: Rulebook, seed: int
) -> None:
    for game in played(book, seed, every=3):
        if isinstance(state_of(game).waiting, AskStep):
            assert game.legal_indices() == one_by_one(game)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_position_restores_an_equal_game(book: Rulebook, seed: int) -> None:
    for game in played(book, seed):
        position = json.loads(json.dumps(game.position))

        again = Game.from_position(book, position)

        assert again.position == game.position == position
        assert again == game
        assert hash(again) == hash(game)
        assert again.key == game.key
        assert again.legal_actions() == game.legal_actions()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_is_independent(book: Rulebook, seed: int) -> None:
    for game in played(book, seed, every=5):
        before, copy = game.position, game.copy()
        assert copy == game
        if copy.to_act is None:
            return
        copy.apply(copy.legal_actions()[-1])
        assert copy != game
        assert game.position == before
        twin = game.copy()
        twin.apply(twin.legal_actions()[-1])
        assert twin == copy
        assert twin.record == copy.record


@pytest.mark.parametrize("seed", SEEDS)
def test_a_record_can_be_replayed(book: Rulebook, seed: int) -> None:
    *_, game = played(book, seed)

    again = Game.replay(game.record, book)

    assert again == game
    assert again.record == game.record


@pytest.mark.parametrize("seed", SEEDS)
def test_given_chance_outcomes_lead_to_the_same_game(book: Rulebook, seed: int) -> None:
    *_, game = played(book, seed)
    again = start(book, seed, "given")
    for event in game.events:
        if "chance" in event:
            assert again.to_act == "chance"
            outcomes = again.legal_actions()
            assert sum(outcome.probability for outcome in outcomes) == 1
            assert event in [outcome.to_json() for outcome in outcomes]
        again.apply(event)

    assert again.events == game.events
    assert again.outcome == game.outcome
    assert Game.replay(again.record, book) == again


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sample_has_the_same_view_for_its_seat(book: Rulebook, seed: int) -> None:
    for step, game in enumerate(played(book, seed, every=2)):
        for seat in game.seats:
            sample = game.sample(seat, step)
            assert sample.to_act == game.to_act
            assert sample.legal_actions(seat) == game.legal_actions(seat)
            assert sample.view(seat) == game.view(seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_is_plain_data_without_a_seed(book: Rulebook, seed: int) -> None:
    for game in played(book, seed, every=2):
        for seat in (*game.seats, None):
            view = game.view(seat)
            assert json.loads(json.dumps(view)) == view
            assert "chance" not in view
            assert len(game.log(seat)) == game.steps


@pytest.mark.parametrize("seed", SEEDS)
def test_an_illegal_action_changes_nothing(book: Rulebook, seed: int) -> None:
    for game in played(book, seed, every=7):
        before = game.copy()
        legal = set(game.legal_indices() if game.to_act else [])
        space = state_of(game).plan.actions
        for index in range(0, space.size, 1 + space.size // 50):
            if index not in legal:
                action = space.action(0, index)
                with pytest.raises(IllegalAction) as refusal:
                    game.apply(action.text)
                assert not refusal.value.explanation.legal
                assert refusal.value.explanation.reason
        assert game == before


@pytest.mark.parametrize("seed", SEEDS)
def test_invariants_hold(book: Rulebook, seed: int) -> None:
    for game in played(book, seed):
        for invariant in book.model.invariants:
            verdict = check_invariant(game, invariant)
            assert verdict.status == "passed", verdict.message
