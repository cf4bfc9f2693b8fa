"""Loading of rule files: parse, compose and check, in this order.

The diagnostics of a stage are collected and reported together, and the next stage
starts only without errors. There are two exceptions. Composing and checking both run,
so that one run shows the errors of both. If clauses cannot be parsed, the others are
checked for misspelt names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.check import check
from rulebook.check.looks.missing_texts import check_missing_texts
from rulebook.check.looks.texts import check_texts
from rulebook.compose import MergedRules, compose
from rulebook.compose.companions import (
    add_companion,
    companion_file_name,
    is_companion,
    missing_game_error,
)
from rulebook.compose.removals import move_to_removals
from rulebook.digests.digest import digest
from rulebook.disk_cache import DiskCache
from rulebook.loading import cached_book
from rulebook.loading.book import ClauseInfo, Rulebook, TextTable
from rulebook.loading.desk import Desk
from rulebook.loading.misspelt_names import misspelt_names
from rulebook.loading.theme_files import (
    is_theme,
    misplaced_clause_errors,
    reference_name,
    theme_file_name,
    wrong_theme_errors,
)
from rulebook.model.limits import Limits
from rulebook.parse import ERRORS_MAX, decode, parse
from rulebook.source.diagnostics import (
    Diagnostic,
    RulesError,
    Severity,
    has_errors,
    sort_diagnostics,
)
from rulebook.source.spans import NOWHERE, Span
from rulebook.source.spelling import nearest

MERGE_CONFLICT_CODE = "RB167"
"""Diagnostic code of a merge conflict; the merged rules are then not checked."""

SYNTAX_CODE_MAX = "RB049"
"""Last diagnostic code of syntax errors."""

Resolve = Callable[[str], str | None]


def load(
    path: str | Path,
    resolve: Resolve | None = None,
    limits: Limits | None = None,
) -> Rulebook:
    """Load the rulebook of a file.

    The names in `extends` and `board` stand for the file `NAME.rules` in the same
    folder, those in `theme` for `NAME.theme.rules`. If there is no such file,
    `resolve(name)` returns the text or None. If `resolve.known_names` contains the
    names that it finds, the error for an unknown name suggests the most similar of
    them. `limits` replaces the size limits.

    Raises:
        RulesError: with all diagnostics, if the rules contain a mistake.
        OSError: if the file cannot be read.
    """
    texts: dict[str, str] = {}
    book, diagnostics = examine(path, resolve, limits, texts=texts)
    if book is None:
        raise RulesError(diagnostics, texts)
    return book


def loads(
    text: str,
    name: str = "inline",
    resolve: Resolve | None = None,
    limits: Limits | None = None,
    *,
    shelf: DiskCache | None = None,
) -> Rulebook:
    """Return the rulebook of a text; `name` replaces its file name in diagnostics.

    With a cache `shelf`, the book is loaded from it if possible, or else stored in it.

    Raises:
        RulesError: with all diagnostics, if the rules contain a mistake.
    """
    reading = LoadedFiles(resolve=resolve)
    book, diagnostics = _load_book(reading, (text, name, None), limits, shelf)
    if book is None:
        raise RulesError(diagnostics, reading.texts)
    return book


def examine_text(
    text: str,
    name: str = "inline",
    resolve: Resolve | None = None,
    limits: Limits | None = None,
    *,
    folder: Path | None = None,
    texts: dict[str, str] | None = None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the rulebook of a text, or None, and its errors and warnings.

    `folder` is the folder in which the text's file would be. All texts that are read
    are added to `texts`, by the names of files in the diagnostics.
    """
    reading = LoadedFiles(resolve=resolve)
    book, diagnostics = _load_book(reading, (text, name, folder), limits)
    if texts is not None:
        texts |= reading.texts
    return book, diagnostics


