"""Training: rounds of self-play and learning, with a checkpoint after each, so that nothing but a round can be lost.

A round's games have the seeds that follow the last round's, and its learning has dice of its own, made from the seed
and the round's number. So the checkpoint's counters are all the chance there is to keep, and training that was killed
and gone on with ends with the same net, byte for byte, as training that was not.
"""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy

from shopfloor.bots.nets import Net, decode_net, inputs
from shopfloor.engine.game import Game
from shopfloor.engine.refusals import BadSetup, Refusal
from shopfloor.games import REGISTRY
from shopfloor.lab.learning.network import (
    POLICY,
    Adam,
    Decisions,
    Floats,
    Positions,
    export,
    fresh,
    policy_loss,
    shares,
    value_loss,
)
from shopfloor.lab.learning.selfplay import Job, Lesson, play
from shopfloor.lab.processes import Crew

CHECKPOINT: Final = "checkpoint.npz"
HISTORY: Final = "history.jsonl"
SNAPSHOTS: Final = "snapshots"
FORMAT: Final = 1
FIRST_SEED: Final = 10**9
"""Far from the seeds of ladders: nobody is measured in games that were learned from."""


class TrainingError(Exception):
    """Training cannot begin, or go on, in a folder; the message says why, for people."""


@dataclass(frozen=True)
class Settings:
    """What is trained, and how. Training goes on only with the same.

    hidden: units. trace: lambda, how far the temporal differences look: 0 to the next position, 1 to the end. pace: of
    learning. round: games between two checkpoints. batch: positions a step. searched: one in so many decisions is
    searched, through `worlds` worlds. blank: learn from nothing, without the judgement's opinion.
    """

    game: str
    players: int
    seed: int = FIRST_SEED
    hidden: int = 16
    trace: float = 0.8
    pace: float = 0.002
    round: int = 32
    batch: int = 64
    searched: int = 16
    worlds: int = 8
    blank: bool = False


@dataclass(frozen=True)
class Round:
    """What came of a round, as a line of the history. games, seconds: until then, in all.

    value: the mean cross-entropy of the net's shares against who won, before it learned from these games; judgement:
    the hand-made judgement's; policy: the net's against what was searched; ratings: the ratings'.
    """

    games: int
    seconds: float
    positions: int
    value: float
    judgement: float
    policy: float
    ratings: float


