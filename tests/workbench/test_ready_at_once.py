"""`simulate` plays at once, and in C as soon as that saves time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.c_engine import NoNativeEngine, PlayoutRunner, PlayoutSource
from interpreter.native.build import background
from interpreter.native.engine import engine_source
from rulebook import Rulebook
from tests.native.compilers import CC, NAP, fake
from tests.native.test_build import running, wait_until
from workbench.analysis.simulation import simulation
from workbench.analysis.simulation.engines import MIN_NATIVE_GAMES, EngineChoice
from workbench.analysis.simulation.native_play import NativePlay
from workbench.analysis.simulation.processes import available_cores
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameTask,
    bots_by_seat,
    native_source,
    portion_results,
    portion_size,
    results_of_portion,
)
from workbench.analysis.simulation.statistics import Result
from workbench.cli import main

pytestmark = pytest.mark.skipif(CC is None, reason="there is no compiler here")

Output = pytest.CaptureFixture[str]
SPEED = ("seconds", "games_per_second", "decisions_per_second")
GAMES = str(MIN_NATIVE_GAMES)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Use separate folders for the cache and for compiling in this test."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    engine_source.cache_clear()
    yield temporary
    background.stop_builds()
    engine_source.cache_clear()


def compiler_of(folder: Path, body: str, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CC", str(fake(folder / "bin", f'{body}\nexec {CC} "$@"')))


def simulated(capsys: Output, *words: str) -> tuple[dict[str, Any], str, str]:
    """Return the document without its speed, the engine, and standard error."""
    capsys.readouterr()
    assert main(["simulate", *words, "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    for name in SPEED:
        del document[name]
    return document, document.pop("engine"), err


def task_of(book: Rulebook, **more: Any) -> GameTask:
    settings = Settings(players=3, seed=5)
    return GameTask(
        bots_by_seat(["random"], settings.start(book).seats), settings, **more
    )


@pytest.fixture
def played_in_c(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of games that this process has played in C."""
    counts: list[int] = []
    usual = simulation.native_results

    def counted(native: Any, book: Any, task: Any, numbers: Any) -> Iterator[Result]:
        counts.append(len(numbers))
        return usual(native, book, task, numbers)

    monkeypatch.setattr(simulation, "native_results", counted)
    return counts


# ---------------------------------------------------------------- the same results


class Late(NativePlay):
    """Native engine that becomes ready when it has been asked a number of times."""

    def __init__(self, source: PlayoutSource, asked: int) -> None:
        super().__init__(source)
        self.asked = asked

    def runner(self) -> PlayoutRunner | None:
        self.asked -= 1
        return None if self.asked > 0 else super().runner()


