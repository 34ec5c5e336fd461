"""Several processes for one decision: they share one race, keep to the time, and none of them can spoil it."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shopfloor.bots import THINKING, TOGETHER, Seat, make_bot
from shopfloor.bots import team as teams
from shopfloor.bots.helper import Report
from shopfloor.bots.search import FIRST_CHECK, Mixer, Search, SearchBot
from shopfloor.bots.team import Team, team
from shopfloor.bots.together import TogetherBot, _Thought
from shopfloor.engine.dice import FastDice
from tests.bots.test_search import choosing
from tests.conformance.cases import Case, plain_cases


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)


ONE_A_GAME = list({case.game.id: case for case in plain_cases()}.values())


@pytest.fixture(scope="module", autouse=True)
def helpers() -> Iterator[Team]:
    """The processes are started once for all tests here."""
    yield team()
    team().close()


def deciding(case: Case, several: bool = False) -> Seat:
    s = choosing(case, 3, several)
    number = next(seat for seat in s.deciders() if len(s.legal(seat)) > 1)
    return Seat(case.game, s, number, FastDice(5))


def contested(case: Case) -> Seat:
    """A decision that is not settled by the first look."""
    for seed in range(100):
        s = choosing(case, seed, False)
        seat = Seat(case.game, s, s.deciders()[0], FastDice(5))
        if len(seat.legal()) > 1 and not Search(seat, FastDice(1)).settled():
            bot = TogetherBot(1, 1, iterations=60)
            bot.choose(seat)
            if bot.worlds >= 60:
                return seat
    raise AssertionError("no decision of a hundred games is contested")


CASE = next(case for case in ONE_A_GAME if case.game.id == "zahltag")


@pytest.mark.parametrize("case", ONE_A_GAME, ids=str)
@pytest.mark.parametrize("processes", [2, 3])
def test_the_same_worlds_in_as_many_processes_choose_the_same(case: Case, processes: int) -> None:
    seat = deciding(case)
    bots = [TogetherBot(9, processes, iterations=40) for _ in "ab"]
    assert len({bot.choose(seat) for bot in bots}) == 1
    assert bots[0].worlds == bots[1].worlds <= 40
    assert len({bot.choose(seat) for bot in bots}) == 1, "nor does it matter what they have thought about before"


@pytest.mark.parametrize("case", ONE_A_GAME, ids=str)
def test_one_process_is_the_same_as_none_of_this(case: Case) -> None:
    for several in (False, True):
        try:
            seat = deciding(case, several)
        except pytest.skip.Exception:
            continue
        assert TogetherBot(4, 1, iterations=30).choose(seat) == SearchBot(4, iterations=30).choose(seat)


def test_all_worlds_count_and_are_the_same_for_all_that_are_left() -> None:
    seat = contested(CASE)
    search = Search(seat, FastDice(3))
    thought = _Thought(search, team(), 60, time.perf_counter, float("inf"))
    with team().lock:
        thought.begin(seat, [11, 12], None)
        assert search.next_check == 3 * FIRST_CHECK
        thought.by_count()
        team().rest()
    assert search.worlds == 60 or search.settled()
    assert all(len(search.results[i]) == search.worlds for i in search.running)
    assert all(len(results) <= search.worlds for results in search.results)
    assert sorted(thought.mixes) == [0, 1], "each has had a part in it"


def test_what_was_dropped_stays_out_and_the_rest_is_told_of_world_by_world() -> None:
    seat = contested(CASE)
    search = Search(seat, FastDice(3))
    first, *others = search.running
    dropped = others.pop() if len(others) > 1 else -1
    search.running = [first, *others]
    # A helper that has not heard yet of what was dropped tells of it too.
    told = {i: [0.5, 0.25] for i in [first, *others, dropped] if i >= 0}
    thought = _Thought(search, Team(), 8, time.perf_counter, float("inf"))
    thought.take(0, Report(1, 2, told, [0.0] * len(search.actions), 0, False))
    assert search.worlds == 2
    assert all(search.results[i] == [0.5, 0.25] for i in search.running)
    assert dropped < 0 or not search.results[dropped]


def test_mixes_count_by_what_they_have_learned() -> None:
    mine = Mixer((1, 2), [0.0, 0.0], FastDice(1))
    for _ in range(30):
        mine.regret([1.0, 0.0])
    other = Mixer((1, 2), [0.0, 0.0], FastDice(1))
    for _ in range(10):
        other.regret([0.0, 1.0])
    own, theirs = ([weight / sum(mixer.weights) for weight in mixer.weights] for mixer in (mine, other))
    mine.join(other.weights, other.steps)
    joined = [weight / sum(mine.weights) for weight in mine.weights]
    assert joined == pytest.approx([(30 * a + 10 * b) / 40 for a, b in zip(own, theirs, strict=True)])
    assert mine.steps == 40
    mine.join([0.0, 0.0], 0)
    assert [weight / sum(mine.weights) for weight in mine.weights] == pytest.approx(joined)


@pytest.mark.parametrize("case", ONE_A_GAME, ids=str)
def test_a_choice_in_time_is_allowed_and_not_late(case: Case) -> None:
    seat = deciding(case)
    bot = TogetherBot(2, 2, 0.3)
    began = time.perf_counter()
    assert bot.choose(seat) in seat.legal()
    assert time.perf_counter() - began < 20, "the time is 0.3 s, and the machine may be busy"


def test_by_another_clock_each_process_has_all_the_time() -> None:
    seat = contested(CASE)
    alone, together = (TogetherBot(2, processes, 0.3, clock=time.thread_time) for processes in (1, 3))
    began = time.thread_time()
    assert together.choose(seat) in seat.legal()
    assert time.thread_time() - began < 0.6
    assert alone.choose(seat) in seat.legal()
    assert together.worlds > 0


def ask(seat: Seat) -> int:
    """A decision with time enough for a process to start in it; by the thread's time it is waited for."""
    bot = TogetherBot(2, 2, 0.1, clock=time.thread_time)
    assert bot.choose(seat) in seat.legal()
    return bot.worlds


