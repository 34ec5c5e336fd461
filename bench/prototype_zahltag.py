# ruff: noqa
# A compact prototype of Zahltag, kept as the measure for the real rules: no options, no refusals, no events, no
# records, and made-up cards. What follows is the prototype itself, unchanged; nothing but bench/engine.py uses it.
"""Zahltag, compact Python: int-coded actions, small lists of ints. Identical source is used
interpreted, compiled by mypyc, and compiled by Cython (with zt_flat.pxd or without)."""

from __future__ import annotations
from typing import Final

PASS: Final = 0  # 0 pass | 1-4 take t | 5-8 discard t | 9-20 exchange a->b | 21 "00" | 22-29 bid i
TAKE: Final = 1
DISCARD: Final = 5
EXCHANGE: Final = 9
BID0: Final = 21
SETUP: Final = 0
WORKERS: Final = 1
BID: Final = 2
END: Final = 3
M: Final = 2147483647
A: Final = 48271
OFFER: Final = [0, 1, 2, 3, 4, 6, 8, 10, 12]
N_JOBS: Final = 32
JOBS: Final = [v for i in range(32) for v in (1 + i % 2, i % 4, i // 4 % 3, i // 3 % 3)]
SUPPLY: Final = [14, 16, 10, 12]
XFROM: Final = [a for a in range(4) for b in range(4) if a != b]
XTO: Final = [b for a in range(4) for b in range(4) if a != b]


class Zahltag:
    __slots__ = (
        "n",
        "rng",
        "phase",
        "cur",
        "lead",
        "ops",
        "job",
        "since",
        "paydays",
        "last_pay",
        "deck_pay",
        "hand",
        "left",
        "right",
        "stack",
        "money",
        "alive",
        "bids",
        "deck",
    )

    def __init__(self, seed: int, n: int = 4) -> None:
        self.n: int = n
        self.rng: int = seed
        self.phase: int = SETUP
        self.cur: int = 0
        self.lead: int = 0
        self.ops: int = 3
        self.job: int = -1
        self.since: int = 0
        self.paydays: int = 0
        self.last_pay: int = 0
        self.deck_pay: int = 6
        if n > 0:
            self.hand: list[int] = [0] * (4 * n)
            self.left: list[int] = [0] * (4 * n)
            self.right: list[int] = [0] * (4 * n)
            self.stack: list[int] = SUPPLY[:]
            self.money: list[int] = [20] * n
            self.alive: list[int] = [1] * n
            self.bids: list[int] = [0] * n
            self.deck: list[int] = list(range(N_JOBS))
            total = 52
            for p in range(n):
                for _ in range(7):
                    r = self.rand(total)
                    t = 0
                    while r >= self.stack[t]:
                        r -= self.stack[t]
                        t += 1
                    self.stack[t] -= 1
                    self.hand[4 * p + t] += 1
                    total -= 1

    def rand(self, k: int) -> int:
        self.rng = self.rng * A % M
        return self.rng % k

    def clone(self) -> Zahltag:
        s = Zahltag(0, 0)
        s.n = self.n
        s.rng = self.rng
        s.phase = self.phase
        s.cur = self.cur
        s.lead = self.lead
        s.ops = self.ops
        s.job = self.job
        s.since = self.since
        s.paydays = self.paydays
        s.last_pay = self.last_pay
        s.deck_pay = self.deck_pay
        s.hand = self.hand[:]
        s.left = self.left[:]
        s.right = self.right[:]
        s.stack = self.stack[:]
        s.money = self.money[:]
        s.alive = self.alive[:]
        s.bids = self.bids[:]
        s.deck = self.deck[:]
        return s

    def owned(self, p: int) -> int:
        h = self.hand
        l = self.left
        r = self.right
        b = 4 * p
        return (
            h[b]
            + h[b + 1]
            + h[b + 2]
            + h[b + 3]
            + l[b]
            + l[b + 1]
            + l[b + 2]
            + l[b + 3]
            + r[b]
            + r[b + 1]
            + r[b + 2]
            + r[b + 3]
        )

    def legal_actions(self) -> list[int]:
        b = 4 * self.cur
        h = self.hand
        if self.phase == BID:
            j = 4 * self.job
            if h[b] >= JOBS[j] and h[b + 1] >= JOBS[j + 1] and h[b + 2] >= JOBS[j + 2] and h[b + 3] >= JOBS[j + 3]:
                return [21, 22, 23, 24, 25, 26, 27, 28, 29]
            return [21]
        acts = [PASS]
        if self.phase == END:
            return acts
        st = self.stack
        k = self.owned(self.cur)
        setup = self.phase == SETUP
        if k < (10 if setup else 12):
            for t in range(4):
                if st[t] > 0:
                    acts.append(TAKE + t)
        if not setup or k > 4:
            for t in range(4):
                if h[b + t] > 0:
                    acts.append(DISCARD + t)
        for a in range(4):
            if h[b + a] > 0:
                i = EXCHANGE + 3 * a
                for t in range(4):
                    if t != a:
                        if st[t] > 0:
                            acts.append(i)
                        i += 1
        return acts

    def apply(self, act: int) -> None:
        p = self.cur
        if self.phase == BID:
            self.bids[p] = act - BID0
            p = self.next_alive(p)
            if p == self.lead:
                self.award()
                self.next_turn()
            else:
                self.cur = p
            return
        b = 4 * p
        if act >= EXCHANGE:
            f = XFROM[act - EXCHANGE]
            t = XTO[act - EXCHANGE]
            self.hand[b + f] -= 1
            self.stack[f] += 1
            self.hand[b + t] += 1
            self.stack[t] -= 1
        elif act >= DISCARD:
            self.hand[b + act - DISCARD] -= 1
            self.stack[act - DISCARD] += 1
        elif act >= TAKE:
            self.hand[b + act - TAKE] += 1
            self.stack[act - TAKE] -= 1
        if self.phase == WORKERS:
            self.reveal()
            return
        self.ops -= 1
        if act == PASS or self.ops == 0:
            self.ops = 3
            self.cur = p + 1
            if self.cur == self.n:
                self.cur = 0
                self.phase = WORKERS

    def next_alive(self, p: int) -> int:
        while True:
            p += 1
            if p == self.n:
                p = 0
            if self.alive[p]:
                return p

    def reveal(self) -> None:
        nj = len(self.deck)
        pay = False
        r = 0
        if nj == 0 or self.since >= (9 if self.n > 2 else 8):
            pay = True
        elif self.last_pay:  # a second payday in a row is shuffled back: always a job
            r = self.rand(nj)
        else:
            r = self.rand(nj + self.deck_pay)
            pay = r >= nj
        if pay:
            self.payday()
            return
        self.job = self.deck[r]
        last = self.deck.pop()
        if r < nj - 1:
            self.deck[r] = last
        self.since += 1
        self.last_pay = 0
        self.phase = BID
        self.cur = self.lead

    def payday(self) -> None:
        h = self.hand
        low = 99
        for p in range(self.n):
            if self.alive[p]:
                b = 4 * p
                c = h[b] + h[b + 1] + h[b + 2] + h[b + 3]
                if c < low:
                    low = c
        left = 0
        for p in range(self.n):
            if self.alive[p]:
                b = 4 * p
                self.money[p] -= h[b] + h[b + 1] + h[b + 2] + h[b + 3] - low
                if self.money[p] < 0:
                    self.eliminate(p)
                else:
                    left += 1
        self.since = 0
        self.last_pay = 1
        self.deck_pay -= 1
        self.paydays += 1
        if self.paydays == 5 or left <= 1:
            self.phase = END
        else:
            self.next_turn()

    def eliminate(self, p: int) -> None:
        self.alive[p] = 0
        for t in range(4):
            i = 4 * p + t
            self.stack[t] += self.hand[i] + self.left[i] + self.right[i]
            self.hand[i] = 0
            self.left[i] = 0
            self.right[i] = 0

    def award(self) -> None:
        low = 99
        ties = 0
        for p in range(self.n):
            v = self.bids[p]
            if v > 0 and v <= low:
                ties = ties + 1 if v == low else 1
                low = v
        if ties == 0:
            return
        pay = OFFER[low] - (2 if ties > 1 else 0)
        j = 4 * self.job
        for p in range(self.n):
            if self.bids[p] == low:
                self.money[p] += pay
                b = 4 * p
                for t in range(4):
                    self.hand[b + t] -= JOBS[j + t]
                    self.left[b + t] += JOBS[j + t]
                if self.money[p] < 0:
                    self.eliminate(p)

    def next_turn(self) -> None:
        alive = 0
        for p in range(self.n):
            alive += self.alive[p]
            self.bids[p] = 0
        if alive <= 1:
            self.phase = END
            return
        p = self.next_alive(self.lead)
        self.lead = p
        self.cur = p
        self.phase = WORKERS
        for i in range(4 * p, 4 * p + 4):
            self.hand[i] += self.right[i]
            self.right[i] = self.left[i]
            self.left[i] = 0

    def score(self, p: int) -> int:
        if not self.alive[p]:
            return -1000000
        b = 4 * p
        h = self.hand
        own = self.owned(p)
        return self.money[p] * 10000 - own * 100 - (own - h[b] - h[b + 1] - h[b + 2] - h[b + 3])

    def returns(self) -> list[float]:
        best = -2000000
        cnt = 0
        for p in range(self.n):
            v = self.score(p)
            if v > best:
                best = v
                cnt = 1
            elif v == best:
                cnt += 1
        return [1.0 / cnt if self.score(p) == best else 0.0 for p in range(self.n)]


def playout(s: Zahltag, x: int) -> int:
    d = 0
    while s.phase != END:
        acts = s.legal_actions()
        x = x * A % M
        s.apply(acts[x % len(acts)])
        d += 1
    return d


def run(games: int, first: int = 0) -> tuple[int, int]:
    """games random playouts; returns (decisions, checksum)."""
    dec = 0
    chk = 0
    for i in range(first, first + games):
        s = Zahltag(i * 7919 % M + 1, 4)
        d = playout(s, i * 104729 % M + 12345)
        dec += d
        for p in range(4):
            chk = (chk * 31 + s.money[p] + 1000 + s.alive[p]) % 1000003
    return dec, chk


def bench_clone(s: Zahltag, k: int) -> None:
    for _ in range(k):
        s.clone()


def bench_legal(s: Zahltag, k: int) -> None:
    for _ in range(k):
        s.legal_actions()


def rollouts(s: Zahltag, k: int, seed: int) -> float:
    """k determinized rollouts from s (clone, reseed chance, play out): what an MCTS leaf costs."""
    tot = 0.0
    for i in range(k):
        c = s.clone()
        c.rng = (seed + i * 7919) % (M - 1) + 1
        playout(c, (seed + i * 104729) % (M - 1) + 1)
        tot += c.returns()[0]
    return tot
