"""Declarations of commands: the arguments of each, next to its function.

`workbench/cli/commands.json` is generated from them, so that help and completion import
no command.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Run = Callable[[Namespace], int]
"""Function of a command: takes the parsed arguments and returns the exit code."""


class Argument(NamedTuple):
    """Option or positional argument of a command.

    `settings` are keyword arguments of `ArgumentParser.add_argument`. A number must be
    from `minimum` to `maximum`. At most one argument of a `group` can be given.
    """

    names: Sequence[str]
    settings: Mapping[str, Any]
    minimum: float | None = None
    maximum: float | None = None
    group: str | None = None

    @property
    def dest(self) -> str:
        """Name of the attribute that contains the value in the parsed arguments."""
        name = self.names[0].lstrip("-").replace("-", "_")
        return str(self.settings.get("dest", name))

    @property
    def default(self) -> Any:
        """Value if the argument is not given."""
        return self.settings.get("default")


class Command(NamedTuple):
    """Sub-command: its name, one-line help, function and arguments."""

    name: str
    help: str
    module: str
    function: str
    arguments: Sequence[Argument]


DECLARED: dict[str, Command] = {}
"""Commands of the imported modules, by name."""


def command(name: str, *arguments: Argument) -> Callable[[Run], Run]:
    """Return a decorator that declares a command; its help comes from the docstring."""

    def declare(run: Run) -> Run:
        summary = (run.__doc__ or "").split("\n\n")[0]
        help = " ".join(summary.split()).removesuffix(".")
        help = help[:1].lower() + help[1:]
        function = getattr(run, "__name__", "")
        DECLARED[name] = Command(name, help, run.__module__, function, arguments)
        return run

    return declare


def positional(name: str, metavar: str | None, help: str, **settings: Any) -> Argument:
    """Return a positional argument."""
    metavar_setting = {} if metavar is None else {"metavar": metavar}
    return Argument((name,), {**metavar_setting, "help": help, **settings})


def flag(name: str, help: str) -> Argument:
    """Return an option without a value."""
    return Argument((name,), {"action": "store_true", "help": help})


def option(
    usage: str,
    help: str,
    default: Any = None,
    *,
    default_text: str | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    **settings: Any,
) -> Argument:
    """Return an option with a value.

    `usage` is its name and the placeholder of the value, such as `--out FILE.svg`.
    `default_text` describes the default if it is not a plain value.
    """
    name, _, metavar = usage.partition(" ")
    if default_text is None and default:
        default_text = str(default)
    if default_text is not None:
        help = f"{help} (default: {default_text})"
    settings["help"] = help
    if metavar:
        settings["metavar"] = metavar
    if default is not None:
        settings["default"] = default
    return Argument((name,), settings, minimum, maximum)


def integer(usage: str, help: str, default: Any = None, **settings: Any) -> Argument:
    """Return an option whose value is a whole number."""
    return option(usage, help, default, type="int", **settings)


def repeated(usage: str, help: str, **settings: Any) -> Argument:
    """Return an option that may be given several times."""
    return option(usage, help, action="append", **settings)


def exclusive(*arguments: Argument) -> tuple[Argument, ...]:
    """Return the arguments as a group, of which at most one can be given."""
    group = arguments[0].names[0]
    return tuple(argument._replace(group=group) for argument in arguments)
