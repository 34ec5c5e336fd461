"""Networks of Links (WW-13.3, WW-A.36, WW-A.37): connected components, counted in Link pieces."""

from __future__ import annotations

from collections.abc import Sequence

from shopfloor.games.workshop_of_the_world.cards import Box


def networks(box: Box, owner: Sequence[int], sets: Sequence[int]) -> list[list[int]]:
    """The networks that Links of these sets form together, each as its connections, in order of the first one.

    owner: by connection, the set whose Links it carries, or below 0. Links that share a town are contiguous, whatever
    stands in it; a crossing is not a town.
    """
    found: list[list[int]] = []
    network_of: dict[int, list[int]] = {}
    ends_a = box.ends_a
    ends_b = box.ends_b
    for c in range(len(owner)):
        if owner[c] not in sets:
            continue
        a = network_of.get(ends_a[c])
        b = network_of.get(ends_b[c])
        if a is None and b is None:
            a = [c]
            found.append(a)
        elif a is None or b is None:
            a = a if a is not None else b
            assert a is not None
            a.append(c)
        elif a is not b:
            # Two networks become one: the later one goes into the earlier one.
            if found.index(a) > found.index(b):
                a, b = b, a
            a += b
            a.append(c)
            found.remove(b)
            for other in b:
                network_of[ends_a[other]] = a
                network_of[ends_b[other]] = a
        else:
            a.append(c)
        network_of[ends_a[c]] = a
        network_of[ends_b[c]] = a
    return [sorted(network) for network in found]


def sizes(box: Box, found: Sequence[Sequence[int]]) -> list[int]:
    """How many Link pieces each network has: two on a double connection (WW-A.29)."""
    return [sum(box.capacity[c] for c in network) for network in found]


def links_income(box: Box, owner: Sequence[int], sets: Sequence[int]) -> tuple[int, int]:
    """Links in the network with most Links, which pays 2 each, and all others, which pay 1 (WW-13.4, WW-13.6)."""
    counted = sizes(box, networks(box, owner, sets))
    if not counted:
        return 0, 0
    most = max(counted)
    return most, sum(counted) - most
