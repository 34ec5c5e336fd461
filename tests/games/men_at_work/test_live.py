"""A site in motion: a hand that is steered, let go and minded, without a clock, a socket or a table."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

pytest.importorskip("shopfloor.games.men_at_work.site")

from shopfloor.engine.dice import FastDice
from shopfloor.engine.refusals import IllegalAction
from shopfloor.engine.world import NOBODY, Batch, HandRefused, find_world, world_of
from shopfloor.games.men_at_work import GAME, geometry, wire, world
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work.errand import Errand, pose_of
from shopfloor.games.men_at_work.geometry import UPRIGHT, Pose
from shopfloor.games.men_at_work.live import FORSAKEN, SILENCE, Session
from shopfloor.games.men_at_work.position import BUILD, CHOOSE, CLEANUP, SUPPLY
from shopfloor.games.men_at_work.rules import MenAtWork
from tests.games.men_at_work.table import A, B, card_with, g, new_game, w

EVERYBODY = frozenset({0, 1, 2})
NAMES = ("Ann", "Ben", "Cem")
WINDOW, OTHER = 7, 8
FREE: Pose = ((150.0, -150.0, 5.0), UPRIGHT)
"""A place on the table where nothing stands."""


ON_TOP: Pose = ((0.0, 20.0, 49.8), UPRIGHT)
"""Across the black and the white girder of the beginners' site."""


def game(what: str = "G K/O", how: str = "HIGHEST_GIRDER", **options: Any) -> MenAtWork:
    """A builds with this What and this How on the beginners' site, as it was measured."""
    state = new_game(3, **options)
    state.play_outcome(A, 0, world.measured(state, 0) or "")
    how_card = card_with(how=how)
    what_card = card_with(what, other_than=[how_card])
    state.discard, state.stack, state.stack_owner = [how_card], [what_card], [-1]
    state.rest = [card for card in range(36) if card not in (how_card, what_card)]
    state.rita_above, state.phase, state.flips = -1, CHOOSE, 1
    state.play(A, next(action for action in state.legal(A) if a.CHOOSE_GIRDER <= action < a.PLAY_ON_DECK))
    return state


def session(state: MenAtWork | None = None, people: frozenset[int] = EVERYBODY, **options: Any) -> Session:
    return Session((state or game(**options)).clone(), 5, NAMES, people)


class Hand:
    """A window that steers the hand of a session, hearing all that is told."""

    def __init__(self, live: Session, seat: int = A, window: int = WINDOW) -> None:
        self.live, self.seat, self.window = live, seat, window
        self.heard: list[dict[str, Any]] = []
        self.frames: list[wire.Look] = []
        self.seq = 0

    def tell(self, message: dict[str, object] | bytes) -> list[dict[str, Any]]:
        return self._hear(self.live.command(self.seat, self.window, message))

    def _hear(self, told: Any) -> list[dict[str, Any]]:
        said = [message for message in told if isinstance(message, dict)]
        self.frames += [wire.read_frame(message)[0] for message in told if isinstance(message, bytes)]
        self.heard += said
        return said

    def tick(self, times: int = 1) -> None:
        for _ in range(times):
            self._hear(self.live.tick())

    def aim(self, pose: Pose, lower: bool = False) -> None:
        self.seq += 1
        self.tell(wire.target(self.seq, pose, lower))
        self.tick()

    @property
    def want(self) -> Pose:
        attempt = self.live._try
        assert attempt is not None
        return attempt.want

    def go(self, goal: Pose, speed: float = 300.0) -> None:
        start = self.want
        steps = max(1, math.ceil(math.dist(start[0], goal[0]) / speed * 60))
        for k in range(1, steps + 1):
            x, y, z = (p + (q - p) * k / steps for p, q in zip(start[0], goal[0], strict=True))
            self.aim(((x, y, z), geometry.between(start[1], goal[1], k / steps)))

    def lower(self) -> None:
        pose = self.want
        for _ in range(600):
            self.aim(pose, True)
            if self.frames[-1].flags & wire.BORNE:
                return
        raise AssertionError("nothing ever bore it")

    def settle(self) -> Batch:
        for _ in range(1500):
            due = self.live.due()
            if due is not None:
                assert due[0] == self.seat
                return due[1]
            self.tick()
        raise AssertionError("it never came to rest")

    def place(self, goal: Pose) -> Batch:
        """Up, over and down, and let go."""
        (x, y, z), turn = self.want
        (gx, gy, gz), wanted = goal
        over = max(z + 20, 140.0)
        self.go(((x, y, over), turn))
        self.go(((gx, gy, over), wanted))
        self.go(((gx, gy, gz + 15), wanted))
        self.lower()
        self.tell({"t": "release"})
        return self.settle()


