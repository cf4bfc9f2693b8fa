"""Table of the sub-commands with their arguments.

Their code is in the modules with their names, imported when they run.
"""

from argparse import ArgumentParser

from workbench.cli.frame.arguments import (
    FROM_SYSTEM,
    Command,
    add_bot_errors,
    add_bot_seed,
    add_by_seat,
    add_cores,
    add_counted,
    add_engine,
    add_json,
    add_language,
    add_limits,
    add_options,
    add_players,
    add_record,
    add_settings,
    add_step,
    add_time,
    add_variant,
)
from workbench.cli.frame.comparison_arguments import compare, impact, ladder, sweep
from workbench.cli.frame.server_arguments import serve
from workbench.cli.frame.test_arguments import (
    coverage,
    explore,
    mutate,
    record_to_scenario,
    test,
)
from workbench.defaults import (
    GAMES,
    RANDOM,
    SETUPS,
    SITTING,
    UNTIL_GAMES,
)

PROGRAMS = ("python", "c")
PLIES = ("decisions", "turns")
SHELLS = ("bash", "zsh", "fish")


def _variants(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="include house rules")
    add_language(parser)
    add_json(parser)


def _check(parser: ArgumentParser) -> None:
    add_variant(parser, "+")
    parser.add_argument(
        "--strict", action="store_true", help="treat warnings as errors"
    )
    add_language(parser)
    add_time(parser)
    document = parser.add_mutually_exclusive_group()
    add_json(document)
    document.add_argument(
        "--sarif",
        action="store_true",
        help="write the diagnostics as a SARIF 2.1.0 log, for code hosting services",
    )


def _bots(parser: ArgumentParser) -> None:
    add_json(parser)


def _explain(parser: ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="diagnostic code, such as RB012")
    add_json(parser)


def _options(parser: ArgumentParser) -> None:
    add_variant(parser)
    add_language(parser)
    add_json(parser)


def _show(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "clause",
        metavar="CLAUSE",
        nargs="*",
        help="clause to print, such as action.end_turn or end_turn (default: all"
        " clauses)",
    )
    parser.add_argument(
        "--names",
        action="store_true",
        help="list only the names of the clauses, by file",
    )
    parser.add_argument(
        "--uncited",
        action="store_true",
        help="list only rules that cite no passage of a source text",
    )
    add_json(parser)


def _print(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="output file; its suffix selects the format: .html, .md or .pdf"
        " (default: Markdown on standard output)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--whole",
        action="store_true",
        help="print the complete rules even for a house rule (default: only its"
        " changes)",
    )
    what.add_argument(
        "--against",
        metavar="VARIANT",
        help="print only the differences from this game (default for a house rule:"
        " its base game)",
    )
    add_language(parser)
    add_json(parser)


def _format(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="rule file to format; - reads standard input",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 if a file is not formatted",
    )
    add_json(parser)


def _new(parser: ArgumentParser) -> None:
    from workbench.files.library.examples import examples

    parser.add_argument("name", metavar="NAME", help="name of the game and of its file")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--extends",
        metavar="VARIANT",
        help="create a house rule that must still pass the scenarios of this game",
    )
    kind.add_argument(
        "--over",
        metavar="VARIANT",
        help="create a house rule that may break the scenarios of this game, which"
        " are left out",
    )
    kind.add_argument(
        "--from",
        metavar="EXAMPLE",
        dest="example",
        help=f"copy an example: {', '.join(examples())} (default: a small complete"
        " game with hints)",
    )
    add_json(parser)