def test_a_process_that_dies_costs_its_part_only_and_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    seat = contested(CASE)
    ask(seat)
    before = team().pids()
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    with caplog.at_level(logging.WARNING):
        ask(seat)  # notices it
        ask(seat)
    assert "is replaced" in caplog.text
    assert team().pids()
    assert not set(team().pids()) & set(before)


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot be stopped for a while")
def test_a_process_that_hangs_is_ended_and_the_others_decide(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teams, "HANGING", 1.0)
    seat = contested(CASE)
    ask(seat)
    (pid, *_) = before = team().pids()
    for one in before:
        os.kill(one, signal.SIGSTOP)
    with caplog.at_level(logging.WARNING):
        # By the wall nobody is waited for. Much time, so that the decision is not over before anybody is missed.
        assert TogetherBot(2, 2, 3.0).choose(seat) in seat.legal()
        ask(seat)
    assert "it hangs" in caplog.text
    assert pid not in team().pids()
    wait_for(lambda: not alive(pid), 20)


def test_a_fault_in_a_process_is_told_and_the_others_decide(caplog: pytest.LogCaptureFixture) -> None:
    seat = contested(CASE)
    search = Search(seat, FastDice(3))
    thought = _Thought(search, team(), 40, time.perf_counter, float("inf"))
    with team().lock, caplog.at_level(logging.WARNING):
        thought.begin(seat, [11], "no edition")  # type: ignore[arg-type]
        thought.by_count()
        team().rest()
    assert "is replaced" in caplog.text
    assert search.worlds >= 40 or search.settled()


def test_who_comes_second_thinks_alone() -> None:
    seat = contested(CASE)
    with team().lock:
        before = team().number
        bot = TogetherBot(2, 2, iterations=20)
        assert bot.choose(seat) in seat.legal()
        assert 0 < bot.worlds <= 20
        assert team().number == before, "nobody was asked to help"


def test_levels_that_look_at_as_much_as_they_can_think_together() -> None:
    for level in THINKING:
        bot = make_bot(level, 1, 0.1, processes=2)
        assert isinstance(bot, TogetherBot) == (level in TOGETHER)
    assert isinstance(make_bot("foreman", 1), SearchBot)
    for maker in (lambda: make_bot("foreman", 1, processes=0), lambda: TogetherBot(1, 0)):
        with pytest.raises(ValueError, match="at least one process"):
            maker()


@pytest.mark.parametrize("case", ONE_A_GAME, ids=str)
def test_an_edition_of_ones_own_goes_along(case: Case) -> None:
    seat = deciding(case)
    bots = [TogetherBot(9, 2, iterations=40, edition=edition) for edition in (None, case.game.edition())]
    assert len({bot.choose(seat) for bot in bots}) == 1


PROGRAM = """
import sys
from shopfloor.bots import Seat, make_bot
from shopfloor.bots.team import team
from shopfloor.engine.dice import FastDice
from shopfloor.games import REGISTRY

if __name__ == "__main__":
    game = REGISTRY.get("zahltag")
    state = game.start(3, FastDice(1))
    while len(state.deciders()) != 1 or len(state.legal(state.deciders()[0])) < 2:
        for seat in state.deciders():
            state.play(seat, state.legal(seat)[0])
    team().start(2)
    print(*team().pids(), flush=True)
    bot = make_bot("foreman", 1, 5.0, processes=3)
    while True:
        bot.choose(Seat(game, state, state.deciders()[0], FastDice(2)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there nothing is killed like that")
@pytest.mark.parametrize("pause", [0.0, 1.5], ids=["while they start", "while they think"])
def test_nobody_thinks_on_for_a_program_that_is_killed(tmp_path: Path, pause: float) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": os.path.abspath("src")}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as program:
        assert program.stdout is not None
        pids = [int(pid) for pid in program.stdout.readline().split()]
        assert len(pids) == 2
        time.sleep(pause)
        assert program.poll() is None
        program.kill()
    wait_for(lambda: not any(alive(pid) for pid in pids), 30)
