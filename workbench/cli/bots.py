"""`rulebook bots`: who can sit in a seat, shipped and of installed packages."""

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from workbench.bots import BOTS
from workbench.bots.named import check_bot
from workbench.cli.command import put, put_json
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
    name, source = (max(len(row[key]) for row in rows) for key in ("name", "source"))
    for row in rows:
        put(f"{row['name']:<{name}}  {row['source']:<{source}}  {row['object']}")
        if row["error"] is not None:
            put(f"    cannot play: {row['error']}")
    return 0


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
