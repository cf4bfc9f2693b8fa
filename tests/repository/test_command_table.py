"""The table of commands in `workbench/cli/commands.json` matches the declarations.

`python tests/repository/test_command_table.py` writes it.
"""

import json
import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from workbench import cli
from workbench.cli.frame.command_table import COMMANDS, TABLE
from workbench.cli.frame.declarations import DECLARED, Argument, Command

ORDER = (
    *("variants", "check", "explain", "options", "show", "print", "format", "new"),
    *("test", "coverage", "mutate", "explore", "play", "serve", "simulate", "economy"),
    *("compare", "ladder", "bots", "replay", "sweep", "impact", "repair", "why"),
    *("record-to-scenario", "perft", "board", "build", "cache", "lsp", "completion"),
)
"""Order of the commands in `rulebook --help`."""


def declared() -> Mapping[str, Command]:
    """Return the declared commands of all modules, by name."""
    for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}."):
        import_module(module.name)
    return DECLARED


def table_text() -> str:
    """Return the text of the table: one line for each argument."""
    commands = ",\n".join(command_text(declared()[name]) for name in ORDER)
    return f"[\n{commands}\n]\n"


def command_text(command: Command) -> str:
    """Return a command as JSON."""
    *head, (_, arguments) = command._asdict().items()
    lines = ",\n  ".join(compact(argument_document(each)) for each in arguments)
    return f'{compact(dict(head))[:-1]}, "arguments": [\n  {lines}\n]}}'


def argument_document(argument: Argument) -> dict[str, Any]:
    """Return an argument as plain data, without unset fields."""
    fields = argument._asdict().items()
    return {name: value for name, value in fields if value is not None}


def compact(document: Mapping[str, Any]) -> str:
    """Return plain data as one line of JSON."""
    return json.dumps(document, ensure_ascii=False)


def test_the_order_of_help_names_each_command_once() -> None:
    assert sorted(ORDER) == sorted(declared())


def test_the_table_is_up_to_date() -> None:
    assert TABLE.read_text(encoding="utf-8") == table_text(), (
        "run `python tests/repository/test_command_table.py`"
    )


def test_each_command_of_the_table_has_a_function() -> None:
    for command in COMMANDS.values():
        assert callable(getattr(import_module(command.module), command.function))


if __name__ == "__main__":
    TABLE.write_text(table_text(), encoding="utf-8")
