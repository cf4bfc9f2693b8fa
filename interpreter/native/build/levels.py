"""Libraries of one C source at two levels of optimisation.

The library of the first level is compiled about four times as fast as the best one,
and makes about half as many decisions a second (`python -m benchmarks.levels`).
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator, Mapping, Sequence

import attrs

from interpreter.native.build import compilers
from interpreter.native.build.background import BackgroundBuild, start_build
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.cache import Cache, user_cache
from interpreter.native.build.compilers import Compiler, c_compiler
from interpreter.native.build.loading import COMPILE_SECONDS, load_cached, load_compiled

FIRST, BEST = "first", "play"
"""Levels as keys of `FLAGS`."""

SECONDS_PER_BYTE = {FIRST: 2.5e-6, BEST: 10e-6}
"""Seconds that compilers take for a byte of C at each level, on an idle machine."""

BEST_BYTES_MAX = 1_000_000
"""Maximum size of a source in bytes for the best level.

From here on, compilers take much longer for twice the size: at 2.3 million bytes, 11
seconds at the first level and more than three minutes at the best one.
"""

LOOK_SECONDS = 0.02
"""Seconds until the next look into the cache; they grow up to `LOOK_SECONDS_MAX`."""

LOOK_GROWTH = 1.1

LOOK_SECONDS_MAX = 1.0


@attrs.frozen
class LeveledLibrary:
    """Loaded library and its level."""

    library: ctypes.CDLL
    level: str


@attrs.define(eq=False)
class LibraryLevels:
    """Libraries of a C source, which are compiled when needed.

    Without a cache, only the best level is compiled, because no process could pass on a
    library to the next one.
    """

    source: str
    symbols: Sequence[str]
    compiler: Compiler
    cache: Cache | None
    keys: Mapping[str, str]
    _wait: float = LOOK_SECONDS
    _next_look: float = 0.0

    @classmethod
    def of_source(
        cls, source: str, symbols: Sequence[str]
    ) -> LibraryLevels | BuildFailure:
        """Return the libraries of a source, or the reason if there is no compiler."""
        compiler = c_compiler()
        if isinstance(compiler, BuildFailure):
            return compiler
        keys = {level: compiler.key(source, level) for level in SECONDS_PER_BYTE}
        return cls(source, symbols, compiler, user_cache(), keys)

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels in use, the best one first."""
        if len(self.source) > BEST_BYTES_MAX:
            return (FIRST,)
        return (BEST,) if self.cache is None or _are_alike() else (BEST, FIRST)

    def expected_seconds(self, level: str) -> float:
        """Return about how many seconds a compiler takes."""
        return SECONDS_PER_BYTE[level] * len(self.source)

    def load(self) -> LeveledLibrary | BuildFailure:
        """Return the best cached library, or compile one at the first level that works.

        If all levels fail, return the reason for the best one.
        """
        if (library := self.find()) is not None:
            return library
        return next(self._compiled())

    def _compiled(self) -> Iterator[LeveledLibrary | BuildFailure]:
        """Yield a newly compiled library, or else the failure of the best level."""
        failure: BuildFailure | None = None
        for level in reversed(self.levels):
            library = load_compiled(
                self.compiler, self.cache, self.source, level, self.symbols
            )
            if not isinstance(library, BuildFailure):
                yield LeveledLibrary(library, level)
            else:
                failure = library
        assert failure is not None
        yield failure

    def find(self, *, better_than: str | None = None) -> LeveledLibrary | None:
        """Return the best cached library that is better than a level, or None."""
        for level in self.levels:
            if self.cache is None or level == better_than:
                break
            library = load_cached(self.cache, self.keys[level], self.symbols)
            if library is not None:
                return LeveledLibrary(library, level)
        return None

    def find_soon(self, *, better_than: str | None = None) -> LeveledLibrary | None:
        """Return the same as `find`, or None if it was called a moment ago."""
        if (now := time.monotonic()) < self._next_look:
            return None
        library = self.find(better_than=better_than)
        self._wait = min(LOOK_GROWTH * self._wait, LOOK_SECONDS_MAX)
        self._next_look = now + self._wait
        return library

    def start(self, level: str, *, nice: int = 0) -> BackgroundBuild | None:
        """Start to compile a level in the background, if that is possible."""
        if self.cache is None or level not in self.levels:
            return None
        self._wait, self._next_look = LOOK_SECONDS, 0.0
        return start_build(
            *(self.compiler, self.cache, self.source, level, self.symbols),
            COMPILE_SECONDS,
            nice=nice,
        )


def _are_alike() -> bool:
    """Return whether both levels have the same flags."""
    return compilers.FLAGS[FIRST] == compilers.FLAGS[BEST]
