"""Cached libraries: the correct library, intact, and owned by the user."""

from __future__ import annotations

import ctypes
import errno
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from interpreter.native.build import cache
from interpreter.native.build.compilers import Compiler, c_compiler
from interpreter.native.build.loading import load_library
from tests.native.compilers import counting
from tests.native.conftest import Places
from tests.native.texts import answer, refusal, text, use

OTHER_USER = 54321


def spoiled(path: Path, data: bytes | None) -> None:
    path.unlink()
    if data is not None:
        path.write_bytes(data)


def cut(path: Path) -> None:
    spoiled(path, path.read_bytes()[:-1])


def empty(path: Path) -> None:
    spoiled(path, b"")


def another(path: Path) -> None:
    load_library(text(666))
    (other,) = (there for there in path.parent.glob("*.so") if there != path)
    other.rename(path)


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    spoiled(path, bytes(data))


def pipe(path: Path) -> None:
    spoiled(path, None)
    os.mkfifo(path)


def link(path: Path) -> None:
    path.rename(path.with_suffix(".elsewhere"))
    path.symlink_to(path.with_suffix(".elsewhere"))


def folder(path: Path) -> None:
    spoiled(path, None)
    path.mkdir()


def shared(path: Path) -> None:
    path.chmod(0o620)


def huge(path: Path) -> None:
    os.truncate(path, cache.LIBRARY_BYTES + 1)