def stored(state: MenAtWork, batch: Batch) -> MenAtWork:
    """The position that a table has when it has stored a batch."""
    after = state.clone()
    for action, outcome in batch.decisions:
        if outcome is None:
            after.play(after.hook, action)
        else:
            after.play_outcome(after.hook, action, outcome)
    return after


def followed(hand: Hand, after: MenAtWork) -> dict[str, Any]:
    """What the session tells when the table has stored what was due."""
    [told] = [m for m in hand.live.follow(after, 7, EVERYBODY, True) if isinstance(m, dict)]
    return told


def refused(code: str, hand: Hand, message: dict[str, object] | bytes) -> HandRefused:
    """The hand is refused this, and nothing has changed by it."""
    before = hand.live.site.poses(), hand.live.state.encode(), hand.live._try and hand.live._try.want
    with pytest.raises(HandRefused) as caught:
        hand.tell(message)
    assert caught.value.code == code
    assert caught.value.sentence.endswith((".", "?"))
    assert before == (hand.live.site.poses(), hand.live.state.encode(), hand.live._try and hand.live._try.want)
    return caught.value


def first_grip(live: Session) -> int:
    turn: Any = live.hello(A, WINDOW)["turn"]
    found: int = turn["grips"][0]
    return found


# -- a turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-S.7", "MW-6.1", "MW-17.12")
def test_a_girder_is_carried_lowered_and_let_go_and_only_then_there_is_something_to_store() -> None:
    state = game()
    hand = Hand(session(state))
    piece = first_grip(hand.live)
    assert piece == g("K", 2)
    assert not hand.live.awake()
    [grip] = hand.tell(bytes([wire.GRIP, piece]))
    assert grip["unit"] == [piece]
    assert hand.live.busy()
    assert hand.live.due() is None
    batch = hand.place(ON_TOP)
    assert [action for action, _ in batch.decisions] == [a.GRIP + piece, a.RELEASE]
    assert [outcome is None for _, outcome in batch.decisions] == [True, False]
    after = stored(state, batch)
    assert not after.held
    assert after.placed == [piece]
    rest = followed(hand, after)
    assert rest["t"] == "rest"
    assert rest["number"] == 7
    assert not rest["accident"]
    assert all(finding["met"] for finding in rest["findings"])
    assert not hand.live.awake()
    after.play(A, a.FINISH)
    assert after.hook == B


def test_a_second_go_at_the_same_piece() -> None:
    state = game()
    hand = Hand(session(state))
    piece = first_grip(hand.live)
    hand.tell({"t": "grip", "piece": piece})
    state = stored(state, hand.place(FREE))
    hand.live.follow(state.clone(), 7, EVERYBODY, True)
    hand.tell({"t": "grip", "piece": piece})
    state = stored(state, hand.place(ON_TOP))
    state.play(A, a.FINISH)
    assert state.hook == B


def test_the_film_shows_what_happened_and_ends_where_the_site_is() -> None:
    hand = Hand(session())
    piece = first_grip(hand.live)
    before = hand.live.site.poses()
    hand.tell({"t": "grip", "piece": piece})
    batch = hand.place(ON_TOP)
    head, frames = wire.read_film(batch.motion)
    start: Any = head["pieces"]
    assert {row[0] for row in start} == set(before)
    assert head["held"] == [piece]
    heights = [poses[piece][0][2] for _, poses in frames if piece in poses]
    assert max(heights) > 120
    seen: dict[int, Pose] = {}
    for _, poses in frames:
        seen |= poses
    for number, (place, _) in seen.items():
        assert math.dist(place, hand.live.site.pose(number)[0]) < 0.05
    assert len(batch.motion) < 12_000
    assert world.replay(batch.motion) == wire.developed(batch.motion)


