"""Games of another engine are followed; our seat sees only its own information."""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import players
from benchmarks.catanatron_games import PeerTable
from benchmarks.lines import LOOPS
from benchmarks.players import player_named
from interpreter import Action, Game
from interpreter.native.engine import NoNativeEngine
from interpreter.rule_tests.run import run_scenario
from interpreter.rule_tests.verdict import VerdictStatus
from rulebook import Rulebook
from tests.oracle.adapter import DiffersError
from workbench import load

LINES = Path(__file__).with_name("tables.jsonl.xz")
CUT_TITLE = Path(__file__).with_name("cut_title.jsonl.xz")
"""Game 140 of three weighted random players: a settlement cuts the longest road, and
the title later goes to a shorter road.
"""
BY_CHANCE = player_named("random")


class Answers:
    """Connection that stores the answers."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def answer(self, what: Any) -> None:
        self.given.append(what)


class Looks:
    """Player that stores each view together with the real position."""

    def __init__(self) -> None:
        self.at: PeerTable | None = None
        self.shown: list[tuple[Game, Game]] = []

    def __call__(self, game: Game, key: int) -> Action:
        assert self.at is not None
        self.shown.append((game, self.at.game.copy()))
        return BY_CHANCE(game, key)


def said(file: Path = LINES) -> Iterator[dict[str, Any]]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def followed(
    book: Rulebook, file: Path = LINES
) -> Iterator[tuple[PeerTable, Answers, Looks]]:
    """Follow all games to their ends."""
    lines = said(file)
    for line in lines:
        answers, looks = Answers(), Looks()
        at = PeerTable(book, line["game"], next(lines)["table"], looks, answers)
        looks.at = at
        at.played(lines)
        yield at, answers, looks


@pytest.fixture(scope="module")
def games() -> list[tuple[PeerTable, Answers, Looks]]:
    return [*followed(load(str(LOOPS / "catanatron.rules")))]


def test_every_step_and_the_winner_agree(
    games: list[tuple[PeerTable, Answers, Looks]],
) -> None:
    ends = [line["over"] for line in said() if "over" in line]
    pairs = zip(ends, games, strict=True)
    outcomes = [(at.seats[end], at.game.outcome) for end, (at, _, _) in pairs]

    assert all(outcome and outcome.winner == winner for winner, outcome in outcomes)
    assert sum(at.steps for at, _, _ in games) == sum("step" in line for line in said())


def test_every_question_has_an_answer(
    games: list[tuple[PeerTable, Answers, Looks]],
) -> None:
    asked = [len(line["ask"]) for line in said() if "ask" in line]
    given = [place for _, answers, _ in games for place in answers.given]

    assert len(given) == len(asked)
    assert all(place in range(most) for place, most in zip(given, asked, strict=True))
    assert len(set(given)) > 10


def test_our_player_sees_exactly_the_information_of_its_seat(
    games: list[tuple[PeerTable, Answers, Looks]],
) -> None:
    others = 0
    for _, _, looks in games:
        for shown, true in looks.shown:
            seat = true.to_act
            assert shown.view(seat) == true.view(seat)
            others += shown != true
    assert others > 20, "what is hidden was hardly ever drawn anew"


def test_detects_different_rules(tmp_path: Path) -> None:
    text = (LOOPS / "catanatron.rules").read_text(encoding="utf-8")
    theirs, printed = "from deck to your developments", "from deck to your fresh"
    assert theirs in text
    other = tmp_path / "other.rules"
    other.write_text(text.replace(theirs, printed), encoding="utf-8")
    with pytest.raises(DiffersError, match="legal differ in game 13 of 4, step "):
        list(followed(load(str(other))))


def test_a_game_with_a_cut_road_agrees() -> None:
    ((at, _, _),) = followed(load(str(LOOPS / "catanatron.rules")), CUT_TITLE)
    end = [*said(CUT_TITLE)][-1]["over"]

    assert at.game.outcome is not None
    assert at.game.outcome.winner == at.seats[end]
    assert at.steps == 391


def test_detects_a_stale_stored_length(tmp_path: Path) -> None:
    text = (LOOPS / "catanatron.rules").read_text(encoding="utf-8")
    mend = "      set title_length to longest's road_length\n"
    assert mend in text
    stale = tmp_path / "stale.rules"
    stale.write_text(text.replace(mend, ""), encoding="utf-8")

    with pytest.raises(DiffersError, match="winner differ in game 140 of 3, step 391"):
        list(followed(load(str(stale)), CUT_TITLE))


CUT = """
scenario "a cut title comes back with the next road" with 3 players
  given
    place blue's road on C10-C15, C15-C20, C20-C25, C25-C31, C31-C36,
        C30-C36, C24-C30, C19-C24
    place red's road on C1-C4, C4-C8, C8-C12, C12-C17, C17-C22
    place white's road on C36-C41
    set title to blue
    set title_length to 8
    move 1 brick, 1 lumber, 1 wool, 1 grain from bank to white's hand
    move 1 brick, 1 lumber from bank to blue's hand
    white is to move in trade_and_build
  when
    white does build_settlement(C36)
  then
    require blue's trail = 5 and title = red and title_length = 5
  given
    blue is to move in trade_and_build
  when
    blue does build_road(C6-C10)
  then
    require blue's trail = 6 and title = blue and title_length = 6
"""
"""Behaviour of catanatron 3.2.1 with the title of the longest road."""


@pytest.mark.parametrize(
    ("rules", "lengths"),
    [
        (LINES.with_name("deviation_3.rules"), ""),
        (
            LOOPS / "catanatron.rules",
            "    set blue's road_length to 8\n    set red's road_length to 5\n",
        ),
    ],
    ids=["deviation 3", "loop"],
)
def test_a_lost_title_returns_with_the_next_road(
    rules: Path, lengths: str, tmp_path: Path
) -> None:
    text = rules.read_text(encoding="utf-8")
    other = tmp_path / "other.rules"
    cut = CUT.replace("    set title to", f"{lengths}    set title to")
    other.write_text(text + cut, encoding="utf-8")
    book = load(str(other))

    (scenario,) = (each for each in book.model.scenarios if "cut title" in each.title)
    assert run_scenario(book, scenario).status is VerdictStatus.PASSED


def test_warns_once_if_a_search_does_not_run_in_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tiny: Rulebook
) -> None:
    monkeypatch.setattr(
        players, "compiled_search", lambda _: NoNativeEngine("no compiler")
    )
    players.note_what_takes_long.cache_clear()
    game = Game.start(tiny, players=2, seed=1)

    player_named("random")(game, 1)
    assert capsys.readouterr().err == ""
    for _ in range(2):
        player_named("mcts(1)")(game, 1)
    assert capsys.readouterr().err.count("takes long: no compiler") == 1
    players.note_what_takes_long.cache_clear()
