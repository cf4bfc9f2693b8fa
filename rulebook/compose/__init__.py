"""Composition: files laid over one another give one list of clauses.

Libraries come first, then what extends them. A clause is declared once; a later file
changes it by `replace`, `remove` or `in …`. Every clause keeps what it replaced.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulebook import syntax as s
from rulebook.compose.clause_ids import SORTS, address, flatten, short
from rulebook.compose.columns import tabled, widened
from rulebook.compose.defaults import default_of
from rulebook.compose.edit_paths import in_words, parts
from rulebook.compose.edits import Refused, apply_edit, refused, with_lines
from rulebook.compose.merge_conflicts import Below, Siblings, laying_order, name_of
from rulebook.compose.orphan_hints import without_stale_hints
from rulebook.compose.passages import Sections
from rulebook.compose.removals import taken_by
from rulebook.compose.themes import hints_of, in_row, is_theme, thing
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Cite, Span
from rulebook.source.spelling import nearest


@attrs.define
class Merged:
    """The clauses in order by address, and what was found while merging."""

    header: s.Header
    siblings: Siblings
    clauses: dict[str, s.Clause] = attrs.Factory(dict)
    expectations: list[s.Expectation] = attrs.Factory(list)
    left_open: set[str] = attrs.Factory(set)
    words: list[s.WordsClause] = attrs.Factory(list)
    citations: list[s.CiteLine] = attrs.Factory(list)
    replaced: dict[str, tuple[s.Clause, ...]] = attrs.Factory(dict)
    taken: dict[str, s.Name] = attrs.Factory(dict)
    diagnostics: list[Diagnostic] = attrs.Factory(list)


def compose(files: tuple[s.File, ...], below: Below = ()) -> Merged:
    """Return the clauses of all files, the last file being what is played.

    `below` says which files each one names, so that those side by side are known.
    """
    sections = Sections()
    files = tuple(map(sections.plain, files))
    order = laying_order(files, below)
    files = tuple(files[one] for one in order)
    below = tuple(frozenset(map(order.index, below[one])) for one in order if below)
    merged = Merged(header=_header(files), siblings=Siblings(files, below))
    merged.diagnostics += sections.diagnostics
    for number, file in enumerate(files):
        merged.siblings.current = number
        if file.header is not None:
            _touch_header(merged, file.header)
        lay = _lay_theme if is_theme(file) else _lay
        for clause in file.clauses:
            try:
                lay(merged, clause)
            except Refused as error:
                merged.diagnostics.append(error.diagnostic)
    _leave_scenarios(merged)
    _cite(merged)
    merged.clauses = without_stale_hints(files, merged.header, merged.clauses)
    return merged


def _lay_theme(merged: Merged, clause: s.Declaration | s.Amendment) -> None:
    """What a theme says holds where no game says it; a later theme goes before."""
    if not isinstance(clause, s.Clause):
        return
    key = address(clause)
    is_open = key in merged.left_open and key not in merged.replaced
    if key not in merged.clauses or is_open:
        merged.clauses[key] = clause
        merged.left_open.add(key)


def _leave_scenarios(merged: Merged) -> None:
    """The scenarios of a game are about the game without house rules."""
    under = merged.siblings.under
    merged.clauses = {
        key: clause
        for key, clause in merged.clauses.items()
        if not isinstance(clause, s.ScenarioClause)
        or merged.siblings.declared[key] not in under
    }


def _touch_header(merged: Merged, header: s.Header) -> None:
    """What a header says of the game is changed as clauses are."""
    said = {
        "players": header.players,
        "seats": header.seats,
        "turns": header.turns,
        "rounds": header.rounds,
        "team": header.teams,
    }
    for word, value in said.items():
        if value:
            try:
                merged.siblings.touch(word, header.span)
            except Refused as error:
                merged.diagnostics.append(error.diagnostic)


def _header(files: tuple[s.File, ...]) -> s.Header:
    """The last file's header, with what it leaves out from the files below it."""
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
        if header.sort == "rulebook":
            players = players or header.players
            turns = turns or header.turns
            rounds = rounds or header.rounds
    title = top.title
    if top.is_short:
        below = [one.title for one in headers[:-1] if one.sort == "rulebook"]
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


