"""Merging of files, clause by clause; the last file is the game to play."""

from __future__ import annotations

from copy import copy

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.compose.amendments import (
    apply_amendment,
    remove_clause,
    replace_clause,
    replace_turn,
)
from rulebook.compose.clause_ids import address_of, addressed_parts
from rulebook.compose.columns import add_columns, find_table
from rulebook.compose.defaults import default_of
from rulebook.compose.edits import AmendmentError, amendment_error, with_lines
from rulebook.compose.look_hints import is_theme
from rulebook.compose.merge_conflicts import ChangeLog, FilesBelow, merge_order, name_of
from rulebook.compose.merged import MergedRules, declare, require_distinct
from rulebook.compose.orphan_hints import without_orphan_hints
from rulebook.compose.passages import CitationResolver
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spelling import nearest


def compose(files: tuple[s.File, ...], files_below: FilesBelow = ()) -> MergedRules:
    """Return the merged clauses of all files; the last file is the game to play.

    `files_below` contains, for each file, the indices of the files that it names. They
    determine which files are side by side.
    """
    resolver = CitationResolver()
    files = tuple(map(resolver.resolve_file, files))
    order = merge_order(files, files_below)
    files = tuple(files[position] for position in order)
    files_below = tuple(
        frozenset(map(order.index, files_below[position]))
        for position in order
        if files_below
    )
    merged = MergedRules(
        header=_complete_header(files), change_log=ChangeLog(files, files_below)
    )
    merged.diagnostics += resolver.diagnostics
    for number, file in enumerate(files):
        _merge_file(merged, number, file)
    _drop_base_scenarios(merged)
    _add_citations(merged)
    merged.clauses = without_orphan_hints(files, merged.header, merged.clauses)
    return merged


def amend(merged: MergedRules, file: s.File) -> MergedRules:
    """Return merged rules with the clauses and amendments of one more file.

    The file depends on all others. The given rules stay as they are, and the result has
    only the diagnostics of the file.
    """
    log = merged.change_log
    top = len(log.files)
    copies = {
        field.name: copy(getattr(merged, field.name))
        for field in attrs.fields(MergedRules)
    }
    copies["change_log"] = attrs.evolve(
        log,
        files=(*log.files, file),
        files_below=(*log.files_below, frozenset(range(top))),
        changes={key: [*changes] for key, changes in log.changes.items()},
        declarations={**log.declarations},
    )
    # the citations of the other files are part of their clauses already
    amended = MergedRules(**{**copies, "citations": [], "diagnostics": []})
    _merge_file(amended, top, file)
    _add_citations(amended)
    return amended


def _merge_file(merged: MergedRules, number: int, file: s.File) -> None:
    """Merge the clauses and amendments of a file, and record its mistakes."""
    merged.change_log.current_file = number
    if file.header is not None:
        _record_header_changes(merged, file.header)
    merge = _declare_theme_clause if is_theme(file) else _merge_clause
    for clause in file.clauses:
        try:
            merge(merged, clause)
        except AmendmentError as error:
            merged.diagnostics.append(error.diagnostic)


def _declare_theme_clause(
    merged: MergedRules, clause: s.Declaration | s.Amendment
) -> None:
    """Declare a clause of a theme, unless the game declares it; later themes win."""
    if not isinstance(clause, s.Clause):
        return
    key = address_of(clause)
    is_open = key in merged.open_addresses and key not in merged.replaced_clauses
    if key not in merged.clauses or is_open:
        merged.clauses[key] = clause
        merged.open_addresses.add(key)


def _drop_base_scenarios(merged: MergedRules) -> None:
    """Remove the scenarios of base games, which describe those games alone."""
    amended = merged.change_log.amended_files
    merged.clauses = {
        key: clause
        for key, clause in merged.clauses.items()
        if not isinstance(clause, s.ScenarioClause)
        or merged.change_log.declarations[key] not in amended
    }


def _record_header_changes(merged: MergedRules, header: s.Header) -> None:
    """Record the lines of a header as changes, so that conflicts are found."""
    lines = {
        "players": header.players,
        "seats": header.seats,
        "turns": header.turns,
        "rounds": header.rounds,
        "team": header.teams,
    }
    for word, value in lines.items():
        if value:
            try:
                merged.change_log.record_change(Address(word), header.span)
            except AmendmentError as error:
                merged.diagnostics.append(error.diagnostic)


def _complete_header(files: tuple[s.File, ...]) -> s.Header:
    """Return the last file's header, filled in from the headers of other files."""
    headers = [file.header for file in files if file.header is not None]
    top = headers[-1]
    players, seats, turns = top.players, top.seats, top.turns
    rounds, teams = top.rounds, top.teams
    sources: dict[str, s.Source] = {}
    for header in headers:
        sources |= {source.name.text: source for source in header.sources}
    for header in reversed(headers):
        seats = seats or header.seats
        teams = teams or header.teams
        if header.sort is s.FileSort.RULEBOOK:
            players = players or header.players
            turns = turns or header.turns
            rounds = rounds or header.rounds
    title = top.title
    if top.is_short:
        below = [
            lower.title for lower in headers[:-1] if lower.sort is s.FileSort.RULEBOOK
        ]
        title = f"{below[-1]} ({top.name.text})" if below else top.name.text
    return attrs.evolve(
        top,
        title=title,
        players=players,
        seats=seats,
        turns=turns,
        rounds=rounds,
        teams=teams,
        sources=tuple(sources.values()),
        lacks=tuple(name for header in headers for name in header.lacks),
    )


