"""Records as files: read, find the rules they were played under, write as play goes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rulebook
from interpreter import Game
from rulebook import Rulebook
from workbench.errors import Refused
from workbench.files import replace_text
from workbench.loading import ENDING, load, shipped_text


def read(path: str) -> str:
    """The text of a record. Raises `Refused` when it is not UTF-8."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8 text", status=1) from error


def whole_lines(record: str) -> str:
    """A record without a last line that was cut off while it was written."""
    return record[: record.rfind("\n") + 1] or record


def header(record: str) -> Mapping[str, Any]:
    """The first line of a record. Raises `Refused` when there is none."""
    first = record.split("\n", 1)[0]
    try:
        found = json.loads(first)
    except (json.JSONDecodeError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("variant"), str):
        raise Refused("this is no record: its first line is no header", status=1)
    return found


def book_of(record: str, rules: str | None = None) -> Rulebook:
    """The rules a record is read under: those named, its own, or shipped ones."""
    if rules is not None:
        return load(rules)
    head = header(record)
    sources = head.get("sources")
    if not sources:
        return load(head["variant"])
    if not isinstance(sources, dict) or not all(
        isinstance(text, str) for text in sources.values()
    ):
        raise Refused("the record's `sources` are no texts by name", status=1)

    def resolve(name: str) -> str | None:
        return sources.get(name) or shipped_text(name)

    name, top = next(iter(sources.items()))
    return rulebook.loads(top, f"{name}{ENDING}", resolve)


class Recorder:
    """A record file that holds, at every moment, the game as far as it has come."""

    def __init__(self, path: str | None) -> None:
        self._path = None if path is None else Path(path)
        self._steps = 0
        self._begun = False

    @property
    def path(self) -> str | None:
        """Where the game is written; None when it is written nowhere."""
        return None if self._path is None else str(self._path)

    def write(self, game: Game) -> None:
        """Bring the file up to a game that has gone on; old lines are not touched."""
        if not self._begun:
            self.rewrite(game)
        if self._path is None or game.steps == self._steps:
            return
        lines: list[Mapping[str, Any]] = list(game.events[self._steps :])
        if game.outcome is not None:
            lines.append({"end": game.outcome.to_json()})
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
        self._steps = game.steps

    def rewrite(self, game: Game) -> None:
        """Put the whole record of a game in the place of what the file held.

        A new file takes the place of the old one, so that neither is ever half there.
        """
        self._begun = True
        self._steps = game.steps
        if self._path is not None:
            replace_text(self._path, game.record)
