"""Custom bots that raise, hang, return illegal actions or keep what they received.

Verified by manual mutations: a bot that exits the process, an answer that resembles an
action, Ctrl-C treated as a bot error, alarms that are not cleared, decisions counted
from 0, a team of which one seat loses and one wins, uncounted errors, a lost record, a
last event taken for the end, a wrong stop reason.
"""

import json
import pickle
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from rulebook import Rulebook, loads
from tests.support.commands import Output, document_of, errors_of, output_of
from tests.support.processes import run_process
from workbench import load
from workbench.analysis.runs.run_tables import RunTables
from workbench.analysis.simulation.bot_errors import BotErrors
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    play_game,
    portion_results,
)
from workbench.bots import bot_random, decide
from workbench.bots.bot_failures import BotFailed, BotFault, ErrorPolicy, OnError
from workbench.bots.seated_bots import SeatedBots, winning_seats
from workbench.bots.time_limit import TimeLimitExceeded, time_limit
from workbench.cli import main

ROOT = Path(__file__).parents[2]
FOUR = str(ROOT / "examples" / "tiny" / "connect_four.rules")
SEATS = ("yellow", "red")
WRONG = '''
import sys
import time

class Ugly:
    def __repr__(self): raise RuntimeError("hidden")
    def __eq__(self, other): raise RuntimeError("no")
    __hash__ = None

class Third:
    """Does right twice, then raises."""
    def __init__(self): self.asked = 0
    def __call__(self, view, legal, sample, numbers):
        self.asked += 1
        if self.asked > 2: raise ValueError("a third time")
        return legal[0]

class Unmade:
    def __init__(self): sys.exit(0)
    def __call__(self, view, legal, sample, numbers): return legal[0]

class Slow:
    def __init__(self): time.sleep(60)
    def __call__(self, view, legal, sample, numbers): return legal[0]

KEPT = []
def raises(view, legal, sample, numbers): raise KeyError("a key")
def leaves(view, legal, sample, numbers): sys.exit(0)
def nothing(view, legal, sample, numbers): return None
def index(view, legal, sample, numbers): return legal[0].index
def text(view, legal, sample, numbers): return legal[0].text
def every(view, legal, sample, numbers): return legal
def ugly(view, legal, sample, numbers): return Ugly()
def before(view, legal, sample, numbers):
    KEPT.append(legal)
    return KEPT[0][0]
def takes_less(view): return None
def loops(view, legal, sample, numbers):
    while True: pass
def sleeps(view, legal, sample, numbers): time.sleep(60)
def catches(view, legal, sample, numbers):
    try:
        while True: pass
    except: pass
    while True: pass
def fine(view, legal, sample, numbers): return legal[-1]
'''
TEAMS = """rules language 1
rulebook teams "Teams"
  players 4 to 4
  seats north, east, south, west
  team upright: north, south
  team level: east, west
each player has
  score: 0 to 9, seen by all
turn
  phase day
    you do score_one
action score_one
  set your score to 1
"""


@pytest.fixture(scope="module")
def four() -> Rulebook:
    return load(FOUR)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with faulty bots."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "wrong", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


def table(name: str, error_policy: ErrorPolicy, other: str = "random") -> SeatedBots:
    """Return the bots of a game with a faulty bot in the first seat."""
    names = {"yellow": f"wrong.py:{name}", "red": other}
    return SeatedBots(names, bot_seed=1, number=0, error_policy=error_policy)


def task(name: str, error_policy: ErrorPolicy, **given: Any) -> GameTask:
    """Return the task of games with a faulty bot in the first seat."""
    bots = {"yellow": f"wrong.py:{name}", "red": "random"}
    return GameTask(bots, Settings(error_policy=error_policy), GameLimits(), **given)


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("raises", BotFault.RAISED, "failed: KeyError: 'a key' ("),
        ("leaves", BotFault.RAISED, "failed: SystemExit: 0 ("),
        ("takes_less", BotFault.RAISED, "failed: TypeError: takes_less() takes 1"),
        ("nothing", BotFault.ILLEGAL, "returned None"),
        ("index", BotFault.ILLEGAL, "returned 1"),
        ("text", BotFault.ILLEGAL, "returned 'drop("),
        ("every", BotFault.ILLEGAL, "returned (Action("),
        ("ugly", BotFault.ILLEGAL, "returned a Ugly that cannot be shown"),
        ("loops", BotFault.LATE, "did not answer within 0.05 seconds"),
        ("sleeps", BotFault.LATE, "did not answer within 0.05 seconds"),
        ("catches", BotFault.LATE, "did not answer within 0.05 seconds"),
    ],
)
def test_message_names_the_bot_its_error_and_the_decision(
    four: Rulebook, name: str, wrong: BotFault, said: str
) -> None:
    game = Settings(seed=5).start_bot_game(four, 2)
    bots = table(name, ErrorPolicy(seconds=0.05))
    with pytest.raises(BotFailed) as caught:
        bots.decide(game, "yellow")

    error = caught.value.error
    assert error is not None
    assert (error.seat, error.bot, error.wrong) == ("yellow", f"wrong.py:{name}", wrong)
    assert (error.decision, error.seed, error.game) == (1, 7, 2)
    assert str(caught.value).startswith(f"yellow's bot `wrong.py:{name}` {said}")
    assert "at decision 1 of the game with seed 7" in str(caught.value)
    assert len(error.said) < 300
    assert caught.value.exit_code == 1


