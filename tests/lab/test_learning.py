"""Training: gradients, temporal differences, what a kill leaves, and what people are told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy
import pytest
from typer.testing import CliRunner

from shopfloor import cli
from shopfloor.bots.nets import decode_net, inputs, load_net
from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import BadSetup
from shopfloor.games import REGISTRY
from shopfloor.lab.learning import curve, training
from shopfloor.lab.learning.network import (
    Adam,
    Decisions,
    Positions,
    Weights,
    export,
    fresh,
    policy_loss,
    shares,
    value_loss,
)
from shopfloor.lab.learning.selfplay import play_one
from shopfloor.lab.learning.training import CHECKPOINT, Settings, Trainer, TrainingError, targets, train
from shopfloor.lab.processes import Crew
from tests.conformance.cases import Case, every_count_but_slow_ones

SMALL = Settings("zahltag", 2, seed=5, hidden=3, round=2, batch=32, searched=8, worlds=2)


def some_positions(dice: numpy.random.Generator, count: int, seats: int, inputs: int) -> Positions:
    alive = dice.random((count, seats)) < 0.8
    alive[:, 0] = True
    wanted = numpy.where(alive, dice.random((count, seats)), 0.0)
    wanted /= wanted.sum(axis=1, keepdims=True)
    return Positions(dice.normal(size=(count, seats, inputs)) * alive[:, :, None], alive, wanted)


def some_decisions(dice: numpy.random.Generator, count: int, inputs: int, actions: int) -> Decisions:
    ids = numpy.array([dice.permutation(actions)[:4] for _ in range(count)])
    odds = numpy.log(dice.dirichlet(numpy.ones(4), count))
    odds[0, 2:] = -numpy.inf  # a decision with fewer actions than others
    wanted = numpy.where(numpy.isfinite(odds), dice.random((count, 4)), 0.0)
    return Decisions(dice.normal(size=(count, inputs)), ids, odds, wanted / wanted.sum(axis=1, keepdims=True))


def scattered(dice: numpy.random.Generator, inputs: int, hidden: int, actions: int) -> Weights:
    return {name: dice.normal(size=found.shape) for name, found in fresh(inputs, hidden, actions, 1).items()}


def test_gradients_are_the_slopes() -> None:
    dice = numpy.random.default_rng(3)
    w = scattered(dice, 5, 4, 7)
    positions, decided = some_positions(dice, 6, 3, 5), some_decisions(dice, 6, 5, 7)
    losses: list[Callable[[], tuple[float, Weights]]] = [
        lambda: value_loss(w, positions),
        lambda: policy_loss(w, decided),
    ]
    for loss in losses:
        _, gradient = loss()
        for name, found in w.items():
            for at in numpy.ndindex(found.shape):
                kept = found[at]
                around = []
                for step in (1e-6, -1e-6):
                    found[at] = kept + step
                    around.append(loss()[0])
                found[at] = kept
                assert gradient[name][at] == pytest.approx((around[0] - around[1]) / 2e-6, abs=1e-6), (name, at)


def test_the_value_learns_what_the_judgement_does_not_see() -> None:
    """Who has more of the second input wins; the judgement looks at the first alone, which says nothing."""
    dice = numpy.random.default_rng(4)
    w = fresh(3, 6, 1, 2)
    adam = Adam(w, 0.01)
    losses = []
    for _ in range(300):
        rows = dice.normal(size=(64, 2, 3))
        won = rows[:, 0, 1] * rows[:, 0, 2] > rows[:, 1, 1] * rows[:, 1, 2]  # no line through the inputs tells it
        batch = Positions(rows, numpy.ones((64, 2), bool), numpy.stack([won, ~won], axis=1).astype(float))
        loss, gradient = value_loss(w, batch)
        adam.step(gradient)
        losses.append(loss)
    assert numpy.mean(losses[-20:]) < 0.6 * numpy.mean(losses[:20])


def test_the_policy_learns_what_was_searched() -> None:
    dice = numpy.random.default_rng(5)
    w = fresh(2, 4, 3, 1)
    adam = Adam(w, 0.02)
    nothing = {name: numpy.zeros_like(found) for name, found in w.items()}
    for _ in range(300):
        batch = _turned(dice)
        adam.step(policy_loss(w, batch)[1])
    batch = _turned(dice)
    assert policy_loss(w, batch)[0] < 0.5 * policy_loss(nothing, batch)[0]


def _turned(dice: numpy.random.Generator) -> Decisions:
    """The last action is right where the first input is positive, else the first; ratings like the one between."""
    rows = dice.normal(size=(64, 2))
    wanted = numpy.where(rows[:, :1] > 0, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    odds = numpy.log(numpy.tile([0.2, 0.6, 0.2], (64, 1)))
    return Decisions(rows, numpy.tile([0, 1, 2], (64, 1)), odds, wanted)


def test_temporal_differences_by_hand() -> None:
    values = numpy.array([[0.5, 0.5], [0.6, 0.4], [0.2, 0.8]])
    won = numpy.array([1.0, 0.0])
    assert targets(values, won, 1.0).tolist() == [[1.0, 0.0]] * 3
    assert targets(values, won, 0.0).tolist() == [[0.6, 0.4], [0.2, 0.8], [1.0, 0.0]]
    half = targets(values, won, 0.5)
    assert half[1] == pytest.approx([0.5 * 0.2 + 0.5 * 1.0, 0.5 * 0.8])
    assert half[0] == pytest.approx(0.5 * values[1] + 0.5 * half[1])


def test_what_plays_is_what_was_trained() -> None:
    dice = numpy.random.default_rng(6)
    w = scattered(dice, 4, 3, 5)
    middle, spread = dice.normal(size=4), 0.5 + dice.random(4)
    batch = some_positions(dice, 8, 3, 4)
    about = decode_net('{"format":1,"game":"g","rules":"1","players":3,"games":0,"names":["a","b","c","d"],"bias":[],'
                       '"out":[],"skip":[0,0,0,0],"weights":[],"policy":[]}')  # fmt: skip
    net = export(w, middle, spread, about)
    scaled = (batch.rows - middle) / spread
    wanted = shares(w, scaled, batch.alive)
    for n, rows in enumerate(batch.rows):
        told = [row.tolist() if there else [] for row, there in zip(rows, batch.alive[n], strict=True)]
        assert net.shares(told) == pytest.approx(wanted[n].tolist())
        hidden = numpy.maximum(w["weights"] @ scaled[n, 0] + w["bias"], 0.0)
        leaning = w["policy"] @ hidden + w["policy_bias"]
        assert net.leaning(told[0], (0, 4)) == pytest.approx([leaning[0], leaning[4]])


@every_count_but_slow_ones
def test_every_game_can_be_learned(case: Case, tmp_path: Path) -> None:
    settings = replace(SMALL, game=case.game.id, players=case.players, round=1)
    before = Trainer(tmp_path / "new", settings).net()
    trainer = train(tmp_path / "t", settings, games=1)
    net = load_net(tmp_path / "t" / f"{case.players}.json", case.game, case.players)
    assert net.games == 1
    assert (net.weights, net.skip) != (before.weights, before.skip)
    (found,) = trainer.history
    assert found.positions > 0
    # Nothing was learned yet when these games were played, and a fresh net is the judgement.
    assert found.value == pytest.approx(found.judgement, abs=1e-3)


def test_a_game_is_played_by_seats_and_tells_who_won(tmp_path: Path) -> None:
    game = REGISTRY.get("zahltag")
    net = Trainer(tmp_path, SMALL).net()
    lesson = play_one(game, net, 3, 4, 2)
    again = play_one(game, net, 3, 4, 2)
    assert lesson == again
    assert sum(lesson.shares) == pytest.approx(1.0)
    assert len(lesson.positions) == len(lesson.alive) * 2 * len(net.names)
    assert lesson.choices
    for choice in lesson.choices:
        assert sum(choice.wanted) == pytest.approx(1.0, abs=1e-5)
        assert len(choice.actions) == len(choice.odds) == len(choice.wanted) > 1
        assert len(set(choice.actions)) == len(choice.actions)
    assert play_one(game, net, 3, 0, 2).choices == []


def kept(folder: Path) -> dict[str, Any]:
    """What a training has come to, but for how long it took."""
    with numpy.load(folder / CHECKPOINT) as found:
        arrays = {name: found[name].tobytes() for name in found.files if name != "meta"}
        meta = json.loads(found["meta"].tobytes())
    meta["seconds"] = 0
    for line in meta["history"]:
        line["seconds"] = 0
    return {"meta": meta, "net": (folder / "2.json").read_bytes()} | arrays


@pytest.mark.slow
def test_training_in_pieces_and_in_processes_is_the_same_training(tmp_path: Path) -> None:
    train(tmp_path / "whole", SMALL, games=8)
    train(tmp_path / "pieces", SMALL, games=4)
    train(tmp_path / "pieces", SMALL, games=8, processes=2)
    assert kept(tmp_path / "pieces") == kept(tmp_path / "whole")


KILLED = """
import sys
from pathlib import Path
from shopfloor.lab.learning.training import Settings, train
small = Settings("zahltag", 2, seed=5, hidden=3, round=2, batch=32, searched=8, worlds=2)
train(Path(sys.argv[1]), small, games=100000)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_training_that_is_killed_goes_on(tmp_path: Path) -> None:
    """Killed for real, several times and at moments of chance; what comes of it is what would have come of it."""
    folder = tmp_path / "killed"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    dice = FastDice(time.time_ns() % 2**31)
    rounds = 0
    for _ in range(3):
        child = subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], env=environment)
        end = time.monotonic() + 120
        try:
            # One round more than last time, so that each of them has gone on; then at any moment of the next.
            while _rounds(folder) <= rounds and time.monotonic() < end:
                assert child.poll() is None, "training ended by itself"
                time.sleep(0.01)
            time.sleep(dice.below(100) / 1000)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()
        assert _rounds(folder) > rounds
        rounds = _rounds(folder)
    games = 2 * (rounds + 1)
    trainer = train(folder, SMALL, games=games)
    assert trainer.rounds == rounds + 1
    train(tmp_path / "whole", SMALL, games=games)
    assert kept(folder) == kept(tmp_path / "whole")


