"""`docs/contract.md`, the page of stable names, agrees with the code.

`python tests/repository/test_contract.py` writes the lists of the page again. An item
that disappears from them is a name that programs of users may depend on.
"""

import inspect
import re
from argparse import Action as Argument
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

import interpreter
import rulebook
import variants
import workbench
from interpreter import c_engine, search
from workbench import bots, learning, testing
from workbench.bots import registry
from workbench.cli.frame.command_table import COMMANDS, parser_actions, parser_of

PAGE = Path(__file__).parents[2] / "docs" / "contract.md"
BLOCK = re.compile(r"(<!-- (\w+): [^\n]*-->\n).*?(<!-- end -->)", re.DOTALL)

#: What a program may call, and under which name it gets it.
CALLED = {
    "workbench.load": workbench.load,
    "rulebook.load": rulebook.load,
    "rulebook.loads": rulebook.loads,
    "rulebook.examine": rulebook.examine,
    "rulebook.quick_check": rulebook.quick_check,
    "rulebook.uses_in": rulebook.uses_in,
    "rulebook.format_text": rulebook.format_text,
    "variants.names": variants.names,
    "variants.path": variants.path,
    "workbench.bots.decide": bots.decide,
    "workbench.bots.bot_random": bots.bot_random,
    "workbench.bots.generator": bots.generator,
    "interpreter.options_of": interpreter.options_of,
    "interpreter.budget_of": interpreter.parse_budget,
    "interpreter.c_engine.Batch": c_engine.Batch,
    "workbench.learning.environment": learning.environment,
    "workbench.learning.spiel_game": learning.spiel_game,
    "interpreter.search.search": search.search,
    "workbench.bots.registry.bot_of": registry.bot_of,
    "workbench.testing.starts": testing.starts,
    "workbench.testing.games": testing.games,
    "workbench.testing.positions": testing.positions,
    "workbench.testing.boards": testing.boards,
    "workbench.testing.amendments": testing.amendments,
    "workbench.testing.machine_for": testing.machine_for,
}

#: The members of classes that stay.
MEMBERS: dict[str, tuple[Any, str]] = {
    "Game": (
        interpreter.Game,
        """start from_position replay to_act legal_actions apply why position view
        sample points outcome record copy key log book players seats seed options turn
        over events steps worth outlook teaches gathering advance engine goes_on_by
        leaves actions supplies legal_indices observation observed value
        visible_value""",
    ),
    "Supply": (interpreter.Supply, "name owner count most exact kept"),
    "RuleFileProperties": (
        testing.RuleFileProperties,
        " ".join(name for name in vars(testing.RuleFileProperties) if "test_" in name),
    ),
    "Settings": (testing.Settings, "players seed options board start"),
    "Amendment": (testing.Amendment, "text changes book"),
    "Batch": (
        c_engine.Batch,
        """step step_random now observed shape game actions book players seats number
        close""",
    ),
    "Step": (
        c_engine.Step,
        """legal counts indices observations seats rewards terminated truncated failed
        played lengths finished actions legal_bits""",
    ),
    "Budget": (interpreter.Budget, "playouts decisions seconds"),
    "Found": (search.Found, "index tried playouts decisions"),
    "Tried": (search.Tried, "index total visits legal"),
    "Rulebook": (rulebook.Rulebook, "name title digest players seats options"),
    "Action": (interpreter.Action, "seat name arguments text index"),
    "Chance": (interpreter.Chance, "name outcome probability to_json"),
    "Gathering": (
        interpreter.Gathering,
        "left made fewest most ends after in_order judged",
    ),
    "Outcome": (
        interpreter.Outcome,
        "winners winner reason points ranks ranked to_json",
    ),
    "Explanation": (
        interpreter.Explanation,
        """legal seat action clause requirement reason values citation fix sentence
        to_json""",
    ),
    "Diagnostic": (
        rulebook.Diagnostic,
        "code severity message span help related title edit to_json",
    ),
    "Desk": (rulebook.Desk, "open keeper holds read"),
    "Uses": (rulebook.Uses, "all at of declared things in_file"),
    "Use": (rulebook.Use, "text span thing whole"),
    "RulesError": (rulebook.RulesError, "to_json"),
    "IllegalAction": (interpreter.IllegalAction, "to_json"),
    "PositionError": (interpreter.PositionError, "to_json"),
    "SampleError": (interpreter.SampleError, "to_json"),
    "RecordError": (interpreter.RecordError, "to_json"),
    "UsageError": (interpreter.UsageError, "to_json"),
}