def _play(parser: ArgumentParser) -> None:
    add_variant(parser, "?")
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SEAT=human|BOT",
        dest="seats",
        help=f"player for a seat, or for `all` seats: human, {SITTING}, a name from"
        " `rulebook bots`, or your own bot as FILE.py:NAME or MODULE:NAME"
        " (default: you in the first seat, greedy in the others)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="new file to record the game in (default: the resumed record, or a"
        " file in your state folder)",
    )
    parser.add_argument("--resume", metavar="RECORD", help="continue a recorded game")
    add_language(parser)
    add_settings(parser, seed=None, unseeded=FROM_SYSTEM)
    add_bot_seed(parser, default=RANDOM)
    parser.set_defaults(bot_seed=None)
    add_bot_errors(parser)
    parser.add_argument(
        "--game",
        type=int,
        default=0,
        metavar="I",
        help="make the bots play as in game I of `rulebook simulate`; its record"
        " contains I, --seed and --bot-seed (default: 0)",
    )
    add_engine(
        parser, "auto uses reference for a single game; the game does not depend on it"
    )


def _simulate(parser: ArgumentParser) -> None:
    add_variant(parser, "+")
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help=f"number of games (default: {GAMES}; with --until at most {UNTIL_GAMES})",
    )
    parser.add_argument(
        "--bots",
        default="random",
        metavar="NAME[,NAME...]",
        help=f"one bot for all seats, or one for each seat: {SITTING}, a name from"
        " `rulebook bots`, or your own as FILE.py:NAME or MODULE:NAME"
        " (default: random)",
    )
    add_engine(
        parser,
        "auto uses native for large runs where possible; results do not depend on it",
    )
    add_cores(parser)
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run the games on the workers of a Dask scheduler, such as"
        " tcp://HOST:8786; results do not depend on it",
    )
    parser.add_argument(
        "--until",
        metavar="MEASURE ±WIDTH",
        help="play until the 95 %% confidence interval of a mean is this narrow,"
        ' such as "turns ±0.5"',
    )
    add_limits(parser)
    parser.add_argument(
        "--measures",
        action="store_true",
        help="report all measures, also in each row of --out; needs numpy"
        " (default: wins, turns, decisions and actions)",
    )
    add_by_seat(parser)
    add_counted(parser, "games")
    parser.add_argument(
        "--out",
        metavar="FILE.ENDING",
        help="write one row per game of a single variant to this .jsonl, .csv or"
        " .parquet file (default: none)",
    )
    parser.add_argument(
        "--detail",
        action="store_true",
        help="also write one row per turn and one row per event to files next to --out",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="continue an interrupted run that wrote to --out",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="write the record of each game of a single variant to this folder"
        " (default: none)",
    )
    add_settings(parser)
    add_bot_seed(parser)
    add_bot_errors(parser)
    add_time(parser)
    add_json(parser)


def _replay(parser: ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--exact",
        action="store_true",
        help="fail if the digest of the rules differs from that in the record",
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="list the events with their numbers, for use with --at",
    )
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        help="show only what this seat was told, without the seed",
    )
    add_step(parser)
    add_language(parser)
    add_json(parser)


def _repair(parser: ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="damaged record")
    parser.add_argument(
        "--rules",
        metavar="VARIANT",
        help="rules to use instead of those named in the record",
    )
    add_json(parser)


def _why(parser: ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="record of a game")
    parser.add_argument(
        "action",
        metavar="ACTION",
        help="action as written in records, such as end_turn",
    )
    add_step(parser)
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        help="use only what this seat knows (default: the whole position)",
    )
    add_language(parser)
    add_json(parser)


def _economy(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "--setups",
        type=int,
        default=SETUPS,
        metavar="N",
        help=f"number of set-ups to examine on one board (default: {SETUPS})",
    )
    parser.add_argument(
        "--all", action="store_true", help="list all spaces, not only the richest"
    )
    parser.add_argument(
        "--boards",
        type=int,
        metavar="N",
        help="average over N random boards, dealt with consecutive seeds from --seed",
    )
    parser.add_argument(
        "--round",
        type=int,
        default=1,
        metavar="N",
        help="round whose turns are analysed (default: 1)",
    )
    parser.add_argument(
        "--out",
        metavar="FILE.svg",
        help="write a map of the income of each space",
    )
    parser.add_argument(
        "--piece",
        metavar="NAME",
        help="piece whose income the map shows (default: the first piece with an"
        " income)",
    )
    add_language(parser)
    add_settings(parser)
    add_time(parser)
    add_json(parser)


