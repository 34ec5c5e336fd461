"""The network that is trained: forward, loss, gradient and Adam, in numpy. `bots.nets` is what plays with it.

B positions, S seats, N inputs, H hidden units, A actions, K actions a decision at most. The gradients are written out:
one hidden layer is little to write, and for so small a net a compiler of tensors has nothing to gain (docs).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy
from numpy.typing import NDArray

from shopfloor.bots.nets import Net

Floats = NDArray[numpy.float64]
Weights = dict[str, Floats]

POLICY: Final = 0.25
"""What a decision's error counts beside a position's."""


@dataclass(frozen=True)
class Positions:
    """What a value is learned from. rows: (B, S, N); alive: (B, S), seats with inputs; targets: (B, S), shares."""

    rows: Floats
    alive: NDArray[numpy.bool_]
    targets: Floats


@dataclass(frozen=True)
class Decisions:
    """What a policy is learned from.

    rows: (B, N), of the seat that decides; actions: (B, K) ids; odds: (B, K), logarithms of the chances by the ratings,
    minus infinity where there is no such action; targets: (B, K), chances that add up to 1.
    """

    rows: Floats
    actions: NDArray[numpy.int64]
    odds: Floats
    targets: Floats


def fresh(inputs: int, hidden: int, actions: int, seed: int, blank: bool = False) -> Weights:
    """Weights that have learned nothing: the score is the first input, the judgement's opinion; or 0 if `blank`."""
    dice = numpy.random.default_rng(seed)
    weights = dice.normal(0.0, inputs**-0.5, (hidden, inputs))
    skip = numpy.zeros(inputs)
    if blank:
        weights[:, 0] = 0.0
    else:
        skip[0] = 1.0
    zeros = numpy.zeros
    return {
        "weights": weights,
        "bias": zeros(hidden),
        "out": zeros(hidden),
        "skip": skip,
        "policy": zeros((actions, hidden)),
        "policy_bias": zeros(actions),
    }


def _softmax(scores: Floats) -> Floats:
    odds: Floats = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    odds /= odds.sum(axis=-1, keepdims=True)
    return odds


def shares(w: Weights, rows: Floats, alive: NDArray[numpy.bool_]) -> Floats:
    """Each seat's share of the victory: (B, S); 0 for seats that are not alive."""
    hidden = numpy.maximum(rows @ w["weights"].T + w["bias"], 0.0)
    scores = rows @ w["skip"] + hidden @ w["out"]
    return _softmax(numpy.where(alive, scores, -numpy.inf))


def value_loss(w: Weights, batch: Positions) -> tuple[float, Weights]:
    """The mean cross-entropy of the shares against the targets, and its gradient."""
    rows = batch.rows
    before = rows @ w["weights"].T + w["bias"]
    hidden = numpy.maximum(before, 0.0)
    scores = numpy.where(batch.alive, rows @ w["skip"] + hidden @ w["out"], -numpy.inf)
    found = _softmax(scores)
    count = len(rows)
    loss = -float((batch.targets * numpy.log(numpy.where(found > 0.0, found, 1.0))).sum()) / count
    # The targets add up to 1, so this is the derivative by the scores; dead seats have nothing of either.
    by_score = numpy.where(batch.alive, found - batch.targets, 0.0) / count
    by_hidden = by_score[:, :, None] * w["out"] * (before > 0.0)
    inputs = rows.shape[2]
    return loss, {
        "weights": by_hidden.reshape(-1, by_hidden.shape[2]).T @ rows.reshape(-1, inputs),
        "bias": by_hidden.sum(axis=(0, 1)),
        "out": (by_score[:, :, None] * hidden).sum(axis=(0, 1)),
        "skip": (by_score[:, :, None] * rows).sum(axis=(0, 1)),
        "policy": numpy.zeros_like(w["policy"]),
        "policy_bias": numpy.zeros_like(w["policy_bias"]),
    }


