"""Games at a table of another engine are followed; our seat sees what a seat may."""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import players
from benchmarks.catanatron_games import At
from benchmarks.lines import LOOPS
from benchmarks.players import named
from interpreter import Action, Game
from interpreter.native.engine import NotNative
from rulebook import Rulebook
from tests.oracle.adapter import DiffersError
from workbench import load

LINES = Path(__file__).with_name("tables.jsonl.xz")
BY_CHANCE = named("random")


class Answers:
    """What was answered, to nobody."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def answer(self, what: Any) -> None:
        self.given.append(what)


class Looks:
    """A player that keeps what it was shown beside how things were."""

    def __init__(self) -> None:
        self.at: At | None = None
        self.shown: list[tuple[Game, Game]] = []

    def __call__(self, game: Game, key: int) -> Action:
        assert self.at is not None
        self.shown.append((game, self.at.game.copy()))
        return BY_CHANCE(game, key)


def said() -> Iterator[dict[str, Any]]:
    with lzma.open(LINES, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def followed(book: Rulebook) -> Iterator[tuple[At, Answers, Looks]]:
    """Follow all games to their ends."""
    lines = said()
    for line in lines:
        answers, looks = Answers(), Looks()
        at = At(book, line["game"], next(lines)["table"], looks, answers)
        looks.at = at
        at.played(lines)
        yield at, answers, looks


@pytest.fixture(scope="module")
def games() -> list[tuple[At, Answers, Looks]]:
    return [*followed(load(str(LOOPS / "catanatron.rules")))]


def test_every_step_and_the_winner_agree(
    games: list[tuple[At, Answers, Looks]],
) -> None:
    ends = [line["over"] for line in said() if "over" in line]
    pairs = zip(ends, games, strict=True)
    outcomes = [(at.seats[end], at.game.outcome) for end, (at, _, _) in pairs]

    assert all(outcome and outcome.winner == winner for winner, outcome in outcomes)
    assert sum(at.steps for at, _, _ in games) == sum("step" in line for line in said())


def test_every_question_has_an_answer(games: list[tuple[At, Answers, Looks]]) -> None:
    asked = [len(line["ask"]) for line in said() if "ask" in line]
    given = [place for _, answers, _ in games for place in answers.given]

    assert len(given) == len(asked)
    assert all(place in range(most) for place, most in zip(given, asked, strict=True))
    assert len(set(given)) > 10


def test_our_player_sees_what_its_seat_may(
    games: list[tuple[At, Answers, Looks]],
) -> None:
    others = 0
    for _, _, looks in games:
        for shown, true in looks.shown:
            seat = true.to_act
            assert shown.view(seat) == true.view(seat)
            others += shown != true
    assert others > 20, "what is hidden was hardly ever drawn anew"


def test_other_rules_are_told_apart(tmp_path: Path) -> None:
    text = (LOOPS / "catanatron.rules").read_text(encoding="utf-8")
    theirs, printed = "from deck to your developments", "from deck to your fresh"
    assert theirs in text
    other = tmp_path / "other.rules"
    other.write_text(text.replace(theirs, printed), encoding="utf-8")
    with pytest.raises(DiffersError, match="legal differ in game 13 of 4, step "):
        list(followed(load(str(other))))


def test_it_is_said_once_where_a_search_is_not_made_in_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tiny: Rulebook
) -> None:
    monkeypatch.setattr(players, "in_c", lambda _: NotNative("no compiler"))
    players.note_what_takes_long.cache_clear()
    game = Game.start(tiny, players=2, seed=1)

    named("random")(game, 1)
    assert capsys.readouterr().err == ""
    for _ in range(2):
        named("mcts(1)")(game, 1)
    assert capsys.readouterr().err.count("takes long: no compiler") == 1
    players.note_what_takes_long.cache_clear()