@pytest.mark.rule("MW-9.1", "MW-9.3", "MW-A.22", "MW-J.11")
def test_an_accident_is_told_in_the_tick_it_happens_and_what_was_held_goes_back() -> None:
    state = game()
    hand = Hand(session(state))
    piece = first_grip(hand.live)
    hand.tell({"t": "grip", "piece": piece})
    (x, y, _), turn = hand.want
    hand.go(((x, y, 40.0), turn))
    while not any(m["t"] == "accident" for m in hand.heard):  # right through what stands there
        hand.go(((x, hand.want[0][1] + 10, 40.0), turn))
    refused("AT_REST_SOON", hand, {"t": "release"})
    [told] = [m for m in hand.heard if m["t"] == "accident"]
    assert told["kind"] == "surface"
    assert told["words"].startswith("Accident!")
    batch = hand.settle()
    after = stored(state, batch)
    assert after.certificates[A] == state.certificates[A] - 1
    assert (after.hook, after.phase) == (B, CLEANUP)
    assert after.place[piece] == SUPPLY
    rest = followed(hand, after)
    assert rest["accident"]
    assert rest["back"] == [piece]
    assert rest["phase"] == "CLEANUP"
    assert rest["turn"]["kind"] == "clean"


def test_the_worlds_hand_builds_at_once_and_for_people_to_see_the_same() -> None:
    state = game()
    errand = world.errand(state, A, "black girder 2", [*ON_TOP[0], 0.0], [])
    batch = world.carry(state, errand)
    after = stored(state, batch)
    after.play(A, a.FINISH)
    assert after.hook == B
    live = session(state)
    hand = Hand(live)
    said = hand.tell({"t": "place", "piece": "black girder 2", "pose": [*ON_TOP[0]]})
    assert [m["t"] for m in said] == ["grip"]
    hand.tick(5)
    assert hand.frames[-1].flags & wire.CARRIED
    hand.aim(FREE)  # is not listened to
    seen = hand.settle()
    for one, other in zip(stored(state, seen).measure.poses, after.measure.poses, strict=True):
        assert one[0] == other[0]
        assert math.dist(one[1:4], other[1:4]) < 100  # a tenth of a millimetre


def test_a_way_around_and_down() -> None:
    state = game()
    via = [[150, -150, 160], [150, 60, 160], [0, 20, 160, 90], [0, 20, 160, 0]]
    batch = world.carry(state, world.errand(state, A, g("K", 2), [*ON_TOP[0], 0], via))
    _, frames = wire.read_film(batch.motion)
    assert max(poses[g("K", 2)][0][0] for _, poses in frames if g("K", 2) in poses) > 145
    assert stored(state, batch).placed == [g("K", 2)]


@pytest.mark.rule("MW-3.8")
def test_a_site_of_ones_own() -> None:
    state = new_game(3)
    drawn = json.loads(world.measured(state, 0) or "")
    poses = {str(row[0]): [*(v / 1000 for v in row[1:4]), *(v / 1e7 for v in row[4:])] for row in drawn["poses"]}
    batch = world.carry(state, world.arrangement(state, A, poses))
    assert batch.decisions[0][0] == a.DESIGN_FREE
    after = stored(state, batch)
    assert {row[0] for row in after.measure.poses} == {row[0] for row in drawn["poses"]}
    live = session(state)
    hand = Hand(live)
    rows = [[int(piece), *pose] for piece, pose in poses.items()]
    assert hand.tell({"t": "design", "poses": rows}) == []
    due = live.due()
    assert due is not None
    assert live.follow(stored(state, due[1]), 3, EVERYBODY, True) == [{"t": "hello"}]
    assert live.hello(A, WINDOW)["phase"] != "SITE_DESIGN"
    refused("BAD_SETUP_PIECES", Hand(session(new_game(3))), {"t": "design", "poses": rows[:-3]})