def examine(
    path: str | Path,
    resolve: Resolve | None = None,
    limits: Limits | None = None,
    *,
    called: str | None = None,
    texts: dict[str, str] | None = None,
    shelf: DiskCache | None = None,
    desk: Desk | None = None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the rulebook of a file, or None, and its errors and warnings.

    Diagnostics name the file by its path, or by `called` if it is given. With `called`,
    `resolve` finds all files that the file depends on. All texts that are read are
    added to `texts`, by the names of files in the diagnostics. With a cache `shelf`,
    the book is loaded from it if possible, or else stored in it. With a `desk`, the
    texts open in an editor replace their files.
    """
    path = Path(path)
    file = called or str(path)
    reading = LoadedFiles(resolve=resolve, open_texts=desk or Desk())
    text = decode(reading.open_texts.read(path), file)
    if isinstance(text, Diagnostic):
        return None, (text,)
    first = text, file, None if called else path.parent
    book, diagnostics = _load_book(reading, first, limits, shelf)
    if texts is not None:
        texts |= reading.texts
    return book, diagnostics


def quick_check(
    path: str | Path, resolve: Resolve | None, desk: Desk, texts: dict[str, str]
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that `examine` finds before semantic checking.

    If they contain errors, `examine` finds misspelt names in addition, but nothing
    else. All texts that are read are added to `texts`.
    """
    path = Path(path)
    text = decode(desk.read(path), str(path))
    if isinstance(text, Diagnostic):
        return (text,)
    reading = LoadedFiles(resolve=resolve, open_texts=desk)
    reading.add_text(text, str(path), path.parent)
    texts |= reading.texts
    return _truncate(reading.diagnostics)


@attrs.define
class LoadedFiles:
    """Files loaded so far; each file comes after the files that it depends on."""

    resolve: Resolve | None = None
    open_texts: Desk = attrs.Factory(Desk)
    files: dict[str, s.File] = attrs.Factory(dict)
    texts: dict[str, str] = attrs.Factory(dict)
    diagnostics: list[Diagnostic] = attrs.Factory(list)
    open: list[str] = attrs.Factory(list)
    requested_names: set[str] = attrs.Factory(set)
    loaded_names: dict[str, str] = attrs.Factory(dict)
    names_by_file: dict[str, list[str]] = attrs.Factory(dict)
    requests: list[cached_book.FileRequest] = attrs.Factory(list)
    only_house_rules: bool = True
    """True if every file so far is a house rule without `extends`."""

    def add_text(self, text: str, file: str, folder: Path | None) -> None:
        """Parse a text and add its file, after the files that it depends on."""
        self.texts[file] = text
        parsed = parse(text, file, self.open_texts.keeper)
        self.diagnostics.extend(parsed.diagnostics)
        if parsed.file is None:
            return
        header = parsed.file.header
        complete = parsed.file
        self.diagnostics.extend(misplaced_clause_errors(complete))
        if header is not None:
            self.open.append(reference_name(header))
            self.requested_names.update(name.text for name in header.extends)
            below = self._game_below(header)
            self.only_house_rules = self.only_house_rules and bool(below)
            names = (*below, *header.extends, *header.boards)
            for name in names:
                self._add_name(name, folder)
            self.names_by_file[file] = [name.text for name in names]
            for name in header.companions:
                complete = self._with_companion(complete, header, name, folder)
            complete = self._with_themes(complete, file, folder)
            self.open.pop()
        self.files[file] = complete

    def _with_companion(
        self, game: s.File, header: s.Header, named: s.Name, folder: Path | None
    ) -> s.File:
        """Return a game merged with one of its companions, if the file exists."""
        name = companion_file_name(header, named)
        source = self._find_text(name, folder)
        if source is None:
            message = f"there is no file `{name}.rules`"
            help = "its content is ignored"
            self._report("RB169", named.span, message, help, "warning")
        if not isinstance(source, tuple):
            return game
        text, file, _ = source
        self.texts[file] = text
        parsed = parse(text, file, self.open_texts.keeper)
        self.diagnostics.extend(parsed.diagnostics)
        if parsed.file is None:
            return game
        merged, problems = add_companion(game, named, parsed.file)
        self.diagnostics.extend(problems)
        return merged

    def _with_themes(self, game: s.File, file: str, folder: Path | None) -> s.File:
        """Load the themes of a file; return the file with a list of missing themes.

        The themes are added before the file, like the files that it extends.
        """
        assert game.header is not None
        lacks = []
        for named in game.header.themes:
            name = s.Name(theme_file_name(named), span=named.span)
            if name.text not in self.loaded_names and name.text not in self.open:
                source = self._find_text(name.text, folder)
                if source is None:
                    lacks.append(named)
                    self._warn_missing_theme(named, folder)
                if not isinstance(source, tuple):
                    continue
            self._add_name(name, folder)
            self.names_by_file[file].append(name.text)
            theme = self.files.get(self.loaded_names.get(name.text, ""))
            self.diagnostics.extend(wrong_theme_errors(theme, named))
        return attrs.evolve(game, header=attrs.evolve(game.header, lacks=tuple(lacks)))

    def _warn_missing_theme(self, name: s.Name, folder: Path | None) -> None:
        """Warn about a missing theme; the rules are complete without it."""
        ending = theme_file_name(s.Name(""))
        stems = (
            [path.stem for path in folder.glob(f"*{ending}.rules")] if folder else []
        )
        known = [stem.removesuffix(ending) for stem in stems]
        near = nearest(
            name.text, sorted({*known, *getattr(self.resolve, "themes", ())})
        )
        help = f"did you mean `{near}`?" if near else "its drawings are ignored"
        message = f"there is no file `{theme_file_name(name)}.rules`"
        self._report("RB169", name.span, message, help, "warning")

    def _game_below(self, header: s.Header) -> tuple[s.Name, ...]:
        """Return the game that a house rule amends, as a tuple of at most one name.

        It is the first loaded game that `over` names, or else the first name.
        """
        loaded = [name for name in header.over if name.text in self.loaded_names]
        if loaded or not header.over:
            return tuple(loaded[:1])
        if not self.only_house_rules:
            games = " or ".join(f"`{name.text}`" for name in header.over)
            wanted = [name for name in header.over if name.text in self.requested_names]
            game = (*wanted, *header.over)[0].text
            self._error(
                "RB168",
                header.over[0].span.to(header.over[-1].span),
                f"`{header.name.text}` is a house rule for {games}, but is loaded "
                "without it",
                f"put the game first: `{game}+{header.name.text}`",
            )
            return ()
        return header.over[:1]

    @property
    def files_below(self) -> tuple[frozenset[int], ...]:
        """For each file, the indices of the files that it names.

        A file that names none depends on the game that was loaded before it.
        """
        numbers = {file: number for number, file in enumerate(self.files)}
        below = [
            {numbers[name] for name in self._referenced_names(file) if name in numbers}
            for file in self.files
        ]
        game = min(below[-1], default=0)
        for number, names in enumerate(below):
            if not names and number > game:
                names.add(game)
        return tuple(map(frozenset, below))

    def _referenced_names(self, file: str) -> list[str]:
        return [
            self.loaded_names.get(name, "") for name in self.names_by_file.get(file, ())
        ]

    def _add_name(self, name: s.Name, folder: Path | None) -> None:
        if name.text in self.open:
            chain = " -> ".join([*self.open[self.open.index(name.text) :], name.text])
            self._error("RB165", name.span, f"these files extend each other: {chain}")
            return
        if name.text in self.loaded_names:
            return
        source = self._find(name, folder)
        if source is None:
            return
        self.loaded_names[name.text] = source[1]
        self.add_text(*source)

    def _find(self, name: s.Name, folder: Path | None) -> cached_book.LoadedText | None:
        source = self._find_text(name.text, folder)
        if source is not None:
            return source if isinstance(source, tuple) else None
        stems = [path.stem for path in folder.glob("*.rules")] if folder else []
        near = nearest(
            name.text, sorted({*stems, *getattr(self.resolve, "known_names", ())})
        )
        help = f"did you mean `{near}`?" if near else None
        if help is None and self.resolve is None:
            help = "shipped rulebooks are found by `workbench.load`, not by `rulebook`"
        self._error("RB164", name.span, f"there is no file `{name.text}.rules`", help)
        return None

    def find_file(self, name: str, folder: Path | None) -> cached_book.FoundFile:
        """Return the name and digest of the requested file, or None if not found."""
        return _text_digest(self._search_text(name, folder))

    def _find_text(
        self, name: str, folder: Path | None
    ) -> cached_book.LoadedText | Diagnostic | None:
        """Return the text of `NAME.rules`, its file name and its folder.

        Return None if there is no such file. For an unreadable file, report an error
        and return it.
        """
        source = self._search_text(name, folder)
        self.requests.append(
            cached_book.file_request(name, folder, _text_digest(source))
        )
        if isinstance(source, Diagnostic):
            self.diagnostics.append(source)
        return source

    def _search_text(
        self, name: str, folder: Path | None
    ) -> cached_book.LoadedText | Diagnostic | None:
        path = None if folder is None else folder / f"{name}.rules"
        if path is not None and self.open_texts.holds(path):
            text = decode(self.open_texts.read(path), str(path))
            if isinstance(text, Diagnostic):
                return text
            return text, str(path), folder
        resolved = self.resolve(name) if self.resolve is not None else None
        return None if resolved is None else (resolved, f"{name}.rules", None)

    def _error(
        self, code: str, span: Span, message: str, help: str | None = None
    ) -> None:
        self._report(code, span, message, help, "error")

    def _report(
        self, code: str, span: Span, message: str, help: str | None, severity: Severity
    ) -> None:
        self.diagnostics.append(
            Diagnostic(code, message, span, help, severity=severity)
        )


def _text_digest(
    source: cached_book.LoadedText | Diagnostic | None,
) -> cached_book.FoundFile:
    """Return the name and digest of a found text, or None if it cannot be read."""
    return (
        cached_book.file_with_digest(*source[:2]) if isinstance(source, tuple) else None
    )


def _load_book(
    files: LoadedFiles,
    first_text: cached_book.LoadedText,
    limits: Limits | None,
    cache: DiskCache | None = None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the book of a first text, from the cache or by parsing and checking."""
    key = cached_book.cache_key(first_text, limits) if cache else ""
    book = cache and cached_book.cached_book(cache, key, files.find_file)
    if book:
        files.texts |= book.files
        return book, ()
    files.add_text(*first_text)
    book, diagnostics = _build_book(files, limits)
    if cache and book and not diagnostics:
        cached_book.store_book(cache, key, book, files.requests)
    return book, diagnostics


def _build_book(
    loaded: LoadedFiles, limits: Limits | None
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    files = tuple(loaded.files.values())
    diagnostics = list(loaded.diagnostics)
    if not files or files[-1].header is None or has_errors(diagnostics):
        if files and files[-1].header is None and not has_errors(diagnostics):
            name = list(loaded.files)[-1]
            span = attrs.evolve(NOWHERE, file=name)
            diagnostics.append(
                Diagnostic(
                    code="RB166",
                    message="this file has no header",
                    span=span,
                    help='begin with `rulebook NAME "Title"`',
                )
            )
        return None, _truncate([*diagnostics, *_misspelt_names(loaded, limits)])
    if is_companion(files[-1].header) or is_theme(files[-1].header):
        return None, _truncate([*diagnostics, missing_game_error(files[-1].header)])
    merged = compose(files, loaded.files_below)
    diagnostics += merged.diagnostics
    if any(diagnostic.code == MERGE_CONFLICT_CODE for diagnostic in merged.diagnostics):
        return None, _truncate(diagnostics)
    book, checked = _check_merged(merged, loaded.texts, diagnostics, limits)
    if book is None:
        return None, checked
    mistakes = check_texts(book.model, merged.words, merged.change_log.files)
    missing = check_missing_texts(book.model, merged.words, _own_files(files))
    diagnostics = [*checked, *mistakes, *missing]
    return None if has_errors(diagnostics) else book, _truncate(diagnostics)


def _own_files(files: Sequence[s.File]) -> frozenset[str]:
    """Return the names of the last file, which is the game's, and its companions."""
    game = files[-1].header
    return frozenset(
        file.span.file
        for file in files
        if file.header is not None
        and game is not None
        and file.header.name.text == game.name.text
    )


def _misspelt_names(loaded: LoadedFiles, limits: Limits | None) -> list[Diagnostic]:
    """Return the misspelt names in the clauses that could be parsed.

    If there are other errors than those of the syntax, there are none.
    """
    if any(each.code > SYNTAX_CODE_MAX for each in loaded.diagnostics):
        return []
    files = tuple(loaded.files.values())
    if len(files) < len(loaded.texts) or any(file.header is None for file in files):
        return []
    header = files[-1].header
    if header is None or is_companion(header) or is_theme(header):
        return []
    merged = compose(files, loaded.files_below)
    _, diagnostics = _check_merged(merged, loaded.texts, [], limits)
    return list(misspelt_names(diagnostics, loaded.diagnostics, loaded.texts))


def recheck(
    book: Rulebook,
    clauses: dict[Address, s.Clause],
    header: s.Header | None = None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the book with new clauses, or None on errors, and the diagnostics.

    The new clauses are checked in their order, with the limits of the book.
    """
    old = book.merged
    merged = attrs.evolve(old, clauses=clauses, header=header or old.header)
    checked, diagnostics = _check_merged(merged, book.files, [], book.limits)
    return checked and attrs.evolve(checked, shipped=book.shipped), diagnostics


def _check_merged(
    merged: MergedRules,
    texts: dict[str, str],
    diagnostics: list[Diagnostic],
    limits: Limits | None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    model, more = check(
        merged.header, merged.clauses, tuple(merged.expectations), limits, texts
    )
    diagnostics = [*diagnostics, *move_to_removals(merged.removed_names, more)]
    if model is None or has_errors(diagnostics):
        return None, _truncate(diagnostics)
    header = merged.header
    players = header.players or (2, 4)
    seats = model.domains["player"].members
    book = Rulebook(
        name=header.name.text,
        title=header.title,
        digest=digest(model, players, seats),
        players=players,
        seats=seats,
        model=model,
        files=texts,
        sources={source.name.text: source.text for source in header.sources},
        languages={
            source.name.text: source.language.text
            for source in header.sources
            if source.language is not None
        },
        words=_texts_by_path(merged, s.TextSort.WORDS),
        questions=_texts_by_path(merged, s.TextSort.QUESTIONS),
        reports=_texts_by_path(merged, s.TextSort.REPORTS),
        over=tuple(name.text for name in merged.header.over),
        limits=limits or Limits(),
        clauses={
            str(key): ClauseInfo(str(key), clause, merged.replaced_clauses.get(key, ()))
            for key, clause in merged.clauses.items()
        },
        merged=merged,
    )
    return book, _truncate(diagnostics)


def _truncate(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics in order, truncated to a maximum number."""
    ordered = sort_diagnostics(diagnostics)
    if len(ordered) <= ERRORS_MAX + 1:
        return ordered
    more = f"more than {ERRORS_MAX} errors: the others are not shown"
    last = Diagnostic("RB006", more, ordered[ERRORS_MAX].span)
    return (*ordered[:ERRORS_MAX], last)


def _texts_by_path(merged: MergedRules, sort: s.TextSort) -> TextTable:
    """Return the texts of one sort, by language and dotted path."""
    words: TextTable = {}
    for clause in merged.words:
        if clause.sort is not sort:
            continue
        assert clause.language is not None
        texts = words.setdefault(clause.language.text, {})
        for line in clause.lines:
            texts[".".join(name.text for name in line.path)] = line.texts
    return words


__all__ = ["examine", "examine_text", "load", "loads", "quick_check", "recheck"]