def _lay(merged: Merged, clause: s.Declaration | s.Amendment) -> None:
    match clause:
        case s.Replace(clause=s.TurnClause() as new):
            _differ(flatten(new))
            _replace_turn(merged, new)
        case s.Replace(
            clause=s.WordsClause() | s.CitationsClause() | s.ColumnsClause()
        ):
            raise _nameless(clause)
        case s.Replace(clause=new) if isinstance(new, s.Expectation):
            raise _nameless(clause)
        case s.Replace(clause=new, cites=cites):
            _differ(flatten(new))
            for one in flatten(new):
                _replace(merged, attrs.evolve(one, cites=one.cites or cites), clause)
        case s.Remove():
            _remove(merged, clause)
        case s.Within():
            _within(merged, clause)
        case s.WordsClause(language=None):
            raise refused(
                "RB171",
                clause.span,
                "these words do not say of which language they are",
                "write `words LANGUAGE`, or put them into a file of that language",
            )
        case s.WordsClause():
            merged.words.append(clause)
        case s.ColumnsClause(name=name):
            key, old = tabled(merged.clauses, name)
            merged.siblings.touch(
                key,
                name.span,
                [("column", one.text) for one in clause.table.columns[1:]],
                "columns",
            )
            merged.clauses[key] = widened(old, clause)
        case s.CitationsClause(lines=lines):
            merged.citations.extend(lines)
        case s.ScenarioClause(over=over) if over is not None:
            _declare_for(merged, clause, over)
        case _ if isinstance(clause, s.Expectation):
            _expect(merged, clause)
        case _:
            for one in flatten(clause):
                _declare(merged, one)


def _nameless(clause: s.Replace) -> Refused:
    return refused(
        "RB161",
        clause.span,
        "this clause has no name by which it could be replaced",
        "write it without `replace`: what it says is added",
    )


def _expect(merged: Merged, clause: s.Expectation) -> None:
    """Note what is expected; a default holds until somebody says it."""
    merged.expectations.append(clause)
    default = default_of(clause)
    if default is not None and address(default) not in merged.clauses:
        _declare(merged, default)
        merged.left_open.add(address(default))


def _declare(merged: Merged, clause: s.Clause) -> None:
    key, place = address(clause), _name_span(clause)
    if key in merged.left_open:
        merged.left_open.remove(key)
        merged.siblings.touch(key, place)
        merged.siblings.declared[key] = merged.siblings.current
        merged.clauses[key] = clause
        return
    old = _name_span(merged.clauses[key]) if key in merged.clauses else None
    merged.siblings.declare(key, place, old)
    if old is not None:
        raise _twice(key, clause, old)
    merged.clauses[key] = clause


def _differ(clauses: Iterable[s.Clause]) -> None:
    """See that one clause does not put two things into one place."""
    seen: dict[str, s.Clause] = {}
    for clause in clauses:
        first = seen.setdefault(address(clause), clause)
        if first is not clause:
            raise _twice(address(clause), clause, _name_span(first))


def _twice(key: str, clause: s.Clause, old: Span) -> Refused:
    place = _name_span(clause)
    return refused(
        "RB102",
        place,
        f"{_said(key, clause)} is declared twice",
        _cure_of_twice(key, clause, same_file=old.file == place.file),
        ((old, "first declared here"),),
    )


def _said(key: str, clause: s.Clause) -> str:
    """Return how a message calls a clause: by its sort and its name."""
    sort, _, name = short(key).partition(".")
    if isinstance(clause, s.FieldsClause):
        sort = "field"
    return f"{sort} `{name}`" if name else f"`{sort}`"


