"""Places of a test's own for what engines are made of."""

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.native.compilers import CC
from tests.native.runtime_alone import Runtime, compiled
from tests.support.caches import engines_of_all


@attrs.frozen
class Places:
    """Where engines are kept, and where they are made."""

    cache: Path
    temporary: Path

    @property
    def engines(self) -> Path:
        """The cache of libraries."""
        return self.cache / "rulebook" / "engines"

    def kept(self) -> list[Path]:
        """The files in the cache."""
        return sorted(self.engines.iterdir()) if self.engines.exists() else []

    def left(self) -> list[Path]:
        """What was left where engines are made."""
        return sorted(self.temporary.iterdir())


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A cache folder and a folder for temporary files of this test's own; a `cc`."""
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
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of the tests' own, for all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(engines_of_all(tmp_path_factory)))
        yield


@pytest.fixture(scope="session")
def c(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    """The runtime of games in C, without any rules."""
    return Runtime(compiled(tmp_path_factory.mktemp("runtime")))
