"""Index of the names in the texts of one book."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from rulebook import syntax as s
from rulebook.loading.book import Rulebook
from rulebook.loading.desk import Desk
from rulebook.parse import parse
from rulebook.references.index import Uses, index_uses
from rulebook.references.name_collection import names_of
from rulebook.references.named_things import NamesOfFile

FILES_MAX = 64
"""Maximum number of files whose names are cached; games share many files."""

_cache: OrderedDict[int, tuple[s.File, NamesOfFile]] = OrderedDict()


def uses_in(texts: Mapping[str, str], book: Rulebook | None, desk: Desk) -> Uses:
    """Return what each name in the files refers to.

    The first text is the main file, which is based on the others. `book` is the result
    of checking them, if there is one; it decides between several meanings of a name. A
    book made from other texts is ignored.
    """
    in_layers = reversed(list(texts.items()))
    files = (parse(text, name, desk.keeper).file for name, text in in_layers)
    same = book is not None and book.files == dict(texts)
    model = book.model if book is not None and same else None
    return index_uses(
        [_cached_names(file) for file in files if file is not None], model
    )


def _cached_names(file: s.File) -> NamesOfFile:
    """Return the names in a file, cached for each file object."""
    _, named = _cache.get(id(file)) or (file, names_of(file))
    _cache[id(file)] = file, named
    if len(_cache) > FILES_MAX:
        _cache.popitem(last=False)
    return named
