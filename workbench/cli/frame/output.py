"""What sub-commands share when they run: settings, and how results are written.

rich is imported when something is shown that it lays out, and for no document.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulebook import UNSEEN, visible, visible_lines
from workbench.cli.frame.stdio import naming_standard_output
from workbench.errors import Refused
from workbench.records.headers import Note
from workbench.simulation.settings import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType


def settings(arguments: Namespace) -> Settings:
    """The settings that `add_settings` and `add_bot_seed` asked for."""
    return Settings.parsed(
        arguments.players,
        arguments.seed,
        arguments.options,
        arguments.board,
        getattr(arguments, "bot_seed", 1),
    )


def refuse_decided(
    arguments: Namespace, record: str, head: Mapping[str, Any] | None = None
) -> None:
    """Refuse settings beside a record: they were decided when its game began.

    A seed of bots is decided where the `head` of the record has one.
    """
    usual = {"bot_seed": None, "game": 0}
    usual = {name: usual[name] for name in usual if name in (head or ())}
    for name, value in (arguments.usual_settings | usual).items():
        if getattr(arguments, name) != value:
            flag = {"options": "option"}.get(name, name).replace("_", "-")
            said = f"--{flag} was decided when the game of {record} began"
            raise Refused(said, "leave it out")


def put(text: str) -> None:
    """Write text to standard output; what is in it from files commands no terminal."""
    with naming_standard_output():
        sys.stdout.write(visible_lines(text) + "\n")


def put_rows(rows: Iterable[Sequence[str]], **how: Any) -> None:
    """Write rows whose cells stand below one another, as `columns` is told."""
    from workbench.console.tables import columns

    put_shown(columns(rows, **how))


def put_shown(shown: RenderableType, width: int | None = None) -> None:
    """Write what rich can show to standard output, at most so wide."""
    from workbench.console.streams import console_of, write

    with naming_standard_output():
        write(console_of(sys.stdout), shown, width)


def put_notes(notes: Iterable[Note]) -> None:
    """Write notes on a record to standard error."""
    for note in notes:
        sys.stderr.write(f"note: {visible(note.text)}\n")


def put_json(document: Any) -> None:
    """Write one JSON document; in plain ASCII where the stream is not UTF-8."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    ascii_only = encoding.replace("-", "") not in {"utf8", "utf8sig"}
    text = json.dumps(document, ensure_ascii=ascii_only)
    sys.stdout.write(UNSEEN.sub(_escaped, text) + "\n")


def _escaped(match: re.Match[str]) -> str:
    """A character of a text in JSON by its number."""
    return json.dumps(match[0])[1:-1]