def test_rejects_an_action_of_an_earlier_decision(four: Rulebook) -> None:
    game = Settings().start_bot_game(four, 0)
    bots = table("before", ErrorPolicy())
    first = bots.decide(game, "yellow")
    game.apply(first)
    for _ in range(5):  # the column is full
        game.apply(next(a for a in game.legal_actions() if a.text == first.text))
    with pytest.raises(
        BotFailed, match="at decision 7 of the game with seed 1"
    ) as caught:
        bots.decide(game, str(game.to_act))
    assert caught.value.error is not None
    assert caught.value.error.wrong is BotFault.ILLEGAL


def test_message_names_a_bot_passed_as_an_object(four: Rulebook) -> None:
    def clumsy(*_given: Any) -> Any:
        raise ValueError("not so")

    game = Game.start(four, seed=3)
    with pytest.raises(
        BotFailed, match=r"clumsy` failed: ValueError: not so"
    ) as caught:
        decide(clumsy, game, "yellow", bot_random(1, 0, "yellow"))
    assert isinstance(caught.value.__cause__, ValueError)
    assert __file__ in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (again.error, str(again)) == (caught.value.error, str(caught.value))


def test_a_failure_survives_the_pickling_of_clusters() -> None:
    """Pickle a failure with tblib, which Dask installs and which sets exception fields.

    Verified by removing `RequestError.__reduce__`.
    """
    pytest.importorskip("tblib.pickling_support").install(BotFailed)
    failed = BotFailed("a bot failed", "fix it", record="{}")

    again = pickle.loads(pickle.dumps(failed))  # noqa: S301

    assert again.record == failed.record
    assert again.to_json() == failed.to_json()


