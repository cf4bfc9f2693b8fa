"""Command `rulebook board`: a picture of the board and the pieces on it."""

from argparse import Namespace
from pathlib import Path

from interpreter import Game
from workbench.cli.frame.arguments import (
    JSON,
    LANGUAGE,
    OPTIONAL_VARIANT,
    SETTINGS,
    STEP,
)
from workbench.cli.frame.declarations import command, option
from workbench.cli.frame.game_arguments import (
    check_svg_file,
    game_settings,
    reject_fixed_settings,
    replay_record,
    replayed_game,
)
from workbench.cli.frame.output import write_json, write_line
from workbench.errors import RequestError
from workbench.files.library.atomic_files import replace_text
from workbench.files.library.loading import load


def _game(arguments: Namespace) -> Game:
    """Return the game to draw: replayed from a record, or new."""
    if arguments.record is None:
        if arguments.variant is None:
            raise RequestError("nothing to draw: name a VARIANT or a --record")
        if arguments.at is not None:
            raise RequestError("--at requires --record")
        return game_settings(arguments).start(load(arguments.variant))
    reject_fixed_settings("board", arguments, arguments.record)
    _, _, replay = replay_record(
        arguments.record, arguments.variant, arguments.at, exact=True
    )
    return replayed_game(replay, arguments.record)


@command(
    "board",
    OPTIONAL_VARIANT,
    option("--record RECORD", "record of a game"),
    STEP,
    option("--out FILE.svg", "SVG file to write", required=True),
    option(
        "--seat SEAT",
        "draw the view of this seat",
        default_text="that of a spectator",
    ),
    LANGUAGE,
    *SETTINGS,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Draw a position on the board as SVG."""
    from workbench.presentation.picture import scene_of, svg

    check_svg_file(arguments.out, "pictures")
    game = _game(arguments)
    scene = scene_of(game, arguments.seat, arguments.language)
    picture = svg(scene)
    replace_text(Path(arguments.out), picture)
    if arguments.json:
        write_json(
            {
                "variant": game.book.name,
                "digest": game.book.digest,
                "step": game.steps,
                "seat": arguments.seat,
                "out": arguments.out,
                "bytes": len(picture.encode()),
                "spaces": len(scene.spaces),
                "pieces": sum(
                    piece.count for space in scene.spaces for piece in space.pieces
                ),
            }
        )
    else:
        write_line(f"{arguments.out}: {game.book.name} after {game.steps} events")
    return 0
