"""House rules generated from a rulebook with changed clauses."""

from collections.abc import Iterable
from pathlib import Path

from rulebook import Diagnostic, Rulebook, has_errors
from rulebook.tooling import Mutant, amendment_text
from workbench.files.library.loading import ENDING, shipped_text

HEAD = """rules language 1
rulebook {name} "{title}"
  {laid}
"""


def house_rule_text(
    book: Rulebook, changed_book: Rulebook, name: str, title: str
) -> str:
    """Return the text of a house rule that turns one rulebook into another.

    The second may have changed clauses, but no added or removed ones.
    """
    before, after = book.merged.clauses, changed_book.merged.clauses
    clauses: dict[str, None] = {}
    for key, clause in after.items():
        if clause is not before[key]:
            clauses[amendment_of(changed_book, str(key))] = None
    relation = f"over {book.name}"
    if book.over:  # the base must come first
        relation = f"extends {book.over[0]}, {book.name}"
    return "\n".join((HEAD.format(name=name, title=title, laid=relation), *clauses))


def amendment_of(book: Rulebook, address: str) -> str:
    """Return a clause of a rulebook as amendment text, without a file header."""
    header, clauses = book.merged.header, book.merged.clauses
    span = book.clauses[address].span
    unchanged = Mutant(address, "", span, (), (), header, clauses)
    return amendment_text(book, unchanged).partition("\n\n")[2]


def needed_files(book: Rulebook) -> dict[str, str]:
    """Return the texts of the files that a house rule over a rulebook needs, by name.

    Shipped files are omitted. For a game with house rules, an extra file combines them.
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


def first_error_message(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the message of the first error."""
    return next(each.message for each in diagnostics if has_errors([each]))
