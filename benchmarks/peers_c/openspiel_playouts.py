"""Whole random playouts in OpenSpiel's own C++: GAME SECONDS prints playouts, seconds.

A search of one simulation, which is valued by so many games played to their end at
random: one call plays them all without coming back to Python.
"""

import json
import sys
import time

import pyspiel

PLAYOUTS = 2_000

game = pyspiel.load_game(sys.argv[1])
state = game.new_initial_state()
seconds, playouts, seed = float(sys.argv[2]), 0, 0
begun = time.process_time()
while time.process_time() - begun < seconds:
    evaluator = pyspiel.RandomRolloutEvaluator(PLAYOUTS, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, seed, False)
    bot.step(state)
    playouts += PLAYOUTS
    seed += 1
print(json.dumps([playouts, time.process_time() - begun]))
