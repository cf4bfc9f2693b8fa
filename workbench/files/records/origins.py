"""Games that continue from a file: from a position, or from a step of a record."""

from typing import Any

from interpreter import Game, InvalidDocument, RecordError, read_document
from rulebook import Rulebook
from workbench.errors import RequestError
from workbench.files.records.record_replay import replay_text

FORMAT = '{"format": "rulebook-record/'
POSITION = "position"


def is_record(text: str) -> bool:
    """Return whether text starts like a record."""
    return text.lstrip().startswith(FORMAT)


def parse_position(text: str, name: str) -> dict[str, Any]:
    """Return the position in a text, such as the output of `replay --json`.

    Raise `RequestError` if there is none.
    """
    try:
        document = read_document(text)
    except InvalidDocument as error:
        raise RequestError(
            f"{name} is neither a position nor a record: {error}", exit_code=1
        ) from (error)
    if isinstance(document, dict) and isinstance(document.get(POSITION), dict):
        document = document[POSITION]
    if not isinstance(document, dict):
        raise RequestError(f"{name} is neither a position nor a record", exit_code=1)
    return document


def start_from_file(
    name: str, text: str, book: Rulebook, step: int | None = None
) -> Game:
    """Start a game from a position, or from step *step* of a record.

    The caller supplies chance outcomes. A position must be possible under the rules,
    but one from a record may violate an invariant. Raise `RequestError`, `RecordError`
    or `PositionError` if the file is invalid.
    """
    if not is_record(text):
        if step is not None:
            raise RequestError("--at works only with a record, not with a position")
        return Game.from_position(book, parse_position(text, name), chance="given")
    replay = replay_text(text, book, step, exact=True)
    if replay.divergence is not None:
        raise RecordError(f"{name}: {replay.sentence}")
    return Game.from_any_position(book, replay.game.position, chance="given")
