"""Command `rulebook play`: a game in the terminal."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from interpreter import Game, read_header
from workbench.analysis.simulation.settings import record_notes, report_missing_engine
from workbench.bots.randomness import random_seed
from workbench.bots.registry import check_bot
from workbench.cli.frame.arguments import (
    BOT_ERRORS,
    FROM_SYSTEM,
    LANGUAGE,
    OPTIONAL_VARIANT,
    UNPREDICTABLE_SETTINGS,
    bot_seed,
    engine,
)
from workbench.cli.frame.declarations import command, integer, option, repeated
from workbench.cli.frame.game_arguments import (
    error_policy,
    game_settings,
    reject_fixed_settings,
    write_notes,
)
from workbench.defaults import BOT_NAMES, HUMAN
from workbench.errors import RequestError
from workbench.files.library.atomic_files import is_same_file
from workbench.files.library.digests import matches_digest
from workbench.files.library.loading import load
from workbench.files.records.autosave import Autosave
from workbench.files.records.record_files import read_record
from workbench.files.records.record_headers import header_notes, rules_of_record
from workbench.files.records.record_replay import replay_text
from workbench.files.records.recorder import Recorder
from workbench.presentation.localization.localizer import Localizer
from workbench.terminal.terminal_game import TerminalGame


def players_by_seat(choices: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    """Return the player of each seat; by default a person and greedy bots.

    *choices* have the form SEAT=PLAYER. Raise `RequestError` if one is invalid.
    """
    players = dict.fromkeys(seats, "greedy")
    if not choices:
        players[seats[0]] = HUMAN
    for choice in choices:
        seat, equals, player = choice.partition("=")
        if not equals:
            raise RequestError(f"`--seat {choice}` is not SEAT=human or SEAT=BOT")
        if seat != "all" and seat not in players:
            raise RequestError(
                f"there is no seat `{seat}`", f"seats are {', '.join(seats)}"
            )
        if player != HUMAN:
            check_bot(player)
        for seat_name in seats if seat == "all" else (seat,):
            players[seat_name] = player
    return players


@command(
    "play",
    OPTIONAL_VARIANT,
    repeated(
        "--seat SEAT=human|BOT",
        f"player for a seat, or for `all` seats: human, {BOT_NAMES}, a name from"
        " `rulebook bots`, or your own bot as FILE.py:NAME or MODULE:NAME",
        default_text="you in the first seat, greedy in the others",
        default=[],
        dest="seats",
    ),
    option(
        "--record FILE",
        "new file to record the game in",
        default_text="the resumed record, or a file in your state folder",
    ),
    option("--resume RECORD", "continue a recorded game"),
    LANGUAGE,
    *UNPREDICTABLE_SETTINGS,
    bot_seed(None, default_text=FROM_SYSTEM),
    *BOT_ERRORS,
    integer(
        "--game I",
        "make the bots play as in game I of `rulebook simulate`; its record contains I,"
        " --seed and --bot-seed",
        0,
        default_text="0",
        minimum=0,
    ),
    engine("auto uses reference for a single game; the game does not depend on it"),
)
def run(arguments: Namespace) -> int:
    """Play a game in the terminal."""
    if arguments.resume is not None:
        recorder, game = _resume(arguments)
    elif arguments.variant is None:
        raise RequestError("name a VARIANT to play, or a record with --resume")
    else:
        recorder, game = Recorder(arguments.record), _start_game(arguments)
    players = players_by_seat(arguments.seats, game.seats)
    if recorder.path is None and HUMAN in players.values():
        recorder = Autosave(game.book.name)
    localizer = Localizer.for_book(game.book, arguments.language)
    seed = _bot_seed(arguments)
    try:
        TerminalGame(
            *(game, players, seed, sys.stdin, sys.stdout, recorder),
            localizer=localizer,
            error_policy=error_policy(arguments),
        ).play()
    finally:
        recorder.close()
    return 0


def _start_game(arguments: Namespace) -> Game:
    """Return a new game; missing seeds are drawn by the operating system."""
    if arguments.seed is None:
        arguments.seed = random_seed()
    bot_seed = _bot_seed(arguments)
    game = game_settings(arguments).start(
        load(arguments.variant), engine=arguments.engine
    )
    game.notes = record_notes(bot_seed, arguments.game)
    return game


def _bot_seed(arguments: Namespace) -> int:
    """Return the seed for bots; if none is given, the operating system draws one."""
    if arguments.bot_seed is None:
        arguments.bot_seed = random_seed()
    return int(arguments.bot_seed)


def _resume(arguments: Namespace) -> tuple[Recorder, Game]:
    """Return a recorder and the game to continue from a record.

    The record is locked before it is read, unless a new file is written.
    """
    path = arguments.resume
    if arguments.record is None or is_same_file(arguments.record, path):
        recorder, record = Recorder.resume(path)
    else:
        recorder, record = Recorder(arguments.record), read_record(path)
    header = read_header(record)
    reject_fixed_settings("play", arguments, path, header)
    if header["seed"] is None:
        raise RequestError(
            f"{path} cannot be continued: its chance outcomes were chosen, not"
            " drawn with a seed",
            f"`rulebook replay {path}` shows its position",
        )
    book = rules_of_record(record, arguments.variant)
    write_notes(header_notes(record, book))
    replay = replay_text(record, book)
    if replay.divergence is not None:
        help = f"`rulebook repair {path}` saves the intact part"
        raise RequestError(f"{path}: {replay.sentence}", help, exit_code=1)
    game = replay.game
    with report_missing_engine():
        game.goes_on_by(arguments.engine)
    if recorder.path == path and not matches_digest(header.get("digest"), game.book):
        raise RequestError(
            f"{path} was recorded with different rules",
            "name a new file with --record to leave it unchanged",
        )
    return recorder, game
