"""Create Demand 1 to 4 (WW-4, WW-12, WW-15, WW-17; with two players WW-21.6, 21.14, 21.16, 21.17)."""

from __future__ import annotations

from shopfloor.games.workshop_of_the_world.actions import COUNTER, COUNTERS, KEEP, PAIR_A, PAIR_B
from shopfloor.games.workshop_of_the_world.rules.collecting import Collecting
from shopfloor.games.workshop_of_the_world.rules.position import DEMAND_1, DEMAND_2, DEMAND_3, DEMAND_4, NONE

CLAUSES = {DEMAND_1: "WW-4.3", DEMAND_2: "WW-12.2", DEMAND_3: "WW-15.2", DEMAND_4: "WW-17.2"}
CLAUSES_TWO = {DEMAND_1: "WW-21.6", DEMAND_2: "WW-21.14", DEMAND_3: "WW-21.16", DEMAND_4: "WW-21.17"}


class Demand(Collecting):
    __slots__ = ()

    def begin_demand(self, phase: int) -> None:
        """Draw counters where the phase begins with that; then each who has any places or keeps, in turn order."""
        self.phase = phase
        if self.mate == 1 or phase != DEMAND_1:
            order = self.in_order()
        else:
            order = [0, 1]
            if self.random_demand and self.dice.below(2):  # WW-A.57 `random_order`
                order = [1, 0]
        if phase in (DEMAND_1, DEMAND_3):
            self._draw_counters(order)
        self.queue = [seat for seat in order if self.held_counters(seat)]  # WW-A.43
        if self.mate == 2 and phase == DEMAND_1 and not self.random_demand:
            # WW-A.57: both choose at the same time, unseen.
            self.pending = sum([1 << seat for seat in self.queue])
            if self.pending == 0:
                self._end_demand()
            return
        self._next_to_place()

    def held_counters(self, seat: int) -> int:
        """How many counters a seat holds unplaced."""
        c = self.counters
        b = 5 * seat
        return c[b] + c[b + 1] + c[b + 2] + c[b + 3] + c[b + 4]

    def _draw_counters(self, order: list[int]) -> None:
        """Two each, with two players four, round by round while they last (WW-4.2, WW-15.1, WW-A.43)."""
        self.revelations += 1
        drawn = [0] * (5 * self.players)
        left = sum(self.pool)
        for _ in range(2 * self.mate):
            for seat in order:
                if left:
                    t = self.draw_counter(left)
                    left -= 1
                    self.counters[5 * seat + t] = self.counters[5 * seat + t] + 1
                    drawn[5 * seat + t] = drawn[5 * seat + t] + 1
        if self.events is not None:
            clause = "WW-4.2" if self.phase == DEMAND_1 else "WW-15.1"
            if self.mate == 2:
                clause = CLAUSES_TWO[self.phase]
            for seat in order:
                mine = drawn[5 * seat : 5 * seat + 5]
                self.report("counters_drawn", clause, {"seat": seat, "counters": mine}, (seat,))
            self.report("counters_dealt", clause, {"number": 2 * self.mate})

    def draw_counter(self, left: int) -> int:
        """A random counter out of the pool, in which so many are left; its type."""
        r = self.dice.below(left)
        t = 0
        while r >= self.pool[t]:
            r -= self.pool[t]
            t += 1
        self.pool[t] = self.pool[t] - 1
        return t

    # -- choosing -----------------------------------------------------------------------------------------------

    def must_place(self, seat: int) -> int:
        """How many counters a seat has to place now at least: as many as it may, but none in the second and fourth."""
        if self.phase in (DEMAND_2, DEMAND_4):
            return 0
        return min(self.mate, self.held_counters(seat))

    def legal_counters(self, seat: int) -> list[int]:
        """The choices of counters, ascending."""
        b = 5 * seat
        c = self.counters
        least = self.must_place(seat)
        found = [KEEP] if least == 0 else []
        if least <= 1:
            found += [COUNTER + t for t in range(5) if c[b + t]]
        if self.mate == 2:
            ones = PAIR_A
            twos = PAIR_B
            for i in range(15):
                one = ones[i]
                two = twos[i]
                if c[b + one] and c[b + two] and (one != two or c[b + one] > 1):
                    found.append(COUNTERS + i)
        return found

    def choose_counters(self, seat: int, action: int) -> None:
        """A choice of counters, which is allowed."""
        if self.mate == 2 and self.phase == DEMAND_1 and not self.random_demand:
            self._seal_counters(seat, action)
            return
        self._put_counters(seat, action)
        self.queue.pop(0)
        self._next_to_place()

    def _seal_counters(self, seat: int, action: int) -> None:
        """Hidden until both have chosen (WW-A.57)."""
        self.sealed[seat] = action
        self.pending &= ~(1 << seat)
        if self.events is not None:
            self.report("counters_chosen", "WW-21.6", {"seat": seat, "types": _types(action)}, (seat,))
            self.report("counters_sealed", "WW-21.6", {"seat": seat})
        if self.pending == 0:
            for player in self.queue:
                chosen = self.sealed[player]
                self.sealed[player] = NONE
                self._put_counters(player, chosen)
            self._end_demand()

    def _put_counters(self, seat: int, action: int) -> None:
        if action == KEEP:
            if self.events is not None:
                clause = "WW-12.3" if self.phase == DEMAND_2 else "WW-17.3"
                self.report("counters_kept", clause, {"seat": seat, "number": self.held_counters(seat)})
            return
        self.revelations += 1
        types = _types(action)
        for t in types:
            self.counters[5 * seat + t] = self.counters[5 * seat + t] - 1
            self.demand[t] = self.demand[t] + 1
        if self.events is not None:
            clause = (CLAUSES if self.mate == 1 else CLAUSES_TWO)[self.phase]
            self.report("counters_placed", clause, {"seat": seat, "types": types, "demand": self.demand[:]})

    def _next_to_place(self) -> None:
        if self.queue:
            self.pending = 1 << self.queue[0]
        else:
            self._end_demand()

    def _end_demand(self) -> None:
        self.queue = []
        if self.phase in (DEMAND_1, DEMAND_3):
            self.begin_round()
        else:
            self.collect()


def _types(action: int) -> list[int]:
    """The types of the counters that an action places."""
    if action < COUNTERS:
        return [action - COUNTER]
    return [PAIR_A[action - COUNTERS], PAIR_B[action - COUNTERS]]
