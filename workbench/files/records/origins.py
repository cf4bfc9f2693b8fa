"""A game that goes on from what a file holds: a position, or a record at a step."""

from typing import Any

from interpreter import Game, NoDocument, RecordError, read_document
from rulebook import Rulebook
from workbench.errors import Refused
from workbench.files.records.replay import replayed

FORMAT = '{"format": "rulebook-record/'
POSITION = "position"


def is_record(text: str) -> bool:
    """Whether a text is meant as a record."""
    return text.lstrip().startswith(FORMAT)


def position_in(text: str, name: str) -> dict[str, Any]:
    """The position that a text is, or has in it as what `replay --json` prints.

    Raises `Refused` where there is none.
    """
    try:
        document = read_document(text)
    except NoDocument as error:
        raise Refused(
            f"{name} is neither a position nor a record: {error}", status=1
        ) from (error)
    if isinstance(document, dict) and isinstance(document.get(POSITION), dict):
        document = document[POSITION]
    if not isinstance(document, dict):
        raise Refused(f"{name} is neither a position nor a record", status=1)
    return document


def going_on(name: str, text: str, book: Rulebook, at: int | None = None) -> Game:
    """The game that begins with a position or a record at a step; chance is given.

    A position of somebody's own must be one that the rules allow; what a record leads
    to may break an invariant. Raises `Refused`, `RecordError` and `PositionError`.
    """
    if not is_record(text):
        if at is not None:
            raise Refused("--at requires a record")
        return Game.from_position(book, position_in(text, name), chance="given")
    replay = replayed(text, book, at, exactly=True)
    if replay.diverged is not None:
        raise RecordError(f"{name}: {replay.sentence}")
    return Game.laid_out(book, replay.game.position, chance="given")
