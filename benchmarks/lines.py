"""Processes of other engines, which exchange lines of JSON with this one."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LOOPS = Path(__file__).parent / "loops"


class Talk:
    """Process that prints lines, and waits for answers to some of them.

    The first line that the process reads is the request. Its Python has a fixed hash
    seed, so that sets have the same order each time and seeds give the same games.
    """

    def __init__(self, python: Path, program: str, asked: Any, *paths: Path) -> None:
        words = [str(python), str(LOOPS / program)]
        found_at = os.pathsep.join(map(str, paths))
        surroundings = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": found_at}
        self.process = subprocess.Popen(  # noqa: S603
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=surroundings,
        )
        self.answer(asked)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Kill the process, which may be in the middle of a game."""
        self.process.kill()
        self.process.communicate()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield its lines. Raise `RuntimeError` if it ends with a failure."""
        assert self.process.stdout is not None
        yield from map(json.loads, self.process.stdout)
        if self.process.wait():
            raise RuntimeError(f"it ended with {self.process.returncode}")

    def answer(self, what: Any) -> None:
        """Send an answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
