"""What positions and decisions in Worker Placement are worth to a sensible player.

Everything is counted in Cash. What a hand and cubes are worth is mostly what they are worth for Jobs (see `outlook`);
to that come plain prices for everything, which fall towards the end of the game.
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
from shopfloor.games.worker_placement.outlook import (
    DRAWN,
    MEEPLE,
    Means,
    Outlook,
    card_worth,
    means,
    plan,
    plans,
    script_worth,
    with_card,
    without_card,
    worker_worth,
)
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

LOOK_AHEAD: Final = 10  # decisions: a worker or two of everybody, with what is decided for each
BIDDING: Final = 0.85  # what a card of the auction is worth, of what it seems to be worth


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
    total += worker_worth(o, len(m.workers)) + plans(o, m, left)
    crowd = 0
    for card in state.hand[seat]:
        if card >= FIRST_MANAGEMENT:
            total += card_worth(o, seat, card)
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
    spread = 0.5 + 1.7 * math.sqrt(s.rounds - s.round_no + 0.3)
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
            ratings.append(script_worth(o, seat, card, True) - price - 0.3 * card_worth(o, seat, card))
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
    paid += worker_worth(o, len(m.workers)) - worker_worth(o, len(after.workers))
    gain = cards.job_cash[job] + _thumb_gain(state, seat, o, cards.job_thumbs[job])
    return gain - paid + plans(o, after, o.left, job) - plans_now


def _swap_gains(o: Outlook, seat: int, m: Means, plans_now: float) -> list[tuple[int, float]]:
    """The cards in hand with what is won by swapping them for an unknown one."""
    unknown = DRAWN * (0.15 + 0.85 * o.after)
    return [(card, unknown - without_card(o, seat, m, card, plans_now)) for card in o.state.hand[seat]]


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
        best = max([plan(o, m, worker, action - JOB, False, o.left) for worker in m.workers], default=0.0)
        ratings.append(0.6 - max(0.0, best))
    return ratings


def _rate_drops(state: WorkerPlacement, seat: int, legal: tuple[int, ...]) -> list[float]:
    """At the end of a round: what is missed least."""
    o = Outlook(state, seat, 0)
    m = means(state, seat)
    plans_now = plans(o, m, MEEPLES)
    return [0.0 if action == DONE else -without_card(o, seat, m, action - CARD, plans_now) for action in legal]


# -- draft and auction ------------------------------------------------------------------------------------------------


def _gains(state: WorkerPlacement, seat: int, cards: list[int]) -> list[float]:
    """What cards would add to a seat's hand, before the placing of a round."""
    o = Outlook(state, seat, MEEPLES)
    m = means(state, seat)
    plans_now = plans(o, m, MEEPLES)
    return [with_card(o, seat, m, card, plans_now) for card in cards]


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
    to_come: int = len(state.bidders) - state.turn - 1
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


def measures(state: WorkerPlacement, seat: int) -> list[tuple[str, float]]:
    """What a player counts of a seat: id and number."""
    return [
        ("cash", float(state.cash[seat])),
        ("thumbs", float(state.thumbs[seat])),
        ("cubes", float(sum(state.cubes[4 * seat : 4 * seat + 4]))),
        ("cards", float(len(state.hand[seat]))),
        ("jobs", float(len(state.filled[seat]))),
        ("place", float(state.place_of[seat])),
    ]


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
