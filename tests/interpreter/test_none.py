"""Nothing belongs to nobody, and effects on nobody do nothing."""

from functools import partial
from pathlib import Path

import pytest

import interpreter.play.start
from interpreter import Game
from interpreter.kernel.passes.pipeline import EVERY_PASS, PASSES
from interpreter.planning import plan_for
from rulebook import Rulebook, RulesError, loads

GIFTS = (Path(__file__).parent / "gifts.rules").read_text(encoding="utf-8")

HEAD = """rules language 1
rulebook marsh "A marsh"
  players 2 to 2
  seats north, south
kind reed (reeds): thin, thick
spaces isle (isles)
  isle | wide
  bare | no
  held | yes
piece hut (huts): 2 for each player, stands on isle
game has
  chief: player or none, seen by all
  flag: yes/no, seen by all
  amount: 0 to 9, seen by all
setup
  place south's hut on held
  {setup}
turn
  phase day
    you do look
define isle is home for player
  isle has player's hut
define player is settled
  (number of player's huts) > 0
define player's first_isle: isle
  some isle where isle has player's hut
define isle is close for player
  some isle other where other has player's hut and isle is not other
define nobody_yet: player
  some player where player's huts_left = 0
"""
ALIASES = {
    "a field": ("chief", ""),
    "a variable": ("who", "  let who be chief\n"),
    "a search": ("who", "  let who be some player where player's huts_left = 0\n"),
    "a description": ("nobody_yet", ""),
}


def played(body: str, setup: str = "set flag to no") -> Game:
    book: Rulebook = loads(HEAD.format(setup=setup) + f"action look\n{body}", "m.rules")
    game = Game.start(book, seed=1)
    game.apply("look")
    return game


def holds(condition: str, before: str = "") -> bool:
    body = f"{before}  if {condition}: set flag to yes\n"
    return bool(played(body).position["game"]["flag"])


@pytest.mark.parametrize("alias", ALIASES)
@pytest.mark.parametrize(
    "condition",
    [
        "bare has {who}'s hut",
        "held has {who}'s hut",
        "bare is home for {who}",
        "held is home for {who}",
        "{who} is settled",
        "(number of {who}'s huts) > 0",
        "{who}'s huts_left > 0",
        "{who}'s first_isle is not none",
        "bare is close for {who}",
    ],
)
def test_nothing_belongs_to_nobody(condition: str, alias: str) -> None:
    who, before = ALIASES[alias]
    asked = condition.format(who=who)

    assert not holds(asked, before)
    if "bare" not in condition:
        assert holds(condition.format(who="south"))


def test_a_tally_of_none_is_0() -> None:
    body = """  let owed be a tally of player and reed
  each player: increase owed(player, thin) by 2
  each player: increase owed(player, thick) by 3
  set amount to smaller of (9, owed(chief, thin) + owed(chief, thick))
"""

    assert played(body).position["game"]["amount"] == 0
    there = played(body.replace("chief", "south")).position
    assert there["game"]["amount"] == 5


# ---------------------------------------------------------------- what is not done


def test_a_win_of_nobody_does_not_end_the_game() -> None:
    game = played("  chief wins\n  set flag to yes\n")

    assert game.outcome is None
    assert game.position["game"]["flag"]


def test_an_existing_player_wins_the_game() -> None:
    game = played("  set chief to you\n  chief wins\n")

    assert game.outcome is not None
    assert game.outcome.winner == "north"


def test_nothing_happens_after_an_existing_player_wins() -> None:
    with pytest.raises(RulesError) as caught:
        played("  you win\n  set flag to yes\n")

    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RB149"]


@pytest.mark.parametrize(
    ("chief", "first"), [("none", "south"), ("south", "south"), ("north", "north")]
)
def test_a_start_of_nobody_changes_nothing(chief: str, first: str) -> None:
    setup = f"set chief to {chief}\n  south starts\n  chief starts"

    assert played("  set flag to yes\n", setup).events[0]["seat"] == first


def test_nobodys_pieces_are_neither_placed_nor_removed() -> None:
    body = """  if bare has no hut: place nobody_yet's hut on bare
  remove all nobody_yet's huts from held
"""

    assert played(body).position["pieces"]["hut"] == {"held": "south"}


NOTHING = ("give_none", "give_liked", "give_favourite", "take_favourite")


def legal(game: Game) -> tuple[str, ...]:
    return tuple([action.text for action in game.legal_actions()])


@pytest.mark.parametrize(
    "rewrites",
    [frozenset(), EVERY_PASS, *[frozenset({name}) for name in PASSES]],
    ids=["no rewrites", "all", *PASSES],
)
def test_none_requires_no_cards(
    rewrites: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """None may be written, be in a field, or be the value of a definition without an
    applicable line.
    """
    planned = partial(plan_for, passes=rewrites)
    monkeypatch.setattr(interpreter.play.start, "plan_for", planned)
    game = Game.start(loads(GIFTS, "gifts.rules"), seed=1)

    for gift in (*NOTHING, "lend_favourites", "open_up"):
        assert legal(game) == (*NOTHING, "lend_favourites", "open_up")
        game.apply(gift)
        store = game.position["game"]["store"]
        assert store == {"wood": 2, "clay": 2, "gold": 2}

    assert legal(game) == ("give_none", "take_favourite")
    game.apply("take_favourite")
    game.apply("give_none")
    assert legal(game) == ("give_none", "give_favourite", "take_favourite")
