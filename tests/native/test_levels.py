"""Two levels of libraries: one that is compiled soon, and a faster one for later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

import rulebook as rb
from interpreter.native.build import background, compilers
from interpreter.native.build.background import BackgroundBuild
from interpreter.native.build.cache import user_cache
from interpreter.native.build.compilers import FLAGS
from interpreter.native.build.levels import BEST, FIRST, LibraryLevels
from interpreter.native.engine import (
    Engine,
    EngineParts,
    EngineSource,
    build_engine,
    engine_for,
    engine_source,
)
from interpreter.plan.plan import Plan
from interpreter.planning import plan_for
from tests.native.compilers import CC, NAP, counting, fake
from tests.native.conftest import Places
from tests.native.test_build import running, wait_until
from tests.native.texts import answer, text, use

ROOT = Path(__file__).parents[2]
DARE = ROOT / "examples" / "tiny" / "dare.rules"
ONLY_FIRST, ONLY_BEST = FLAGS[FIRST][-1], FLAGS[BEST][-1]
"""Flags that only one level has."""


@pytest.fixture
def plan(places: Places) -> Iterator[Plan]:
    """Plan of a small game, whose engines are not compiled yet."""
    engine_source.cache_clear()
    yield plan_for(rb.load(DARE), 2, {})
    background.stop_builds()
    engine_source.cache_clear()


def levels_of(number: int) -> LibraryLevels:
    levels = LibraryLevels.of_source(text(number), ("answer",))
    assert isinstance(levels, LibraryLevels)
    return levels


def started(levels: LibraryLevels, level: str = BEST) -> BackgroundBuild:
    build = levels.start(level)
    assert build is not None
    return build


def source_of(plan: Plan) -> EngineSource:
    source = engine_source(plan, EngineParts())
    assert isinstance(source, EngineSource)
    return source


def flags_in(log: Path) -> list[str]:
    """Return the level of each call of a compiler."""
    lines = log.read_text().splitlines()
    return [FIRST if ONLY_FIRST in line.split() else BEST for line in lines]


def failing_at(folder: Path, flag: str) -> Path:
    """Write a compiler that fails with a flag."""
    body = f'case " $* " in *" {flag} "*) echo "error: no {flag}"; exit 1;; esac'
    return fake(folder, f'{body}\nexec {CC} "$@"')


# ---------------------------------------------------------------- soon, then faster


def test_the_best_level_replaces_the_first_at_the_next_game(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate"
    wait = (
        f'case "$*" in *{ONLY_BEST}*) until [ -e {gate} ]; do sleep 0.05; done;; esac'
    )
    cc, log = counting(tmp_path / "bin", wait)
    use(cc, monkeypatch)

    first = engine_for(plan)
    again = engine_for(plan)
    assert isinstance(first, Engine)
    assert again is first
    gate.touch()
    wait_until(lambda: engine_for(plan) is not first)

    assert source_of(plan).level == BEST
    assert engine_for(plan) is engine_for(plan)
    assert flags_in(log) == [FIRST, BEST]


def test_a_cached_library_of_the_best_level_is_used_at_once(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cc, log = counting(tmp_path / "bin")
    use(cc, monkeypatch)
    assert isinstance(build_engine(plan), Engine)

    assert isinstance(engine_for(plan), Engine)

    assert source_of(plan).level == BEST
    assert flags_in(log) == [BEST]


def test_only_the_best_level_is_compiled_without_a_cache(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cc, log = counting(tmp_path / "bin")
    use(cc, monkeypatch)
    monkeypatch.setattr("interpreter.native.build.levels.user_cache", lambda: None)

    assert isinstance(engine_for(plan), Engine)

    assert flags_in(log) == [BEST]
    assert background.RUNNING == []


def test_a_program_improves_one_engine_at_a_time(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f'case "$*" in *{ONLY_BEST}*) {NAP};; esac\nexec {CC} "$@"'
    use(fake(tmp_path / "bin", body), monkeypatch)
    other = plan_for(rb.load(DARE.with_name("connect_four.rules")), 2, {})

    engine_for(plan)
    engine_for(other)

    assert len(background.RUNNING) == 1
    background.stop_builds()
    assert not background.is_building()
    wait_until(lambda: running(NAP) == [])
    engine_for(other)
    assert background.is_building()


def test_a_huge_source_has_no_best_level(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cc, log = counting(tmp_path / "bin")
    use(cc, monkeypatch)
    monkeypatch.setattr("interpreter.native.build.levels.BEST_BYTES_MAX", 10_000)

    engine = engine_for(plan)

    assert isinstance(engine, Engine)
    assert engine_for(plan) is engine
    assert flags_in(log) == [FIRST]
    assert not background.is_building()


# ---------------------------------------------------------------- failures


def test_the_best_level_is_compiled_if_the_first_fails(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(failing_at(tmp_path / "bin", ONLY_FIRST), monkeypatch)

    assert isinstance(engine_for(plan), Engine)

    assert source_of(plan).level == BEST


def test_the_first_level_stays_if_the_best_fails(
    plan: Plan, places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(failing_at(tmp_path / "bin", ONLY_BEST), monkeypatch)
    first = engine_for(plan)
    build = source_of(plan).build
    assert build is not None
    wait_until(lambda: not build.is_running)

    assert f"reported an error: error: no {ONLY_BEST}" in str(build.failure())
    assert engine_for(plan) is first
    assert isinstance(first, Engine)
    assert [path.suffix for path in places.cached_files()] == [".so"]
    assert places.temporary_files() == []


def test_reports_that_a_library_cannot_be_stored(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f'rm -r {places.engines}\nexec {CC} "$@"'
    use(fake(tmp_path / "bin", body), monkeypatch)
    build = started(levels_of(3))
    wait_until(lambda: not build.is_running)

    assert "cannot be stored: No such file or directory" in str(build.failure())
    assert places.temporary_files() == []


def test_flags_of_tests_have_one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    both = levels_of(1).levels
    monkeypatch.setattr(compilers, "FLAGS", {**FLAGS, FIRST: FLAGS[BEST]})

    assert both == (BEST, FIRST)
    assert levels_of(1).levels == (BEST,)


# ---------------------------------------------------------------- in the background


def test_a_build_in_the_background_stores_a_private_library(places: Places) -> None:
    levels = levels_of(4)
    assert levels.find() is None
    build = started(levels)
    wait_until(lambda: not build.is_running)

    assert build.failure() is None
    (path,) = places.cached_files()
    assert path.stat().st_mode & 0o777 == 0o600
    assert places.temporary_files() == []
    library = levels.find()
    assert library is not None
    assert (answer(library.library), library.level) == (4, BEST)
    assert levels.start(BEST) is None
    assert places.cached_files() == [path]


def test_looks_into_the_cache_less_and_less_often(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels, looks, now = levels_of(4), [], [100.0]
    monkeypatch.setattr(
        LibraryLevels, "find", lambda _self, **_more: looks.append(now[0])
    )
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    for _ in range(20_000):
        levels.find_soon()
        now[0] += 0.001

    waits = [after - before for before, after in pairwise(looks)]
    assert waits[0] < 0.03
    assert waits == sorted(waits)
    assert 0.9 < waits[-1] < 1.1


PROGRAM = """
import sys, time
from interpreter.native.build import background
from interpreter.native.build.levels import BEST, LibraryLevels
from tests.native.texts import text
levels = LibraryLevels.of_source(text(5), ("answer",))
levels.load()
build = levels.start(BEST)
print("none" if build is None else "begun", flush=True)
if sys.argv[1] == "leave":
    build.leave()
