"""The message of a failed `require` shows the values that it compares."""

import pytest

import rulebook as rb
from interpreter import run_scenario

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