@pytest.mark.parametrize("asked", [1, 2, 3, 10, 60, 10_000_000])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"with_measures": True, "by_seat": True, "with_points_by_round": True},
        {"keep_record": True, "counted_games": 2, "with_detail": True},
    ],
    ids=["plain", "measured", "replayed"],
)
def test_results_do_not_depend_on_the_moment_when_c_takes_over(
    asked: int, more: dict[str, Any], tiny: Rulebook, played_in_c: list[int]
) -> None:
    task = task_of(tiny, **more)
    source = native_source(tiny, task)
    assert isinstance(source, PlayoutSource)
    assert isinstance(source.wait(), PlayoutRunner)
    played_in_c.clear()

    mixed = results_of_portion(Late(source, asked), tiny, task, range(4))

    assert mixed == portion_results(None, tiny, task, range(4))
    assert sum(played_in_c) == {1: 4, 2: 4, 3: 4, 10_000_000: 0}.get(
        asked, sum(played_in_c)
    )
    if asked in {10, 60}:
        assert 0 < sum(played_in_c) <= 4


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_c_takes_over_as_soon_as_it_is_compiled(
    jobs: str,
    tiny_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    gate, in_c = tmp_path / "gate", tmp_path / "in_c"
    compiler_of(tmp_path, f"until [ -e {gate} ]; do sleep 0.02; done", monkeypatch)
    words = [str(tiny_path), "--games", "60", "--jobs", jobs]
    expected = simulated(capsys, *words, "--engine", "reference")[0]
    usual, others = simulation.play_game, simulation.native_results

    def slow(*given: Any) -> Result:
        if given[2] > 2:
            gate.touch()
            wait_until((tmp_path / "cache").exists)
        monkeypatch.setattr(
            "interpreter.native.build.levels.LOOK_SECONDS_MAX", 0.0
        )  # look at every decision
        if given[2] > 10:
            wait_until(lambda: any((tmp_path / "cache").rglob("engines/*.so")))
        return usual(*given)

    def noted(*given: Any) -> Iterator[Result]:
        in_c.touch()
        return others(*given)

    monkeypatch.setattr(simulation, "play_game", slow)
    monkeypatch.setattr(simulation, "native_results", noted)

    document, name, err = simulated(capsys, *words)

    assert (document, name, err) == (expected, "native", "")
    assert in_c.exists()


# ---------------------------------------------------------------- no waiting


def test_never_waits_for_a_slow_compiler(
    tiny_path: Path,
    own_folders: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    compiler_of(tmp_path, NAP, monkeypatch)
    words = [str(tiny_path), "--games", GAMES]

    document, name, err = simulated(capsys, *words)

    assert (name, err) == ("native", "")
    assert document == simulated(capsys, *words, "--engine", "reference")[0]
    wait_until(lambda: running(NAP) == [])
    assert list(own_folders.iterdir()) == []
    assert list((tmp_path / "cache").rglob("engines/*")) == []


def test_a_requested_native_engine_plays_all_games(
    tiny_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    compiler_of(tmp_path, "sleep 1", monkeypatch)
    monkeypatch.setattr(simulation, "play_game", None)

    _, name, err = simulated(
        capsys, str(tiny_path), "--games", "5", "--engine", "native"
    )

    assert (name, err) == ("native", "")


def test_a_search_waits_for_the_native_engine(
    tiny_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(simulation, "play_game", None)

    words = [str(tiny_path), "--games", "10", "--bots", "mcts(5)", "--max-turns", "2"]
    assert simulated(capsys, *words)[1] == "native"


def test_waits_for_the_native_engine_without_a_cache(
    tiny_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr("interpreter.native.build.levels.user_cache", lambda: None)
    monkeypatch.setattr(simulation, "play_game", None)

    _, name, err = simulated(capsys, str(tiny_path), "--games", GAMES)

    assert (name, err) == ("native", "")


def test_reports_a_compiler_that_fails_during_the_games(
    tiny_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    compiler_of(tmp_path, "echo 'error: no room'; exit 1", monkeypatch)
    words = [str(tiny_path), "--games", GAMES, "--jobs", "1"]
    expected = simulated(capsys, *words, "--engine", "reference")[0]
    usual = simulation.play_game

    def patient(*given: Any) -> Result:
        if background.is_building():
            wait_until(lambda: not background.is_building())
        return usual(*given)

    monkeypatch.setattr(simulation, "play_game", patient)

    document, name, err = simulated(capsys, *words)

    assert (document, name) == (expected, "reference")
    assert err.startswith("note: using the interpreter: ")
    assert err.endswith("reported an error: error: no room\n")


# ---------------------------------------------------------------- when to compile


class FakeSource(PlayoutSource):
    """Source of engines that notes what is started."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.ended: list[str] = []
        self.ready = self.best = self.building = False
        self.reason: str | None = None

    failure = None
    is_best = property(lambda self: self.best)
    is_building = property(lambda self: self.building)

    def find(self) -> Any:
        return self if self.ready else None

    def expected_seconds(self, *, best: bool) -> float:
        return 8.0 if best else 2.0

    def start(self, *, best: bool, patient: bool = False) -> bool:
        self.started.append(("best" if best else "first") + " patient" * patient)
        self.building = True
        return True

    def build_failure(self) -> str | None:
        return self.reason

    def leave_build(self) -> None:
        self.ended.append("left")

    def stop_build(self) -> None:
        self.ended.append("stopped")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Function that advances the time by some seconds."""
    now = [50.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])

    def advance(seconds: float) -> None:
        now[0] += seconds

    return advance


Clock = Callable[[float], None]


@pytest.mark.parametrize(("games", "started"), [(20, []), (22, ["first"])])
def test_compiles_if_the_remaining_games_take_longer(
    games: int, started: list[str], clock: Clock
) -> None:
    source = FakeSource()
    native = NativePlay(source, games)
    for _ in range(10):
        native.resume()
        clock(0.1)
        native.note_results(1)
        source.building = False
        if source.started:
            break

    assert source.started == started


@pytest.mark.parametrize(
    ("games", "started"),
    [(42, []), (46, ["best patient"]), (160, ["best patient"]), (168, ["best"])],
)
def test_compiles_the_best_level_if_that_pays(
    games: int, started: list[str], clock: Clock
) -> None:
    source = FakeSource()
    source.ready = True
    native = NativePlay(source, games)
    for _ in range(8):
        clock(0.1)
        native.note_results(1)

    assert source.started == started


def test_breaks_do_not_count(clock: Clock) -> None:
    source = FakeSource()
    native = NativePlay(source, 10)
    for _ in range(5):
        clock(100)
        native.resume()
        clock(0.1)
        native.note_results(1)

    assert source.started == []


@pytest.mark.parametrize(
    ("ready", "seconds", "ended"),
    [(True, 5.0, "left"), (True, 3.0, "stopped"), (False, 5.0, "stopped")],
)
def test_leaves_a_compiler_running_if_the_games_took_as_long(
    ready: bool, seconds: float, ended: str, clock: Clock
) -> None:
    source = FakeSource()
    source.ready, source.building = ready, True
    native = NativePlay(source, 3)
    native.note_results(1)
    clock(seconds)
    native.note_results(1)
    assert source.ended == []
    native.note_results(1)

    assert source.ended == [ended]


def test_tries_the_best_level_once_after_the_first_has_failed(clock: Clock) -> None:
    source = FakeSource()
    native = NativePlay(source, 1000)
    native.start()
    source.building, source.reason = False, "no first"
    clock(1)
    native.note_results(1)
    assert (source.started, native.failure) == (["first", "best"], None)
    source.building, source.reason = False, "no best"
    native.note_results(1)

    assert native.failure == "no best"
    assert EngineChoice(native).name == "reference"
    native.note_results(1)
    assert source.started == ["first", "best"]


def test_a_few_long_games_are_prepared_for_c(clock: Clock) -> None:
    source, asked = FakeSource(), []

    def prepare() -> PlayoutSource:
        asked.append(1)
        return source

    native = NativePlay(None, 40, prepare)
    clock(0.01)
    native.note_results(1)
    assert asked == []
    for _ in range(2):
        clock(1)
        native.note_results(1)

    assert (asked, source.started) == ([1], ["first"])
    assert EngineChoice(native).name == "reference"
    source.ready = True
    assert EngineChoice(native).name == "native"


def test_a_few_long_games_without_c_stay_with_the_interpreter(clock: Clock) -> None:
    native = NativePlay(None, 40, lambda: NoNativeEngine("no compiler"))
    for _ in range(5):
        clock(1)
        native.note_results(1)

    assert EngineChoice(native).name == "reference"
    assert EngineChoice(native).note is None


def test_results_of_few_games_arrive_one_by_one(tiny: Rulebook) -> None:
    task = task_of(tiny)

    assert portion_size(task, NativePlay(None, 40)) == portion_size(task, None) == 1
    assert portion_size(task, NativePlay(FakeSource(), 100)) > 1


def test_leaves_a_core_to_the_compiler() -> None:
    source, cores = FakeSource(), available_cores()
    native = NativePlay(source, 100)
    assert native.workers(cores) == cores
    source.building = True

    assert native.workers(cores) == max(1, cores - 1)
    assert native.workers(cores + 3) == cores + 2
    if cores > 1:
        assert native.workers(cores - 1) == cores - 1
    source.ready = True
    assert native.workers(cores) == cores
