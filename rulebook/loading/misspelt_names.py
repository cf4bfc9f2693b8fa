"""Misspelt names in rules that also contain clauses that cannot be parsed.

Clauses that cannot be parsed declare nothing, so most diagnostics of the other clauses
would only follow from that. An unknown name is reported if it resembles a known name
and does not occur in any of the broken clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rulebook.addresses import LEFT_SUFFIX
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.source_text import split_clauses

UNKNOWN_NAME = "RB101"
_SUGGESTION = "did you mean"


def misspelt_names(
    diagnostics: Iterable[Diagnostic],
    syntax_errors: Iterable[Diagnostic],
    texts: Mapping[str, str],
) -> Iterator[Diagnostic]:
    """Yield the misspelt names among the diagnostics of the clauses without errors.

    *texts* are the texts of the files by name.
    """
    unparsed = set(_words_of_broken_clauses(syntax_errors, texts))
    for diagnostic in diagnostics:
        is_typo = (diagnostic.help or "").startswith(_SUGGESTION)
        name = (diagnostic.name or "").removesuffix(LEFT_SUFFIX)
        if diagnostic.code == UNKNOWN_NAME and is_typo and name not in unparsed:
            yield diagnostic


def _words_of_broken_clauses(
    syntax_errors: Iterable[Diagnostic], texts: Mapping[str, str]
) -> Iterator[str]:
    for error in syntax_errors:
        for clause in split_clauses(texts.get(error.span.file, "")):
            if 0 <= error.span.line - clause.line < len(clause.lines):
                yield from re.findall(r"\w+", clause.text)
