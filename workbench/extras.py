"""Libraries that only some commands need, and the extras that install them.

A library is imported when it is needed. If it is not installed, `RequestError` names
the feature and the installation command; the exit code is 1.
"""

from enum import StrEnum
from importlib import import_module
from typing import Any

from workbench.errors import RequestError

STATUS = 1


class Extra(StrEnum):
    """Extra (group of optional dependencies) of this package, by its name for pip."""

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


def import_library(name: str, extra: Extra, feature: str, alternative: str = "") -> Any:
    """Import and return a module that belongs to an extra.

    The error message says that *feature* needs the module, and ends with *alternative*.
    Raise `RequestError` if the module is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        message = f"{feature} requires {name.partition('.')[0]}, which is not installed"
        help = f"pip install 'rulebook-lang[{extra}]'{alternative}"
        raise RequestError(message, help, STATUS) from error