elif sys.argv[1] == "sleep":
    time.sleep(1000)
"""


def begun(what: str) -> subprocess.Popen[str]:
    """Start a process that compiles the best level of a text in the background."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, what],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


@pytest.fixture
def slow(places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compiler that takes forever at the best level, until its gate is open."""
    gate, begins = tmp_path / "gate", tmp_path / "begins"
    body = (
        f'case "$*" in *{ONLY_BEST}*) touch {begins}; [ -e {gate} ] || {NAP};; esac\n'
        f'exec {CC} "$@"'
    )
    use(fake(tmp_path / "bin", body), monkeypatch)
    return gate


def levels_in_cache() -> Sequence[str]:
    levels = levels_of(5)
    assert levels.cache is not None
    keys = levels.keys.items()
    return [level for level, key in keys if levels.cache.library(key) is not None]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, None])
def test_the_end_of_a_program_ends_its_compiler(
    how: signal.Signals | None, slow: Path, places: Places
) -> None:
    process = begun("end" if how is None else "sleep")
    if how is not None:
        wait_until((slow.parent / "begins").exists)
        process.send_signal(how)
    process.communicate()

    wait_until(lambda: places.temporary_files() == [])
    wait_until(lambda: running(NAP) == [])
    assert {path.suffix for path in places.cached_files()} == {".so"}
    assert levels_in_cache() == [FIRST]
    slow.touch()
    build = started(levels_of(5))  # the lock is free
    wait_until(lambda: not build.is_running)
    assert levels_in_cache() == [FIRST, BEST]


def test_a_program_can_leave_its_compiler_running(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate"
    wait = (
        f'case "$*" in *{ONLY_BEST}*) until [ -e {gate} ]; do sleep 0.05; done;; esac'
    )
    use(fake(tmp_path / "bin", f'{wait}\nexec {CC} "$@"'), monkeypatch)
    begun("leave").communicate()
    assert levels_in_cache() == [FIRST]
    gate.touch()

    wait_until(lambda: places.temporary_files() == [])
    assert levels_in_cache() == [FIRST, BEST]
    assert {path.suffix for path in places.cached_files()} == {".so"}


def test_two_programs_compile_the_best_level_once(slow: Path, places: Places) -> None:
    process = begun("sleep")
    wait_until((slow.parent / "begins").exists)
    levels = levels_of(5)

    assert levels.start(BEST) is None
    library = levels.load()

    assert getattr(library, "level", None) == FIRST
    process.kill()
    process.communicate()
    wait_until(lambda: places.temporary_files() == [])


def test_a_forked_process_does_not_keep_a_compiler_running(
    slow: Path, places: Places
) -> None:
    build = started(levels_of(5))
    child = os.fork()
    if not child:
        build.stop()  # not its own
        time.sleep(60)
        os._exit(0)
    try:
        wait_until((slow.parent / "begins").exists)
        assert build.is_running
        before = time.monotonic()
        build.stop()
        assert time.monotonic() - before < background.LOWEST_PRIORITY
        wait_until(lambda: running(NAP) == [])
        assert places.temporary_files() == []
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_build_has_the_requested_priority(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nice = tmp_path / "nice"
    use(fake(tmp_path / "bin", f'nice > {nice}\nexec {CC} "$@"'), monkeypatch)
    build = levels_of(5).start(BEST, nice=background.LOWEST_PRIORITY)
    assert build is not None
    wait_until(lambda: not build.is_running)

    assert nice.read_text() == "19\n"


def test_works_without_locks_in_the_background(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object) -> None:
        raise OSError(95, "not supported")

    monkeypatch.setattr("fcntl.flock", refuse)
    build = started(levels_of(5))
    wait_until(lambda: not build.is_running)

    assert user_cache() is not None
    assert levels_in_cache() == [BEST]
