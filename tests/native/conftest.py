"""Temporary folders for compiled engines."""

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.native.compilers import CC
from tests.native.runtime_alone import Runtime, compiled
from tests.support.caches import compile_best, compile_quickly, engines_of_all


@attrs.frozen
class Places:
    """Folders in which engines are cached and compiled."""

    cache: Path
    temporary: Path

    @property
    def engines(self) -> Path:
        """Cache folder for compiled libraries."""
        return self.cache / "rulebook" / "engines"

    def cached_files(self) -> list[Path]:
        """Files in the cache folder."""
        return sorted(self.engines.iterdir()) if self.engines.exists() else []

    def temporary_files(self) -> list[Path]:
        """Files left behind in the folder for compiling."""
        return sorted(self.temporary.iterdir())


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """Temporary folders for the cache and for compiling; skips without a compiler."""
    if CC is None:
        pytest.skip("there is no compiler here")
    there = Places(tmp_path / "cache", tmp_path / "temporary")
    there.cache.mkdir()
    there.temporary.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(there.cache))
    monkeypatch.setenv("TMPDIR", str(there.temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.delenv("CC", raising=False)
    return there


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory, deep: bool) -> Iterator[None]:
    """Cache folder shared by all tests of a run.

    The short form compiles engines with `-O1`, which takes half as long. Engines of
    shipped games (`optimised`) and those of `--deep` have the best level of users.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(engines_of_all(tmp_path_factory)))
        (compile_best if deep else compile_quickly)(patch)
        yield


@pytest.fixture
def optimised(own_cache: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile engines at the best level of users, in the short form too."""
    compile_best(monkeypatch)


@pytest.fixture(scope="session")
def c(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    """Runtime of the native engine, without any rules."""
    return Runtime(compiled(tmp_path_factory.mktemp("runtime")))
