"""Records: a game as text, and a text played again."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import attrs

import rulebook as rb
from interpreter.errors import (
    IllegalAction,
    PositionError,
    RecordError,
    UsageError,
)

if TYPE_CHECKING:
    from interpreter.game import Game

FORMAT = "rulebook-record/1"


@attrs.frozen
class Done:
    """A seat did an action. `told` are the seats that may know which, as bits."""

    seat: str
    action: str
    told: int

    def to_json(self) -> dict[str, Any]:
        """Return the event as a record has it."""
        return {"seat": self.seat, "action": self.action}


@attrs.frozen
class Drawn:
    """A chance event had an outcome, which the seats `told` may know."""

    name: str
    outcome: Any
    told: int

    def to_json(self) -> dict[str, Any]:
        """Return the event as a record has it."""
        return {"chance": self.name, "outcome": self.outcome}


@attrs.frozen
class Events:
    """A list of events that shares what came before, so that copies cost nothing."""

    before: Events | None
    last: Done | Drawn | None
    count: int

    def after(self, event: Done | Drawn) -> Events:
        """Return the list with one more event."""
        return Events(self, event, self.count + 1)

    def newest(self, count: int) -> list[Done | Drawn]:
        """Return the events after the first `count`, in order."""
        found: list[Done | Drawn] = []
        here: Events | None = self
        while here is not None and here.last is not None and here.count > count:
            found.append(here.last)
            here = here.before
        return found[::-1]

    def since(self, count: int) -> tuple[dict[str, Any], ...]:
        """Return the events after the first `count`, as plain data."""
        return tuple([event.to_json() for event in self.newest(count)])


def line(document: dict[str, Any]) -> str:
    """Return one line of a record."""
    return json.dumps(document, ensure_ascii=False)


def header(game: Game) -> dict[str, Any]:
    """Return the first line of a record."""
    found = {
        "format": FORMAT,
        "variant": game.book.name,
        "digest": game.book.digest,
        "players": game.players,
        "seats": list(game.seats),
        "seed": game.seed,
        "options": game.options,
        "board": game.given_board,
    }
    if game.began is not None:
        found["position"] = game.began
    if not game.book.shipped:
        files = game.book.files
        found["sources"] = {PurePath(one).stem: files[one] for one in files}
    return found


def write_record(game: Game) -> str:
    """Return the record of a game so far."""
    lines = [line(header(game)), *(line(event) for event in game.events)]
    if game.outcome is not None:
        lines.append(line({"end": game.outcome.to_json()}))
    return "".join(f"{text}\n" for text in lines)


def read_lines(text: str) -> list[dict[str, Any]]:
    """Return the documents of a record, the header first."""
    documents = []
    for number, one in enumerate(text.splitlines()):
        try:
            document = json.loads(one)
        except ValueError as error:
            raise RecordError(
                f"line {number + 1} is no JSON document: {error}",
                step=number - 1 if number else None,
            ) from None
        if not isinstance(document, dict):
            raise RecordError(
                f"line {number + 1} is no JSON object",
                step=number - 1 if number else None,
            )
        documents.append(document)
    if not documents or documents[0].get("format") != FORMAT:
        got = documents[0].get("format") if documents else None
        message = f"this is no record: it does not begin with the format {FORMAT}"
        raise RecordError(message, expected=FORMAT, got=got)
    return documents


def begin(kind: type[Game], head: dict[str, Any], book: rb.Rulebook) -> Game:
    """Start the game of a record's header."""
    seed = head.get("seed")
    chance = "given" if seed is None else "drawn"
    number = seed if isinstance(seed, int) else 0
    try:
        if "position" in head:
            return kind.laid_out(book, head["position"], number, chance)
        return kind.start(
            book,
            players=head["players"],
            seed=number,
            options=head.get("options", {}),
            board=head.get("board"),
            chance=chance,
        )
    except KeyError as error:
        raise RecordError(f"the header lacks {error}") from None
    except (UsageError, PositionError) as error:
        raise RecordError(f"the header does not fit the rules: {error}") from None


def replay(kind: type[Game], text: str, book: rb.Rulebook) -> Game:
    """Play a record again from its beginning."""
    head, *documents = read_lines(text)
    game = begin(kind, head, book)
    happened = list(game.events)
    end: dict[str, Any] | None = None
    for step, document in enumerate(documents):
        if end is not None:
            raise RecordError("there is something after the end", step=step)
        if "end" in document:
            end = document["end"]
        elif step < len(happened):
            see(happened[step], document, step)
        else:
            happened.extend(follow(game, document, step))
            see(happened[step], document, step)
    if end is not None:
        check_end(game, end, len(documents) - 1)
    return game


def see(happened: dict[str, Any], document: dict[str, Any], step: int) -> None:
    """See that an event is the one that the record has."""
    if happened != document:
        raise RecordError(
            f"event {step + 1} is {line(happened)}, the record has {line(document)}",
            step=step,
            clause=happened.get("chance"),
            expected=document,
            got=happened,
        )


def follow(
    game: Game, document: dict[str, Any], step: int
) -> tuple[dict[str, Any], ...]:
    """Do one event of a record and return what happened."""
    if game.to_act is None:
        raise RecordError("the game is over here", step=step, expected=document)
    if "action" in document and document.get("seat") != game.to_act:
        raise RecordError(
            f"it is {game.to_act} to act, not {document.get('seat')}",
            step=step,
            expected=document,
            got=game.to_act,
        )
    try:
        return game.apply(document)
    except IllegalAction as error:
        raise RecordError(
            str(error),
            step=step,
            clause=error.explanation.clause,
            expected=document,
            got=error.to_json(),
        ) from None


def check_end(game: Game, end: dict[str, Any], step: int) -> None:
    """See that the game ended as the record says."""
    got = None if game.outcome is None else game.outcome.to_json()
    if got != end:
        raise RecordError(
            "the game does not end as the record says",
            step=step,
            expected=end,
            got=got,
        )
