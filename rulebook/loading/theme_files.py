"""Themes: files of colours, drawings and styles that games may use.

A theme depends on no game. A game specifies which of its things use the theme's
drawings. A theme may extend others. A file that uses a theme may override anything in
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import syntax as s
from rulebook.check.looks.hints import HINT_SORTS
from rulebook.source.diagnostics import Diagnostic

ENDING = ".theme"


def theme_file_name(name: s.Name) -> str:
    """Return the file name of a theme, without its last extension."""
    return f"{name.text}{ENDING}"


def reference_name(header: s.Header) -> str:
    """Return the name under which other files refer to a file."""
    return theme_file_name(header.name) if is_theme(header) else header.name.text


def is_theme(header: s.Header | None) -> bool:
    """Return whether a header belongs to a theme."""
    return header is not None and header.sort is s.FileSort.THEME


def wrong_theme_errors(file: s.File | None, name: s.Name) -> Iterator[Diagnostic]:
    """Yield a diagnostic if a loaded file is not the theme that was named."""
    header = None if file is None else file.header
    if file is None or header is None or (is_theme(header) and header.name == name):
        return
    yield Diagnostic(
        "RB170",
        f"this file is not the theme `{name.text}`",
        header.span,
        f'begin it with `theme {name.text} "Title"`',
        ((name.span, "it is named here"),),
    )


def misplaced_clause_errors(file: s.File) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each clause in a theme that does not belong there."""
    header = file.header
    if header is None or not is_theme(header):
        return
    rules = (header.extends, header.over, header.boards, header.companions)
    lines = (*rules, header.seats, header.teams, header.players, header.turns)
    if any(lines) or header.rounds is not None:
        yield Diagnostic(
            "RB171",
            "the header of a theme cannot refer to a game",
            header.span,
            "keep only `theme NAME`, which names a base theme",
        )
    for clause in file.clauses:
        match clause:
            case s.ColourClause() | s.DrawingClause():
                continue
            case s.HintClause(word=word) if word.text not in HINT_SORTS:
                continue
            case s.HintClause(word=word, name=name):
                message = f"a theme belongs to no game, so it cannot name `{name.text}`"
                place, where = name.span, "the file of the looks"
            case _:
                message, place = "this clause does not belong here", clause.span
                where = "the file of the game"
        yield Diagnostic(
            "RB171",
            message,
            place,
            "a theme contains only `colours`, `drawing` and `style`; put it"
            f" into {where}",
        )
