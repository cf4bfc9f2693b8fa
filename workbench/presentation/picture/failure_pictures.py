"""Picture files of the positions in which tests fail."""

import re
from pathlib import Path

from interpreter import RecordError
from rulebook import Rulebook
from workbench.files.library.files import SVG, replace_text, spare
from workbench.files.records.replay import replayed
from workbench.presentation.picture.scene import scene_of
from workbench.presentation.picture.svg import svg

LONGEST = 60
"""Maximum number of characters that a file name takes from a title."""


def kept_picture(book: Rulebook, title: str, record: str, folder: Path) -> Path | None:
    """Draw the position of a game; return the file, or None if there is none.

    A picture of the same test is overwritten.
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
