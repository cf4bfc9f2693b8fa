"""Command `rulebook economy`: income of a board and costs, without playing games."""

from workbench.cli.economy.command import run

__all__ = ["run"]
