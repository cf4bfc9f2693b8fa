"""`rulebook variants`: the shipped games."""

from argparse import ArgumentParser, Namespace

import variants
from workbench.cli.command import Command, add_json, add_language, put, put_json
from workbench.loading import load
from workbench.wording import Wording


def _run(arguments: Namespace) -> int:
    rows = []
    for name in variants.names():
        book = load(name)
        words = Wording.of(book, arguments.language)
        rows.append(
            {
                "name": name,
                "title": words.heading,
                "players": list(book.players),
                "source": "shipped",
                "path": str(variants.path(name)),
            }
        )
    if arguments.json:
        put_json(rows)
        return 0
    for row in rows:
        fewest, most = row["players"]
        seats = Wording.of(None, arguments.language).say(
            "seats", fewest=fewest, most=most
        )
        put(f"{row['name']:<16} {seats}  {row['title']}")
    return 0


def _arguments(parser: ArgumentParser) -> None:
    add_language(parser)
    add_json(parser)


VARIANTS = Command("variants", "list the shipped games", _arguments, _run)
