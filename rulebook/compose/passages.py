"""Resolution of citations: each clause of a section gets the section's citations.

This runs for each file before it is merged. The nearest citation applies: that of the
line, of its clause, or of its section.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, TypeVar

import attrs

from rulebook import syntax as s
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Cite, Passage, Span
from rulebook.source.spelling import nearest
from rulebook.traversal import rewrite, walk

Cites: TypeAlias = tuple[Cite, ...]
_Clause = TypeVar("_Clause", bound=s.Clause)

UNCITED_CLAUSES = (
    *(s.WordsClause, s.CitationsClause, s.HintClause, s.HintValueClause),
    *(s.ColourClause, s.DrawingClause, s.MeasureClause),
)
"""Classes of clauses that do not get the citations of their section."""


@attrs.define
class CitationResolver:
    """Resolver of citations, with the known headings and the current section."""

    sources: list[str] = attrs.Factory(list)
    rows: list[Cites] = attrs.Factory(list)
    current_section: Cites | None = None
    diagnostics: list[Diagnostic] = attrs.Factory(list)

    def resolve_file(self, file: s.File) -> s.File:
        """Return the file with its sections replaced by citations of its clauses."""
        header = file.header
        if header is not None:
            names = (source.name.text for source in header.sources)
            self.sources += (name for name in names if name not in self.sources)
            header = attrs.evolve(header, cites=self._resolve_cites(header.cites, ()))
        for clause in file.clauses:
            if isinstance(clause, s.HeadingsClause):
                self._add_headings(clause)
        clauses = tuple(self._plain_clauses(file))
        return attrs.evolve(file, header=header, clauses=clauses)

    def _add_headings(self, clause: s.HeadingsClause) -> None:
        """Store headings; those of a file precede those of its base files."""
        names = [source.text for source in clause.sources]
        self.rows[:0] = [
            tuple(
                Cite(name, text) for name, text in zip(names, row, strict=True) if text
            )
            for row in clause.rows
        ]

    def _plain_clauses(
        self, file: s.File
    ) -> Iterator[s.Declaration | s.Amendment | s.CitationsClause]:
        """Yield the clauses with plain citations. A section ends with its file."""
        self.current_section, name = None, file.span.file
        for clause in file.clauses:
            if clause.span.file != name:
                self.current_section, name = None, clause.span.file
            match clause:
                case s.SectionClause():
                    self.current_section = self._section_cites(clause)
                case s.HeadingsClause():
                    pass
                case s.AsInClause():
                    yield self._convert_as_in(clause)
                case s.Replace(clause=new):
                    yield attrs.evolve(clause, clause=self._cite_clause(new))
                case _:
                    yield self._cite_clause(clause)

    def _section_cites(self, clause: s.SectionClause) -> Cites:
        """Return the citations of a section: its own, or those of its headings."""
        also = any(
            isinstance(cite, Passage) and cite.is_additional for cite in clause.cites
        )
        if clause.cites and not also:
            return self._resolve_cites(clause.cites, ())
        rows = [self._heading_cites(title, clause.span) for title in clause.titles]
        cites = [
            attrs.evolve(cite, example=clause.example)
            for source in dict.fromkeys(cite.source for row in rows for cite in row)
            for row in rows
            for cite in row
            if cite.source == source
        ]
        return self._resolve_cites(clause.cites, tuple(cites)) if also else tuple(cites)

    def _convert_as_in(self, clause: s.AsInClause) -> s.CitationsClause:
        """Convert an `as in` clause to citations of the library's clauses."""
        around = self._clause_cites(clause.cites)
        lines = tuple(
            s.CiteLine(
                path,
                _reader_citations(self._resolve_cites(line.cites, around), line.text)
                if line.cites
                else _reader_citations(around, line.text),
                clause.library,
                span=path[0].span.to(path[-1].span),
            )
            for line in clause.lines
            for path in line.paths
        )
        return s.CitationsClause(lines, span=clause.span)

    def _clause_cites(self, cites: Cites) -> Cites:
        """Return the plain citations of a clause: its own, or those of the section."""
        around = self.current_section or ()
        return self._resolve_cites(cites, around) if cites else around

    def _cite_clause(self, clause: _Clause) -> _Clause:
        """Return a clause with plain citations on the clause and all its parts."""
        own = clause.cites
        if not isinstance(clause, UNCITED_CLAUSES):
            own = self._clause_cites(clause.cites)
        if any(_has_passage(node) for node in walk(clause) if node is not clause):
            clause = self._cite_parts(clause, own)
        return clause if own == clause.cites else attrs.evolve(clause, cites=own)

    def _cite_parts(self, clause: _Clause, own: Cites) -> _Clause:
        def plain(node: Any) -> Any:
            if not _has_passage(node):
                return node
            cites = self._resolve_cites(node.cites, own, inside=True)
            return attrs.evolve(node, cites=cites)

        around = attrs.evolve(clause, cites=())
        changed: _Clause = rewrite(around, plain)
        return attrs.evolve(changed, cites=clause.cites)

    def _resolve_cites(
        self, cites: Cites, enclosing: Cites, *, inside: bool = False
    ) -> Cites:
        """Return plain citations, preceded by *enclosing* if one is marked `also`."""
        also = any(
            isinstance(citation, Passage) and citation.is_additional
            for citation in cites
        )
        resolved = list(enclosing) if also else []
        for cite in cites:
            resolved += self._passage_cites(cite, inside=inside)
        return tuple(dict.fromkeys(resolved))

    def _passage_cites(self, cite: Cite, *, inside: bool) -> Cites:
        if not isinstance(cite, Passage):
            return (cite,)
        if cite.source:
            return (Cite(cite.source, cite.heading, cite.example, cite.sentences),)
        if cite.heading:
            row = self._heading_cites(cite.heading, cite.span)
        elif not cite.sentences:
            if inside:
                self._report_error(
                    cite.span,
                    "`[ours]` applies to a clause or a section, not to a line",
                    "put it at the end of the clause's first line, or remove it",
                )
            return ()
        else:
            row = self.current_section or ()
            if not row:
                self._report_error(
                    cite.span,
                    "these sentences need a section above them",
                    'write `section "HEADING"` above the clause',
                )
        row = row[:1] if cite.sentences else row
        return tuple(
            attrs.evolve(
                citation,
                example=cite.example or citation.example,
                sentences=cite.sentences,
            )
            for citation in row
        )

    def _heading_cites(self, title: str, span: Span) -> Cites:
        """Return the citations of a heading, one per source; report an unknown one."""
        if not self.rows and len(self.sources) == 1:
            return (Cite(self.sources[0], title),)
        for row in self.rows:
            if any(cite.heading == title for cite in row):
                return row
        known = [cite.heading for row in self.rows for cite in row]
        near = nearest(title, known)
        help = f"did you mean `{near}`?" if near else "add it to `headings`"
        if not self.rows:
            help = "declare the headings of the texts: `headings SOURCE, SOURCE`"
            if not self.sources:
                help = 'name the text in the header: `source NAME "Title"`'
        self._report_error(span, f"there is no heading `{title}`", help)
        return ()

    def _report_error(self, span: Span, message: str, help: str) -> None:
        self.diagnostics.append(Diagnostic("RB172", message, span, help))


def _reader_citations(cites: Cites, text: str | None) -> Cites:
    """Return the citations with *text* as the meaning shown to readers."""
    return tuple(attrs.evolve(cite, meaning=text or "") for cite in cites)


def _has_passage(node: object) -> bool:
    cites = getattr(node, "cites", ())
    return any(isinstance(cite, Passage) for cite in cites)
