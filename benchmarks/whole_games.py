"""Whole games in C: the code of an engine, with a loop that plays game after game.

It is compiled as every engine is, by the same compiler with the same flags.
"""

from __future__ import annotations

import ctypes
import resource
import subprocess
import tempfile
from pathlib import Path

import attrs

from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.compilers import c_compiler, environment
from interpreter.native.c_program import translate
from interpreter.plan.plan import Plan

LOOP = Path(__file__).parent / "loops" / "whole_games.c"
MOST = 20_000
"""Maximum number of decisions in a game."""


@attrs.frozen
class Loop:
    """Compiled loop. `took` are the compiler's seconds, `size` the bytes of a game."""

    library: ctypes.CDLL
    took: float
    size: int
    lines: int

    def play(self, seconds: float, seed: int) -> tuple[int, int, float, float]:
        """Return games, decisions, seconds, and the seconds of one copy of a game."""
        told = (ctypes.c_double * 4)()
        arguments = ctypes.c_double(seconds), ctypes.c_uint64(seed)
        if not self.library.whole_games(*arguments, ctypes.c_int64(MOST), told):
            raise SystemExit("a game could not be played to its end in C")
        return int(told[0]), int(told[1]), told[2], told[3]


def loop_of(plan: Plan) -> Loop:
    """Return the newly compiled loop of a plan's engine. Exit if there is none."""
    compiler = c_compiler()
    if isinstance(compiler, BuildFailure):
        raise SystemExit(str(compiler))
    text = translate(plan).listing + "\n" + LOOP.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "games.c", Path(folder) / "games.so"
        source.write_text(text, encoding="utf-8")
        before = child_seconds()
        command = compiler.command_line("play", str(library), str(source))
        subprocess.run(  # noqa: S603
            command, check=True, env=environment(), capture_output=True
        )
        loaded = ctypes.CDLL(str(library))
        loaded.rb_state.restype = ctypes.c_size_t
        took = child_seconds() - before
        return Loop(loaded, took, loaded.rb_state(), text.count("\n"))


def child_seconds() -> float:
    """Return the processor seconds of all child processes."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