# -- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-6.1", "MW-6.2", "MW-4.3", "MW-A.20")
def test_grips_that_are_none() -> None:
    hand = Hand(session())
    piece = first_grip(hand.live)
    refused("NOT_THIS_TURNS_PIECE", hand, bytes([wire.GRIP, g("O", 1)]))
    refused("NOT_THIS_TURNS_PIECE", hand, {"t": "grip", "piece": w(1)})
    refused("UNKNOWN_PIECE", hand, bytes([wire.GRIP, 200]))
    for nonsense in (None, -1, 92, "girder", True, 1.5, [piece]):
        refused("UNKNOWN_PIECE", hand, {"t": "grip", "piece": nonsense})
    refused("NOT_YOUR_DECISION", Hand(hand.live, B), {"t": "grip", "piece": piece})
    refused("NOTHING_HELD", hand, {"t": "release"})
    refused("NOTHING_HELD", hand, wire.target(1, FREE))
    hand.tell({"t": "grip", "piece": piece})
    refused("ONE_HAND_ONLY", hand, {"t": "grip", "piece": piece})
    refused("NOT_YOUR_DECISION", Hand(hand.live, B), {"t": "release"})
    hand.tick(3)
    hand.tell({"t": "release"})
    refused("AT_REST_SOON", hand, {"t": "release"})


def test_nothing_is_gripped_out_of_phase() -> None:
    state = game()
    state.play(A, a.GRIP + g("K", 2), None)
    assert state.held
    with pytest.raises(HandRefused):
        Session(state, 5, NAMES, EVERYBODY)
    choosing = new_game(3)
    choosing.play_outcome(A, 0, world.measured(choosing, 0) or "")
    refused("WRONG_PHASE", Hand(session(choosing)), {"t": "grip", "piece": g("K", 2)})
    computers = session(people=frozenset({B}))
    refused("NOT_YOUR_DECISION", Hand(computers), {"t": "grip", "piece": g("K", 2)})


def test_targets_that_no_hand_can_follow() -> None:
    hand = Hand(session())
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    hand.tick(10)
    (x, y, z), turn = hand.want
    refused("NOT_FINITE", hand, wire.target(1, ((math.nan, y, z), turn)))
    refused("NOT_FINITE", hand, wire.target(2, ((x, math.inf, z), turn)))
    refused("NOT_FINITE", hand, wire.target(2, ((x, y, z), (math.nan, 0, 0, 0))))
    refused("NO_TURN", hand, wire.target(3, ((x, y, z), (0.0, 0.0, 0.0, 0.0))))
    refused("OUT_OF_REACH", hand, wire.target(4, ((x, y - 230, z), turn)))
    refused("OUT_OF_REACH", hand, wire.target(4, ((x, y, -50.0), turn)))
    jump = refused("TELEPORT", hand, wire.target(5, ((x, y + 260, z), turn)))
    assert jump.facts["seq"] == 5
    assert jump.to == "target"
    refused("MALFORMED", hand, wire.target(6, FREE)[:-1])
    refused("MALFORMED", hand, b"")
    refused("MALFORMED", hand, bytes([99]))
    refused("MALFORMED", hand, bytes([wire.RELEASE, 1]))
    refused("MALFORMED", hand, {"t": "fly"})
    refused("MALFORMED", hand, {})
    hand.tick(20)
    assert hand.frames[-1].ack == 0
    assert math.dist(hand.live.site.pose(first_held(hand))[0], (x, y, z)) < 0.5


def first_held(hand: Hand) -> int:
    assert hand.live.site.hand is not None
    return hand.live.site.hand.unit[0]


