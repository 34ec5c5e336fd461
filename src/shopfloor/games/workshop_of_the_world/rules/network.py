"""Networks of Links (WW-13.3, WW-A.36, WW-A.37): connected components, counted in Link pieces."""

from __future__ import annotations

from shopfloor.games.workshop_of_the_world.cards import Box


def networks(box: Box, owner: list[int], sets: list[int]) -> list[list[int]]:
    """The networks that Links of these sets form together, each as its connections, in order of the first one.

    owner: by connection, the set whose Links it carries, or below 0. Links that share a town are contiguous, whatever
    stands in it; a crossing is not a town.
    """
    found: list[list[int]] = []
    network_of = [-1] * len(box.town_ids)  # by town, a place in `found`
    ends_a = box.ends_a
    ends_b = box.ends_b
    for c in range(len(owner)):
        holder = owner[c]
        if holder < 0 or holder not in sets:
            continue
        a = network_of[ends_a[c]]
        b = network_of[ends_b[c]]
        if a < 0 and b < 0:
            a = len(found)
            found.append([c])
        elif a == b or b < 0:
            found[a].append(c)
        elif a < 0:
            a = b
            found[a].append(c)
        else:
            # Two networks become one: the later one goes into the earlier one.
            if a > b:
                a, b = b, a
            joined = found[b]
            found[b] = []
            for other in joined:
                network_of[ends_a[other]] = a
                network_of[ends_b[other]] = a
            joined.append(c)
            found[a].extend(joined)
        network_of[ends_a[c]] = a
        network_of[ends_b[c]] = a
    return [sorted(network) for network in found if network]


def sizes(box: Box, found: list[list[int]]) -> list[int]:
    """How many Link pieces each network has: two on a double connection (WW-A.29)."""
    capacity = box.capacity
    return [sum(capacity[c] for c in network) for network in found]


def links_income(box: Box, owner: list[int], sets: list[int]) -> tuple[int, int]:
    """Links in the network with most Links, which pays 2 each, and all others, which pay 1 (WW-13.4, WW-13.6)."""
    counted = sizes(box, networks(box, owner, sets))
    if not counted:
        return 0, 0
    most = max(counted)
    return most, sum(counted) - most
