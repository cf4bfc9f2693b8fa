"""What the commands that test rules may be given."""

from argparse import ArgumentParser

from workbench.cli.frame.arguments import (
    add_bot_seed,
    add_engine,
    add_jobs,
    add_json,
    add_record,
    add_settings,
    add_step,
    add_time,
    add_variant,
)
from workbench.defaults import (
    GUIDED,
    MEMORY_MAX,
    MUTANTS,
    POSITIONS_MAX,
    TEST_GAMES,
    UNIFORM,
)

CHOICES = (GUIDED, UNIFORM)


def test(parser: ArgumentParser) -> None:
    """Add what `rulebook test` may be given."""
    add_variant(parser, "+")
    parser.add_argument(
        "--games",
        type=int,
        default=TEST_GAMES,
        metavar="N",
        help="for each number of players, in which invariants are tested; for each full"
        " twenty one more with every other value of an option"
        f" (default: {TEST_GAMES})",
    )
    parser.add_argument(
        "-k",
        default="",
        metavar="TEXT",
        help="only tests that have it in their names (default: all tests)",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="where a game that breaks an invariant is kept (default: the working"
        " folder; with --json nowhere)",
    )
    parser.add_argument(
        "--pictures",
        metavar="DIR",
        help="where the position in which a test fails is drawn, as SVG (default: none"
        " is drawn)",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_time(parser)
    add_json(parser)


def coverage(parser: ArgumentParser) -> None:
    """Add what `rulebook coverage` may be given."""
    add_variant(parser)
    parser.add_argument(
        "--games",
        type=int,
        default=TEST_GAMES,
        metavar="N",
        help="how many games are made up, of all numbers of players, every other one"
        f" with options otherwise (default: {TEST_GAMES})",
    )
    parser.add_argument(
        "--choice",
        choices=CHOICES,
        default=GUIDED,
        help="how they choose: guided by what no game has reached, from set-up and from"
        " other positions; or uniform, every legal action alike, from set-up (default:"
        f" {GUIDED})",
    )
    add_jobs(parser, "play games at once; what comes of it is the same")
    parser.add_argument(
        "--html",
        metavar="FILE.html",
        help="a page to be written: the rules, coloured by what was reached",
    )
    parser.add_argument(
        "--fail-under",
        type=float,
        metavar="PERCENT",
        help="1 if less is reached (default: whatever is reached will do)",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="where a game that breaks an invariant is kept (default: the working"
        " folder; with --json nowhere)",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_time(parser)
    add_json(parser)


def mutate(parser: ArgumentParser) -> None:
    """Add what `rulebook mutate` may be given."""
    add_variant(parser)
    parser.add_argument(
        "--sample",
        type=int,
        default=MUTANTS,
        metavar="N",
        help="how many changes of the rules are tried, one at a time"
        f" (default: {MUTANTS})",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="S",
        help="which changes are drawn, and which games made up (default: 1)",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=TEST_GAMES,
        metavar="N",
        help="how many games are made up for each change that no scenario notices, to"
        f" hold the invariants to it (default: {TEST_GAMES})",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="how many processes try changes at once; what comes of it is the same"
        " (default: 1)",
    )
    parser.add_argument(
        "--own",
        action="store_true",
        help="only what the file itself says, not what it extends",
    )
    parser.add_argument(
        "--resume",
        metavar="FILE.jsonl",
        help="a file that is written as changes have been tried; what it holds of this"
        " sample is not tried again (default: none)",
    )
    add_time(parser)
    add_json(parser)


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
    add_time(parser)
    add_json(parser)


def record_to_scenario(parser: ArgumentParser) -> None:
    """Add what `rulebook record-to-scenario` may be given."""
    add_record(parser)
    parser.add_argument(
        "--whole",
        action="store_true",
        help="the whole position, with the lines that show nothing too",
    )
    add_step(parser)
    add_json(parser)
