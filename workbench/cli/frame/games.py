"""What sub-commands that play share: settings of games, and notes on records."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

from rulebook import visible
from workbench.analysis.simulation.settings import Settings
from workbench.bots.errors import ErrorPolicy, OnError
from workbench.defaults import STOP
from workbench.errors import Refused
from workbench.files.records.headers import Note


def settings(arguments: Namespace) -> Settings:
    """The settings that `add_settings` and `add_bot_seed` asked for."""
    return Settings.parsed(
        arguments.players,
        arguments.seed,
        arguments.options,
        arguments.board,
        getattr(arguments, "bot_seed", 1),
        conduct(arguments),
    )


def conduct(arguments: Namespace) -> ErrorPolicy:
    """What `add_bot_errors` asked for, of bots that do wrong."""
    seconds = getattr(arguments, "bot_seconds", None)
    if seconds is not None and not 0 < seconds < inf:
        raise Refused(f"--bot-seconds must be positive, not {seconds:g}")
    return ErrorPolicy(OnError(getattr(arguments, "on_bot_error", STOP)), seconds)


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
            said = f"--{flag} cannot be changed for the game in {record}"
            raise Refused(said, "omit it")


def put_notes(notes: Iterable[Note]) -> None:
    """Write notes on a record to standard error."""
    for note in notes:
        sys.stderr.write(f"note: {visible(note.text)}\n")
