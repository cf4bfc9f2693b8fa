"""Deprecated module: use `workbench.bots.registry`."""

import warnings

from workbench.bots.registry import bot_of, check_bot, import_file

__all__ = [
    "bot_of",
    "check_bot",
    "import_file",
]

warnings.warn(
    "`workbench.bots.named` is deprecated: use `workbench.bots.registry`",
    DeprecationWarning,
    stacklevel=2,
)
