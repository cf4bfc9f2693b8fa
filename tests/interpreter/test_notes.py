"""The log hides actions and choices that only write hidden values."""

import pytest

import rulebook
from interpreter import Game

BIDS = """rules language 1
rulebook bids "Sealed bids"
  players 3
  seats anna, bruno, clara
  turns 50
kind good (goods): corn, tin
game has
  total: 0 to 999, seen by all
each player has
  bid: 0 to 9, seen by owner
  guess(good): 0 to 9, seen by owner
  mark: good or none, seen by owner
  ready: yes/no, seen by all
{action}
action wait
  set your ready to yes
turn
  phase only
    you do {name}, wait
"""
HIDDEN = {
    "a value": """action act(1 to 9 amount)
  set your bid to amount
""",
    "an index": """action act(good, 1 to 9 amount)
  set your guess(good) to amount
""",
    "a procedure": """action act(1 to 9 amount)
  note_down(you, amount)
to note_down(player, 1 to 9 number)
  let half be number - 1
  set player's bid to half
""",
    "a condition": """action act(1 to 9 amount)
  if amount > 4: set your bid to 1
  otherwise: set your bid to 2
  set your ready to yes
""",
    "a loop": """action act(1 to 9 amount)
  each good:
    if amount > 4: set your guess(good) to 3
""",
    "the whole action": """action act
  set your bid to 3
""",
}
SHOWN = {
    "published": """action act(1 to 9 amount)
  set your bid to amount
  set total to amount
""",
    "published by a condition": """action act(1 to 9 amount)
  set your bid to amount
  if amount > 4: set your ready to yes
""",
    "published by a procedure": """action act(1 to 9 amount)
  set your bid to amount
  tell(amount)
to tell(1 to 9 number)
  let half be number - 1
  set total to half
""",
    "published in a loop": """action act(1 to 9 amount)
  let seen be 0
  each good:
    set total to seen
    set seen to amount
  set your bid to amount
""",
    "no hidden value": """action act(1 to 9 amount)
  set your ready to yes
""",
    "the action has a public effect": """action act
  set your bid to 3
  set your ready to no
""",
    "it may stop": """action act(1 to 9 amount)
  set your bid to amount
  you choose good
  set your mark to good
""",
}


def logged(action: str, engine: str) -> tuple[Game, set[str | None]]:
    """Return a game after an action, and the seats whose log shows it (None: a
    spectator).
    """
    book = rulebook.loads(BIDS.format(action=action, name="act"), "bids.rules")
    game = Game.start(book, seed=1, engine=engine)
    done = next(x for x in game.legal_actions() if str(x).startswith("act"))
    game.apply(done)
    seats = [*game.seats, None]
    return game, {seat for seat in seats if game.log(seat)[0]["action"] == str(done)}


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("action", HIDDEN.values(), ids=HIDDEN)
def test_hides_what_only_decides_hidden_values(action: str, engine: str) -> None:
    game, seats = logged(action, engine)

    assert seats == {"anna"}
    assert game.events[0]["action"].startswith("act")


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("action", SHOWN.values(), ids=SHOWN)
def test_shows_what_decides_something_else(action: str, engine: str) -> None:
    assert logged(action, engine)[1] == {"anna", "bruno", "clara", None}


def test_the_owner_of_the_hidden_value_learns_it() -> None:
    """Fails if only the acting seat learns the value."""
    _, seats = logged(
        """action act(player other, good)
  needs other: other is not you "choose another player"
  set other's mark to good
""",
        "reference",
    )

    assert seats == {"anna", "bruno"}


CHOICE = """to write_down
  {choice}
action act
  write_down
"""
CHOSEN = {
    "by the active player": """you choose good
  set your mark to good""",
    "for another field": """you choose good
  set your guess(good) to 3""",
    "or passed": """you may choose good:
    set your mark to good
  otherwise:
    set your bid to 2""",
    "in turn": """each player:
    player chooses good
    set player's mark to good""",
    "at the same time": """at the same time each player:
    player chooses good
    set player's mark to good""",
    "before another choice": """if your bid = 0:
    you choose good
    set your mark to good
  you choose player other""",
}
NOT_HIDDEN = {
    "published": """you choose good
  set your mark to good
  if good = tin: set your ready to yes""",
    "kept while the game waits": """you choose good
  set your mark to good
  you choose player other""",
    "kept in a variable": """let last be corn
  each player:
    player chooses good
    set player's mark to good
    set last to good
  if last = tin: set your ready to yes""",
    "no hidden value": """you choose good
  set total to 3""",
}


def chosen(choice: str, engine: str) -> tuple[Game, int]:
    """Return a game after all choices of goods, and the number of choices."""
    action = CHOICE.format(choice=choice)
    book = rulebook.loads(BIDS.format(action=action, name="act"), "bids.rules")
    game = Game.start(book, seed=1, engine=engine)
    game.apply("act")
    while str(game.legal_actions()[0]).startswith("choose_good"):
        game.apply(game.legal_actions()[-1])
    return game, game.steps - 1


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("choice", CHOSEN.values(), ids=CHOSEN)
def test_hides_choices_that_only_decide_hidden_values(choice: str, engine: str) -> None:
    game, count = chosen(choice, engine)

    for seat in (*game.seats, None):
        own = [event["seat"] == seat for event in game.events[1 : count + 1]]
        log = [event["action"] for event in game.log(seat)[1 : count + 1]]
        assert [action is not None for action in log] == own


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("choice", NOT_HIDDEN.values(), ids=NOT_HIDDEN)
def test_shows_choices_that_decide_something_else(choice: str, engine: str) -> None:
    game, _ = chosen(choice, engine)

    assert game.log(None) == list(game.events)


def test_a_sample_agrees_with_all_choices_in_the_log() -> None:
    """Fails if every choice inside a clause is public."""
    game, count = chosen(CHOSEN["at the same time"], "reference")
    marks = {
        game.sample("bruno", seed).position["player"]["anna"]["mark"]
        for seed in range(40)
    }

    assert count == 3
    assert len(marks) > 1
    assert game.log("bruno")[1]["action"] is None


def test_writing_to_ones_hidden_field_reveals_nothing() -> None:
    for name in ("a value", "an index", "the whole action"):
        action = HIDDEN[name]
        book = rulebook.loads(BIDS.format(action=action, name="act"), "bids.rules")
        game = Game.start(book, seed=1)

        assert not any(map(game.teaches, game.legal_actions()))


def test_a_sample_agrees_with_all_entries_of_the_log() -> None:
    game, _ = logged(HIDDEN["a value"], "reference")
    bids = {
        game.sample("bruno", seed).position["player"]["anna"]["bid"]
        for seed in range(40)
    }

    assert len(bids) > 4
