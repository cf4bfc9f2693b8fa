"""Rules in which variables depend on hidden information while the game waits."""

from __future__ import annotations

import attrs

HEAD = """rules language 1
rulebook hiding "Hiding places"
  players 3 to 3
kind cell (cells): a, b, c, d, e
cards card (cards)
  card | copies
  r    | 9
  s    | 9
  t    | 9
game has
  pile:  bag of card, seen by nobody, starts with 3 of each
  calls: 0 to 99, seen by all
each player has
  spot:     cell,     seen by owner
  strength: 0 to 5,   seen by owner, starts at 3
  hand:     bag of card, seen by owner, starts with 2 of each
  marks:    0 to 999, seen by all
action guess(cell)
  if your marks < 999: increase your marks by 1
to nest(cell area)
  p2 does guess
  if area = a: increase calls by up to 1
to pass_on(cell area, 0 to 99 number)
  nest(area)
to count_up(0 to 999 amount)
  let more be amount + 1
  p2 does guess
  increase calls by up to more
to show_all(set of cell areas)
  p2 does guess
  if a is in areas: increase calls by up to 1
to show_cards(bag of card lot)
  p2 does guess
  if lot has an r: increase calls by up to 1
to pair(cell x, card y)
  p2 does guess
"""


@attrs.frozen
class Case:
    """Action that waits while a variable depends on the secrets of a seat.

    `actions` follow the action in each of two games, which differ in these secrets.
    `body` are the statements of the action, after `extra` clauses.
    """

    body: str
    secrets_of: str = "p1"
    actions: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    extra: str = ""


