"""OpenSpiel games of its tree search against an outside player; run by its own Python.

    python openspiel_table.py

The first line of input is a list of games in JSON. Each has the name of a `game`, a
`seed`, the `playouts` of the search, and the `seat` of the outside player. The output
has one line of JSON per event: `ask` for a decision, with the legal actions; `step`
with the action of the search; and `over` with the result, from -1 to 1 for the outside
player. One line answers each `ask`. The search has the settings of OpenSpiel's example:
exploration 2, one playout per simulation, and solved positions are used.
"""

import json
import sys
import time
from typing import Any

import pyspiel

EXPLORATION, AT_ONCE, MEGABYTES, SOLVES = 2, 1, 1_000, True


def say(**what: Any) -> None:
    """Print a line of JSON."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def play(asked: dict[str, Any]) -> None:
    """Play a game."""
    game = pyspiel.load_game(asked["game"])
    seed, playouts, seat = asked["seed"], asked["playouts"], asked["seat"]
    evaluator = pyspiel.RandomRolloutEvaluator(AT_ONCE, seed)
    bot = pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, playouts, MEGABYTES, SOLVES, seed, False
    )
    state, decisions, seconds = game.new_initial_state(), 0, 0.0
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.current_player() == seat:
            say(ask=legal)
            state.apply_action(json.loads(sys.stdin.readline()))
            continue
        begun = time.process_time()
        action = bot.step(state)
        if len(legal) > 1:
            seconds += time.process_time() - begun
            decisions += 1
        say(step=action)
        state.apply_action(action)
    say(over=state.returns()[seat], decisions=decisions, seconds=seconds)


for asked in json.loads(sys.stdin.readline()):
    play(asked)
