"""What a sub-command is, and the arguments that several of them share."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

import attrs

from workbench.phrases import FIRST
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


def add_settings(parser: ArgumentParser, *, seed: int | None = 1) -> None:
    """Add `--players`, `--seed`, `--option` and `--board`."""
    parser.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="number of players (default: the most that the rules allow)",
    )
    usual = "every outcome of chance, none drawn" if seed is None else seed
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


def settings(arguments: Namespace) -> Settings:
    """The settings that `add_settings` asked for."""
    return Settings.parsed(
        arguments.players, arguments.seed, arguments.options, arguments.board
    )


def add_language(parser: ArgumentParser) -> None:
    """Add `--language`."""
    parser.add_argument(
        "--language",
        metavar="NAME",
        help=f"of titles and sentences, such as de (default: {FIRST})",
    )


def put(text: str) -> None:
    """Write a line to standard output."""
    sys.stdout.write(text + "\n")


def put_json(document: Any) -> None:
    """Write one JSON document; in plain ASCII where the stream is not UTF-8."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    ascii_only = encoding.replace("-", "") not in {"utf8", "utf8sig"}
    put(json.dumps(document, ensure_ascii=ascii_only))
