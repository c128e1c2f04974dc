"""The games as a Gymnasium environment: one agent against a player."""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium import spaces

from ._trilith import ACTIONS, OBSERVATION, State
from .players import player


class Environment(gymnasium.Env):
    """Sides change every game. `info["action_mask"]` says what is legal; the reward is 1, 0 or -1 at the end."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game: str, opponent="random", rules: str = "", seed: int = 1):
        self.game, self.rules = game, rules
        self.opponent = player(opponent, seed=seed)
        self.observation_space = spaces.Box(0, 255, OBSERVATION[game], np.uint8)
        self.action_space = spaces.Discrete(ACTIONS[game])
        self.side = 1
        self.state = State(game, rules)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.side = (options or {}).get("side", 1 - self.side)
        self.state = State(self.game, self.rules)
        self._answer()
        return self.state.observation_tensor(), self._info()

    def step(self, action):
        self.state.apply_action(int(action))
        self._answer()
        is_over = self.state.is_terminal()
        truncated = is_over and self.state.reason() == "ply limit"
        reward = self.state.returns()[self.side]
        return self.state.observation_tensor(), reward, is_over and not truncated, truncated, self._info()

    def render(self):
        return str(self.state)

    def _answer(self):
        while self.state.current_player() == 1 - self.side:
            self.state.apply_action(int(self.opponent.choose(self.state)))

    def _info(self):
        return {"action_mask": self.state.legal_actions_mask().astype(np.int8), "side": self.side}
