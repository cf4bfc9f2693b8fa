"""Time budgets (`--time`): what they stop, and the output afterwards."""

import io
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from interpreter.c_engine import BuildFailure, c_compiler
from tests.support.commands import Output, document_of, errors_of, output_of
from workbench import budget
from workbench.analysis.comparison.paired_games import SECONDS_PER_VARIANT
from workbench.analysis.economy.probes.baseline import Baseline
from workbench.analysis.economy.probes.turns import (
    MAX_TURN_EVENTS,
    TURN_PARTS,
    TooManyOutcomes,
    TurnWalk,
)
from workbench.analysis.runs.interruptions import SignalGuard
from workbench.analysis.simulation.processes import map_in_processes
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import PortionPace
from workbench.bots.time_limit import time_limit
from workbench.budget import TimeBudget, TimedBlock, TimeUp, parse_duration
from workbench.cli import main
from workbench.files.library.loading import load
from workbench.presentation.console import progress_bar as display
from workbench.presentation.console.progress_bar import (
    DISPLAY,
    Work,
    show_progress,
    with_progress,
)

DARE = str(Path(__file__).parents[2] / "examples" / "tiny" / "dare.rules")
FIRST = str(Path(__file__).parents[2] / "examples" / "first" / "first.rules")
SOON = 30.0
"""Maximum seconds until a command whose time is up ends, on a busy machine."""

SLOW = """rules language 1
rulebook slow "One action is near the limit of steps"
  players 2 to 2
  seats white, black
  turns 300

game has
  count: 0 to 9, seen by all
spaces cell (cells) by x 1 to 60, y 1 to 60

action go
  each cell: repeat 500 times: set count to 1

setup
  white starts
turn
  phase play
    you do go
"""

SCENARIO = """
scenario "NAME" with 2 players
  when
    white does go
    black does go
  then
    require count = 1
"""

INVARIANT = """
invariant "small"
  require count <= 9
"""

QUICK = SLOW.replace("repeat 500", "repeat 1").replace("1 to 60", "1 to 2")


@pytest.fixture
def slow(tmp_path: Path) -> str:
    """Return a rule file in which one action takes almost the maximum time."""
    path = tmp_path / "slow.rules"
    path.write_text(SLOW, encoding="utf-8")
    return str(path)


