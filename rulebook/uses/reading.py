"""From texts that belong together to what their names mean."""

from __future__ import annotations

from collections.abc import Mapping

from rulebook.loading.book import Rulebook
from rulebook.loading.desk import Desk
from rulebook.parse import parse
from rulebook.uses.names import names_of
from rulebook.uses.table import Uses, uses_of


def uses(texts: Mapping[str, str], book: Rulebook | None, desk: Desk) -> Uses:
    """Return what the names of files mean, by what they are called.

    The first text is that which the others belong to, and is laid over them.
    `book` is what they were checked to be, if they were: it says which of several
    meanings a name has. A book of other texts says nothing.
    """
    in_layers = reversed(list(texts.items()))
    files = (parse(text, name, desk.keeper).file for name, text in in_layers)
    same = book is not None and book.files == dict(texts)
    model = book.model if book is not None and same else None
    return uses_of([names_of(file) for file in files if file is not None], model)
