"""Pictures of positions in which tests fail, saved as SVG files."""

import re
from pathlib import Path

from interpreter import RecordError
from rulebook import Rulebook
from workbench.files.library.atomic_files import (
    SVG_PREFIXES,
    check_replaceable,
    replace_text,
)
from workbench.files.records.record_replay import replay_text
from workbench.presentation.picture.scene import scene_of
from workbench.presentation.picture.svg import svg

MAX_TITLE_LENGTH = 60
"""Maximum number of characters of a test's title in a file name."""


def save_picture(book: Rulebook, title: str, record: str, folder: Path) -> Path | None:
    """Save a picture of the position at the end of a record; return its path.

    Return None if the record cannot be replayed. An earlier picture of the same test is
    overwritten.
    """
    try:
        game = replay_text(record, book, exact=True).game
    except RecordError:
        return None
    words = re.sub(r"\W+", "-", title.casefold()).strip("-")
    path = folder / f"{book.name}.{words[:MAX_TITLE_LENGTH]}.svg"
    folder.mkdir(parents=True, exist_ok=True)
    check_replaceable(path, SVG_PREFIXES, "a picture")
    replace_text(path, svg(scene_of(game)))
    return path