def _rounds(folder: Path) -> int:
    """How many rounds the checkpoint has; reading it at any moment finds a whole one."""
    if not (folder / CHECKPOINT).exists():
        return 0
    with numpy.load(folder / CHECKPOINT) as found:
        return int(json.loads(found["meta"].tobytes())["rounds"])


@pytest.mark.parametrize("fails_at", range(1, 5))
def test_a_write_that_fails_leaves_the_last_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    """Whichever file it is that was being written when all ended, the checkpoint is whole and training goes on."""
    train(tmp_path / "t", SMALL, games=2)
    writes = 0

    def failing(path: Path, data: bytes) -> None:
        nonlocal writes
        writes += 1
        if writes == fails_at:
            path.with_name(path.name + ".new").write_bytes(data[: len(data) // 2])
            raise KeyboardInterrupt
        written(path, data)

    written = training.replace_file
    monkeypatch.setattr(training, "replace_file", failing)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "t", SMALL, games=6)
    monkeypatch.undo()
    train(tmp_path / "t", SMALL, games=6)
    train(tmp_path / "whole", SMALL, games=6)
    assert kept(tmp_path / "t") == kept(tmp_path / "whole")


def test_blank_nets_never_look_at_the_judgement(tmp_path: Path) -> None:
    trainer = train(tmp_path / "t", replace(SMALL, blank=True), games=4)
    net = trainer.net()
    assert net.skip[0] == 0.0
    assert all(row[0] == 0.0 for row in net.weights)
    assert any(number != 0.0 for number in net.skip)


def test_folders_that_cannot_be_gone_on_with(tmp_path: Path) -> None:
    train(tmp_path / "t", SMALL, games=2)
    with pytest.raises(TrainingError, match="players 2, not 3"):
        Trainer(tmp_path / "t", replace(SMALL, players=3))
    with pytest.raises(BadSetup):
        Trainer(tmp_path / "t", replace(SMALL, players=9))
    data = (tmp_path / "t" / CHECKPOINT).read_bytes()
    for broken in (data[:100], b"", b"what?"):
        (tmp_path / "t" / CHECKPOINT).write_bytes(broken)
        with pytest.raises(TrainingError, match="is no checkpoint"):
            Trainer(tmp_path / "t", SMALL)
        assert (tmp_path / "t" / CHECKPOINT).read_bytes() == broken


def test_the_curve_of_a_training(tmp_path: Path) -> None:
    train(tmp_path / "t", SMALL, games=6)
    game = REGISTRY.get("zahltag")
    points = curve.measure(tmp_path / "t", game, 2, 4, ("random", "greedy"), 1)
    assert [(p.trained, p.against) for p in points] == [(n, level) for level in ("random", "greedy") for n in (0, 2, 4)]
    assert all(p.games == 4 and p.low <= p.share <= p.high for p in points)
    assert curve.table(points).count("\n") == 8
    train(tmp_path / "t", SMALL, games=12)
    seen = curve.foresight(tmp_path / "t")[-1]  # rounds 5 and 6 of six
    last = [json.loads(line) for line in (tmp_path / "t" / training.HISTORY).read_text().splitlines()][4:]
    assert (seen.trained, seen.rounds) == (12, 2)
    assert seen.gain == pytest.approx(sum(one["judgement"] - one["value"] for one in last) / 2)
    assert seen.low <= seen.gain <= seen.high
    assert curve.foresight_table([seen]).count("\n") == 3
    drawn = ElementTree.fromstring(curve.picture(points, [seen], "Zahltag & more", 0.5))
    shapes = [one for one in drawn.iter() if "dot" in one.get("class", "") and one.get("transform")]
    assert len(shapes) == len(points) + 1 + 2  # what was measured, and a sign for each of two levels
    said = [one.text for one in drawn.iter() if one.tag.endswith("text")]
    assert said[0] == "Zahltag & more"
    assert {"against random", "against greedy", "100 %", "12"} <= set(said)


# -- Ray ------------------------------------------------------------------------------------------------------------


class FakeRay:
    """As much of Ray as is used, in this process; results come back last first, as they may."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def init(self, **_options: Any) -> None:
        self.told.append("init")

    def shutdown(self) -> None:
        self.told.append("shutdown")

    def remote(self, work: Any) -> Any:
        return type("Remote", (), {"remote": staticmethod(lambda *given: (work, given))})

    def wait(self, references: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        return references[-num_returns:], references[:-num_returns]

    def get(self, reference: Any) -> Any:
        work, given = reference
        return work(*given)

    def cancel(self, _reference: Any) -> None:
        self.told.append("cancel")


def test_ray_does_what_processes_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    train(tmp_path / "ray", SMALL, games=4, processes=2, ray=True)
    train(tmp_path / "here", SMALL, games=4)
    assert kept(tmp_path / "ray") == kept(tmp_path / "here")
    assert ray.told == ["init", "shutdown"]
    with Crew(2, ray=True) as crew:
        results = crew.spread(abs, [-1, -2, -3, -4, -5, -6])
        assert next(results)[1] > 0
        results.close()
    assert ray.told.count("cancel") >= 1


@pytest.mark.slow
@pytest.mark.timeout(900)  # it starts a cluster
def test_ray_itself(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    train(tmp_path / "ray", SMALL, games=4, processes=2, ray=True)
    train(tmp_path / "here", SMALL, games=4)
    assert kept(tmp_path / "ray") == kept(tmp_path / "here")


# -- the command -----------------------------------------------------------------------------------------------------


def run(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    for console in (cli.console, cli.errors):
        monkeypatch.setattr(console, "width", 300)
    result = CliRunner().invoke(cli.app, list(arguments))
    return result.exit_code, result.output


@pytest.mark.slow
def test_training_and_measuring_at_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "Settings", lambda game, players, **more: replace(SMALL, game=game, players=players))
    folder = str(tmp_path / "t")
    code, said = run("train", "zahltag", "--players", "2", "--games", "2", "--out", folder, monkeypatch=monkeypatch)
    assert code == 0, said
    assert "2 games" in said
    code, said = run("train", "zahltag", "--players", "2", "--games", "4", "--out", folder, monkeypatch=monkeypatch)
    assert code == 0, said
    assert "Going on" in said
    results, page = tmp_path / "results.jsonl", tmp_path / "page.md"
    measuring = ["ladder", "zahltag", "--nets", folder, "--games", "2", "--budget", "0.01", "--processes", "1"]
    measuring += ["--results", str(results), "--page", str(page)]
    code, said = run(*measuring, monkeypatch=monkeypatch)
    assert code == 0, said
    assert "search with a net against 1 search" in said
    assert f"--nets {Path(folder).as_posix()}" in page.read_text(encoding="utf-8")
    played = results.read_text(encoding="utf-8")
    assert played.count("\n") == 2
    run(*measuring, monkeypatch=monkeypatch)
    assert results.read_text(encoding="utf-8") == played  # they were there already
    run("train", "zahltag", "--players", "2", "--games", "6", "--out", folder, monkeypatch=monkeypatch)
    run(*measuring, monkeypatch=monkeypatch)
    assert results.read_text(encoding="utf-8").count("\n") == 4  # another net's


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "go", "--players", "2", "--games", "2"], "There is no game 'go'"),
        (["train", "zahltag", "--players", "2"], "in games or in hours"),
        (["train", "zahltag", "--players", "2", "--games", "0"], "at least 1 game"),
        (["train", "zahltag", "--players", "2", "--hours", "0"], "more than 0 hours"),
        (["train", "zahltag", "--players", "7", "--games", "2"], "7"),
        (["ladder", "zahltag", "--nets", "{out}"], "has no net for Zahltag"),
        (["ladder", "zahltag", "--nets", "{out}", "--players", "3"], "cannot be read"),
        (["ladder", "zahltag", "--nets", "{out}", "--levels", "greedy"], "greedy does not"),
        (["ladder", "zahltag", "--balance", "--nets", "{out}"], "about ladders"),
    ],
)
def test_what_people_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str) -> None:
    out = tmp_path / "out"
    given = [argument.format(out=out) for argument in arguments]
    if given[0] == "train":
        given += ["--out", str(out)]
    code, told = run(*given, monkeypatch=monkeypatch)
    assert code == 2
    assert said in told
    assert "Traceback" not in told
    assert not (out / CHECKPOINT).exists()


def test_another_games_net_is_not_played_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(tmp_path / "t", SMALL, games=2)
    code, told = run("ladder", "workshop_of_the_world", "--nets", str(tmp_path / "t"), monkeypatch=monkeypatch)
    assert code == 2
    assert "is a net for zahltag" in told


def test_without_ray_people_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for given in (
        ["train", "zahltag", "--players", "2", "--games", "2", "--out", str(tmp_path / "t"), "--ray"],
        ["ladder", "zahltag", "--levels", "random,greedy", "--games", "2", "--ray"],
    ):
        code, told = run(*given, monkeypatch=monkeypatch)
        assert code == 2
        assert "pip install 'shopfloor[ray]'" in told


def test_the_shapes_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab" / "learning.md").read_text(encoding="utf-8")
    for game in REGISTRY.all():
        sizes = [str(len(inputs(game, n)[0])) if n in game.player_counts else "" for n in range(2, 6)]
        own = sum(name.endswith("_0") for name in inputs(game, 2)[0])
        assert f"| {game.title} | {' | '.join(sizes)} | {own} |".replace("|  |", "| |") in page
