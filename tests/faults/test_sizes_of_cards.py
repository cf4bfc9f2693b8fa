"""The number of cards is also counted for cards without a number of copies."""

import pytest

from rulebook import RulesError, loads

CARDS = "\n".join(f"  sign_{number}{{copies}}" for number in range(90))

RULES = """rules language 1
rulebook signs "Signs"
  players 2
  turns 9

cards sign
  sign{head}
{cards}

game has
  deck: stack of sign, seen by all, starts with every sign
  much: 0 to 9, seen by all, starts at 0

action toil
  repeat (number of cards in deck) times:
    repeat (number of cards in deck) times:
      repeat (number of cards in deck) times:
        repeat (number of cards in deck) times:
          set much to 1

turn
  phase play
    you do toil
"""


@pytest.mark.parametrize(("head", "copies"), [("", ""), (" | copies", " | 1")])
def test_work_over_a_stack_is_bounded_by_its_cards(head: str, copies: str) -> None:
    text = RULES.format(head=head, cards=CARDS.format(copies=copies))

    with pytest.raises(RulesError) as caught:
        loads(text)

    assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"RB152"}
