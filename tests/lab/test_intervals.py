"""The intervals hold what they promise."""

from __future__ import annotations

import math
from random import Random

import pytest

from shopfloor.lab.intervals import mean_interval, share_interval


def test_wilsons_interval_as_published() -> None:
    # E. B. Wilson's score interval for 8 of 10.
    low, high = share_interval(0.8, 10)
    assert low == pytest.approx(0.4902, abs=5e-4)
    assert high == pytest.approx(0.9433, abs=5e-4)


def test_shares_at_the_ends() -> None:
    low, high = share_interval(1.0, 20)
    assert high == 1.0
    assert 0.8 < low < 1.0
    assert share_interval(0.0, 20) == pytest.approx((0.0, 1.0 - low))
    assert share_interval(0.5, 0) == (0.0, 1.0)


def test_intervals_cover_the_truth_about_95_times_in_100() -> None:
    rng = Random(1)
    shares = means = 0
    for _ in range(1000):
        trials = [float(rng.random() < 0.3) for _ in range(100)]
        low, high = share_interval(sum(trials) / 100, 100)
        shares += low <= 0.3 <= high
        _, low, high = mean_interval([rng.gauss(2.0, 1.0) for _ in range(50)])
        means += low <= 2.0 <= high
    assert 920 <= shares <= 980
    assert 920 <= means <= 980


def test_means_of_little() -> None:
    with pytest.raises(ValueError, match="no mean of no values"):
        mean_interval([])
    assert mean_interval([3.0]) == (3.0, -math.inf, math.inf)
    assert mean_interval([1.0, 1.0]) == (1.0, 1.0, 1.0)
