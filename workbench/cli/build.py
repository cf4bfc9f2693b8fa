"""Command `rulebook build`: the generated program of a game, as text."""

from argparse import Namespace

from interpreter import python_program
from interpreter.c_engine import c_program
from workbench.analysis.simulation.settings import Settings
from workbench.cli.frame.output import write_lines
from workbench.files.library.loading import load

PROGRAMS = {"python": python_program, "c": c_program}


def run(arguments: Namespace) -> int:
    """Run `rulebook build` and return the exit code."""
    book = load(arguments.variant)
    chosen = Settings.parsed(arguments.players, 1, arguments.options, None)
    program = PROGRAMS[arguments.emit](
        book,
        players=arguments.players,
        options=dict(chosen.options),
        without=arguments.without,
    )
    write_lines(program.rstrip())
    return 0
