"""The computer player that thinks ahead: Monte Carlo tree search over imagined positions. Knows no game.

Thinking goes through imagined worlds: full positions that the seat cannot tell from the real one. In each world every
candidate that is still in the race is tried, with the same luck for all, so that a few worlds tell more than many
games with luck of their own. From there a tree, which all worlds share, is walked down to its edge, the game's
judgement plays on for a while, and the position is judged where that stops.

What a seat picks depends only on what it may know: in the tree, each seat has statistics of its own for its own legal
actions. Where it decides alone, it tries what has done well (PUCT). Where several decide at the same time, all pick
without seeing each other's picks, by regret matching, and what the seat itself does in the end is drawn from a mix.
Sealed choices are taken back in the imagined world and chosen anew, rather than guessed. Branches after a revelation
are told apart by what a spectator sees.

With `rollouts` neither judgement nor view is asked: every action counts as equally good at first, branches are the same
whatever was revealed on them (open loop), and from the tree's edge all play at random to the end. That is weaker and
needs no knowledge of the game: for comparing, and for new games.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, Final

from shopfloor.bots.base import legal_or_complain
from shopfloor.bots.nets import NONE, Nets
from shopfloor.bots.seat import Seat
from shopfloor.engine.dice import FastDice
from shopfloor.engine.playout import play_out
from shopfloor.engine.state import State
from shopfloor.engine.views import View

DEFAULT_BUDGET: Final = 1.0  # seconds

# Found by measurement, as described with the ladders in docs.
EXPLORE: Final = 1.5  # how strongly rarely tried actions are tried, in standard deviations of the results
SHARPNESS: Final = 6.0  # how much likelier a better rated action is
TRUST: Final = 0.9  # the part of the prior that the ratings give; the rest is spread evenly
LOOK_AHEAD: Final = 4  # moments of decision from the root to where the position is judged, unless the game knows better
GROW: Final = 10  # how often a branch must have been tried before the tree grows along it
FIRST_LOOK: Final = 8  # imagined positions that the first ratings are averaged over
CANDIDATES: Final = 12  # how many of the best rated actions are tried at all
HOPELESS: Final = 0.002  # what is picked less often than that by the ratings is not tried
FIRST_CHECK: Final = 8  # worlds before candidates are dropped
SURE: Final = 2.0  # standard errors behind the best at which a candidate is dropped
HABIT: Final = 1.0  # how much regret it takes to leave what the ratings say, where several decide at once
WANDER: Final = 10  # one in so many picks there follows the ratings alone
RARE: Final = 0.2  # what is picked less often than that there teaches no more than if it were, or luck would rule
HARDLY: Final = 0.5  # how rarely, against the most frequent pick, one must come up not to count in the end
DRAWN: Final = 4  # positions imagined for one, where the game can tell how plausible they are
SAME: Final = 32  # worlds without any difference after which one candidate is enough


def chances(ratings: list[float]) -> list[float]:
    """Chances of picking each action, given ratings on any scale: the scale is taken from the best ones' own range.

    Only as many as there are candidates have a chance at all: hundreds of poor ones, each with a little of it, would
    come up together as often as the good ones.
    """
    count = len(ratings)
    order = sorted(range(count), key=lambda i: -ratings[i])[:CANDIDATES]
    best = ratings[order[0]]
    spread = best - sum([ratings[i] for i in order]) / len(order)
    found = [0.0] * count
    if spread <= 0.0:
        for i in order:
            found[i] = 1.0 / len(order)
        return found
    factor = SHARPNESS / spread
    total = 0.0
    for i in order:
        found[i] = math.exp(factor * (ratings[i] - best))
        total += found[i]
    return [odds / total for odds in found]


def leaned(odds: list[float], lean: list[float]) -> list[float]:
    """Chances of picking each action where a network says how much likelier (`lean`, a logarithm) than `odds` it is."""
    best = max(lean)
    found = [p * math.exp(more - best) for p, more in zip(odds, lean, strict=True)]
    total = sum(found)
    return [p / total for p in found] if total > 0.0 else odds


def draw(odds: list[float], dice: FastDice) -> int:
    """An index by chance; `odds` add up to 1."""
    r = dice.below(1 << 30) / (1 << 30)
    i = 0
    last = len(odds) - 1
    while i < last and r >= odds[i]:
        r -= odds[i]
        i += 1
    return i


class Table:
    """What one seat has tried at one node with one list of legal actions: counts, summed results, their squares."""

    __slots__ = ("actions", "count", "prior", "squares", "sums", "total", "visits")

    def __init__(self, actions: tuple[int, ...], odds: list[float]) -> None:
        """odds: the chances of picking each, by the ratings."""
        size = len(actions)
        self.actions: tuple[int, ...] = actions
        self.prior: list[float] = [TRUST * p + (1.0 - TRUST) / size for p in odds]
        self.visits: list[int] = [0] * size
        self.sums: list[float] = [0.0] * size
        self.count: int = 0
        self.total: float = 0.0
        self.squares: float = 0.0

    def pick(self) -> int:
        """The index to try next: good so far, or promising and little tried (PUCT)."""
        count = self.count
        if count == 0:
            return self.prior.index(max(self.prior))
        mean = self.total / count
        variance = self.squares / count - mean * mean
        # With few results their spread says little, so it starts wide.
        deviation = math.sqrt((max(variance, 0.0) * count + 0.01) / (count + 1))
        explore = EXPLORE * deviation * math.sqrt(count)
        visits = self.visits
        sums = self.sums
        prior = self.prior
        best = -1.0e9
        found = 0
        for i in range(len(visits)):
            n = visits[i]
            score = (sums[i] + mean) / (n + 1) + explore * prior[i] / (1 + n)
            if score > best:
                best = score
                found = i
        return found

    def learn(self, i: int, result: float) -> None:
        self.visits[i] += 1
        self.sums[i] += result
        self.count += 1
        self.total += result
        self.squares += result * result


class Mixer(Table):
    """A table for a decision that others take at the same time: regret matching, which finds mixes nobody can exploit.

    What would have done better than the mix so far is picked more often, and the mix that counts in the end is the
    average one: where everybody learns like that, it comes close to an equilibrium, which always trying what has done
    best need not. regrets: by action. weights: how often the mixes so far would have picked each, later ones more.
    """

    __slots__ = ("dice", "regrets", "steps", "weights")

    def __init__(self, actions: tuple[int, ...], odds: list[float], dice: FastDice) -> None:
        super().__init__(actions, odds)
        self.dice: FastDice = dice
        self.regrets: list[float] = [HABIT * p for p in self.prior]
        self.weights: list[float] = [0.0] * len(actions)
        self.steps: int = 0

    def mix(self) -> list[float]:
        """The chances of picking each action now."""
        total = sum(self.regrets)
        if total <= 0.0:
            total = sum(self.prior)
            return [p / total for p in self.prior]
        return [regret / total for regret in self.regrets]

    def drop(self, i: int) -> None:
        """Never pick this one again."""
        self.prior[i] = 0.0
        self.regrets[i] = 0.0
        self.weights[i] = 0.0

    def pick(self) -> int:
        """The index to try next, by chance; now and then one that only the ratings speak for."""
        odds = self.prior if self.dice.below(WANDER) == 0 else self.mix()
        return draw(odds, self.dice)

    def learn(self, i: int, result: float) -> None:
        """What was picked brought this: the more, as against the mean so far, the more rarely it is picked.

        So each action gets what it would bring on average, though only one a time is tried; the rest get the mean.
        """
        odds = self.mix()[i]
        Table.learn(self, i, result)
        mean = self.total / self.count
        brought = [mean] * len(self.visits)
        brought[i] += (result - mean) / max(odds, RARE)
        self.regret(brought)

    def regret(self, brought: list[float]) -> None:
        """Learn from what each action brought, or would have."""
        mix = self.mix()
        self.steps += 1
        level = 0.0
        for p, result in zip(mix, brought, strict=True):
            level += p * result
        for j in range(len(mix)):
            self.weights[j] += self.steps * mix[j]
            if self.prior[j] > 0.0:  # else it is out of the race
                self.regrets[j] = max(0.0, self.regrets[j] + brought[j] - level)

    def join(self, weights: list[float], steps: int) -> None:
        """Take the average of another mixer for the same decision into one's own, as far as it has learned more.

        An average of mixes that lose little to who knows them loses no more than they do on average. At the end only:
        what is learned later would count for too much or too little.
        """
        mine = sum(self.weights)
        others = sum(weights)
        if others <= 0.0:
            return
        for j in range(len(weights)):
            own = self.steps * self.weights[j] / mine if mine > 0.0 else 0.0
            self.weights[j] = own + steps * weights[j] / others
        self.steps += steps

    def average(self) -> list[float]:
        """The chances in the end; without those actions that were hardly more than tried."""
        weights = self.weights if self.steps else self.prior
        least = HARDLY * max(weights)
        kept = [weight if weight >= least else 0.0 for weight in weights]
        total = sum(kept)
        return [weight / total for weight in kept]


class Branch:
    """What follows a set of picks. tried: how often. nodes: by what a spectator sees, where something was revealed."""

    __slots__ = ("nodes", "tried")

    def __init__(self) -> None:
        self.tried: int = 0
        self.nodes: dict[View | None, Node] = {}


class Node:
    """A moment of decision. tables: statistics by seat and its legal actions. branches: by what was picked."""

    __slots__ = ("branches", "tables")

    def __init__(self) -> None:
        self.tables: dict[tuple[int, tuple[int, ...]], Table] = {}
        self.branches: dict[tuple[int, ...], Branch] = {}


class Search:
    """One decision's thinking: a race between the candidates, run over the same imagined worlds for all of them."""

    def __init__(
        self,
        seat: Seat,
        dice: FastDice,
        clock: Callable[[], float] = time.perf_counter,
        end: float = math.inf,
        keep: int = 1,
        also: int = -1,
        width: int = CANDIDATES,
        rollouts: bool = False,
        judgement: Any = None,
        odds: list[float] | None = None,
        drawn: int = DRAWN,
        reach: float = 1.0,
    ) -> None:
        """end: when to stop, by `clock`; at least one position is imagined, however little time there is.

        keep: how many candidates stay in the race to the end. also: an action that is one of them, however poor it is.
        width: how many of the best rated actions are candidates. rollouts: ask no judgement, play at random to the end.
        judgement: instead of the game's own, e.g. a net's; it may say by `lean(state, seat, actions)` how much likelier
        actions are than their ratings. odds: of the legal actions, as another search of the same decision has found
        them; else they are found first. drawn: positions imagined for each one that is thought about, in a game that
        can tell how plausible they are. reach: the part of the game's `LOOK_AHEAD` that is looked ahead.
        """
        self.keep: int = keep
        self.also: int = seat.legal().index(also) if also >= 0 else -1
        self.clock: Callable[[], float] = clock
        self.end: float = end
        self.late: bool = False
        self.seat: Seat = seat
        self.dice: FastDice = dice
        self.rollouts: bool = rollouts
        self.judgement: Any = seat.game.judgement if judgement is None else judgement
        self.lean: Any = None if rollouts else getattr(self.judgement, "lean", None)
        self.plausibility: Any = None if rollouts else getattr(seat.game.judgement, "plausibility", None)
        self.drawn: int = drawn if self.plausibility is not None else 1
        self.look_ahead: int = max(1, round(reach * int(getattr(self.judgement, "LOOK_AHEAD", LOOK_AHEAD))))
        self.viewer: Any = seat.game.viewer
        self.root: Node = Node()
        self.path: list[tuple[Table, int, int]] = []
        self.actions: tuple[int, ...] = seat.legal()
        # Best rated first; what is rated alike stays in the order of the action ids.
        order = list(range(len(self.actions)))
        if odds is None:
            odds = self._first_look(order)
        self.odds: list[float] = odds
        self.running: list[int] = [
            order[n]
            for n in range(len(order))
            if rollouts or n < keep or order[n] == self.also or (n < width and odds[order[n]] >= HOPELESS)
        ]
        self.results: list[list[float]] = [[] for _ in self.actions]
        self.mixer: Mixer = Mixer(self.actions, odds, dice)
        self.worlds: int = 0
        self.next_check: int = FIRST_CHECK
        self.tried: int = 0
        self.began: float = clock() if end < math.inf else 0.0

    def _first_look(self, order: list[int]) -> list[float]:
        """The chances of each legal action to be the best, by a few imagined positions; brings `order` in theirs."""
        size = len(self.actions)
        ratings = [0.0] * size
        lean = [0.0] * size
        started = self.clock() if self.end < math.inf else 0.0
        looks = 0
        while looks < (0 if self.rollouts else FIRST_LOOK):
            if looks and self._too_late(started, looks):
                break
            looks += 1
            imagined = self.imagine()
            first: list[float] = self.judgement.rate(imagined, self.seat.seat)
            for i in range(size):
                ratings[i] += first[i]
            if self.lean is not None:
                leaning: list[float] = self.lean(imagined, self.seat.seat, self.actions)
                for i in range(size):
                    lean[i] += leaning[i]
        odds = [1.0 / size] * size if self.rollouts else chances(ratings)
        by = ratings
        if self.lean is not None:
            odds = leaned(odds, [more / looks for more in lean])
            by = odds
        order[:] = [i for _, i in sorted([(-by[i], i) for i in range(size)])]
        return odds

    def imagine(self) -> State:
        """A position that the seat cannot tell from the real one.

        Where the game can tell how well positions explain what the others have done, it is one out of several, by
        chance: those that explain it better come up more often.
        """
        found = self.seat.imagine(self.dice)
        if self.drawn <= 1:
            return found
        total: float = self.plausibility(found, self.seat.seat)
        for _ in range(1, self.drawn):
            other = self.seat.imagine(self.dice)
            weight: float = self.plausibility(other, self.seat.seat)
            total += weight
            # Each in the end with a chance in proportion to its weight.
            if self.dice.below(1 << 30) * total < weight * (1 << 30):
                found = other
        return found

    def think(self) -> None:
        """Imagine a world and try every candidate that is still running in it; now and then, drop the hopeless.

        A world for which the time runs out does not count, since it has not been the same for all; then `late` is set.
        """
        seat = self.seat.seat
        dice = self.dice
        world = self.imagine()
        world.reopen()
        luck = dice.below(1 << 30)
        deciders = world.deciders()
        # The others' picks come before any of the candidates is tried, and are the same for all.
        picks = []
        tables: list[tuple[Table, int, int]] = []
        for other in deciders:
            if other == seat:
                picks.append(-1)
                continue
            actions = world.legal(other)
            if len(actions) == 1:
                picks.append(actions[0])
                continue
            table = self._table(world, self.root, other, actions, True)
            i = table.pick()
            tables.append((table, i, other))
            picks.append(actions[i])
        at = deciders.index(seat)
        if tables:
            for i in range(len(self.actions)):
                if i not in self.running:
                    self.mixer.drop(i)
        mix = self.mixer.mix() if tables else []
        brought = [0.0] * len(self.actions)
        taught = [0.0] * len(tables)  # what the others' picks bring against the seat's own mix
        path = self.path
        for n, candidate in enumerate(self.running):
            if self._too_late(self.began, self.tried):
                for other in self.running[:n]:
                    self.results[other].pop()
                return
            self.tried += 1
            path.clear()
            picks[at] = self.actions[candidate]
            state = world.clone()
            depth = self._descend(state, self._play(state, self.root, deciders, picks))
            values = self._play_on(state, depth, FastDice(luck))
            self.results[candidate].append(values[seat])
            for table, i, who in path:
                table.learn(i, values[who])
            brought[candidate] = values[seat]
            for t in range(len(tables)):
                taught[t] += mix[candidate] * values[tables[t][2]]
        if tables:
            self.mixer.regret(brought)
            for (table, i, _), result in zip(tables, taught, strict=True):
                table.learn(i, result)
        self._count(1)

    def take(self, results: dict[int, list[float]], worlds: int) -> None:
        """Count so many worlds that were thought through elsewhere.

        results: what each candidate that is still running here brought in them, world by world.
        """
        for candidate in self.running:
            self.results[candidate] += results[candidate]
        self._count(worlds)

    def _count(self, worlds: int) -> None:
        self.worlds += worlds
        if self.worlds >= self.next_check:
            self.next_check = self.worlds + max(4, self.worlds // 4)
            self._drop()

    def decide(self) -> int:
        """The index of the action to take: the best one, or one drawn from the mix where others decide as well."""
        if self.mixer.steps == 0:
            return self.best()
        odds = self.mixer.average()
        kept = [odds[i] for i in self.running]
        total = sum(kept)
        if total <= 0.0:
            return self.best()
        return self.running[draw([p / total for p in kept], self.dice)]

    def follow(self, candidate: int, world: State, luck: int) -> State:
        """The position some moments of decision after a candidate in an imagined world, played as the judgement would.

        world: stays as it is; with open choices only (`reopen`). luck: the same for candidates to be compared.
        """
        state = world.clone()
        dice = FastDice(luck)
        deciders = state.deciders()
        picks = [self.actions[candidate] if s == self.seat.seat else self._likely(state, s, dice) for s in deciders]
        for seat, action in zip(deciders, picks, strict=True):
            state.play(seat, action)
        self._play_on(state, 1, dice)
        return state

    def best(self) -> int:
        """The index of the action with the best results so far; before there are any, of the best rated one."""
        found = self.running[0]
        if self.worlds:
            most = sum(self.results[found])
            for candidate in self.running:
                total = sum(self.results[candidate])
                if total > most:
                    most = total
                    found = candidate
        return found

    def settled(self) -> bool:
        return len(self.running) <= self.keep

    def ranked(self) -> list[int]:
        """The indices of the candidates that are still in the race, the best results so far first."""
        return [i for _, _, i in sorted([(-sum(self.results[i]), n, i) for n, i in enumerate(self.running)])]

    def _too_late(self, started: float, done: int) -> bool:
        """Would another piece of work end too late, if it takes as long as the `done` ones since `started` on average?

        The longest stretch without a look at the clock is one piece, not one world, so that the budget is kept.
        """
        if self.end < math.inf:
            now = self.clock()
            self.late = now + (now - started) / max(1, done) > self.end
        return self.late

    def _drop(self) -> None:
        """Drop the candidates that are surely worse than the best.

        All have been through the same worlds, so the differences count world by world: they vary less than results.
        """
        leader = self.best()
        leading = self.results[leader]
        count = self.worlds
        running = []
        kept = self.ranked()[: self.keep]
        for candidate in self.running:
            if candidate not in kept and candidate != self.also:
                total = 0.0
                squares = 0.0
                trailing = self.results[candidate]
                for i in range(count):
                    behind = leading[i] - trailing[i]
                    total += behind
                    squares += behind * behind
                mean = total / count
                variance = max(0.0, squares / count - mean * mean)
                if mean >= SURE * math.sqrt(variance / count) and (variance > 0.0 or count >= SAME):
                    continue
            running.append(candidate)
        self.running = running

    def _descend(self, state: State, node: Node | None) -> int:
        """Play down the tree to its edge. How many moments of decision have passed."""
        depth = 1
        while node is not None and depth < self.look_ahead and not state.over():
            node = self._decide(state, node)
            depth += 1
        return depth

    def _table(self, state: State, node: Node, seat: int, actions: tuple[int, ...], sealed: bool) -> Table:
        key = (seat, actions)
        table = node.tables.get(key)
        if table is None:
            count = len(actions)
            odds = [1.0 / count] * count
            if count > 1 and not self.rollouts:
                ratings: list[float] = self.judgement.rate(state, seat)
                odds = chances(ratings)
                if self.lean is not None:
                    lean: list[float] = self.lean(state, seat, actions)
                    odds = leaned(odds, lean)
            table = Mixer(actions, odds, self.dice) if sealed else Table(actions, odds)
            node.tables[key] = table
        return table

    def _decide(self, state: State, node: Node) -> Node | None:
        """Everybody who must decide at a node picks, then all is played. The node that follows, if the tree has it."""
        deciders = state.deciders()
        picks = []
        # First all picks, then all plays: no pick may depend on another's.
        for seat in deciders:
            actions = state.legal(seat)
            if len(actions) == 1:
                picks.append(actions[0])
                continue
            table = self._table(state, node, seat, actions, len(deciders) > 1)
            i = table.pick()
            self.path.append((table, i, seat))
            picks.append(actions[i])
        return self._play(state, node, deciders, picks)

    def _play(self, state: State, node: Node, deciders: tuple[int, ...], picks: list[int]) -> Node | None:
        """Play what was picked. The node that follows, if the tree has it."""
        before = state.revelations
        for seat, action in zip(deciders, picks, strict=True):
            state.play(seat, action)
        key = tuple(picks)
        branch = node.branches.get(key)
        if branch is None:
            branch = Branch()
            node.branches[key] = branch
        branch.tried += 1
        if branch.tried <= GROW:
            return None
        seen: View | None = None
        if state.revelations != before and not self.rollouts:
            seen = self.viewer.view(state, None)
        following = branch.nodes.get(seen)
        if following is None:
            following = Node()
            branch.nodes[seen] = following
        return following

    def _play_on(self, state: State, depth: int, dice: FastDice) -> list[float]:
        """Play as the judgement would until far enough, and in nobody's sealed choice; each seat's share then."""
        if self.rollouts:
            play_out(state, dice)
            return state.returns()
        while True:
            deciders = state.deciders()
            if not deciders:
                return state.returns()
            if depth >= self.look_ahead and len(deciders) == 1:
                values: list[float] = self.judgement.value(state)
                return values
            depth += 1
            picks = [self._likely(state, seat, dice) for seat in deciders]
            for seat, action in zip(deciders, picks, strict=True):
                state.play(seat, action)

    def _likely(self, state: State, seat: int, dice: FastDice) -> int:
        """An action of the seat, the likelier the better the judgement rates it."""
        actions = state.legal(seat)
        if len(actions) == 1:
            return actions[0]
        ratings: list[float] = self.judgement.rate(state, seat)
        return actions[draw(chances(ratings), dice)]


class SearchBot:
    """Thinks for a time, or through a number of worlds, and takes what did best in them."""

    def __init__(
        self,
        seed: int,
        budget: float = DEFAULT_BUDGET,
        iterations: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
        most: int | None = None,
        rollouts: bool = False,
        nets: Nets = NONE,
        drawn: int = DRAWN,
        reach: float = 1.0,
    ) -> None:
        """budget: seconds a decision, at most, by `clock`.

        iterations: worlds a decision instead of a time; then the same seed plays the same. most: worlds a decision at
        most, where the time would allow more of them. rollouts: ask no judgement, play at random to the end. nets: what
        judges positions, where there is one for the game. drawn, reach: as in `Search`.
        """
        self.dice = FastDice(seed)
        self.budget = budget
        self.iterations = iterations
        self.most = iterations if iterations is not None else most
        self.clock = clock
        self.rollouts = rollouts
        self.nets = nets
        self.drawn = drawn
        self.reach = reach

    def choose(self, seat: Seat) -> int:
        started = self.clock()
        actions = legal_or_complain(seat)
        if len(actions) == 1:
            return actions[0]
        end = started + self.budget if self.iterations is None else math.inf
        judgement = self.nets.judgement(seat.game, seat.players)
        search = Search(
            seat,
            self.dice,
            self.clock,
            end,
            rollouts=self.rollouts,
            judgement=judgement,
            drawn=self.drawn,
            reach=self.reach,
        )
        while not search.settled() and not search.late:
            if self.most is not None and search.worlds >= self.most:
                break
            search.think()
        return actions[search.decide()]