def test_ctrl_c_is_not_an_error_of_the_bot(four: Rulebook) -> None:
    def interrupted(*_given: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        decide(interrupted, Game.start(four), "yellow", bot_random(1, 0, "yellow"))


def test_bot_cannot_change_the_game_through_its_view(four: Rulebook) -> None:
    kept: list[Any] = []

    def keeps(view: Any, legal: Any, sample: Any, numbers: Any) -> Any:
        for world, there in kept:
            world.advance(world.legal_indices()[0])
            spoil(there)
        kept.append((sample(1), view))
        before = sample(2)
        before.advance(before.legal_indices()[0])
        assert sample(2) != before
        spoil(view)
        return legal[int(numbers.random() * len(legal))]

    def spoil(view: Any) -> None:
        """Change everything that can be changed in a view."""
        for value in list(view.values() if isinstance(view, dict) else view):
            if isinstance(value, (dict, list)):
                spoil(value)
        view.clear()

    def honest(_view: Any, legal: Any, _sample: Any, numbers: Any) -> Any:
        return legal[int(numbers.random() * len(legal))]

    records = []
    for bot in (keeps, honest):
        game = Settings().start_bot_game(four, 0)
        numbers = {seat: bot_random(1, 0, seat) for seat in game.seats}
        for _ in range(8):
            seat = str(game.to_act)
            game.apply(decide(bot, game, seat, numbers[seat]))
        records.append(game.record)
    assert len(kept) == 8
    assert records[0] == records[1]


# ---------------------------------------------------------------- time limits


def test_unused_time_limit_is_removed() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(0.05):
        pass
    time.sleep(0.08)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_time_limit_works_in_another_thread() -> None:
    came: list[str] = []

    def work() -> None:
        for _ in range(3):
            try:
                with time_limit(0.05):
                    while True:
                        pass
            except TimeLimitExceeded:
                came.append("late")
        with time_limit(0.05):
            came.append("in time")
        end = time.monotonic() + 0.15
        while time.monotonic() < end:
            pass
        came.append("left alone")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert came == ["late"] * 3 + ["in time", "left alone"]


TRACED_AFTERWARDS = """
import sys, threading
from workbench.bots.time_limit import TimeLimitExceeded, time_limit

def work():
    try:
        with time_limit(0.02):
            while True:
                pass
    except TimeLimitExceeded:
        pass

def goes_on():
    return "it goes on"

thread = threading.Thread(target=work)
thread.start()
thread.join()
sys.settrace(lambda *_: None)
print(goes_on())
"""


def test_injected_exception_does_not_stay_pending() -> None:
    words = [sys.executable, "-c", TRACED_AFTERWARDS]
    done = run_process(words, timeout=30, check=True)
    assert done.stdout == "it goes on\n"


def test_rejects_a_bot_that_is_slow_to_create(four: Rulebook, capsys: Output) -> None:
    del four
    for name, said in (
        ("Slow", "took longer than 0.1 seconds"),
        ("Unmade", "failed: SystemExit: 0"),
    ):
        line = ["simulate", FOUR, "--bots", f"wrong.py:{name}", "--games", "1"]
        assert main([*line, "--bot-seconds", "0.1", "--on-bot-error", "lose"]) == 1
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_rejects_a_time_limit_that_is_not_positive(
    seconds: str, capsys: Output
) -> None:
    assert main(["simulate", FOUR, "--games", "1", f"--bot-seconds={seconds}"]) == 2
    assert "--bot-seconds must be positive" in capsys.readouterr().err


# ---------------------------------------------------------------- consequences


def test_random_action_replaces_a_failed_one_in_the_record(
    four: Rulebook,
) -> None:
    wanted = task("nothing", ErrorPolicy(OnError.RANDOM), keep_record=True)
    result = play_game(four, wanted, 4)
    assert result.record is not None
    game = Game.replay(result.record, four)

    done = [event["seat"] for event in game.events if "action" in event]
    assert result.bot_errors == {"yellow": done.count("yellow")}
    assert result.finished
    assert game.outcome is not None
    assert result.winners == game.outcome.winners
    assert result.lost_by is None
    assert [error.decision for error in result.first_errors] == [1]
    assert play_game(four, wanted, 4) == result
    other = play_game(four, wanted, 5).record
    assert other is not None
    actions = [
        [event["action"] for event in played.events if "action" in event]
        for played in (game, Game.replay(other, four))
    ]
    assert actions[0] != actions[1]


def test_losing_bot_ends_the_game_and_the_others_win(four: Rulebook) -> None:
    wanted = task(
        "Third", ErrorPolicy(OnError.LOSE), keep_record=True, with_detail=True
    )
    (result,) = portion_results(None, four, wanted, [0])
    assert result.record is not None
    game = Game.replay(result.record, four)

    assert (result.finished, result.winners, result.reason) == (True, ("red",), None)
    assert (result.lost_by, result.bot_errors) == ("yellow", {"yellow": 1})
    assert result.decisions == 4
    assert len([event for event in game.events if "action" in event]) == 4
    assert game.to_act == "yellow"
    assert result.detail is not None
    assert len(result.detail.events) == 4
    assert result.first_errors[0].decision == 5


def test_whole_team_loses() -> None:
    game = Game.start(loads(TEAMS, "teams.rules"))
    winners = {loser: winning_seats(game, loser) for loser in game.seats}
    assert winners == {
        "north": ("east", "west"),
        "east": ("north", "south"),
        "south": ("east", "west"),
        "west": ("north", "south"),
    }


def test_rows_contain_the_number_of_errors(four: Rulebook) -> None:
    wanted = task("nothing", ErrorPolicy(OnError.RANDOM))
    results = [play_game(four, wanted, number) for number in range(3)]
    tables = RunTables.of_book(four, SEATS, {}, has_custom_bots=True)
    rows = tables.rows(results)["games"]
    assert len(tables.schemas(detail=False)["games"].columns) == len(rows[0])
    again = [tables.result_of(row) for row in rows]

    told, kept = (BotErrors.of_results(wanted.bots, each) for each in (results, again))
    (row,) = told.to_json()
    errors = sum(result.bot_errors["yellow"] for result in results)
    assert (row["seat"], row["errors"], row["games"]) == ("yellow", errors, 3)
    assert row["first"]["decision"] == 1
    assert kept.to_json() == [{**row, "first": None}]
    assert next(kept.lines).endswith(f"failed {errors} times in 3 games")


def test_shipped_bots_have_no_error_columns(four: Rulebook) -> None:
    assert not task("fine", ErrorPolicy()).bots.keys() - set(SEATS)
    assert task("fine", ErrorPolicy()).has_custom_bots
    shipped = GameTask({"yellow": "random", "red": "greedy"}, Settings())
    assert not shipped.has_custom_bots
    names = RunTables.of_book(four, SEATS, {}).schemas(detail=False)["games"].names
    assert not [name for name in names if name.startswith(("bot_errors", "lost_by"))]


# ---------------------------------------------------------------- commands


def line(command: str, name: str, *more: str) -> list[str]:
    bots = f"wrong.py:{name},random"
    return [command, FOUR, "--games", "3", "--bots", bots, *more]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_simulate_stops_and_keeps_finished_games(
    jobs: str, folder: Path, four: Rulebook, capsys: Output
) -> None:
    words = line("simulate", "Third", "--records", "kept", "--json", "--jobs", jobs)
    assert main(words) == 1
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert (document["stopped"], document["games"]) == ("bot", 0)
    assert "yellow's bot `wrong.py:Third` failed: ValueError: a third time" in told.err
    assert "0 of 3 games were played" in told.err
    (path,) = (folder / "kept").iterdir()
    assert path.name in told.err.replace("\n", "")
    game = Game.replay(path.read_text(encoding="utf-8"), four)
    assert len([event for event in game.events if "action" in event]) == 4


@pytest.mark.parametrize(("rule", "lost"), [("random", 0), ("lose", 3)])
def test_simulate_continues_and_counts_errors(
    rule: str, lost: int, capsys: Output
) -> None:
    words = line("simulate", "raises", "--on-bot-error", rule)
    (row,) = document_of(capsys, *words)["bot_errors"]
    assert (row["seat"], row["games"], row["lost"]) == ("yellow", 3, lost)
    assert row["first"]["wrong"] == "raised"
    assert "bot errors" in output_of(capsys, *words)


def test_output_file_contains_losing_seats_and_error_counts(capsys: Output) -> None:
    words = ["simulate", FOUR, "--bots", "wrong.py:raises,random", "--json"]
    words += ["--on-bot-error", "lose", "--out", "x.csv"]
    assert main([*words, "--games", "2"]) == 0
    head, first, _ = Path("x.csv").read_text().splitlines()
    row = dict(zip(head.split(","), first.split(","), strict=True))
    assert (row["lost_by"], row["bot_errors.yellow"]) == ("yellow", "1")
    assert json.loads(capsys.readouterr().out)["bot_errors"][0]["lost"] == 2


def test_compare_stops_or_counts(capsys: Output, tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    words = ["compare", FOUR, str(tmp_path / "other.rules"), "--games", "4"]
    text = Path(FOUR).read_text(encoding="utf-8")
    (tmp_path / "other.rules").write_text(text, encoding="utf-8")
    words += ["--bots", "wrong.py:nothing,random"]
    assert main(words) == 1
    assert "yellow's bot `wrong.py:nothing` returned None" in capsys.readouterr().err
    assert main([*words, "--on-bot-error", "lose", "--json"]) == 0
    for side in json.loads(capsys.readouterr().out)["variants"]:
        assert [row["lost"] for row in side["bot_errors"]] == [2]


def test_ladder_counts_by_bot(capsys: Output) -> None:
    pytest.importorskip("scipy")
    words = ["ladder", FOUR, "--bots", "wrong.py:nothing,random", "--games", "4"]
    assert "bot `wrong.py:nothing` returned None" in errors_of(capsys, *words, status=1)
    document = document_of(capsys, *words, "--on-bot-error", "lose")
    (row,) = document["bot_errors"]
    assert (row["seat"], row["bot"]) == (None, "wrong.py:nothing")
    assert (row["games"], row["lost"]) == (4, 4)
    assert document["bots"][0]["bot"] == "random"


@pytest.mark.parametrize(
    ("rule", "status", "said"),
    [
        ("stop", 1, "Game stopped; nothing is lost"),
        ("random", 0, "a random legal action is played instead"),
        ("lose", 0, "Yellow therefore loses, and the game ends"),
    ],
)
def test_play_reports_the_error_and_its_consequence(
    rule: str, status: int, said: str, four: Rulebook, folder: Path, capsys: Output
) -> None:
    words = ["play", FOUR, "--seat", "all=random", "--seat", "yellow=wrong.py:Third"]
    words += ["--seed", "1", "--bot-seed", "1", "--record", "game.jsonl"]
    assert main([*words, "--on-bot-error", rule]) == status
    told = capsys.readouterr()
    assert said in " ".join(told.out.split())
    both = " ".join((told.out + told.err).split())
    assert "yellow's bot `wrong.py:Third` failed: ValueError: a third time" in both
    record = (folder / "game.jsonl").read_text(encoding="utf-8")
    game = Game.replay(record, four)
    done = [event for event in game.events if "action" in event]
    assert (len(done) > 4) is (rule == "random")
    assert game.over is (rule == "random")
