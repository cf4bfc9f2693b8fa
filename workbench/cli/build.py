"""`rulebook build`: the program that plays a game, as a text to be read."""

from argparse import ArgumentParser, Namespace

from interpreter import python_program
from workbench.cli.command import Command, add_variant, put
from workbench.loading import load
from workbench.settings import Settings

PROGRAMS = {"python": python_program}


def _arguments(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "--emit",
        choices=PROGRAMS,
        required=True,
        help="the language of the program that is written out: each function under the"
        " clause that it comes from",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help="leave out what makes the game quicker: fold, inline, unroll, split, bound"
        " or order; may be given again for another one",
    )
    parser.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="number of players (default: the most that the rules allow)",
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


def _run(arguments: Namespace) -> int:
    book = load(arguments.variant)
    chosen = Settings.parsed(arguments.players, 1, arguments.options, None)
    program = PROGRAMS[arguments.emit](
        book,
        players=arguments.players,
        options=dict(chosen.options),
        without=arguments.without,
    )
    put(program.rstrip())
    return 0


BUILD = Command("build", "print the program that plays a game", _arguments, _run)
