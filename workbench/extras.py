"""Libraries that only some commands need, and the extras that bring them.

A library is imported when it is needed. Where it is not installed that is refused in
one way, whichever command asks: with what needs it, how it is installed, and exit code
1, for the machine cannot, however right what was typed.
"""

from enum import StrEnum
from importlib import import_module
from typing import Any

from workbench.errors import Refused

STATUS = 1


class Extra(StrEnum):
    """The extras of this package that commands need."""

    BATCH = "batch"
    CLUSTER = "cluster"
    DATA = "data"
    DESK = "desk"
    EDITOR = "editor"
    LEARNING = "learning"
    POSTGRES = "postgres"
    PRINT = "print"
    REPORT = "report"
    WEB = "web"


def library(name: str, extra: Extra, what: str, instead: str = "") -> Any:
    """A module of a library that an extra brings, for what needs it.

    Raises `Refused` where it is not installed; `instead` is what does without it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        said = f"{what} requires {name.partition('.')[0]}, which is not installed"
        help = f"pip install 'rulebook-lang[{extra}]'{instead}"
        raise Refused(said, help, STATUS) from error
