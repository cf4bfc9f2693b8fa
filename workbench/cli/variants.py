"""`rulebook variants`: the shipped games, and the house rules that go with them."""

from argparse import Namespace
from typing import Any

import variants
from workbench.cli.frame.output import put_json, put_rows
from workbench.files.library.loading import load
from workbench.presentation.localization.localizer import Wording


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook variants`."""
    names = variants.names()
    if arguments.all:
        names += variants.house_rules()
    rows = [described(name, arguments.language) for name in names]
    if arguments.json:
        put_json(rows)
        return 0
    shown = ([row["name"], *about(row, arguments.language)] for row in rows)
    put_rows(shown, texts=[1, 2])
    return 0


def described(name: str, language: str) -> dict[str, Any]:
    """A shipped game or house rule as plain data; a house rule is laid over others."""
    book = load(name)
    return {
        "name": name,
        "title": Wording.of(book, language).heading,
        "players": list(book.players),
        "source": "shipped",
        "path": str(variants.path(name)),
        "over": list(book.over),
    }


def about(row: dict[str, Any], language: str) -> tuple[str, str]:
    """How many play a game, or what a house rule is laid over; and the title."""
    if row["over"]:
        return f"over {', '.join(row['over'])}", row["title"]
    fewest, most = row["players"]
    return seated(fewest, most, language), row["title"]


def seated(fewest: int, most: int, language: str | None) -> str:
    """How many play: one, always the same number, or from so many to so many."""
    key = "seats" if fewest < most else "seats_exactly" if most > 1 else "seats_alone"
    return Wording.of(None, language).say(key, fewest=fewest, most=most)
