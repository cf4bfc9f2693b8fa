"""The message of a failed `require` shows the values that it compares."""

import pytest

import rulebook as rb
from interpreter import Game, run_scenario

RULES = """rules language 1
rulebook counted "Counted"
  players 2 to 2
kind thing (things): a, b, c
game has
  box: bag of thing, seen by all, starts with 2 of each
setup
  p1 starts
turn
  phase day
    nobody wins
scenario "each"
  then
"""
SAID = """this is not true: number of thing in box = {number} and thing is not {name}
  thing = {member}
  number of thing in box = 2"""


@pytest.mark.parametrize(
    ("number", "name", "member"), [(2, "c", "c"), (3, "a", "a"), (2, "b", "b")]
)
def test_the_message_shows_the_loop_variable(
    number: int, name: str, member: str
) -> None:
    test = f"number of thing in box = {number} and thing is not {name}"
    book = rb.loads(f"{RULES}    each thing:\n      require {test}\n")

    verdict = run_scenario(book, book.model.scenarios[0])

    assert verdict.status == "failed"
    assert verdict.message == SAID.format(number=number, name=name, member=member)


NEGATED = """rules language 1
rulebook rest "Rest"
  players 2
  seats red, blue

each player has
  coins: 0 to 9, seen by all
  tired: yes/no, seen by all, starts at yes

define player is rich
  player's coins < 3

action earn
  needs awake: your coins > 3 or not your tired "you are tired"
  increase your coins by up to 1

action nap
  needs awake: not your tired "you are tired"
  stop

action wake
  set your tired to no

turn
  phase work
    you do earn, nap, wake

scenario "not" with 2 players
  then
    require not red's tired

scenario "is not" with 2 players
  then
    require red is not rich

scenario "not is" with 2 players
  then
    require not red is rich

scenario "needs" with 2 players
  given
    red is to move in work
  then
    red may still earn
"""


def test_values_under_a_negation_are_those_of_their_words() -> None:
    book = rb.loads(NEGATED, "rest")

    messages = [
        str(run_scenario(book, scenario).message).splitlines()[:3]
        for scenario in book.model.scenarios
    ]

    assert messages == [
        ["this is not true: not red's tired", "  red's tired = yes"],
        ["this is not true: red is not rich", "  red is not rich = no"],
        ["this is not true: not red is rich", "  red is rich = yes"],
        ["earn is not legal: you are tired", "  your coins = 0", "  your tired = yes"],
    ]
    game = Game.start(book, seed=1)
    assert game.why("nap").values == {"your tired": True}
