"""pgx: games as JAX programs on the CPU, compiled whole: one game at a time, and 256 side by side.

On one core and with one thread, so that its processor time is comparable with the others'.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import version as version_of
from time import process_time
from typing import Any, Final

from bench.peers.environment import cache

# Before JAX is imported: it counts the cores then.
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
# Compiling takes longer than measuring, so it is done once for all runs.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(cache() / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.2")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

from bench.peers.measuring import INSIDE, OBSERVED, Done, Program

STEPS: Final = {1: 1024, 256: 64}  # in one call of the compiled program, by the number of games side by side
LOOKED_AT: Final = 5  # games

GAMES: Final = [
    ("sparrow_mahjong", "cards"),
    ("leduc_holdem", "cards"),
    ("backgammon", "board, dice"),
    ("othello", "board"),
    ("go_9x9", "board"),
    ("connect_four", "board"),
    ("tic_tac_toe", "board"),
]


def version() -> str:
    return f"{version_of('pgx')} (jax {jax.__version__})"


def drawn(state: Any, key: Any) -> Any:
    """A random legal action for each game."""
    return jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -1e9), axis=-1)


class Played:
    def __init__(self, env: Any, single: Any, batch: int) -> None:
        """single: the compiled functions for one game, which the batches share."""
        self.env = env
        self.single = single
        self.batch = batch
        self.key = jax.random.PRNGKey(0)
        self.state: Any = None
        self.rolled: Any = None
        self.played_out: Any = None
        self.position: Any = None

    def _keys(self, count: int) -> Any:
        self.key, key = jax.random.split(self.key)
        return jax.random.split(key, count)

    def _roll(self) -> Any:
        step = jax.vmap(auto_reset(self.env.step, self.env.init))

        def one(carried: Any, _: Any) -> Any:
            state, key = carried
            key, choice, chance = jax.random.split(key, 3)
            state = step(state, drawn(state, choice), jax.random.split(chance, self.batch))
            return (state, key), state.terminated.sum()

        return jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=STEPS[self.batch]))

    def observed(self) -> Done:
        """Steps of all games of the batch; a game that is over begins anew. Observations are part of the state."""
        if self.rolled is None:
            self.state = jax.jit(jax.vmap(self.env.init))(self._keys(self.batch))
            self.rolled = self._roll()
        (self.state, self.key), ended = self.rolled(self.state, self.key)
        return self.batch * STEPS[self.batch], int(ended.sum()), 0

    def _game(self) -> list[Any]:
        """The positions of a random game, from the first to the last."""
        init, step, draw = self.single
        history = [init(self._keys(1)[0])]
        while not history[-1].terminated:
            choice, chance = self._keys(2)
            history.append(step(history[-1], draw(history[-1], choice), chance))
        return history

    def _middle(self) -> Any:
        """A position in the middle of a random game, once for each game of the batch."""
        while len(history := self._game()) < 3:
            pass
        middle = history[(len(history) - 1) // 2]
        return jax.tree_util.tree_map(lambda part: jnp.broadcast_to(part, (self.batch, *part.shape)), middle)

    def _play_out(self) -> Any:
        step = jax.vmap(self.env.step)

        def one(carried: Any) -> Any:
            state, key = carried
            key, choice, chance = jax.random.split(key, 3)
            return step(state, drawn(state, choice), jax.random.split(chance, self.batch)), key

        return jax.jit(
            lambda state, key: jax.lax.while_loop(lambda carried: ~carried[0].terminated.all(), one, (state, key))
        )

    def playouts(self) -> Done:
        """The batch is played on until its last game is over; positions are never changed, so nothing is copied."""
        if self.played_out is None:
            self.position = self._middle()
            self.played_out = self._play_out()
        state, self.key = self.played_out(self.position, self.key)
        state.rewards.block_until_ready()
        return self.batch, self.batch, 0

    def look(self) -> tuple[float, float]:
        legal = [
            int(state.legal_action_mask.sum())
            for _ in range(LOOKED_AT)
            for state in self._game()
            if not state.terminated
        ]
        return len(legal) / LOOKED_AT, sum(legal) / len(legal)


def programs() -> list[Program]:
    made = []
    for name, kind in GAMES:
        env = pgx.make(name)
        single = jax.jit(env.init), jax.jit(env.step), jax.jit(drawn)
        for batch in STEPS:
            played = Played(env, single, batch)
            measures: dict[str, Callable[[], Done]] = {OBSERVED: played.observed, INSIDE: played.playouts}
            # All threads of the process: JAX computes in threads of its own.
            note = f"{batch} at once" if batch > 1 else ""
            made.append(Program(name, env.num_players, kind, measures, played.look, clock=process_time, note=note))
    return made
