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
from rulebook import Rulebook, RulesError, printable_line
from rulebook.tooling import differing_parts
from workbench.files.library.digests import matches_digest, shipped_rules
from workbench.files.library.loading import ENDING, load, shipped_text

MAX_NAMED_PARTS = 8
"""Maximum number of parts of the rules that a note names."""

MAX_NAME_LENGTH = 200
"""Maximum length of a file name in a record."""


@attrs.frozen
class HeaderNote:
    """Remark on a header, and whether the replayed game may differ from the record."""

    text: str
    may_differ: bool


def rules_of_record(record: str, rules: str | None = None) -> Rulebook:
    """Return the rules of a record: those named by `rules`, its own, or shipped ones.

    Records cannot open files; a record without rules must be of a shipped game.
    Raise `RecordError` if the rules are missing or do not match the record's digest.
    """
    if rules is not None:
        return load(rules)
    header = read_header(record)
    if header.get("sources"):
        return _embedded_rules(header)
    if header["variant"] not in variants.names():
        raise RecordError(
            f"the record is of `{header['variant']}`, which is not a shipped"
            " game, and contains no rules; name the rules with --rules"
        )
    return load(header["variant"])


def header_notes(record: str, book: Rulebook) -> list[HeaderNote]:
    """Return notes on differences between the header of a record and a rulebook."""
    header = read_header(record)
    return [
        *_name_notes(header, book),
        *_digest_notes(header, book),
        *_option_notes(header, book),
    ]


def _name_notes(header: Mapping[str, Any], book: Rulebook) -> Iterator[HeaderNote]:
    if header["variant"] != book.name:
        text = f"this record is of {header['variant']}, not of {book.name}"
        yield HeaderNote(text, not matches_digest(header["digest"], book))


def _digest_notes(header: Mapping[str, Any], book: Rulebook) -> Iterator[HeaderNote]:
    """Yield a note if the digest of the rules differs."""
    digest = header["digest"]
    if digest == book.digest:
        return
    shipped = shipped_rules(digest)
    if shipped is not None:
        origin = (
            f"the record uses the rules of {shipped.name} in version {shipped.version}"
        )
        if shipped.digest == book.digest:
            yield HeaderNote(f"{origin}; the rules are the same", may_differ=False)
        else:
            changed = _labelled_list("changed since", shipped.changed_parts(book))
            yield HeaderNote(
                f"{origin}; {changed or 'the rules have changed since'}",
                may_differ=True,
            )
    elif digest == book.first_digest:
        text = "its digest is in the format of version 0.1.0; the rules are the same"
        yield HeaderNote(text, may_differ=False)
    else:
        details = _labelled_list("differences", _different_parts(header, book))
        details = details or "the difference is unknown"
        yield HeaderNote(
            f"the record was made with different rules; {details}", may_differ=True
        )


def _different_parts(header: Mapping[str, Any], book: Rulebook) -> tuple[str, ...]:
    """Return the names of parts of the rules that have changed since the record."""
    if not header.get("sources"):
        return ()
    try:
        return differing_parts(_embedded_rules(header).parts, book.parts)
    except (RulesError, RecordError):
        return ()


def _option_notes(header: Mapping[str, Any], book: Rulebook) -> Iterator[HeaderNote]:
    missing = [name for name in book.options if name not in header["options"]]
    if missing:
        yield HeaderNote(
            f"the record does not set {_shortened_list(missing)}; using the default",
            may_differ=True,
        )


def _labelled_list(label: str, parts: Sequence[str]) -> str:
    return f"{label}: {_shortened_list(parts)}" if parts else ""


def _shortened_list(names: Sequence[str]) -> str:
    """Return names as a list in words, shortened if there are many."""
    listed = ", ".join(names[:MAX_NAMED_PARTS])
    omitted = len(names) - MAX_NAMED_PARTS
    return f"{listed} and {omitted} more" if omitted > 0 else listed


def _embedded_rules(header: Mapping[str, Any]) -> Rulebook:
    """Return the rules inside a record. They must match its digest."""
    sources = header["sources"]
    for name in sources:
        if not is_valid_name(name):
            raise RecordError("`sources` contains an invalid file name", got=name)

    def resolve(name: str) -> str | None:
        return sources.get(name) or shipped_text(name)

    name, top = next(iter(sources.items()))
    book = rulebook.loads(top, f"{name}{ENDING}", resolve)
    if not matches_digest(header["digest"], book):
        raise RecordError(
            "the digest does not match the rules in the record; name the"
            " rules to use with --rules",
            expected=header["digest"],
            got=book.digest,
        )
    return book


def is_valid_name(name: str) -> bool:
    """Return whether text is a valid file name for rules in a record."""
    is_printable = printable_line(name) == name and not {"/", "\\"} & set(name)
    return is_printable and 0 < len(name) <= MAX_NAME_LENGTH and name.strip(". ") != ""
