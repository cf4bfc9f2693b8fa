"""Arguments of the command that serves games to browsers."""

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
    """Add the arguments of `rulebook serve`."""
    add_variant(parser, "?")
    add_players(parser)
    parser.add_argument(
        "--bots",
        default="",
        metavar="NAME[,NAME...]",
        help=f"bots for the last seats, one per seat: {SITTING}, or your own as"
        " FILE.py:NAME or MODULE:NAME (default: no bots)",
    )
    add_options(parser)
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help=f"random seed for dice and card draws (default: {FROM_SYSTEM})",
    )
    parser.add_argument(
        "--host",
        default=SERVED_AT,
        metavar="ADDRESS",
        help="address to listen on; 0.0.0.0 accepts connections from every network"
        f" (default: {SERVED_AT})",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"port to listen on; 0 picks a free port (default: {PORT})",
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help="public base URL when the server is behind a proxy, such as"
        " https://tables.example (default: the address it listens on)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="database that stores the tables, such as sqlite:///tables.sqlite or"
        " postgresql://NAME@HOST/BASE (default: a file in your state folder)",
    )
    parser.add_argument(
        "--record", metavar="FILE", help="record of a game to show in the browser"
    )
    parser.add_argument(
        "--save",
        metavar="DIR",
        help="folder where the workshop may save rule files (default: files can"
        " only be downloaded)",
    )
    add_language(parser)
    add_json(parser)
