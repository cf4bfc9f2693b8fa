"""Companions: files next to a game that contain none of its rules.

A game names them in its header, as in `comes with scenarios, look, de`. Each companion
names its game. Its clauses are merged as if they were at the end of the game's own
file. No other file uses it.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulebook import syntax as s
from rulebook.source.diagnostics import Diagnostic

#: Classes of clauses that each sort of companion may contain.
ALLOWED_CLAUSES: dict[s.FileSort, tuple[type[s.Node], ...]] = {
    s.FileSort.SCENARIOS: (s.SectionClause, s.ScenarioClause, s.InvariantClause),
    s.FileSort.LOOK: (
        *(s.SectionClause, s.HintClause, s.HintValueClause, s.DefineClause),
        *(s.ColourClause, s.DrawingClause),
    ),
    s.FileSort.WORDS: (s.WordsClause,),
}
AMENDABLE_SORTS: dict[s.FileSort, tuple[str, ...]] = {
    s.FileSort.SCENARIOS: ("scenario", "invariant"),
    s.FileSort.LOOK: ("hint", "look", "colour", "drawing", "define"),
    s.FileSort.WORDS: (),
}
CONTENT_DESCRIPTIONS = {
    s.FileSort.SCENARIOS: "scenarios and invariants",
    s.FileSort.LOOK: "looks and hints, and definitions that hints use",
    s.FileSort.WORDS: "words",
}


def companion_file_name(game: s.Header, companion: s.Name) -> str:
    """Return the file name of a companion, without its extension."""
    return f"{game.name.text}.{companion.text}"


def is_companion(header: s.Header | None) -> bool:
    """Return whether a file is a companion of a game."""
    return header is not None and header.sort.is_companion


def companion_word(header: s.Header) -> str:
    """Return the word for a companion in its game's header, such as `look` or `de`."""
    return header.sort if header.language is None else header.language.text


def add_companion(
    game: s.File, name: s.Name, companion: s.File
) -> tuple[s.File, tuple[Diagnostic, ...]]:
    """Return a game with the clauses of its companion, and any errors in them."""
    assert game.header is not None
    header = companion.header
    if (
        header is None
        or not is_companion(header)
        or header.name != game.header.name
        or companion_word(header) != name.text
    ):
        return game, (_wrong_game_error(companion, name, game.header),)
    diagnostics = tuple(_misplaced_clause_errors(header, companion))
    clauses = tuple(_with_language(clause, header) for clause in companion.clauses)
    merged = attrs.evolve(game.header, themes=(*game.header.themes, *header.themes))
    return (
        attrs.evolve(game, header=merged, clauses=(*game.clauses, *clauses)),
        diagnostics,
    )


def missing_game_error(header: s.Header) -> Diagnostic:
    """Return the error for a companion or theme that is loaded without a game."""
    game = header.name.text
    if header.sort is s.FileSort.THEME:
        return Diagnostic(
            "RB170",
            "this is a theme, which can only be loaded with a game that names it",
            header.span,
            f"load a game whose header contains `theme {game}`",
        )
    return Diagnostic(
        "RB170",
        f"this file belongs to `{game}` and can only be loaded with it",
        header.span,
        f"load `{game}`, whose header contains `comes with {companion_word(header)}`",
    )


def _wrong_game_error(companion: s.File, name: s.Name, game: s.Header) -> Diagnostic:
    sort = name.text if name.text in ALLOWED_CLAUSES else f"words {name.text}"
    header = companion.header
    return Diagnostic(
        "RB170",
        f"this is not the file `{name.text}` of `{game.name.text}`",
        companion.span if header is None else header.span,
        f"begin it with `{sort} of {game.name.text}`",
        ((name.span, "it is named here"),),
    )


def _misplaced_clause_errors(header: s.Header, file: s.File) -> Iterator[Diagnostic]:
    """Yield an error for each clause that this sort of file may not contain."""
    for clause in file.clauses:
        match clause:
            case s.Replace(clause=new):
                fits = isinstance(new, ALLOWED_CLAUSES[header.sort])
            case s.Remove(sort=sort):
                fits = sort in AMENDABLE_SORTS[header.sort]
            case s.Within(sort=sort):
                fits = sort in AMENDABLE_SORTS[header.sort]
            case s.WordsClause(language=s.Name() as language):
                fits = language == header.language
            case _:
                fits = isinstance(clause, ALLOWED_CLAUSES[header.sort])
        if not fits:
            yield Diagnostic(
                "RB171",
                "this clause does not belong here",
                clause.span,
                f"this file may contain only {CONTENT_DESCRIPTIONS[header.sort]}; "
                f"move the clause to the file of `{header.name.text}`",
            )


def _with_language(
    clause: s.Declaration | s.Amendment, header: s.Header
) -> s.Declaration | s.Amendment:
    if isinstance(clause, s.WordsClause) and clause.language is None:
        return attrs.evolve(clause, language=header.language)
    return clause
