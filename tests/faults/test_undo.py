"""`undo` is possible while no seat has learnt hidden information. Users found
`look.rules` (spy, bet) and `monopoly.jsonl`: shown cards, a hidden card that decided
something, cards taken from hidden hands.
"""

import io
import json
from pathlib import Path

import pytest

import rulebook
import workbench
from interpreter import Game
from tests.support.commands import Output, output_of
from workbench.bots import bot_random, random_below
from workbench.cli import main
from workbench.files.records.recorder import Recorder
from workbench.terminal.terminal_game import TerminalGame

HERE = Path(__file__).parent / "knowledge"
LEARNT = "something has been revealed since"

RELATIVES = """rules language 1
rulebook relatives "What an action may tell"
  players 2
  seats left, right
  turns 20

cards omen (omens)
  omen  | copies
  raven |      6
  hare  |      6

game has
  deck:  stack of omen, seen by nobody, starts with every omen
  pile:  stack of omen, seen by nobody
  heap:  bag of omen, seen by all
  lost:  bag of omen, seen by nobody
  price: 1 to 3, seen by all, starts at 1
each player has
  hand:  bag of omen, seen by owner
  mind:  1 to 3, seen by owner, starts at 2
  score: 0 to 99, seen by all

setup
  shuffle deck
  repeat 3 times:
    each player: move top card from deck to player's hand
  move top card from deck to pile
  left starts

# What is done in the open, or kept to oneself, teaches nobody anything.
action show(omen)
  needs held: your hand has 1 omen   "you do not have this card"
  move 1 omen from your hand to heap
action bury(omen)
  needs held: your hand has 1 omen   "you do not have this card"
  move 1 omen from your hand to lost
action raise
  needs room: price < 3              "it is dear enough"
  increase price by 1
action think
  needs other: your mind < 3         "you think so already"
  set your mind to 3
action push
  move top card from deck to pile

# Here somebody learns something.
action draw
  needs left: deck is not empty      "none is left"
  move top card from deck to your hand
action take_all(omen)
  each player other where other is not you: move all omen from other's hand to heap
action guess
  if some player other where other is not you and other's mind = 3:
    set your score to 1
action boast
  if your hand has 1 raven: set your score to 2
action lay_down
  move everything from your hand to heap
action hand_over(omen)
  needs held: your hand has 1 omen   "you do not have this card"
  each player other where other is not you:
    move up to 1 omen from your hand to other's hand
action look
  you see pile

turn
  phase play
    you may, until done:
      show, bury, raise, think, push, draw
      take_all, guess, boast, lay_down, hand_over, look

points of player
  score: player's score
"""


@pytest.mark.parametrize(
    ("action", "teaches"),
    [
        ("show", False),
        ("bury", False),
        ("raise", False),
        ("think", False),
        ("push", False),
        ("done", False),
        ("draw", True),
        ("take_all", True),
        ("guess", True),
        ("boast", True),
        ("lay_down", True),
        ("hand_over", True),
        ("look", True),
    ],
)
def test_reports_which_actions_reveal_information(action: str, teaches: bool) -> None:
    game = Game.start(rulebook.loads(RELATIVES), seed=4)
    actions = [offered for offered in game.legal_actions() if offered.name == action]
    before = game.copy()

    assert actions
    assert {game.teaches(action) for action in actions} == {teaches}
    assert game == before


@pytest.mark.parametrize(("action", "teaches"), [("spy", True), ("bet", True)])
def test_shown_or_deciding_cards_prevent_undo(action: str, teaches: bool) -> None:
    game = Game.start(workbench.load(str(HERE / "look.rules")), seed=1)

    for offered in game.legal_actions():
        if offered.name == action:
            assert game.teaches(offered) == teaches


SEARCHED = """rules language 1
rulebook searched "Taken out of a pile"
  players 2
  seats left, right
  turns 9

cards omen (omens)
  omen  | copies
  raven |      1
  hare  |      1
  toad  |      2

game has
  pile: stack of omen, seen by nobody, starts with every omen
  lost: bag of omen, seen by nobody
each player has
  hand: bag of omen, seen by owner

setup
  shuffle pile
  move top card from pile to left's hand
  left starts

action put_back(omen)
  needs held: your hand has 1 omen     "you do not have this card"
  move 1 omen from your hand to bottom of pile
action search
  needs left: pile is not empty        "nothing is left to search"
  you see pile
  you choose omen in pile
  move 1 omen from pile to {place}

turn
  phase lay
    you may do put_back
  phase play
    you may do search

points of player
  none: 0
"""


