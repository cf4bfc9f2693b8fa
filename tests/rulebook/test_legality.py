"""`ACTION is legal`: its effect on digests and on `why`."""

from __future__ import annotations

import rulebook
from interpreter import Game

HEAD = """rules language 1
rulebook jump "One must jump"
  players 2 to 2
  seats near, far
  turns 9
spaces cell (cells) by column 1 to 3
piece man (men): 2 for each player, stands on cell
game has
  height: 0 to 9
setup
  place near's man on cell_1
action jump(cell)
  needs over: cell has another player's man  "there is nobody"
  set height to 1
action step(cell)
  needs must: jump is not legal              "who can jump must jump"
  needs free: jump(cell) is not legal        "one jumps there"
  set height to 2
turn
  phase only
    you may do jump, step
points of player
  men: number of player's men
"""


def book(text: str = "") -> rulebook.Rulebook:
    """Return the game with more clauses."""
    return rulebook.loads(HEAD + text)


def test_legality_tests_in_hints_and_scenarios_do_not_change_the_digest() -> None:
    plain = book()
    hinted = book(
        "hint value of player\n  free: 1 if step is legal for player\n"
        'scenario "asks"\n  then\n    require not jump(cell_1) is legal for near\n'
    )

    assert plain.digest == hinted.digest
    assert len(hinted.model.defines) == len(plain.model.defines) + 1


def test_why_names_the_requirement_of_the_other_action() -> None:
    game = Game.start(book(), players=2)

    explanation = game.why("step(cell_1)")
    assert explanation.legal
    game.apply("pass")
    explanation = game.why("step(cell_1)")
    assert (explanation.requirement, explanation.reason) == (
        "must",
        "who can jump must jump",
    )
    assert explanation.values == {"you": "far"}

    text = HEAD.replace("  needs must: jump is not legal ", "  needs must: yes ")
    asked = text.replace("jump(cell) is not legal", "jump(cell) is legal")
    explanation = Game.start(rulebook.loads(asked), players=2).why("step(cell_2)")
    (line,) = explanation.to_json()["lines"]
    assert explanation.values == {"you": "far", "cell": "cell_2"}
    assert line["definition"] == "jump(cell) is legal"
    assert line["line"] == "over"
    assert line["text"] == "cell has another player's man"