def _cure_of_twice(key: str, clause: s.Clause, *, same_file: bool) -> str:
    if same_file:
        return "give one of them another name, or delete it"
    if isinstance(clause, s.Phase):
        return f"write `in phase {clause.name.text}` to change it, or `replace turn`"
    if not isinstance(clause, s.FieldsClause):
        return "write `replace` before it to put it in the place of the other one"
    owner = f"each {clause.owner.text}" if clause.owner else "game"
    name = clause.fields[0].name.text
    return f"write `in {owner}`, and below it `replace field {name}: …`"


def _declare_for(merged: Merged, clause: s.ScenarioClause, game: s.Name) -> None:
    """Declare what a house rule shows over one of its games, where this is the game."""
    header = merged.siblings.files[merged.siblings.current].header
    if header is None or game not in header.over:
        raise refused(
            "RB168",
            game.span,
            f"this file does not say that it is laid over `{game.text}`",
            "name the game in the line `over` of the header",
        )
    if game.text in merged.siblings.names:
        _declare(merged, clause)


def _name_span(clause: s.Clause) -> Span:
    name = getattr(clause, "name", None)
    if isinstance(clause, s.FieldsClause):
        name = clause.fields[0].name
    if isinstance(clause, s.DefineClause):
        name = clause.signature.name
    return name.span if isinstance(name, s.Name) else clause.span


_LISTED_MAX = 12
"""Most names that a message lists where none is near."""


def unknown_clause(merged: Merged, key: str, span: Span) -> Refused:
    """Return the error for an amendment of a clause that is not there."""
    sort, _, name = short(key).partition(".")
    names = {short(one) for one in merged.clauses}
    same = sorted(one.partition(".")[2] for one in names if one.startswith(f"{sort}."))
    exact = [one for one in sorted(names) if one.partition(".")[2] == name]
    near = nearest(name, same)
    near = near or nearest(name, sorted(one.partition(".")[2] for one in names))
    help: str | None = None
    if exact:
        help = f"there is `{exact[0].replace('.', ' ')}`"
    elif near is not None:
        help = f"did you mean `{near}`?"
    elif 0 < len(same) <= _LISTED_MAX:
        help = f"there are {', '.join(f'`{sort} {one}`' for one in same)}"
    return refused(
        "RB163", span, f"there is no clause `{short(key).replace('.', ' ')}`", help
    )


def _replace(merged: Merged, clause: s.Clause, amendment: s.Replace) -> None:
    key = address(clause)
    if key not in merged.clauses and isinstance(clause, s.DefineClause):
        key = _define_key(merged, clause, key)
    merged.siblings.touch(key, _name_span(clause))
    if key not in merged.clauses:
        raise unknown_clause(merged, key, _name_span(clause))
    old = merged.clauses[key]
    if isinstance(clause, s.OptionClause) and isinstance(old, s.OptionClause):
        clause = _option(clause, old)
    if isinstance(clause, s.DefineClause) and isinstance(old, s.DefineClause):
        clause = _typed_define(clause, old)
    merged.clauses[key] = clause
    _note(merged, key, old)


def _replace_turn(merged: Merged, turn: s.TurnClause) -> None:
    """Put other phases in the place of all there are."""
    phases = {address(one): one for one in flatten(turn)}
    merged.siblings.touch("turn", turn.span)
    kept: dict[str, s.Clause] = {}
    for key, clause in merged.clauses.items():
        if isinstance(clause, s.Phase):
            merged.siblings.touch(key, turn.span)
            kept |= phases
            first = next(iter(phases))
            _note(merged, key if key in phases else first, clause)
        else:
            kept[key] = clause
    if not any(key in kept for key in phases):
        raise unknown_clause(merged, next(iter(phases)), turn.span)
    merged.clauses = kept


def _define_key(merged: Merged, clause: s.DefineClause, key: str) -> str:
    """Return the address of the only define with the name, if there is one."""
    same = [one for one in merged.clauses if short(one) == short(key)]
    return same[0] if len(same) == 1 else key


