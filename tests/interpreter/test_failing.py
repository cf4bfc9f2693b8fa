"""Effects that fail in play although the checker accepted them. The error reports the
place in the rule file, and the game is unchanged.
"""

import pickle
from pathlib import Path

import pytest

from interpreter import Game, run_scenario
from rulebook import Rulebook, RulesError, loads

TEXT = Path(__file__).with_name("failing.rules").read_text(encoding="utf-8")
SCENARIO = """
scenario "three pawns of two"
  given
    each square where square's column = 1: place p1's pawn on square
    place p1's pawn on square_3_1
    p1 is to move in day
  when
    p1 may do give
"""


@pytest.fixture
def book() -> Rulebook:
    return loads(TEXT, name="failing.rules")


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(TEXT.split("\n"), 1) if text in line)


@pytest.mark.parametrize(
    ("action", "place", "code", "message"),
    [
        ("give", "move 1 white", "RB142", "`pouch` does not have the cards"),
        ("climb", "set height", "RB145", "9 is out of range: `height` holds"),
    ],
)
def test_an_action_fails_at_its_place_and_changes_nothing(
    book: Rulebook, action: str, place: str, code: str, message: str
) -> None:
    game = Game.start(book, players=2, seed=1)
    before = (game.position, game.record, game.legal_actions())

    with pytest.raises(RulesError) as caught:
        game.apply(action)

    (mistake,) = caught.value.diagnostics
    assert (mistake.code, mistake.span.line) == (code, line_of(place))
    assert message in mistake.message
    assert (game.position, game.record, game.legal_actions()) == before
    game.apply("done")


def test_setup_with_too_many_pieces_names_their_owner(book: Rulebook) -> None:
    Game.start(book, players=2, seed=1)

    with pytest.raises(RulesError) as caught:
        Game.start(book, players=2, seed=1, options={"crowd": True})

    (mistake,) = caught.value.diagnostics
    assert mistake.code == "RB142"
    assert mistake.message == "p1 has no pawn left to place"
    assert mistake.span.line == line_of("place p1's pawn")
    assert [span.line for span, _ in mistake.related] == [line_of("piece pawn")]


def test_a_scenario_fails_at_the_line_of_the_mistake() -> None:
    book = loads(TEXT + SCENARIO, name="failing.rules")
    (scenario,) = book.model.scenarios

    verdict = run_scenario(book, scenario)

    assert verdict.status == "error"
    assert verdict.line == len(TEXT.splitlines()) + 5
    assert "p1 has no pawn left" in (verdict.message or "")


def test_an_error_survives_pickling_from_another_process(book: Rulebook) -> None:
    game = Game.start(book, players=2, seed=1)
    with pytest.raises(RulesError) as caught:
        game.apply("climb")

    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  (dumped here)

    assert again.diagnostics == caught.value.diagnostics
