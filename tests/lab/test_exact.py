"""Solving small games: values that are known otherwise, best answers, and what sampled players lose."""

from __future__ import annotations

import importlib
from typing import Any, ClassVar, cast

import pytest

from shopfloor.engine.actions import ActionSpace
from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.game import Endings
from shopfloor.engine.state import State
from shopfloor.games import REGISTRY
from shopfloor.lab.exact import NotSolvable, ScriptedDice, TooLarge, Tree, loss, outcomes, solve_matrix

pytest.importorskip("scipy")


class Duel(State):
    """A game of a few moves: both choose at once, `rounds` times; then `pay` says what seat 0 gets of it.

    pay: by both choices. With `dice_faces`, a die is thrown after every round and adds to a counter; on an even sum the
    seats' parts are swapped.
    """

    game: ClassVar[str] = "duel"

    def __init__(
        self, pay: list[list[float]], rounds: int = 1, faces: int = 0, players: int = 2, dice: Dice | None = None
    ) -> None:
        super().__init__(players, ActionSpace([]), dice or FastDice(1))
        self.pay, self.rounds, self.faces = pay, rounds, faces
        self.played: list[tuple[int, int]] = []
        self.sealed: list[int] = [-1, -1]
        self.thrown = 0

    def deciders(self) -> tuple[int, ...]:
        return () if self.over() else tuple(seat for seat in (0, 1) if self.sealed[seat] < 0)

    def legal(self, seat: int) -> tuple[int, ...]:
        return tuple(range(len(self.pay) if seat == 0 else len(self.pay[0])))

    def play(self, seat: int, action: int) -> None:
        self.sealed[seat] = action
        if -1 not in self.sealed:
            self.played.append((self.sealed[0], self.sealed[1]))
            self.sealed = [-1, -1]
            if self.faces:
                self.thrown += self.dice.below(self.faces)

    def over(self) -> bool:
        return len(self.played) == self.rounds

    def returns(self) -> list[float]:
        mine = sum(self.pay[a][b] for a, b in self.played) / self.rounds
        if self.thrown % 2:
            mine = 1.0 - mine
        return [mine, 1.0 - mine]

    def clone(self) -> Duel:
        copy = Duel(self.pay, self.rounds, self.faces, self.players, self.dice.clone())
        copy.played, copy.sealed, copy.thrown = list(self.played), list(self.sealed), self.thrown
        return copy

    def encode(self) -> str:
        return repr((self.played, self.sealed, self.thrown))


PENNIES = [[1.0, 0.0], [0.0, 1.0]]
SCISSORS = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]


@pytest.mark.parametrize(
    ("values", "value", "mine", "others"),
    [
        (PENNIES, 0.5, [0.5, 0.5], [0.5, 0.5]),
        (SCISSORS, 0.5, [1 / 3] * 3, [1 / 3] * 3),
        # Known in closed form: (ad - bc) / (a + d - b - c), the rows mixed by (d - c) and (a - b).
        ([[0.9, 0.2], [0.3, 0.6]], 0.48, [0.3, 0.7], [0.4, 0.6]),
        # A saddle point: nobody mixes.
        ([[0.4, 0.6], [0.3, 0.9]], 0.4, [1.0, 0.0], [1.0, 0.0]),
        # The last row is worse than the first, whatever comes.
        ([[1.0, 0.0], [0.0, 1.0], [0.9, -0.1]], 0.5, [0.5, 0.5, 0.0], [0.5, 0.5]),
        ([[0.3]], 0.3, [1.0], [1.0]),
    ],
)
def test_matrix_games_with_known_values(
    values: list[list[float]], value: float, mine: list[float], others: list[float]
) -> None:
    found = solve_matrix(values)
    assert found[0] == pytest.approx(value, abs=1e-9)
    assert found[1] == pytest.approx(mine, abs=1e-9)
    assert found[2] == pytest.approx(others, abs=1e-9)


def test_all_that_dice_can_bring_is_gone_through() -> None:
    duel = Duel(PENNIES, rounds=2, faces=3)
    found = list(outcomes(duel, [(0, 0), (1, 1)]))
    assert [chance for chance, _ in found] == pytest.approx([1 / 3] * 3)
    assert sorted(cast(Any, state).thrown for _, state in found) == [0, 1, 2]
    assert duel.played == []
    dice = ScriptedDice([1])
    assert [dice.below(4), dice.clone().below(2), dice.below(2)] == [1, 0, 0]
    assert dice.drawn == [(1, 4), (0, 2)]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_game_of_several_rounds_is_worth_what_each_round_is(rounds: int) -> None:
    pay = [[0.9, 0.2], [0.3, 0.6]]
    tree = Tree(Duel(pay, rounds))
    assert tree.root.value == pytest.approx(0.48)
    assert tree.gap() == pytest.approx(0.0, abs=1e-9)
    assert tree.root.sealed
    assert sum(not node.over for node in tree.nodes) == sum(4**n for n in range(rounds))


