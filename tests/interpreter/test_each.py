"""Loops with a condition: the members are found once, even if the loop waits."""

import json

import pytest

from interpreter import Game
from rulebook import loads

TEXT = """rules language 1
rulebook rounds "One after another"
  players 3 to 3
kind shell (shells): flat, long
game has
  box: bag of shell, seen by all, starts with 9 of each
  calls: 0 to 99, seen by all
each player has
  hand: bag of shell, seen by owner
  score: 0 to 9, seen by all
  marks: 0 to 9, seen by all
turn
  phase day
    you do begin
{rules}
"""
ASKED = """
action call(shell)
  each player: increase player's score by up to 1
action begin
  each player {where}player's score < 2: player does call
"""
HIDDEN = """
action call(shell)
  each player other where other is not you: move up to 1 shell from other's hand to box
action begin
  each player where player's hand has a flat: player does call
"""
HANDS = ({"flat": 2, "long": 2}, {"flat": 1, "long": 3}, {"long": 4})
OWN = """
action call(shell)
  set your marks to 0
action begin
  each shell where your hand has shell:
    move everything from your hand to box
    you do call
"""
AWARD = """
award lead of player
  most player's score
  at least 1
  on a tie, nobody has it
action call(shell)
  set your score to 0
action begin
  each player {where}lead's holder = player: player does call
"""


def made(rules: str) -> Game:
    return Game.start(loads(TEXT.format(rules=rules), "rounds.rules"), seed=1)


def asked(game: Game, answer: str) -> list[str]:
    """Return the seats that are asked, in order, until the next turn."""
    seats = []
    while "begin" not in [str(action) for action in game.legal_actions()]:
        assert game.to_act is not None
        seats.append(game.to_act)
        game.apply(answer)
    return seats


@pytest.mark.parametrize(
    ("where", "seats"),
    [("where ", ["p1", "p2", "p3"]), ("where still ", ["p1", "p2"])],
)
def test_a_waiting_loop_keeps_the_members_it_found(
    where: str, seats: list[str]
) -> None:
    game = made(ASKED.format(where=where))
    game.apply("begin")
    other = Game.from_position(game.book, json.loads(json.dumps(game.position)))
    copied = game.copy()

    assert asked(game, "call(flat)") == seats
    assert asked(other, "call(flat)") == seats
    assert asked(copied, "call(flat)") == seats
    assert game == other == copied


def test_a_position_names_the_remaining_members() -> None:
    game = made(ASKED.format(where="where "))
    again = made(ASKED.format(where="where still "))
    game.apply("begin")
    again.apply("begin")
    left = ["p2", "p3"]
    assert game.position["pending"][-1]["values"]["remaining player"] == left
    assert again.position["pending"][-1]["values"]["remaining player"] == left
    game.apply("call(long)")
    game.apply("call(long)")
    position = game.position
    assert position["pending"][-1]["values"]["remaining player"] == []
    assert position["player"]["p3"]["score"] == 2
    assert Game.from_position(game.book, position).to_act == "p3"


def laid_out(rules: str, hands: tuple[dict[str, int], ...]) -> Game:
    """Return a game in which every player has some shells."""
    game = made(rules)
    position = game.position
    for seat, hand in zip(game.seats, hands, strict=True):
        for shell, number in hand.items():
            position["player"][seat]["hand"][shell] += number
            position["game"]["box"][shell] -= number
    return Game.from_any_position(game.book, position, chance="given")


def rest_of(game: Game) -> list[str]:
    rest: list[str] = game.position["pending"][-1]["values"]["remaining player"]
    return rest


def test_views_hide_remaining_members_and_samples_redraw_them() -> None:
    game = laid_out(HIDDEN, HANDS)
    game.apply("begin")
    assert rest_of(game) == ["p2"]
    for seat in game.seats:
        assert "remaining" not in json.dumps(game.view(seat))

    seen = set()
    for seed in range(40):
        world = game.sample("p1", seed)
        hands = {seat: world.position["player"][seat]["hand"] for seat in game.seats}
        assert world.view("p1") == game.view("p1")
        assert rest_of(world) == [x for x in ("p2", "p3") if hands[x]["flat"]]
        assert world.sample("p1", seed) == world
        seen.add(tuple(rest_of(world)))

    assert seen == {("p2",), ("p3",)}
    assert asked(game, "call(flat)") == ["p1", "p2"]


def test_a_seat_knows_whether_it_remains_itself() -> None:
    game = laid_out(HIDDEN, HANDS)
    game.apply("begin")
    for seed in range(20):
        assert "p2" in rest_of(game.sample("p2", seed))
        assert "p3" not in rest_of(game.sample("p3", seed))


def test_a_seat_remembers_its_hand_at_the_start_of_its_loop() -> None:
    game = laid_out(OWN, HANDS)
    game.apply("begin")

    for seed in range(3):
        (frame,) = [frame for frame in game.view("p1")["pending"] if frame["values"]]
        assert frame["values"]["remaining shell"] == ["long"]
        assert game.sample("p1", seed) == game.sample("p1", seed).sample("p1", seed)
        world = game.sample("p1", seed).position["pending"][-1]
        assert world["values"]["remaining shell"] == ["long"]
    assert asked(game, "call(flat)") == ["p1", "p1"]


@pytest.mark.parametrize(
    ("where", "seats"), [("where ", ["p1"]), ("where still ", ["p1", "p2", "p3"])]
)
def test_an_award_changes_its_holder_during_a_loop(
    where: str, seats: list[str]
) -> None:
    game = made(AWARD.format(where=where))
    position = game.position
    for seat, score in zip(game.seats, (3, 2, 1), strict=True):
        position["player"][seat]["score"] = score
    position["awards"]["lead"] = "p1"
    game = Game.from_any_position(game.book, position)
    game.apply("begin")

    assert asked(game, "call(long)") == seats


def digest(rules: str) -> str:
    return made(rules).book.digest


@pytest.mark.parametrize(
    ("condition", "done", "same"),
    [
        ("player's score > 0", "decrease player's score by up to 1", True),
        ("player's score > 0", "decrease active_player's score by up to 1", False),
        ("calls > 0", "set calls to 0", False),
        ("calls > 0", "set player's score to 0", True),
        ("player's hand has a flat", "move up to 1 flat from box to p1's hand", False),
        ("player's hand has a flat", "move everything from player's hand to box", True),
        ("box has a flat", "move up to 1 flat from box to player's hand", False),
        ("box has a flat", "move up to 1 long from box to player's hand", False),
        ("calls > 0", "note", False),
        ("player is noted", "note", False),
        ("player's score > 0", "note_of(player)", True),
        ("active_player's score > 0", "note_of(player)", False),
        ("player is noted", "note_of(player)", False),
        ("found", "set found to no", False),
        ("found", "set calls to 0", True),
    ],
)
def test_indistinguishable_loops_have_the_same_digest(
    condition: str, done: str, *, same: bool
) -> None:
    rules = f"""
define player is noted
  player's marks > 0 and (no player other where other's score > 3)
to note
  set calls to 1
  each player: set player's score to 0
to note_of(player other)
  set other's score to 0
action begin
  let found be calls > 3
  each player where {{still}}{condition}: {done}
"""
    once, still = rules.format(still=""), rules.format(still="still ")
    assert (digest(once) == digest(still)) is same
