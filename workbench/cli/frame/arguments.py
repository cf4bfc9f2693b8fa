"""What a sub-command is, and the arguments that several of them share.

Nothing here imports what a command does: `--help` and completion need the words alone.
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
    """A parser, or a group of its arguments."""

    def add_argument(self, *names: str, **said: Any) -> Any:
        """Add an argument."""


class Command(NamedTuple):
    """A sub-command: its name, a line of help and its arguments.

    What it does is `run` of the module of its name in the folder of the commands.
    """

    name: str
    help: str
    arguments: Callable[[ArgumentParser], None]


def known_to(parser: ArgumentParser) -> list[Action]:
    """The arguments that a parser has been given; argparse shows them nowhere else."""
    return parser._actions  # noqa: SLF001


def add_json(parser: Taking) -> None:
    """Add `--json`, to a parser or to a group of arguments."""
    parser.add_argument(
        "--json", action="store_true", help="one JSON document on standard output"
    )


def add_jobs(parser: ArgumentParser, what: str) -> None:
    """Add `--jobs`, by its help: what that many processes do."""
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help=f"how many processes {what} (default: 1)",
    )


def add_cores(parser: ArgumentParser) -> None:
    """Add `--jobs` for many games by bots: all cores where nobody says it."""
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="how many processes play at once; the games are the same (default: one for"
        " each core where there are many games, of shipped bots)",
    )


def add_time(parser: ArgumentParser) -> None:
    """Add `--time`."""
    parser.add_argument(
        "--time",
        type=_duration,
        metavar="DURATION",
        help="stop after this time and show what was found so far: 60s, 5m, 1h30m, or a"
        " number of seconds (default: no limit)",
    )


def _duration(text: str) -> Any:
    """Return a duration; import what reads it only where one is given."""
    from workbench.budget import duration

    try:
        return duration(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def add_limits(parser: ArgumentParser) -> None:
    """Add where games are given up: `--max-turns` and `--max-decisions`."""
    parser.add_argument(
        "--max-turns",
        type=int,
        metavar="N",
        help="a game that goes on after so many is unfinished (default: no limit but"
        " that of the rules)",
    )
    parser.add_argument(
        "--max-decisions",
        type=int,
        default=DECISIONS_MAX,
        metavar="N",
        help="a game that goes on after so many is unfinished"
        f" (default: {DECISIONS_MAX})",
    )


def add_counted(parser: ArgumentParser, what: str) -> None:
    """Add `--counted`, by its help: which games are played again."""
    parser.add_argument(
        "--counted",
        type=int,
        default=0,
        metavar="N",
        help=f"play the first N {what} again, and count which requirement refused, and"
        " which lines and branches of the rules decided (default: none)",
    )


def add_by_seat(parser: ArgumentParser) -> None:
    """Add `--by-seat`."""
    parser.add_argument(
        "--by-seat",
        action="store_true",
        help="measure what each seat produced, took, spent, traded and lost, and its"
        " idle turns (default: all seats together)",
    )


def add_variant(parser: ArgumentParser, nargs: str | None = None) -> None:
    """Add `VARIANT`, or several."""
    parser.add_argument(
        "variants" if nargs == "+" else "variant",
        metavar="VARIANT",
        nargs=nargs,
        help="a game: a shipped name, a file, or a game with house rules, joined by +",
    )


def add_step(parser: ArgumentParser) -> None:
    """Add `--at`."""
    parser.add_argument(
        "--at",
        type=int,
        metavar="STEP",
        help="after so many events, as `rulebook replay RECORD --list` numbers them"
        " (default: after the last)",
    )


EVERY_OUTCOME = "every outcome of chance, none drawn"
FROM_SYSTEM = "drawn by the system"


def add_players(parser: ArgumentParser) -> None:
    """Add `--players`."""
    parser.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="number of players (default: the most that the rules allow)",
    )


def add_options(parser: ArgumentParser) -> None:
    """Add `--option`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="options",
        help="a choice before set-up, as `rulebook options VARIANT` lists them; may be"
        " given again for another one",
    )


def add_settings(
    parser: ArgumentParser, *, seed: int | None = 1, unseeded: str = EVERY_OUTCOME
) -> None:
    """Add `--players`, `--seed`, `--option` and `--board`.

    `unseeded` is what happens where there is no `seed`.
    """
    add_players(parser)
    usual = unseeded if seed is None else seed
    parser.add_argument(
        "--seed",
        type=int,
        default=seed,
        metavar="S",
        help=f"of dice and draws: the same seed, the same chance (default: {usual})",
    )
    add_options(parser)
    parser.add_argument(
        "--board",
        metavar="FILE.json",
        help="what set-up would deal: {SPACE: {ATTRIBUTE: VALUE}} (default: it deals)",
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
        help="of the bots' own numbers, or `random`: drawn by the system, so that no"
        " bot can work out the seed of dice and draws from"
        f" them{note} (default: {usual})",
    )


def add_bot_errors(parser: ArgumentParser) -> None:
    """Add `--on-bot-error` and `--bot-seconds`."""
    parser.add_argument(
        "--on-bot-error",
        choices=ON_BOT_ERROR,
        default=STOP,
        help="what comes of a bot of your own that raises, chooses nothing legal or"
        f" takes too long: {STOP} ends all with exit code 1, {RANDOM} goes on with a"
        f" legal action that is drawn, {LOSE} ends the game, which the others win"
        f" (default: {STOP})",
    )
    parser.add_argument(
        "--bot-seconds",
        type=float,
        metavar="N",
        help="how long a bot of your own may take for a decision (default: no limit)",
    )


def _bot_seed(text: str) -> int:
    """A seed of bots; `random` is one that nobody can guess."""
    if text == RANDOM:
        from workbench.bots.randomness import drawn_seed

        return drawn_seed()
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no whole number and not {RANDOM}") from None


def add_language(parser: ArgumentParser) -> None:
    """Add `--language`."""
    parser.add_argument(
        "--language",
        metavar="NAME",
        help=f"of titles and sentences, such as de (default: {LANGUAGE})",
    )


def add_record(parser: ArgumentParser) -> None:
    """Add a record, and `--rules`."""
    parser.add_argument("record", metavar="RECORD", help="a game that was recorded")
    parser.add_argument(
        "--rules", metavar="VARIANT", help="rules to play by (default: the record's)"
    )


ENGINES = (AUTO, NATIVE, REFERENCE)


def add_engine(parser: ArgumentParser, note: str) -> None:
    """Add `--engine`; `note` says when it is which by itself."""
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default=AUTO,
        help="what plays: native, made by your C compiler and many times quicker, or"
        f" reference, the interpreter; {note} (default: auto)",
    )
