"""Tables of examples: one scenario per row, with column names replaced by cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.check.typing.visible_names import BUILTIN_NAMES
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span
from rulebook.traversal import find, rewrite
from rulebook.write.table_text import cell as written

CELL_CONVERSIONS: dict[s.CellForm, Callable[[Any, Span], s.Expr]] = {
    s.CellForm.NUMBER: lambda value, span: (
        s.Negate(s.Number(-value, span=span), span=span)
        if value < 0
        else s.Number(value, span=span)
    ),
    s.CellForm.YES_NO: lambda value, span: s.YesNo(value, span=span),
    s.CellForm.EMPTY: lambda value, span: s.NoneValue(span=span),
    s.CellForm.NOTHING: lambda value, span: s.Nothing(span=span),
    s.CellForm.LINK: lambda value, span: value,
    s.CellForm.BAG: lambda value, span: value,
}
"""Functions that convert a cell's value to an expression, by form (except names)."""

NAMES, TEXT = s.CellForm.NAME, s.CellForm.TEXT
Cells = Mapping[str, s.Cell]


@attrs.frozen
class Example:
    """Scenario made from one row of examples, with the row's span and text."""

    clause: s.ScenarioClause
    row: Span | None = None
    row_text: str = ""

    @property
    def title(self) -> str:
        """Title of the scenario, including the text of its row."""
        title = self.clause.title
        return f"{title} ({self.row_text})" if self.row_text else title


def expand_examples(
    world: SymbolTable, clause: s.ScenarioClause
) -> tuple[Example, ...]:
    """Return the scenarios of a clause: one per row, or one if it has no table."""
    table = clause.examples
    if table is None:
        return (Example(clause),)
    if not table.rows:
        raise mistake(
            *("RB022", table.span, "this table of examples has no rows"),
            "add a row below the column names; each row is a scenario",
        )
    used_names = {name.text for name in find((clause.steps, clause.players), s.Name)}
    for number, column in enumerate(table.columns):
        cells = [row.cells[number] for row in table.rows]
        with world.collect_errors(column.text):
            _check_column(world, column, cells, used_names)
    made: dict[str, Example] = {}
    for row in table.rows:
        with world.collect_errors():
            example = _example(clause, table, row)
            first = made.setdefault(example.row_text, example)
            if first is not example and first.row is not None:
                message = "this row repeats another row"
                raise mistake(
                    *("RB024", row.span, message, "remove one of them"),
                    ((first.row, "the other row"),),
                )
    return tuple(made.values())


def _check_column(
    world: SymbolTable,
    column: s.Name,
    cells: Sequence[s.Cell],
    used_names: Iterable[str],
) -> None:
    """Check that a column's name is new and is used in the scenario.

    A column of texts only labels the rows and need not be used.
    """
    if column.text in _declared_names(world):
        raise mistake(
            *(
                "RB102",
                column.span,
                f"`{column.text}` is already a name in these rules",
            ),
            "choose an unused name for the column",
        )
    texts = [cell for cell in cells if cell.form is TEXT]
    if column.text not in used_names and len(texts) < len(cells):
        raise mistake(
            *("RB149", column.span, f"no line of the scenario uses `{column.text}`"),
            "use it in a line of the scenario, or remove the column",
        )
    if column.text in used_names and texts:
        raise mistake(
            *("RB110", texts[0].span, "a text only names its row and is not a value"),
            "write the value for the scenario: a name, a number, cards or a link",
        )


def _declared_names(world: SymbolTable) -> set[str]:
    """Return the names that the rules declare or that are built in."""
    fields = {field.name for field in world.fields.values()}
    return fields.union(
        *(world.words, world.members, world.pieces, world.piece_words),
        *(world.options, world.defines, world.action_signatures, world.phases),
        *(world.awards, world.procedures, world.dice, BUILTIN_NAMES, ("points",)),
    )


def _example(clause: s.ScenarioClause, table: s.Table, row: s.Row) -> Example:
    """Return the scenario for a row of the table."""
    cells = {
        column.text: cell
        for column, cell in zip(table.columns, row.cells, strict=True)
        if cell.form is not TEXT
    }
    texts = [str(cell.value) for cell in row.cells if cell.form is TEXT]
    row_text = ", ".join(texts or map(written, row.cells))
    change = partial(_substitute_cells, cells)
    steps, players = rewrite(clause.steps, change), rewrite(clause.players, change)
    for name in find((steps, players), s.Name):
        if name.text in cells and name.span != cells[name.text].span:
            raise mistake(
                *("RB110", cells[name.text].span, "the scenario needs a name here"),
                "write a name in this column",
                ((name.span, f"`{name.text}` is used here"),),
            )
    changed = attrs.evolve(clause, steps=steps, players=players)
    return Example(changed, row.span, row_text)


def _substitute_cells(cells: Cells, node: Any) -> Any:
    """Return a node, or the value of the row's cell if the node is a column's name.

    The children of the node have been replaced already.
    """
    match node:
        case s.Name(text=text) if text in cells and cells[text].form is NAMES:
            return cells[text].value
        case s.NameRef(name=name) if name.text in cells:
            return _value(cells[name.text])
        case s.NameRef(name=name) if any(name is cell.value for cell in cells.values()):
            return attrs.evolve(node, span=name.span)
        case s.WholeHolding(value=s.Amounts(amounts=amounts)):
            return tuple(map(_cards_of_cell, amounts))
    return node


def _value(cell: s.Cell) -> s.Expr:
    """Convert a table cell to an expression."""
    if cell.form is NAMES:
        return s.NameRef(cell.value, span=cell.span)
    if cell.form not in CELL_CONVERSIONS:
        raise mistake(
            *("RB110", cell.span, "a cell of examples must hold a single value"),
            "write a name, a number, `yes` or `no`, a link, or cards: `2 wood, 1 clay`",
        )
    return CELL_CONVERSIONS[cell.form](cell.value, cell.span)


def _cards_of_cell(amount: s.Amount) -> s.SomeOf:
    """Return the cards of a cell as a `move` statement would name them."""
    count = s.Number(amount.count, span=amount.span)
    return s.SomeOf(count, s.NameRef(amount.name, span=amount.span), span=amount.span)


def check_rows(
    world: SymbolTable, rows: Sequence[Example], check: Callable[[Example], Any]
) -> Iterator[Any]:
    """Yield *check* of each row; an error that only some rows cause names its row."""
    before = len(world.diagnostics)
    mistakes: dict[Diagnostic, Example] = {}
    times: Counter[Diagnostic] = Counter()
    for row in rows:
        with world.collect_errors():
            yield check(row)
        new = world.diagnostics[before:]
        del world.diagnostics[before:]
        times.update(dict.fromkeys(new, 1))
        mistakes = {**dict.fromkeys(new, row), **mistakes}
    world.diagnostics += [
        diagnostic if times[diagnostic] == len(rows) else _with_row(diagnostic, row)
        for diagnostic, row in mistakes.items()
    ]


def _with_row(diagnostic: Diagnostic, example: Example) -> Diagnostic:
    """Add the row's text to a diagnostic, unless its span is in that row."""
    row, span = example.row, diagnostic.span
    if row is None or (row.file, row.line) == (span.file, span.line):
        return diagnostic
    related = (*diagnostic.related, (row, "in this row of the examples"))
    return attrs.evolve(diagnostic, related=related)
