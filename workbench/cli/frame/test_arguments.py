"""Arguments of the commands that test rules."""

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
    """Add the arguments of `rulebook test`."""
    add_variant(parser, "+")
    parser.add_argument(
        "--games",
        type=int,
        default=TEST_GAMES,
        metavar="N",
        help="number of generated games for each number of players, to check"
        " invariants; every full 20 add one game for each other value of each"
        f" option (default: {TEST_GAMES})",
    )
    parser.add_argument(
        "-k",
        default="",
        metavar="TEXT",
        help="run only tests whose names contain TEXT (default: all tests)",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="folder for records of games that break an invariant (default: the"
        " working folder; none with --json)",
    )
    parser.add_argument(
        "--pictures",
        metavar="DIR",
        help="folder for SVG pictures of the positions in which tests fail"
        " (default: no pictures)",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_time(parser)
    add_json(parser)


def coverage(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook coverage`."""
    add_variant(parser)
    parser.add_argument(
        "--games",
        type=int,
        default=TEST_GAMES,
        metavar="N",
        help="number of generated games, over all numbers of players; every second"
        f" game changes an option (default: {TEST_GAMES})",
    )
    parser.add_argument(
        "--choice",
        choices=CHOICES,
        default=GUIDED,
        help="how generated games choose actions: guided towards rules not reached"
        " yet, from set-up and other positions; or uniform among legal"
        f" actions, from set-up (default: {GUIDED})",
    )
    add_jobs(parser, "play games; results do not depend on it")
    parser.add_argument(
        "--html",
        metavar="FILE.html",
        help="write an HTML page of the rules, coloured by coverage",
    )
    parser.add_argument(
        "--fail-under",
        type=float,
        metavar="PERCENT",
        help="exit with 1 if the coverage is below PERCENT (default: never)",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="folder for records of games that break an invariant (default: the"
        " working folder; none with --json)",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_time(parser)
    add_json(parser)


def mutate(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook mutate`."""
    add_variant(parser)
    parser.add_argument(
        "--sample",
        type=int,
        default=MUTANTS,
        metavar="N",
        help=f"number of changes to try, one at a time (default: {MUTANTS})",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="S",
        help="random seed for the choice of changes and for the generated games"
        " (default: 1)",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=TEST_GAMES,
        metavar="N",
        help="number of games generated for each change that passes all scenarios,"
        f" to check the invariants (default: {TEST_GAMES})",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="number of processes that try changes; results do not depend on it"
        " (default: 1)",
    )
    parser.add_argument(
        "--own",
        action="store_true",
        help="change only clauses of the file itself, not those that it extends",
    )
    parser.add_argument(
        "--resume",
        metavar="FILE.jsonl",
        help="file to save results in; changes that it already contains are not"
        " tried again (default: none)",
    )
    add_time(parser)
    add_json(parser)


def explore(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook explore`."""
    add_variant(parser)
    parser.add_argument(
        "--depth",
        type=int,
        metavar="D",
        help="maximum number of events from the start; exit with 1 if a limit"
        " stops the search earlier (default: no maximum)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=POSITIONS_MAX,
        metavar="N",
        help=f"maximum number of positions to visit (default: {POSITIONS_MAX})",
    )
    parser.add_argument(
        "--memory",
        type=int,
        default=MEMORY_MAX,
        metavar="MIB",
        help="approximate memory limit for known and waiting positions, in MiB"
        f" (default: {MEMORY_MAX})",
    )
    parser.add_argument(
        "--from",
        metavar="FILE",
        dest="origin",
        help="start from the position or record in this file (default: set-up)",
    )
    add_step(parser)
    parser.add_argument(
        "--deal",
        type=int,
        metavar="S",
        help="deal the set-up with this seed; follow every chance outcome only"
        " after the first decision (default: every outcome in the set-up too)",
    )
    parser.add_argument(
        "-k",
        default="",
        metavar="TEXT",
        help="check only invariants whose names contain TEXT (default: all invariants)",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="folder for the record of a game that breaks an invariant (default:"
        " the working folder; none with --json)",
    )
    add_engine(
        parser,
        "auto uses native for many small positions where possible; results do"
        " not depend on it",
    )
    add_settings(parser, seed=None)
    add_time(parser)
    add_json(parser)


def record_to_scenario(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook record-to-scenario`."""
    add_record(parser)
    parser.add_argument(
        "--whole",
        action="store_true",
        help="include all lines of the position, even those the scenario does not need",
    )
    add_step(parser)
    add_json(parser)
