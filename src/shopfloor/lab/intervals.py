"""How sure a measured mean is: 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

Z: Final = 1.959964


def share_interval(share: float, count: int) -> tuple[float, float]:
    """Wilson's interval for a share of `count` trials; it is sensible near 0 and 1 too. (0, 1) for no trials."""
    if count == 0:
        return 0.0, 1.0
    square = Z * Z / count
    middle = (share + square / 2) / (1 + square)
    half = Z * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    # At the ends the exact bound is the share itself; rounding must not put it outside.
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean, low and high of independent values, by their own spread. Raises ValueError for none."""
    count = len(values)
    if count == 0:
        raise ValueError("there is no mean of no values")
    mean = sum(values) / count
    if count == 1:
        return mean, -math.inf, math.inf
    variance = sum((v - mean) ** 2 for v in values) / (count - 1)
    half = Z * math.sqrt(variance / count)
    return mean, mean - half, mean + half
