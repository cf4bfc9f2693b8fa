"""`rulebook play`: a game at the terminal."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from workbench.bots import BOTS
from workbench.cli.command import (
    Command,
    add_language,
    add_settings,
    add_variant,
    settings,
)
from workbench.errors import Refused
from workbench.loading import load
from workbench.own_bots import check_bot
from workbench.play import HUMAN, Table
from workbench.records import Recorder, book_of, header, read, whole_lines
from workbench.replaying import replayed
from workbench.wording import Wording


def _arguments(parser: ArgumentParser) -> None:
    add_variant(parser, "?")
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SEAT=human|BOT",
        dest="seats",
        help=f"who sits where; SEAT may be `all`; bots are {', '.join(BOTS)}, your own"
        " as FILE.py:NAME or MODULE:NAME (default: you sit in the first seat, greedy in"
        " the others)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="a file that is written as the game goes (default: none; with"
        " --resume that one)",
    )
    parser.add_argument(
        "--resume", metavar="RECORD", help="go on with a game that was recorded"
    )
    add_language(parser)
    add_settings(parser)


def seated(wishes: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    """Who sits where. Without a wish the first seat is a person, the rest greedy.

    Raises `Refused` for a seat or a player that does not exist.
    """
    players = dict.fromkeys(seats, "greedy")
    if not wishes:
        players[seats[0]] = HUMAN
    for wish in wishes:
        seat, equals, who = wish.partition("=")
        if not equals:
            raise Refused(f"`--seat {wish}` is not SEAT=human or SEAT=BOT")
        if seat != "all" and seat not in players:
            raise Refused(
                f"no seat is called `{seat}`", f"there are {', '.join(seats)}"
            )
        if who != HUMAN:
            check_bot(who)
        for one in seats if seat == "all" else (seat,):
            players[one] = who
    return players


def _run(arguments: Namespace) -> int:
    seed = arguments.seed
    if arguments.resume is not None:
        record = whole_lines(read(arguments.resume))
        seed = header(record).get("seed")
        if seed is None:
            raise Refused(
                f"{arguments.resume}: chance was given from outside, so that it cannot"
                " go on",
                f"`rulebook replay {arguments.resume}` shows how it stands",
            )
        outcome = replayed(record, book_of(record, arguments.variant))
        if outcome.diverged is not None:
            raise Refused(f"{arguments.resume}: {outcome.sentence}", status=1)
        game = outcome.game
    elif arguments.variant is None:
        raise Refused("name a VARIANT to play, or a record to --resume")
    else:
        game = settings(arguments).start(load(arguments.variant))
    players = seated(arguments.seats, game.seats)
    recorder = Recorder(arguments.record or arguments.resume)
    words = Wording.of(game.book, arguments.language)
    Table(game, players, seed, sys.stdin, sys.stdout, recorder, words=words).play()
    return 0


PLAY = Command("play", "play a game at the terminal", _arguments, _run)