def _merge_clause(merged: MergedRules, clause: s.Declaration | s.Amendment) -> None:
    match clause:
        case s.Replace(clause=s.TurnClause() as new):
            require_distinct(addressed_parts(new))
            replace_turn(merged, new)
        case s.Replace(
            clause=s.WordsClause() | s.CitationsClause() | s.ColumnsClause()
        ):
            raise _missing_name_error(clause)
        case s.Replace(clause=new) if isinstance(new, s.Expectation):
            raise _missing_name_error(clause)
        case s.Replace(clause=new, cites=cites):
            require_distinct(addressed_parts(new))
            for part in addressed_parts(new):
                replace_clause(merged, attrs.evolve(part, cites=part.cites or cites))
        case s.Remove():
            remove_clause(merged, clause)
        case s.Within():
            apply_amendment(merged, clause)
        case s.WordsClause(language=None, sort=sort):
            raise amendment_error(
                "RB171",
                clause.span,
                "these texts have no language",
                f"write `{sort} LANGUAGE`, or put them into a file of that language",
            )
        case s.WordsClause():
            merged.words.append(clause)
        case s.ColumnsClause(name=name):
            key, old = find_table(merged.clauses, name)
            merged.change_log.record_change(
                key,
                name.span,
                [("column", column.text) for column in clause.table.columns[1:]],
                "columns",
            )
            merged.clauses[key] = add_columns(old, clause)
        case s.CitationsClause(lines=lines):
            merged.citations.extend(lines)
        case s.ScenarioClause(over=over) if over is not None:
            _declare_scenario(merged, clause, over)
        case _ if isinstance(clause, s.Expectation):
            _declare_expectation(merged, clause)
        case _:
            for part in addressed_parts(clause):
                declare(merged, part)


def _missing_name_error(clause: s.Replace) -> AmendmentError:
    return amendment_error(
        "RB161",
        clause.span,
        "this clause has no name, so it cannot be replaced",
        "remove `replace`: the content of this clause is always added",
    )


def _declare_expectation(merged: MergedRules, clause: s.Expectation) -> None:
    """Record an expectation, and declare its default clause if it has one."""
    merged.expectations.append(clause)
    default = default_of(clause)
    if default is not None and address_of(default) not in merged.clauses:
        declare(merged, default)
        merged.open_addresses.add(address_of(default))


def _declare_scenario(
    merged: MergedRules, clause: s.ScenarioClause, game: s.Name
) -> None:
    """Declare a scenario of a house rule if *game* is one of the merged files."""
    header = merged.change_log.files[merged.change_log.current_file].header
    if header is None or game not in header.over:
        raise amendment_error(
            "RB168",
            game.span,
            f"this file does not declare that it is over `{game.text}`",
            "name the game in the line `over` of the header",
        )
    if game.text in merged.change_log.file_names:
        declare(merged, clause)


# ---------------------------------------------------------------- citations


def _add_citations(merged: MergedRules) -> None:
    """Add the citations of `citations` clauses to the clauses they name.

    Citations of the last file come first, since it is the game that is played.
    """
    for line in merged.citations:
        name = line.path[0].text
        keys = [
            key for key in merged.clauses if name in (str(key.short), key.without_sort)
        ]
        if not keys:
            names = sorted({clause_id.without_sort for clause_id in merged.clauses})
            near = nearest(name, names)
            help = f"did you mean `{near}`?" if near else None
            merged.diagnostics.append(
                Diagnostic(
                    code="RB163",
                    message=f"there is no clause `{name}` to cite",
                    span=line.path[0].span,
                    help=help,
                )
            )
        for key in keys:
            _add_part_citation(merged, key, line)
        if line.library is not None and keys:
            _check_library_citation(merged, keys, line, line.library)


def _check_library_citation(
    merged: MergedRules, keys: list[Address], line: s.CiteLine, library: s.Name
) -> None:
    """Report a citation of a library clause that the library does not declare."""
    log = merged.change_log
    numbers = [n for n, file in enumerate(log.files) if name_of(file) == library.text]
    files = {number for n in numbers for number in (n, *log.dependencies_of(n))}
    if files & {log.declarations.get(key, -1) for key in keys}:
        return
    name = line.path[0]
    message = f"`{name.text}` is not declared in `{library.text}`"
    help = "write it below `citations`, or name the file that declares it"
    if not numbers:
        message = f"this game does not extend a file `{library.text}`"
        near = nearest(library.text, sorted(log.file_names))
        help = f"did you mean `{near}`?" if near else "name a file that it extends"
    span = name.span if numbers else library.span
    merged.diagnostics.append(Diagnostic("RB163", message, span, help))


def _add_part_citation(merged: MergedRules, key: Address, line: s.CiteLine) -> None:
    clause = merged.clauses[key]
    if len(line.path) == 1:
        old = tuple(cite for cite in clause.cites if cite not in line.cites)
        merged.clauses[key] = attrs.evolve(clause, cites=(*line.cites, *old))
        return
    lines = getattr(clause, "lines", None)
    part = line.path[1].text
    if not isinstance(lines, tuple):
        return
    changed = []
    for inner in lines:
        label = getattr(inner, "label", None)
        if label is not None and label.text == part:
            changed.append(attrs.evolve(inner, cites=(*line.cites, *inner.cites)))
        else:
            changed.append(inner)
    merged.clauses[key] = with_lines(clause, tuple(changed))
