"""Games, settings and records that a command's arguments specify."""

from argparse import Namespace
from collections.abc import Iterable, Mapping
from math import inf
from pathlib import Path
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from workbench.analysis.simulation.settings import Settings
from workbench.bots.bot_failures import ErrorPolicy, OnError
from workbench.cli.frame.command_table import COMMANDS
from workbench.cli.frame.output import write_note
from workbench.defaults import STOP
from workbench.errors import RequestError
from workbench.files.library.atomic_files import SVG_PREFIXES, check_replaceable
from workbench.files.records.record_files import read_record
from workbench.files.records.record_headers import (
    HeaderNote,
    header_notes,
    rules_of_record,
)
from workbench.files.records.record_replay import ReplayResult, replay_text


def game_settings(arguments: Namespace) -> Settings:
    """Return the settings of a game: players, seeds, options and board."""
    return Settings.parse(
        arguments.players,
        arguments.seed,
        arguments.options,
        arguments.board,
        getattr(arguments, "bot_seed", 1),
        error_policy(arguments),
    )


def error_policy(arguments: Namespace) -> ErrorPolicy:
    """Return the policy for bots that fail or exceed their time limit."""
    seconds = getattr(arguments, "bot_seconds", None)
    if seconds is not None and not 0 < seconds < inf:
        raise RequestError(f"--bot-seconds must be positive, not {seconds:g}")
    return ErrorPolicy(OnError(getattr(arguments, "on_bot_error", STOP)), seconds)


def reject_fixed_settings(
    command: str,
    arguments: Namespace,
    record: str,
    header: Mapping[str, Any] | None = None,
) -> None:
    """Raise `RequestError` if an argument changes a setting that a record fixes.

    *arguments* belong to the sub-command *command*. The seed of the bots and the number
    of the game are fixed only if *header*, the header of the record, contains them.
    """
    fixed = {"players", "seed", "options", "board"}
    fixed |= {name for name in ("bot_seed", "game") if name in (header or ())}
    for argument in COMMANDS[command].arguments:
        name = argument.dest
        if name in fixed and getattr(arguments, name) != argument.default:
            flag = argument.names[0]
            message = f"{flag} cannot be changed for the game in {record}"
            raise RequestError(message, "omit it")


def check_svg_file(file: str, kind: str) -> None:
    """Raise `RequestError` if *file* cannot be an SVG; messages name its *kind*."""
    ending = Path(file).suffix
    if ending not in {"", ".svg"}:
        message = f"{kind} can only be written as .svg, not as {ending}"
        raise RequestError(message, "write --out NAME.svg")
    check_replaceable(file, SVG_PREFIXES, "a picture")


def replay_record(
    path: str, rules: str | None, step: int | None, *, exact: bool = False
) -> tuple[str, Rulebook, ReplayResult]:
    """Return the text of a record, its rules, and its replay up to step *step*.

    Notes on the record are written to standard error. *exact* is passed to
    `replay_text`.
    """
    record = read_record(path)
    book = rules_of_record(record, rules)
    write_notes(header_notes(record, book))
    return record, book, replay_text(record, book, step, exact=exact)


def replayed_game(replay: ReplayResult, path: str) -> Game:
    """Return a replayed game. Raise `RequestError` if the record at *path* diverged."""
    if replay.divergence is not None:
        raise RequestError(f"{path}: {replay.sentence}", exit_code=1)
    return replay.game


def write_notes(notes: Iterable[HeaderNote]) -> None:
    """Write notes about a record to standard error."""
    for note in notes:
        write_note(note.text)