@pytest.mark.parametrize(
    ("pose", "code"),
    [
        ("up there", "MALFORMED"),
        ([1, 2], "MALFORMED"),
        ([1, 2, 3, 4, 5], "MALFORMED"),
        ([1, 2, "3"], "NOT_FINITE"),
        ([1, 2, math.nan], "NOT_FINITE"),
        ([1e9, 2, 3], "NOT_FINITE"),
        ([400, 2, 3], "OUT_OF_REACH"),
        ([0, 0, 900], "OUT_OF_REACH"),
        ([0, 0, 50, 0, 0, 0, 0], "NO_TURN"),
        (None, "MALFORMED"),
        ({"x": 1}, "MALFORMED"),
    ],
)
def test_errands_to_nowhere(pose: object, code: str) -> None:
    live = session()
    refused(code, Hand(live), {"t": "place", "piece": g("K", 2), "pose": pose})
    refused(code, Hand(live), {"t": "place", "piece": g("K", 2), "pose": [0, 20, 50], "via": [pose]})
    assert not live.busy()
    with pytest.raises(HandRefused):
        pose_of(pose)


def test_errands_that_make_no_sense() -> None:
    state = game()
    live = session(state)
    refused("NOT_THIS_TURNS_PIECE", Hand(live), {"t": "place", "piece": "white girder 1", "pose": [0, 0, 60]})
    refused("UNKNOWN_PIECE", Hand(live), {"t": "place", "piece": "pink girder 1", "pose": [0, 0, 60]})
    refused("MALFORMED", Hand(live), {"t": "place", "piece": 1, "pose": [0, 0, 60], "via": 3})
    refused("MALFORMED", Hand(live), {"t": "place", "piece": 1, "pose": [0, 0, 60], "via": [[0, 0, 60]] * 65})
    refused("WRONG_PHASE", Hand(live), {"t": "design", "poses": [[0, 0, 0, 60]]})
    refused("MALFORMED", Hand(session(new_game(3))), {"t": "design", "poses": "mine"})
    with pytest.raises(IllegalAction):
        world.errand(state, B, g("K", 2), [0, 0, 60], [])
    with pytest.raises(IllegalAction):
        world.arrangement(state, A, {})


# -- putting back, several windows, hands that are left -------------------------------------------------------------


def test_what_has_stirred_nothing_can_be_put_back() -> None:
    state = game()
    hand = Hand(session(state))
    piece = first_grip(hand.live)
    hand.tell({"t": "grip", "piece": piece})
    hand.go(((120.0, -150.0, 120.0), UPRIGHT))
    [put] = hand.tell({"t": "cancel"})
    assert put["t"] == "put"
    assert piece not in {row[0] for row in put["pieces"]}
    assert hand.live.state.encode() == state.encode()
    assert not hand.live.busy()
    hand.tell({"t": "grip", "piece": piece})
    after = stored(state, hand.place(ON_TOP))
    assert after.placed == [piece]


def test_what_has_moved_something_cannot() -> None:
    hand = Hand(session())
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    top = g("K", 1)
    start = hand.live.site.pose(top)[0]
    hand.go(((0.0, -120.0, 120.0), UPRIGHT))
    hand.go(((0.0, -120.0, 41.0), UPRIGHT))
    for _ in range(60):
        hand.go(((0.0, hand.want[0][1] + 1.0, 41.0), UPRIGHT), 60.0)
        if math.dist(start, hand.live.site.pose(top)[0]) > 2.0:
            break
    assert hand.live.site.accident is None
    refused("STIRRED", hand, {"t": "cancel"})


def test_two_windows_of_a_seat_have_one_hand() -> None:
    live = session()
    first, second = Hand(live), Hand(live, window=OTHER)
    piece = first_grip(live)
    first.tell({"t": "grip", "piece": piece})
    first.seq = 5000
    first.aim(first.want)
    assert first.frames[-1].ack == 5001
    held: Any = live.hello(A, WINDOW)["held"]
    assert held["mine"]
    other: Any = live.hello(A, OTHER)["held"]
    assert not other["mine"]
    refused("HAND_ELSEWHERE", second, {"t": "release"})
    refused("HAND_ELSEWHERE", second, wire.target(1, first.want))
    live.left(WINDOW)
    second.go(((100.0, -150.0, 150.0), UPRIGHT))
    assert second.frames[-1].ack == second.seq < 100
    refused("HAND_ELSEWHERE", first, {"t": "cancel"})
    second.tick(SILENCE)
    assert first.tell({"t": "cancel"})[0]["t"] == "put"


