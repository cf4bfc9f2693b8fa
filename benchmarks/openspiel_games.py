"""Connect four and hex against OpenSpiel's tree search, at its table.

Both engines play the game: they must agree on the legal actions and the winner.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from benchmarks.lines import Talk
from benchmarks.players import player_named
from benchmarks.shares import Thinking
from interpreter import Game
from workbench import load

TINY = Path(__file__).parent.parent / "examples" / "tiny"
SIZE = 7


@attrs.frozen
class PeerGame:
    """Game that both engines have: its name there, its file and options here.

    `number` converts the arguments of our action to theirs.
    """

    name: str
    file: str
    options: dict[str, Any]
    number: Callable[[tuple[Any, ...]], int]


def column(arguments: tuple[Any, ...]) -> int:
    """Return the number of a column, from 0."""
    return int(arguments[0]) - 1


def mirrored(arguments: tuple[Any, ...]) -> int:
    """Return the number of a cell: the first player joins rows there, columns here."""
    across, along = str(arguments[0]).split("_")[1:]
    return (int(across) - 1) * SIZE + int(along) - 1


GAMES = {
    "connect four": PeerGame("connect_four", "connect_four.rules", {}, column),
    "hex 7 x 7": PeerGame(
        f"hex(board_size={SIZE})", "hex.rules", {"size": SIZE}, mirrored
    ),
}


@attrs.frozen
class PlayedGame:
    """Played game, and our share of the win."""

    share: float
    ours: Thinking
    theirs: Thinking


def python_of(peers: Path) -> Path:
    """Return the Python interpreter with OpenSpiel."""
    return peers / "openspiel" / "bin" / "python"


def play(
    peers: Path, name: str, playouts: int, seeds: Iterable[int]
) -> Iterator[PlayedGame]:
    """Play games, one for each seed; we start in every second one.

    Raises `ValueError` if the engines disagree.
    """
    there = GAMES[name]
    asked = [
        {"game": there.name, "seed": seed, "playouts": playouts, "seat": place % 2}
        for place, seed in enumerate(seeds)
    ]
    book, player = load(str(TINY / there.file)), player_named(f"mcts({playouts})")
    with Talk(python_of(peers), "openspiel_table.py", asked) as talk:
        said = iter(talk)
        for each in asked:
            game, ours = Game.start(book, options=there.options), Thinking()
            for line in said:
                if "over" in line:
                    yield game_result(game, int(str(each["seat"])), line, ours)
                    break
                legal = {there.number(x.arguments): x for x in game.legal_actions()}
                if "step" in line:
                    game.apply(legal[line["step"]])
                    continue
                if sorted(legal) != line["ask"]:
                    raise ValueError(f"legal there {line['ask']}, here {sorted(legal)}")
                begun = time.process_time()
                action = player(game, (int(str(each["seed"])) << 32) + game.steps)
                if len(legal) > 1:
                    ours.add(Thinking(1, time.process_time() - begun))
                talk.answer(there.number(action.arguments))
                game.apply(action)


def game_result(
    game: Game, seat: int, line: dict[str, Any], ours: Thinking
) -> PlayedGame:
    """Return the result of a game. Raise `ValueError` if the engines disagree."""
    outcome = game.outcome
    if outcome is None or len(outcome.winners) not in {0, 1}:
        raise ValueError(f"it is over there, and here {outcome}")
    won = {(): 0, (game.seats[seat],): 1}.get(outcome.winners, -1)
    if won != line["over"]:
        raise ValueError(f"it came to {line['over']} there, to {won} here")
    theirs = Thinking(line["decisions"], line["seconds"])
    return PlayedGame((1 + won) / 2, ours, theirs)
