"""What positions and decisions in Worker Placement are worth to a sensible player.

Everything is counted in Cash. What a hand and cubes are worth is mostly what they are worth for Jobs: a plan is a
Worker, a Job that can be seen, what is there for it and what would still have to be fetched. To that come plain prices
for everything, which fall towards the end of the game.
"""

from __future__ import annotations

import math
from typing import Final

from shopfloor.games.worker_placement import city, effects, payment
from shopfloor.games.worker_placement.actions import (
    BID,
    CARD,
    COACH,
    CONSULT,
    CUBE,
    DONE,
    DRAFT,
    FIRST_MANAGEMENT,
    FIRST_SKILL,
    GO,
    GO_CASINO,
    JOB,
    PASS,
    PAY,
    PLAIN,
    RECALL,
    SPLITS,
    TARGET,
    WILD,
)
from shopfloor.games.worker_placement.draft import neighbour, size
from shopfloor.games.worker_placement.position import (
    AUCTION_PICK,
    BID_FIRST,
    BID_SECOND,
    BID_VALUES,
    CASINO,
    DRAFT_CARDS,
    DRAFT_CHOOSE,
    GAME_OVER,
    HAND_LIMIT,
    LIFE_COACH,
    MAX_HAND,
    MEEPLES,
    NONE,
    PAYMENT,
    PLACE,
    RECALLING,
    REFRESH,
    WORKER,
)
from shopfloor.games.worker_placement.position import GAIN_CUBE as GAIN_CUBE_PHASE
from shopfloor.games.worker_placement.position import STEAL_CUBE as STEAL_CUBE_PHASE
from shopfloor.games.worker_placement.rules import WorkerPlacement

MEEPLE: Final = 1.9  # what a placement brings, if nothing special is at hand
FETCH: Final = 0.2  # what a missing skill costs beyond the meeple that fetches it, less what the skill is worth
RISK: Final = 0.7  # what is left of a Job's worth if others have a turn before
LATER: Final = 0.55  # the same if it has to wait for the next round
NEXT: Final = 0.7  # for the preview, which nobody can take before
WORKER_WORTH: Final = (2.4, 1.6, 0.8, 0.3)  # the first, second, ... Worker in hand
DRAWN: Final = 0.6  # a card from the draw pile
BIDDING: Final = 1.0  # what a card of the auction is worth, of what it seems to be worth
CUBE_PRICE: Final = 0.75
SKILL_PRICE: Final = 1.05
THUMB_PRICE: Final = 0.33
USED: Final = 1.05
SECOND: Final = 0.5
NOTHING: Final = -1.0e6


class Outlook:
    """Prices at this time of the game, for a seat: of a Thumb, a cube and a Skill.

    left: meeples that the seat can still place this round, and rounds: those to come. after: what remains of the game,
    1 for much, 0 for nothing.
    """

    __slots__ = ("after", "cube", "left", "rounds", "skill", "state", "thumb")

    def __init__(self, state: WorkerPlacement, seat: int, left: int) -> None:
        self.state = state
        self.left: int = left
        self.rounds: int = state.rounds - state.round_no
        steps = 3 * self.rounds + left
        self.after: float = min(1.0, steps / 7.0)
        self.thumb: float = 0.12 + THUMB_PRICE * min(1.0, steps / 9.0)
        self.cube: float = 0.5 + CUBE_PRICE * self.after
        self.skill: float = SKILL_PRICE * self.after


class Means:
    """What a seat has for Jobs: skills of cards and cubes by kind, the wild ones last, and Workers by number."""

    __slots__ = ("have", "workers")

    def __init__(self, have: list[int], workers: list[int]) -> None:
        self.have = have
        self.workers = workers


def means(state: WorkerPlacement, seat: int) -> Means:
    return Means(payment.offered(state, seat), payment.workers(state, seat))


