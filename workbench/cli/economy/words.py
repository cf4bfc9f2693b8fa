"""How numbers and tables of an economy are written."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from workbench.analysis.economy.examination import Wait
from workbench.analysis.economy.probes.income import Income
from workbench.analysis.economy.valuation.prices import Price
from workbench.cli.frame.output import put_rows
from workbench.presentation.localization.localizer import Wording, bare

WIDTH = 80
"""So wide is a table of which parts can stand below one another."""


def total(income: Income) -> Fraction:
    """How many cards an income is, of whatever kind."""
    return sum(income.values(), Fraction())


def amount_text(value: Fraction) -> str:
    """A number of cards: whole, or with one digit."""
    return str(value) if value.denominator == 1 else f"{float(value):.1f}"


def percent(value: Fraction) -> str:
    """A share."""
    return f"{100 * float(value):.1f} %"


def waited(wait: Wait, *, both: bool) -> str:
    """A number of turns, with what it is without exchanges."""
    if not wait.known:
        return "?"
    first, second = (turns(it) for it in (wait.full, wait.without))
    return f"{first} ({second})" if both else first


def turns(value: float | None) -> str:
    """A mean number of turns."""
    return "never" if value is None else f"{value:.1f}"


def bought(price: Price, titles: Wording) -> str:
    """What is bought for a price: a card, or what an action says that it does."""
    return bare(titles.title(price.card or price.action))


def counted(cards: Mapping[str, int], titles: Wording) -> str:
    """Some cards in words."""
    return ", ".join(f"{n} {titles.value(kind)}" for kind, n in cards.items())


def split_labels(labels: Sequence[str]) -> tuple[str, list[str]]:
    """The words with which all labels begin, and what tells them apart."""
    words = [label.split() for label in labels]
    same = 0
    if len(labels) > 1:
        while all(len(it) > same + 1 and it[same] == words[0][same] for it in words):
            same += 1
    shared = "".join(f"{word} " for word in words[0][:same])
    return shared, [" ".join(it[same:]) for it in words]


def blocks(
    corner: str,
    names: Sequence[str],
    heads: Sequence[str],
    cells: Sequence[Sequence[str]],
) -> None:
    """A row for each name, the columns in as many tables as there is width for."""
    room = WIDTH - 2 - max(map(len, (corner, *names)))
    widths = [
        2 + max(len(head), *(len(row[n]) for row in cells))
        for n, head in enumerate(heads)
    ]
    for start, end in fitting(widths, room):
        rows = [(name, *row[start:end]) for name, row in zip(names, cells, strict=True)]
        right = range(1, 1 + end - start)
        put_rows(rows, heads=(corner, *heads[start:end]), right=right, indent=2)


def fitting(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """The columns in parts that fit; each part has at least one."""
    start = 0
    while start < len(widths):
        end = start + 1
        while end < len(widths) and sum(widths[start : end + 1]) <= room:
            end += 1
        yield start, end
        start = end
