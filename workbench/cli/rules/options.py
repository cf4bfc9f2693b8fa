"""Command `rulebook options`: the options of a game."""

from argparse import Namespace
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Whole
from workbench.analysis.simulation.settings import option_text
from workbench.cli.frame.arguments import JSON, LANGUAGE, VARIANT
from workbench.cli.frame.declarations import command
from workbench.cli.frame.output import (
    write_json,
    write_line,
    write_table,
)
from workbench.files.library.loading import load
from workbench.presentation.localization.localizer import Localizer


def options_document(book: Rulebook, localizer: Localizer) -> list[dict[str, Any]]:
    """Return the options of a game as plain data.

    Defaults are those for the largest number of players.
    """
    defaults = Game.start(book, players=book.players[1], seed=1, turns=0).options
    rows = []
    for name, option in book.options.items():
        number = option.type if isinstance(option.type, Whole) else None
        rows.append(
            {
                "name": name,
                "type": "yes/no" if number is None else "number",
                "range": None if number is None else [number.low, number.high],
                "none": number is not None and number.optional,
                "default": defaults[name],
                "help": localizer.sentence(name, option.help),
                "source": f"{option.span.file}:{option.span.line}",
            }
        )
    return rows


@command(
    "options",
    VARIANT,
    LANGUAGE,
    JSON,
)
def run(arguments: Namespace) -> int:
    """List the options of a game."""
    book = load(arguments.variant)
    rows = options_document(book, Localizer.for_book(book, arguments.language))
    if arguments.json:
        write_json(rows)
        return 0
    for row in rows:
        type_ = book.options[row["name"]].type
        default = option_text(row["default"])
        write_line(f"{row['name']} ({type_}): {default}")
        write_table([(f"{row['help']}  [{row['source']}]",)], wrapping=[0], indent=4)
    return 0
