"""Command `rulebook variants`: shipped games and their house rules."""

from argparse import Namespace
from typing import Any

import variants
from workbench.cli.frame.arguments import JSON, LANGUAGE
from workbench.cli.frame.declarations import command, flag
from workbench.cli.frame.output import write_json, write_table
from workbench.files.library.loading import load
from workbench.presentation.localization.localizer import Localizer


@command(
    "variants",
    flag("--all", "include house rules"),
    LANGUAGE,
    JSON,
)
def run(arguments: Namespace) -> int:
    """List the shipped games."""
    names = variants.names()
    if arguments.all:
        names += variants.house_rules()
    rows = [variant_document(name, arguments.language) for name in names]
    if arguments.json:
        write_json(rows)
        return 0
    cells = ([row["name"], *players_and_title(row, arguments.language)] for row in rows)
    write_table(cells, wrapping=[1, 2])
    return 0


def variant_document(name: str, language: str) -> dict[str, Any]:
    """Return a shipped game or house rule as plain data, with the games it amends."""
    book = load(name)
    return {
        "name": name,
        "title": Localizer.for_book(book, language).heading,
        "players": list(book.players),
        "source": "shipped",
        "path": str(variants.path(name)),
        "over": list(book.over),
    }


def players_and_title(row: dict[str, Any], language: str) -> tuple[str, str]:
    """Return player counts, or base games of a house rule, and the title as text."""
    if row["over"]:
        return f"over {', '.join(row['over'])}", row["title"]
    min_players, max_players = row["players"]
    return player_count_text(min_players, max_players, language), row["title"]


def player_count_text(min_players: int, max_players: int, language: str | None) -> str:
    """Return the possible numbers of players as text."""
    key = (
        "seats"
        if min_players < max_players
        else "seats_exactly"
        if max_players > 1
        else "seats_alone"
    )
    return Localizer.for_book(None, language).phrase(
        key, fewest=min_players, most=max_players
    )
