"""What the commands that set variants, or bots, side by side may be given."""

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
    """Add what `rulebook compare` may be given."""
    add_variant(parser, "+")
    parser.add_argument(
        "--games",
        type=int,
        default=COMPARED,
        metavar="N",
        help="in all: each variant plays its part of them, by the same seeds (default:"
        f" {COMPARED})",
    )
    parser.add_argument(
        "--bots",
        default=GREEDY,
        metavar="NAME[,NAME...]",
        help=f"{SITTING}, one that `rulebook bots` lists, or your own as"
        " FILE.py:NAME or MODULE:NAME; one for every seat, or one for each"
        f" (default: {GREEDY})",
    )
    add_engine(
        parser,
        "auto takes native for many games where it can be; the games are the same",
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
        help="write a page of what differs too, with its tables beside it (.parquet)",
    )
    add_time(parser)
    add_json(parser)


def ladder(parser: ArgumentParser) -> None:
    """Add what `rulebook ladder` may be given."""
    add_variant(parser)
    parser.add_argument(
        "--bots",
        required=True,
        metavar="NAME[,NAME...]",
        help=f"two or more that meet one another: {SITTING}, those that"
        " `rulebook bots` lists, or your own as FILE.py:NAME or MODULE:NAME",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=LADDER_GAMES,
        metavar="N",
        help="in all; as many of them are played as make up whole cycles, in which"
        f" each bot has each seat equally often (default: {LADDER_GAMES})",
    )
    add_engine(
        parser,
        "auto takes native where who sits there plays in it; the games are the same",
    )
    add_cores(parser)
    add_limits(parser)
    parser.add_argument(
        "--out",
        metavar="FILE.svg",
        help="draw the ratings, and write a row for each game beside it, as"
        " FILE.jsonl; or with the ending .jsonl, .csv or .parquet only the rows"
        " (default: neither)",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the games of --out where they were stopped",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_bot_errors(parser)
    add_time(parser)
    add_json(parser)


def impact(parser: ArgumentParser) -> None:
    """Add what `rulebook impact` may be given."""
    parser.add_argument(
        "before",
        metavar="BEFORE",
        help="the rules by which the games were recorded: a shipped name, a file, or a"
        " game with house rules, joined by +",
    )
    parser.add_argument(
        "after", metavar="AFTER", help="the rules by which they are played again"
    )
    parser.add_argument(
        "--corpus",
        metavar="DIR",
        required=True,
        help="a folder with records, which may lie in folders and beside other files",
    )
    add_jobs(parser, "play records at once; what comes of it is the same")
    parser.add_argument(
        "--fail-under",
        type=float,
        metavar="PERCENT",
        help="1 if fewer games still hold (default: however many hold will do)",
    )
    add_time(parser)
    add_json(parser)


def sweep(parser: ArgumentParser) -> None:
    """Add what `rulebook sweep` may be given."""
    add_variant(parser)
    parser.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="WHAT=VALUES",
        help="a number of the rules and its values, as `cost NAME.KIND = 1..4`,"
        " `option NAME = 8, 10` or `action NAME#1 = 1..9 by 2`; may be repeated",
    )
    parser.add_argument(
        "--goal",
        metavar="MEASURE=NUMBER",
        help="seek the points at which a measure is so, as `turns.mean = 60`"
        " (default: play every point)",
    )
    parser.add_argument(
        "--measure",
        action="append",
        metavar="NAME",
        help="what to look at, as docs/measures.md calls it; may be repeated",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=SWEEP_GAMES,
        metavar="N",
        help=f"at each point (default: {SWEEP_GAMES})",
    )
    parser.add_argument(
        "--points",
        type=int,
        default=SWEEP_POINTS,
        metavar="N",
        help=f"so many are played at most for a goal (default: {SWEEP_POINTS})",
    )
    parser.add_argument(
        "--bots",
        default=GREEDY,
        metavar="NAME[,NAME...]",
        help=f"one for every seat, or one for each (default: {GREEDY})",
    )
    add_engine(parser, "auto takes native for many games where it can be")
    add_cores(parser)
    parser.add_argument(
        "--max-turns",
        type=int,
        metavar="N",
        help="a game that goes on after so many is unfinished",
    )
    parser.add_argument(
        "--keep",
        metavar="DIR",
        help="a folder in which the rules of each point are kept, as a house rule",
    )
    parser.add_argument(
        "--out",
        metavar="FILE.svg",
        help="draw what each measure is over what is varied",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_bot_errors(parser)
    add_time(parser)
    add_json(parser)
