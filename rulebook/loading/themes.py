"""Themes: files of colours, drawings and styles that games may name.

A theme knows no game: it declares what looks are made of, and a game says which of its
things look so. A theme may rest on others. Whoever names it may say anything anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import syntax as s
from rulebook.check.looks.hints import HINTS
from rulebook.source.diagnostics import Diagnostic

ENDING = ".theme"


def theme_file(named: s.Name) -> str:
    """Return what the file of a theme is called, without its last ending."""
    return f"{named.text}{ENDING}"


def called_in_files(header: s.Header) -> str:
    """Return the name under which others rest on a file."""
    return theme_file(header.name) if is_theme(header) else header.name.text


def is_theme(header: s.Header | None) -> bool:
    """Whether a header is that of a theme."""
    return header is not None and header.sort is s.FileSort.THEME


def not_it(file: s.File | None, named: s.Name) -> Iterator[Diagnostic]:
    """Yield the mistake of a file that is not the theme by whose name it goes."""
    header = None if file is None else file.header
    if file is None or header is None or (is_theme(header) and header.name == named):
        return
    yield Diagnostic(
        "RB170",
        f"this file is not the theme `{named.text}`",
        header.span,
        f'begin it with `theme {named.text} "Title"`',
        ((named.span, "it is named here"),),
    )


def misplaced(file: s.File) -> Iterator[Diagnostic]:
    """Yield what is wrong with a theme: all in it that is no look."""
    header = file.header
    if header is None or not is_theme(header):
        return
    rules = (header.extends, header.over, header.boards, header.companions)
    said = (*rules, header.seats, header.teams, header.players, header.turns)
    if any(said) or header.rounds is not None:
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
            case s.HintClause(word=word) if word.text not in HINTS:
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
