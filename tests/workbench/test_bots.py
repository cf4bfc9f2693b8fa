"""Bots are independent of games and use separate random generators."""

from interpreter import Game
from rulebook import Rulebook
from workbench.bots import BOTS, decide, generator, random_below


def test_generators_depend_only_on_seat_and_seed() -> None:
    first = [random_below(1000, generator(7, "north")) for _ in range(2)]

    assert first == [first[0]] * 2
    assert random_below(2**32, generator(7, "north")) != random_below(
        2**32, generator(7, "south")
    )
    assert random_below(2**32, generator(7, "north")) != random_below(
        2**32, generator(8, "north")
    )


def test_bots_return_legal_actions_and_do_not_change_the_game(tiny: Rulebook) -> None:
    for name, bot in BOTS.items():
        game = Game.start(tiny, players=2, seed=5)
        numbers = generator(5, name)
        for _ in range(40):
            seat = game.to_act
            if seat is None:
                break
            before = game.copy()
            action = decide(bot, game, seat, numbers)
            assert game == before
            assert action in game.legal_actions()
            game.apply(action)


def test_greedy_takes_the_points(tiny: Rulebook) -> None:
    cashed = 0
    for seed in range(1, 6):
        game = Game.start(tiny, players=2, seed=seed)
        numbers = generator(seed, "both")
        while (seat := game.to_act) is not None:
            legal = {action.name for action in game.legal_actions()}
            action = decide(BOTS["greedy"], game, seat, numbers)
            if "cash_in" in legal:
                assert action.name == "cash_in"
                cashed += 1
            game.apply(action)

    assert cashed
