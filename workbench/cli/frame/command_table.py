"""The table of sub-commands: what each may be given.

What they do stands in the modules of their names, which are imported when they run.
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
    parser.add_argument("--all", action="store_true", help="house rules too")
    add_language(parser)
    add_json(parser)


def _check(parser: ArgumentParser) -> None:
    add_variant(parser, "+")
    parser.add_argument(
        "--strict", action="store_true", help="warnings are mistakes too"
    )
    add_language(parser)
    add_time(parser)
    document = parser.add_mutually_exclusive_group()
    add_json(document)
    document.add_argument(
        "--sarif",
        action="store_true",
        help="one SARIF 2.1.0 log on standard output, as code hosts read it",
    )


def _bots(parser: ArgumentParser) -> None:
    add_json(parser)


def _explain(parser: ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="such as RB012")
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
        help="names such as action.end_turn or end_turn (default: all clauses)",
    )
    parser.add_argument(
        "--names", action="store_true", help="only the names of clauses, by file"
    )
    parser.add_argument(
        "--uncited",
        action="store_true",
        help="only rules that cite no passage of a text",
    )
    add_json(parser)


def _print(parser: ArgumentParser) -> None:
    add_variant(parser)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the file to be written, by its ending: .html, .md or .pdf (default:"
        " Markdown on standard output)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--whole",
        action="store_true",
        help="all the rules, of a house rule too (default: of a house rule what it"
        " changes)",
    )
    what.add_argument(
        "--against",
        metavar="VARIANT",
        help="only what is otherwise than in that game (default: of a house rule the"
        " game that it is laid over)",
    )
    add_language(parser)
    add_json(parser)


def _format(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="rule files; - is standard input"
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; 1 if something would be"
    )
    add_json(parser)


def _new(parser: ArgumentParser) -> None:
    from workbench.files.library.examples import examples

    parser.add_argument("name", metavar="NAME", help="of the game and of its file")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--extends",
        metavar="VARIANT",
        help="a house rule for that game, which keeps to the game's own scenarios",
    )
    kind.add_argument(
        "--over",
        metavar="VARIANT",
        help="a house rule for that game, which may break the game's own scenarios:"
        " they stay behind",
    )
    kind.add_argument(
        "--from",
        metavar="EXAMPLE",
        dest="example",
        help=f"a copy of an example: {', '.join(examples())} (default: a small whole"
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
        help=f"who sits where; SEAT may be `all`; bots are {SITTING}, those"
        " that `rulebook bots` lists, your own as FILE.py:NAME or MODULE:NAME (default:"
        " you sit in the first seat, greedy in the others)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="a new file that is written as the game goes (default: with --resume"
        " that one, else a file in your folder for states)",
    )
    parser.add_argument(
        "--resume", metavar="RECORD", help="go on with a game that was recorded"
    )
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
        help="let the bots play as in game I of `rulebook simulate`, whose record says"
        " this number, --seed and --bot-seed (default: 0)",
    )
    add_engine(parser, "auto takes reference for one game; the game is the same")


def _simulate(parser: ArgumentParser) -> None:
    add_variant(parser, "+")
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help=f"(default: {GAMES}; with --until at most {UNTIL_GAMES})",
    )
    parser.add_argument(
        "--bots",
        default="random",
        metavar="NAME[,NAME...]",
        help=f"{SITTING}, one that `rulebook bots` lists, or your own as"
        " FILE.py:NAME or MODULE:NAME; one for every seat, or one for each"
        " (default: random)",
    )
    add_engine(
        parser,
        "auto takes native for many games where it can be; the games are the same",
    )
    add_cores(parser)
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="let the workers of a Dask scheduler play, such as tcp://HOST:8786; the"
        " games are the same",
    )
    parser.add_argument(
        "--until",
        metavar="MEASURE ±WIDTH",
        help='play until a mean is known so well, at 95 %%, such as "turns ±0.5"',
    )
    add_limits(parser)
    parser.add_argument(
        "--measures",
        action="store_true",
        help="what the games came to by all measures, in each line of --out too; needs"
        " numpy (default: wins, turns, decisions and actions)",
    )
    add_by_seat(parser)
    add_counted(parser, "games")
    parser.add_argument(
        "--out",
        metavar="FILE.ENDING",
        help="a file with a row for each game, of one variant: .jsonl, .csv or .parquet"
        " (default: none)",
    )
    parser.add_argument(
        "--detail",
        action="store_true",
        help="beside FILE write a row for each turn, and a row for each event",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the games of --out where they were stopped",
    )
    parser.add_argument(
        "--records",
        metavar="DIR",
        help="a folder with one record for each game, of one variant (default: none)",
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
        help="refuse rules that are not those of the record's digest",
    )
    parser.add_argument(
        "--list", action="store_true", help="number what happened, for --at"
    )
    parser.add_argument(
        "--seat", metavar="SEAT", help="only what that seat was told, without the seed"
    )
    add_step(parser)
    add_language(parser)
    add_json(parser)


def _repair(parser: ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record that is damaged")
    parser.add_argument(
        "--rules", metavar="VARIANT", help="rules to play by (default: the record's)"
    )
    add_json(parser)


def _why(parser: ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a game that was recorded")
    parser.add_argument(
        "action", metavar="ACTION", help="as records have it, such as end_turn"
    )
    add_step(parser)
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        help="only from what that seat knows (default: from the whole position)",
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
        help=f"how many set-ups are looked at, on one board (default: {SETUPS})",
    )
    parser.add_argument(
        "--all", action="store_true", help="every space, not the richest alone"
    )
    parser.add_argument(
        "--boards",
        type=int,
        metavar="N",
        help="the mean over so many boards that set-up draws, by seeds from --seed on",
    )
    parser.add_argument(
        "--round",
        type=int,
        default=1,
        metavar="N",
        help="turns of which round are asked about (default: 1)",
    )
    parser.add_argument(
        "--out",
        metavar="FILE.svg",
        help="a map of what the spaces bring, to be written",
    )
    parser.add_argument(
        "--piece",
        metavar="NAME",
        help="whose income the map shows (default: the first piece that brings any)",
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
        help="how many plies deep",
    )
    parser.add_argument(
        "--plies",
        choices=PLIES,
        default="decisions",
        help="what a ply is: decisions and outcomes of chance, or whole turns, a move"
        " with all that it takes (default: decisions)",
    )
    add_engine(
        parser,
        "auto takes native where there is much to count and it can be; the counts are"
        " the same",
    )
    add_settings(parser, seed=None)
    add_bot_seed(parser, note="; no bot plays here, and no count depends on it")
    add_time(parser)
    add_json(parser)


def _board(parser: ArgumentParser) -> None:
    add_variant(parser, "?")
    parser.add_argument("--record", metavar="RECORD", help="a game that was recorded")
    add_step(parser)
    parser.add_argument(
        "--out", metavar="FILE.svg", required=True, help="the picture to be written"
    )
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        help="as that seat sees it (default: as a spectator does)",
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
        help="the language of the program that is written out: each function under the"
        " clause that it comes from",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help="leave out what makes the game quicker: fold, inline, unroll, split,"
        " bound, order, branch or rounds; may be given again for another one",
    )
    add_players(parser)
    add_options(parser)


def _cache(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--clear",
        action="store_true",
        help="remove it all; it is made again when needed",
    )
    add_json(parser)


def _completion(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell to be taught")
    parser.add_argument(
        "--line",
        metavar="TEXT",
        help="what is typed so far: print the words that may come next",
    )


def _lsp(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="speak by standard input and output, as it does by itself",
    )


COMMANDS: tuple[Command, ...] = (
    Command("variants", "list the shipped games", _variants),
    Command("check", "find the mistakes in rule files", _check),
    Command("explain", "say what a diagnostic's code means", _explain),
    Command("options", "list what may be chosen before set-up", _options),
    Command("show", "print the merged rules and their places", _show),
    Command(
        "print", "print the rules in sentences, or what a house rule changes", _print
    ),
    Command("format", "put rule files into canonical form", _format),
    Command("new", "write a rule file to begin with", _new),
    Command("test", "run the scenarios and invariants of rule files", test),
    Command("coverage", "say what of the rules their tests reach", coverage),
    Command("mutate", "change the rules and see whether their tests notice", mutate),
    Command("explore", "visit every position of a small setting", explore),
    Command("play", "play a game at the terminal", _play),
    Command("serve", "let people play in their browsers", serve),
    Command("simulate", "play many games with bots and report", _simulate),
    Command("economy", "say what a board brings and what things cost", _economy),
    Command("compare", "say what variants change, in pairs of games", compare),
    Command("ladder", "say how well bots play, and what that gains", ladder),
    Command("bots", "list who can sit in a seat", _bots),
    Command("replay", "play a record again and compare", _replay),
    Command("sweep", "say what measures are over a range of rules", sweep),
    Command("impact", "say what a change of the rules does to recorded games", impact),
    Command("repair", "write as much of a damaged record as holds", _repair),
    Command("why", "say why an action is legal, or why not", _why),
    Command(
        "record-to-scenario",
        "write a step of a record as a scenario that can be pasted",
        record_to_scenario,
    ),
    Command("perft", "count the leaves of the game tree", _perft),
    Command("board", "draw the board and a position as SVG", _board),
    Command("build", "print the program that plays a game", _build),
    Command("cache", "say what is kept to be quicker next time", _cache),
    Command("lsp", "serve an editor by the language server protocol", _lsp),
    Command(
        "completion", "print the script that completes words in a shell", _completion
    ),
)
