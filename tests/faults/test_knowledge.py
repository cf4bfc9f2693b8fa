"""A sample inside a simultaneous block is a game that the seat considers possible.
Users found `repro_outlook`, `repro_sim` and `repro_sim3`. The others are variations:
answers that affect another hand or a market, chance during answers, seats asked because
of their secrets, hidden numbers.
"""

from pathlib import Path

import pytest

import rulebook
import workbench
from interpreter import Game, SampleError
from interpreter.knowledge import block_replay
from interpreter.knowledge.block_replay import BlockReplay
from interpreter.state.state import State
from rulebook import Rulebook
from tests.support.knowing import agrees, steps
from workbench.bots import bot_random, decide, greedy
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_text import view_lines

HERE = Path(__file__).parent / "knowledge"
FILES = (
    "choices",
    "market",
    "pass_on",
    "redraw",
    "repro_outlook",
    "repro_sim",
    "repro_sim3",
    "some_only",
    "wagers",
)


def load(name: str) -> Rulebook:
    return workbench.load(str(HERE / f"{name}.rules"))


@pytest.mark.parametrize("name", FILES)
def test_a_sample_agrees_at_every_step(name: str) -> None:
    book, inside, others = load(name), 0, 0
    for seed in range(1, 4):
        for number, game in enumerate(steps(book, seed)):
            for seat in game.seats:
                world = agrees(game, seat, number)
                if "split" in game.position:
                    inside += 1
                    others += world.position["answers"] != game.position["answers"]

    assert inside
    assert others or name == "repro_sim3"


@pytest.mark.parametrize("name", FILES)
def test_greedy_plays_to_the_end(name: str) -> None:
    game, numbers = Game.start(load(name), seed=2), bot_random(2, 0, "all")
    while game.to_act is not None:
        game.apply(decide(greedy, game, game.to_act, numbers))

    assert game.over


@pytest.mark.parametrize("name", ["repro_outlook", "some_only"])
def test_a_sample_without_a_replay_leaves_out_the_answers_of_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = BlockReplay.replay

    def own_answers(self: BlockReplay, begun: State) -> State | None:
        whole = len(self.script) == len(self.g.answered)
        others = {answer.seat for answer in self.g.answered} - {self.seat}
        return None if whole and others else real(self, begun)

    monkeypatch.setattr(block_replay.BlockReplay, "replay", own_answers)
    for number, game in enumerate(steps(load(name), 1)):
        for seat in game.seats:
            world = game.sample(seat, number)
            assert world.to_act == game.to_act
            assert world.view(seat) == game.view(seat)
            assert world.legal_actions(seat) == game.legal_actions(seat)


def test_a_failed_search_for_a_sample_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The real cards of another seat are not used instead."""
    monkeypatch.setattr(block_replay.BlockReplay, "replay", lambda *_: None)
    game = next(game for game in steps(load("redraw"), 1) if "split" in game.position)
    with pytest.raises(SampleError, match="1000 tried"):
        game.sample(game.seats[0], 1)


JOKERS = """rules language 1
rulebook jokers "One joker"
  players 2
  turns 9
cards letter (letters)
  letter | copies | mark
{letters}
game has
  deck: stack of letter, seen by nobody, starts with every letter
each player has
  hand: bag of letter, seen by owner
setup
  shuffle deck
  repeat 2 times:
    each player: move the top card from deck to player's hand
turn
  phase only
    you do wait
    you choose letter joker in your hand where joker's mark = 1
action wait
  shuffle deck
"""


def test_a_required_rare_card_reveals_no_other_cards() -> None:
    """One hand in 30 has the joker: many deals are tried, but none reveals the hand."""
    letters = "\n".join(f"  c{n} | 1 | {int(n == 1)}" for n in range(1, 61))
    book = rulebook.loads(JOKERS.format(letters=letters))
    for seed in range(100):
        game = Game.start(book, seed=seed)
        game.apply(game.legal_actions()[0])
        if "c1" in str(game.legal_actions()[0]):
            break
    holder = game.to_act
    other = next(seat for seat in game.seats if seat != holder)

    def hand(world: Game) -> dict[str, int]:
        held: dict[str, int] = world.position["player"][holder]["hand"]
        assert held["c1"]
        return held

    same = sum(hand(game.sample(other, key)) == hand(game) for key in range(40))
    assert same < 6


def test_chance_outcomes_of_other_seats_are_hidden_until_the_end() -> None:
    """A die is rolled and cards are drawn inside the block of `redraw`."""
    hidden = shown = 0
    for seed in range(1, 4):
        for game in steps(load("redraw"), seed):
            answers = game.position.get("answers", [])
            began = game.steps - len(answers)
            for seat in game.seats:
                log = game.log(seat)
                assert len(log) == game.steps
                for event, line in zip(answers, log[began:], strict=True):
                    known = [line.get("action"), line.get("outcome")] != [None, None]
                    if event["seat"] != seat:
                        assert not known
                        hidden += "chance" in event
                    elif seat in event.get("known_to", [seat]):
                        assert known
                        shown += "chance" in event

    assert hidden and shown


def test_answers_belong_to_the_current_block() -> None:
    """The next block begins in the run in which the previous block ends."""
    for game in steps(load("repro_outlook"), 1):
        answered = [answer["seat"] for answer in game.position.get("answers", [])]
        assert len(answered) < 2
        assert game.to_act not in answered


def test_a_position_in_a_block_survives_a_round_trip() -> None:
    book, fallen = load("redraw"), 0
    for game in steps(book, 2):
        assert Game.from_position(book, game.position) == game
        fallen += any("chance" in answer for answer in game.position.get("answers", []))

    assert fallen


def test_the_active_player_does_not_see_choices_of_others() -> None:
    """The frame of a block belongs to the active seat, but each choice to its seat."""
    for game in steps(load("choices"), 1):
        for seat in game.seats:
            if seat != game.to_act:
                for frame in game.view(seat)["pending"]:
                    assert "fruit" not in frame["values"]


POINTS = """rules language 1
rulebook worths "What hidden cards may be worth"
  players 2
  seats left, right
  turns 9

