"""Command `rulebook economy`: its arguments and its implementation."""

from argparse import Namespace
from pathlib import Path

from rulebook import Rulebook
from workbench import budget
from workbench.analysis.economy import (
    boards_document,
    economy_document,
    examine,
    examine_boards,
    income_map,
)
from workbench.cli.analysis.economy.board_text import BoardText
from workbench.cli.analysis.economy.boards_text import BoardsText
from workbench.cli.frame.arguments import JSON, LANGUAGE, SETTINGS, TIME_LIMIT, VARIANT
from workbench.cli.frame.declarations import command, flag, integer, option
from workbench.cli.frame.game_arguments import check_svg_file, game_settings
from workbench.cli.frame.output import write_json, write_line
from workbench.cli.frame.time_up import report_time_up
from workbench.defaults import SETUPS
from workbench.errors import RequestError
from workbench.files.library.atomic_files import replace_text
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import show_phase, with_progress
from workbench.presentation.localization.localizer import Localizer


@command(
    "economy",
    VARIANT,
    integer(
        "--setups N", "number of set-ups to examine on one board", SETUPS, minimum=1
    ),
    flag("--all", "list all spaces, not only the richest"),
    integer(
        "--boards N",
        "average over N random boards, dealt with consecutive seeds from --seed",
        minimum=2,
    ),
    integer("--round N", "round whose turns are analysed", 1, minimum=1),
    option("--out FILE.svg", "write a map of the income of each space"),
    option(
        "--piece NAME",
        "piece whose income the map shows",
        default_text="the first piece with an income",
    ),
    LANGUAGE,
    *SETTINGS,
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Compute the income of a board and the time until costs are affordable."""
    _check_options(arguments)
    book = load(arguments.variant)
    if arguments.piece is not None and arguments.piece not in book.model.pieces:
        raise RequestError(f"{book.name} has no piece `{arguments.piece}`")
    if arguments.boards is None:
        _report_board(book, arguments)
    else:
        _report_boards(book, arguments)
    return 0


def _report_board(book: Rulebook, arguments: Namespace) -> None:
    """Write a report on one board."""
    show_phase("computing income")
    economy = examine(book, game_settings(arguments), arguments.setups, arguments.round)
    budget.stop_clock()
    piece, language = arguments.piece, arguments.language
    if arguments.out is not None:
        replace_text(Path(arguments.out), income_map(economy, piece, language))
    if arguments.json:
        write_json({**economy_document(economy), "out": arguments.out})
        report_time_up(economy.time_up, "the income is unknown")
        return
    localizer = Localizer.for_book(book, language)
    BoardText(economy, localizer, show_all=arguments.all).write()
    if arguments.out is not None:
        write_line(f"\n{arguments.out}: the map")
    report_time_up(economy.time_up, "the income is unknown")


def _report_boards(book: Rulebook, arguments: Namespace) -> None:
    """Write a report on many random boards."""
    show_phase("computing the income of each board")
    boards = examine_boards(
        book,
        game_settings(arguments),
        arguments.setups,
        arguments.boards,
        arguments.round,
        with_progress,
    )
    budget.stop_clock()
    if arguments.json:
        write_json(boards_document(boards))
    else:
        BoardsText(
            boards, Localizer.for_book(book, arguments.language), show_all=arguments.all
        ).write()
    progress = f"{boards.board_count:,} of {arguments.boards:,} boards"
    report_time_up(boards.time_up, progress)


def _check_options(arguments: Namespace) -> None:
    """Raise `RequestError` for invalid arguments, before any computation."""
    if arguments.boards is not None:
        if arguments.board is not None:
            raise RequestError(
                "--boards (random boards) and --board (a fixed board) cannot be"
                " used together"
            )
        if arguments.out is not None:
            raise RequestError("a map shows a single board", "omit --boards or --out")
    if arguments.out is None:
        if arguments.piece is not None:
            raise RequestError("--piece requires --out", "add --out FILE.svg")
        return
    check_svg_file(arguments.out, "maps")