def test_a_hand_that_nobody_minds_puts_its_piece_back() -> None:
    live = session()
    hand = Hand(live)
    hand.tell({"t": "grip", "piece": first_grip(live)})
    hand.tick(5)
    live.left(OTHER)
    live.left(WINDOW)
    hand.tick(FORSAKEN - 10)
    assert live.busy()
    hand.tick(20)
    assert not live.busy()
    assert [m["t"] for m in hand.heard] == ["grip", "put"]


# -- following the table --------------------------------------------------------------------------------------------


def test_others_coming_and_going_disturbs_nobody() -> None:
    state = game()
    hand = Hand(session(state))
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    hand.tick(5)
    assert hand.live.follow(state.clone(), 6, EVERYBODY, False) == []
    assert hand.live.busy()
    assert hand.live.number == 6
    assert hand.place(ON_TOP).decisions


def test_whoever_leaves_puts_down_what_is_in_the_hand_but_not_what_falls() -> None:
    state = game()
    hand = Hand(session(state))
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    hand.tick(5)
    [put] = [m for m in hand.live.follow(state.clone(), 6, frozenset({B}), False) if isinstance(m, dict)]
    assert put["t"] == "put"
    assert not hand.live.busy()
    assert hand.live.hello(A, WINDOW)["may"] is False
    hand = Hand(session(state))
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    hand.tick(5)
    hand.tell({"t": "release"})
    hand.tick(5)
    assert hand.live.follow(state.clone(), 6, frozenset({B}), False) == []
    assert stored(state, hand.settle()).certificates[A] == state.certificates[A] - 1


def test_a_table_that_has_moved_on_takes_the_piece_out_of_the_hand() -> None:
    state = game()
    hand = Hand(session(state))
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    hand.tick(5)
    elsewhere = stored(state, world.carry(state, world.errand(state, A, g("K", 2), list(FREE[0]), [])))
    assert hand.live.follow(elsewhere.clone(), 8, EVERYBODY, False) == [{"t": "hello"}]
    assert not hand.live.busy()
    assert g("K", 2) in hand.live.site.bodies


def test_a_session_that_begins_in_mid_turn_knows_this_turns_pieces() -> None:
    """As after the death of a process: the piece that was placed is still one that may touch the table."""
    state = game()
    state = stored(state, world.carry(state, world.errand(state, A, g("K", 2), list(ON_TOP[0]), [])))
    hand = Hand(session(state))
    hand.tell({"t": "grip", "piece": g("K", 2)})
    after = stored(state, hand.place(FREE))
    assert after.phase == BUILD
    assert after.accidents == 0


# -- table options --------------------------------------------------------------------------------------------------


@pytest.mark.rule("MW-A.67")
def test_tremor_by_the_tables_option() -> None:
    spread = {}
    for tremor in ("none", "light", "expert"):
        hand = Hand(session(tremor=tremor))
        piece = first_grip(hand.live)
        hand.tell({"t": "grip", "piece": piece})
        hand.tick(30)
        seen = []
        for _ in range(240):
            hand.tick()
            seen.append(hand.live.site.pose(piece)[0][0])
        mean = sum(seen) / len(seen)
        spread[tremor] = math.sqrt(sum((x - mean) ** 2 for x in seen) / len(seen))
    assert spread["none"] < 0.01
    assert 0.1 < spread["light"] < 0.8
    assert 0.4 < spread["expert"] < 2.0
    assert spread["expert"] > 1.5 * spread["light"]


@pytest.mark.rule("MW-A.68")
def test_time_to_build_opens_the_hand_and_has_it_judged() -> None:
    state = game(build_time="30")
    hand = Hand(session(state))
    assert hand.live.awake()
    assert hand.live.hello(A, WINDOW)["seconds"] == 30
    hand.tick(60 * 15)
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    hand.go(((150.0, -150.0, 20.0), UPRIGHT))
    hand.lower()
    hand.tick(60 * 15)
    assert [m["t"] for m in hand.heard if m["t"] != "clock"] == ["grip", "time", "letgo"]
    assert hand.heard[0] == {"t": "clock", "seconds": 29}
    batch = hand.settle()
    assert [action for action, _ in batch.decisions][1:] == [a.RELEASE, a.FINISH]
    after = stored(state, batch)
    assert after.attempts >= 1
    hand.live.follow(after.clone(), 8, EVERYBODY, True)
    assert hand.live.hello(A, WINDOW)["seconds"] == 30


