"""`rulebook economy`: what a board brings and what things cost, with no game played."""

from workbench.cli.economy.command import run

__all__ = ["run"]