cards gem (gems)
  gem   | copies | worth
  glass |      4 |    -1
  ruby  |      4 |     3

game has
  deck: stack of gem, seen by nobody, starts with every gem
each player has
  hand: bag of gem, seen by owner
  luck: 0 to 2, seen by owner

setup
  shuffle deck
  repeat 2 times:
    each player: move top card from deck to player's hand

action wait
  stop

turn
  phase play
    you may do wait

points of player
  start: 5
  gems:  sum over gem in gems of gem's worth * (number of gem in player's hand)
  luck:  player's luck
"""


COUNTED = """rules language 1
rulebook counted "Counted"
  players 2
  seats left, right
  turns 9

cards gem (gems)
  gem   | copies | worth
  flint | 9      | 1
  opal  | 9      | 2

game has
  store: bag of gem, seen by all, starts with every gem
each player has
  hand: bag of gem, seen by owner
  pile: stack of gem, seen by nobody
  ring: gem or none, seen by owner

setup
  each player:
    move up to 2 flint from store to player's hand
    move up to 1 opal from store to player's hand
    move up to 1 opal from store to player's ring
    move up to 2 flint from store to player's pile

action wait
  set your counted to yes
each player has
  counted: yes/no, seen by all

turn
  phase play
    you may do wait

points of player
  {points}
"""


@pytest.mark.parametrize(
    ("points", "low", "more"),
    [
        ("cards: number of cards in player's hand", 3, False),
        ("cards: number of cards in player's pile", 2, False),
        ("rings: 5 if player's ring is not none", 5, False),
        ("worth: number of opal in player's hand", 0, True),
        ("worth: number of flint in player's pile", 0, True),
    ],
)
def test_points_count_hidden_cards_whose_number_is_public(
    points: str, low: int, more: bool
) -> None:
    game = Game.start(rulebook.loads(COUNTED.format(points=points)), seed=1)
    view = game.view("left")

    assert view["points"]["right"] == low <= game.points("right")
    assert ("right" in view.get("at_least", [])) is more


def test_points_from_hidden_sources_have_a_minimum() -> None:
    """Two gems are worth at least -1 each, and luck at least 0."""
    for seed in range(1, 9):
        game = Game.start(rulebook.loads(POINTS), seed=seed)
        view = game.view("left")

        assert view["points"] == {"left": game.points("left"), "right": 3}
        assert view["at_least"] == ["right"]
        assert game.points("right") >= 3
        assert game.view(None)["points"] == {"left": 3, "right": 3}
        lines = list(view_lines(view, game.seats, Localizer.for_book(game.book)))
        assert "at least 3 points" in lines[1]
        assert "at least" not in lines[0]


GIVEN_BACK = """rules language 1
rulebook giving_back "Cards that are given back"
  players 2 to 3
  seats north, south, east
cards letter (letters)
  letter | copies
  a      | 1
  b      | 1
  c      | 1
  d      | 1
  e      | 1
  f      | 1
game has
  deck: stack of letter, seen by nobody, starts with every letter
  nods: 0 to 1, seen by all
each player has
  hand: bag of letter, seen by owner
setup
  shuffle deck
  deal_and_return
  north starts
to deal_and_return
  each player:
    move the top card from deck to player's hand
    each letter: {giving_back}
to give_back(player, letter)
  move up to 1 letter from player's hand to the bottom of deck
  player may do nod
action nod
  set nods to 1
turn
  phase only
    you may, until done:
      again, put_back
action again
  deal_and_return
action put_back(letter)
  needs held: your hand has letter  "you have no such letter"
  move 1 letter from your hand to the bottom of deck
rule end
  whenever round > 3: nobody wins
"""


def give_all_back(game: Game) -> None:
    """Answer each question of the procedure."""
    while "pass" in {action.text for action in game.legal_actions()}:
        game.apply("pass")


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("acts", [False, True])
@pytest.mark.parametrize(
    "giving_back",
    [
        "move up to 1 letter from player's hand to the bottom of deck",
        "give_back(player, letter)",
    ],
)
def test_only_its_owner_knows_a_card_that_a_loop_has_given_back(
    giving_back: str, engine: str, *, acts: bool
) -> None:
    """Neither the first seat of the set-up nor the seat whose action it is sees it.

    The loop moves the card itself, or a procedure does that asks the seats.
    """
    text = GIVEN_BACK.format(giving_back=giving_back)
    book = rulebook.loads(text, "giving_back.rules")
    game = Game.start(book, seed=1, engine=engine)
    give_all_back(game)
    if acts:
        game.apply("again")
        give_all_back(game)
    known = game.position["game"]["deck"]["known"]

    assert [entry["known_to"] for entry in known[-3:]] == [
        ["north"],
        ["south"],
        ["east"],
    ]
