"""What a sub-command is, and the arguments that several of them share."""

import json
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs

from rulebook import UNSEEN, visible, visible_lines
from workbench.errors import Refused
from workbench.headers import Note
from workbench.phrases import FIRST
from workbench.randomness import RANDOM, drawn_seed
from workbench.settings import Settings


@attrs.frozen
class Command:
    """A sub-command: its name, a line of help, its arguments and what it does."""

    name: str
    help: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def add_json(parser: ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument(
        "--json", action="store_true", help="one JSON document on standard output"
    )


def add_variant(parser: ArgumentParser, nargs: str | None = None) -> None:
    """Add `VARIANT`, or several."""
    parser.add_argument(
        "variants" if nargs == "+" else "variant",
        metavar="VARIANT",
        nargs=nargs,
        help="a game: a shipped name, a file, or a game with house rules, joined by +",
    )


def add_step(parser: ArgumentParser) -> None:
    """Add `--at`."""
    parser.add_argument(
        "--at",
        type=int,
        metavar="STEP",
        help="after so many events, as `rulebook replay RECORD --list` numbers them"
        " (default: after the last)",
    )


EVERY_OUTCOME = "every outcome of chance, none drawn"
FROM_SYSTEM = "drawn by the system"


def add_settings(
    parser: ArgumentParser, *, seed: int | None = 1, unseeded: str = EVERY_OUTCOME
) -> None:
    """Add `--players`, `--seed`, `--option` and `--board`.

    `unseeded` is what happens where there is no `seed`.
    """
    parser.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="number of players (default: the most that the rules allow)",
    )
    usual = unseeded if seed is None else seed
    parser.add_argument(
        "--seed",
        type=int,
        default=seed,
        metavar="S",
        help=f"of dice and draws: the same seed, the same chance (default: {usual})",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="options",
        help="a choice before set-up, as `rulebook options VARIANT` lists them; may be"
        " given again for another one",
    )
    parser.add_argument(
        "--board",
        metavar="FILE.json",
        help="what set-up would deal: {SPACE: {ATTRIBUTE: VALUE}} (default: it deals)",
    )
    names = ("players", "seed", "options", "board")
    parser.set_defaults(usual_settings={one: parser.get_default(one) for one in names})


def add_bot_seed(
    parser: ArgumentParser, *, default: int | str = 1, note: str = ""
) -> None:
    """Add `--bot-seed`."""
    usual = FROM_SYSTEM if default == RANDOM else default
    parser.add_argument(
        "--bot-seed",
        type=_bot_seed,
        default=default,
        metavar="B",
        help="of the bots' own numbers, or `random`: drawn by the system, so that no"
        " bot can work out the seed of dice and draws from"
        f" them{note} (default: {usual})",
    )


def _bot_seed(text: str) -> int:
    """A seed of bots; `random` is one that nobody can guess."""
    if text == RANDOM:
        return drawn_seed()
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no whole number and not {RANDOM}") from None


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


def add_language(parser: ArgumentParser) -> None:
    """Add `--language`."""
    parser.add_argument(
        "--language",
        metavar="NAME",
        help=f"of titles and sentences, such as de (default: {FIRST})",
    )


@contextmanager
def naming_standard_output() -> Iterator[None]:
    """Let an error of the system say that it is standard output that fails.

    That its reader has had enough is no error: it stays without a name.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        error.filename = "standard output"
        raise


def put(text: str) -> None:
    """Write text to standard output; what is in it from files commands no terminal."""
    put_painted(visible_lines(text))


def put_painted(text: str) -> None:
    """Write text that is made for the terminal, with colours of ours, as it is."""
    with naming_standard_output():
        sys.stdout.write(text + "\n")


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


def _escaped(found: re.Match[str]) -> str:
    """A character of a text in JSON by its number."""
    return json.dumps(found[0])[1:-1]
