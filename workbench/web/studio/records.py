"""Records that were handed in to be looked at: a few, for as long as the server runs.

Nothing of them is believed: rules that one brings are checked in a process of their
own before they are played here.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import attrs

from interpreter import RecordError, read_header
from rulebook import RulesError
from workbench.errors import Refused
from workbench.records.headers import book_of, notes
from workbench.records.reading import good_part, text_of
from workbench.records.replaying import replayed
from workbench.web.apart.checking import Checker
from workbench.web.keys import new_key
from workbench.web.studio.films import Film

RECORDS = 20
"""How many are kept at once."""

EVENTS_MAX = 20_000
"""How many events one may have."""

CALLED = "the record"


@attrs.frozen
class Shown:
    """A record that is shown. `remarks` are what is to be said of it: whether its
    rules are those of today, and where it stops to agree with them."""

    film: Film
    title: str
    variant: str
    remarks: tuple[str, ...]


class Records:
    """The records of a server, each under a name that nobody can guess."""

    def __init__(self, checker: Checker | None = None, most: int = RECORDS) -> None:
        self.checker = checker or Checker()
        self.most = most
        self._shown: OrderedDict[str, Shown] = OrderedDict()
        self._lock = Lock()

    def get(self, id: str) -> Shown | None:
        """A record that was handed in, if it is still there."""
        with self._lock:
            shown = self._shown.get(id)
            if shown is not None:
                self._shown.move_to_end(id)
            return shown

    def add(self, data: bytes, name: str = CALLED) -> str:
        """Keep a record; the name under which it is shown.

        Raises `RecordError`, `RulesError` and `Refused` for what is none, or cannot be
        played.
        """
        shown, id = self._read(data, name), new_key()
        with self._lock:
            self._shown[id] = shown
            while len(self._shown) > self.most:
                self._shown.popitem(last=False)
        return id

    def _read(self, data: bytes, name: str) -> Shown:
        """A record, its rules checked before they are played."""
        text = text_of(good_part(data), name)
        if text.count("\n") > EVENTS_MAX:
            raise Refused(f"a record of more than {EVENTS_MAX:,} events is not shown")
        head = read_header(text)
        if head.get("sources"):
            self._check(head["sources"])
        try:
            book = book_of(text)
        except RulesError as error:
            raise RecordError("the rules that the record brings are wrong") from error
        said = [note.text for note in notes(text, book)]
        replay = replayed(text, book)
        if replay.diverged is not None:
            said.append(f"event {replay.steps + 1}: {replay.sentence}")
        return Shown(Film(replay.game), book.title, book.name, tuple(said))

    def _check(self, sources: dict[str, str]) -> None:
        """See that the rules of a record can be played. Raises `Refused`."""
        checked = self.checker.check(sources)
        if not checked.plans:
            wrong = (
                told for told in checked.diagnostics if told["severity"] == "error"
            )
            said = next((str(told["message"]) for told in wrong), "they do not check")
            raise Refused(f"the rules that the record brings are wrong: {said}")
