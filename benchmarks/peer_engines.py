"""Other engines for comparisons, each in its own environment.

    python -m benchmarks.peer_engines FOLDER [--python312 PATH] [--catanatron CLONE]

Installs them into FOLDER, which takes minutes and needs a package registry: catanatron
3.2.1, open_spiel 2.0.2, and the source of fastcatan 2.0.0, whose core is compiled with
a loop of ours. If PATH is a Python of 3.12 or later, it installs fastcatan there as
well. From a CLONE of catanatron's repository it takes the players that are not in its
package. It reports what could not be installed; benchmarks leave that out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

LOOPS = Path(__file__).parent / "loops"
CORE = "fastcatan-2.0.0"
INDEX = ["--quiet", "--disable-pip-version-check"]

RELEASED = "114feac"
"""Commit of catanatron's repository that was released as 3.2.1."""

MACHINE = "catanatron_experimental/catanatron_experimental/machine_learning/players"
PLAYER_MODULES = (
    "catanatron_gym/catanatron_gym/features.py",
    f"{MACHINE}/minimax.py",
    f"{MACHINE}/tree_search_utils.py",
)
"""Modules of the value function and AlphaBeta players, which the package lacks."""

OPENSPIEL = """
import json, sys, time
import pyspiel
PLAYOUTS = 1_000
game = pyspiel.load_game(sys.argv[1])
state = game.new_initial_state()
seconds, seed, playouts = float(sys.argv[2]), int(sys.argv[3]), 0
begun = time.process_time()
while time.process_time() - begun < seconds:
    seed += 1
    evaluator = pyspiel.RandomRolloutEvaluator(PLAYOUTS, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, seed, False)
    bot.step(state)
    playouts += PLAYOUTS
print(json.dumps([playouts, 0, 0, time.process_time() - begun]))
"""
"""Program for a search of one simulation, valued by complete playouts in C++."""

FASTCATAN = """
import json, random, sys, time
import fastcatan
seconds, seed = float(sys.argv[1]), int(sys.argv[2])
environment, choose = fastcatan.Env(), random.Random(seed).choice
games = decisions = choices = 0
begun = time.process_time()
while time.process_time() - begun < seconds:
    seed += 1
    environment.reset(seed)
    over = False
    while not over:
        legal = [x for x in environment.legal_actions() if x < 268]
        choices += len(legal)
        decisions += 1
        over = environment.step(choose(legal))
    games += 1
print(json.dumps([games, decisions, choices, time.process_time() - begun]))
"""
"""Program with one call per decision, without trade between players (268 and above)."""

CATANATRON = """
import json, sys, time
from catanatron import Color, Game, RandomPlayer
colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
seconds, seed = float(sys.argv[1]), int(sys.argv[2])
Game([RandomPlayer(colour) for colour in colours], seed=0).play()
games = decisions = 0
begun = time.process_time()
while time.process_time() - begun < seconds:
    seed += 1
    game = Game([RandomPlayer(colour) for colour in colours], seed=seed)
    game.play()
    done = getattr(game.state, "action_records", None) or game.state.actions
    decisions += len(done)
    games += 1
print(json.dumps([games, decisions, 0, time.process_time() - begun]))
"""

Round = tuple[int, int, int, float]
"""Games, decisions, total of legal actions (0: not counted), processor seconds."""

COMMANDS = {
    "fastcatan, C++": ("fastcatan",),
    "fastcatan, Python": ("python312/bin/python", "-c", FASTCATAN),
    "catanatron": ("catanatron/bin/python", "-c", CATANATRON),
    "OpenSpiel, connect four": (
        *("openspiel/bin/python", "-c", OPENSPIEL),
        "connect_four",
    ),
    "OpenSpiel, hex": ("openspiel/bin/python", "-c", OPENSPIEL, "hex"),
}


def is_installed(folder: Path, name: str) -> bool:
    """Return whether a peer is installed in a folder."""
    return (folder / COMMANDS[name][0]).exists()


def round_of(folder: Path, name: str, seconds: float, seed: int) -> Round:
    """Let a peer play for some processor seconds."""
    program, *rest = COMMANDS[name]
    words = [str(folder / program), *rest, str(seconds), str(seed)]
    told = subprocess.run(  # noqa: S603
        words, capture_output=True, text=True, check=True
    )
    games, decisions, choices, taken = json.loads(told.stdout)
    return games, decisions, choices, taken


# ---------------------------------------------------------------- setting up


def run(*words: str | Path) -> None:
    """Run a command; raise an error if it fails."""
    subprocess.run([str(word) for word in words], check=True)  # noqa: S603


def install_package(folder: Path, package: str) -> None:
    """Install a package into its own environment."""
    venv.create(folder, with_pip=True)
    run(folder / "bin" / "python", "-m", "pip", "install", *INDEX, package)


def compile_core(folder: Path) -> None:
    """Compile the core of fastcatan with a loop of ours."""
    source = ["--no-deps", "--no-binary", "fastcatan", "--ignore-requires-python"]
    pip = [sys.executable, "-m", "pip", "download", *INDEX, *source]
    run(*pip, "-d", folder, "fastcatan==2.0.0")
    with tarfile.open(folder / f"{CORE}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    compiler = shutil.which("g++") or "c++"
    rules = folder / CORE / "src" / "catan" / "rules.cpp"
    flags = ["-std=c++20", "-O3", "-w", "-I", str(folder / CORE / "include")]
    made = ["-o", str(folder / "fastcatan")]
    run(compiler, *flags, LOOPS / "fastcatan.cpp", rules, *made)


def install_for_python(folder: Path, python: str) -> None:
    """Install fastcatan for a Python that is new enough."""
    run(python, "-m", "venv", folder / "python312")
    pip = folder / "python312" / "bin" / "python"
    run(pip, "-m", "pip", "install", *INDEX, "fastcatan==2.0.0")


def copy_players(folder: Path, clone: Path) -> None:
    """Write the players that catanatron's repository has in addition to its package."""
    for module in PLAYER_MODULES:
        show = ["git", "-C", str(clone), "show", f"{RELEASED}:{module}"]
        shown = subprocess.run(show, check=True, capture_output=True)  # noqa: S603
        file = folder / module.split("/", 1)[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(shown.stdout)


def main(given: Sequence[str] | None = None) -> int:
    """Install everything; return 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python312", help="a Python of 3.12 or later")
    parser.add_argument(
        "--catanatron", type=Path, help="clone of the repository of catanatron"
    )
    asked = parser.parse_args(given)
    folder: Path = asked.folder
    folder.mkdir(parents=True, exist_ok=True)
    steps: dict[str, Callable[[], None]] = {
        "catanatron": lambda: install_package(
            folder / "catanatron", "catanatron==3.2.1"
        ),
        "openspiel": lambda: install_package(folder / "openspiel", "open_spiel==2.0.2"),
        "fastcatan": lambda: compile_core(folder),
    }
    if asked.python312:
        steps["python312"] = lambda: install_for_python(folder, asked.python312)
    if asked.catanatron:
        beside = folder / "catanatron_players"
        steps[beside.name] = lambda: copy_players(beside, asked.catanatron)
    failed = 0
    for name, step in steps.items():
        if (folder / name).exists():
            print(f"{name}: already installed")
            continue
        try:
            step()
            print(f"{name}: ready")
        except (subprocess.CalledProcessError, OSError) as error:
            failed = 1
            print(f"{name}: COULD NOT BE SET UP, {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
