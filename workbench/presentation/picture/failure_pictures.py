"""Pictures of positions in which tests fail, saved as SVG files."""

import re
from pathlib import Path

from interpreter import RecordError
from rulebook import Rulebook
from workbench.files.library.files import SVG, replace_text, spare
from workbench.files.records.replay import replayed
from workbench.presentation.picture.scene import scene_of
from workbench.presentation.picture.svg import svg

LONGEST = 60
"""Maximum number of characters of a test's title in a file name."""


def kept_picture(book: Rulebook, title: str, record: str, folder: Path) -> Path | None:
    """Save a picture of a recorded game; return its file.

    Returns None if the record cannot be replayed. An earlier picture of the same test
    is overwritten.
    """
    try:
        game = replayed(record, book, exactly=True).game
    except RecordError:
        return None
    words = re.sub(r"\W+", "-", title.casefold()).strip("-")
    path = folder / f"{book.name}.{words[:LONGEST]}.svg"
    folder.mkdir(parents=True, exist_ok=True)
    spare(path, SVG, "a picture")
    replace_text(path, svg(scene_of(game)))
    return path
