"""What `rulebook explore` may be given: where it begins, and how far it goes."""

from argparse import ArgumentParser

from workbench.cli.frame.arguments import (
    add_engine,
    add_json,
    add_settings,
    add_step,
    add_variant,
)
from workbench.defaults import MEMORY_MAX, POSITIONS_MAX


def explore(parser: ArgumentParser) -> None:
    """Add what `rulebook explore` may be given."""
    add_variant(parser)
    parser.add_argument(
        "--depth",
        type=int,
        metavar="D",
        help="to which number of events; 1 if it does not come so far (default: as far"
        " as there are positions, or the limit is)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=POSITIONS_MAX,
        metavar="N",
        help=f"the most positions that are visited (default: {POSITIONS_MAX})",
    )
    parser.add_argument(
        "--memory",
        type=int,
        default=MEMORY_MAX,
        metavar="MIB",
        help="about how much memory positions may take that are known or wait"
        f" (default: {MEMORY_MAX})",
    )
    parser.add_argument(
        "--from",
        metavar="FILE",
        dest="origin",
        help="begin with the position or the record in it (default: set-up)",
    )
    add_step(parser)
    parser.add_argument(
        "--deal",
        type=int,
        metavar="S",
        help="let this seed deal set-up up to the first decision; what falls after it"
        " has every outcome (default: set-up has every outcome too)",
    )
    parser.add_argument(
        "-k",
        default="",
        metavar="TEXT",
        help="only invariants that have it in their names (default: all of them)",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="where the game is kept in which something breaks (default: the working"
        " folder; with --json nowhere)",
    )
    add_engine(
        parser,
        "auto takes native for many positions that are small, where it can be; what"
        " comes of it is the same",
    )
    add_settings(parser, seed=None)
    add_json(parser)
