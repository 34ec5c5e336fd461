"""The worked example of adding a game passes what the games of the shelf pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from examples.tea_break import GAME
from examples.tea_break.cards import load
from examples.tea_break.rules import TeaBreak
from shopfloor.bots import LEVELS
from shopfloor.engine.dice import FastDice
from shopfloor.engine.edition import EditionError
from shopfloor.lab import pettingzoo
from shopfloor.lab.match import play_game
from tests.conformance import test_bots, test_play, test_records, test_words
from tests.conformance.cases import Case
from tests.lab import test_observations, test_pettingzoo

CASES = [*(Case(GAME, players, {}) for players in GAME.player_counts), Case(GAME, 3, {"leftovers": "tin"})]
ABOUT_A_CASE: list[Callable[[Case], None]] = [
    test_play.test_random_play_comes_to_an_end,
    test_play.test_legal_is_what_is_not_refused,
    test_play.test_masks_and_names,
    test_play.test_clones_go_their_own_way,
    test_play.test_encoded_and_pickled_states_play_on_alike,
    test_play.test_reporting_changes_nothing,
    test_play.test_a_decision_is_taken_back_by_replaying_without_it,
    test_play.test_sealed_choices_show_only_that_they_were_made,
    test_play.test_an_imagined_state_is_the_same_to_its_seat,
    test_play.test_views_are_plain_and_for_seats_that_exist,
    test_play.test_both_kinds_of_dice,
    test_play.test_judgement,
    test_bots.test_a_seat_shows_what_its_player_sees,
    test_records.test_a_record_replays_byte_for_byte,
    test_records.test_a_game_under_way_has_a_record_too,
    test_records.test_a_record_is_readable,
    test_words.test_events_are_as_announced_and_can_be_told,
    test_words.test_names_are_shown_as_they_are,
    test_words.test_questions_buttons_and_refusals,
    test_words.test_the_final_order_is_explained,
    test_observations.test_fields_tile_the_tensor,
    test_observations.test_within_range_and_of_constant_shape,
    test_observations.test_equal_for_positions_that_a_seat_cannot_tell_apart,
    test_observations.test_nothing_is_lost,
    test_observations.test_what_is_no_observation,
]


@pytest.mark.parametrize("test", ABOUT_A_CASE, ids=lambda test: test.__name__)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_conformance(case: Case, test: Callable[[Case], None]) -> None:
    test(case)


def test_names_and_options() -> None:
    test_play.test_names_parse_back(GAME)
    test_play.test_set_ups_that_do_not_exist(GAME)
    test_words.test_options_are_explained(GAME)
    test_words.test_refused_set_ups_are_explained(GAME)
    test_observations.test_no_part_of_the_view_is_forgotten(GAME)


@pytest.mark.parametrize("level", LEVELS)
def test_computers_play_it(level: str) -> None:
    test_bots.play_to_the_end(CASES[2], level)


def test_sense_beats_chance() -> None:
    levels = ["greedy", "random", "random"]
    shares = [play_game(GAME, GAME.edition(), levels, seed).shares[0] for seed in range(100)]
    assert sum(shares) / len(shares) > 0.4


def test_it_is_an_environment_too() -> None:
    played = test_pettingzoo._play(pettingzoo.raw_env(GAME, 4), 3)
    assert len(played) == 24


def _rounds(players: int, rounds: list[tuple[int, ...]], leftovers: str = "stay") -> list[tuple[int, list[int]]]:
    """What lies on the table before each round's cards are shown, and everybody's biscuits after it."""
    s = GAME.start(players, FastDice(1), {"leftovers": leftovers})
    assert isinstance(s, TeaBreak)
    found = []
    for cards in rounds:
        table = s.table
        for seat, card in enumerate(cards):
            s.play(seat, card - 1)
        found.append((table, list(s.biscuits)))
    return found


def test_the_highest_card_that_is_alone_takes_the_plate() -> None:  # TB-4
    ((table, biscuits),) = _rounds(4, [(6, 6, 4, 3)])
    assert biscuits == [0, 0, table, 0]


@pytest.mark.parametrize("leftovers", ["stay", "tin"])
def test_what_nobody_takes(leftovers: str) -> None:  # TB-A1
    (first, none), (second, biscuits) = _rounds(2, [(5, 5), (6, 1)], leftovers)
    assert none == [0, 0]
    plates = load().biscuits
    assert (second - first in plates) if leftovers == "stay" else (second in plates)
    assert biscuits == [second, 0]


def test_a_wrong_edition(tmp_path: Path) -> None:
    (tmp_path / "plates.csv").write_text("plate,biscuits,provenance\nplain,0,hearsay\n", encoding="utf-8")
    with pytest.raises(EditionError) as caught:
        load(tmp_path)
    assert [(one.line, one.what) for one in caught.value.problems] == [
        (2, "column 'biscuits' is '0'"),
        (2, "column 'provenance' is 'hearsay'"),
        (0, "1 plates"),
    ]
