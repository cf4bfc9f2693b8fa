"""Messages of failed lines `sees`, `does not see` and `for exactly` in scenarios."""

from pathlib import Path

import pytest

import rulebook
from interpreter import run_scenario

PRELUDE = (Path(__file__).parents[1] / "language" / "prelude.rules").read_text("utf-8")
GAME = """rules language 1
rulebook views "Views"
  extends prelude
to turn_over
  step drawn_card: move the top card from pile to your drawn
action draw
  turn_over
in phase day
  at the end: you may do draw
scenario "views" with 2 players
  given
    move 2 salt, 1 silk from store to p1's pack
    p1 is to move in day
  when
    dice show 3
    p1 does rest
{when}  then
    {line}
"""
DRAWN = """    p1 does draw
    chance gives luck
"""


def message(line: str, when: str = "") -> str:
    """Return the first line of the message of a scenario that ends with a line."""
    text = GAME.format(line=line, when=when)
    book = rulebook.loads(text, "views.rules", {"prelude": PRELUDE}.get)
    (scenario,) = book.model.scenarios
    return (run_scenario(book, scenario).message or "").splitlines()[0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "p2 sees p1's pack",
            "p2 does not see p1's pack: `pack` is seen only by its owner",
        ),
        ("p1 does not see p1's pack", "p1 sees p1's pack: 4 salt, 1 silk"),
        ("nobody sees p1's pack", "p1 sees p1's pack: 4 salt, 1 silk"),
        (
            "all see p1's pack",
            "p2 does not see p1's pack: `pack` is seen only by its owner",
        ),
        ("all see pile", "p1 does not see pile: `pile` is seen by nobody"),
        (
            "spectators see p1's pack",
            "a spectator does not see p1's pack: `pack` is seen only by its owner",
        ),
        ("spectators do not see height", "a spectator sees height: 0"),
        ("p2 does not see p2's pack", "p2 sees p2's pack: nothing"),
        ("p1 sees pitch", "no event `pitch` has occurred"),
    ],
)
def test_a_message_shows_the_value_or_the_hidden_field(
    line: str, expected: str
) -> None:
    assert message(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("p2 sees drawn_card", "p2 does not see drawn_card: the log hides it"),
        ("nobody sees drawn_card", "p1 sees drawn_card: luck"),
        ("p2 does not see draw", "p2 sees draw: draw"),
    ],
)
def test_a_message_shows_the_event(line: str, expected: str) -> None:
    assert message(line, DRAWN) == expected


PRICES = GAME.replace("    p1 does rest\n", "")


@pytest.mark.parametrize(
    ("price", "expected"),
    [
        (
            "2 salt, 1 silk",
            "with exactly 1 salt, 1 silk: pitch(C1) is legal",
        ),
        (
            "1 salt",
            "with exactly 1 salt: pitch(C1) is not legal",
        ),
    ],
)
def test_a_message_shows_the_cards_for_which_an_action_is_legal(
    price: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.GAME", PRICES)

    assert message(f"p1 may still pitch(C1) for exactly {price}").startswith(expected)
