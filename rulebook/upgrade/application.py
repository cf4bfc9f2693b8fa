"""Application of rewrites to the texts of a game, as long as they remove errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

import attrs

from rulebook.source.diagnostics import Diagnostic, has_errors
from rulebook.source.source_text import normalise
from rulebook.upgrade.rewrites import REWRITES, Rewrite
from rulebook.upgrade.rule_text import RuleText

Texts = Mapping[str, str]
Examine = Callable[[Texts], Iterable[Diagnostic]]

APPLIED_MAX = 1_000
"""Maximum number of rewrites that are applied to the texts of one call."""

FIRST_CHECK = "RB1"
"""Start of the codes of checks; smaller codes are syntax errors."""

AMENDMENT = "RB16"
"""Start of the codes of errors in amendments, which hide the clauses that they add."""

TOO_MANY = "RB006"
"""Code of the last error if there are more errors than are shown."""


@attrs.frozen
class AppliedRewrite:
    """Lines *old* of a file that a rewrite replaced by *new*.

    `line` is the number of the first new line in the upgraded text, counted from 1.
    """

    rewrite: str
    since: str
    file: str
    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@attrs.frozen
class Upgrade:
    """Upgraded texts by file name, the applied rewrites, and the remaining errors."""

    texts: dict[str, str]
    applied: tuple[AppliedRewrite, ...]
    remaining: tuple[Diagnostic, ...]


def upgrade_texts(
    texts: Texts, examine: Examine, rewrites: Sequence[Rewrite] = REWRITES
) -> Upgrade:
    """Return the texts of files, rewritten to the present version of the language.

    `examine` returns the diagnostics of the files with these texts. Only errors start a
    rewrite, so a text without errors does not change. A rewrite is kept if it removes
    its error and causes no other.
    """
    now = {file: _normalised(text, file) for file, text in texts.items()}
    errors = _errors(examine(now))
    applied: list[AppliedRewrite] = []
    in_vain: set[tuple[object, ...]] = set()
    while len(applied) < APPLIED_MAX:
        for error in errors:
            key = _key(error), _line_text(now, error)
            if key in in_vain or error.span.file not in now:
                continue
            step = _first_step(now, error, errors, examine, rewrites)
            if step is not None:
                break
            in_vain.add(key)
        else:
            break
        rewrite, new, errors = step
        file = error.span.file
        changes = [
            AppliedRewrite(rewrite.name, rewrite.since, file, line, old, made)
            for line, old, made in _changed_lines(now[file], new)
        ]
        applied = [_moved(earlier, changes) for earlier in applied] + changes
        now[file] = new
    return Upgrade(now, tuple(applied), tuple(errors))


def _first_step(
    texts: Texts,
    error: Diagnostic,
    errors: Sequence[Diagnostic],
    examine: Examine,
    rewrites: Sequence[Rewrite],
) -> tuple[Rewrite, str, list[Diagnostic]] | None:
    """Return the first rewrite that removes an error, the new text and its errors."""
    file = error.span.file
    rules = RuleText(texts[file], file)
    for rewrite in (each for each in rewrites if each.applies_to(error)):
        for new in rewrite.proposals(rules, error):
            if new == rules.text:
                continue
            left = _errors(examine({**texts, file: new}))
            lines = {
                line + row
                for line, _, made in _changed_lines(rules.text, new)
                for row in range(len(made))
            }
            if _is_better(error, errors, left, lines):
                return rewrite, new, left
    return None


def _is_better(
    error: Diagnostic,
    before: Sequence[Diagnostic],
    after: Sequence[Diagnostic],
    changed_lines: set[int],
) -> bool:
    """Return whether an error is gone, and every new one was only hidden by it.

    An error hides those of later checks, which do not run. A list that ends in RB006
    hides errors of any check.
    """
    counts, left = Counter(map(_key, before)), Counter(map(_key, after))
    if left[_key(error)] >= counts[_key(error)]:
        return False
    return any(cut.code == TOO_MANY for cut in before) or all(
        left[_key(new)] <= counts[_key(new)]
        or new.code == error.code
        or (
            _stage(new) > _stage(error)
            and (error.code < FIRST_CHECK or not _is_on(new, error, changed_lines))
        )
        for new in after
    )


def _stage(error: Diagnostic) -> tuple[bool, bool, str]:
    """Return when the check of an error runs: syntax, amendments, then by code."""
    return error.code >= FIRST_CHECK, not error.code.startswith(AMENDMENT), error.code


def _is_on(new: Diagnostic, error: Diagnostic, lines: set[int]) -> bool:
    return new.span.file == error.span.file and new.span.line in lines


def _normalised(text: str, file: str) -> str:
    """Return a normalised text, or the text itself if it has forbidden characters."""
    normal = normalise(text, file)
    return text if isinstance(normal, Diagnostic) else normal


def _errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [x for x in dict.fromkeys(diagnostics) if has_errors((x,))]


def _key(error: Diagnostic) -> tuple[str, str, str]:
    """Return the parts of an error that do not depend on its line."""
    return error.span.file, error.code, error.message


def _line_text(texts: Texts, error: Diagnostic) -> str:
    lines = texts.get(error.span.file, "").split("\n")
    return lines[error.span.line - 1] if error.span.line <= len(lines) else ""


def _changed_lines(
    old: str, new: str
) -> Iterator[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Yield the changed parts: the first line in the new text, old and new lines."""
    before, after = old.splitlines(), new.splitlines()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for tag, i, j, k, n in blocks:
        if tag != "equal":
            yield k + 1, tuple(before[i:j]), tuple(after[k:n])


def _moved(
    earlier: AppliedRewrite, changes: Sequence[AppliedRewrite]
) -> AppliedRewrite:
    """Return an earlier rewrite with its line after later changes above it."""
    by = sum(
        len(change.new) - len(change.old)
        for change in changes
        if change.file == earlier.file and change.line <= earlier.line
    )
    return attrs.evolve(earlier, line=earlier.line + by)