def _plan(o: Outlook, m: Means, worker: int, job: int, preview: bool, left: int) -> float:
    """What a Worker in a Job would bring beyond what the things used for it are worth."""
    cards = o.state.cards
    j = 5 * job
    w = 5 * worker
    needs = cards.needs
    skills = cards.skills
    have = m.have
    used = 0
    short = 0
    spare = 0
    for i in range(4):
        gap = needs[j + i] - skills[w + i]
        if gap <= 0:
            spare -= gap
        elif have[i] >= gap:
            used += gap
            spare += have[i] - gap
        else:
            used += have[i]
            short += gap - have[i]
    extra = needs[j + WILD] - spare
    if extra > 0:
        short += extra
    wild = skills[w + WILD]
    short -= wild
    if short > 0 and have[WILD]:
        taken = min(short, have[WILD])
        used += taken
        short -= taken
    short = max(0, short)
    gain = cards.job_cash[job] + o.thumb * cards.job_thumbs[job]
    gain -= USED * o.cube * used + short * (MEEPLE + FETCH) + MEEPLE
    if preview or short + 1 > left:
        if o.rounds == 0:
            return 0.0
        return gain * (NEXT if preview else LATER)
    return gain if short == 0 and left == 0 else gain * RISK


def plans(o: Outlook, m: Means, left: int, without: int = NONE) -> float:
    """What the best plans for different Workers and Jobs bring together. without: a Job that is gone."""
    state = o.state
    found: list[tuple[float, int, int]] = []
    seen: list[tuple[int, ...]] = []
    for worker in m.workers:
        skills = state.cards.skills[5 * worker : 5 * worker + 5]
        if skills in seen:
            continue
        seen.append(skills)
        for job in state.jobs:
            if job != without:
                gain = _plan(o, m, worker, job, False, left)
                if gain > 0.0:
                    found.append((gain, worker, job))
        if state.preview not in (NONE, without):
            gain = _plan(o, m, worker, state.preview, True, left)
            if gain > 0.0:
                found.append((gain, worker, state.preview))
    if not found:
        return 0.0
    found.sort(reverse=True)
    total, first_worker, first_job = found[0]
    same = m.workers.count(first_worker) > 1
    for gain, worker, job in found[1:]:
        if job != first_job and (worker != first_worker or same):
            # The second one has less to draw on than it seems.
            return total + SECOND * gain
    return total


def _worker_worth(o: Outlook, count: int) -> float:
    """So many Workers in hand, apart from plans for them."""
    total = 0.0
    for i in range(count):
        total += WORKER_WORTH[i] if i < 4 else 0.1
    return total * o.after


