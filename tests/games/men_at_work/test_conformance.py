"""What the conformance suite asks of every game of the shelf, asked of this one: its functions, on cases of its own."""

from __future__ import annotations

import inspect
from random import Random

import pytest

from shopfloor.games.men_at_work import GAME
from tests.conformance import test_bots, test_play, test_records, test_words
from tests.conformance.cases import Case, values

MODULES = (test_play, test_records, test_words, test_bots)
SLOW = {"test_searching_bots_play_to_the_end", "test_searching_bots_play_to_the_end_by_the_usual_rules"}
# Those that know no case but the registry's own.
OTHERS = {"test_every_byte_counts", "test_files_that_are_no_records"}

VARIANTS = {"foreman": "on", "crane": "on", "skyscraper": "on"}


def combinations() -> list[Case]:
    cases = []
    for players in GAME.player_counts:
        possible = values(GAME, players)
        rng = Random(f"men_at_work {players}")
        cases += [Case(GAME, players, {k: rng.choice(v) for k, v in possible.items()}) for _ in range(2)]
    return cases


def each_option() -> list[Case]:
    found = []
    for n, option in enumerate(GAME.options):
        players = GAME.player_counts[n % 4]
        for value in values(GAME, players)[option.id]:
            if value != option.default:
                found.append(Case(GAME, players, {option.id: value}))
    return found


PLAIN = [Case(GAME, players, {}) for players in GAME.player_counts]
FAST = [PLAIN[0], PLAIN[3], Case(GAME, 3, VARIANTS), combinations()[2]]
MANY = [*PLAIN[1:3], *combinations(), *each_option()]


def functions(wanted: str) -> list:
    found = []
    for module in MODULES:
        for name, function in vars(module).items():
            if not name.startswith("test_") or name in OTHERS or not inspect.isfunction(function):
                continue
            parameters = list(inspect.signature(function).parameters)
            if parameters == [wanted]:
                found.append(function)
    return found


@pytest.fixture(autouse=True)
def _own_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_records, "plain_cases", lambda: tuple(PLAIN))


def names(function) -> str:
    return function.__name__


CASE_FUNCTIONS = [f for f in functions("case") if f.__name__ not in SLOW]


@pytest.mark.parametrize("case", FAST[:1], ids=str)
@pytest.mark.parametrize("function", CASE_FUNCTIONS, ids=names)
def test_what_every_game_promises(function, case: Case) -> None:
    function(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", FAST[2:3], ids=str)
@pytest.mark.parametrize("function", CASE_FUNCTIONS, ids=names)
def test_what_every_game_promises_with_more_players_and_variants(function, case: Case) -> None:
    function(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", MANY, ids=str)
def test_every_option(case: Case) -> None:
    test_play.test_random_play_comes_to_an_end(case)
    test_words.test_events_are_as_announced_and_can_be_told(case)


@pytest.mark.parametrize("function", functions("game"), ids=names)
def test_what_is_asked_of_the_game_itself(function) -> None:
    function(GAME)


def test_an_owners_edition(tmp_path) -> None:
    test_records.test_an_owners_edition_goes_by_its_hash(GAME, tmp_path)


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_bots_play_to_the_end(level: str) -> None:
    test_bots.play_to_the_end(PLAIN[0] if level == "greedy" else FAST[2], level)


@pytest.mark.slow
def test_searching_bots_play_to_the_end() -> None:
    test_bots.play_to_the_end(PLAIN[0], "search")
