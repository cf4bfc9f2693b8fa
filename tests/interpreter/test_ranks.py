"""Ends of games: ranks, teams, shared wins, and how winners are determined."""

import json
import random
from pathlib import Path

import pytest

import rulebook
from interpreter import Game, PositionError
from interpreter.core.ranks import ranks_by_key, shared_ranks, team_ranks, winners_of
from workbench.presentation.picture.captions import status_line

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def harvest() -> rulebook.Rulebook:
    text = (HERE / "harvest.rules").read_text(encoding="utf-8")
    return rulebook.loads(text, "harvest")


def finished(book: rulebook.Rulebook, **grain: int) -> Game:
    """Return a finished game of four players with the given grain."""
    start = Game.start(book, players=4).position
    for seat, number in grain.items():
        start["player"][seat]["grain"] = number
    game = Game.from_position(book, start)
    game.apply("ring")
    return game


@pytest.mark.parametrize("seed", range(30))
def test_a_rank_counts_all_better_seats(seed: int) -> None:
    numbers = random.Random(seed)
    keys = [(numbers.randrange(3), numbers.randrange(2)) for _ in range(5)]
    members = [seat for seat in range(5) if numbers.random() < 0.8]

    ranks = ranks_by_key(5, members, keys.__getitem__)

    for seat in members:
        assert ranks[seat] == 1 + sum(keys[member] > keys[seat] for member in members)
    assert all(ranks[seat] == len(members) + 1 for seat in {*range(5)} - {*members})


def test_there_are_no_ranks_without_seats() -> None:
    assert ranks_by_key(3, [], lambda seat: (seat,)) == ()
    assert shared_ranks(3, []) == shared_ranks(3, [-1]) == ()
    assert winners_of(()) == ()


def test_a_team_has_the_best_rank_of_its_members() -> None:
    assert team_ranks((3, 1, 4, 2), ((0, 2), (1, 3))) == (3, 1, 3, 1)
    assert team_ranks((1, 2, 3), ((1, 2),)) == (1, 2, 2)
    assert team_ranks((), ((0, 1),)) == ()


def test_the_outcome_ranks_all_seats(harvest: rulebook.Rulebook) -> None:
    outcome = finished(harvest, red=1, blue=3, white=1).outcome

    assert outcome is not None
    assert outcome.winners == ("blue",)
    assert outcome.winner == "blue"
    assert outcome.reason == "end"
    assert outcome.ranks == {"red": 2, "blue": 1, "white": 2, "green": 4}
    assert outcome.to_json()["ranks"] == outcome.ranks


def test_records_omit_ranks_without_further_information(
    harvest: rulebook.Rulebook,
) -> None:
    outcome = finished(harvest, red=4, blue=4, white=4, green=4).outcome

    assert outcome is not None
    assert outcome.winners == ("red", "blue", "white", "green")
    assert outcome.winner is None
    assert "ranks" not in outcome.to_json()


def test_a_game_with_several_winners_can_be_replayed(
    harvest: rulebook.Rulebook,
) -> None:
    game = Game.start(harvest, players=3, seed=1)
    game.apply("reap")
    game.apply("reap")
    game.apply("ring")

    again = Game.replay(game.record, harvest)

    assert again.outcome == game.outcome
    assert again.outcome is not None
    assert again.outcome.winners == ("red", "blue")
    assert json.loads(game.record.splitlines()[-1])["end"]["winners"] == ["red", "blue"]


def test_the_position_of_a_finished_game_restores_it(
    harvest: rulebook.Rulebook,
) -> None:
    for grain in ({"red": 1, "blue": 3}, {"white": 2, "green": 2}):
        game = finished(harvest, **grain)
        again = Game.from_position(harvest, game.position)

        assert again == game
        assert again.outcome == game.outcome


@pytest.mark.parametrize(
    "ranks",
    [
        {"red": 1, "blue": 2, "white": 3},
        {"red": 1, "blue": 2, "white": 3, "green": 9},
        {"red": 2, "blue": 1, "white": 3, "green": 4},
        {"red": 2, "blue": 2, "white": 3, "green": 4},
        3,
    ],
)
def test_rejects_impossible_ranks(harvest: rulebook.Rulebook, ranks: object) -> None:
    position = finished(harvest, red=2, blue=1).position
    position["end"]["ranks"] = ranks
    with pytest.raises(PositionError, match=r"end\.ranks"):
        Game.from_position(harvest, position)


def test_narration_names_the_winners(harvest: rulebook.Rulebook) -> None:
    class Scene:
        def __init__(self, end: object) -> None:
            self.view = {"end": end}
            self.titles = self

        def title(self, name: str) -> str:
            return name

        def list_text(self, names: list[str]) -> str:
            return " and ".join(names)

        def phrase(self, key: str, **parts: str) -> str:
            return " ".join((key, *parts.values()))

    def told(game: Game) -> str:
        return status_line(Scene(game.position["end"]))  # type: ignore[arg-type]

    assert told(finished(harvest, red=2)) == "has_won red"
    assert told(finished(harvest, red=2, white=2)) == "have_won red and white"


BEST = "  the players with the most points, then the fewest coins, win\n"
MISTAKES = (
    ("rounds 2\n", "rounds 0\n", "RB103"),
    (
        "\nend\n  the players with the most points, then the fewest coins, win\n",
        "",
        "RB157",
    ),
    (
        "  the players with the most points, then the fewest coins, win\n",
        "  the game ends\n",
        "RB149",
    ),
    ("red and white win", "you win\n  set bell to no", "RB149"),
    ("every player where player's lap = 3, wins", "each player: player wins", "RB149"),
    ("red and white win", "red and 3 win", "RB011"),
    ("most points, then", "most bell, then", "RB110"),
    ("  rounds 2\n", "  rounds 2\n  team one: red, nobody_here\n", "RB101"),
    ("  rounds 2\n", "  rounds 2\n  team one: red\n  team two: red, blue\n", "RB102"),
)


@pytest.mark.parametrize(("old", "new", "code"), MISTAKES)
def test_reports_mistakes_about_the_end_of_the_game(
    old: str, new: str, code: str
) -> None:
    text = (HERE / "harvest.rules").read_text(encoding="utf-8")
    text = text[: text.index("scenario")]
    assert old in text
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(text.replace(old, new))

    assert code in {diagnostic.code for diagnostic in caught.value.diagnostics}


def test_no_rule_acts_while_the_winner_is_determined() -> None:
    """Otherwise the rule that ended the game would end it again and again."""
    text = (HERE / "harvest.rules").read_text(encoding="utf-8")
    asked = f"  red may do ring\n{BEST}"
    book = rulebook.loads(text[: text.index("scenario")].replace(BEST, asked))
    game = Game.start(book, players=2)
    game.apply("ring")
    assert game.to_act == "red"
    assert Game.from_position(book, game.position) == game

    game.apply("ring")

    assert game.over


def test_the_players_win_names_all_players_and_a_player_one() -> None:
    text = (HERE / "harvest.rules").read_text(encoding="utf-8")
    text = text[: text.index("scenario")]
    book = rulebook.loads(text.replace("red and white win", "the players win"))
    game = Game.start(book, players=3)
    game.apply("give_up")
    assert game.outcome is not None
    assert game.outcome.winners == ("red", "blue", "white")
    with pytest.raises(rulebook.RulesError, match="expected one player"):
        rulebook.loads(text.replace("red and white win", "player wins"))
