"""Identifiers that the files of a book declare."""

import re
from collections.abc import Iterator

from rulebook import Rulebook, syntax
from rulebook.compose.companions import companion_word, is_companion
from rulebook.loading.theme_files import is_theme, theme_file_name
from rulebook.parse import parse
from rulebook.tooling import walk

WORD = re.compile(r"[^\W\d]\w*")


def texts_of(book: Rulebook) -> dict[str, str]:
    """Return the texts of a book by the names that `extends` and `board` use."""
    texts = {}
    for text in book.files.values():
        header = parse(text, "x").file.header  # type: ignore[union-attr]
        assert header is not None
        name = header.name.text
        if is_theme(header):
            name = theme_file_name(header.name)
        elif is_companion(header):
            name = f"{name}.{companion_word(header)}"
        texts[name] = text
    return texts


def declared_names(book: Rulebook) -> Iterator[str]:
    """Yield every declared identifier, except names of local variables."""
    model = book.model
    texts = texts_of(book)
    yield from (name for name in texts if "." not in name)
    yield from (*book.seats, *book.sources, *model.costs)
    for domain in model.domains.values():
        yield from (domain.name, domain.plural, *domain.members, *domain.columns)
    for piece in model.pieces.values():
        yield from (piece.name, piece.plural)
    for define in model.defines.values():
        yield from (line.label for line in define.lines)
    for action in model.actions.values():
        yield from (need.label for need in action.requirements if need.sort == "needs")
    yield from (line.label for line in model.points.lines)
    for table in (
        *(model.fields, model.options, model.defines, model.actions),
        *(model.awards, model.rules, model.limits, model.procedures),
    ):
        for key in table:
            yield from key.partition("(")[0].split(".")
    for text in texts.values():
        for node in walk(parse(text, "x").file):
            if isinstance(node, syntax.StepStatement):
                yield node.name.text
