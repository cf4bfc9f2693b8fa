"""Place of a diagnostic when either of two sides may be wrong."""

import pytest

from rulebook import RulesError, loads

HEAD = """rules language 1
rulebook t "T"
  players 2 to 2
each player has
  coins: 0 to 9, starts at 3
turn
  phase day
    you win
define player is rich
  """


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("player = 1", "player = 1"),
        ("1 = player", "1 = player"),
        ("player's coins = player", "player's coins = player"),
        ("(player's coins\n    + 1) = player", "player"),
        ("player = (1\n    + player's coins)", "player"),
    ],
)
def test_a_comparison_that_does_not_fit_is_shown_whole(said: str, place: str) -> None:
    with pytest.raises(RulesError) as caught:
        loads(HEAD + said + "\n", "t.rules")

    (problem,) = caught.value.diagnostics
    span = problem.span
    line = (HEAD + said).split("\n")[span.line - 1]
    assert line[span.column - 1 : span.end_column - 1] == place
