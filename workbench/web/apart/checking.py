"""Texts that came over the network, checked and planned in a process of their own.

The child has limits of time and memory and opens no file but those of this program;
names in a text mean the texts that came with it, or shipped files. Whatever happens to
the child, an answer is plain data with a diagnostic that says what it was.
"""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

import attrs

from rulebook import visible_lines
from workbench.library.loading import ENDING
from workbench.records.headers import is_name
from workbench.web.apart.child import OUT_OF_MEMORY
from workbench.web.apart.fences import UNLIMITED, Bounds, limited
from workbench.web.apart.texts import Texts

CHILD = "workbench.web.apart.child"
FILES_MAX = 64
"""How many files a game has at most."""

LETTERS_MAX = 1_500_000
"""How long all of them are at most."""

KEPT = ("PATH", "HOME", "XDG_CACHE_HOME", "SYSTEMROOT", "LANG", "TZ")
"""What a child gets of the environment: nothing that is a secret of the server."""

LOG = logging.getLogger(__name__)


@attrs.frozen
class Checked:
    """What was found in texts. `stopped` says what ended a child before it was done:
    `time`, `memory`, `size`, `names` or `failure`; `tried` is what becomes of a game.
    """

    diagnostics: tuple[Mapping[str, Any], ...]
    plans: bool = False
    name: str | None = None
    digest: str | None = None
    more: int = 0
    stopped: str | None = None
    tried: Mapping[str, Any] | None = None

    @property
    def errors(self) -> int:
        """How many of the diagnostics are errors."""
        return sum(told["severity"] == "error" for told in self.diagnostics)


def stopped(why: str, texts: Texts, message: str, help: str, code: str) -> Checked:
    """What is said of texts of which nothing else can be said."""
    file = f"{next(iter(texts), 'rules')}{ENDING}"
    place = {"file": file, "line": 1, "column": 1, "end_line": 1, "end_column": 1}
    head = {"code": code, "severity": "error", "message": message}
    return Checked(({**head, **place, "help": help},), stopped=why)


class Checker:
    """Checks texts in child processes, a few at a time; the others wait.

    `note` says what cannot be limited on this platform, if something cannot.
    """

    def __init__(self, bounds: Bounds | None = None, at_once: int = 2) -> None:
        self.bounds = bounds or Bounds()
        self.note = None if limited() else UNLIMITED
        self._places = threading.BoundedSemaphore(at_once)

    def check(
        self,
        texts: Texts,
        *,
        players: int | None = None,
        record: str | None = None,
        before: Texts | None = None,
    ) -> Checked:
        """What is found in texts, of which the first is the game.

        With a `record` of a game of the texts `before` also what becomes of that.
        """
        refused = unfit(texts)
        if refused is not None:
            return refused
        asked: dict[str, Any] = {"texts": dict(texts), "players": players}
        if record is not None:
            asked |= {"record": record, "before": dict(before or texts)}
        with self._places:
            return self._answered(texts, json.dumps(asked).encode())

    def _answered(self, texts: Texts, asked: bytes) -> Checked:
        with begun(self.bounds) as child:
            try:
                said, failed = child.communicate(asked, self.bounds.seconds)
            except subprocess.TimeoutExpired:
                child.kill()
                child.communicate()
                return too_long(texts, self.bounds)
        if child.returncode:
            return ended(child.returncode, failed, texts, self.bounds)
        told = json.loads(said)
        diagnostics = tuple(told.pop("diagnostics"))
        return Checked(diagnostics, **told)


def begun(bounds: Bounds) -> "subprocess.Popen[bytes]":
    """A child that waits for what it is asked."""
    here = {name: os.environ[name] for name in KEPT if name in os.environ}
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(  # noqa: S603  (this program itself)
        [sys.executable, "-P", "-m", CHILD, *bounds.said()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**here, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        start_new_session=True,
    )


def unfit(texts: Texts) -> Checked | None:
    """Why texts are not even looked at: too many, too long, or no names of files."""
    if not texts or any(not is_name(name) for name in texts):
        message = "a name of these files is no name of a rule file"
        return stopped("names", {}, message, "call them, say, rules", "RB166")
    letters = sum(map(len, texts.values()))
    if len(texts) > FILES_MAX or letters > LETTERS_MAX:
        message = (
            f"these are {len(texts)} files of {letters:,} letters; checked are at most"
            f" {FILES_MAX} of {LETTERS_MAX:,}"
        )
        return stopped("size", texts, message, "say it in fewer words", "RB002")
    return None


def too_long(texts: Texts, bounds: Bounds) -> Checked:
    """What is said of texts that could not be checked in time."""
    message = f"these rules cannot be checked within {bounds.cpu} seconds"
    help = "ask for less at a time: smaller boards, fewer combinations"
    return stopped("time", texts, message, help, "RB152")


def ended(status: int, failed: bytes, texts: Texts, bounds: Bounds) -> Checked:
    """What is said where a child has ended before it was done."""
    told = failed.decode(errors="replace")
    xcpu = getattr(signal, "SIGXCPU", None)
    if xcpu is not None and status == -xcpu:
        return too_long(texts, bounds)
    last = told.strip().rpartition("\n")[2]
    if status == OUT_OF_MEMORY or last.startswith("MemoryError"):
        message = f"checking these rules takes more than {bounds.memory >> 20} MiB"
        help = "ask for less at a time: smaller boards, fewer combinations"
        return stopped("memory", texts, message, help, "RB152")
    LOG.error("a check ended with status %s: %s", status, visible_lines(told))
    message = "the check of these rules was ended before it was done"
    help = (
        "nothing was changed; try again, and tell who runs this server if it stays so"
    )
    return stopped("failure", texts, message, help, "RB152")
