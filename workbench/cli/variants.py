"""`rulebook variants`: the shipped games."""

from argparse import ArgumentParser, Namespace

import variants
from workbench.cli.command import Command, add_json, put, put_json
from workbench.loading import load


def _run(arguments: Namespace) -> int:
    rows = []
    for name in variants.names():
        book = load(name)
        rows.append(
            {
                "name": name,
                "title": book.title,
                "players": list(book.players),
                "source": "shipped",
                "path": str(variants.path(name)),
            }
        )
    if arguments.json:
        put_json(rows)
        return 0
    for row in rows:
        put("{name:<16} {players[0]}-{players[1]} players  {title}".format(**row))
    return 0


def _arguments(parser: ArgumentParser) -> None:
    add_json(parser)


VARIANTS = Command("variants", "list the shipped games", _arguments, _run)