def _perft(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "--depth",
        type=int,
        required=True,
        metavar="D",
        help="depth of the tree in plies",
    )
    parser.add_argument(
        "--plies",
        choices=PLIES,
        default="decisions",
        help="unit of depth: decisions and chance outcomes, or whole turns with"
        " all their decisions (default: decisions)",
    )
    add_engine(
        parser,
        "auto uses native for large counts where possible; counts do not depend on it",
    )
    add_settings(parser, seed=None)
    add_bot_seed(parser, note="; has no effect here, because no bot plays")
    add_time(parser)
    add_json(parser)


def _board(parser: ArgumentParser) -> None:
    add_variant(parser, "?")
    parser.add_argument("--record", metavar="RECORD", help="record of a game")
    add_step(parser)
    parser.add_argument(
        "--out", metavar="FILE.svg", required=True, help="SVG file to write"
    )
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        help="draw the view of this seat (default: that of a spectator)",
    )
    add_language(parser)
    add_settings(parser)
    add_json(parser)


def _build(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "--emit",
        choices=PROGRAMS,
        required=True,
        help="language of the generated program; each function is listed under the"
        " clause that it comes from",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help="disable an optimisation: fold, inline, unroll, split, bound, order,"
        " branch or rounds; may be repeated",
    )
    add_players(parser)
    add_options(parser)


def _cache(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--clear",
        action="store_true",
        help="delete the caches; they are rebuilt when needed",
    )
    add_json(parser)


def _completion(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="shell to print the script for")
    parser.add_argument(
        "--line",
        metavar="TEXT",
        help="print the possible next words of this unfinished command line instead",
    )


def _lsp(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="use standard input and output (always on; accepted for compatibility"
        " with editors)",
    )


COMMANDS: tuple[Command, ...] = (
    Command("variants", "list the shipped games", _variants),
    Command("check", "check rule files for errors", _check),
    Command("explain", "explain a diagnostic code", _explain),
    Command("options", "list the options of a game", _options),
    Command("show", "print the merged rules with their source locations", _show),
    Command(
        "print",
        "print the rules, or the changes of a house rule, in plain sentences",
        _print,
    ),
    Command("format", "format rule files", _format),
    Command("new", "create a new rule file", _new),
    Command("test", "run the scenarios and check the invariants of rule files", test),
    Command("coverage", "measure how much of the rules the tests cover", coverage),
    Command(
        "mutate",
        "run mutation tests: change the rules and count the changes that the"
        " tests detect",
        mutate,
    ),
    Command("explore", "visit every reachable position of a small game", explore),
    Command("play", "play a game in the terminal", _play),
    Command("serve", "start a game server for browsers", serve),
    Command(
        "simulate", "simulate many games between bots and report statistics", _simulate
    ),
    Command(
        "economy",
        "compute the income of a board and the time until costs are affordable",
        _economy,
    ),
    Command("compare", "compare variants in paired games of bots", compare),
    Command("ladder", "rate bots by games against one another", ladder),
    Command("bots", "list the available bots", _bots),
    Command("replay", "replay a record and check that it still matches", _replay),
    Command("sweep", "vary numbers in the rules and report how measures change", sweep),
    Command(
        "impact", "report how a change of the rules affects recorded games", impact
    ),
    Command("repair", "save the intact part of a damaged record", _repair),
    Command("why", "explain why an action is legal or illegal", _why),
    Command(
        "record-to-scenario",
        "convert a position of a record into a scenario for a rule file",
        record_to_scenario,
    ),
    Command("perft", "count the leaves of the game tree to a given depth", _perft),
    Command("board", "draw a position on the board as SVG", _board),
    Command("build", "print the Python or C program generated from the rules", _build),
    Command("cache", "show or delete the caches", _cache),
    Command("lsp", "start the language server for editors", _lsp),
    Command("completion", "print a shell completion script", _completion),
)