def sentence(thing: Any) -> str:
    """Return the first sentence of an object's docstring."""
    text = inspect.getdoc(thing) or ""
    return re.split(r"(?<=\.)\s|\n\n", text, maxsplit=1)[0].replace("\n", " ")


def written(name: str, function: Any, *, bound: bool = False) -> str:
    """Return a call with its parameters and their defaults."""
    parts = []
    for parameter in list(inspect.signature(function).parameters.values())[bound:]:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        default = (
            "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        )
        parts.append(f"{stars}{parameter.name}{default}")
    return f"{name}({', '.join(parts)})"


def python() -> Iterator[str]:
    """Return the lists of functions and of the members of classes."""
    for name, function in CALLED.items():
        yield f"* `{written(name, function)}`: {sentence(function)}"
    for title, (owner, names) in MEMBERS.items():
        yield from ("", f"### {title}", "", sentence(owner))
        fields = [name for name in names.split() if is_field(owner, name)]
        if fields:
            yield from ("", f"Fields: {', '.join(f'`{name}`' for name in fields)}.")
        others = [name for name in names.split() if name not in fields]
        if owner is testing.RuleFileProperties:
            yield from ("", f"Tests: {', '.join(f'`{name}`' for name in others)}.")
        elif others:
            yield ""
            yield from (member(owner, name) for name in others)


def is_field(owner: Any, name: str) -> bool:
    """Return whether a member is a plain field of a value."""
    return attrs.has(owner) and name in {field.name for field in attrs.fields(owner)}


def member(owner: Any, name: str) -> str:
    """Return the list item for a method or property of a class."""
    part = inspect.getattr_static(owner, name)
    if isinstance(part, property):
        return f"* `{name}`: {sentence(part)}"
    if isinstance(part, classmethod):
        call = f"{owner.__name__}.{written(name, part.__func__, bound=True)}"
    else:
        call = written(name, part, bound=True)
    return f"* `{call}`: {sentence(part)}"


def commands() -> Iterator[str]:
    """Return the list of commands with their arguments."""
    for command in COMMANDS.values():
        parser = parser_of(command.name)
        assert parser is not None
        words = " ".join(map(argument, parser_actions(parser)[1:]))  # skips --help
        for name, group in GROUPS.items():
            words = words.replace(group, f"[{name}]")
        yield f"* `{command.name} {words}".rstrip() + "`"


def argument(option: Argument) -> str:
    """Return an argument as written, in brackets if it is optional."""
    value = str(option.metavar or "|".join(map(str, option.choices or ())))
    if not option.option_strings:
        return {"?": f"[{value}]", "*": f"[{value}...]", "+": f"{value}..."}.get(
            str(option.nargs), value
        )
    text = f"{option.option_strings[0]} {value}".rstrip() if option.nargs != 0 else ""
    text = text or option.option_strings[0]
    return text if option.required else f"[{text}]"


GROUPS = {
    "SETUP": "[--players N] [--seed S] [--option NAME=VALUE] [--board FILE.json]",
    "BOT OPTIONS": "[--bot-seed B] [--on-bot-error stop|random|lose] [--bot-seconds N]",
}
"""Options that several commands share, by their name in the list of commands."""

LISTS = {"python": python, "commands": commands}


def regenerated(text: str) -> str:
    """Return the page with lists regenerated from the code."""

    def block(match: re.Match[str]) -> str:
        items = "\n".join(LISTS[match[2]]())
        return f"{match[1]}\n{items}\n\n{match[3]}"

    return BLOCK.sub(block, text)


def test_the_page_lists_the_stable_names_as_the_code_has_them() -> None:
    """Signatures, members, commands and their arguments are those of the code."""
    text = PAGE.read_text(encoding="utf-8")

    assert len(BLOCK.findall(text)) == len(LISTS)
    assert text == regenerated(text)


def test_every_stable_name_is_described() -> None:
    """Each function and each member on the page has a docstring with a sentence."""
    rows = [line for line in python() if line.startswith("* `")]

    assert len(rows) > 45
    assert [row for row in rows if not row.endswith(".")] == []


if __name__ == "__main__":
    PAGE.write_text(regenerated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
