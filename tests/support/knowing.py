"""Games at every step, and the properties of a sample at each of them."""

from collections.abc import Iterator

import attrs

from interpreter import Game
from interpreter.game import state_of
from rulebook import Rulebook
from workbench.bots import bot_random, decide, greedy, random_below
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_text import (
    decision_line,
    turn_lines,
    view_lines,
)
from workbench.presentation.picture import scene_of
from workbench.terminal.menu import menu_lines
from workbench.terminal.terminal_game import remaining_picks

MOST = 3_000


def steps(
    book: Rulebook,
    seed: int,
    *,
    players: int | None = None,
    decisions: int = 100_000,
    sensible: bool = False,
    engine: str = "auto",
) -> Iterator[Game]:
    """Yield a random game at every decision and at its end.

    A sensible game has one random decision in four, and ends in a tenth of the time.
    """
    fewest, most = book.players
    if players is None:
        players = fewest + seed % (most - fewest + 1)
    game = Game.start(book, players=players, seed=seed, engine=engine)
    numbers = bot_random(seed, 0, "everybody")
    for _ in range(decisions):
        yield game
        legal = game.legal_actions()
        if not legal:
            break
        if sensible and game.to_act != "chance" and random_below(4, numbers):
            assert game.to_act is not None
            game.apply(decide(greedy, game, game.to_act, numbers))
        else:
            game.apply(legal[random_below(len(legal), numbers)])


def agrees(game: Game, seat: str, seed: int, *, most: int = MOST) -> Game:
    """Return a sample; assert that it matches what the seat knows, and plays on."""
    world = game.sample(seat, seed)
    assert world.to_act == game.to_act
    assert world.view(seat) == game.view(seat)
    assert world.legal_actions(seat) == game.legal_actions(seat)
    # A sample depends only on the view: a sample of a sample is the same.
    assert game.sample(seat, seed + 1).sample(seat, seed) == world
    assert_can_continue(world.copy(), seed, most)
    return world


def assert_can_continue(world: Game, seed: int, most: int) -> None:
    """Assert that a game can be continued with random actions."""
    numbers = bot_random(seed, 0, "on")
    for _ in range(most):
        if world.to_act is None:
            return
        legal = world.legal_actions()
        assert legal
        world.apply(legal[random_below(len(legal), numbers)])


def screen(game: Game, seat: str) -> list[object]:
    """Return what a player in a seat sees: table, picture, choices and supplies."""
    view, words = game.view(seat), Localizer.for_book(game.book)
    legal = game.legal_actions(seat)
    model = game.book.model
    left = remaining_picks(game) if game.to_act == seat else 0
    return [
        list(turn_lines(view, words)),
        list(view_lines(view, game.seats, words)),
        decision_line(view, game.to_act or "", model, words, left) if legal else "",
        list(menu_lines(legal, words, 100)),
        scene_of(game, seat, words.language),
    ]


def same_to(seat: str, game: Game, world: Game, *, shown: bool = True) -> None:
    """Assert that two games look the same to a seat: decision, view, choices, screen.

    The screen takes most of the time; `shown` says whether to compare it.
    """
    assert world.to_act == game.to_act
    assert world.view(seat) == game.view(seat)
    assert world.legal_actions(seat) == game.legal_actions(seat)
    if shown:
        # Both get the same events here; separate tests compare the logs.
        assert screen(with_events_of(game, world), seat) == screen(game, seat)


def with_events_of(game: Game, world: Game) -> Game:
    """Return a sample with the events of the game that it was made from."""
    make, (kind, packed) = world.__reduce__()
    _, (_, other) = game.__reduce__()
    told: Game = make(kind, attrs.evolve(packed, events=other.events))
    assert (told, told.events) == (world, game.events)
    return told


def questions(game: Game, seed: int) -> list[str]:
    """Return the texts of a few actions, legal or not."""
    space = state_of(game).plan.actions
    numbers = bot_random(seed, 0, "questions")
    return [space.action(0, random_below(space.size, numbers)).text for _ in range(3)]
