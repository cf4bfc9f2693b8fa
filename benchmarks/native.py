"""Speed of the native engine, compared with the interpreter and other engines.

    python -m benchmarks.native [GAME …] [--seconds N] [--peers FOLDER]

Plays whole games of random bots in one thread, without trade between players. It
measures processor seconds, including set-up. The games run all in C, with one call per
decision from Python by index, and in the interpreter. FOLDER contains other engines,
installed by `python -m benchmarks.peer_engines FOLDER`; without it they are left out.
All alternate for five rounds, and the medians are printed. `legal` is the mean number
of legal actions. Further columns show the time to write and compile the C code, the
memory of a game, and the time to copy it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import attrs

from benchmarks.peer_engines import COMMANDS, Round, is_installed, round_of
from benchmarks.whole_games import LOOP, MOST, Loop, loop_of
from interpreter import Game
from interpreter.native.engine import Engine, NoNativeEngine, build_engine
from interpreter.plan.plan import Plan
from interpreter.planning import plan_for
from workbench import load

HEX = str(LOOP.parent / "hex_11.rules")
FOUR = "examples/tiny/connect_four.rules"
GAMES = ("classic", "germany", "base", "cardgame", FOUR, HEX)
OFFERS = "offers_per_turn"
ROUNDS = 5
FASTEST = "fastcatan, C++"
REQUIRED_RATIOS = {"classic": (0.45, 1.0, 2.0), "cardgame": (0.15,)}
HALF = ("germany", "base")
PLAYOUTS = {
    FOUR: ("OpenSpiel, connect four", 150_000),
    HEX: ("OpenSpiel, hex", 24_000),
}

Play = Callable[[float, int], Round]


@attrs.define
class Player:
    """Engine that plays games; `rounds` are its results so far."""

    name: str
    play: Play
    rounds: list[Round] = attrs.field(factory=list)

    def rate(self, what: int = 1) -> float:
        """Return the decisions (0: the games) per second, the median of all rounds."""
        return statistics.median(done[what] / done[3] for done in self.rounds)

    def mean(self, what: int, of: int) -> float:
        """Return the ratio of two counts over all rounds."""
        whole = sum(done[of] for done in self.rounds)
        return sum(done[what] for done in self.rounds) / whole if whole else 0.0


def all_in_c(loop: Loop) -> Play:
    """Return a function that plays whole games in C."""

    def play(seconds: float, seed: int) -> Round:
        games, decisions, taken, _ = loop.play(seconds, seed)
        return games, decisions, 0, taken

    return play


def call_by_call(plan: Plan, engine: str) -> Play:
    """Return a function that plays with one call per decision, by index."""

    def play(seconds: float, seed: int) -> Round:
        games = decisions = choices = 0
        begun = time.process_time()
        while time.process_time() - begun < seconds:
            seed += 1
            games += 1
            game = Game.start(
                plan.book,
                players=plan.players,
                seed=seed,
                options=plan.options,
                engine=engine,
            )
            number, advance = Random(seed).random, game.advance
            legal = game.legal_indices()
            for _ in range(MOST):
                if not legal:
                    break
                choices += len(legal)
                decisions += 1
                legal = advance(legal[int(number() * len(legal))])
        return games, decisions, choices, time.process_time() - begun

    return play


def name_of(game: str) -> str:
    """Return the name of a game in the table."""
    return Path(game).stem.replace("_", " ")


@attrs.define
class Measured:
    """Game to measure, and the players for it."""

    name: str
    loop: Loop
    written: float
    in_c: Player
    by_calls: Player
    slow: Player

    def row(self) -> str:
        """Return the line of the table."""
        copy = statistics.median(self.loop.play(0.0, 1)[3] for _ in range(ROUNDS))
        return (
            f"{name_of(self.name):14}{self.in_c.rate():12,.0f}{self.in_c.rate(0):9,.0f}"
            f"{self.in_c.mean(1, 0):9,.0f}{self.by_calls.mean(2, 1):7.1f}"
            f"{self.by_calls.rate():11,.0f}{self.slow.rate():9,.0f}"
            f"{self.written:7.1f}{self.loop.took:7.1f}{self.loop.lines:7,}"
            f"{self.loop.size:8,}{copy * 1e9:8,.0f}"
        )


HEAD = (
    f"{'':14}{'in C':>12}{'games':>9}{'dec/game':>9}{'legal':>7}{'by calls':>11}"
    f"{'interp.':>9}{'written':>7}{'cc':>7}{'lines':>7}{'bytes':>8}{'copy ns':>8}"
)


def measure_game(game: str) -> Measured | None:
    """Prepare a game; print the reason and return None if it has no native engine."""
    book = load(game)
    options = {OFFERS: 0} if OFFERS in book.model.options else {}
    begun = time.process_time()
    plan = plan_for(book, min(4, book.players[1]), options)
    engine = build_engine(plan)
    if isinstance(engine, NoNativeEngine):
        print(f"{name_of(game)}: NO NATIVE ENGINE, {engine.reason}")
        return None
    assert isinstance(engine, Engine)
    written, loop = time.process_time() - begun, loop_of(plan)
    return Measured(
        game,
        loop,
        written,
        Player("in C", all_in_c(loop)),
        Player("by calls", call_by_call(plan, "native")),
        Player("interpreter", call_by_call(plan, "reference")),
    )


def peers_in(folder: Path | None) -> dict[str, Player]:
    """Return the installed other engines; name the missing ones."""
    players: dict[str, Player] = {}
    for name in COMMANDS:
        if folder is None or not is_installed(folder, name):
            print(f"LEFT OUT: {name}, see `python -m benchmarks.peer_engines`")
            continue

        def play(seconds: float, seed: int, name: str = name) -> Round:
            assert folder is not None
            return round_of(folder, name, seconds, seed)

        players[name] = Player(name, play)
    return players


def print_ratios(games: list[Measured], peers: dict[str, Player]) -> None:
    """Print the ratios to the other engines, and the required values."""
    rates = {game.name: game.in_c.rate() for game in games}
    fastest = peers.get(FASTEST)
    for name, rate in rates.items():
        if fastest is not None and name not in PLAYOUTS:
            bars = "".join(f", bar {bar}" for bar in REQUIRED_RATIOS.get(name, ()))
            ratio = rate / fastest.rate()
            print(f"{name_of(name)}: {ratio:.2f} times {FASTEST}{bars}")
        if name in HALF and "classic" in rates:
            print(f"{name_of(name)}: {rate / rates['classic']:.2f} of classic, bar 0.5")
    for game in games:
        peer, bar = PLAYOUTS.get(game.name, ("", 0))
        if bar:
            beside = f", {peers[peer].rate(0):,.0f} by {peer}" if peer in peers else ""
            playouts = f"{game.in_c.rate(0):,.0f} playouts a second"
            print(f"{name_of(game.name)}: {playouts}{beside}, bar {bar:,}")
        if game.name == "classic" and "catanatron" in peers:
            times = game.by_calls.rate() / peers["catanatron"].rate()
            print(f"classic, one call a decision: {times:.1f} times catanatron, bar 20")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=GAMES)
    parser.add_argument(
        "--seconds", type=float, default=2.5, help="seconds for each figure"
    )
    parser.add_argument("--peers", type=Path, help="folder of the other engines")
    given = parser.parse_args()
    peers = peers_in(given.peers)
    games = [game for game in map(measure_game, given.games) if game is not None]
    ours = [p for game in games for p in (game.in_c, game.by_calls, game.slow)]
    for number in range(ROUNDS):
        for player in (*ours, *peers.values()):
            done = player.play(given.seconds / ROUNDS, number * 1_000_000)
            player.rounds.append(done)
    print(f"\ndecisions a second, {ROUNDS} rounds, medians\n{HEAD}")
    for game in games:
        print(game.row())
    for name, player in peers.items():
        if player.mean(1, 0):
            legal = f"{player.mean(2, 1):7.1f}" if player.mean(2, 1) else ""
            row = (
                f"{player.rate():12,.0f}{player.rate(0):9,.0f}{player.mean(1, 0):9,.0f}"
            )
            print(f"{name:18}{row}{legal}")
        else:
            print(f"{name:24}{player.rate(0):12,.0f} playouts a second")
    print()
    print_ratios(games, peers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