def policy_loss(w: Weights, batch: Decisions) -> tuple[float, Weights]:
    """The mean cross-entropy of the chances of picking against the targets, and its gradient."""
    before = batch.rows @ w["weights"].T + w["bias"]
    hidden = numpy.maximum(before, 0.0)
    chosen = w["policy"][batch.actions]  # (B, K, H)
    logits = batch.odds + (chosen * hidden[:, None, :]).sum(axis=2) + w["policy_bias"][batch.actions]
    found = _softmax(logits)
    count = len(batch.rows)
    loss = -float((batch.targets * numpy.log(numpy.where(found > 0.0, found, 1.0))).sum()) / count
    by_logit = numpy.where(found > 0.0, found - batch.targets, 0.0) / count
    by_hidden = (by_logit[:, :, None] * chosen).sum(axis=1) * (before > 0.0)
    by_policy = numpy.zeros_like(w["policy"])
    numpy.add.at(by_policy, batch.actions, by_logit[:, :, None] * hidden[:, None, :])
    by_bias = numpy.zeros_like(w["policy_bias"])
    numpy.add.at(by_bias, batch.actions, by_logit)
    return loss, {
        "weights": by_hidden.T @ batch.rows,
        "bias": by_hidden.sum(axis=0),
        "out": numpy.zeros_like(w["out"]),
        "skip": numpy.zeros_like(w["skip"]),
        "policy": by_policy,
        "policy_bias": by_bias,
    }


class Adam:
    """The optimiser (Kingma and Ba, 2015), and a moving mean of the weights, which plays better than the last ones.

    steps: so far. first, second: moments. mean: of the weights.
    """

    def __init__(self, weights: Weights, pace: float, memory: float = 0.999) -> None:
        """pace: of learning. memory: how much of the mean stays at each step, once there have been many."""
        self.pace = pace
        self.memory = memory
        self.steps = 0
        self.weights = weights
        self.first: Weights = {name: numpy.zeros_like(found) for name, found in weights.items()}
        self.second: Weights = {name: numpy.zeros_like(found) for name, found in weights.items()}
        self.mean: Weights = {name: found.copy() for name, found in weights.items()}

    def step(self, gradient: Weights) -> None:
        """Change the weights in place, against the gradient."""
        self.steps += 1
        rate = self.pace * (1.0 - 0.999**self.steps) ** 0.5 / (1.0 - 0.9**self.steps)
        keep = min(self.memory, self.steps / (self.steps + 10.0))
        for name, weights in self.weights.items():
            slope = gradient[name]
            self.first[name] += 0.1 * (slope - self.first[name])
            self.second[name] += 0.001 * (slope * slope - self.second[name])
            # In place, since these arrays are the caller's.
            numpy.subtract(weights, rate * self.first[name] / (numpy.sqrt(self.second[name]) + 1e-8), out=weights)
            self.mean[name] += (1.0 - keep) * (weights - self.mean[name])

    def state(self) -> dict[str, Any]:
        """All that it takes to go on: arrays by name."""
        groups = {"now": self.weights, "first": self.first, "second": self.second, "mean": self.mean}
        return {f"{group}.{name}": found for group, kept in groups.items() for name, found in kept.items()}

    def restore(self, state: dict[str, Any], steps: int) -> None:
        """Go on from what `state` gave after so many steps."""
        self.steps = steps
        for group, kept in (("now", self.weights), ("first", self.first), ("second", self.second), ("mean", self.mean)):
            for name in kept:
                kept[name] = numpy.array(state[f"{group}.{name}"])


def export(w: Weights, middle: Floats, spread: Floats, about: Net) -> Net:
    """The net that plays: trained on (inputs - middle) / spread, it takes the inputs as they are.

    about: a net whose other fields to take.
    """
    weights = w["weights"] / spread
    skip = w["skip"] / spread
    policy = numpy.concatenate([w["policy"], w["policy_bias"][:, None]], axis=1)
    return Net(
        game=about.game,
        rules=about.rules,
        players=about.players,
        names=about.names,
        games=about.games,
        weights=weights.tolist(),
        bias=(w["bias"] - weights @ middle).tolist(),
        out=w["out"].tolist(),
        skip=skip.tolist(),  # the same number for all seats is left out of their scores: softmax does not see it
        policy=policy.tolist(),
    )
