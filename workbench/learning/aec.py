"""PettingZoo environments (AEC), in which one agent acts at a time.

Agents are the seats. An agent observes the numbers of `Game.observation` and a mask of
all actions. The mask is 1 for each legal action if the agent is to act, and else 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from interpreter import HIDDEN, Game, IllegalAction, UsageError
from workbench.learning.stepping import SEEDS, EpisodeSetting, SteppedGame

MAX_OBSERVED_VALUE = (1 << 31) - 1


class RuleEnvironment(AECEnv):
    """Environment for the games of one rulebook.

    `workbench.learning.environment` creates it.
    """

    def __init__(self, setting: EpisodeSetting, seed: int) -> None:
        super().__init__()
        self.metadata = {
            "name": setting.book.name,
            "render_modes": [],
            "is_parallelizable": False,
        }
        self.render_mode = None
        self._setting, self._next = setting.with_engine(seed), seed
        self._stepped = SteppedGame(self._setting, seed)
        game = self._stepped.game
        self._observed, self._actions = game.observed(), game.actions
        self.possible_agents = list(game.seats)
        self.agents: list[str] = []
        self._spaces = {agent: self._space() for agent in self.possible_agents}
        self._choices = {
            agent: spaces.Discrete(self._actions) for agent in self.possible_agents
        }

    def _space(self) -> spaces.Space[Any]:
        """Return the observation space of an agent."""
        return spaces.Dict(
            {
                "observation": spaces.Box(
                    HIDDEN, MAX_OBSERVED_VALUE, (len(self._observed),), np.int32
                ),
                "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
            }
        )

    # ------------------------------------------------------------ description

    def observed(self) -> tuple[str, ...]:
        """Return the names of the numbers in an observation."""
        return self._observed

    @property
    def game(self) -> Game:
        """Copy of the current game, to be inspected or played independently."""
        return self._stepped.game.copy()

    @property
    def engine(self) -> str:
        """Name of the engine that plays: `native` or `reference`."""
        return self._stepped.game.engine

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of *agent*."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of all action indices, legal or not."""
        return self._choices[agent]

    # ------------------------------------------------------------ play

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Start a new game with *seed*, by default the seed after that of the last one.

        *options* are PettingZoo's and have no effect. Options of the rules are set when
        the environment is created.
        """
        del options
        seed = self._next if seed is None else seed
        self._stepped = SteppedGame(self._setting, seed)
        self._next = (seed + 1) % SEEDS
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._stepped.seat

    def step(self, action: Any) -> None:
        """Apply the selected agent's action, an index, or None once the agent is done.

        Raises `IllegalAction`, which explains why the action is illegal; the game is
        then unchanged.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._stepped.step(self._index(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        end = self._stepped.ended
        if end is not None:
            self.rewards = dict(end.rewards)
            done = self.truncations if end.truncated else self.terminations
            done.update(dict.fromkeys(self.agents, True))
            if end.error:
                self.infos = {agent: {"failed": end.error} for agent in self.agents}
        else:
            self.agent_selection = self._stepped.seat
        self._accumulate_rewards()
        if end is not None:
            self._deads_step_first()

    def _index(self, action: Any) -> int:
        """Return the index of a legal action.

        Raises `UsageError` if *action* is not an index, and `IllegalAction` if the
        action is not legal.
        """
        is_integer = isinstance(action, int | np.integer) and not isinstance(
            action, bool
        )
        if not is_integer or not 0 <= action < self._actions:
            raise UsageError(
                f"an action is an index from 0 to {self._actions - 1}, not {action!r}"
            )
        if action not in self._stepped.legal:
            raise IllegalAction(self._stepped.game.why(int(action)))
        return int(action)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the current observation of *agent*, with the mask of legal actions."""
        mask = np.zeros(self._actions, np.int8)
        if agent == self._stepped.seat:
            mask[self._stepped.legal] = 1
        row = self._stepped.game.observation(agent)
        return {"observation": np.array(row, np.int32), "action_mask": mask}
