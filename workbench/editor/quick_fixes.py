"""Quick fixes, inlay hints for option defaults, and lenses that run scenarios."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from interpreter import VerdictStatus, run_scenario
from rulebook import Address, Rulebook, has_errors
from rulebook.tooling import Sort
from workbench.editor.protocol import LensResult, ProtocolConverter
from workbench.editor.workspace import path_of

RUN_COMMAND = "rulebook.runScenario"
"""Name of the command that runs a scenario, given the file's URI and the title."""


def quick_fixes(
    converter: ProtocolConverter, path: Path, params: lsp.CodeActionParams
) -> list[lsp.CodeAction]:
    """Return the quick fixes for the diagnostics in a range of lines."""
    actions = []
    for diagnostic in converter.published_diagnostics(path):
        new = diagnostic.edit
        place = converter.range(diagnostic.span)
        outside = place.end < params.range.start or params.range.end < place.start
        if new is None or outside:
            continue
        title = converter.localizer.phrase("editor_cure", word=new)
        change = {converter.uri(path): [lsp.TextEdit(place, new)]}
        actions.append(
            lsp.CodeAction(
                title,
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[converter.diagnostic(diagnostic)],
                edit=lsp.WorkspaceEdit(changes=change),
                is_preferred=True,
            )
        )
    return actions


# ---------------------------------------------------------------- option defaults


def inlay_hints(
    converter: ProtocolConverter, path: Path, params: lsp.InlayHintParams
) -> list[lsp.InlayHint]:
    """Return inlay hints that show the default of each option where it is used."""
    hints = []
    for root in converter.space.roots(path)[:1]:
        table, book = converter.tables.table_of(root), converter.space.books.get(root)
        for use in table.uses.in_file(table.name_of(path)) if book else ():
            if use.thing.sort is not Sort.OPTION or use.whole is not None:
                continue
            end = converter.range(use.span).end
            value = default_of(book, use.thing.name) if book else None
            if value is not None and params.range.start <= end <= params.range.end:
                hints.append(lsp.InlayHint(end, f" = {value}"))
    return hints


def default_of(book: Rulebook, name: str) -> str | None:
    """Return the default of an option as rule text, or None."""
    option = book.options.get(name)
    if option is None:
        return None
    values = [book.text_at(value.span) for value, _ in option.default]
    return values[0] if len(values) == 1 else " / ".join(values)


# ---------------------------------------------------------------- scenarios


def _scenario_titles(book: Rulebook, path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the titles of the scenarios in a file, with their spans."""
    titles = {scenario.clause for scenario in book.model.scenarios}
    for address, clause in book.clauses.items():
        known = Address.parse(address)
        is_scenario = known.is_test and known.without_sort in titles
        if is_scenario and path_of(clause.span.file) == path:
            yield known.without_sort, clause.span


def code_lenses(
    converter: ProtocolConverter, path: Path, params: Any
) -> list[lsp.CodeLens]:
    """Return a code lens for each scenario, to run it or to show its result."""
    lenses = []
    for root in converter.space.roots(path)[:1]:
        book = converter.space.books.get(root)
        texts = converter.space.texts(root)
        for title, span in _scenario_titles(book, path) if book else ():
            ran = converter.results.get((path, title))
            known = ran.message if ran and ran.texts == texts else None
            label = known or converter.localizer.phrase("editor_run")
            command = lsp.Command(
                label, RUN_COMMAND, arguments=[converter.uri(path), title]
            )
            lenses.append(lsp.CodeLens(converter.range(span), command=command))
    return lenses


def run_open_scenario(
    converter: ProtocolConverter, path: Path, title: str
) -> LensResult:
    """Run a scenario with the current texts; return its result."""
    root = converter.space.roots(path)[0]
    return LensResult(converter.space.texts(root), _run_in_root(converter, root, title))


def _run_in_root(converter: ProtocolConverter, root: Path, title: str) -> str:
    mistakes = converter.space.check_and_store(root).values()
    book = converter.space.books.get(root)
    if book is None or has_errors(it for several in mistakes for it in several):
        return converter.localizer.phrase("editor_mistakes")
    message = converter.localizer.phrase("editor_gone")
    for scenario in book.model.scenarios:
        if scenario.clause == title:
            verdict = run_scenario(book, scenario)
            if verdict.status is not VerdictStatus.PASSED:
                return f"{verdict.line}: {verdict.message}"
            message = converter.localizer.phrase("editor_passed")
    return message