def answered(*actions: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the same actions for both games."""
    return actions, actions


CASES = {
    "argument": Case("nest(your spot)"),
    "argument_passed_on": Case("pass_on(your spot, calls)"),
    "computed_argument": Case(
        "let power be your strength + 2\ncount_up(power + number of cards in your hand)"
    ),
    "argument_for_another": Case("p3 carries out nest(your spot)"),
    "argument_of_another": Case("nest(p3's spot)", "p3"),
    "set_argument": Case("show_all(every cell where cell is not your spot)"),
    "bag_argument": Case("show_cards(your hand)"),
    "argument_in_a_branch": Case(
        "if calls > 50:\n"
        "  let m be your strength\n"
        "  count_up(m)\n"
        "otherwise:\n"
        "  let m be your strength + 1\n"
        "  count_up(m)\n"
        "you do guess"
    ),
    "argument_after_an_answer": Case(
        "p2 does guess\ncount_up(your strength + p2's marks)",
        actions=answered("guess(a)"),
    ),
    "argument_before_a_block": Case(
        "limited(p3's strength)",
        "p3",
        answered("guess(a)"),
        "to limited(0 to 9 limit)\n"
        "  at the same time each player where player's marks < limit + 900:\n"
        "    player does guess\n"
        "  you do guess\n",
    ),
    "offered_argument": Case(
        "you do reach(your spot)",
        actions=(("reach(a)",), ("reach(c)",)),
        extra="action reach(cell)\n  p2 does guess\n",
    ),
    "variable_set_again": Case(
        "let best be 0\n"
        "let leader be p2\n"
        "each player where player is not p2:\n"
        "  if player's strength > best:\n"
        "    set best to player's strength\n"
        "    set leader to player\n"
        "p2 does guess\n"
        "if leader's marks < 999: increase leader's marks by 1"
    ),
    "variable_of_an_ended_loop": Case(
        "each player:\n"
        "  let m be player's strength\n"
        "  if m > 9: increase calls by up to m\n"
        "p2 does guess"
    ),
    "named_match": Case(
        "if some player guest where guest's strength > 1 and guest is not p2:\n"
        "  let m be guest's strength\n"
        "  p2 does guess\n"
        "  if guest's marks < 900: increase guest's marks by m",
    ),
    "tally": Case(
        "let worth be a tally of card\n"
        "each card: increase worth(card) by number of card in your hand\n"
        "p2 does guess\n"
        "if worth(r) > 1: increase calls by up to worth(t)"
    ),
    "tally_in_a_waiting_loop": Case(
        "let worth be a tally of card\n"
        "each card:\n"
        "  increase worth(card) by number of card in your hand\n"
        "  p2 does guess\n"
        "if worth(r) > 1: increase calls by up to worth(t)",
        actions=answered("guess(a)"),
    ),
    "loop": Case(
        "each cell x in (every cell where cell is not your spot):\n"
        "  let y be x\n"
        "  p2 does guess"
    ),
    "loop_with_condition": Case("each cell x where x is not your spot: p2 does guess"),
    "loop_in_hidden_order": Case(
        "each card in falling order of number of card in your hand, first 2:\n"
        "  p2 does guess"
    ),
    "loop_over_numbers": Case("each n in 1 to your strength: p2 does guess"),
    "nested_loops": Case(
        "each cell x where x is not your spot:\n"
        "  each card in falling order of number of card in your hand: pair(x, card)"
    ),
    "repeated_rounds": Case("repeat your strength times: p2 does guess"),
    "repeated_choices": Case("p2 may do guess, up to your strength times"),
    "rounds_of_another": Case("repeat p3's strength times: you do guess", "p3"),
    "loop_over_numbers_of_another": Case(
        "each n in 1 to p3's strength: you do guess", "p3"
    ),
    "asked_players": Case(
        "each player where player's strength < 3: player does guess\nyou do guess", "p3"
    ),
    "asked_players_of_a_procedure": Case(
        "each player where player's strength < 3: ask(player)\nyou do guess",
        "p3",
        extra="to ask(player guest)\n  guest does guess\n",
    ),
    "players_of_a_block": Case(
        "at the same time each player where player's strength < 3: player does guess\n"
        "you do guess",
        "p3",
        answered("guess(a)"),
    ),
    "card_moved": Case(
        "you choose card hidden in your hand\n"
        "move up to 1 hidden from your hand to pile\n"
        "p2 does guess",
        actions=(("choose_hidden(r)",), ("choose_hidden(t)",)),
    ),
    "card_given": Case(
        "you choose card given in your hand\n"
        "move up to 1 given from your hand to p3's hand\n"
        "p2 does guess",
        actions=(("choose_given(r)",), ("choose_given(t)",)),
    ),
    "card_of_another_moved": Case(
        "ask_for_card(p3)",
        "p3",
        actions=(("choose_wanted(r)",), ("choose_wanted(t)",)),
        extra="to ask_for_card(player guest)\n"
        "  guest chooses card wanted in guest's hand\n"
        "  move up to 1 wanted from guest's hand to pile\n"
        "  p2 does guess\n",
    ),
    "card_of_an_action_moved": Case(
        "you do give",
        actions=(("give(r)",), ("give(t)",)),
        extra="action give(card)\n"
        '  needs held: your hand has 1 card "you do not have this card"\n'
        "  move 1 card from your hand to pile\n"
        "  p2 does guess\n",
    ),
    "card_to_be_moved": Case(
        "you do lend",
        actions=(("lend(r)",), ("lend(t)",)),
        extra="action lend(card)\n"
        '  needs held: your hand has 1 card "you do not have this card"\n'
        "  p2 does guess\n"
        "  move up to 1 card from your hand to pile\n",
    ),
    "cards_gathered": Case(
        "you gather 2 card in your hand as picked\n"
        "move picked from your hand to pile\n"
        "p2 does guess",
        actions=(("picked(r)", "picked(s)"), ("picked(s)", "picked(t)")),
    ),
    "card_in_a_known_hand": Case(
        "you see p2's hand\n"
        "you choose card taken in p2's hand\n"
        "p3 does guess\n"
        "if p2's hand has a taken: move 1 taken from p2's hand to your hand",
        actions=(("choose_taken(r)",), ("choose_taken(t)",)),
    ),
    "hidden_choices": Case(
        "hunt(p3's spot)",
        "p3",
        extra="to hunt(cell area)\n  you choose cell x where x is not area\n",
    ),
}
"""Cases by the name of their action."""


def rules() -> str:
    """Return the rules of one game with the actions of all cases."""
    phase = f"turn\n  phase day\n    you do {', '.join(CASES)}\n"
    lines = [HEAD, phase, *(case.extra for case in CASES.values())]
    for name, case in CASES.items():
        lines.append(f"action {name}")
        lines += [f"  {line}" for line in case.body.splitlines()]
    return "\n".join(lines) + "\n"
