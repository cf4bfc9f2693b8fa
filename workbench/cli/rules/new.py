"""Command `rulebook new`: a new rule file that passes all checks."""

import re
from argparse import Namespace
from importlib.resources import files
from pathlib import Path

from workbench.cli.frame.arguments import JSON
from workbench.cli.frame.declarations import command, exclusive, option, positional
from workbench.cli.frame.output import write_json, write_line
from workbench.errors import RequestError
from workbench.files.library.atomic_files import create_text
from workbench.files.library.examples import example_names, example_text
from workbench.files.library.loading import ENDING, load

NAME_PATTERN = re.compile(r"[^\W\d_]\w*")
HEADER_LINE = re.compile(r"^rulebook .*$", re.MULTILINE)
HEADER_NAME = re.compile(r"^rulebook \w+", re.MULTILINE)

VERBS = {"extends": "extends", "over": "amends"}
HOUSE_RULE_TEMPLATE = """\
rules language 1
rulebook {name} "{title}"
  {laid} {base}

# Changes to {base_title}. Each change names one of its clauses:
#
#   replace cost NAME: 2 …, 1 …        another price
#   replace option NAME (…): …         another number
#   in action NAME                     one more requirement
#     add needs LABEL: CONDITION "reason"
#
# `rulebook show {typed} --names` lists its clauses, `rulebook show {typed} NAME`
# prints one, `rulebook options {typed}` lists its options.
"""


@command(
    "new",
    positional("name", "NAME", "name of the game and of its file"),
    *exclusive(
        option(
            "--extends VARIANT",
            "create a house rule that must still pass the scenarios of this game",
        ),
        option(
            "--over VARIANT",
            "create a house rule without the scenarios of this game, as it may break"
            " them",
        ),
        option(
            "--from EXAMPLE",
            f"copy an example: {', '.join(example_names())}",
            default_text="a small complete game with hints",
            dest="example",
        ),
    ),
    JSON,
)
def run(arguments: Namespace) -> int:
    """Create a new rule file."""
    name = arguments.name.removesuffix(ENDING)
    if not NAME_PATTERN.fullmatch(name):
        valid_name = re.sub(r"\W+", "_", name).strip("_0123456789")
        help = f"try `{valid_name}`" if valid_name else "a name starts with a letter"
        raise RequestError(
            f"`{name}` is not a valid name: use letters, digits and _ only", help
        )
    path = Path(name + ENDING)
    text = _file_text(name, arguments)
    try:
        create_text(path, text)
    except FileExistsError:
        raise RequestError(f"{path} already exists", "nothing was changed") from None
    if arguments.json:
        write_json(
            {
                "file": str(path),
                "name": name,
                "extends": arguments.extends,
                "over": arguments.over,
                "from": arguments.example,
            }
        )
        return 0
    write_line(f"Created {path}. Next steps:")
    for arguments_text in (f"check {path}", f"play {path}", f"test {path} --games 1"):
        write_line(f"  rulebook {arguments_text}")
    return 0


def _file_text(name: str, arguments: Namespace) -> str:
    """Return the text of the new file."""
    if arguments.example is not None:
        return HEADER_NAME.sub(
            f"rulebook {name}", example_text(arguments.example), count=1
        )
    if arguments.over is not None:
        return house_rule_text(name, "over", arguments.over)
    if arguments.extends is not None:
        return house_rule_text(name, "extends", arguments.extends)
    template = files("workbench").joinpath("templates/game.rules")
    text = template.read_text(encoding="utf-8")
    return HEADER_LINE.sub(f'rulebook {name} "{title_from_name(name)}"', text, count=1)


def title_from_name(name: str) -> str:
    """Return a name as a title, with spaces instead of underscores."""
    return name.replace("_", " ").capitalize()


def house_rule_text(name: str, relation: str, base_name: str) -> str:
    """Return the text of an empty house rule; *relation* is `extends` or `over`."""
    base = Path(base_name).stem if base_name.endswith(ENDING) else base_name
    if not NAME_PATTERN.fullmatch(base):
        raise RequestError(
            f"a house rule {VERBS[relation]} one game, not `{base_name}`"
        )
    book = load(base_name)
    gaps = {"name": name, "title": title_from_name(name), "base_title": book.title}
    gaps["typed"] = base_name
    return HOUSE_RULE_TEMPLATE.format(**gaps, laid=relation, base=base)
