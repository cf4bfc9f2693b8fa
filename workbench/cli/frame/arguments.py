"""Arguments that several commands share."""

from __future__ import annotations

from workbench.cli.frame.declarations import (
    Argument,
    flag,
    integer,
    option,
    positional,
    repeated,
)
from workbench.defaults import (
    AUTO,
    BOT_ERROR_REACTIONS,
    BOT_NAMES,
    DECISIONS_MAX,
    LOSE,
    NATIVE,
    RANDOM,
    REFERENCE,
    STOP,
)
from workbench.defaults import LANGUAGE as DEFAULT_LANGUAGE

# ---------------------------------------------------------------- rules and records

_VARIANT_HELP = (
    "game to use: name of a shipped game, path of a rule file, or several joined with"
    " + to apply house rules"
)
VARIANT = positional("variant", "VARIANT", _VARIANT_HELP)
OPTIONAL_VARIANT = positional("variant", "VARIANT", _VARIANT_HELP, nargs="?")
VARIANTS = positional("variants", "VARIANT", _VARIANT_HELP, nargs="+")

RECORD = positional("record", "RECORD", "record of a game")
RULES = option("--rules VARIANT", "rules to use instead of those named in the record")
STEP = integer(
    "--at STEP",
    "position after event number STEP, as numbered by `rulebook replay RECORD --list`",
    default_text="the last event",
)

# ---------------------------------------------------------------- settings of games

EVERY_OUTCOME = "none, follow every chance outcome"
FROM_SYSTEM = "unpredictable"

PLAYERS = integer(
    "--players N", "number of players", default_text="the maximum that the rules allow"
)
OPTIONS = repeated(
    "--option NAME=VALUE",
    "set a game option; may be repeated (see `rulebook options VARIANT`)",
    dest="options",
    default=[],
)
BOARD = option(
    "--board FILE.json",
    "fixed board, as {SPACE: {ATTRIBUTE: VALUE}}",
    default_text="dealt at set-up",
)


def seed(default: int | None = 1, *, default_text: str | None = None) -> Argument:
    """Return the argument `--seed`; *default_text* describes play without a seed."""
    help = "random seed for dice and card draws"
    return integer("--seed S", help, default, default_text=default_text)


SETTINGS = (PLAYERS, seed(), OPTIONS, BOARD)
UNSEEDED_SETTINGS = (
    PLAYERS,
    seed(None, default_text=EVERY_OUTCOME),
    OPTIONS,
    BOARD,
)
"""Arguments for game settings; without a seed, every chance outcome is followed."""
UNPREDICTABLE_SETTINGS = (PLAYERS, seed(None, default_text=FROM_SYSTEM), OPTIONS, BOARD)

# ---------------------------------------------------------------- bots and games


def bots(default: str) -> Argument:
    """Return the argument `--bots`, which names the bots for all seats."""
    return option(
        "--bots NAME[,NAME...]",
        f"one bot for all seats, or one for each seat: {BOT_NAMES}, a name from"
        " `rulebook bots`, or your own as FILE.py:NAME or MODULE:NAME",
        default,
    )


def bot_seed(
    default: int | None = 1, *, default_text: str | None = None, note: str = ""
) -> Argument:
    """Return the argument `--bot-seed`; *note* is appended to its help."""
    return option(
        "--bot-seed B",
        f"random seed for the bots; `{RANDOM}` picks one that bots cannot use to"
        f" predict dice and draws{note}",
        default,
        default_text=default_text,
        type="bot_seed",
    )


BOT_ERRORS = (
    option(
        "--on-bot-error",
        "what to do when a custom bot raises an error, returns an illegal action, or"
        f" exceeds --bot-seconds: {STOP} the run with exit code 1, play a {RANDOM}"
        f" legal action instead, or let the bot {LOSE} the game",
        STOP,
        choices=BOT_ERROR_REACTIONS,
    ),
    option(
        "--bot-seconds N",
        "time limit in seconds for each decision of a custom bot",
        default_text="no limit",
        type="float",
    ),
)
BOT_SETTINGS = (*SETTINGS, bot_seed())
BOT_GAME_SETTINGS = (*BOT_SETTINGS, *BOT_ERRORS)

MAX_TURNS = integer(
    "--max-turns N",
    "stop a game after N turns and count it as unfinished",
    default_text="the limit of the rules, if any",
    minimum=1,
)
MAX_DECISIONS = integer(
    "--max-decisions N",
    "stop a game after N decisions and count it as unfinished",
    DECISIONS_MAX,
    minimum=1,
)
GAME_LIMITS = (MAX_TURNS, MAX_DECISIONS)
BY_SEAT = flag(
    "--by-seat",
    "measure production, seizures, spending, trades, losses and idle turns for each"
    " seat (default: all seats together)",
)


def counted(games: str) -> Argument:
    """Return the argument `--counted`: how many *games* to replay to count rule use."""
    return integer(
        "--counted N",
        f"replay the first N {games} and count which requirements rejected actions and"
        " which lines and branches of the rules were used",
        0,
        default_text="none",
        minimum=0,
    )


def engine(note: str) -> Argument:
    """Return the argument `--engine`; *note* explains the default engine."""
    return option(
        "--engine",
        "game engine: native (compiled with your C compiler, many times faster) or"
        f" reference (the interpreter); {note}",
        AUTO,
        choices=(AUTO, NATIVE, REFERENCE),
    )


LARGE_RUN_ENGINE = engine(
    "auto uses native for large runs where possible; results do not depend on it"
)

# ---------------------------------------------------------------- runs and output

AUTO_JOBS = integer(
    "--jobs N",
    "number of worker processes; results do not depend on it",
    default_text="one per core for large runs of shipped bots, otherwise 1",
    minimum=1,
)


def jobs(work: str) -> Argument:
    """Return the argument `--jobs`; *work* says what the processes do."""
    help = f"number of processes that {work}; results do not depend on it"
    return integer("--jobs N", help, 1, minimum=1)


RESUME = flag("--resume", "continue an interrupted run that wrote to --out")
TIME_LIMIT = option(
    "--time DURATION",
    "stop after this time and report the results so far: 60s, 5m, 1h30m, or a number of"
    " seconds",
    default_text="no limit",
    type="duration",
)
LANGUAGE = option(
    "--language NAME",
    "language of titles and messages, such as de",
    default_text=DEFAULT_LANGUAGE,
)
JSON = flag("--json", "write the result as one JSON document")
FAILED_RECORDS = option(
    "--records DIR",
    "folder for records of games that break an invariant",
    default_text="the working folder; none with --json",
)


def fail_under(condition: str) -> Argument:
    """Return the argument `--fail-under`; *condition* says when the command fails."""
    return option(
        "--fail-under PERCENT",
        f"exit with 1 if {condition}",
        default_text="never",
        type="float",
        minimum=0,
        maximum=100,
    )