def _option(new: s.OptionClause, old: s.OptionClause) -> s.OptionClause:
    """Keep the range and help that the new option does not give."""
    range_ = new.range
    yes_no = all(isinstance(value, s.YesNo) for value, _ in new.default)
    if range_ is None and not yes_no:
        range_ = old.range
    return attrs.evolve(new, range=range_, help=new.help or old.help)


def _typed_define(new: s.DefineClause, old: s.DefineClause) -> s.DefineClause:
    """Keep the type that the new signature does not give."""
    match new.signature, old.signature:
        case (
            s.PropertySignature() | s.ValueSignature() as mine,
            s.PropertySignature() | s.ValueSignature() as theirs,
        ) if mine.type is None:
            return attrs.evolve(new, signature=attrs.evolve(mine, type=theirs.type))
    return new


def _note(merged: Merged, key: str, old: s.Clause) -> None:
    merged.replaced[key] = (*merged.replaced.get(key, ()), old)


def _remove(merged: Merged, clause: s.Remove) -> None:
    if clause.sort == "look":
        _remove_look(merged, clause)
        return
    if clause.sort in ("scenario", "invariant"):
        key = f'{clause.sort} "{clause.name.text}"'
    else:
        key = _find(merged, f"{clause.sort}.{clause.name.text}")
    merged.siblings.touch(key, clause.name.span)
    if key not in merged.clauses:
        raise unknown_clause(merged, key, clause.name.span)
    merged.taken |= taken_by(clause, merged.clauses.pop(key))


def _remove_look(merged: Merged, clause: s.Remove) -> None:
    """Take away all that is said of how one thing looks."""
    keys = in_row(merged.clauses, clause.name.text)
    if not keys:
        raise unknown_look(merged, clause.name)
    for key in keys:
        merged.siblings.touch(key, clause.name.span)
        del merged.clauses[key]


def unknown_look(merged: Merged, name: s.Name) -> Refused:
    """Return the error for the look of a thing of which none is said."""
    things = [thing(one).text for one in hints_of(merged.clauses)]
    near = nearest(name.text, sorted(set(things)))
    help = f"did you mean `{near}`?" if near else None
    message = f"nothing is said of how `{name.text}` looks"
    return refused("RB163", name.span, message, help)


def _find(merged: Merged, key: str) -> str:
    """Return the full address of a short one, if exactly one clause has it."""
    same = [one for one in merged.clauses if short(one) == key]
    return same[0] if len(same) == 1 else key


def _within(merged: Merged, clause: s.Within) -> None:
    for edit in clause.edits:
        try:
            if edit.part == "phase":
                _add_phase(merged, edit)
            elif edit.part == "field":
                _edit_field(merged, clause, edit)
            else:
                _edit_clause(merged, clause, edit)
        except Refused as error:
            merged.diagnostics.append(error.diagnostic)


def _edit_clause(merged: Merged, clause: s.Within, edit: s.Edit) -> None:
    span = clause.name.span if clause.name else clause.span
    key = clause.sort if clause.name is None else f"{clause.sort}.{clause.name.text}"
    key = _find(merged, key)
    found = parts(merged.clauses.get(key), edit)
    merged.siblings.touch(key, edit.span, found, in_words(edit))
    if key not in merged.clauses:
        raise unknown_clause(merged, key, span)
    old = merged.clauses[key]
    edit = _cited(edit, clause.cites)
    merged.clauses[key] = apply_edit(old, edit)
    _note(merged, key, old)
    merged.taken |= taken_by(edit)


def _cited(edit: s.Edit, cites: tuple[Cite, ...]) -> s.Edit:
    """An edit's content without citations inherits those of the amendment."""
    content = edit.content
    if isinstance(content, s.Clause) and not content.cites:
        return attrs.evolve(edit, content=attrs.evolve(content, cites=cites))
    return edit


