"""Chance: evenly spread, repeatable, and for live tables provable."""

import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shopfloor.engine.dice import Dice, FastDice, SealedDice, commitment, decode_dice, make_dice


def chi_square(counts: list[int]) -> float:
    """How far counts are from even."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def limit(kinds: int) -> float:
    """Fair counts stay below this in all but about 1 of 100,000 cases (Wilson-Hilferty)."""
    df = kinds - 1
    return df * (1 - 2 / (9 * df) + 4.3 * (2 / (9 * df)) ** 0.5) ** 3


DICE = [FastDice(1), FastDice(2**63 + 5), SealedDice(bytes(32)), SealedDice(b"\xff" * 32)]


@pytest.mark.parametrize("dice", DICE, ids=["fast", "fast-large", "sealed", "sealed-ff"])
@pytest.mark.parametrize("n", [2, 3, 6, 7, 32, 38, 52, 97])
def test_every_result_is_equally_likely(dice: Dice, n: int) -> None:
    counts = [0] * n
    mine = dice.clone()
    for _ in range(200 * n):
        counts[mine.below(n)] += 1
    assert chi_square(counts) < limit(n)


@pytest.mark.parametrize("dice", DICE, ids=["fast", "fast-large", "sealed", "sealed-ff"])
def test_a_result_says_nothing_about_the_next(dice: Dice) -> None:
    pairs = [0] * 36
    mine = dice.clone()
    draws = [mine.below(6) for _ in range(7200)]
    for a, b in pairwise(draws):
        pairs[6 * a + b] += 1
    assert chi_square(pairs) < limit(36)


@pytest.mark.parametrize("first", [0, 2**31 - 10, 2**32 - 50, 2**63])
@pytest.mark.parametrize("draw", [0, 1, 5])
def test_neighbouring_seeds_are_not_alike(first: int, draw: int) -> None:
    counts, pairs = [0] * 12, [0] * 36
    results = []
    for seed in range(first, first + 3600):
        dice = FastDice(seed)
        for _ in range(draw):
            dice.below(52)
        results.append(dice.below(12))
    for result in results:
        counts[result] += 1
    for a, b in pairwise(results):
        pairs[6 * (a // 2) + b // 2] += 1
    assert chi_square(counts) < limit(12)
    assert chi_square(pairs) < limit(36)


def test_fast_dice_differ_by_all_64_bits_of_a_seed() -> None:
    assert len({FastDice(1 << bit).encode() for bit in range(64)}) == 64


def test_fast_dice_stay_as_they_are() -> None:
    """Records of games played with these dice must replay for ever."""
    dice = FastDice(7)
    assert [dice.below(52) for _ in range(12)] == [12, 27, 42, 22, 6, 18, 4, 29, 46, 17, 29, 6]


def test_sealed_dice_are_blake2b_in_counter_mode() -> None:
    seed = bytes(range(32))
    dice = SealedDice(seed)
    blocks = (hashlib.blake2b(i.to_bytes(8, "big"), key=seed, person=b"shopfloor dice").digest() for i in range(13))
    stream = b"".join(blocks)
    words = [int.from_bytes(stream[at : at + 8], "big") for at in range(0, len(stream), 8)]
    assert [dice.below(n) for n in range(1, 101)] == [word % n for n, word in zip(range(1, 101), words, strict=False)]


def test_sealed_dice_draw_again_rather_than_be_unfair() -> None:
    """Values past the last full multiple of n are left out: with n just above half of all, about half of them."""
    n = 2**63 + 1
    dice = SealedDice(bytes(32))
    for _ in range(200):
        assert 0 <= dice.below(n) < n
    assert 300 < dice.drawn < 520


def test_a_commitment_binds_a_seed_and_hides_it() -> None:
    seed = bytes(range(32))
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()
    assert commitment(seed) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment(seed) != commitment(bytes(32))


@given(seed=st.one_of(st.integers(0, 2**64), st.binary(min_size=32, max_size=32)), drawn=st.integers(0, 40))
def test_written_and_cloned_dice_go_on_alike(seed: int | bytes, drawn: int) -> None:
    dice = make_dice(seed)
    for _ in range(drawn):
        dice.below(52)
    copies = [dice.clone(), decode_dice(dice.encode())]
    assert {copy.encode() for copy in copies} == {dice.encode()}
    wanted = [dice.below(n) for n in range(1, 30)]
    for copy in copies:
        assert [copy.below(n) for n in range(1, 30)] == wanted
    assert {copy.encode() for copy in copies} == {dice.encode()}


def test_seeds() -> None:
    assert isinstance(make_dice(0), FastDice)
    assert make_dice("00" * 32).encode() == make_dice(bytes(32)).encode()
    assert make_dice("AB" * 32).encode() == make_dice(b"\xab" * 32).encode()
    secret = {make_dice(None).encode() for _ in range(20)}
    assert len(secret) == 20
    assert isinstance(make_dice(None), SealedDice)


@pytest.mark.parametrize("seed", [-1, "", "7", "zz" * 32, "00" * 31, bytes(31), bytes(33)])
def test_what_is_no_seed(seed: int | str | bytes) -> None:
    with pytest.raises(ValueError, match="seed"):
        make_dice(seed)


@pytest.mark.parametrize("text", ["", "fast", "fast:1", "fast:1:x", "sealed:00:1", "sealed:" + "00" * 32, "loaded:1:2"])
def test_what_are_no_dice(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - which one depends on where it is wrong
        decode_dice(text)


def test_there_is_nothing_below_nothing() -> None:
    with pytest.raises(ValueError, match="below 0"):
        SealedDice(bytes(32)).below(0)
