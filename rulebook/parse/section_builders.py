"""Node builders for citations, sections, headings and library citations."""

from __future__ import annotations

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, parts
from rulebook.source.spans import Cite, Passage

RULES = BuilderTable()


@RULES("cite")
def _cite(b: Builder, t: Tree[Token]) -> Cite:
    also, source, heading, *sentences, example = parts(t)
    fields = (str(source), b.text(heading), example is not None, _numbers(b, sentences))
    if also is None:
        return Cite(*fields)
    return Passage(*fields, is_additional=True, span=b.span(t))


@RULES("cite_heading")
def _cite_heading(b: Builder, t: Tree[Token]) -> Passage:
    also, heading, *sentences, example = parts(t)
    return Passage(
        "",
        b.text(heading),
        example is not None,
        _numbers(b, sentences),
        is_additional=also is not None,
        span=b.span(t),
    )


@RULES("cite_section")
def _cite_section(b: Builder, t: Tree[Token]) -> Passage:
    also, *sentences, example = parts(t)
    return Passage(
        "",
        "",
        example is not None,
        _numbers(b, sentences),
        is_additional=also is not None,
        span=b.span(t),
    )


@RULES("cite_ours")
def _cite_ours(b: Builder, t: Tree[Token]) -> Passage:
    return Passage("", "", span=b.span(t))


def _numbers(b: Builder, branches: list[Branch]) -> tuple[int, ...]:
    return tuple(b.number(branch) for branch in branches)


@RULES("section")
def _section(b: Builder, t: Tree[Token]) -> syntax.SectionClause:
    *titles, example, cites = parts(t)
    return syntax.SectionClause(
        tuple(b.text(title) for title in titles),
        example is not None,
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("headings_of_one")
def _headings_of_one(b: Builder, t: Tree[Token]) -> syntax.HeadingsClause:
    source, *texts = parts(t)
    rows = tuple((b.text(text),) for text in texts)
    return syntax.HeadingsClause((b.name(source),), rows, span=b.span(t))


@RULES("headings")
def _headings(b: Builder, t: Tree[Token]) -> syntax.HeadingsClause:
    names = [part for part in parts(t) if isinstance(part, Token)]
    rows = [part for part in parts(t) if isinstance(part, Tree)]
    built = []
    for row in rows:
        cells = parts(row)
        if len(cells) != len(names):
            b.report(
                "RB022",
                f"this row has {len(cells)} headings for {len(names)} texts",
                b.span(row),
                help="write `-` for a heading that a text does not have",
            )
        built.append(tuple(_heading(b, cell) for cell in cells))
    return syntax.HeadingsClause(b.names(names), tuple(built), span=b.span(t))


def _heading(b: Builder, cell: Branch) -> str:
    assert isinstance(cell, Token)
    return b.text(cell) if cell.type == "STRING" else ""


@RULES("as_in")
def _as_in(b: Builder, t: Tree[Token]) -> syntax.AsInClause:
    library, cites, *lines = parts(t)
    return syntax.AsInClause(
        b.name(library),
        b.nodes(syntax.AsInLine, lines),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("as_line")
def _as_line(b: Builder, t: Tree[Token]) -> syntax.AsInLine:
    *paths, text, cites = parts(t)
    return syntax.AsInLine(
        tuple(b.name_list(path) for path in paths),
        b.optional_text(text),
        cites=b.cites(cites),
        span=b.span(t),
    )
