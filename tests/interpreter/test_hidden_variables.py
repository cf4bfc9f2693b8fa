"""Samples redraw the variables that depend on hidden information.

Two games differ only in the secrets of one seat. The other seats see the same in both
games, so their samples are equal too. Failures seen before the redraw: samples kept the
real arguments, loop members, tallies, rounds and moved cards, and the view of a seat
showed who answers in a block and how many rounds are left.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter import Game, SampleError
from rulebook import Rulebook, loads
from tests.support.hidden_variables import CASES, HEAD, rules

SEEDS = 12
SECRETS: tuple[dict[str, Any], dict[str, Any]] = (
    {"spot": "a", "strength": 2, "hand": {"r": 3, "s": 2, "t": 1}},
    {"spot": "c", "strength": 4, "hand": {"r": 1, "s": 2, "t": 3}},
)
"""Secrets of a seat in the two games."""

OPEN_STRENGTHS = ("asked_players", "asked_players_of_a_procedure", "players_of_a_block")
"""Cases in which a strength below 3 shows."""


KNOWN = {
    ("hidden_choices", "p1"),
    ("card_in_a_known_hand", "p2"),
    ("card_given", "p3"),
}
"""Cases and seats that can tell the two games apart: by the choices, or by the card."""


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return loads(rules(), "hiding.rules")


def begun(book: Rulebook, name: str, which: int) -> Game:
    """Return a game that waits in the action of a case, with the secrets *which*."""
    case = CASES[name]
    position = Game.start(book, seed=1).position
    player, pile = position["player"], position["game"]["pile"]
    if name in OPEN_STRENGTHS:
        player["p1"]["strength"] = player["p2"]["strength"] = 1
    mine = player[case.secrets_of]
    for card, number in SECRETS[which]["hand"].items():
        pile[card] += mine["hand"][card] - number
    mine.update(SECRETS[which])
    game = Game.from_any_position(book, position, chance="given")
    for action in (name, *case.actions[which]):
        game.apply(action)
    return game


def values(game: Game) -> dict[str, Any]:
    """Return the variables of the top frame."""
    pending: dict[str, Any] = game.position["pending"][-1]["values"]
    return pending


def hand(game: Game, seat: str) -> dict[str, int]:
    held: dict[str, int] = game.position["player"][seat]["hand"]
    return held


def secret(game: Game, seat: str, name: str) -> Any:
    return game.position["player"][seat][name]


@pytest.mark.parametrize("name", CASES)
def test_samples_of_indistinguishable_games_are_equal(
    book: Rulebook, name: str
) -> None:
    first, second = begun(book, name, 0), begun(book, name, 1)
    assert first != second
    for seat in first.seats:
        if seat == CASES[name].secrets_of or (name, seat) in KNOWN:
            continue
        assert first.legal_actions(seat) == second.legal_actions(seat)
        assert first.view(seat) == second.view(seat)
        for seed in range(SEEDS):
            assert first.sample(seat, seed) == second.sample(seat, seed)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("which", [0, 1])
def test_a_sample_agrees_with_its_seat_and_can_be_played(
    book: Rulebook, name: str, which: int
) -> None:
    game, numbers = begun(book, name, which), Random(which)
    for seat in game.seats:
        for seed in range(SEEDS):
            world = game.sample(seat, seed)
            assert world.to_act == game.to_act
            assert world.view(seat) == game.view(seat)
            assert world.legal_actions(seat) == game.legal_actions(seat)
            assert game.sample(seat, seed + 1).sample(seat, seed) == world
            assert Game.from_position(book, world.position) == world
            for _ in range(12):
                world.apply(numbers.choice(world.legal_actions()))


@pytest.mark.parametrize(
    "name", ["argument", "argument_passed_on", "argument_for_another"]
)
def test_an_argument_agrees_with_the_redrawn_field(book: Rulebook, name: str) -> None:
    game, areas = begun(book, name, 0), set()
    for seed in range(40):
        world = game.sample("p2", seed)
        frames = [frame["values"] for frame in world.position["pending"]]
        known = {frame["area"] for frame in frames if "area" in frame}
        assert known == {secret(world, "p1", "spot")}
        areas |= known

    assert areas == set("abcde")
    assert values(game.sample("p1", 3))["area"] == "a"


def test_an_argument_agrees_with_hidden_and_public_parts(book: Rulebook) -> None:
    game = begun(book, "argument_after_an_answer", 0)
    for seed in range(SEEDS):
        world = game.sample("p3", seed)
        strength = secret(world, "p1", "strength")
        assert values(world) == {"amount": strength + 1, "more": strength + 2}


def test_variables_agree_with_the_redrawn_hand(book: Rulebook) -> None:
    bags = begun(book, "bag_argument", 0)
    tally = begun(book, "tally", 1)
    sorted_loop = begun(book, "loop_in_hidden_order", 0)
    for seed in range(SEEDS):
        world = bags.sample("p2", seed)
        assert values(world)["lot"] == hand(world, "p1")
        world = tally.sample("p2", seed)
        assert values(world)["worth"] == [*hand(world, "p1").values()]
        world = sorted_loop.sample("p2", seed)
        first = sorted("rst", key=lambda card: -hand(world, "p1")[card])[:2]
        current = values(world)["card"]
        assert current in first
        assert values(world)["remaining card"] == first[first.index(current) + 1 :]


def test_a_variable_that_is_set_again_has_its_last_value(book: Rulebook) -> None:
    game, leaders = begun(book, "variable_set_again", 0), set()
    for seed in range(SEEDS):
        world = game.sample("p2", seed)
        strengths = [secret(world, seat, "strength") for seat in ("p1", "p3")]
        leader = "p1" if strengths[0] >= strengths[1] else "p3"
        variables = values(world)
        assert variables["best"] == max(strengths)
        assert variables["leader"] == (leader if max(strengths) else "p2")
        leaders.add(variables["leader"])

    assert len(leaders) > 1


def test_a_loop_has_a_member_and_the_later_members(book: Rulebook) -> None:
    game, members = begun(book, "loop", 0), set()
    for seed in range(40):
        world = game.sample("p2", seed)
        spot, variables = secret(world, "p1", "spot"), values(world)
        cells = [cell for cell in "abcde" if cell != spot]
        assert variables["x"] == variables["y"]
        assert variables["remaining x"] == cells[cells.index(variables["x"]) + 1 :]
        members.add(variables["x"])

    assert members == set("abcde")


def test_a_named_match_is_never_none(book: Rulebook) -> None:
    game = begun(book, "named_match", 0)
    for seed in range(40):
        assert values(game.sample("p2", seed))["guest"] is not None


def test_rounds_left_agree_with_the_redrawn_number(book: Rulebook) -> None:
    game, rounds = begun(book, "repeated_rounds", 1), set()
    for seed in range(40):
        world = game.sample("p2", seed)
        left = values(world)["times left"]
        assert 0 <= left < max(1, secret(world, "p1", "strength"))
        rounds.add(left)

    assert rounds == {0, 1, 2, 3, 4}


def test_moved_cards_come_from_their_new_place(book: Rulebook) -> None:
    game = begun(book, "cards_gathered", 0)
    for seed in range(SEEDS):
        world = game.sample("p2", seed)
        picked, pile = values(world)["picked"], world.position["game"]["pile"]
        assert sum(picked.values()) == 2
        assert all(number <= pile[card] for card, number in picked.items())


@pytest.mark.parametrize(
    ("name", "seat", "variable"),
    [
        ("card_given", "p1", "given"),
        ("card_given", "p3", "given"),
        ("card_of_another_moved", "p3", "wanted"),
        ("card_in_a_known_hand", "p2", "taken"),
        ("card_of_an_action_moved", "p1", "card"),
    ],
)
def test_a_seat_remembers_a_card_that_it_saw(
    book: Rulebook, name: str, seat: str, variable: str
) -> None:
    for which, card in enumerate("rt"):
        game = begun(book, name, which)
        for seed in range(SEEDS):
            assert values(game.sample(seat, seed))[variable] == card


def test_the_seat_that_asks_does_not_see_who_answers(book: Rulebook) -> None:
    game, sizes = begun(book, "players_of_a_block", 0), set()
    assert "everybody" not in str(game.view("p1"))
    for seed in range(SEEDS):
        world = game.sample("p1", seed)
        last = ["p3"] if secret(world, "p3", "strength") < 3 else []
        assert values(world)["everybody"] == ["p1", "p2", *last]
        sizes.add(2 + len(last))

    assert sizes == {2, 3}


def test_samples_respect_choices_that_depend_on_a_hidden_argument(
    book: Rulebook,
) -> None:
    game, others = begun(book, "hidden_choices", 0), set()
    for seed in range(SEEDS):
        assert secret(game.sample("p1", seed), "p3", "spot") == "a"
        others.add(secret(game.sample("p2", seed), "p3", "spot"))

    assert len(others) > 1


def test_refuses_a_position_without_the_caller_of_a_procedure(book: Rulebook) -> None:
    position = begun(book, "computed_argument", 0).position
    del position["pending"][-2]
    game = Game.from_position(book, position)

    assert values(game.sample("p1", 1))["amount"] == 10
    with pytest.raises(SampleError, match="`amount` of `count_up` depends") as told:
        game.sample("p2", 1)
    assert (told.value.variable, told.value.clause) == ("amount", "count_up")


AWARD = """
award lead of player
  most player's marks
  at least 1
  on a tie, nobody has it
