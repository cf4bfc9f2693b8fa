"""From texts that belong together to what their names mean."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from rulebook import syntax as s
from rulebook.loading.book import Rulebook
from rulebook.loading.desk import Desk
from rulebook.parse import parse
from rulebook.references.index import Uses, uses_of
from rulebook.references.names import names_of
from rulebook.references.symbols import Named

FILES_MAX = 64
"""Of how many files the names are kept: most are read with several games."""

_kept: OrderedDict[int, tuple[s.File, Named]] = OrderedDict()


def uses_in(texts: Mapping[str, str], book: Rulebook | None, desk: Desk) -> Uses:
    """Return what the names of files mean, by what they are called.

    The first text is that which the others belong to, and is laid over them.
    `book` is what they were checked to be, if they were: it says which of several
    meanings a name has. A book of other texts says nothing.
    """
    in_layers = reversed(list(texts.items()))
    files = (parse(text, name, desk.keeper).file for name, text in in_layers)
    same = book is not None and book.files == dict(texts)
    model = book.model if book is not None and same else None
    return uses_of([_names_of(file) for file in files if file is not None], model)


def _names_of(file: s.File) -> Named:
    """Return the names of a file; of the very same one as before, the same."""
    _, named = _kept.get(id(file)) or (file, names_of(file))
    _kept[id(file)] = file, named
    if len(_kept) > FILES_MAX:
        _kept.popitem(last=False)
    return named
