"""Law 1 by behaviour: a shipped game with random names is the same game. The choices
and chance outcomes of a recorded game, given to the renamed rules, give the same record
and the same legal actions, up to renaming.
"""

import json

import pytest

import variants
import workbench
from interpreter import Game
from tests.support.renaming import renamed, renamed_value
from workbench.bots import generator, random_below


@pytest.mark.parametrize("variant", variants.names())
def test_a_game_with_random_names_plays_the_same(variant: str, deep: bool) -> None:
    book = workbench.load(variant)
    players = book.players[1]
    for seed in range(1, 6 if deep else 2):
        other_book, names = renamed(book, seed)
        game = Game.start(book, players=players, seed=seed, chance="given")
        other = Game.start(other_book, players=players, seed=seed, chance="given")
        numbers = generator(seed, "everybody")
        while game.to_act is not None:
            legal, others = game.legal_actions(), other.legal_actions()
            if game.to_act == "chance":
                shown = [json.loads(json.dumps(action.outcome)) for action in legal]
                assert [action.outcome for action in others] == renamed_value(
                    shown, names
                )
            else:
                texts = [action.text for action in legal]
                assert [action.text for action in others] == renamed_value(texts, names)
            choice = random_below(len(legal), numbers)
            game.apply(legal[choice])
            other.apply(others[choice])

        assert other.to_act is None
        assert events(other) == [
            {key: renamed_value(value, names) for key, value in event.items()}
            for event in events(game)
        ]


def events(game: Game) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in game.record.splitlines()[1:]]
    return [line for line in lines if "end" not in line]