@pytest.mark.rule("MW-A.68")
def test_who_takes_nothing_in_hand_fails_until_it_is_given_up() -> None:
    state = game(build_time="30")
    hand = Hand(session(state))
    played = []
    for number in range(4):
        hand.tick(60 * 30)
        batch = hand.settle()
        played.append([action for action, _ in batch.decisions])
        state = stored(state, batch)
        hand.live.follow(state.clone(), 10 + number, EVERYBODY, True)
    piece = g("K", 2)
    assert played == [[a.GRIP + piece, a.RELEASE, a.FINISH], [a.FINISH], [a.FINISH], [a.GIVE_UP]]
    assert state.hook == B
    assert not session(game(build_time="30"), people=frozenset({B})).awake()


@pytest.mark.rule("MW-A.69")
def test_a_preview_shows_where_it_would_come_to_rest() -> None:
    refused_hand = Hand(session())
    refused_hand.tell({"t": "grip", "piece": first_grip(refused_hand.live)})
    refused("NO_PREVIEW", refused_hand, {"t": "preview"})
    hand = Hand(session(rest_preview="on"))
    piece = first_grip(hand.live)
    hand.tell({"t": "grip", "piece": piece})
    hand.go(((0.0, 20.0, 140.0), UPRIGHT))
    hand.tick(20)
    [shown] = hand.tell({"t": "preview"})
    assert shown["pieces"][0][0] == piece
    assert math.dist(shown["pieces"][0][1:4], ON_TOP[0]) < 1.0
    assert not shown["falls"]
    assert hand.tell({"t": "preview"}) == []
    hand.tick(15)
    hand.go(((95.0, 20.0, 140.0), UPRIGHT))
    hand.tick(15)
    [shown] = hand.tell({"t": "preview"})
    assert shown["falls"]
    assert hand.live.site.poses().keys() >= {piece}


# -- computers ------------------------------------------------------------------------------------------------------


def test_computers_think_of_decisions_or_errands() -> None:
    state = game()
    thought = world.think(state.clone(), "apprentice", 3, 1.0)
    assert isinstance(thought, Errand)
    assert thought.route is not None
    live = session(state, people=frozenset())
    hand = Hand(live, window=NOBODY)
    told = live.errand(A, thought)
    assert [m["t"] for m in told if isinstance(m, dict)] == ["grip"]
    batch = hand.settle()
    assert len(batch.decisions) == 2
    assert isinstance(world.think(new_game(3), "random", 3, 1.0), int)
    with pytest.raises(HandRefused):
        live.errand(B, thought)


def test_the_world_is_found_by_its_game_and_missing_where_it_is_not_installed() -> None:
    assert world_of(GAME) is world
    assert find_world(GAME) is world
    assert world.by_hand(game(), a.GRIP)
    assert world.by_hand(game(), a.RELEASE)
    assert not world.by_hand(game(), a.FINISH)
    assert "place black girder 2 at" in world.help(game())
    assert world.help(new_game(3)) == ""
    assert world.measured(game(), a.FINISH) is None


# -- the wire -------------------------------------------------------------------------------------------------------


