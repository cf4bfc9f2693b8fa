"""Arguments of the commands that compare variants or bots."""

from argparse import ArgumentParser

from workbench.cli.frame.arguments import (
    add_bot_errors,
    add_bot_seed,
    add_by_seat,
    add_cores,
    add_counted,
    add_engine,
    add_jobs,
    add_json,
    add_limits,
    add_settings,
    add_time,
    add_variant,
)
from workbench.defaults import (
    COMPARED,
    GREEDY,
    LADDER_GAMES,
    SITTING,
    SWEEP_GAMES,
    SWEEP_POINTS,
)


def compare(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook compare`."""
    add_variant(parser, "+")
    parser.add_argument(
        "--games",
        type=int,
        default=COMPARED,
        metavar="N",
        help="total number of games, divided among the variants, which use the"
        f" same seeds (default: {COMPARED})",
    )
    parser.add_argument(
        "--bots",
        default=GREEDY,
        metavar="NAME[,NAME...]",
        help=f"one bot for all seats, or one for each seat: {SITTING}, a name from"
        " `rulebook bots`, or your own as FILE.py:NAME or MODULE:NAME"
        f" (default: {GREEDY})",
    )
    add_engine(
        parser,
        "auto uses native for large runs where possible; results do not depend on it",
    )
    add_cores(parser)
    add_limits(parser)
    add_by_seat(parser)
    add_counted(parser, "pairs")
    add_settings(parser)
    add_bot_seed(parser)
    add_bot_errors(parser)
    parser.add_argument(
        "--report",
        metavar="FILE.html",
        help="also write an HTML report, with its data as .parquet files next to it",
    )
    add_time(parser)
    add_json(parser)


def ladder(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook ladder`."""
    add_variant(parser)
    parser.add_argument(
        "--bots",
        required=True,
        metavar="NAME[,NAME...]",
        help=f"two or more bots to rate: {SITTING}, names from `rulebook bots`, or"
        " your own as FILE.py:NAME or MODULE:NAME",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=LADDER_GAMES,
        metavar="N",
        help="maximum number of games, rounded down to whole cycles in which each"
        f" bot has each seat equally often (default: {LADDER_GAMES})",
    )
    add_engine(
        parser,
        "auto uses native for bots that support it; results do not depend on it",
    )
    add_cores(parser)
    add_limits(parser)
    parser.add_argument(
        "--out",
        metavar="FILE.svg",
        help="write a chart of the ratings, and one row per game to FILE.jsonl"
        " next to it; with a .jsonl, .csv or .parquet suffix only the rows"
        " (default: neither)",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="continue an interrupted run that wrote to --out",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_bot_errors(parser)
    add_time(parser)
    add_json(parser)


def impact(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook impact`."""
    parser.add_argument(
        "before",
        metavar="BEFORE",
        help="rules that the games were recorded with: name of a shipped game,"
        " path of a rule file, or several joined with +",
    )
    parser.add_argument("after", metavar="AFTER", help="rules to replay the games with")
    parser.add_argument(
        "--corpus",
        metavar="DIR",
        required=True,
        help="folder with records; subfolders are searched and other files ignored",
    )
    add_jobs(parser, "replay records; results do not depend on it")
    parser.add_argument(
        "--fail-under",
        type=float,
        metavar="PERCENT",
        help="exit with 1 if fewer than PERCENT of the games still hold (default:"
        " never)",
    )
    add_time(parser)
    add_json(parser)


def sweep(parser: ArgumentParser) -> None:
    """Add the arguments of `rulebook sweep`."""
    add_variant(parser)
    parser.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="WHAT=VALUES",
        help="number in the rules to vary, with its values: `cost NAME.KIND ="
        " 1..4`, `option NAME = 8, 10` or `action NAME#1 = 1..9 by 2`; may be"
        " repeated",
    )
    parser.add_argument(
        "--goal",
        metavar="MEASURE=NUMBER",
        help="search for the points at which a measure has this value, such as"
        " `turns.mean = 60` (default: play every point)",
    )
    parser.add_argument(
        "--measure",
        action="append",
        metavar="NAME",
        help="measure to report, named as in docs/measures.md; may be repeated",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=SWEEP_GAMES,
        metavar="N",
        help=f"number of games at each point (default: {SWEEP_GAMES})",
    )
    parser.add_argument(
        "--points",
        type=int,
        default=SWEEP_POINTS,
        metavar="N",
        help="maximum number of points to play when searching for --goal (default:"
        f" {SWEEP_POINTS})",
    )
    parser.add_argument(
        "--bots",
        default=GREEDY,
        metavar="NAME[,NAME...]",
        help=f"one bot for all seats, or one for each seat (default: {GREEDY})",
    )
    add_engine(parser, "auto uses native for large runs where possible")
    add_cores(parser)
    parser.add_argument(
        "--max-turns",
        type=int,
        metavar="N",
        help="stop a game after N turns and count it as unfinished",
    )
    parser.add_argument(
        "--keep",
        metavar="DIR",
        help="folder to save the rules of each point in, as a house rule",
    )
    parser.add_argument(
        "--out",
        metavar="FILE.svg",
        help="write a chart of each measure against the varied numbers",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_bot_errors(parser)
    add_time(parser)
    add_json(parser)
