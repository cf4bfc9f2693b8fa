"""House rules written out: what makes a game the same with some clauses changed."""

from collections.abc import Iterable
from pathlib import Path

from rulebook import Diagnostic, Rulebook, has_errors
from rulebook.tooling import Mutant, amendment
from workbench.files.library.loading import ENDING, shipped_text

HEAD = """rules language 1
rulebook {name} "{title}"
  {laid}
"""


def house_rule_of(book: Rulebook, changed: Rulebook, name: str, title: str) -> str:
    """A rule file that is laid over a book and makes it one with some clauses changed.

    Clauses are only changed, none is added or taken away.
    """
    before, after = book.merged.clauses, changed.merged.clauses
    clauses: dict[str, None] = {}
    for key, clause in after.items():
        if clause is not before[key]:
            clauses[replacement(changed, str(key))] = None
    laid = f"over {book.name}"
    if book.over:  # that is not there unless it stands before what is laid over it
        laid = f"extends {book.over[0]}, {book.name}"
    return "\n".join((HEAD.format(name=name, title=title, laid=laid), *clauses))


def replacement(book: Rulebook, address: str) -> str:
    """A clause of a book as an amendment, without the head of the file."""
    header, clauses = book.merged.header, book.merged.clauses
    span = book.clauses[address].span
    whole = Mutant(address, "", span, (), (), header, clauses)
    return amendment(book, whole).partition("\n\n")[2]


def files_of(book: Rulebook) -> dict[str, str]:
    """The files that must lie beside a house rule over a book, by name: not shipped.

    Of a game with house rules laid over it there is one more, which joins them.
    """
    if book.shipped:
        return {}
    first, *others = book.files
    texts = {f"{book.name}{ENDING}": book.files[first]}
    for name in others:
        path = Path(name)
        if shipped_text(path.name.removesuffix(ENDING)) is None:
            texts[path.name] = book.files[name]
    return texts


def first_error(diagnostics: Iterable[Diagnostic]) -> str:
    """What the first error says of rules that do not check."""
    return next(each.message for each in diagnostics if has_errors([each]))
