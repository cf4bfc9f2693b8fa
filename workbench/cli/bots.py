"""`rulebook bots`: who can sit in a seat, shipped and of installed packages."""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.bots import BOTS
from workbench.bots.named import check_bot
from workbench.cli.frame.output import put_json, put_rows
from workbench.defaults import HUMAN
from workbench.errors import Refused
from workbench.library.installed_bots import brought, everything, package

SHIPPED = "shipped"


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook bots`."""
    rows = list(described())
    if arguments.json:
        put_json(rows)
        return 0
    shown = ([row["name"], row["source"], place(row)] for row in rows)
    put_rows(shown, texts=[2])
    return 0


def place(row: Mapping[str, Any]) -> str:
    """Where a bot is, and below that why it cannot play."""
    wrong = row["error"]
    return row["object"] if wrong is None else f"{row['object']}\ncannot play: {wrong}"


def described() -> Iterator[dict[str, Any]]:
    """All bots as plain data, with what is wrong with those that cannot play."""
    for name, bot in BOTS.items():
        place = f"{bot.__module__}:{name}"
        yield {"name": name, "source": SHIPPED, "object": place, "error": None}
    for point in everything():
        row = {"name": point.name, "source": package(point), "object": point.value}
        yield {**row, "error": _wrong(point.name)}


def _wrong(name: str) -> str | None:
    """Why a bot of a package cannot play under its name; None if it can."""
    if name in {*BOTS, HUMAN}:
        return f"`{name}` is a name of ours; `{brought(name)[0].value}` can be written"
    try:
        check_bot(name)
    except Refused as error:
        return str(error)
    return None
