"""Automatic records of games in the user's state folder."""

import errno
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from interpreter import Game
from workbench.errors import RequestError
from workbench.files.records.recorder import Recorder, unused_path

NAME_MAX = 60


class Autosave(Recorder):
    """Recorder that saves to the user's state folder from the first decision on.

    A write error does not end the game: `note` reports it once.
    """

    def __init__(self, name: str, environment: Mapping[str, str] = os.environ) -> None:
        super().__init__(None)
        self._name = name[:NAME_MAX]
        self._environment = environment
        self._steps: int | None = None

    def write(self, game: Game) -> None:
        """Update the file to match a game; create it at the first decision."""
        if self._steps is None:
            self._steps = game.steps
        try:
            if self.path is None and game.steps > self._steps >= 0:
                self.path = str(self._new_path())
            super().write(game)
        except (OSError, RequestError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            target = self.path if self.has_begun else autosave_folder(self._environment)
            self.note = f"this game is no longer being saved to {target}: {reason}"
            self.close()
            self.path, self._steps = None, -1

    def flush(self) -> None:
        """Flush the file to disk, ignoring errors."""
        with suppress(OSError):
            super().flush()

    def release(self) -> None:
        """Delete the file, because another recorder now saves the game."""
        self.close()
        if self.path is not None and self.has_begun:
            with suppress(OSError):
                Path(self.path).unlink()

    def _new_path(self) -> Path:
        """Return a new path in the folder; create the folder if necessary."""
        folder = autosave_folder(self._environment)
        if not folder.is_absolute():
            raise OSError(errno.ENOENT, "there is no home folder")
        folder.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        return unused_path(folder / f"{self._name}-{stamp}.jsonl")


def autosave_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for automatic records.

    A relative `XDG_STATE_HOME` is ignored, as its specification requires.
    """
    state = Path(environment.get("XDG_STATE_HOME", ""))
    home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111
    folder = state if state.is_absolute() else Path(home, ".local", "state")
    return folder / "rulebook"
