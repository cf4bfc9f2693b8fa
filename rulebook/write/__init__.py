"""Writer of rule text from syntax trees, the inverse of `parse`.

The written text parses to an equal tree. Comments and the author's spacing are not in
the tree. To tidy a file and keep them, use `format`. This package is for trees without
a file, such as merged rules.
"""

from __future__ import annotations

from rulebook import syntax
from rulebook.write.clause_text import clause
from rulebook.write.expression_text import names
from rulebook.write.text_lines import Line, indent

__all__ = ["Line", "write", "write_clause", "write_header"]


def write_clause(
    node: syntax.Declaration | syntax.Amendment | syntax.Phase,
) -> list[Line]:
    """Return the text lines of a clause, each with the span that it comes from."""
    return clause(node)


def write_header(node: syntax.Header) -> list[Line]:
    """Return the text lines of a header."""
    if node.is_short:
        return [Line(f"extends {names(node.extends)}", 0, (), node.span)]
    if node.sort.is_companion:
        language = "" if node.language is None else f" {node.language.text}"
        head = Line(f"{node.sort}{language} of {node.name.text}", 0, (), node.span)
        return [head, *indent(_themes(node))]
    below = []
    if node.extends:
        below.append(f"extends {names(node.extends)}")
    if node.over:
        below.append(f"over {names(node.over)}")
    if node.boards:
        below.append(f"board {names(node.boards)}")
    if node.companions:
        below.append(f"comes with {names(node.companions)}")
    if node.players is not None:
        fewest, most = node.players
        below.append(f"players {fewest} to {most}")
    if node.seats:
        below.append(f"seats {names(node.seats)}")
    if node.turns is not None:
        below.append(f"turns {node.turns}")
    if node.rounds is not None:
        below.append(f"rounds {node.rounds}")
    below += [theme.text for theme in _themes(node)]
    below += [f"team {team.name.text}: {names(team.members)}" for team in node.teams]
    below += [_source(source) for source in node.sources]
    head = Line(f'{node.sort} {node.name.text} "{node.title}"', 0, node.cites)
    return [head, *indent(Line(text, 0, (), node.span) for text in below)]


def _themes(node: syntax.Header) -> list[Line]:
    text = f"theme {names(node.themes)}"
    return [Line(text, 0, (), node.span)] if node.themes else []


def _source(node: syntax.Source) -> str:
    language = "" if node.language is None else f" in {node.language.text}"
    return f'source {node.name.text} "{node.text}"{language}'


def write(node: syntax.File) -> str:
    """Return the text of a file, with a blank line between clauses."""
    lines = [Line(f"rules language {node.version}")]
    if node.header is not None:
        lines += write_header(node.header)
    for declared in node.clauses:
        lines += [Line(""), *write_clause(declared)]
    return "".join(f"{line}\n" for line in lines)
