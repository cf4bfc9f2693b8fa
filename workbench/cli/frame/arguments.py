"""Definition of a sub-command, and arguments that several of them share.

This module imports nothing that a command runs, as `--help` and completion need only
the texts.
"""

from __future__ import annotations

from argparse import Action, ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from workbench.defaults import (
    AUTO,
    DECISIONS_MAX,
    LANGUAGE,
    LOSE,
    NATIVE,
    ON_BOT_ERROR,
    RANDOM,
    REFERENCE,
    STOP,
)


class Taking(Protocol):
    """Parser, or group of its arguments."""

    def add_argument(self, *names: str, **said: Any) -> Any:
        """Add an argument."""


class Command(NamedTuple):
    """Sub-command: its name, a line of help and its arguments.

    Its code is the function `run` in the module with its name, in `workbench.cli`.
    """

    name: str
    help: str
    arguments: Callable[[ArgumentParser], None]


def parser_actions(parser: ArgumentParser) -> list[Action]:
    """Return the arguments of a parser, which argparse does not publish."""
    return parser._actions  # noqa: SLF001


def add_json(parser: Taking) -> None:
    """Add `--json`, to a parser or to a group of arguments."""
    parser.add_argument(
        "--json", action="store_true", help="write the result as one JSON document"
    )


def add_jobs(parser: ArgumentParser, what: str) -> None:
    """Add `--jobs`; *what* completes its help: what the processes do."""
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help=f"number of processes that {what} (default: 1)",
    )


def add_cores(parser: ArgumentParser) -> None:
    """Add `--jobs` for many games by bots; the default depends on the run."""
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="number of worker processes; results do not depend on it (default:"
        " one per core for large runs of shipped bots, otherwise 1)",
    )


def add_time(parser: ArgumentParser) -> None:
    """Add `--time`."""
    parser.add_argument(
        "--time",
        type=_duration,
        metavar="DURATION",
        help="stop after this time and report the results so far: 60s, 5m, 1h30m,"
        " or a number of seconds (default: no limit)",
    )


def _duration(text: str) -> Any:
    """Return a duration; import its parser only if one is given."""
    from workbench.budget import duration

    try:
        return duration(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def add_limits(parser: ArgumentParser) -> None:
    """Add the limits of a game: `--max-turns` and `--max-decisions`."""
    parser.add_argument(
        "--max-turns",
        type=int,
        metavar="N",
        help="stop a game after N turns and count it as unfinished (default: the"
        " limit of the rules, if any)",
    )
    parser.add_argument(
        "--max-decisions",
        type=int,
        default=DECISIONS_MAX,
        metavar="N",
        help="stop a game after N decisions and count it as unfinished (default:"
        f" {DECISIONS_MAX})",
    )


def add_counted(parser: ArgumentParser, what: str) -> None:
    """Add `--counted` with its help: which games are replayed."""
    parser.add_argument(
        "--counted",
        type=int,
        default=0,
        metavar="N",
        help=f"replay the first N {what} and count which requirements rejected"
        " actions and which lines and branches of the rules were used"
        " (default: none)",
    )


def add_by_seat(parser: ArgumentParser) -> None:
    """Add `--by-seat`."""
    parser.add_argument(
        "--by-seat",
        action="store_true",
        help="measure production, seizures, spending, trades, losses and idle"
        " turns for each seat (default: all seats together)",
    )


def add_variant(parser: ArgumentParser, nargs: str | None = None) -> None:
    """Add `VARIANT`, or several."""
    parser.add_argument(
        "variants" if nargs == "+" else "variant",
        metavar="VARIANT",
        nargs=nargs,
        help="game to use: name of a shipped game, path of a rule file, or several"
        " joined with + to apply house rules",
    )


def add_step(parser: ArgumentParser) -> None:
    """Add `--at`."""
    parser.add_argument(
        "--at",
        type=int,
        metavar="STEP",
        help="position after event number STEP, as numbered by `rulebook replay"
        " RECORD --list` (default: the last event)",
    )


EVERY_OUTCOME = "none, follow every chance outcome"
FROM_SYSTEM = "unpredictable"


def add_players(parser: ArgumentParser) -> None:
    """Add `--players`."""
    parser.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="number of players (default: the maximum that the rules allow)",
    )


def add_options(parser: ArgumentParser) -> None:
    """Add `--option`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="options",
        help="set a game option; may be repeated (see `rulebook options VARIANT`)",
    )


def add_settings(
    parser: ArgumentParser, *, seed: int | None = 1, unseeded: str = EVERY_OUTCOME
) -> None:
    """Add `--players`, `--seed`, `--option` and `--board`.

    `unseeded` describes the behaviour without a seed.
    """
    add_players(parser)
    usual = unseeded if seed is None else seed
    parser.add_argument(
        "--seed",
        type=int,
        default=seed,
        metavar="S",
        help=f"random seed for dice and card draws (default: {usual})",
    )
    add_options(parser)
    parser.add_argument(
        "--board",
        metavar="FILE.json",
        help="fixed board, as {SPACE: {ATTRIBUTE: VALUE}} (default: dealt at set-up)",
    )
    names = ("players", "seed", "options", "board")
    parser.set_defaults(
        usual_settings={name: parser.get_default(name) for name in names}
    )


def add_bot_seed(
    parser: ArgumentParser, *, default: int | str = 1, note: str = ""
) -> None:
    """Add `--bot-seed`."""
    usual = FROM_SYSTEM if default == RANDOM else default
    parser.add_argument(
        "--bot-seed",
        type=_bot_seed,
        default=default,
        metavar="B",
        help="random seed for the bots; `random` picks one that bots cannot use to"
        f" predict dice and draws{note} (default: {usual})",
    )


def add_bot_errors(parser: ArgumentParser) -> None:
    """Add `--on-bot-error` and `--bot-seconds`."""
    parser.add_argument(
        "--on-bot-error",
        choices=ON_BOT_ERROR,
        default=STOP,
        help="what to do when a custom bot raises an error, returns an illegal"
        f" action, or exceeds --bot-seconds: {STOP} the run with exit code 1,"
        f" play a {RANDOM} legal action instead, or let the bot {LOSE} the"
        f" game (default: {STOP})",
    )
    parser.add_argument(
        "--bot-seconds",
        type=float,
        metavar="N",
        help="time limit in seconds for each decision of a custom bot (default: no"
        " limit)",
    )


def _bot_seed(text: str) -> int:
    """Return a seed for bots; `random` yields an unpredictable one."""
    if text == RANDOM:
        from workbench.bots.randomness import drawn_seed

        return drawn_seed()
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(
            f"`{text}` is neither a whole number nor `{RANDOM}`"
        ) from None


def add_language(parser: ArgumentParser) -> None:
    """Add `--language`."""
    parser.add_argument(
        "--language",
        metavar="NAME",
        help=f"language of titles and messages, such as de (default: {LANGUAGE})",
    )


def add_record(parser: ArgumentParser) -> None:
    """Add a record, and `--rules`."""
    parser.add_argument("record", metavar="RECORD", help="record of a game")
    parser.add_argument(
        "--rules",
        metavar="VARIANT",
        help="rules to use instead of those named in the record",
    )


ENGINES = (AUTO, NATIVE, REFERENCE)


def add_engine(parser: ArgumentParser, note: str) -> None:
    """Add `--engine`; `note` explains the default choice."""
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default=AUTO,
        help="game engine: native (compiled with your C compiler, many times"
        f" faster) or reference (the interpreter); {note} (default: auto)",
    )
