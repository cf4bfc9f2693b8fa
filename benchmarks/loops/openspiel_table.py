"""Games of OpenSpiel between its tree search and a player outside; run by its Python.

    python openspiel_table.py

The first line that it reads is a list of games in JSON: each has the name of a `game`,
a `seed`, the `playouts` of a search, and the `seat` of the player outside. What happens
goes out, one line of JSON each: `ask` for a decision, with the legal actions, which one
line answers; `step` with what they did; and how it is `over`, from -1 to 1 for the
player outside. The search is set as the example that comes with it: exploration 2, one
playout a simulation, and positions that are decided are solved.
"""

import json
import sys
import time
from typing import Any

import pyspiel

EXPLORATION, AT_ONCE, MEGABYTES, SOLVES = 2, 1, 1_000, True


def say(**what: Any) -> None:
    """Write a line."""
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
