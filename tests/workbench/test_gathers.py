"""Picks of a gather may be entered in any order; the record has a fixed order."""

import io

import pytest

import rulebook
from interpreter import Game, IllegalAction
from workbench.files.records.recorder import Recorder
from workbench.terminal.terminal_game import TerminalGame

RULES = """rules language 1
rulebook gifts "Gifts"
  players 2
  seats left, right
  turns 9

kind good (goods): wool, oak, tin

game has
  heap: bag of good, seen by all
each player has
  hand: bag of good, seen by owner, starts with 2 of each

action give
  you gather LOW to 4 good in your hand as gift
  move gift from your hand to heap

turn
  phase play
    you do give

points of player
  none: 0
"""

IN_ORDER = ["gift(wool)", "gift(wool)", "gift(tin)"]


def begun(low: int = 2) -> Game:
    game = Game.start(rulebook.loads(RULES.replace("LOW", str(low))), seed=1)
    game.apply("give")
    return game


def actions(game: Game) -> list[str]:
    return [event["action"] for event in game.events if event["seat"] == "left"][1:]


def typed(lines: list[str], low: int = 2) -> tuple[Game, str]:
    out = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    game = begun(low)
    who = {"left": "human", "right": "random"}
    table = TerminalGame(game, who, 1, source, out, Recorder(None))
    return table.play(), out.getvalue()


@pytest.mark.parametrize("text", ["gift(1 tin, 2 wool)", "gift(2 wool, 1 tin)"])
def test_all_picks_in_one_text_are_recorded_in_one_order(text: str) -> None:
    game, one_by_one = begun(), begun()

    done = game.apply(text)
    for single in IN_ORDER:
        one_by_one.apply(single)

    assert [event["action"] for event in done] == IN_ORDER
    assert game == one_by_one
    assert game.record == one_by_one.record


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("gift(3 wool)", "gift(wool) can be chosen at most 2 times"),
        ("gift(1 wool)", "at least 2 must be chosen"),
        ("gift(9 wool)", "at most 4 may be chosen"),
        ("gift(2 wool, 2 oak, 1 tin)", "at most 4 may be chosen"),
        ("gift(2 lead)", "there is no good 2 lead"),
    ],
)
def test_rejected_pick_has_a_reason_and_changes_nothing(text: str, reason: str) -> None:
    game = begun()
    kept = game.copy()

    with pytest.raises(IllegalAction) as caught:
        game.apply(text)

    assert caught.value.explanation.reason == reason
    assert caught.value.explanation.action == text
    assert game == kept


def test_picks_after_earlier_ones_follow_them_or_are_rejected() -> None:
    game = begun()
    game.apply("gift(oak)")
    kept = game.copy()

    with pytest.raises(IllegalAction, match="wool comes before oak"):
        game.apply("gift(1 wool, 1 tin)")
    assert game == kept
    assert len(game.apply("gift(2 tin, 1 oak)")) == 3


def test_api_lists_all_possible_picks() -> None:
    game = begun()
    gathering = game.gathering

    assert gathering is not None
    assert {pick.text: left for pick, left in gathering.left} == {
        "gift(wool)": 2,
        "gift(oak)": 2,
        "gift(tin)": 2,
    }
    assert (gathering.made, gathering.fewest, gathering.most) == (0, 2, 4)
    assert [pick.text for pick in gathering.after({"gift(tin)": 2})] == [
        "gift(wool)",
        "gift(oak)",
        "pass",
    ]
    assert gathering.after({"gift(tin)": 2, "gift(wool)": 2}) == ()
    game.apply("gift(2 wool, 2 tin)")
    assert game.gathering is None


@pytest.mark.parametrize(
    "lines",
    [
        ["tin", "wool", "gift(wool)", "pass"],
        ["tin", "2 wool", "pass"],
        ["3", "wool", "wool", "pass"],
        ["wool", "undo", "tin", "2 wool", "pass"],
        ["wool", "3 tin", "wool, tin", "pass"],
    ],
)
def test_a_person_picks_in_any_order(lines: list[str]) -> None:
    game, _ = typed(lines)

    assert actions(game) == [*IN_ORDER, "pass"]


def test_gather_ends_automatically_without_further_picks() -> None:
    game, _ = typed(["2 tin", "oak", "wool"])

    assert actions(game) == ["gift(wool)", "gift(oak)", "gift(tin)", "gift(tin)"]


def test_pending_picks_are_shown_and_counted() -> None:
    _, said = typed(["tin"], low=3)

    assert "left decides: 3 more to choose" in said
    assert "left decides: 2 more to choose (so far 1 tin)" in said


def test_possible_pick_is_not_reported_as_impossible() -> None:
    """Choosing the last kind first leaves too few cards for the fixed order."""
    _, said = typed(["why gift(tin)", "2 tin", "why gift(tin)", "why oak"], low=4)

    assert "“gift: tin” is legal" in said
    assert (
        "“gift: tin” is not legal: all cards of this kind have already been chosen"
        in said
    )
    assert "“gift: oak” is legal" in said


def test_gather_with_too_few_picks_cannot_end() -> None:
    game, said = typed(["tin", "pass"])

    assert actions(game) == []
    assert "pass" in said.rpartition("so far")[2]
