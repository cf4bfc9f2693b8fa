"""What the command that serves tables to browsers may be given."""

from argparse import ArgumentParser

from workbench.cli.frame.arguments import (
    FROM_SYSTEM,
    add_json,
    add_language,
    add_options,
    add_players,
    add_variant,
)
from workbench.defaults import PORT, SERVED_AT, SITTING


def serve(parser: ArgumentParser) -> None:
    """Add what `rulebook serve` may be given."""
    add_variant(parser, "?")
    add_players(parser)
    parser.add_argument(
        "--bots",
        default="",
        metavar="NAME[,NAME...]",
        help=f"who sits in the last seats, one each: {SITTING}, or your own as"
        " FILE.py:NAME or MODULE:NAME (default: people sit everywhere)",
    )
    add_options(parser)
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="of dice and draws: the same seed, the same chance (default:"
        f" {FROM_SYSTEM})",
    )
    parser.add_argument(
        "--host",
        default=SERVED_AT,
        metavar="ADDRESS",
        help="where to listen: this machine alone, or 0.0.0.0 for every network of it"
        f" (default: {SERVED_AT})",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"0 is any that is free (default: {PORT})",
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help="what links begin with, where a proxy stands before this server, such as"
        " https://tables.example (default: as it listens)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="where tables are kept, such as sqlite:///tables.sqlite or"
        " postgresql://NAME@HOST/BASE (default: a file in your folder for states)",
    )
    parser.add_argument(
        "--record", metavar="FILE", help="a game that was recorded, to be looked at"
    )
    parser.add_argument(
        "--save",
        metavar="DIR",
        help="a folder into which the workshop may save rule files (default: it lets"
        " them be downloaded)",
    )
    add_language(parser)
    add_json(parser)