@pytest.fixture
def stepwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Advance the clock by one second on each query, and disable signals."""
    ticks = count()
    monkeypatch.setattr(budget, "WAKE_SIGNAL", None)
    monkeypatch.setattr(
        budget, "TimeBudget", partial(TimeBudget, clock=lambda: next(ticks))
    )


# ---------------------------------------------------------------- durations


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("60s", 60),
        ("5m", 300),
        ("1h30m", 5400),
        ("90", 90),
        ("0.5", 0.5),
        ("1.5s", 1.5),
    ],
)
def test_reads_a_duration(text: str, seconds: float) -> None:
    assert parse_duration(text).seconds == seconds
    assert str(parse_duration(text)) == text


@pytest.mark.parametrize(
    "text", ["", "soon", "5 m", "-1", "0", "0s", "30m1h", "1h30", "5d", "1e3", "inf"]
)
def test_rejects_an_invalid_duration(text: str, capsys: Output) -> None:
    said = errors_of(capsys, "simulate", DARE, f"--time={text}")
    assert f"`{text}` is " in said
    assert "write 60s, 5m or 1h30m" in said


# ---------------------------------------------------------------- time limits


def test_raises_once_when_the_time_is_up() -> None:
    now = 0.0
    limit = TimeBudget(5, clock=lambda: now)
    limit.check()
    now = 5.0

    with pytest.raises(TimeUp, match="stopped after 5 s"):
        limit.check()
    limit.check()


def test_waits_for_an_uninterrupted_block() -> None:
    now = 0.0
    limit = TimeBudget(5, clock=lambda: now)

    def work() -> None:
        nonlocal now
        with limit.uninterrupted():
            now = 9.0
            limit.check()
            done.append(True)

    done: list[bool] = []
    with pytest.raises(TimeUp):
        work()
    assert done


def test_stops_nothing_after_its_end() -> None:
    limit = TimeBudget(5, clock=iter([0.0, 9.0, 9.0]).__next__)
    limit.stop()
    limit.check()


def spin() -> None:
    """Keep Python busy forever."""
    while True:
        pass


@pytest.mark.parametrize("work", [spin, partial(time.sleep, 60)])
def test_interrupts_a_long_step(work: Callable[[], None]) -> None:
    before, begun = signal.getsignal(signal.SIGUSR1), time.monotonic()

    with pytest.raises(TimeUp), TimeBudget(0.2):
        work()
    assert time.monotonic() - begun < SOON
    assert signal.getsignal(signal.SIGUSR1) is before
    assert budget.running_budget() is None


def test_is_raised_again_if_python_could_not_raise_it() -> None:
    class Slow:
        def __del__(self) -> None:
            until = time.monotonic() + 1
            while time.monotonic() < until:
                pass

    def work() -> None:
        things = [Slow()]
        things.clear()
        time.sleep(60)

    with pytest.raises(TimeUp), TimeBudget(0.2):
        work()


def test_time_limit_of_a_bot_does_not_end_the_budget() -> None:
    def work() -> None:
        with time_limit(30):
            pass
        time.sleep(60)

    with pytest.raises(TimeUp), TimeBudget(0.5):
        work()


def test_waits_for_an_uninterrupted_block_of_a_signal_guard() -> None:
    written: list[bool] = []

    def work() -> None:
        with SignalGuard() as stops:
            with stops.uninterrupted():
                time.sleep(0.4)
                written.append(True)
            time.sleep(60)

    with pytest.raises(TimeUp), TimeBudget(0.1):
        work()
    assert written


def test_stopped_block_releases_its_work() -> None:
    gone = threading.Event()

    def items() -> Iterator[int]:
        try:
            yield 1
            time.sleep(60)
        finally:
            gone.set()

    with TimeBudget(0.1), TimedBlock() as timed:
        stream = items()
        for _ in stream:
            pass
    assert timed.stopped is not None
    assert timed.stopped.__traceback__ is None
    assert gone.is_set()


# ---------------------------------------------------------------- real time


COMMANDS = [
    ("simulate", "--engine", "reference"),
    ("coverage",),
    ("mutate",),
    ("explore",),
    ("economy",),
    ("perft", "--depth", "99"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_ends_soon_after_its_time(
    words: tuple[str, ...], slow: str, tmp_path: Path, capsys: Output
) -> None:
    command, *more = words
    begun = time.monotonic()
    time_given = "1s" if command == "economy" else "2s"

    status = main([command, slow, *more, "--time", time_given, "--json"])

    written = capsys.readouterr()
    assert time.monotonic() - begun < SOON
    assert f"stopped after {time_given[0]} s" in written.err
    assert active_children() == []
    assert budget.running_budget() is None
    if status == 0 and command != "perft":
        assert json.loads(written.out)["stopped"] == "time"
    else:
        assert status == (0 if command == "perft" else 1)


LONG = SLOW.replace("turns 300", "turns 9999")
"""Rules whose games last minutes, even in the native engine."""
WIDE = SLOW.replace("action go", "action go(1 to 250 a, 1 to 250 b)")
"""Rules with so many leaves at depth 2 that the native engine counts for minutes."""
IN_C = {
    "simulate": (
        LONG,
        ["--games", "99", "--jobs", "1"],
        ["--games", "1", "--max-turns", "1"],
    ),
    "perft": (WIDE, ["--depth", "2"], ["--depth", "1"]),
}


@pytest.mark.parametrize("command", IN_C)
def test_interrupts_the_native_engine(command: str, slow: str, capsys: Output) -> None:
    if isinstance(c_compiler(), BuildFailure):
        pytest.skip("there is no compiler here")
    rules, words, short = IN_C[command]
    Path(slow).write_text(rules, encoding="utf-8")
    asked = [command, slow, *words, "--engine", "native"]
    assert main([*asked, *short]) == 0  # the library is cached from now on
    capsys.readouterr()
    begun = time.monotonic()

    assert main([*asked, "--time", "2s"]) == 0

    assert time.monotonic() - begun < SOON
    assert active_children() == []
    assert "stopped after 2 s: " in capsys.readouterr().err


def test_skipped_test_is_not_a_success(slow: str, capsys: Output) -> None:
    Path(slow).write_text(SLOW + SCENARIO + INVARIANT, encoding="utf-8")

    assert main(["test", slow, "--time", "0.1"]) == 1
    assert "stopped after 0.1 s: 0 of " in capsys.readouterr().err


# ---------------------------------------------------------------- step by step


@pytest.mark.usefixtures("stepwise")
def test_resumed_run_gives_the_same_results(tmp_path: Path, capsys: Output) -> None:
    cut, whole = tmp_path / "cut.csv", tmp_path / "whole.csv"
    asked = ["simulate", DARE, "--games", "20", "--out"]

    assert main([*asked, str(cut), "--time", "12"]) == 0
    said = capsys.readouterr()
    assert "stopped after 12 s: " in said.err
    assert " of 20 games; to continue: `rulebook simulate" in said.err
    assert "--time 12" in said.err
    assert 0 < len(cut.read_text(encoding="utf-8").splitlines()) - 1 < 20
    assert (tmp_path / "cut.csv.part").exists()

    assert main([*asked, str(cut), "--resume"]) == 0
    assert main([*asked, str(whole)]) == 0
    assert cut.read_bytes() == whole.read_bytes()
    assert not (tmp_path / "cut.csv.part").exists()


@pytest.mark.usefixtures("stepwise")
def test_exits_with_1_if_the_interval_is_too_wide_at_the_end(capsys: Output) -> None:
    asked = ["simulate", DARE, "--until", "turns ±0.001", "--engine", "reference"]

    document = document_of(capsys, *asked, "--jobs", "1", "--time", "12", status=1)
    assert document["stopped"] == "time"
    assert not document["until"]["reached"]


@pytest.mark.usefixtures("stepwise")
def test_exits_with_1_for_skipped_scenarios_and_0_for_fewer_games(
    slow: str, capsys: Output
) -> None:
    text = QUICK + SCENARIO + SCENARIO.replace("NAME", "another") + INVARIANT
    Path(slow).write_text(text, encoding="utf-8")
    asked = ["test", slow, "--games", "30", "--json"]

    assert main([*asked, "--time", "1"]) == 1
    early = capsys.readouterr()
    assert main([*asked, "--time", "8"]) == 0
    late = capsys.readouterr()

    assert "stopped after 1 s: 1 of 3 tests run" in early.err
    assert json.loads(early.out)["stopped"] == "time"
    assert "stopped after 8 s: 3 of 3 tests run" in late.err
    assert json.loads(late.out)["passed"] == 3


@pytest.mark.usefixtures("stepwise")
def test_reports_a_broken_invariant_when_time_is_up(slow: str, capsys: Output) -> None:
    text = QUICK + INVARIANT.replace("<= 9", "= 0")
    Path(slow).write_text(text, encoding="utf-8")

    assert main(["coverage", slow, "--games", "30", "--time", "3", "--json"]) == 1
    written = capsys.readouterr()

    (failed,) = json.loads(written.out)["failed"]
    assert failed["name"] == "small"
    assert "it is violated in generated game" in failed["message"]
    assert "stopped after 3 s: 0 scenarios and " in written.err


@pytest.mark.usefixtures("stepwise")
def test_exits_with_1_for_an_unchecked_file(tmp_path: Path, capsys: Output) -> None:
    files = [str(tmp_path / f"{name}.rules") for name in "ab"]
    for file in files:
        Path(file).write_text(Path(DARE).read_text(encoding="utf-8"), encoding="utf-8")

    assert main(["check", *files, "--time", "1h"]) == 0
    assert capsys.readouterr().out.count("no errors found") == 2

    assert main(["check", *files, "--time", "1"]) == 1
    written = capsys.readouterr()
    assert written.out.count("no errors found") == 1
    assert "stopped after 1 s: 1 of 2 files checked" in written.err


def test_unplayed_records_count_as_invalid(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["simulate", DARE, "--games", "9", "--records", str(tmp_path)]) == 0
    asked = ["impact", DARE, DARE, "--corpus", str(tmp_path), "--fail-under", "50"]
    assert document_of(capsys, *asked, "--time", "1h")["stopped"] is None

    ticks = count()
    monkeypatch.setattr(budget, "WAKE_SIGNAL", None)
    monkeypatch.setattr(
        budget, "TimeBudget", partial(TimeBudget, clock=lambda: next(ticks))
    )
    assert main([*asked, "--time", "3", "--json"]) == 1
    written = capsys.readouterr()
    assert json.loads(written.out)["stopped"] == "time"
    assert " of 9 records replayed" in written.err


@pytest.mark.usefixtures("stepwise")
def test_reports_if_there_is_no_result(capsys: Output) -> None:
    others = ["--games", "40", "--time", "1", "--json", "--jobs", "1"]

    assert main(["compare", DARE, DARE.replace("dare", "../tiny/dare"), *others]) == 1
    written = capsys.readouterr()
    assert written.out == ""
    assert "stopped after 1 s, before there was any result" in written.err


# ---------------------------------------------------------------- equal results


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_games_are_the_same_with_a_budget(engine: str, capsys: Output) -> None:
    if engine == "native" and isinstance(c_compiler(), BuildFailure):
        pytest.skip("there is no compiler here")
    again = DARE.replace("dare", "../tiny/dare")
    documents = []
    for limit in ([], ["--time", "1h"]):
        for words in (["simulate", DARE], ["compare", DARE, again]):
            asked = ["--games", "60", "--jobs", "1", "--engine", engine, "--json"]
            document = json.loads(output_of(capsys, *words, *asked, *limit))
            documents.append({k: v for k, v in document.items() if "second" not in k})

    assert documents[:2] == documents[2:]
    assert documents[1]["pairs"] == 30


def test_leaves_are_the_same_with_a_budget(capsys: Output) -> None:
    rows = []
    for limit in ([], ["--time", "1h"]):
        assert main(["perft", DARE, "--depth", "5", "--json", *limit]) == 0
        rows.append([row["leaves"] for row in json.loads(capsys.readouterr().out)])

    assert rows[0] == rows[1]


def test_portions_start_small_and_cover_all_games() -> None:
    pace = PortionPace(64)
    sizes = []
    for portion in pace.portions(range(5, 500)):
        sizes.append(portion)
        pace.played += 1_000_000

    assert len(sizes[0]) == 1
    assert len(sizes[2]) == 64
    assert [game for portion in sizes for game in portion] == [*range(5, 500)]


def test_variants_take_short_turns() -> None:
    assert SECONDS_PER_VARIANT < 10


def test_detects_too_many_outcomes_before_playing_any(tmp_path: Path) -> None:
    wide = SLOW.replace("action go\n", "action go(1 to 250 a, 1 to 250 b)\n")
    path = tmp_path / "wide.rules"
    path.write_text(wide.replace("repeat 500", "repeat 1"), encoding="utf-8")
    ground = Baseline.of_game(load(str(path)), Settings())
    game = ground.with_holdings(ground.seats[0], {})
    walk = TurnWalk(ground, game.turn, TURN_PARTS[0])
    with pytest.raises(TooManyOutcomes):
        list(walk.final_games(game, Fraction(1), 0, after_chance=False))
    assert walk.events == 0 < MAX_TURN_EVENTS


# ---------------------------------------------------------------- progress


class Terminal(io.StringIO):
    """Stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_one_long_step_shows_a_line_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "PLAIN_SECONDS", 0.2)
    shown = io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)

    with show_progress(Work(None, "reading the rules")):
        for _ in with_progress("ab", 2, "games", lambda: "1 failed"):
            wait_for(lambda: "of 2 games" in shown.getvalue())

    assert "rulebook: 0 of 2 games, 1 failed (" in shown.getvalue()
    assert DISPLAY.works == []


