"""Numbered menu of legal actions, and lists of costs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.cells import cell_len
from rich.columns import Columns
from rich.text import Text

from interpreter import Action
from rulebook import printable_line
from rulebook.model import Bag, ColumnValue, Model, RequirementSort, is_constant
from rulebook.tooling import find
from workbench.presentation.console.streams import (
    MEASURING_CONSOLE,
    rendered_lines,
    wrap_text,
)
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.selection import action_title

GROUP_MAX = 36
COLUMN_GAP = 2
UNBROKEN = "\u2800"
"""Blank character at which lines are not wrapped."""


def menu_lines(
    legal: Sequence[Action], localizer: Localizer, width: int, *, full: bool = False
) -> Iterator[str]:
    """Yield numbered legal actions, grouped by name.

    Long groups are cut unless *full* is true.
    """
    digits = len(str(len(legal)))
    for name, group in groupby(enumerate(legal, 1), lambda numbered: numbered[1].name):
        actions = list(group)
        if len(actions) == 1:
            number, action = actions[0]
            title = localizer.action(action.text)
            text = "" if title == action.text else f"  ({action.text})"
            yield f"  {number:>{digits}}  {title}{text}"
            continue
        shown = actions if full else actions[:GROUP_MAX]
        title = action_title(name, localizer)
        called = "" if title == name else f" ({name})"
        yield f"  {' ' * digits}  {title}{called}:"
        cells = [
            f"{number:>{digits}} {arguments_text(action, localizer)}"
            for number, action in shown
        ]
        yield from column_lines(cells, width - digits - 4, " " * (digits + 4))
        if len(shown) < len(actions):
            count = len(actions) - len(shown)
            yield f"  {' ' * digits}  {localizer.phrase('and_more', count=count)}"


def short_menu_lines(
    legal: Sequence[Action], localizer: Localizer, width: int, height: int
) -> list[str]:
    """Return numbered legal actions in at most *height* lines.

    Actions without others of their name share lines. Of each group, as many actions are
    listed as fit; the last line says how many are left out.
    """
    numbered = list(enumerate(legal, 1))
    groups = [list(g) for _, g in groupby(numbered, lambda each: each[1].name)]
    for most in range(GROUP_MAX, 0, -1):
        lines: list[str] = []
        single: list[str] = []
        for group in groups:
            if len(group) == 1:
                number, action = group[0]
                single.append(f"{number} {localizer.action(action.text)}")
                continue
            lines += column_lines(single, width - 2, "  ") if single else []
            single = []
            texts = [f"{n} {arguments_text(a, localizer)}" for n, a in group[:most]]
            if len(group) > most:
                texts.append(localizer.phrase("answers_more", count=len(group) - most))
            title = action_title(group[0][1].name, localizer)
            cells = "  ".join(text.replace(" ", UNBROKEN) for text in texts)
            wrapped = wrap_text(f"  {title}: {cells}", width, "    ")
            lines += (line.replace(UNBROKEN, " ") for line in wrapped)
        lines += column_lines(single, width - 2, "  ") if single else []
        if len(lines) <= height:
            return lines
    return [*lines[: height - 1], "  " + localizer.phrase("and_all", count=len(legal))]


def arguments_text(action: Action, localizer: Localizer) -> str:
    """Return the arguments of an action in words."""
    return ", ".join(localizer.value_text(argument) for argument in action.arguments)


def column_lines(cells: Sequence[str], width: int, indent: str) -> Iterator[str]:
    """Yield indented lines of cells, with as many columns as fit into *width*."""
    if max(map(cell_len, cells)) + COLUMN_GAP > width:
        yield from (indent + printable_line(cell) for cell in cells)
        return
    shown = Columns(
        [Text(printable_line(cell)) for cell in cells], padding=(0, COLUMN_GAP)
    )
    for line in rendered_lines(MEASURING_CONSOLE, shown, width):
        yield indent + line.plain


def cost_lines(model: Model, localizer: Localizer) -> Iterator[str]:
    """Yield a line with the price of each action whose price is fixed."""
    for action in model.actions.values():
        for requirement in action.requirements:
            price = requirement.bag
            if requirement.sort is not RequirementSort.PAYS or not is_constant(price):
                continue
            assert isinstance(price.type, Bag)
            members = model.domains[price.type.domain].members
            bag = dict(zip(members, price.value, strict=True))
            title = action_title(action.name, localizer)
            yield f"  {title}: {localizer.holding_text(bag)}"


def card_cost_lines(
    model: Model, holdings: Iterable[Any], localizer: Localizer
) -> Iterator[str]:
    """Yield a line with the price of each held card whose price an action pays."""
    paid = dict.fromkeys(
        (price.domain, price.column)
        for action in model.actions.values()
        for need in action.requirements
        if need.sort is RequirementSort.PAYS
        for price in find(need.bag, ColumnValue)
    )
    held = {
        name for holding in holdings if isinstance(holding, Mapping) for name in holding
    }
    for domain, name in paid:
        column = model.domains[domain].columns[name]
        if not isinstance(column.type, Bag):
            continue
        members = model.domains[column.type.domain].members
        for card, price in zip(
            model.domains[domain].members, column.values, strict=True
        ):
            if card in held and any(price):
                bag = dict(zip(members, price, strict=True))
                yield f"  {localizer.title(card)}: {localizer.holding_text(bag)}"


def numbers_by_argument(legal: Sequence[Action]) -> Mapping[str, str]:
    """Map each argument to the menu number of the first action that has it."""
    numbers: dict[str, str] = {}
    for number, action in enumerate(legal, 1):
        for argument in action.arguments:
            if isinstance(argument, str):
                numbers.setdefault(argument, str(number))
    return numbers
