"""A player that learns four in a row by playing against itself, and beats chance.

    python examples/learning/connect_four.py [--games N] [--seed N]

It learns from many games at once (`interpreter.c_engine.Batch`), and is tried one game
at a time, as PettingZoo has it (`workbench.learning.environment`): both show the same
numbers. What it knows is a small network: the squares go in, how often each action has
won comes out. It needs `pip install 'rulebook-lang[learning]'` and a compiler of C.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

from interpreter.c_engine import Batch
from workbench import load
from workbench.learning import environment

RULES = Path(__file__).parents[1] / "tiny" / "connect_four.rules"
TOGETHER = 128
HIDDEN_UNITS = 128
LESSON = 4_096
"""So many moves are learned from at once."""

Array = Any


class Network:
    """One hidden layer, and Adam, which moves its weights."""

    def __init__(self, inputs: int, outputs: int, numbers: np.random.Generator) -> None:
        sizes = [(inputs, HIDDEN_UNITS), (HIDDEN_UNITS, outputs)]
        self.weights = [numbers.normal(0, rows**-0.5, (rows, n)) for rows, n in sizes]
        self.weights += [np.zeros(n) for _, n in sizes]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    def hidden(self, shown: Array) -> Array:
        """What the hidden layer makes of what is shown."""
        return np.maximum(shown @ self.weights[0] + self.weights[2], 0)

    def values(self, shown: Array) -> Array:
        """How much of the win each action is thought to bring."""
        return self.hidden(shown) @ self.weights[1] + self.weights[3]

    def learn(self, shown: Array, actions: Array, rewards: Array) -> None:
        """Move the values of actions that were done towards what they have brought."""
        hidden, rows = self.hidden(shown), np.arange(len(actions))
        error = np.zeros((len(actions), self.weights[1].shape[1]))
        error[rows, actions] = (hidden @ self.weights[1] + self.weights[3])[
            rows, actions
        ] - rewards
        error /= len(actions)
        back = (error @ self.weights[1].T) * (hidden > 0)
        slopes = [shown.T @ back, hidden.T @ error, back.sum(0), error.sum(0)]
        self.steps += 1
        rate = 0.002 * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for n, slope in enumerate(slopes):
            self.means[n] += 0.1 * (slope - self.means[n])
            self.squares[n] += 0.001 * (slope**2 - self.squares[n])
            self.weights[n] -= rate * self.means[n] / (np.sqrt(self.squares[n]) + 1e-8)


class Player:
    """What looks at the squares, and chooses what is thought to be best."""

    def __init__(self, names: tuple[str, ...], actions: int, seed: int) -> None:
        self.squares = [n for n, name in enumerate(names) if name.startswith("disc.")]
        self.seat = names.index("seat")
        self.numbers = np.random.default_rng(seed)
        self.network = Network(2 * len(self.squares), actions, self.numbers)

    def shown(self, observations: Array) -> Array:
        """The squares for who is to act: its own discs, and those of the other."""
        discs, seat = observations[:, self.squares], observations[:, [self.seat]]
        return np.hstack([discs == seat, (discs >= 0) & (discs != seat)]).astype(float)

    def best(self, shown: Array, legal: Array) -> Array:
        """The legal action of the highest value, of each game."""
        return np.where(legal, self.network.values(shown), -np.inf).argmax(1)

    def some(self, legal: Array) -> Array:
        """Any legal action, each as likely, of each game."""
        return np.where(legal, self.numbers.random(legal.shape), -1).argmax(1)


def train(player: Player, batch: Batch, games: int) -> None:
    """Let a player play so many games against itself, and learn from each."""
    moves: list[list[tuple[Array, int, int]]] = [[] for _ in range(batch.number)]
    lesson: list[tuple[Array, int, float]] = []
    ended = 0
    while ended < games:
        now = batch.now
        shown, seats = player.shown(now.observations), now.seats.copy()
        careless = player.numbers.random(batch.number) < 0.5 - 0.4 * ended / games
        actions = np.where(
            careless, player.some(now.legal), player.best(shown, now.legal)
        )
        step = batch.step(actions)
        for i, played in enumerate(moves):
            played.append((shown[i], int(actions[i]), int(seats[i])))
            if step.terminated[i]:
                lesson += [(row, a, step.rewards[i, seat]) for row, a, seat in played]
                played.clear()
                ended += 1
        if len(lesson) >= LESSON:
            rows, done, rewards = map(np.array, zip(*lesson, strict=True))
            for part in np.array_split(player.numbers.permutation(len(done)), 16):
                player.network.learn(rows[part], done[part], rewards[part])
            lesson.clear()


def tried(player: Player, env: Any, games: int) -> float:
    """The share of games that a player wins against chance; a draw is half a win."""
    won = 0.0
    for number in range(games):
        env.reset(seed=number)
        mine = env.possible_agents[number % 2]
        for agent in env.agent_iter():
            seen, reward, ended, cut_off, _ = env.last()
            if ended or cut_off:
                won += reward if agent == mine else 0
                env.step(None)
                continue
            legal = seen["action_mask"][None].astype(bool)
            shown = player.shown(seen["observation"][None])
            choice = player.best(shown, legal) if agent == mine else player.some(legal)
            env.step(int(choice[0]))
    return won / games


def main(words: list[str] | None = None) -> int:
    """Learn, try it, and say how it went; 1 where chance is not beaten."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=12_000, help="to learn from")
    parser.add_argument("--tries", type=int, default=200, help="games against chance")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    book = load(str(RULES))
    env = environment(book)
    with Batch(book, TOGETHER, seed=given.seed) as batch:
        player = Player(batch.observed(), batch.actions, given.seed)
        print(f"before: {tried(player, env, given.tries):.0%} of games against chance")
        train(player, batch, given.games)
    share = tried(player, env, given.tries)
    print(f"after {given.games:,} games: {share:.0%}")
    return int(share <= 0.5 + 2 * (0.25 / given.tries) ** 0.5)


if __name__ == "__main__":
    sys.exit(main())