def test_one_long_step_shows_a_bar_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(display, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)

    with show_progress(Work(None, "reading the rules")):
        display.show_phase("compiling")
        wait_for(lambda: "compiling (" in shown.getvalue())
    assert "compiling (0 s)" in shown.getvalue()


def test_output_does_not_collide_with_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)

    with show_progress(Work(None, "reading the rules")):
        wait_for(lambda: "reading" in shown.getvalue())
        display.clear_progress()
        assert shown.getvalue().endswith("\x1b[1A\x1b[2K")


def test_a_forked_process_has_neither_progress_nor_budget() -> None:
    with TimeBudget(60), show_progress(Work(None, "playing")):
        (here,) = map_in_processes(shown_in_child, [1], 1)
    assert here == (0, True)


def shown_in_child() -> Callable[[Any], tuple[int, bool]]:
    """Return a function that counts the work items and looks for a budget."""
    return lambda _: (len(DISPLAY.works), budget.running_budget() is None)


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until a condition is true, up to a limit."""
    until = time.monotonic() + SOON
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)


def test_progress_of_a_command_names_its_phases(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(display, "PLAIN_SECONDS", 0.0)

    assert main(["simulate", DARE, "--games", "5"]) == 0
    assert "of 5 games of dare, wins: left " in capsys.readouterr().err


# ---------------------------------------------------------------- no result in time


def up(*_: Any, **__: Any) -> Any:
    """Raise `TimeUp` before any work is done."""
    raise TimeUp(5)


NOTHING = "before there was any result"
UNTRIED = (
    ("testing.mutate.with_progress", ["mutate", DARE], "0 of 100 changes tried"),
    ("testing.coverage._measure", ["coverage", DARE], NOTHING),
    ("testing.explore._explore", ["explore", DARE], NOTHING),
    (
        "analysis.sweep.play_points",
        ["sweep", FIRST, "--vary", "cost hut.reed = 1..2", "--games", "2"],
        "0 of 2 points",
    ),
)


@pytest.mark.parametrize(("work", "command", "said"), UNTRIED)
def test_does_not_report_untried_work(
    work: str,
    command: list[str],
    said: str,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without = (lambda *_: ([], TimeUp(5))) if work.endswith("play_points") else up
    monkeypatch.setattr(f"workbench.cli.{work}", without)
    main(command)
    written = capsys.readouterr()

    assert said in written.err
    for figure in ("%", "mean", "holds for"):
        assert figure not in written.out


def test_no_change_tried_has_no_percentage(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.cli.testing.mutate.with_progress", up)
    main(["mutate", DARE, "--json"])
    assert json.loads(capsys.readouterr().out)["percent"] is None
    main(["mutate", DARE])
    assert "no change was tried" in capsys.readouterr().out