def test_chance_counts_by_its_odds() -> None:
    # Of three faces two are even: two in three times seat 0 gets its part, else the other's. The matrix is then
    # (2 v + (1 - v)) / 3 = (1 + v) / 3, and so is its value.
    tree = Tree(Duel([[0.9, 0.2], [0.3, 0.6]], faces=3))
    assert tree.root.value == pytest.approx(1.48 / 3)


def test_positions_that_are_the_same_are_met_once() -> None:
    def key(state: Any) -> object:
        return sum(PENNIES[a][b] for a, b in state.played), len(state.played)

    apart, together = Tree(Duel(PENNIES, 3)), Tree(Duel(PENNIES, 3), key)
    assert len(together.nodes) == 1 + 2 + 3 + 4
    assert len(apart.nodes) > len(together.nodes)
    assert apart.root.value == pytest.approx(together.root.value) == pytest.approx(0.5)


def test_best_answers_and_losses() -> None:
    tree = Tree(Duel(SCISSORS))
    at = len(tree.nodes) - 1
    assert tree.answer(0, {at: [1.0, 0.0, 0.0]}) == (0.0, {at: 1})
    assert tree.answer(1, {at: [0.0, 0.0, 1.0]})[0] == 0.0
    assert tree.answer(0, {at: [1 / 3] * 3})[0] == pytest.approx(0.5)
    assert tree.answer(0, {at: [0.5, 0.5, 0.0]})[0] == pytest.approx(0.25)
    assert tree.against(0, {at: [0.5, 0.5, 0.0]}, {at: 2}) == pytest.approx(0.5)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_always_does_the_same_loses_all_that_can_be_lost(seat: int) -> None:
    tree = Tree(Duel(PENNIES, 2))
    found = loss(tree, seat, lambda _state, _sample: 0, 10)
    assert (found.fair, found.sure, found.seems) == pytest.approx((0.5, 0.5, 0.5))
    assert found.decisions == 3, "the root, and what follows it by either choice of the other"


def test_what_a_mixing_player_loses_is_between_the_two_figures() -> None:
    tree = Tree(Duel(SCISSORS))
    dice = FastDice(5)
    every = [loss(tree, 0, lambda _state, _sample: (0, 0, 1, 2)[dice.below(4)], 40) for _ in range(60)]
    # It picks (1/2, 1/4, 1/4), to which the second is the best answer: 0.25 / 2 + 0.5 / 4 + ... = 3/8 are left of 1/2.
    assert sum(one.sure for one in every) / 60 < 0.125 + 0.02
    assert sum(one.seems for one in every) / 60 > 0.125 - 0.02
    assert all(one.sure <= one.seems + 1e-9 for one in every)


def test_what_cannot_be_solved_says_why() -> None:
    with pytest.raises(NotSolvable, match="games of two have such a value, not of 3"):
        Tree(Duel(PENNIES, players=3))
    with pytest.raises(TooLarge, match="more than 10 positions"):
        Tree(Duel(PENNIES, 3), most=10)
    with pytest.raises(NotSolvable, match="can come back"):
        Tree(Duel(PENNIES, 3), lambda state: state.over())


@pytest.mark.parametrize("game", [game for game in REGISTRY.all() if game.endings], ids=lambda game: game.id)
def test_a_game_s_endings_can_be_solved(game: Any) -> None:
    endings = cast(Endings, importlib.import_module(game.endings))
    solved = 0
    for number in range(40):
        state = endings.ending(number, game.edition())
        assert state.encode() == endings.ending(number, game.edition()).encode(), "a number is always the same position"
        assert len(state.deciders()) == 2
        try:
            tree = Tree(state, endings.alike, 4000)
        except TooLarge:
            continue
        assert 0.0 <= tree.root.value <= 1.0
        assert tree.gap() == pytest.approx(0.0, abs=1e-6)
        solved += 1
        if solved == 2:
            break
    assert solved == 2