action refuse
  stop
action vote
  at the same time each player: player does guess, refuse
  you do guess
"""


def test_samples_do_not_show_which_awards_hidden_answers_affect() -> None:
    phase = "turn\n  phase day\n    you do vote\n"
    book = loads(HEAD + phase + AWARD, "votes.rules")
    games = [Game.start(book, seed=1) for _ in range(2)]
    for game, answer in zip(games, ("guess(a)", "refuse"), strict=True):
        game.apply("vote")
        game.apply(answer)

    first, second = games
    assert "triggers" in first.position
    assert "triggers" not in second.position
    for seat in ("p2", "p3"):
        assert first.view(seat) == second.view(seat)
        for seed in range(SEEDS):
            world = first.sample(seat, seed)
            assert world == second.sample(seat, seed)
            assert world.position["triggers"] == ["lead"]


HIDDEN_BRANCH = """
action begin
  if p3's strength > 2:
    let found be 1
    increase calls by up to found
    set calls to 0
  p2 does guess
"""


@pytest.mark.parametrize("which", [0, 1])
def test_no_value_shows_whether_a_hidden_branch_ran(which: int) -> None:
    phase = "turn\n  phase day\n    you do begin\n"
    book = loads(HEAD + phase + HIDDEN_BRANCH, "branches.rules")
    position = Game.start(book, seed=1).position
    position["player"]["p3"].update(SECRETS[which])
    game = Game.from_any_position(book, position)
    game.apply("begin")

    for seat in ("p1", "p2"):
        assert "found" not in str(game.view(seat))
        assert "found" not in str(game.sample(seat, 1).position)


OMENS = """rules language 1
rulebook omens "Omens"
  players 2 to 2