def test_frames_are_as_fine_as_they_say() -> None:
    rng = FastDice(4)
    poses: dict[int, Pose] = {}
    for piece in range(60):
        parts = [rng.below(2001) / 1000 - 1 for _ in range(4)]
        place = tuple(rng.below(12000) / 10 - 600 for _ in range(2))
        poses[piece] = ((place[0], place[1], rng.below(9000) / 10 - 200), geometry.normalised(parts))
    poses[-6] = poses[0]
    look = wire.Look(2**32 + 5, 77, 33, 12, 11.25, (1.0, -2.5, 399.0), (3.0, 4.0), (-1, 3, -6))
    data = wire.frame(look, poses)
    assert len(data) == wire.HEADER.size + 3 + 13 * 61
    seen, found = wire.read_frame(data)
    assert seen == wire.Look(5, 77, 33, 12, 11.24, (1.0, -2.5, 399.0), (3.0, 4.0), (-1, 3, -6))
    for piece, (place, turn) in poses.items():
        at, q = found[piece]
        assert all(abs(u - v) <= 0.0101 for u, v in zip(place, at, strict=True))
        angle = 2 * math.acos(min(1.0, abs(sum(u * v for u, v in zip(turn, q, strict=True)))))
        assert angle * 90 < 0.02  # mm at the end of a girder
    for broken in (b"", data[:-1], b"\x02" + data[1:]):
        with pytest.raises(ValueError, match="frame"):
            wire.read_frame(broken)


def test_a_held_piece_costs_little_on_the_wire() -> None:
    hand = Hand(session())
    hand.tell({"t": "grip", "piece": first_grip(hand.live)})
    hand.tick(5)
    sizes = []
    for k in range(60):
        if k < 20:
            (x, y, z), turn = hand.want
            hand.tell(wire.target(k + 1, ((x + 2, y, z), turn)))
        sizes += [len(m) for m in hand.live.tick() if isinstance(m, bytes)]
    assert max(sizes) == 38
    assert min(sizes) == 25, "what has not moved is not told again"


@pytest.mark.parametrize("seed", range(2))
def test_whatever_windows_send_the_table_gets_only_what_its_rules_take(seed: int) -> None:
    """Random commands from three seats' windows: refused or done, and everything that is due can be stored."""
    rng = random.Random(seed)
    state = game(tremor="light", rest_preview="on", attempt_limit="5")
    live = session(state)
    done = 0
    reasons: list[str] = []

    def number() -> float:
        return rng.choice([0.0, 50.0, -150.0, rng.uniform(-400, 400), rng.uniform(0, 300), math.nan, 1e30])

    def message() -> Any:
        pose = [number() for _ in range(rng.choice([3, 3, 4, 7, 2]))]
        at = live.site.hand.want[0] if live.site.hand is not None else (0.0, 0.0, 50.0)
        near = tuple(v + rng.uniform(-60, 60) for v in at)
        return rng.choice(
            [
                bytes(rng.randrange(256) for _ in range(rng.randrange(40))),
                bytes([wire.GRIP, rng.randrange(92)]),
                bytes([wire.GRIP, g("K", 2)]),
                bytes([wire.RELEASE]),
                bytes([wire.CANCEL]),
                wire.target(rng.randrange(100), ((near[0], near[1], near[2]), UPRIGHT), rng.random() < 0.3),
                wire.target(rng.randrange(100), ((number(), number(), number()), UPRIGHT)),
                {"t": "place", "piece": g("K", 2), "pose": [rng.uniform(-150, 150), rng.uniform(-150, 150), 50]},
                {"t": "place", "piece": rng.choice([g("K", 2), 0, "x", None]), "pose": pose, "via": [pose]},
                {"t": rng.choice(["grip", "preview", "design", "nonsense"]), "piece": rng.choice([None, 9, "9"])},
            ]
        )

    for _ in range(250):
        try:
            live.command(rng.choice([A, A, A, B]), rng.choice([WINDOW, WINDOW, OTHER]), message())
        except HandRefused as error:
            reasons.append(error.sentence)
        for _ in range(rng.choice([0, 1, 5, 30])):
            live.tick()
        due = live.due()
        if due is not None:
            state = stored(state, due[1])
            assert not state.held
            done += 1
            if state.phase != BUILD:  # an accident, or a site that may stay as it is
                state = game(tremor="light", rest_preview="on", attempt_limit="5")
            live.follow(state.clone(), 10 + done, EVERYBODY, state.phase == BUILD)
        if rng.random() < 0.02:
            live.left(rng.choice([WINDOW, OTHER]))
        assert bool(live.state.held) == (live._try is not None)
    assert done
    assert len(set(reasons)) > 5
    assert all(reasons)
