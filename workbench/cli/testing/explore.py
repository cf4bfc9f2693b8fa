"""Command `rulebook explore`: exploration of all positions of a small game."""

from argparse import Namespace
from functools import partial
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from workbench.analysis.simulation.settings import (
    Settings,
    report_missing_engine,
    settings_text,
)
from workbench.budget import STOPPED_BY_TIME, TimedBlock
from workbench.cli.frame.arguments import (
    JSON,
    STEP,
    TIME_LIMIT,
    UNSEEDED_SETTINGS,
    VARIANT,
    engine,
)
from workbench.cli.frame.declarations import command, integer, option
from workbench.cli.frame.game_arguments import (
    game_settings,
    reject_fixed_settings,
    write_notes,
)
from workbench.cli.frame.output import (
    write_json,
    write_line,
    write_line_now,
    write_note,
)
from workbench.cli.frame.test_output import save_records, write_failures
from workbench.cli.frame.time_up import report_time_up
from workbench.defaults import AUTO, MAX_MEMORY_MIB, NATIVE, POSITIONS_MAX
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.files.records.origins import is_record, start_from_file
from workbench.files.records.record_files import read_record
from workbench.files.records.record_headers import header_notes
from workbench.presentation.console.progress_bar import show_phase, with_progress
from workbench.testing.rule_tests.exploration import (
    Exploration,
    ExplorationLevel,
    ExplorationLimits,
)
from workbench.testing.rule_tests.suite import TestSelection

NATIVE_MIN_POSITIONS = 2_000
"""Number of visited positions above which building the native engine pays off."""

NATIVE_MAX_BYTES = 4_000
"""Maximum size in bytes of a packed position that the native engine plays faster."""

MIB = 1 << 20
SHORTEST_GAME = "the shortest such game there is"
INTERRUPTED = "Ctrl-C"


