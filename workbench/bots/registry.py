"""Lookup of bots by name: shipped, installed by packages, or custom.

`my_bots:builder` is the object `builder` in the module `my_bots`, found on Python's
path or in the working folder. `bots/my_bots.py:builder` is the same in a file. Without
`:builder`, the file must contain exactly one bot. A class is instantiated without
arguments, once per seat.
"""

import importlib
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from rulebook.tooling import nearest
from workbench.bots import BOTS, Bot, shipped_bot
from workbench.bots.bot_failures import CustomBot, error_text
from workbench.bots.time_limit import TimeLimitExceeded, time_limit
from workbench.defaults import MCTS
from workbench.errors import RequestError
from workbench.files.library import installed_bots

PYTHON = ".py"


def bot_of(name: str, seconds: float | None = None) -> Bot:
    """Return the bot with this name; a class is instantiated on each call.

    *seconds* limits each decision of a custom bot. Raises `RequestError` if the bot is
    unknown or its module cannot be imported.
    """
    if (bot := shipped_bot(name)) is not None:
        return bot
    provided = _find_object(name)
    if not isinstance(provided, type):
        return CustomBot(name, provided, seconds)
    try:
        with time_limit(seconds):
            return CustomBot(name, provided(), seconds)
    except TimeLimitExceeded:
        message = f"creating the bot `{name}` took longer than {seconds:g} seconds"
        raise RequestError(message, exit_code=1) from None
    except (Exception, SystemExit) as error:
        raise RequestError(
            f"creating the bot `{name}` failed: {error_text(error)}", exit_code=1
        ) from error


def check_bot(name: str) -> None:
    """Raise `RequestError` if no bot has this name; the help suggests a similar one."""
    if shipped_bot(name) is None:
        _find_object(name)


# ---------------------------------------------------------------- modules and files


def _find_object(name: str) -> Any:
    """Return the function, class or other callable that a name refers to."""
    place, inner_name = _split_name(name)
    if not place.endswith(PYTHON) and not inner_name:
        return _installed_bot(name)
    module = _import_module(name, place)
    if not inner_name:
        return _only_bot(module, name)
    if not inner_name.startswith("_") and callable(
        bot := getattr(module, inner_name, None)
    ):
        return bot
    similar = nearest(inner_name, _candidate_names(module))
    help = f"did you mean `{similar}`?" if similar else None
    raise RequestError(f"{place} has no bot `{inner_name}`", help)


def _installed_bot(name: str) -> Any:
    """Return the bot that an installed package provides under this name.

    Raises `RequestError` if not exactly one package provides it, or if it cannot be
    imported.
    """
    entries = installed_bots.find_entry_points(name)
    if not entries:
        called, bracket, _ = name.partition("(")
        if bracket and called in {*BOTS, *installed_bots.bot_names()}:
            raise RequestError(f"the bot `{called}` takes no budget", f"`{MCTS}` does")
        raise RequestError(f"there is no bot `{name}`", _known_bots_help(called))
    if len(entries) > 1:
        several = ", ".join(installed_bots.distribution_of(entry) for entry in entries)
        alternatives = " or ".join(entry.value for entry in entries)
        raise RequestError(
            f"several packages provide a bot `{name}`: {several}",
            f"write {alternatives}",
        )
    (point,) = entries
    subject = (
        f"the bot `{name}` of {installed_bots.distribution_of(point)} ({point.value})"
    )
    try:
        bot = point.load()
    except (Exception, SystemExit) as error:
        help = "report this to the authors of the package"
        message = f"{subject} cannot be imported: {error_text(error)}"
        raise RequestError(message, help, exit_code=1) from error
    if isinstance(bot, ModuleType):
        return _only_bot(bot, point.value)
    if not callable(bot):
        takes = ", ".join(BOT_PARAMETERS)
        raise RequestError(
            f"{subject} is not a bot", f"a bot is a function of ({takes})"
        )
    return bot


def _split_name(name: str) -> tuple[str, str]:
    """Split a bot's name into module or file, and object name, which may be empty.

    Paths may contain `:`.
    """
    if name.endswith(PYTHON):
        return name, ""
    place, _, inner_name = name.rpartition(":")
    return (place, inner_name) if place else (name, "")


def _known_bots_help(name: str) -> str:
    """Return a help text with all known bots, and a similar name if there is one."""
    known = (*BOTS, *installed_bots.bot_names())
    similar = nearest(name, known)
    suggestion = f"did you mean `{similar}`? " if similar else ""
    return f"{suggestion}bots are {', '.join(known)}, or your own as FILE.py:NAME"


def _import_module(name: str, place: str) -> ModuleType:
    """Import the module or file *place*, which contains the bot *name*.

    It may import modules from its folder. Raises `RequestError` if it does not exist or
    cannot be imported.
    """
    path = Path(place)
    if place.endswith(PYTHON) and not path.is_file():
        raise RequestError(f"file {place} does not exist")
    folder = str((path.parent if place.endswith(PYTHON) else Path()).resolve())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        if place.endswith(PYTHON):
            return import_file(path.resolve())
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name != place.partition(".")[0]:
            raise RequestError(
                f"{place} requires {error.name}: {error}", exit_code=1
            ) from error
        raise RequestError(f"there is no module `{place}` for `{name}`") from error
    except (Exception, SystemExit) as error:
        raise RequestError(
            f"{place} cannot be imported: {error_text(error)}", exit_code=1
        ) from error


@cache
def import_file(path: Path) -> ModuleType:
    """Import a Python file as a module with the file's name, and return the module."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    registered = sys.modules.setdefault(path.stem, module)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if registered is module:
            del sys.modules[path.stem]
        raise
    return module


def _candidate_names(module: ModuleType) -> Iterator[str]:
    """Yield the names of functions and classes in a module that can be bots.

    These are public, are defined in the module, and take as many parameters as a bot.
    """
    for name, value in vars(module).items():
        is_callable = isinstance(value, type | FunctionType)
        if (
            is_callable
            and value.__module__ == module.__name__
            and not name.startswith("_")
        ):
            function = value.__call__ if isinstance(value, type) else value
            parameters = (
                inspect.signature(function).parameters if callable(function) else {}
            )
            if len(parameters) - isinstance(value, type) == len(BOT_PARAMETERS):
                yield name


BOT_PARAMETERS = ("view", "legal", "sample", "numbers")


def _only_bot(module: ModuleType, name: str) -> Any:
    """Return the only bot of a module.

    Raises `RequestError` if the module contains no bot or several.
    """
    names = list(_candidate_names(module))
    if len(names) == 1:
        return getattr(module, names[0])
    if not names:
        takes = ", ".join(BOT_PARAMETERS)
        raise RequestError(
            f"{name} contains no bot", f"a bot is a function of ({takes})"
        )
    alternatives = " or ".join(f"{name}:{bot}" for bot in names)
    raise RequestError(f"{name} contains several bots", f"write {alternatives}")