def replace_file(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or as it was before, whatever happens meanwhile."""
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def targets(values: Floats, outcome: Floats, trace: float) -> Floats:
    """What each position of a game should have been judged: TD(lambda) returns, (T, S) from values (T, S).

    The last position's is the outcome; the others mix the next position's value and the next one's target.
    """
    found = numpy.empty_like(values)
    found[-1] = outcome
    for t in range(len(values) - 2, -1, -1):
        found[t] = (1.0 - trace) * values[t + 1] + trace * found[t + 1]
    return found


class Trainer:
    """Training of one game at one number of players, in a folder."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Begins anew, or goes on with what the folder holds. Raises TrainingError, BadSetup, UnknownGame, OSError."""
        game: Game = REGISTRY.get(settings.game)
        if settings.players not in game.player_counts:
            facts: dict[str, object] = {"players": settings.players, "allowed": list(game.player_counts)}
            raise BadSetup(Refusal("BAD_PLAYER_COUNT", game.players_clause, facts))
        self.folder = folder
        self.settings = settings
        names = tuple(inputs(game, settings.players)[0])
        actions = game.space(game.edition()).size
        self.about = Net(game.id, game.rules_version, settings.players, names, 0, [], [], [], [], [])
        self.adam = Adam(fresh(len(names), settings.hidden, actions, settings.seed, settings.blank), settings.pace)
        self.middle: Floats = numpy.zeros(len(names))
        self.spread: Floats = numpy.ones(len(names))
        self.games = 0
        self.rounds = 0
        self.seconds = 0.0
        self.history: list[Round] = []
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CHECKPOINT).exists():
            self._go_on()

    def net(self) -> Net:
        """The net as it is now."""
        net = export(self.adam.mean, self.middle, self.spread, replace(self.about, games=self.games))
        return decode_net(net.encode())

    def round(self, crew: Crew) -> Round:
        """Play a round of games, learn from them, and keep it all."""
        s = self.settings
        started = time.perf_counter()
        seeds = range(s.seed + self.games, s.seed + self.games + s.round)
        parts = min(len(seeds), 4 * crew.processes)
        text = self.net().encode()
        jobs = [Job(s.game, s.players, text, tuple(seeds[i::parts]), s.searched, s.worlds) for i in range(parts)]
        lessons = [lesson for _, played in crew.spread(play, jobs) for lesson in played]
        lessons.sort(key=lambda lesson: lesson.seed)  # processes finish in any order
        if not self.rounds:
            self._measure(lessons)
        value, judgement, positions = self._positions(lessons)
        policy, ratings, decisions = self._decisions(lessons)
        self._learn(positions, decisions)
        self.games += s.round
        self.rounds += 1
        self.seconds += time.perf_counter() - started
        found = Round(self.games, round(self.seconds, 1), len(positions.rows), value, judgement, policy, ratings)
        self.history.append(found)
        self._keep()
        return found

    def _rows(self, lesson: Lesson) -> tuple[Floats, Any]:
        """A game's positions, as (T, S, N), and which seats are alive in them."""
        shape = (len(lesson.alive), self.settings.players, len(self.about.names))
        rows = numpy.frombuffer(lesson.positions, numpy.float32).reshape(shape).astype(numpy.float64)
        bits = numpy.array(lesson.alive)[:, None] >> numpy.arange(self.settings.players)
        return rows, (bits & 1).astype(bool)

    def _measure(self, lessons: list[Lesson]) -> None:
        """How large the inputs are, by the first games; the judgement's opinion stays as it is."""
        rows, alive = zip(*[self._rows(lesson) for lesson in lessons if lesson.alive], strict=True)
        seen = numpy.concatenate(rows)[numpy.concatenate(alive)]
        self.middle = seen.mean(axis=0)
        self.spread = seen.std(axis=0)
        self.spread[self.spread < 1e-6] = 1.0
        self.middle[0], self.spread[0] = 0.0, 1.0

    def _scaled(self, rows: Floats) -> Floats:
        found: Floats = (rows - self.middle) / self.spread
        if self.settings.blank:
            found[..., 0] = 0.0
        return found

    def _positions(self, lessons: list[Lesson]) -> tuple[float, float, Positions]:
        rows, alive, wanted, won = [], [], [], []
        plain = fresh(len(self.about.names), 1, 1, 0)
        judged = []
        for lesson in lessons:
            if not lesson.alive:
                continue
            raw, living = self._rows(lesson)
            scaled = self._scaled(raw)
            values = shares(self.adam.mean, scaled, living)
            outcome = numpy.array(lesson.shares)
            rows.append(scaled)
            alive.append(living)
            wanted.append(numpy.where(living, targets(values, outcome, self.settings.trace), 0.0))
            won.append(-(outcome * numpy.log(numpy.maximum(values, 1e-9))).sum(axis=1))
            judged.append(-(outcome * numpy.log(numpy.maximum(shares(plain, raw, living), 1e-9))).sum(axis=1))
        target = numpy.concatenate(wanted)
        target /= target.sum(axis=1, keepdims=True)
        found = Positions(numpy.concatenate(rows), numpy.concatenate(alive), target)
        return float(numpy.concatenate(won).mean()), float(numpy.concatenate(judged).mean()), found

    def _decisions(self, lessons: list[Lesson]) -> tuple[float, float, Decisions | None]:
        choices = [choice for lesson in lessons for choice in lesson.choices]
        if not choices:
            return 0.0, 0.0, None
        most = max(len(choice.actions) for choice in choices)
        actions = numpy.zeros((len(choices), most), numpy.int64)
        odds = numpy.full((len(choices), most), -numpy.inf)
        wanted = numpy.zeros((len(choices), most))
        for n, choice in enumerate(choices):
            size = len(choice.actions)
            actions[n, :size] = choice.actions
            odds[n, :size] = choice.odds
            wanted[n, :size] = choice.wanted
        rows = self._scaled(numpy.array([choice.row for choice in choices], numpy.float64))
        wanted /= wanted.sum(axis=1, keepdims=True)
        found = Decisions(rows, actions, odds, wanted)
        nothing = {name: numpy.zeros_like(w) for name, w in self.adam.mean.items()}
        return policy_loss(self.adam.mean, found)[0], policy_loss(nothing, found)[0], found

    def _learn(self, positions: Positions, decisions: Decisions | None) -> None:
        """Go once through all, in an order of its own each round."""
        dice = numpy.random.default_rng([self.settings.seed, self.rounds])
        order = dice.permutation(len(positions.rows))
        steps = max(1, round(len(order) / self.settings.batch))
        chosen = dice.permutation(len(decisions.rows)) if decisions is not None else numpy.arange(0)
        parts = numpy.array_split(chosen, steps)
        for part, picked in zip(numpy.array_split(order, steps), parts, strict=True):
            batch = Positions(positions.rows[part], positions.alive[part], positions.targets[part])
            _, gradient = value_loss(self.adam.weights, batch)
            if decisions is not None and len(picked):
                d = decisions
                some = Decisions(d.rows[picked], d.actions[picked], d.odds[picked], d.targets[picked])
                _, more = policy_loss(self.adam.weights, some)
                for name, slope in more.items():
                    gradient[name] += POLICY * slope
            self.adam.step(gradient)

    # -- what is kept ---------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """The net, the checkpoint, the history, each whole or as it was; what counts is the checkpoint."""
        text = self.net().encode().encode()
        if self.rounds & (self.rounds - 1) == 0:  # after 1, 2, 4, 8... rounds
            (self.folder / SNAPSHOTS).mkdir(exist_ok=True)
            replace_file(self.folder / SNAPSHOTS / f"{self.settings.players}-{self.games}.json", text)
        meta = {
            "format": FORMAT,
            "settings": asdict(self.settings),
            "rules": self.about.rules,
            "names": list(self.about.names),
            "games": self.games,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "steps": self.adam.steps,
            "history": [asdict(found) for found in self.history],
        }
        packed = io.BytesIO()
        arrays = self.adam.state() | {"middle": self.middle, "spread": self.spread}
        numpy.savez(packed, meta=numpy.frombuffer(json.dumps(meta).encode(), numpy.uint8), **arrays)
        replace_file(self.folder / CHECKPOINT, packed.getvalue())
        self._publish(text)

    def _publish(self, text: bytes) -> None:
        """What others read: made from the checkpoint, so it may be one round behind after a kill, and no more."""
        replace_file(self.folder / f"{self.settings.players}.json", text)
        lines = "".join(json.dumps(asdict(found)) + "\n" for found in self.history)
        replace_file(self.folder / HISTORY, lines.encode())

    def _go_on(self) -> None:
        path = self.folder / CHECKPOINT
        try:
            with numpy.load(path) as kept:
                meta = json.loads(kept["meta"].tobytes())
                arrays = {name: kept[name] for name in kept.files if name != "meta"}
            if meta["format"] != FORMAT:
                raise ValueError(f"format {meta['format']}")
            settings = Settings(**meta["settings"])
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise TrainingError(f"{path} is no checkpoint of a training ({error}); choose another folder") from None
        if settings != self.settings:
            mine, theirs = asdict(self.settings), asdict(settings)
            said = ", ".join(f"{name} {theirs[name]}, not {mine[name]}" for name in mine if mine[name] != theirs[name])
            raise TrainingError(
                f"{self.folder} holds a training with {said}; go on with that, or choose another folder"
            )
        if meta["rules"] != self.about.rules or tuple(meta["names"]) != self.about.names:
            raise TrainingError(f"{self.folder} was trained with other rules or inputs; choose another folder")
        self.games, self.rounds, self.seconds = meta["games"], meta["rounds"], meta["seconds"]
        self.history = [Round(**found) for found in meta["history"]]
        self.adam.restore(arrays, meta["steps"])
        self.middle, self.spread = arrays["middle"], arrays["spread"]
        self._publish(self.net().encode().encode())


def train(
    folder: Path,
    settings: Settings,
    games: int | None = None,
    hours: float | None = None,
    processes: int = 1,
    ray: bool = False,
    on_round: Callable[[Trainer, Round], None] | None = None,
) -> Trainer:
    """Train until so many games or hours have gone into it in all, those of earlier calls among them.

    Raises TrainingError, BadSetup, UnknownGame, OSError; ValueError for numbers that make no sense.
    """
    if games is None and hours is None:
        raise ValueError("say how long to train: in games or in hours")
    if (games is not None and games < 1) or (hours is not None and hours <= 0):
        raise ValueError("training takes at least 1 game, and more than 0 hours")
    trainer = Trainer(folder, settings)
    with Crew(processes, ray) as crew:
        while (games is None or trainer.games < games) and (hours is None or trainer.seconds < 3600.0 * hours):
            found = trainer.round(crew)
            if on_round is not None:
                on_round(trainer, found)
    return trainer