def _edit_field(merged: Merged, clause: s.Within, edit: s.Edit) -> None:
    assert edit.name is not None
    owner = clause.name if clause.sort == "each" else None
    key = f"{owner.text if owner else 'game'}.{edit.name.text}"
    if edit.verb == "add":
        assert isinstance(edit.content, s.Field)
        new = s.FieldsClause(owner=owner, fields=(edit.content,), span=edit.span)
        _declare(merged, new)
        return
    merged.siblings.touch(key, edit.span)
    if key not in merged.clauses:
        raise unknown_clause(merged, key, edit.name.span)
    old = merged.clauses[key]
    _note(merged, key, old)
    if edit.verb == "remove":
        del merged.clauses[key]
        merged.taken |= taken_by(edit)
    else:
        assert isinstance(old, s.FieldsClause) and isinstance(edit.content, s.Field)
        merged.clauses[key] = attrs.evolve(old, fields=(edit.content,))


def _add_phase(merged: Merged, edit: s.Edit) -> None:
    assert edit.anchor is not None and isinstance(edit.content, s.Phase)
    anchor = f"phase.{edit.anchor.text}"
    beside = f"{edit.where} {edit.anchor.text}"
    merged.siblings.touch("turn", edit.span, [("phase", beside)], in_words(edit))
    merged.siblings.touch(anchor, edit.span, [("beside", beside)], in_words(edit))
    if anchor not in merged.clauses:
        raise unknown_clause(merged, anchor, edit.anchor.span)
    key = address(edit.content)
    if key in merged.clauses:
        _declare(merged, edit.content)
    items: list[tuple[str, s.Clause]] = []
    for name, one in merged.clauses.items():
        pair = [(name, one)]
        if name == anchor:
            new = [(key, edit.content)]
            pair = [*new, *pair] if edit.where == "before" else [*pair, *new]
        items.extend(pair)
    merged.clauses = dict(items)


# ---------------------------------------------------------------- citations


def _cite(merged: Merged) -> None:
    """Give clauses the citations that a `citations` block says of them.

    What the file says that was laid last comes first: it is the text of what is played.
    """
    for line in merged.citations:
        name = line.path[0].text
        keys = [
            key
            for key in merged.clauses
            if short(key) == name or short(key).partition(".")[2] == name
        ]
        if not keys:
            names = sorted({short(one).partition(".")[2] for one in merged.clauses})
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
            _cite_part(merged, key, line)
        if line.library is not None and keys:
            _expect_in(merged, keys, line, line.library)


def _expect_in(
    merged: Merged, keys: list[str], line: s.CiteLine, library: s.Name
) -> None:
    """What is as in a library must stand in it, or in what it rests on."""
    siblings = merged.siblings
    numbers = [
        n for n, one in enumerate(siblings.files) if name_of(one) == library.text
    ]
    said = {one for n in numbers for one in (n, *siblings.rests(n))}
    if said & {siblings.declared.get(key, -1) for key in keys}:
        return
    name = line.path[0]
    message = f"`{name.text}` is not declared in `{library.text}`"
    help = "write it below `citations`, or name the file that declares it"
    if not numbers:
        message = f"this game does not rest on a file `{library.text}`"
        near = nearest(library.text, sorted(siblings.names))
        help = f"did you mean `{near}`?" if near else "name a file that it extends"
    span = name.span if numbers else library.span
    merged.diagnostics.append(Diagnostic("RB163", message, span, help))


def _cite_part(merged: Merged, key: str, line: s.CiteLine) -> None:
    clause = merged.clauses[key]
    if len(line.path) == 1:
        old = tuple(one for one in clause.cites if one not in line.cites)
        merged.clauses[key] = attrs.evolve(clause, cites=(*line.cites, *old))
        return
    lines = getattr(clause, "lines", None)
    part = line.path[1].text
    if not isinstance(lines, tuple):
        return
    changed = []
    for one in lines:
        label = getattr(one, "label", None)
        if label is not None and label.text == part:
            changed.append(attrs.evolve(one, cites=(*line.cites, *one.cites)))
        else:
            changed.append(one)
    merged.clauses[key] = with_lines(clause, tuple(changed))


__all__ = ["SORTS", "Merged", "address", "compose", "short"]
