"""What things are worth to a seat in Worker Placement: Thumbs, cubes, cards, and plans for Jobs, in Cash.

A plan is a Worker, a Job that can be seen, what is there for it and what would still have to be fetched. The prices
are fitted to how games among these very players end.
"""

from __future__ import annotations

from typing import Final

from shopfloor.games.worker_placement import effects, payment
from shopfloor.games.worker_placement.actions import FIRST_MANAGEMENT, FIRST_SKILL, WILD
from shopfloor.games.worker_placement.position import NONE
from shopfloor.games.worker_placement.rules import WorkerPlacement

MEEPLE: Final = 1.9  # what a placement brings, if nothing special is at hand
FETCH: Final = 0.2  # what a missing skill costs beyond the meeple that fetches it, less what the skill is worth
RISK: Final = 0.7  # what is left of a Job's worth if others have a turn before
LATER: Final = 0.55  # the same if it has to wait for the next round
NEXT: Final = 0.7  # for the preview, which nobody can take before
WORKER_WORTH: Final = (1.8, 1.2, 0.6, 0.2)  # the first, second, ... Worker in hand
DRAWN: Final = 0.6  # a card from the draw pile
CUBE_PRICE: Final = (
    0.75  # a cube, a skill on a card and a Thumb while there is much to come; a cube is worth 0.5 at the end
)
SKILL_PRICE: Final = 1.05
THUMB_PRICE: Final = 0.33
LAST_THUMB: Final = 0.12
USED: Final = 1.05  # what using a skill for a Job costs, in cubes
SECOND: Final = 0.5  # what is left of the second best plan, which draws on the same means


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
        self.thumb: float = LAST_THUMB + THUMB_PRICE * min(1.0, steps / 9.0)
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


def plan(o: Outlook, m: Means, worker: int, job: int, preview: bool, left: int) -> float:
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
                gain = plan(o, m, worker, job, False, left)
                if gain > 0.0:
                    found.append((gain, worker, job))
        if state.preview not in (NONE, without):
            gain = plan(o, m, worker, state.preview, True, left)
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


def worker_worth(o: Outlook, count: int) -> float:
    """So many Workers in hand, apart from plans for them."""
    total = 0.0
    for i in range(count):
        total += WORKER_WORTH[i] if i < 4 else 0.1
    return total * o.after


def script_worth(o: Outlook, seat: int, card: int, placed: bool) -> float:
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


def card_worth(o: Outlook, seat: int, card: int) -> float:
    """A card that is neither a Worker nor a Skill."""
    state = o.state
    bonus = state.end_bonus(card, state.thumbs[seat])
    if bonus:
        return 0.9 * bonus
    if o.rounds == 0 and o.left == 0:
        return 0.0
    return max(0.0, script_worth(o, seat, card, False) - MEEPLE) * (0.35 + 0.5 * o.after)


def with_card(o: Outlook, seat: int, m: Means, card: int, plans_now: float) -> float:
    """What a card adds to a hand."""
    state = o.state
    if card >= FIRST_MANAGEMENT:
        return card_worth(o, seat, card)
    bonus = state.end_bonus(card, state.thumbs[seat]) if state.cards.scripts[card] else 0
    if card < FIRST_SKILL:
        more = Means(m.have, [*m.workers, card])
        plain = worker_worth(o, len(more.workers)) - worker_worth(o, len(m.workers))
        # A Worker with more skills is the better one.
        plain += 0.35 * o.after * (sum(state.cards.card_skills(card)) - 2)
    else:
        skills = state.cards.card_skills(card)
        more = Means([m.have[i] + skills[i] for i in range(5)], m.workers)
        plain = o.skill * (sum(skills) + 0.3 * skills[WILD])
    return bonus + plain + plans(o, more, o.left) - plans_now


def without_card(o: Outlook, seat: int, m: Means, card: int, plans_now: float) -> float:
    """What a hand loses with a card."""
    state = o.state
    if card >= FIRST_MANAGEMENT:
        return card_worth(o, seat, card)
    bonus = state.end_bonus(card, state.thumbs[seat]) if state.cards.scripts[card] else 0
    if card < FIRST_SKILL:
        fewer = Means(m.have, [w for w in m.workers if w != card])
        plain = worker_worth(o, len(m.workers)) - worker_worth(o, len(fewer.workers))
        plain += 0.35 * o.after * (sum(state.cards.card_skills(card)) - 2)
    else:
        skills = state.cards.card_skills(card)
        fewer = Means([m.have[i] - skills[i] for i in range(5)], m.workers)
        plain = o.skill * (sum(skills) + 0.3 * skills[WILD])
    return bonus + plain + plans_now - plans(o, fewer, o.left)