def _script_worth(o: Outlook, seat: int, card: int, placed: bool) -> float:
    """What a Management card does for a seat; if it need not be playable now, what it may be expected to do."""
    state = o.state
    script = state.cards.scripts[card]
    others = [other for other in range(state.players) if other != seat]
    share = 1.0 + 1.0 / len(others)
    total = 0.0
    for i in range(0, len(script), 4):
        kind = script[i]
        n = script[i + 1]
        if kind == effects.GAIN_CASH:
            total += n
        elif kind == effects.GAIN_THUMBS:
            total += n * o.thumb
        elif kind == effects.STEAL_CASH:
            total += share * min(n, max([state.cash[other] for other in others]) if placed else n)
        elif kind == effects.LOSE_THUMBS:
            total += 0.5 * o.thumb * n
        elif kind == effects.GAIN_CUBES:
            total += n * (o.cube + 0.25)
        elif kind == effects.STEAL_CUBES:
            total += sum([min(n, sum(state.cubes[4 * x : 4 * x + 4])) for x in others]) * (o.cube + 0.25)
        elif kind == effects.DRAW:
            total += n * DRAWN * o.after
        elif kind == effects.STEAL_CARD:
            total += n * DRAWN * share * o.after
        elif kind == effects.REFRESH_JOBS:
            total += 0.6 * o.after
        elif kind == effects.FILL_PREVIEW:
            total += _preview_worth(o, seat) if placed else 3.0
        elif kind == effects.FREE_PLACEMENT:
            total += 0.7 * o.left
        elif kind == effects.RECALL_MEEPLE:
            total += MEEPLE * n
        elif kind == effects.CLAIM_ORDER:
            total += 1.0 if o.rounds else 0.0
        elif kind == effects.CASH_PER_JOB:
            jobs = len(state.filled[seat]) + (0 if placed else o.rounds // 2)
            total += min(script[i + 3], jobs // n * script[i + 2])
        elif kind == effects.PAY_CASH:
            total -= n
        elif kind == effects.PAY_THUMBS:
            total -= n * o.thumb
    return total


def _preview_worth(o: Outlook, seat: int) -> float:
    """Filling the preview: its reward less what it is paid with."""
    state = o.state
    if state.preview == NONE:
        return 0.0
    worker, cards, cubes = payment.proposal(state, seat, state.preview)
    if worker == NONE:
        return 0.0
    paid = len(cards) * o.skill + sum(cubes) * o.cube + WORKER_WORTH[1] * o.after
    return state.cards.job_cash[state.preview] + o.thumb * state.cards.job_thumbs[state.preview] - paid


def _card_worth(o: Outlook, seat: int, card: int) -> float:
    """A card that is neither a Worker nor a Skill."""
    state = o.state
    bonus = state.end_bonus(card, state.thumbs[seat])
    if bonus:
        return 0.9 * bonus
    if o.rounds == 0 and o.left == 0:
        return 0.0
    return max(0.0, _script_worth(o, seat, card, False) - MEEPLE) * (0.35 + 0.5 * o.after)


def _with(o: Outlook, seat: int, m: Means, card: int, plans_now: float) -> float:
    """What a card adds to a hand."""
    state = o.state
    if card >= FIRST_MANAGEMENT:
        return _card_worth(o, seat, card)
    bonus = state.end_bonus(card, state.thumbs[seat]) if state.cards.scripts[card] else 0
    if card < FIRST_SKILL:
        more = Means(m.have, [*m.workers, card])
        plain = _worker_worth(o, len(more.workers)) - _worker_worth(o, len(m.workers))
        # A Worker with more skills is the better one.
        plain += 0.35 * o.after * (sum(state.cards.card_skills(card)) - 2)
    else:
        skills = state.cards.card_skills(card)
        more = Means([m.have[i] + skills[i] for i in range(5)], m.workers)
        plain = o.skill * (sum(skills) + 0.3 * skills[WILD])
    return bonus + plain + plans(o, more, o.left) - plans_now


def _without(o: Outlook, seat: int, m: Means, card: int, plans_now: float) -> float:
    """What a hand loses with a card."""
    state = o.state
    if card >= FIRST_MANAGEMENT:
        return _card_worth(o, seat, card)
    bonus = state.end_bonus(card, state.thumbs[seat]) if state.cards.scripts[card] else 0
    if card < FIRST_SKILL:
        fewer = Means(m.have, [w for w in m.workers if w != card])
        plain = _worker_worth(o, len(m.workers)) - _worker_worth(o, len(fewer.workers))
        plain += 0.35 * o.after * (sum(state.cards.card_skills(card)) - 2)
    else:
        skills = state.cards.card_skills(card)
        fewer = Means([m.have[i] - skills[i] for i in range(5)], m.workers)
        plain = o.skill * (sum(skills) + 0.3 * skills[WILD])
    return bonus + plain + plans_now - plans(o, fewer, o.left)


def _leader_bonus(state: WorkerPlacement, seat: int) -> float:
    """What the Thumbs bonus at the end (WP-13.1) may be expected to bring."""
    best = max([state.thumbs[other] for other in range(state.players) if other != seat])
    lead = state.thumbs[seat] - best
    spread = 0.8 + 1.2 * (state.rounds - state.round_no)
    return state.players / (1.0 + math.exp(-1.7 * (lead + 0.4) / spread))


def prospects(state: WorkerPlacement, seat: int) -> float:
    """What a seat has and may hope for, in Cash."""
    placing = state.phase >= PLACE
    left = state.unplaced(seat) if placing else MEEPLES
    o = Outlook(state, seat, left)
    m = means(state, seat)
    c = 4 * seat
    total = state.cash[seat] + o.thumb * state.thumbs[seat] + _leader_bonus(state, seat)
    total += o.cube * (state.cubes[c] + state.cubes[c + 1] + state.cubes[c + 2] + state.cubes[c + 3])
    total += _worker_worth(o, len(m.workers)) + plans(o, m, left)
    crowd = 0
    for card in state.hand[seat]:
        if card >= FIRST_MANAGEMENT:
            total += _card_worth(o, seat, card)
        elif card >= FIRST_SKILL:
            total += o.skill
        crowd += 1
    if crowd > MAX_HAND + left:
        total -= 0.6 * (crowd - MAX_HAND - left)
    if placing and state.phase != HAND_LIMIT:
        total += MEEPLE * left
    if state.claims[seat]:
        total += 1.0
    return total


def value(state: WorkerPlacement) -> list[float]:
    """Each seat's expected share of the victory."""
    if state.phase == GAME_OVER:
        return state.returns()
    s = state
    if LIFE_COACH <= state.phase <= RECALLING:  # a placement is being made: judge it when it is complete
        s = state.clone()
        seat = s.deciders()[0]
        while LIFE_COACH <= s.phase <= RECALLING and s.deciders() == (seat,):
            ratings = rate(s, seat)
            s.play(seat, s.legal(seat)[ratings.index(max(ratings))])
        if s.phase == GAME_OVER:
            return s.returns()
    worth = [prospects(s, seat) for seat in range(s.players)]
    best = max(worth)
    spread = 1.8 + 2.2 * math.sqrt(s.rounds - s.round_no + 0.3)
    odds = [math.exp((w - best) / spread) for w in worth]
    total = sum(odds)
    return [share / total for share in odds]


# -- placing --------------------------------------------------------------------------------------------------------


def _more_of(m: Means, skill: int, n: int = 1) -> Means:
    have = m.have[:]
    have[skill] += n
    return Means(have, m.workers)


def _cube_gains(o: Outlook, m: Means, plans_now: float) -> list[float]:
    """What a cube of each skill is worth to a seat."""
    gains = []
    for skill in range(4):
        gains.append(o.cube - 0.06 * m.have[skill] + plans(o, _more_of(m, skill), o.left) - plans_now)
    return gains


def _thumb_gain(state: WorkerPlacement, seat: int, o: Outlook, n: int) -> float:
    """What so many Thumbs more (or less) are worth, the bonus at the end included."""
    before = _leader_bonus(state, seat)
    state.thumbs[seat] += n
    after = _leader_bonus(state, seat)
    state.thumbs[seat] -= n
    # Without any Thumbs the Call Centre is closed.
    scarce = 0.3 * o.after if state.thumbs[seat] < 3 else 0.0
    return n * (o.thumb + scarce) + after - before


def _rate_places(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    o = Outlook(state, seat, state.unplaced(seat) - 1)
    m = means(state, seat)
    plans_now = plans(o, m, o.left)
    gains = _cube_gains(o, m, plans_now)
    # Cash that is spent on places may be lacking for the next ones.
    tight = 1.15 if state.cash[seat] <= 3 and o.left else 1.0
    ratings = []
    for action in legal:
        if action >= JOB:
            ratings.append(_job_worth(o, seat, m, action - JOB, plans_now))
        elif action >= CONSULT:
            card = action - CONSULT + FIRST_MANAGEMENT
            price = tight * city.cost(state, seat, city.CAREER_CONSULTANTS)
            ratings.append(_script_worth(o, seat, card, True) - price - 0.3 * _card_worth(o, seat, card))
        elif action >= COACH:
            skill = action - COACH
            best = max([gains[other] for other in range(4) if other != skill])
            loss = o.cube + plans_now - plans(o, _more_of(m, skill, -1), o.left)
            price = tight * city.cost(state, seat, city.LIFE_COACH_HOUSE)
            ratings.append(best + 0.85 * max(best, o.cube) - loss - price)
        elif action == GO_CASINO:
            ratings.append(_casino_worth(o, seat, m, plans_now))
        elif action < GO:
            ratings.append(0.0)
        else:
            building = PLAIN[action - GO]
            price = tight * city.cost(state, seat, building)
            if building < 4:
                ratings.append(gains[city.CUBE_OF[building]] - price)
            elif building == city.HEALTH_SPA:
                ratings.append(_thumb_gain(state, seat, o, 2) - price)
            else:
                ratings.append(2.0 + _thumb_gain(state, seat, o, -1))
    return ratings


def _job_worth(o: Outlook, seat: int, m: Means, job: int, plans_now: float) -> float:
    """Filling a Job now, with the cheapest payment."""
    state = o.state
    cards = state.cards
    worker, skill_cards, cubes = payment.proposal(state, seat, job)
    have = m.have[:]
    paid = sum(cubes) * o.cube
    for skill in range(4):
        have[skill] -= cubes[skill]
    for card in skill_cards:
        skills = cards.card_skills(card)
        for i in range(5):
            have[i] -= skills[i]
        paid += o.skill
    after = Means(have, [w for w in m.workers if w != worker])
    paid += _worker_worth(o, len(m.workers)) - _worker_worth(o, len(after.workers))
    gain = cards.job_cash[job] + _thumb_gain(state, seat, o, cards.job_thumbs[job])
    return gain - paid + plans(o, after, o.left, job) - plans_now


def _swap_gains(o: Outlook, seat: int, m: Means, plans_now: float) -> list[tuple[int, float]]:
    """The cards in hand with what is won by swapping them for an unknown one."""
    unknown = DRAWN * (0.15 + 0.85 * o.after)
    return [(card, unknown - _without(o, seat, m, card, plans_now)) for card in o.state.hand[seat]]


def _casino_worth(o: Outlook, seat: int, m: Means, plans_now: float) -> float:
    gains = [gain for _, gain in _swap_gains(o, seat, m, plans_now)]
    if not gains:
        return 0.0
    good = sum([gain for gain in gains if gain > 0.0])
    return 0.9 * good if good > 0.0 else max(gains)


# -- the small decisions ----------------------------------------------------------------------------------------------


def _rate_swaps(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    o = Outlook(state, seat, state.unplaced(seat) - 1)
    m = means(state, seat)
    gains = dict(_swap_gains(o, seat, m, plans(o, m, o.left)))
    return [0.0 if action == DONE else gains[action - CARD] for action in legal]


def _rate_workers(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    """The Worker with whom the Job costs least."""
    ratings = []
    for action in legal:
        worker = action - CARD
        have = list(state.cards.card_skills(worker))
        cost, _, _ = payment.complete(state, seat, state.plan_job, have, [], [0, 0, 0, 0])
        skills = state.cards.card_skills(worker)
        ratings.append(-(cost + 9 * sum(skills) + 9 * skills[WILD]) / 10.0)
    return ratings


def _rate_cubes(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    o = Outlook(state, seat, state.unplaced(seat))
    m = means(state, seat)
    gains = _cube_gains(o, m, plans(o, m, o.left))
    return [gains[action - CUBE] for action in legal]


def _rate_targets(state: WorkerPlacement, legal: tuple[int, ...]) -> list[float]:
    """Whoever is ahead."""
    kind = state.cards.scripts[state.playing][state.script_at]
    number = state.cards.scripts[state.playing][state.script_at + 1]
    ratings = []
    for action in legal:
        other = action - TARGET
        ahead = 0.1 * state.cash[other] + 0.05 * state.thumbs[other] + 0.3 * len(state.filled[other])
        if kind == effects.STEAL_CASH:
            ratings.append(min(number, state.cash[other]) + 0.3 * ahead)
        elif kind == effects.LOSE_THUMBS:
            ratings.append(0.5 * min(number, state.thumbs[other]) + 0.3 * ahead)
        else:
            ratings.append(0.4 * min(number, len(state.hand[other])) + 0.1 * len(state.hand[other]) + 0.2 * ahead)
    return ratings


def _rate_refresh(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    """Jobs that are of little use to oneself go."""
    o = Outlook(state, seat, state.unplaced(seat))
    m = means(state, seat)
    ratings = []
    for action in legal:
        if action == DONE:
            ratings.append(0.0)
            continue
        best = max([_plan(o, m, worker, action - JOB, False, o.left) for worker in m.workers], default=0.0)
        ratings.append(0.6 - max(0.0, best))
    return ratings


def _rate_drops(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    """At the end of a round: what is missed least."""
    o = Outlook(state, seat, 0)
    m = means(state, seat)
    plans_now = plans(o, m, MEEPLES)
    return [0.0 if action == DONE else -_without(o, seat, m, action - CARD, plans_now) for action in legal]


# -- draft and auction ------------------------------------------------------------------------------------------------


def _gains(state: WorkerPlacement, seat: int, cards: list[int]) -> list[float]:
    """What cards would add to a seat's hand, before the placing of a round."""
    o = Outlook(state, seat, MEEPLES)
    m = means(state, seat)
    plans_now = plans(o, m, MEEPLES)
    return [_with(o, seat, m, card, plans_now) for card in cards]


def _rate_splits(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    dealt = state.draft[DRAFT_CARDS * seat : DRAFT_CARDS * seat + size(state, seat)]
    own = _gains(state, seat, dealt)
    others = _gains(state, neighbour(state, seat), dealt)
    rivals = state.players - 1
    ratings = []
    for action in legal:
        keep, pass_on, network = SPLITS[action - DRAFT]
        rating = own[keep]
        if pass_on < len(dealt):
            rating -= others[pass_on] / rivals
        if network < len(dealt):
            rating += 0.15 * own[network] - 0.15 * others[network] / rivals
        ratings.append(rating)
    return ratings


def _rate_bids(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    """A bid wins the card of its rank among all bids, if it is among the first three."""
    gains = sorted([BIDDING * gain for gain in _gains(state, seat, state.auction)], reverse=True)
    to_come = len(state.bidders) - state.turn - 1
    cards = len(gains)
    mine = [space for space in range(8) if state.spaces[space] == seat]
    # What the hand can hold at the end of the round limits what further cards are worth.
    crowd = len(state.hand[seat]) + len(mine) - 7
    cash = state.cash[seat] - sum([BID_VALUES[space] for space in mine])
    ratings = []
    for action in legal:
        if action == PASS:
            ratings.append(0.0)
            continue
        space = action - BID
        price = BID_VALUES[space]
        above = sum([1 for other in range(space + 1, 8) if state.spaces[other] != NONE])
        # Each of those who still bid goes higher with some chance, the less the dearer it would be.
        higher = to_come * max(0.0, 0.62 - 0.13 * price) if state.phase == BID_FIRST else to_come * 0.3
        rating = 0.0
        for extra in range(to_come + 1):
            p = _binomial(to_come, extra, min(1.0, higher / to_come) if to_come else 0.0)
            rank = above + extra
            if rank < cards:
                # Others pick first what is best for them, which is often what is best for oneself.
                gain = gains[rank] * 0.6 + gains[min(cards - 1, max(0, rank - 1))] * 0.4
                gain -= 0.5 * max(0, crowd)
                dear = 1.1 if cash - price < 2 else 1.0
                rating += p * (gain - dear * price)
        ratings.append(rating)
    return ratings


def _binomial(n: int, k: int, p: float) -> float:
    return float(math.comb(n, k) * p**k * (1.0 - p) ** (n - k))


# -- everything -------------------------------------------------------------------------------------------------------


def rate(state: WorkerPlacement, seat: int) -> list[float]:
    """How good each legal decision seems, in the order of `state.legal(seat)`, in Cash."""
    legal = state.legal(seat)
    if len(legal) < 2:
        return [0.0] * len(legal)
    phase = state.phase
    if phase == PLACE:
        return _rate_places(state, seat, legal)
    if phase == DRAFT_CHOOSE:
        return _rate_splits(state, seat, legal)
    if phase in (BID_FIRST, BID_SECOND):
        return _rate_bids(state, seat, legal)
    if phase == AUCTION_PICK:
        return _gains(state, seat, state.auction)
    if phase == PAYMENT:  # what the table proposes is cheapest
        return [1.0 if action in (DONE, PAY) else -1.0 for action in legal]
    if phase == WORKER:
        return _rate_workers(state, seat, legal)
    if phase == CASINO:
        return _rate_swaps(state, seat, legal)
    if phase in (LIFE_COACH, GAIN_CUBE_PHASE, STEAL_CUBE_PHASE):
        return _rate_cubes(state, seat, legal)
    if phase == REFRESH:
        return _rate_refresh(state, seat, legal)
    if phase == RECALLING:
        return [0.0 if action == DONE else 1.0 + 0.1 * state.here[action - RECALL] for action in legal]
    if phase == HAND_LIMIT:
        return _rate_drops(state, seat, legal)
    return _rate_targets(state, legal)
