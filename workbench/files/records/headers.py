"""Headers of records: which rules a record was played under.

A record names its rules by their digest. Rules inside a record must have this digest.
Shipped or explicitly named rules may differ, which a note reports.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

import rulebook
import variants
from interpreter import RecordError, read_header
from rulebook import Rulebook, RulesError, visible
from rulebook.tooling import differing
from workbench.files.library.digests import known, same_rules
from workbench.files.library.loading import ENDING, load, shipped_text

NAMED_MAX = 8
"""Maximum number of parts of the rules that a note names."""

NAME_MAX = 200
"""Maximum length of a file name in a record."""


@attrs.frozen
class Note:
    """Remark on a header. `other` is true if the game may differ from the record."""

    text: str
    other: bool


def book_of(record: str, rules: str | None = None) -> Rulebook:
    """Return the rules of a record: those named by `rules`, its own, or shipped ones.

    A record never opens a file: without its own rules it must be of a shipped game.
    Raises `RecordError` if the rules are missing or do not match the record's digest.
    """
    if rules is not None:
        return load(rules)
    head = read_header(record)
    if head.get("sources"):
        return _own(head)
    if head["variant"] not in variants.names():
        raise RecordError(
            f"the record is of `{head['variant']}`, which is not a shipped"
            " game, and contains no rules; name the rules with --rules"
        )
    return load(head["variant"])


def notes(record: str, book: Rulebook) -> list[Note]:
    """Return notes on differences between the header of a record and a rulebook."""
    head = read_header(record)
    return [
        *_of_the_name(head, book),
        *_of_the_digest(head, book),
        *_of_options(head, book),
    ]


def _of_the_name(head: Mapping[str, Any], book: Rulebook) -> Iterator[Note]:
    if head["variant"] != book.name:
        text = f"this record is of {head['variant']}, not of {book.name}"
        yield Note(text, not same_rules(head["digest"], book))


def _of_the_digest(head: Mapping[str, Any], book: Rulebook) -> Iterator[Note]:
    """Yield a note if the digest of the rules differs."""
    digest = head["digest"]
    if digest == book.digest:
        return
    shipped = known(digest)
    if shipped is not None:
        which = (
            f"the record uses the rules of {shipped.name} in version {shipped.version}"
        )
        if shipped.digest == book.digest:
            yield Note(f"{which}; the rules are the same", other=False)
        else:
            changed = _listed("changed since", shipped.changed(book))
            yield Note(
                f"{which}; {changed or 'the rules have changed since'}", other=True
            )
    elif digest == book.first_digest:
        text = "its digest is in the format of version 0.1.0; the rules are the same"
        yield Note(text, other=False)
    else:
        what = _listed("differences", _different_parts(head, book))
        what = what or "the difference is unknown"
        yield Note(f"the record was made with different rules; {what}", other=True)


def _different_parts(head: Mapping[str, Any], book: Rulebook) -> tuple[str, ...]:
    """Return the names of parts of the rules that have changed since the record."""
    if not head.get("sources"):
        return ()
    try:
        return differing(_own(head).parts, book.parts)
    except (RulesError, RecordError):
        return ()


def _of_options(head: Mapping[str, Any], book: Rulebook) -> Iterator[Note]:
    lacking = [name for name in book.options if name not in head["options"]]
    if lacking:
        yield Note(
            f"the record does not set {_named(lacking)}; using the default", other=True
        )


def _listed(word: str, parts: Sequence[str]) -> str:
    return f"{word}: {_named(parts)}" if parts else ""


def _named(names: Sequence[str]) -> str:
    """Return names as a list in words, shortened if there are many."""
    shown = ", ".join(names[:NAMED_MAX])
    more = len(names) - NAMED_MAX
    return f"{shown} and {more} more" if more > 0 else shown


def _own(head: Mapping[str, Any]) -> Rulebook:
    """Return the rules inside a record. They must match its digest."""
    sources = head["sources"]
    for name in sources:
        if not is_name(name):
            raise RecordError("`sources` contains an invalid file name", got=name)

    def resolve(name: str) -> str | None:
        return sources.get(name) or shipped_text(name)

    name, top = next(iter(sources.items()))
    book = rulebook.loads(top, f"{name}{ENDING}", resolve)
    if not same_rules(head["digest"], book):
        raise RecordError(
            "the digest does not match the rules in the record; name the"
            " rules to use with --rules",
            expected=head["digest"],
            got=book.digest,
        )
    return book


def is_name(name: str) -> bool:
    """Return whether text is a valid file name for rules in a record."""
    plain = visible(name) == name and not {"/", "\\"} & set(name)
    return plain and 0 < len(name) <= NAME_MAX and name.strip(". ") != ""
