"""Points exist only in games that declare them."""

import pytest

import rulebook

GAME = """rules language 1
rulebook scored "Scores"
  players 2

each player has
  score: 0 to 9, seen by all

action earn
  increase your score by up to 1

turn
  phase work
    you do earn

end
  the players with the most points win
"""


def test_a_game_without_points_cannot_compare_them() -> None:
    with pytest.raises(rulebook.RulesError, match="counts no points") as caught:
        rulebook.loads(GAME, "scored")

    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RB114"]
    points = "points of player\n  score: player's score\n\nend\n"
    assert rulebook.loads(GAME.replace("end\n", points), "scored").digest
