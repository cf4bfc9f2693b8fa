"""Numbers and tables in reports on an economy."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from workbench.analysis.economy.examination import SavingTime
from workbench.analysis.economy.probes.income_probe import Income
from workbench.analysis.economy.valuation.prices import Price
from workbench.cli.frame.output import write_table
from workbench.presentation.localization.localizer import Localizer, without_gaps

MAX_TABLE_WIDTH = 80
"""Maximum width of a table in terminal cells; wider tables are split into blocks."""


def total_cards(income: Income) -> Fraction:
    """Return the number of cards of all kinds that an income yields per turn."""
    return sum(income.values(), Fraction())


def amount_text(value: Fraction) -> str:
    """Return a number of cards as text, with one decimal unless it is whole."""
    return str(value) if value.denominator == 1 else f"{float(value):.1f}"


def percent_text(value: Fraction) -> str:
    """Return a share, from 0 to 1, as a percentage with one decimal."""
    return f"{100 * float(value):.1f} %"


def wait_text(wait: SavingTime, *, show_both: bool) -> str:
    """Return a saving time in turns; *show_both* adds the time without exchanges."""
    if not wait.known:
        return "?"
    first, second = (
        turns_text(it)
        for it in (wait.turns_with_exchanges, wait.turns_without_exchanges)
    )
    return f"{first} ({second})" if show_both else first


def turns_text(value: float | None) -> str:
    """Return a mean number of turns as text, with `never` for None."""
    return "never" if value is None else f"{value:.1f}"


def purchase_name(price: Price, localizer: Localizer) -> str:
    """Return the name of the card or action that a price pays for."""
    return without_gaps(localizer.title(price.card or price.action))


def cards_text(cards: Mapping[str, int], localizer: Localizer) -> str:
    """Return the number of cards of each kind in words."""
    return ", ".join(f"{n} {localizer.value(kind)}" for kind, n in cards.items())


def split_labels(labels: Sequence[str]) -> tuple[str, list[str]]:
    """Return the words that all labels start with, and the rest of each label."""
    words = [label.split() for label in labels]
    size = 0
    if len(labels) > 1:
        while all(len(it) > size + 1 and it[size] == words[0][size] for it in words):
            size += 1
    shared = "".join(f"{word} " for word in words[0][:size])
    return shared, [" ".join(it[size:]) for it in words]


def write_blocks(
    name_heading: str,
    names: Sequence[str],
    column_heads: Sequence[str],
    cells: Sequence[Sequence[str]],
) -> None:
    """Write a table with a row for each name, split into blocks of columns that fit."""
    width = MAX_TABLE_WIDTH - 2 - max(map(len, (name_heading, *names)))
    widths = [
        2 + max(len(head), *(len(row[n]) for row in cells))
        for n, head in enumerate(column_heads)
    ]
    for start, end in fitting_columns(widths, width):
        rows = [(name, *row[start:end]) for name, row in zip(names, cells, strict=True)]
        right_aligned = range(1, 1 + end - start)
        write_table(
            rows,
            headings=(name_heading, *column_heads[start:end]),
            right_aligned=right_aligned,
            indent=2,
        )


def fitting_columns(widths: Sequence[int], width: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of column ranges that fit into *width*, none of them empty."""
    start = 0
    while start < len(widths):
        end = start + 1
        while end < len(widths) and sum(widths[start : end + 1]) <= width:
            end += 1
        yield start, end
        start = end