kind cell (cells): a, b, c, d
{cards}
each cell has
  {field}, seen by nobody
setup
  chance spreads omen over cell as {name}
turn
  phase day
    you do wait
action wait
  stop
"""
PLAIN = "cards omen (omens)\n  omen | copies\n  sun  | 3\n  moon | 3"
COLUMN = "cards omen (omens)\n  omen | copies | force\n  sun  | 3 | 1\n  moon | 3 | 2"


@pytest.mark.parametrize(
    ("cards", "field", "name"),
    [
        (PLAIN, "omen: omen or none", "omen"),
        (COLUMN, "force: 0 to 9", "force"),
    ],
)
def test_the_remaining_cards_of_a_hidden_deal_are_hidden(
    cards: str, field: str, name: str
) -> None:
    book = loads(OMENS.format(cards=cards, field=field, name=name), "omens.rules")
    games = []
    for card in ("sun", "moon"):
        game = Game.start(book, seed=1, chance="given")
        for _ in range(2):
            (outcome,) = [x for x in game.legal_actions() if x.outcome == card]
            game.apply(outcome)
        games.append(game)

    first, second = games
    for seat in book.seats[:2]:
        assert first.view(seat) == second.view(seat)
        for seed in range(SEEDS):
            world = first.sample(seat, seed)
            assert world == second.sample(seat, seed)
            assert sum(values(world)["remaining cards"].values()) == 4
