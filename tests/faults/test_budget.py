"""Rules that never stop are found when they are loaded, if that is certain, else in
play. The budget of a run counts statements of the checked model and started clauses.
Exceeding it is an error that names the clauses, and the game is unchanged.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import rulebook
from interpreter import Game
from rulebook import Limits, Rulebook, RulesError

FAULTS = Path(__file__).parent / "budget"
HEAD = """rules language 1
rulebook waking "Waking"
  players 2 to 2
  turns 50
game has
  count: 0 to 9, seen by all
  other: 0 to 9, seen by all
  flag: yes/no, seen by all
each player has
  score: 0 to 9, seen by all
"""
TURN = """
turn
  phase play
    you do go
"""
GO = """
action go
  set count to 1
"""


def checked(text: str, **limits: int) -> Rulebook:
    return rulebook.loads(text, "waking.rules", None, Limits(**limits))


def fault(text: str, **limits: int) -> rulebook.Diagnostic:
    with pytest.raises(RulesError) as caught:
        checked(text, **limits)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def broken_by(game: Game, action: str) -> rulebook.Diagnostic:
    """Return the error of an action, which must change nothing."""
    before = game.copy()
    with pytest.raises(RulesError) as caught:
        game.apply(action)
    assert game == before
    assert game.legal_actions() == before.legal_actions()
    assert game.record == before.record
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


# ---------------------------------------------------------------- at load


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("rule r\n  whenever count = 1: set count to 1", ["r"]),
        ("rule r\n  whenever count > 3: set count to 5", ["r"]),
        ("rule r\n  whenever count = 1: set other to 3", ["r"]),
        ("rule r\n  whenever flag: set flag to yes", ["r"]),
        ("rule r\n  whenever round > 2: set flag to yes", ["r"]),
        ("rule r\n  whenever count = 1 or count = 2: set count to 2", ["r"]),
        (("rule r\n  whenever any player where player's score > 2: tell\n"
         "to tell\n  set flag to yes"), ["r"]),
        (("rule a\n  whenever count = 1: set count to 2\n"
         "rule b\n  whenever count = 2: set count to 1"), ["a", "b"]),
        (("rule a\n  whenever flag and count = 1: set count to 2\n"
         "rule b\n  whenever count = 2: set count to 3\n"
         "rule c\n  whenever count = 3: set count to 1"), ["a", "b", "c"]),
    ],
)  # fmt: skip
def test_rejects_rules_that_certainly_never_stop(rules: str, names: list[str]) -> None:
    diagnostic = fault(HEAD + GO + rules + TURN)

    assert diagnostic.code == "RB156"
    assert all(name in diagnostic.message for name in names)
    assert len(diagnostic.related) == len(names) - 1


@pytest.mark.parametrize(
    "rules",
    [
        "rule r\n  whenever count = 1: set count to 2",
        "rule r\n  whenever count > 3:\n    if count > 0: decrease count by 1",
        "rule r\n  whenever not flag: set flag to yes",
        "rule r\n  whenever count = 1: you win",
        (
            "rule r\n  whenever any player where player's score > 2: calm(player)\n"
            "to calm(player)\n  set player's score to 0"
        ),
        "rule r\n  whenever count = 1:\n    if flag: stop\n    set count to 1",
        (
            "rule a\n  whenever count = 3 and not flag: set count to 1\n"
            "rule b\n  whenever count = 1:\n    set count to 3\n    set flag to yes"
        ),
        (
            "rule a\n  whenever other = 1:\n    set count to 0\n    set other to 0\n"
            "rule b\n  whenever count = 1: set other to 1"
        ),
        (
            "rule a\n  whenever flag:\n    set other to 1\n    set count to 1\n"
            "    set flag to no\nrule b\n  whenever count = 2: set flag to yes"
        ),
        (
            "rule a\n  whenever your score = 9: you win\n"
            "rule b\n  whenever count = 1: set count to 2"
        ),
    ],
)
def test_accepts_rules_that_may_stop(rules: str) -> None:
    assert checked(HEAD + GO + rules + TURN)


@pytest.mark.parametrize("name", ["rule_self", "rule_flip"])
def test_rejects_the_fault_files(name: str) -> None:
    with pytest.raises(RulesError) as caught:
        rulebook.load(FAULTS / f"{name}.rules")

    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RB156"]


# ---------------------------------------------------------------- in play

HIDDEN = (
    "    if other < 9: increase other by 1\n    otherwise: set other to 0\n"
    "    if flag: set count to 0\n"
)


@pytest.mark.parametrize(
    ("rules", "ran"),
    [
        (f"rule r\n  whenever count = 1:\n{HIDDEN}", ["rule `r`"]),
        ((f"rule a\n  whenever count = 1 and other < 5:\n{HIDDEN}"
         f"rule b\n  whenever count = 1 and other >= 5:\n{HIDDEN}"),
         ["rule `a`", "rule `b`"]),
        (("award most of player\n  most player's score\n  on a tie, nobody has it\n"
         "  when gained: lose(player)\n  when lost: win(player)\n"
         "to lose(player)\n  set player's score to 0\n"
         "to win(player)\n  set player's score to 1\n"
         "rule r\n  whenever count = 1 and your score = 0: set your score to 1"),
         ["award `most`"]),
        (("award a of player\n  most player's score\n  only if b's holder is none\n"
         "  on a tie, nobody has it\n"
         "award b of player\n  most player's score\n  only if a's holder is player\n"
         "  on a tie, nobody has it\n"
         "rule r\n  whenever count = 1 and your score = 0: set your score to 1"),
         ["award `a`", "award `b`"]),
    ],
)  # fmt: skip
def test_an_endless_run_is_reported_with_its_last_clauses(
    rules: str, ran: list[str]
) -> None:
    game = Game.start(checked(HEAD + GO + rules + TURN, firings=1_000), seed=1)

    diagnostic = broken_by(game, "go")

    assert diagnostic.code == "RB156"
    assert all(name in diagnostic.message for name in ran)
    assert {word for _, word in diagnostic.related} >= {f"{name} ran" for name in ran}
    assert diagnostic.span in [span for span, _ in diagnostic.related]


def test_stops_at_the_same_clause_whatever_precedes() -> None:
    rules = f"rule r\n  whenever count = 1:\n{HIDDEN}"
    text = HEAD + GO + rules + TURN
    game = Game.start(checked(text, firings=100), seed=1)

    assert "101 clauses" in broken_by(game, "go").message


def test_the_budget_ends_turns_without_decisions() -> None:
    text = (FAULTS / "no_choice_turn.rules").read_text(encoding="utf-8")
    book = rulebook.loads(text, "x", None, Limits(steps=10**12, firings=500))

    with pytest.raises(RulesError) as caught:
        Game.start(book, seed=1)

    assert "phase `play`" in caught.value.diagnostics[0].message


def test_the_budget_ends_a_long_repeat() -> None:
    text = (FAULTS / "repeat9.rules").read_text(encoding="utf-8")
    book = rulebook.loads(text, "x", None, Limits(steps=10**12, statements=5_000))
    game = Game.start(book, seed=1)

    diagnostic = broken_by(game, "go")

    assert "5,001 statements" in diagnostic.message
    assert "action `go`" in diagnostic.message


# ---------------------------------------------------------------- how it counts

COUNTED = {
    "set other to 2": 1,
    "step a:\n    set other to 2\n    step b: set flag to yes": 4,
    "if yes: set other to 2": 2,
    "if no: set other to 2\n  otherwise: set flag to no": 2,
    "each player: set player's score to 1": 3,
    "each player where player is you: set player's score to 1": 2,
    "repeat 3 times:\n    set other to 2\n    set flag to yes": 7,
    "repeat 3 times: both": 10,
    "repeat 0 times: both": 1,
}


@pytest.mark.parametrize("quiet", [True, False])
@pytest.mark.parametrize(("body", "number"), list(COUNTED.items()))
def test_counts_statements_as_written(body: str, number: int, quiet: bool) -> None:
    more = "" if quiet else "\n  you choose player"
    both = "\nto both\n  set other to 2\n  set flag to yes\n"
    text = f"{HEAD}\naction go\n  {body}{more}{both}{TURN}"
    here = number + (not quiet)
    turn = 0 if not quiet else 1  # the next turn begins in the same run

    Game.start(checked(text, statements=here + turn), seed=1).apply("go")
    game = Game.start(checked(text, statements=here + turn - 1), seed=1)
    assert broken_by(game, "go").code == "RB156"


def test_each_run_has_a_separate_budget() -> None:
    text = HEAD + "\naction go\n  repeat 8 times: set count to 1\n" + TURN
    game = Game.start(checked(text, statements=20), seed=1)

    for _ in range(10):
        game.apply("go")

    assert game.turn == 11


# ---------------------------------------------------------------- when rules act


def test_a_rule_acts_while_its_condition_is_true() -> None:
    rules = (
        "rule r\n  whenever count > 0:\n"
        "    if count > 0: decrease count by 1\n"
        "    if other < 9: increase other by 1\n"
    )
    go = "\naction go\n  set count to 5\n"
    game = Game.start(checked(HEAD + go + rules + TURN), seed=1)

    game.apply("go")

    assert game.position["game"] == {"count": 0, "other": 5, "flag": False}


def test_a_rule_that_asks_does_not_start_again_before_its_end() -> None:
    rules = """
rule r
  whenever count > 0:
    set other to count
    you choose player
    set count to 0
"""
    go = "\naction go\n  set count to 5\n"
    game = Game.start(checked(HEAD + go + rules + TURN), seed=1)
    game.apply("go")

    game.apply(game.legal_actions()[0])

    assert game.position["game"]["count"] == 0
    assert [action.name for action in game.legal_actions()] == ["go"]


def test_a_rule_that_is_true_at_the_start_acts_at_once() -> None:
    rules = "rule r\n  whenever other = 0: set other to 4"
    game = Game.start(checked(HEAD + GO + rules + TURN), seed=1)

    assert game.position["game"]["other"] == 4
