"""Header of a run: everything that determines its games, as plain data.

Games of two runs can share a file if their headers are equal. The number of games and
the engine are not part of a header, since they do not affect any game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from interpreter import options_of
from rulebook import Rulebook
from workbench.analysis.runs.columns import TableSchema
from workbench.analysis.simulation.simulation import GameTask
from workbench.bots.bot_failures import ErrorPolicy
from workbench.bots.registry import PYTHON
from workbench.files.library.versions import version


def run_header(
    book: Rulebook, task: GameTask, schemas: Mapping[str, TableSchema]
) -> dict[str, Any]:
    """Return the header of a run.

    *schemas* are its tables, by name.
    """
    settings = task.settings
    options = dict(settings.options)
    board = None
    if settings.board is not None:
        board = _digest(json.dumps(settings.board, ensure_ascii=False).encode())
    return {
        "version": version(),
        "variant": book.name,
        "digest": book.digest,
        "players": len(task.bots),
        "options": options_of(book, players=len(task.bots), options=options),
        "board": board,
        "seed": settings.seed or 0,
        "bot_seed": settings.bot_seed,
        "bots": {seat: _bot_identity(name) for seat, name in task.bots.items()}
        if task.seatings is None
        else list(map(_bot_identity, task.bot_names)),
        "max_turns": task.limits.turns,
        "max_decisions": task.limits.decisions,
        "records": task.keep_record,
        **(_policy_document(settings.error_policy) if task.has_custom_bots else {}),
        **({"counted": task.counted_games} if task.counted_games else {}),
        "tables": {name: table.names for name, table in schemas.items()},
    }


def _policy_document(error_policy: ErrorPolicy) -> dict[str, Any]:
    """Return the error policy of custom bots as plain data."""
    return {
        "on_bot_error": str(error_policy.on_error),
        "bot_seconds": error_policy.seconds,
    }


def _bot_identity(name: str) -> str:
    """Return the name of a bot, with the digest of its file if it has one."""
    path = Path(name.rpartition(":")[0] or name)
    if path.suffix == PYTHON and path.is_file():
        return f"{name} {_digest(path.read_bytes())}"
    return name


def _digest(data: bytes) -> str:
    """Return the digest of a bot's file."""
    return f"sha256:{sha256(data).hexdigest()}"
