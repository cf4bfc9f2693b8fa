"""Pictures of the positions in which tests fail, as files."""

import re
from pathlib import Path

from interpreter import RecordError
from rulebook import Rulebook
from workbench.files.library.files import SVG, replace_text, spare
from workbench.files.records.replay import replayed
from workbench.presentation.picture.scene import scene_of
from workbench.presentation.picture.svg import svg

LONGEST = 60
"""How many letters of a title the name of a file has."""


def kept_picture(book: Rulebook, title: str, record: str, folder: Path) -> Path | None:
    """Draw the position in which a game stands; its file, None where it has none.

    A picture of the same test is written over.
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
