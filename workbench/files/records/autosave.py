"""Games that nobody asked to be recorded are kept all the same, in a user's folder."""

import errno
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from interpreter import Game
from workbench.errors import Refused
from workbench.files.records.recorder import Recorder, free

NAME_MAX = 60


class Autosave(Recorder):
    """A record in the user's folder for states, from the first decision on.

    A game must not end because this cannot be written: `note` says so, once.
    """

    def __init__(self, name: str, environment: Mapping[str, str] = os.environ) -> None:
        super().__init__(None)
        self._name = name[:NAME_MAX]
        self._environment = environment
        self._steps: int | None = None

    def write(self, game: Game) -> None:
        """Bring the file up to a game; before the first decision there is none."""
        if self._steps is None:
            self._steps = game.steps
        try:
            if self.path is None and game.steps > self._steps >= 0:
                self.path = str(self._place())
            super().write(game)
        except (OSError, Refused) as error:
            said = getattr(error, "strerror", None) or str(error)
            place = self.path if self.begun else folder(self._environment)
            self.note = f"this game is no longer being saved to {place}: {said}"
            self.close()
            self.path, self._steps = None, -1

    def settle(self) -> None:
        """See that what was written outlives the machine, if it can be."""
        with suppress(OSError):
            super().settle()

    def give_way(self) -> None:
        """Take the file away: the game stands in another one."""
        self.close()
        if self.path is not None and self.begun:
            with suppress(OSError):
                Path(self.path).unlink()

    def _place(self) -> Path:
        """A new file in the folder, which is made if it is not there."""
        place = folder(self._environment)
        if not place.is_absolute():
            raise OSError(errno.ENOENT, "there is no home folder")
        place.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        return free(place / f"{self._name}-{stamp}.jsonl")


def folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where games are kept that nobody asked to be recorded.

    A relative `XDG_STATE_HOME` counts as none, as its specification says.
    """
    state = Path(environment.get("XDG_STATE_HOME", ""))
    home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111
    place = state if state.is_absolute() else Path(home, ".local", "state")
    return place / "rulebook"