@command(
    "explore",
    VARIANT,
    integer(
        "--depth D",
        "maximum number of events from the start; exit with 1 if a limit stops the"
        " search earlier",
        default_text="no maximum",
        minimum=0,
    ),
    integer(
        "--limit N", "maximum number of positions to visit", POSITIONS_MAX, minimum=1
    ),
    integer(
        "--memory MIB",
        "approximate memory limit for known and waiting positions, in MiB",
        MAX_MEMORY_MIB,
        minimum=1,
    ),
    option(
        "--from FILE",
        "start from the position or record in this file",
        default_text="set-up",
        dest="origin",
    ),
    STEP,
    integer(
        "--deal S",
        "deal the set-up with this seed; follow every chance outcome only after the"
        " first decision",
        default_text="every outcome in the set-up too",
    ),
    option(
        "-k TEXT",
        "check only invariants whose names contain TEXT",
        "",
        default_text="all invariants",
    ),
    option(
        "--records DIR",
        "folder for the record of a game that breaks an invariant",
        default_text="the working folder; none with --json",
    ),
    engine(
        "auto uses native for many small positions where possible; results do not"
        " depend on it"
    ),
    *UNSEEDED_SETTINGS,
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Visit every reachable position of a small game."""
    _check_options(arguments)
    book = load(arguments.variant)
    invariants = TestSelection(book, arguments.k).invariants
    limits = ExplorationLimits(arguments.depth, arguments.limit, arguments.memory * MIB)
    show_phase("starting the game")
    start_game = _start_game(book, arguments)
    exploration = Exploration(start_game, invariants, limits, with_progress)
    exploration.display = partial(
        with_progress, results=lambda: f"{exploration.positions:,} positions so far"
    )
    rows: list[dict[str, Any]] = []
    if not arguments.json:
        for line in _heading(exploration):
            write_line_now(line)
    try:
        with TimedBlock() as timed:
            _explore(exploration, arguments, rows)
    except KeyboardInterrupt:
        exploration.stop_reason = INTERRUPTED
        _write_report(exploration, arguments, rows)
        raise
    if timed.stopped is not None:
        if not exploration.levels:
            raise timed.stopped
        exploration.stop_reason = STOPPED_BY_TIME
    status = _write_report(exploration, arguments, rows)
    report_time_up(timed.stopped, f"{exploration.positions:,} positions")
    return status


def _check_options(arguments: Namespace) -> None:
    """Raise `RequestError` if the options cannot be used together."""
    if arguments.at is not None and arguments.origin is None:
        raise RequestError("--at requires --from RECORD")
    if arguments.deal is not None and arguments.origin is not None:
        raise RequestError(
            f"the position in {arguments.origin} has already been dealt", "omit --deal"
        )
    if arguments.deal is not None and arguments.seed is not None:
        raise RequestError(
            "--seed and --deal cannot be used together: --seed draws all chance"
            " events, --deal only the set-up"
        )


def _start_game(book: Rulebook, arguments: Namespace) -> Game:
    """Return the game to explore; the native engine plays it only if requested."""
    game = _initial_game(book, arguments)
    if arguments.engine == NATIVE:
        with report_missing_engine():
            game.goes_on_by(NATIVE)
    return game


def _initial_game(book: Rulebook, arguments: Namespace) -> Game:
    """Return the initial game: before or after set-up, or from a file."""
    settings = game_settings(arguments)
    if arguments.origin is not None:
        text = read_record(arguments.origin)
        reject_fixed_settings("explore", arguments, arguments.origin)
        if is_record(text):
            write_notes(header_notes(text, book))
        return start_from_file(arguments.origin, text, book, arguments.at)
    if arguments.deal is not None:
        dealt = settings.start(book, seed=arguments.deal)
        return Game.from_any_position(book, dealt.position, chance="given")
    return settings.start(book, chance="given" if arguments.seed is None else "drawn")


def _explore(
    exploration: Exploration, arguments: Namespace, rows: list[dict[str, Any]]
) -> None:
    """Visit the positions; write each completed depth and add it to *rows*."""
    start_game = exploration.start
    is_small = len(start_game.packed) <= NATIVE_MAX_BYTES
    may_switch = arguments.engine == AUTO and is_small
    for level in exploration.explore():
        rows.append({**level.to_json(), "engine": start_game.engine})
        if not arguments.json:
            write_line_now(_row(level))
        if (
            may_switch
            and exploration.positions > NATIVE_MIN_POSITIONS
            and not exploration.is_over
        ):
            may_switch = False
            _switch_to_native(start_game)


def _switch_to_native(game: Game) -> None:
    """Continue a game in the native engine; write a note if that is impossible."""
    try:
        with report_missing_engine():
            game.goes_on_by(NATIVE)
    except RequestError as error:
        write_note(f"using the interpreter: {error.message}")


def _heading(exploration: Exploration) -> tuple[str, str]:
    game = exploration.start
    chance = "every outcome of chance" if game.seed is None else f"seed {game.seed}"
    number = len(exploration.invariants)
    invariants_text = f"{number} invariant{'s' * (number != 1)}"
    players_text = settings_text(Settings(game.players))[2:]
    heads = f"{'depth':>7} {'positions':>12} {'choices':>12} {'over':>9} {'seconds':>9}"
    return f"{game.book.name}, {players_text}, {chance}, {invariants_text}", heads


def _row(level: ExplorationLevel) -> str:
    return (
        f"{level.depth:>7} {level.positions:>12,} {level.choices:>12,}"
        f" {level.ended:>9,} {level.seconds:>9}"
    )


def _write_report(
    exploration: Exploration, arguments: Namespace, rows: list[dict[str, Any]]
) -> int:
    """Write the results and return the exit code."""
    depth = arguments.depth
    short = depth is not None and exploration.depth < depth
    ok = not exploration.failures and (exploration.is_exhausted or not short)
    record_files = save_records(exploration.failures, arguments)
    if arguments.json:
        game = exploration.start
        document = {
            "variant": game.book.name,
            "digest": game.book.digest,
            "players": game.players,
            "options": game.options,
            "seed": game.seed,
            "deal": arguments.deal,
            "from": arguments.origin,
            "at": arguments.at,
            "invariants": len(exploration.invariants),
            "asked": depth,
            **exploration.to_json(),
            "levels": rows,
        }
        write_json(document)
        return 0 if ok else 1
    if exploration.widest is not None:
        write_line(f"widest: {exploration.widest.sentence}")
    write_failures(exploration.failures, record_files, SHORTEST_GAME)
    write_line(exploration.sentence)
    return 0 if ok else 1
