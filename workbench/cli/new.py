"""`rulebook new`: a rule file to begin with, which checks and can be played."""

import re
from argparse import ArgumentParser, Namespace
from importlib.resources import files
from pathlib import Path

from workbench.cli.command import Command, add_json, put, put_json
from workbench.errors import Refused
from workbench.loading import ENDING, load

WORD = re.compile(r"[^\W\d_]\w*")
HEADER = re.compile(r"^rulebook .*$", re.MULTILINE)

HOUSE = """\
rules language 1
rulebook {name} "{title}"
  extends {base}

# What differs from {base_title}. Each change names a clause of it:
#
#   replace cost NAME: 2 …, 1 …        another price
#   replace option NAME (…): …         another number
#   in action NAME                     one more requirement
#     add needs LABEL: CONDITION "reason"
#
# `rulebook show {base}` prints its clauses, `rulebook options {base}` its options.
"""


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="of the game and of its file")
    parser.add_argument(
        "--extends", metavar="VARIANT", help="a house rule for that game"
    )
    add_json(parser)


def _run(arguments: Namespace) -> int:
    name = arguments.name.removesuffix(ENDING)
    if not WORD.fullmatch(name):
        near = re.sub(r"\W+", "_", name).strip("_0123456789")
        help = f"try `{near}`" if near else "it begins with a letter"
        raise Refused(f"`{name}` is no name: letters, digits and _ only", help)
    path = Path(name + ENDING)
    if path.exists():
        raise Refused(f"{path} is there already", "nothing was changed")
    path.write_text(text_of(name, arguments.extends), encoding="utf-8", newline="\n")
    if arguments.json:
        put_json({"file": str(path), "name": name, "extends": arguments.extends})
        return 0
    put(f"{path} is written. Next:")
    for command in ("check", "play", "test"):
        put(f"  rulebook {command} {path}")
    return 0


def text_of(name: str, base: str | None) -> str:
    """The text of a new rule file; `base` is the game that it is laid over."""
    title = name.replace("_", " ").capitalize()
    if base is None:
        template = files("workbench").joinpath("templates/game.rules")
        text = template.read_text(encoding="utf-8")
        return HEADER.sub(f'rulebook {name} "{title}"', text, count=1)
    extended = Path(base).stem if base.endswith(ENDING) else base
    if not WORD.fullmatch(extended):
        raise Refused(f"a house rule extends one game, not `{base}`")
    book = load(base)
    return HOUSE.format(name=name, title=title, base=extended, base_title=book.title)


NEW = Command("new", "write a rule file to begin with", _arguments, _run)
