"""Positions of Worker Placement for tests, put down as one would put down cards: `table("W01 S06", "W02", ...)`.

Players are A to E, clockwise, as in the specification's test vectors. The edition used here keeps what the rulebook
prints (Gunther Klaus W01, Jaques Mondieux W02, a Labour Skill card S06, the Board Game Designer J15) and has plain
fixtures for all the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import pytest

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.worker_placement import GAME, auction, cards, rules
from shopfloor.games.worker_placement.actions import Building
from shopfloor.games.worker_placement.effects import parse_effect
from shopfloor.games.worker_placement.position import EVERYBODY, NONE, PLACE
from shopfloor.games.worker_placement.rules import WorkerPlacement
from shopfloor.games.worker_placement.view import WorkerPlacementView, view

A, B, C, D, E = range(5)
CLERICAL, LABOUR, TECH, LIFE = range(4)
LETTERS: Final = "CLTF?"
OWN: Final = cards.load()


def counts(text: str, size: int = 5) -> list[int]:
    """Skills from the short form: "T2 C1" is [1, 0, 2, 0, 0]."""
    found = [0] * size
    for part in text.split():
        found[LETTERS.index(part[0])] += int(part[1:])
    return found


def script(text: str) -> tuple[int, ...]:
    steps = [parse_effect(part) for part in text.split(";")]
    return tuple(n for step in steps for n in step or pytest.fail(text))


SKILLS: Final = {
    "W01": "C1 F1",
    "W02": "F2",
    "W03": "T1 ?1",
    "W04": "L1",
    "S01": "C1",
    "S02": "C1",
    "S03": "C1 L1",
    "S04": "T1",
    "S05": "F1",
    "S06": "L1",
    "S21": "?1",
}
"""Other Workers show C1, other Skill cards L1."""

EFFECTS: Final = {
    "M01": "claim_order 1",
    "M02": "steal_cash 4 target",
    "M03": "gain_cash 5",
    "M04": "pay_thumbs 1; pay_cash 1; gain_cash 3",
    "M05": "lose_thumbs 3 target; gain_thumbs 1",
    "M06": "gain_cubes 3 any",
    "M07": "steal_card 1 random target; draw 1",
    "M08": "draw 3",
    "M09": "refresh_jobs 4",
    "M10": "fill_job preview",
    "M11": "free_placement round",
    "M12": "recall_meeple 2",
    "M13": "steal_cubes 1 each",
    "M14": "gain_cash_per jobs_filled 2 1 max 2",
    "M15": "end_cash 3",
    "M16": "end_cash_per thumbs 4 1 max 5",
}

NEEDS: Final = {
    "J01": "T1 C1",
    "J02": "T1 C1 L1",
    "J03": "L2",
    "J04": "C1",
    "J05": "C1 ?1",
    "J15": "T2 C1 L1",
}
"""Other Jobs need C1."""

REWARDS: Final = {"J04": (2, -1), "J15": (5, 1), "J14": (-3, 0)}
"""Cash and Thumbs; other Jobs bring 1 Cash."""


def _edition() -> cards.Cards:
    skills: list[int] = []
    scripts = []
    for i, name in enumerate(OWN.business_ids):
        default = "C1" if i < 24 else "L1" if i < 47 else ""
        skills += counts(SKILLS.get(name, default))
        scripts.append(script(EFFECTS[name]) if name in EFFECTS else ())
    needs: list[int] = []
    for name in OWN.job_ids:
        needs += counts(NEEDS.get(name, "C1"))
    return cards.fixture(
        skills=tuple(skills),
        scripts=tuple(scripts),
        at_end=tuple(name in ("M15", "M16") for name in OWN.business_ids),
        needs=tuple(needs),
        job_cash=tuple(REWARDS.get(name, (1, 0))[0] for name in OWN.job_ids),
        job_thumbs=tuple(REWARDS.get(name, (1, 0))[1] for name in OWN.job_ids),
    )


CARDS: Final = _edition()


class Loaded(Dice):
    """Dice that give the wanted results first, and then any."""

    __slots__ = ("after", "results")

    def __init__(self, results: Iterable[int]) -> None:
        self.results = list(results)
        self.after = FastDice(1)

    def below(self, n: int) -> int:
        if not self.results:
            return self.after.below(n)
        result = self.results.pop(0)
        assert 0 <= result < n
        return result

    def clone(self) -> Loaded:
        return Loaded(self.results)

    def encode(self) -> str:
        return f"loaded:{self.results}"


def card(name: str) -> int:
    """The number of a Business card."""
    return CARDS.business_ids.index(name)


def job(name: str) -> int:
    return CARDS.job_ids.index(name)


def numbers(text: str) -> list[int]:
    """Business cards from their ids: "W01 S06"."""
    return sorted(card(name) for name in text.split())


def ids(some: Iterable[int]) -> str:
    """Business cards by their ids."""
    return " ".join(CARDS.business_ids[i] for i in some)


def job_ids(some: Iterable[int]) -> str:
    return " ".join(CARDS.job_ids[i] for i in some)


def options(**changes: str) -> dict[str, str]:
    return {option.id: option.default for option in GAME.options} | changes


def new_game(players: int = 3, seed: int = 1, *, edition: cards.Cards = CARDS, **changes: str) -> WorkerPlacement:
    """A game at its first draft, which reports its events from the first card on."""
    return rules.start(players, FastDice(seed), options(**changes), edition, report=True)


def each(value: int | Sequence[int], players: int) -> list[int]:
    return [value] * players if isinstance(value, int) else list(value)


def table(
    *hands: str,
    order: str = "",
    turn: int | None = None,
    cash: int | Sequence[int] = 5,
    thumbs: int | Sequence[int] = 2,
    cubes: Sequence[str] = (),
    jobs: str = "J21 J22 J23 J24",
    preview: str = "J30",
    job_deck: str | None = None,
    discards: str = "",
    deck: str | None = None,
    at: Mapping[str, str] | None = None,
    round_no: int = 1,
    edition: cards.Cards = CARDS,
    **changes: str,
) -> WorkerPlacement:
    """A position in Action 5, one hand a player; nobody has placed a meeple but those named in `at`.

    order: the track, e.g. "CAB". turn: who is to place (None: the first). jobs, preview: face up; job_deck: the rest
    (None: all others). at: meeples on buildings, e.g. {"health_spa": "AAB"}; they are taken from the Reserves first.
    deck: the draw pile (None: all that is left; else what is left over lies at the network, where nobody looks).
    """
    n = len(hands)
    s = new_game(n, 1, edition=edition, **changes)
    s.drain()
    s.draft = [NONE] * (3 * n)
    s.sealed = [NONE] * n
    s.network, s.network_of = [], []
    s.hand = [numbers(hand) for hand in hands]
    s.discards = [card(name) for name in discards.split()]
    used = {c for hand in s.hand for c in hand} | set(s.discards)
    rest = [c for c in range(63) if c not in used]
    s.deck = rest if deck is None else numbers(deck)
    s.network = [c for c in rest if c not in s.deck]
    s.network_of = [NONE] * len(s.network)
    s.knows = [0] * 63
    for seat in range(n):
        for c in s.hand[seat]:
            s.knows[c] = 1 << seat
    for c in s.discards:
        s.knows[c] = EVERYBODY
    s.cash, s.thumbs = each(cash, n), each(thumbs, n)
    s.cubes = [0] * (4 * n)
    for seat, text in enumerate(cubes):
        s.cubes[4 * seat : 4 * seat + 4] = counts(text, 4)
    s.supply = [12 - sum(s.cubes[skill::4]) for skill in range(4)]
    s.jobs = [job(name) for name in jobs.split()]
    s.preview = job(preview) if preview else NONE
    others = [j for j in range(42) if j not in s.jobs and j != s.preview]
    s.job_deck = others if job_deck is None else [job(name) for name in job_deck.split()]
    s.job_under = []
    s.filled = [[] for _ in range(n)]
    s.order = ["ABCDE".index(letter) for letter in order] if order else list(range(n))
    for i, seat in enumerate(s.order):
        s.place_of[seat] = i + 1
    s.reserve, s.on_track, s.idle = [2] * n, [1] * n, [0] * n
    for name, who in (at or {}).items():
        building = Building[name.upper()]
        for letter in who:
            seat = "ABCDE".index(letter)
            s.take_meeple(seat)
            s.at[5 * building + seat] += 1
            s.here[building] += 1
    s.round_no = round_no
    s.phase = PLACE
    s.turn = 0 if turn is None else s.order.index(turn)
    s.pending = 1 << s.order[s.turn]
    s.ready = None
    s.blind = []
    check_conservation(s)
    return s


def at_auction(
    *hands: str, up: str = "W10 S10 S11", more: str = "", seen: Sequence[int] = (), **position: object
) -> WorkerPlacement:
    """A position at the first bid. up: the face-up cards; more: cards at the network that do not come up."""
    s = table(*hands, **position)  # type: ignore[arg-type]
    for c in numbers(f"{up} {more}"):
        s.deck.remove(c)
    s.network = numbers(up) + numbers(more)
    s.network_of = [NONE] * len(s.network)
    s.dice = Loaded([0] * min(3, len(s.network)))
    s.reserve, s.on_track = [2] * s.players, [1] * s.players
    auction.open_auction(s)
    s.ready = None
    s.drain()
    check_conservation(s)
    return s


def play(s: WorkerPlacement, seat: int, *actions: str) -> list[Event]:
    """Play actions by name; the events that they brought."""
    for action in actions:
        s.play(seat, s.space.parse(action))
    return s.drain()


def refused(s: WorkerPlacement, seat: int, action: str | int, code: str, clause: str = "", /, **facts: object) -> None:
    """The action is refused with this code, clause and (at least these) facts, and leaves no trace."""
    number = s.space.parse(action) if isinstance(action, str) else action
    before, events, learned = s.encode(), list(s.events or []), s.revelations
    assert number not in s.legal(seat)
    refusal = s.refusal(seat, number)
    assert refusal is not None
    with pytest.raises(IllegalAction) as caught:
        s.play(seat, number)
    assert caught.value.refusal == refusal
    assert (refusal.code, refusal.clause) == (code, clause)
    assert {name: refusal.facts.get(name) for name in facts} == facts
    assert (s.encode(), list(s.events or []), s.revelations) == (before, events, learned)
    assert GAME.words.refusal(refusal, ["Ada", "Bo", "Cy", "Dee", "Eve"])[-1] in ".?"


def accepted(s: WorkerPlacement, seat: int, action: str) -> bool:
    """Is an action among the legal ones (and then also not refused)?"""
    number = s.space.parse(action)
    legal = number in s.legal(seat)
    assert legal == (s.refusal(seat, number) is None)
    return legal


def legal(s: WorkerPlacement, seat: int) -> list[str]:
    """The legal actions by name."""
    return [s.space.name(action) for action in s.legal(seat)]


def seen(s: WorkerPlacement, seat: int | None) -> WorkerPlacementView:
    return view(s, seat)


def hand(s: WorkerPlacement, seat: int) -> str:
    return ids(s.hand[seat])


def own_cubes(s: WorkerPlacement, seat: int) -> str:
    """A player's cubes in the short form: "C1 T2"."""
    return " ".join(f"{LETTERS[i]}{n}" for i, n in enumerate(s.cubes[4 * seat : 4 * seat + 4]) if n)


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