@pytest.mark.parametrize(
    "damage", [cut, empty, another, flipped, pipe, link, folder, shared, huge]
)
def test_never_loads_a_damaged_library(
    damage: Callable[[Path], None],
    places: Places,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cc, log = counting(tmp_path / "bin")
    use(cc, monkeypatch)
    load_library(text(5))
    (path,) = places.cached_files()
    damage(path)
    before = len(log.read_text().splitlines())

    assert answer(load_library(text(5))) == 5

    assert len(log.read_text().splitlines()) == before + 1
    if damage is not folder:
        assert answer(load_library(text(5))) == 5
        assert len(log.read_text().splitlines()) == before + 1


def test_removes_a_cached_library_that_lacks_a_symbol(places: Places) -> None:
    load_library(text(666))
    (other,) = places.cached_files()
    cached = cache.Cache(places.engines)
    broken = cached.store(_key(5), other.read_bytes())
    assert broken is not None

    told = refusal(load_library(text(5), symbols=("answer", "absent", "gone")))

    assert told.endswith("it does not export absent and 1 more")
    assert places.cached_files() == [other]


def test_recompiles_a_cached_library_that_lacks_a_symbol(places: Places) -> None:
    without = text(5).replace("answer", "another")
    load_library(without)
    (other,) = places.cached_files()
    cache.Cache(places.engines).store(_key(5), other.read_bytes())

    assert answer(load_library(text(5), symbols=("answer",))) == 5

    assert len(places.cached_files()) == 2
    assert cache.Cache(places.engines).library(_key(5)) in places.cached_files()
    assert answer(load_library(text(5), symbols=("answer",))) == 5


def test_does_not_read_an_oversized_library(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_library(text(5))
    (path,) = places.cached_files()
    monkeypatch.setattr(cache, "LIBRARY_BYTES", path.stat().st_size)
    assert cache.Cache(places.engines).library(_key(5)) == path
    monkeypatch.setattr(cache, "LIBRARY_BYTES", path.stat().st_size - 1)
    monkeypatch.setattr(Path, "read_bytes", None)

    assert cache.Cache(places.engines).library(_key(5)) is None


def opened(places: Places) -> None:
    places.engines.chmod(0o770)


def opened_above(places: Places) -> None:
    places.cache.chmod(0o777)


def owned_by_another(places: Places) -> None:
    os.chown(places.engines, OTHER_USER, -1)


def owned_by_another_above(places: Places) -> None:
    os.chown(places.cache, OTHER_USER, -1)


ROOT_ONLY = {owned_by_another, owned_by_another_above}


@pytest.mark.parametrize(
    "change", [opened, opened_above, owned_by_another, owned_by_another_above]
)
def test_a_cache_that_others_can_write_is_not_used(
    change: Callable[[Places], None],
    places: Places,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if change in ROOT_ONLY and os.getuid() != 0:
        pytest.skip("only root gives files away")
    cc, log = counting(tmp_path / "bin")
    use(cc, monkeypatch)
    load_library(text(5))
    change(places)
    before = places.cached_files()

    assert cache.user_cache() is None
    assert answer(load_library(text(5))) == 5

    assert len(log.read_text().splitlines()) == 2
    assert places.cached_files() == before
    assert places.temporary_files() == []


def test_a_library_of_another_user_is_not_loaded(places: Places) -> None:
    if os.getuid() != 0:
        pytest.skip("only root gives files away")
    load_library(text(5))
    (path,) = places.cached_files()
    os.chown(path, OTHER_USER, -1)

    assert cache.Cache(places.engines).library(path.name.split("-")[0]) is None


def test_rejects_a_temporary_folder_that_others_can_write(places: Places) -> None:
    places.temporary.chmod(0o777)

    assert "other users can write" in refusal(load_library(text(5)))
    places.temporary.chmod(0o1777)
    assert answer(load_library(text(5))) == 5


def no_home(_places: Places, patch: pytest.MonkeyPatch) -> None:
    def none() -> Path:
        raise RuntimeError("there is no home")

    patch.delenv("XDG_CACHE_HOME")
    patch.delenv("HOME")
    patch.setattr(Path, "home", none)


def in_the_way(places: Places, _patch: pytest.MonkeyPatch) -> None:
    (places.cache / "rulebook").write_text("a file")


def read_only(_places: Places, patch: pytest.MonkeyPatch) -> None:
    def refuse(*_words: object, **_more: object) -> None:
        raise OSError(errno.EROFS, "read-only file system")

    patch.setattr("rulebook.disk_cache.tempfile.mkstemp", refuse)
    patch.setattr(cache, "_lock_file", lambda *_: None)


def full(_places: Places, patch: pytest.MonkeyPatch) -> None:
    def refuse(_number: int) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    patch.setattr("rulebook.disk_cache.os.fsync", refuse)


@pytest.mark.parametrize("change", [no_home, in_the_way, read_only, full])
def test_without_a_cache_a_library_is_compiled_but_not_stored(
    change: Callable[[Places, pytest.MonkeyPatch], None],
    places: Places,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    change(places, monkeypatch)

    assert answer(load_library(text(5))) == 5

    assert places.cached_files() == places.temporary_files() == []


def test_reports_a_full_disk(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_words: object, **_more: object) -> str:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)

    assert "no space left on device" in refusal(load_library(text(5)))
    assert places.cached_files() == []


def test_loads_from_another_folder_if_the_cache_forbids_execution(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ctypes.CDLL

    def load(path: str) -> ctypes.CDLL:
        if path.startswith(str(places.engines)):
            raise OSError("failed to map segment from shared object")
        return usual(path)

    monkeypatch.setattr("ctypes.CDLL", load)

    for _ in range(2):  # the second time, the library is in the cache
        assert load_library(text(5)).answer() == 5  # type: ignore[union-attr]


def test_evicts_the_least_recently_used_libraries(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        load_library(text(number))
    size = places.cached_files()[0].stat().st_size
    used: Mapping[int, Path] = {
        number: path
        for path in places.cached_files()
        for number in range(4)
        if path.name.startswith(_key(number))
    }
    for number, path in used.items():
        os.utime(path, (number, number))
    load_library(text(0))  # used now: the oldest is 1
    monkeypatch.setattr(cache, "CACHE_BYTES_MAX", 3 * size)

    load_library(text(4))

    names = {path.name for path in places.cached_files()}
    assert len(names) == 3
    assert {used[0].name, used[3].name} < names


def _key(number: int) -> str:
    chosen = c_compiler()
    assert isinstance(chosen, Compiler)
    return chosen.key(text(number), "play")


def test_removes_files_left_by_a_killed_process(places: Places) -> None:
    load_library(text(1))
    new, lock = places.engines / "new-abc", places.engines / "0.lock"
    fresh = places.engines / "new-fresh"
    for path in (new, lock, fresh):
        path.touch()
    for path in (new, lock):
        os.utime(path, (1, 1))

    load_library(text(2))

    assert not new.exists()
    assert not lock.exists()
    assert fresh.exists()


def test_limits_the_size_of_the_zig_cache(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = places.engines / "zig" / "o" / "large"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"0" * 1000)
    places.engines.chmod(0o700)
    (places.cache / "rulebook").chmod(0o700)
    load_library(text(1))
    assert kept.exists()
    monkeypatch.setattr(cache, "ZIG_BYTES", 999)

    load_library(text(2))

    assert not kept.exists()


def test_waiting_for_a_lock_has_a_timeout(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = cache.user_cache()
    assert place is not None
    chosen = c_compiler()
    assert isinstance(chosen, Compiler)
    with place.lock(chosen.key(text(9), "play"), 1):
        assert answer(load_library(text(9), seconds=5)) == 9


def test_a_process_that_waited_for_a_lock_holds_the_existing_lock_file(
    places: Places,
) -> None:
    place = cache.user_cache()
    assert place is not None
    lock, there = place.folder / "a.lock", []

    def wait() -> None:
        with place.lock("a", 30):
            there.append(lock.exists())

    with place.lock("a", 1):
        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.3)
        assert there == []
    waiting.join()

    assert there == [True]
    assert places.cached_files() == []


def test_removes_an_invalid_file_with_a_librarys_name(places: Places) -> None:
    load_library(text(5))
    (path,) = places.cached_files()
    wrong = path.with_name(f"{_key(5)}-{'0' * 64}.so")
    wrong.write_bytes(path.read_bytes())
    path.unlink()

    assert cache.Cache(places.engines).library(_key(5)) is None
    assert places.cached_files() == []


def test_never_evicts_the_newest_library(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "CACHE_BYTES_MAX", 1)
    for number in (1, 2):
        assert answer(load_library(text(number))) == number
    (path,) = places.cached_files()
    assert path.name.startswith(_key(2))


def test_works_without_locks(places: Places) -> None:
    load_library(text(1))
    (places.engines / f"{_key(5)}.lock").mkdir()

    assert answer(load_library(text(5))) == 5


def test_a_compiler_receives_few_environment_variables(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CPATH", "/elsewhere")
    seen = tmp_path / "seen"
    cc, _ = counting(tmp_path / "bin", f"/usr/bin/env > {seen}")
    use(cc, monkeypatch)

    assert answer(load_library(text(5))) == 5

    assert "LC_ALL=C" in seen.read_text().splitlines()
    assert "CPATH" not in seen.read_text()
    assert places.temporary_files() == []
