"""The games as an AEC environment of PettingZoo."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ._trilith import ACTIONS, OBSERVATION, State


class Environment(AECEnv):
    """Agents `player_0`, who begins, and `player_1`; observations as a dict of `observation` and `action_mask`."""

    metadata = {"name": "trilith", "render_modes": ["ansi", "human"], "is_parallelizable": False}

    def __init__(self, game: str, rules: str = "", render_mode: str | None = None):
        super().__init__()
        self.game, self.rules, self.render_mode = game, rules, render_mode
        self.metadata = dict(self.metadata, name=f"trilith_{game}_v1")
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, OBSERVATION[game], np.uint8),
                "action_mask": spaces.Box(0, 1, (ACTIONS[game],), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.agents, observation)
        self.action_spaces = {agent: spaces.Discrete(ACTIONS[game]) for agent in self.agents}
        self.state_ = State(game, rules)

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self.state_ = State(self.game, self.rules)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.state_.current_player()]

    def observe(self, agent):
        # What the side to move sees; who waits has no legal action.
        mask = np.zeros(ACTIONS[self.game], np.int8)
        if agent == self.agent_selection and not self.state_.is_terminal():
            mask[self.state_.legal_actions()] = 1
        return {"observation": self.state_.observation_tensor(), "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self.state_.apply_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.state_.is_terminal():
            self.rewards = dict(zip(self.agents, self.state_.returns()))
            ends = self.truncations if self.state_.reason() == "ply limit" else self.terminations
            ends.update(dict.fromkeys(self.agents, True))
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        else:
            self.agent_selection = self.possible_agents[self.state_.current_player()]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self):
        text = str(self.state_)
        if self.render_mode == "human":
            print(text)
        return text

    def close(self):
        pass
