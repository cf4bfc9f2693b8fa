"""Command `rulebook bots`: a list of shipped and installed bots."""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.bots.registry import check_bot
from workbench.cli.frame.arguments import JSON
from workbench.cli.frame.declarations import command
from workbench.cli.frame.output import write_json, write_table
from workbench.defaults import BOTS, HUMAN
from workbench.errors import RequestError
from workbench.files.library.installed_bots import (
    all_entry_points,
    distribution_of,
    find_entry_points,
)

SHIPPED = "shipped"
SHIPPED_MODULE = "workbench.bots"


@command("bots", JSON)
def run(arguments: Namespace) -> int:
    """List the available bots."""
    rows = list(bot_documents())
    if arguments.json:
        write_json(rows)
        return 0
    cells = ([row["name"], row["source"], bot_text(row)] for row in rows)
    write_table(cells, wrapping=[2])
    return 0


def bot_text(row: Mapping[str, Any]) -> str:
    """Return a bot's `MODULE:NAME` and, on the next line, its description or error."""
    lines = [row["object"], row["about"]]
    lines += [] if row["error"] is None else [f"not usable: {row['error']}"]
    return "\n".join(line for line in lines if line)


def bot_documents() -> Iterator[dict[str, Any]]:
    """Yield each bot as plain data; `error` says why a bot is unusable, or is None."""
    for name, about in BOTS.items():
        row = {"name": name, "source": SHIPPED, "object": f"{SHIPPED_MODULE}:{name}"}
        yield {**row, "about": about, "error": None}
    for point in all_entry_points():
        row = {
            "name": point.name,
            "source": distribution_of(point),
            "object": point.value,
        }
        yield {**row, "about": None, "error": _bot_error(point.name)}


def _bot_error(name: str) -> str | None:
    """Return why an installed bot cannot be selected by name, or None if it can."""
    if name in {*BOTS, HUMAN}:
        return f"`{name}` is reserved; use `{find_entry_points(name)[0].value}` instead"
    try:
        check_bot(name)
    except RequestError as error:
        return str(error)
    return None