@pytest.mark.parametrize("place", ["your hand", "lost"])
def test_other_seats_do_not_see_a_card_picked_from_a_pile(place: str) -> None:
    """A seat that knew the whole pile, or a card below, does not learn which card is
    missing.
    """
    book = rulebook.loads(SEARCHED.format(place=place))
    compared = 0
    for seed in range(12):
        game = Game.start(book, seed=seed)
        for _ in range(12):
            legal = game.legal_actions()
            if legal[0].name.startswith("choose"):
                other = "left" if game.to_act == "right" else "right"
                views = []
                for action in legal:
                    assert not game.teaches(action)
                    after = game.copy()
                    after.apply(action)
                    views.append((after.view(other), after.log(other)))
                knew = game.view(other)["game"]["pile"].get("known")
                compared += bool(knew) and len(views) > 1
                assert all(view == views[0] for view in views)
            game.apply(legal[-1])

    assert compared


def test_not_winning_can_reveal_hidden_points() -> None:
    """If hidden cards may be points, not winning reveals that they are not."""
    book, seen = workbench.load("classic"), set()
    for seed in range(1, 4):
        game, numbers = Game.start(book, seed=seed), bot_random(seed, 0, "all")
        for _ in range(700):
            legal = game.legal_actions()
            if not legal:
                break
            done = legal[random_below(len(legal), numbers)]
            view = game.view(None)
            built = [offered for offered in legal if offered.name == "build_settlement"]
            for action in built[:1]:
                cards = view["player"][action.seat]
                hidden = cards["developments"]["count"] + cards["fresh"]["count"]
                near = view["points"][action.seat] + 1 + hidden >= 10
                seen.add(near)
                assert game.teaches(action) == near
            game.apply(done)

    assert False in seen


def typed(game: Game, lines: str, people: tuple[str, ...]) -> tuple[Game, str]:
    out = io.StringIO()
    who = {seat: "human" if seat in people else "random" for seat in game.seats}
    table = TerminalGame(game, who, 1, io.StringIO(lines), out, Recorder(None))
    return table.play(), out.getvalue()


def test_the_terminal_rejects_undo_after_a_revelation() -> None:
    start = Game.start(rulebook.loads(RELATIVES), seed=4)
    kept = start.copy()

    back, said = typed(start.copy(), "raise\nundo\n", ("left",))
    assert back == kept
    assert "undone" in said
    for taught in ("draw", "guess", "lay_down"):
        after, said = typed(start.copy(), f"{taught}\nundo\n", ("left",))
        assert after.steps > kept.steps
        assert LEARNT in said


def test_public_moves_of_others_can_be_undone() -> None:
    book = workbench.load("examples/tiny/noughts_and_crosses.rules")
    start = Game.start(book, seed=1)
    me, other = start.seats

    back, said = typed(start.copy(), "1\nundo\n", (me,))
    assert back == start
    assert "undone" in said

    back, said = typed(start.copy(), "\n1\n\nundo\n\n", (me, other))
    assert back == start


def test_a_resumed_record_knows_the_revealed_information() -> None:
    book = rulebook.loads(RELATIVES)
    game = Game.start(book, seed=4)
    for text in ("draw", "raise", "think"):
        game.apply(text)
    resumed = Game.replay(game.record, book)

    back, said = typed(resumed.copy(), "undo\nundo\n", ("left",))
    assert back.steps == game.steps - 2
    _, said = typed(resumed.copy(), "undo\nundo\nundo\n", ("left",))
    assert LEARNT in said


def test_a_monopoly_cannot_be_undone() -> None:
    """The cards of `monopoly.jsonl`, with the current rules."""
    book = workbench.load("classic")
    game = Game.start(book, players=3, seed=1)
    position = game.position
    seat = "red"
    position["player"][seat]["developments"]["monopoly"] = 1
    position["game"]["deck"]["pool"]["monopoly"] -= 1
    position["game"]["deck"]["known"].pop()
    position["pending"] = None
    del position["pending"]
    position |= {"active": seat, "starter": seat, "turn": 1}
    game = Game.from_position(book, position)
    actions = [
        action for action in game.legal_actions() if action.name == "play_monopoly"
    ]

    assert actions
    assert {game.teaches(action) for action in actions} == {True}


def test_the_log_of_a_seat_is_shown_without_the_seed(
    tmp_path: Path, capsys: Output
) -> None:
    book = workbench.load("classic")
    game, numbers = (
        Game.start(book, players=3, seed=987654321),
        bot_random(1, 0, "all"),
    )
    while not any(line.get("outcome", "") is None for line in game.log("red")):
        legal = game.legal_actions()
        game.apply(legal[random_below(len(legal), numbers)])
    path = tmp_path / "game.jsonl"
    path.write_text(game.record, encoding="utf-8")

    shown = output_of(capsys, "replay", str(path), "--seat", "red")
    told = output_of(capsys, "replay", str(path), "--seat", "red", "--json")
    document = json.loads(told)

    assert "987654321" not in shown + told
    assert ": ?" in shown
    assert document["events"] == game.log("red")
    assert document["view"] == game.view("red")
    assert "position" not in document
    assert main(["replay", str(path), "--seat", "nobody"]) == 2