def one(events: Iterable[Event], kind: str) -> Event:
    """The only event of this kind."""
    found = [event for event in events if event.kind == kind]
    assert len(found) == 1, f"{len(found)} events {kind}"
    return found[0]


def check_conservation(s: WorkerPlacement) -> None:
    """What cannot be otherwise in any position, whatever was played (WP-I1 to WP-I8)."""
    business = [c for cards_of in s.hand for c in cards_of] + s.deck + s.discards + s.network + s.auction
    business += [c for c in s.draft if c != NONE] + ([s.playing] if s.playing != NONE else [])
    assert sorted(business) == list(range(63))
    found = s.jobs + s.job_deck + s.job_under + [j for own in s.filled for j in own]
    found += [s.preview] if s.preview != NONE else []
    assert len(set(found)) == len(found) <= 42
    for skill in range(4):
        assert s.unlimited or sum(s.cubes[skill::4]) + s.supply[skill] == 12
    assert min(s.cubes) >= 0
    assert s.unlimited or min(s.supply) >= 0
    for seat in range(s.players):
        on_buildings = sum(s.at[5 * b + seat] for b in range(10))
        assert s.reserve[seat] + s.on_track[seat] + s.idle[seat] + on_buildings + s.spaces.count(seat) == 3
        assert min(s.reserve[seat], s.on_track[seat], s.idle[seat]) >= 0
        assert s.hand[seat] == sorted(s.hand[seat])
        assert s.spaces.count(seat) <= 2
        for c in s.hand[seat]:
            assert s.knows[c] >> seat & 1
    assert s.here == [sum(s.at[5 * b : 5 * b + 5]) for b in range(10)]
    assert min(s.at) >= 0
    assert min(s.cash) >= 0
    assert min(s.thumbs) >= 0
    assert sorted(s.order) == list(range(s.players))
    assert [s.place_of[seat] for seat in s.order] == list(range(1, s.players + 1))
    assert len(s.jobs) <= max(s.players, 4)
