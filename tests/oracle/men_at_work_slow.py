"""Men at Work once more, slow and plain: what the fast rules and their judge are compared with.

Written from the rulebook and its specification. A whole game is one generator: it yields who must choose among what,
by name, and is sent the choice with what was measured when it had had its way. It shares nothing with the fast rules
but the file of cards, which it reads by itself; what was measured is read from what stands in a record. Cards come by
the dice: a number among those that are face down.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Choice = tuple[str, str | None]
Playing = Generator[tuple[int, set[str]], Choice, None]

COLOURS = ("black", "orange", "purple", "white")
MM = 1000
LENGTH = 180 * MM
END_ZONE = LENGTH // 10
EDGE_ZONE = LENGTH * 6 // 100
LEVEL = 1 * MM  # heights closer than this are equal
BEARS = 20  # thousandths of a weight
COVERED = 950  # thousandths of a face
REACH = 104.0  # millimetres, of a beam and two arms
SURFACE, FLOOR, EDGE, INSERT, PLATFORM = -1, -2, -3, -4, -5
LEGS, ARMS = (0, 1), (3, 4)
GOAL = {2: 5, 3: 4, 4: 4, 5: 3}
LOADS = {
    "ONE_BRICK": ("brick",),
    "TWO_BRICKS": ("brick", "brick"),
    "ONE_BEAM": ("beam",),
    "TWO_BEAMS": ("beam", "beam"),
    "BRICK_AND_BEAM": ("brick", "beam"),
    "TRANSPORT_BEAM": ("beam",),
    "CONNECT": ("beam",),
}


@dataclass(eq=False)
class Piece:
    number: int
    kind: str
    colour: str
    nth: int
    where: str = "supply"  # or site, dead

    def __str__(self) -> str:
        return f"{self.colour} {self.kind} {self.nth}".strip()


def box() -> list[Piece]:
    made: list[Piece] = []
    for kind, count in (("support", 8), ("girder", 28), ("worker", 16), ("hat", 16), ("beam", 12), ("brick", 12)):
        for n in range(count):
            colour = COLOURS[n // 7] if kind == "girder" else ""
            made.append(Piece(len(made), kind, colour, n % 7 + 1 if kind == "girder" else n + 1))
    return made


@dataclass(eq=False)
class Card:
    id: str
    helmet: bool | None
    colours: tuple[str, str]
    girder: str
    worker: str


def read_cards(folder: Path, split: str) -> list[Card]:
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    column = "deck_kind" if split == "24_12" else "deck_kind_18_18"
    return [
        Card(
            row["id"],
            row[column] == "helmet",
            (row["deck_colour_1"], row["deck_colour_2"]),
            row["girder_instruction"],
            row["worker_instruction"],
        )
        for row in rows
    ]


# -- what was measured ----------------------------------------------------------------------------------------------


@dataclass
class Touch:
    """a touches b, which carries `bears` thousandths of it; `along`: where on a girder a, `there`: where on b."""

    a: int
    part: int
    b: int
    other_part: int
    bears: int
    along: tuple[int, int]
    there: tuple[int, int]


@dataclass
class Site:
    poses: dict[int, list[int]] = field(default_factory=dict)
    tops: dict[int, int] = field(default_factory=dict)
    worn: dict[int, int] = field(default_factory=dict)
    covers: list[list[int]] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    settled: bool = True
    by_hand: list[int] = field(default_factory=list)

    @staticmethod
    def measured(text: str) -> tuple[Site, dict[str, Any]]:
        found = json.loads(text)
        site = Site(
            {row[0]: row[1:] for row in found["poses"]},
            dict(found["tops"]),
            dict(found["worn"]),
            found["covers"],
            [],
            found["settled"],
            found.get("touched", []),
        )
        for a, b, part_a, part_b, up_a, up_b, from_a, to_a, from_b, to_b in found["contacts"]:
            site.touches.append(Touch(a, part_a, b, part_b, up_a, (from_a, to_a), (from_b, to_b)))
            site.touches.append(Touch(b, part_b, a, part_a, up_b, (from_b, to_b), (from_a, to_a)))
        return site, found

    def take(self, gone: Iterable[int]) -> None:
        away = set(gone)
        self.poses = {p: pose for p, pose in self.poses.items() if p not in away}
        self.tops = {p: top for p, top in self.tops.items() if p not in away}
        self.worn = {hat: w for hat, w in self.worn.items() if not {hat, w} & away}
        self.covers = [c for c in self.covers if not set(c[:2]) & away]
        self.touches = [t for t in self.touches if not {t.a, t.b} & away]

    def of(self, a: int) -> list[Touch]:
        """MW-J.1: what a touches; a worker's own hat is not among it."""
        return [t for t in self.touches if t.a == a and self.worn.get(a) != t.b and self.worn.get(t.b) != a]

    def touched(self, a: int) -> set[int]:
        return {t.b for t in self.of(a)}

    def rests(self, a: int, b: int, parts: tuple[int, ...] = (0, 1, 2, 3, 4, 5)) -> bool:
        """MW-J.2."""
        return b in self.touched(a) and sum(t.bears for t in self.of(a) if t.b == b and t.other_part in parts) >= BEARS

    def carriers(self, a: int) -> set[int]:
        return {b for b in self.touched(a) if self.rests(a, b)}


# -- the game -------------------------------------------------------------------------------------------------------


@dataclass
class Player:
    seat: int
    certificates: int
    awards: int = 0
    hand: list[Card] = field(default_factory=list)

    @property
    def plays(self) -> bool:
        return self.certificates > 0


class Halted(Exception):
    """The game is over."""


class SlowMenAtWork:
    def __init__(self, players: int, options: dict[str, str], folder: Path, dice: Any) -> None:
        self.options = options
        self.dice = dice
        cards = read_cards(folder, options["deck_split"])
        self.rita = next(card for card in cards if card.id == "rita")
        self.hidden = [card for card in cards if card is not self.rita]
        self.number = {card.id: n for n, card in enumerate(self.hidden)}
        experts = range(players) if options["expert"] == "all" else options["expert"].split("+")
        self.players = [Player(n, 2 if str(n) in map(str, experts) else 3) for n in range(players)]
        self.boss = self.players[int(options["youngest"])]
        self.shapes = json.loads((folder / "pieces.json").read_text(encoding="utf-8"))
        self.pieces = box()
        self.site = Site()
        self.discard: list[Card] = []
        self.seen: list[Card] = []  # of the deck, the topmost last
        self.rita_here = False
        self.over = False
        self.cause = ""
        self.phase = "SITE_DESIGN"
        self.crane = ""
        self.turn_pieces: list[list[Piece]] = []  # taken in hand together
        self.step_of: dict[Piece, int] = {}
        self.step = 0
        self.tries = 0
        self.hand: list[Piece] = []
        self.placed: set[Piece] = set()
        self.fallen: set[Piece] = set()
        self.before: set[int] = set()
        self.heights: dict[int, int] = {}
        self.pushes: dict[Piece, int] = {}
        self.colour = ""
        self.played = 0
        if self.on("foreman"):
            for player in self.players:
                player.hand = sorted((self.draw() for _ in range(2)), key=lambda c: self.number[c.id])
        size, jitter = len(self.hidden), int(options["rita_jitter"])
        self.rita_under: int | None = size // 4 + (dice.below(2 * jitter + 1) - jitter if jitter else 0)
        self.turn_up()

    def on(self, option: str) -> bool:
        return self.options[option] == "on"

    # -- cards ------------------------------------------------------------------------------------------------------

    def draw(self) -> Card:
        return self.hidden.pop(self.dice.below(len(self.hidden)))

    def turn_up(self) -> None:
        """The deck shows its top."""
        if self.seen:
            return
        if self.rita_under == 0:
            self.rita_under = None
            if self.options["rita_back"] == "what":
                self.seen = [self.rita]
            else:
                self.rita_here = True
                self.turn_up()
            return
        if self.hidden:
            self.seen = [self.draw()]
            if self.rita_under is not None:
                self.rita_under -= 1

    def flip(self) -> None:
        if len(self.hidden) + len(self.seen) + (self.rita_under is not None) == 1:
            card, aside = self.seen.pop(), self.discard
            self.hidden = sorted(aside, key=lambda c: self.number[c.id])
            self.discard = []
        else:
            card = self.seen.pop()
        if card is self.rita:
            self.rita_here = True
            self.turn_up()
            self.flip()
            return
        self.discard.append(card)
        self.turn_up()

    @property
    def what(self) -> Card:
        return self.seen[-1]

    @property
    def how(self) -> str:
        card = self.discard[-1]
        return card.worker if self.what.helmet else card.girder

    # -- pieces -----------------------------------------------------------------------------------------------------

    def there(self, kind: str, colour: str = "", where: str = "site") -> list[Piece]:
        return [p for p in self.pieces if p.kind == kind and p.colour.startswith(colour) and p.where == where]

    def spare(self, kind: str, colour: str = "") -> list[Piece]:
        return self.there(kind, colour, "supply")

    def put_away(self, piece: Piece) -> None:
        piece.where = "supply"
        self.fallen.discard(piece)

    def can(self, colour: str) -> bool:
        """MW-A.9 to MW-A.11: can the card be followed with this colour?"""
        how = self.how
        if self.what.helmet:
            loads = LOADS.get(how, ())
            if not self.there("girder", colour) or len(self.spare("worker")) < 1 + (how == "ADDITIONAL_WORKER"):
                return False
            if any(len(self.spare(load)) < loads.count(load) for load in loads):
                return False
            return how != "CONNECT" or self.within_reach(colour)
        if not self.spare("girder", colour):
            return False
        girders = {p.colour for p in self.there("girder")}
        if how.startswith("NEW_SUPPORT") and not self.spare("support"):
            return False
        return {
            "BALANCE": bool(girders),
            "SAME_COLOUR": colour in girders,
            "TWO_OTHER_COLOURS": len(girders - {colour}) > 1,
            "TOUCH_HIGHEST": bool(girders),
            "WITH_WORKER": bool(self.spare("worker")),
            "STRONG_WORKER": bool(self.there("worker")),
            "NEW_SUPPORT_SAME": colour in girders,
            "NEW_SUPPORT_DIFFERENT": bool(girders - {colour}),
            "NEW_SUPPORT_ON_GIRDER": bool(girders),
            "TOUCH_SUPPORT": bool(self.there("support")),
            "TRANSPORT_BRICK": bool(self.spare("brick")),
            "HIGHEST_GIRDER": True,
        }[how]

    def within_reach(self, colour: str) -> bool:
        workers = self.there("worker")
        if self.options["geometry_escape"] == "none":
            return bool(workers)
        for girder in self.there("girder", colour):
            x, y, z, w, i, j, k = self.site.poses[girder.number]
            n = w * w + i * i + j * j + k * k
            axis = ((w * w + i * i - j * j - k * k) / n, 2 * (i * j + w * k) / n, 2 * (i * k - w * j) / n)
            for worker in workers:
                away = [(v - u) / MM for u, v in zip((x, y, z), self.site.poses[worker.number], strict=False)]
                along = max(-90.0, min(90.0, sum(a * b for a, b in zip(away, axis, strict=True))))
                if math.dist(away, [along * a for a in axis]) <= REACH:
                    return True
        return False

    def supply_is_short(self) -> bool:
        how = self.how
        if self.what.helmet:
            loads = LOADS.get(how, ())
            short = any(len(self.spare(load)) < loads.count(load) for load in loads)
            return short or len(self.spare("worker")) < 1 + (how == "ADDITIONAL_WORKER")
        extra = {"WITH_WORKER": "worker", "TRANSPORT_BRICK": "brick"}.get(how, "support" if "SUPPORT" in how else "")
        if how == "TOUCH_SUPPORT":
            extra = ""
        no_girder = not any(self.spare("girder", colour) for colour in self.what.colours)
        return no_girder or bool(extra and not self.spare(extra))

    # -- the game ---------------------------------------------------------------------------------------------------

    def game(self) -> Playing:
        try:
            yield from self.design(again=False)
            self.reveal()
            while True:
                yield from self.turn()
        except Halted as halted:
            self.over, self.cause, self.phase = True, str(halted), "GAME_OVER"
            self.hand = []

    def design(self, again: bool) -> Playing:
        """MW-3.1 to MW-3.8, MW-15.1; then the crane (MW-14.1, MW-14.5)."""
        self.phase = "SITE_DESIGN"
        plans = ("beginner", "advanced", "expert", "free")
        _, outcome = yield self.boss.seat, {f"design {plan}" for plan in plans}
        assert outcome is not None
        self.site, _ = Site.measured(outcome)
        for piece in self.pieces:
            if piece.number in self.site.poses and piece.where == "supply":
                piece.where = "site"
        if self.on("crane") and not again:
            self.crane = "crane middle"
            if self.on("skyscraper"):
                self.phase = "CRANE_STANDING"
                self.crane, _ = yield self.boss.seat, {"crane bottom", "crane edge"}

    def reveal(self) -> None:
        """MW-S.3: a new turn begins."""
        self.phase = "CHOOSE"
        self.played = self.tries = self.step = self.flips = 0
        self.turn_pieces, self.step_of, self.placed, self.fallen = [], {}, set(), set()
        self.before = {p.number for p in self.pieces if p.where == "site"}
        self.site.by_hand = []
        self.heights = {p: top for p, top in self.site.tops.items() if p in self.before}
        self.next_card()

    def next_card(self) -> None:
        while True:
            if self.flips == 36 or not self.seen:
                raise Halted("halt")
            self.flip()
            self.flips += 1
            if not self.stuck():
                return

    def stuck(self) -> bool:
        """Has the next card to be turned over (MW-16.6)?"""
        if any(self.can(colour) for colour in self.what.colours):
            return False
        if self.boss.hand and self.cards_left():
            return False
        if self.options["supply_shortage"] == "halt" and self.supply_is_short():
            raise Halted("halt")
        return True

    def cards_left(self) -> int:
        return (int(self.options["foreman_per_turn"]) if self.on("foreman") else 0) - self.played

    def card_choices(self) -> set[str]:
        if self.cards_left() <= 0:
            return set()
        return {f"card {card.id} on {pile}" for card in self.boss.hand for pile in ("deck", "discard")}

    def play_card(self, choice: str) -> None:
        """MW-13.2 to MW-13.5."""
        _, card_id, _, pile = choice.split()
        card = next(card for card in self.boss.hand if card.id == card_id)
        self.boss.hand.remove(card)
        (self.seen if pile == "deck" else self.discard).append(card)
        self.played += 1
        self.phase = "CHOOSE"
        self.turn_pieces, self.step_of = [], {}
        if self.stuck():
            self.next_card()

    def turn(self) -> Playing:
        colours = {colour for colour in self.what.colours if self.can(colour)}
        word = "glove" if self.what.helmet else "girder"
        choices = {f"{word} {colour}" for colour in colours} | self.card_choices() | (set() if colours else {"go on"})
        choice, _ = yield self.boss.seat, choices
        if choice == "go on":
            self.next_card()
        elif choice.startswith("card"):
            self.play_card(choice)
        else:
            self.colour = choice.split()[1]
            self.lay_out_pieces()
            yield from self.building()

    def lay_out_pieces(self) -> None:
        """MW-A.20, MW-A.26: the pieces of the turn, in their order."""
        how = self.how
        hats = iter(self.spare("hat"))
        workers = iter(self.spare("worker"))

        def worker() -> list[Piece]:
            return [next(workers), *(hat for hat in [next(hats, None)] if hat)]

        rows: list[tuple[int, list[Piece]]]
        if self.what.helmet:
            rows = [(0, worker())]
            if how == "ADDITIONAL_WORKER":
                rows.append((1, worker()))
            for n, load in enumerate(LOADS.get(how, ())):
                piece = self.spare(load)[LOADS[how][:n].count(load)]
                if how == "TRANSPORT_BEAM":
                    rows[0][1].append(piece)
                else:
                    rows.append((0 if self.on("free_order") else 1, [piece]))
        else:
            girder = self.spare("girder", self.colour)[0]
            if how.startswith("NEW_SUPPORT"):
                rows = [(0, [self.spare("support")[0]]), (1, [girder])]
            elif how == "WITH_WORKER":
                rows = [(0, [girder]), (1, worker())]
            elif how == "TRANSPORT_BRICK":
                rows = [(0, [girder, self.spare("brick")[0]])]
            else:
                rows = [(0, [girder])]
        self.turn_pieces = [row for _, row in rows]
        self.step_of = {piece: step for step, row in rows for piece in row}

    # -- building ---------------------------------------------------------------------------------------------------

    def grips(self) -> dict[str, list[Piece]]:
        if self.hand:
            return {}
        found = {}
        for row in self.turn_pieces:
            step = self.step_of[row[0]]
            if step > self.step or (step < self.step and not self.reasons(step)):
                continue
            loose = [p for p in row if p.kind == "hat" and p in self.placed and p.number not in self.site.worn]
            found[f"grip {row[0]}"] = [p for p in row if p not in loose]
            found |= {f"grip {hat}": [hat] for hat in loose}
        return found

    def building(self) -> Playing:
        self.phase = "BUILD"
        last = max(self.step_of.values())
        while True:
            grips = self.grips()
            choices = set(grips)
            if self.hand:
                choices.add("release")
            if self.hand or self.placed:
                choices.add("finish")
            else:
                choices |= self.card_choices()
            if self.step < last and not self.reasons(self.step):
                choices.add("next piece")
            patience = self.options["give_up_after"]
            if patience != "off" and self.tries >= int(patience):
                choices.add("give up")
            choice, outcome = yield self.boss.seat, choices
            if choice in grips:
                self.hand = grips[choice]
                self.step = min(self.step, self.step_of[self.hand[0]])
                for piece in self.hand:
                    piece.where = "site"
                    self.placed.discard(piece)
                continue
            if choice == "next piece":
                self.step += 1
                continue
            if choice.startswith("card"):
                self.play_card(choice)
                return
            if choice == "release":
                assert outcome is not None
                if self.release(outcome):
                    yield from self.clean_up()
                    return
            elif choice == "finish":
                if not self.reasons():
                    self.built()
                    return
                self.tries += 1
            limit = self.options["attempt_limit"]
            if choice == "give up" or (limit != "off" and self.tries >= int(limit)):
                self.site.take(p.number for p in self.hand)
                for piece in self.hand:
                    self.put_away(piece)
                self.lose(self.options["stuck_penalty"] == "certificate")
                yield from self.clean_up()
                return

    def release(self, outcome: str) -> bool:
        """True if that was an accident."""
        site, found = Site.measured(outcome)
        self.fallen |= {self.pieces[p] for p in found["fell"]}
        if "accident" in found:
            for piece in self.hand:
                if piece.number not in site.poses:
                    self.put_away(piece)
            self.site = site
            self.lose(True)
            return True
        self.site = site
        self.placed |= set(self.hand)
        self.hand = []
        dropped = any(self.pieces[p] in self.step_of for p in found["fell"])
        if (dropped and self.reasons(self.step)) or found.get("touched"):
            self.tries += 1
        return False

    def lose(self, costs: bool) -> None:
        """MW-9.3 to MW-9.8."""
        self.hand = []
        if costs:
            self.boss.certificates -= 1
        if sum(player.plays for player in self.players) == 1:
            raise Halted("certificates")
        self.pass_hook()

    def pass_hook(self) -> None:
        n = len(self.players)
        round_the_table = [self.players[(self.boss.seat + k) % n] for k in range(1, n + 1)]
        self.boss = next(player for player in round_the_table if player.plays)

    def built(self) -> None:
        """MW-S.9."""
        if self.rita_here and sum(player.awards for player in self.players) < 13:
            dead = {p.number for p in self.pieces if p.where == "dead"}
            mine = {p.number for p in self.placed}
            tops = {p: top for p, top in self.site.tops.items() if p not in dead}
            rivals = [top for p, top in tops.items() if p not in mine and p not in self.site.worn]
            if self.on("crane") and self.on("crane_counts"):
                rivals.append(self.crane_top())
            best, own = max(rivals, default=0), max(tops[p] for p in mine)
            if own >= best - LEVEL if self.on("award_on_tie") else own > best + LEVEL:
                self.boss.awards += 1
                if self.boss.awards == GOAL[len(self.players)]:
                    raise Halted("awards")
        if self.used_up():
            raise Halted("halt")
        self.pass_hook()
        self.reveal()

    def crane_top(self) -> int:
        ground = {"crane middle": 0.0, "crane bottom": self.shapes["skyscraper"]["floor_z"]}
        foot = ground.get(self.crane, self.shapes["skyscraper"]["wall_top"])
        tops = [part["center"][2] + part["size"][2] / 2 for part in self.shapes["pieces"]["crane"]["parts"]]
        return round((foot + max(tops)) * MM)

    def used_up(self) -> bool:
        """MW-12.5, MW-A.30."""
        if self.options["halt_on"] == "girders":
            return not self.spare("girder") or not self.spare("worker")
        kinds = ("worker", "support", "beam", "brick")
        return not all(map(self.spare, kinds)) or not all(self.spare("girder", colour) for colour in COLOURS)

    # -- the judge --------------------------------------------------------------------------------------------------

    def reasons(self, upto: int | None = None) -> set[str]:
        """Why what was built does not do; of the steps up to one, or of all."""
        site = self.site
        last = max(self.step_of.values())
        upto = last if upto is None else upto
        row = [p for p in self.step_of if self.step_of[p] <= upto]
        wanted = [p for p in row if p.kind != "hat"]
        missing = [p for p in wanted if p.number not in site.poses or not (p in self.placed or p in self.hand)]
        found = set()
        if self.hand or not site.settled:
            found.add("not_settled")
        for piece in missing:
            load = self.what.helmet and piece.kind in ("beam", "brick") and self.how != "TRANSPORT_BEAM"
            found.add("load_missing" if load else "piece_missing")
        present = [p for p in wanted if p.number in site.poses]
        ground = {SURFACE, FLOOR} if self.on("skyscraper") else {SURFACE}
        if any(p.kind != "support" and site.touched(p.number) & ground for p in present):
            found.add("touches_surface")
        if site.by_hand:
            found.add("direct_touch")
        for piece in present:
            if piece.kind == "support":
                found |= self.support_reasons(piece, ground)
            if piece.kind == "girder":
                found |= self.girder_reasons(piece)
        whole = upto == last and not missing
        if self.what.helmet:
            found |= self.worker_reasons(whole)
        elif whole:
            found |= self.girder_how(next(p for p in row if p.kind == "girder"), row)
        return found

    def girders_before(self) -> list[Piece]:
        there = [self.pieces[p] for p in self.before if p in self.site.poses]
        return [p for p in there if p.kind == "girder"]

    def support_reasons(self, support: Piece, ground: set[int]) -> set[str]:
        """MW-J.18, MW-A.48, MW-JG.9."""
        on = self.site.carriers(support.number)
        girders = {p.number for p in self.pieces if p.kind == "girder"}
        places = girders | ({INSERT, EDGE} if self.on("skyscraper") else {SURFACE})
        found = set()
        barred = self.on("skyscraper") and self.site.touched(support.number) & ground
        if not on & places or barred:
            found.add("support_place_illegal")
        if self.how == "NEW_SUPPORT_ON_GIRDER":
            carried = on & {p.number for p in self.girders_before()}
            if not carried or SURFACE in self.site.touched(support.number):
                found.add("support_not_on_girder")
        return found

    def girder_reasons(self, girder: Piece) -> set[str]:
        """MW-J.15."""
        found = set()
        if any(b >= 0 and self.pieces[b].kind == "hat" for b in self.site.carriers(girder.number)):
            found.add("on_hardhat")
        for upper, lower, share in self.site.covers:
            if upper == girder.number and share >= COVERED and lower in self.site.carriers(girder.number):
                found.add("covers_girder")
        return found

    def girder_how(self, girder: Piece, row: list[Piece]) -> set[str]:
        """MW-JG.1 to MW-JG.12."""
        site, g, how = self.site, girder.number, self.how
        others = self.girders_before()
        touched = [o for o in others if o.number in site.touched(g)]
        found: set[str] = set()

        def wants(met: bool, reason: str) -> None:
            if not met:
                found.add(reason)

        if how == "BALANCE":
            on = site.touched(g) if self.options["balance"] == "sole_contact" else site.carriers(g)
            wants(len(on) == 1 and on <= {o.number for o in others}, "balance_supporters")
            ends = [t for t in site.of(g) if t.along[0] < END_ZONE or t.along[1] > LENGTH - END_ZONE]
            wants(not ends, "balance_end_touched")
        elif how == "SAME_COLOUR":
            wants(any(o.colour == girder.colour for o in touched), "same_colour_not_touched")
        elif how == "TWO_OTHER_COLOURS":
            wants(len({o.colour for o in touched} - {girder.colour}) > 1, "two_colours_not_touched")
        elif how == "TOUCH_HIGHEST":
            best = max((site.tops[o.number] for o in others), default=0)
            wants(any(site.tops[o.number] >= best - LEVEL for o in touched), "highest_not_touched")
        elif how == "WITH_WORKER":
            worker = next(p for p in row if p.kind == "worker")
            wants(girder in self.under(worker), "worker_not_on_this_girder")
            found |= self.dress(worker)
            if self.on("foreman") and self.options["foreman_with_worker"] == "applies":
                same = [top for p, top in self.heights.items() if self.pieces[p].colour == girder.colour]
                wants(site.tops[g] >= max(same, default=0) - LEVEL, "not_highest_of_colour")
        elif how == "STRONG_WORKER":
            workers = [p.number for p in self.pieces if p.kind == "worker"]
            wants(any(self.on_arm(g, w) for w in workers), "not_on_arm")
        elif how.startswith("NEW_SUPPORT"):
            support = next(p for p in row if p.kind == "support")
            wants(support.number in site.touched(g), "support_not_touched")
            if how == "NEW_SUPPORT_SAME":
                wants(any(o.colour == girder.colour for o in touched), "same_colour_not_touched")
            elif how == "NEW_SUPPORT_DIFFERENT":
                wants(any(o.colour != girder.colour for o in touched), "other_colour_not_touched")
            else:
                wants(bool(touched), "other_girder_not_touched")
        elif how == "TOUCH_SUPPORT":
            supports = {p.number for p in self.pieces if p.kind == "support"} & self.before
            wants(bool(supports & site.touched(g)), "support_not_touched")
        elif how == "TRANSPORT_BRICK":
            brick = next(p for p in row if p.kind == "brick")
            wants(site.rests(brick.number, g), "brick_not_on_girder")
        else:
            wants(all(site.tops[g] > site.tops[o.number] + LEVEL for o in others), "not_highest_girder")
        return found

    def on_arm(self, a: int, worker: int) -> bool:
        return self.site.rests(a, worker, ARMS) and any(t.b == worker and t.other_part in ARMS for t in self.site.of(a))

    def under(self, worker: Piece) -> list[Piece]:
        """The girders that both his legs touch."""
        left, right = ({t.b for t in self.site.of(worker.number) if t.part == leg} for leg in LEGS)
        return [self.pieces[b] for b in left & right if b >= 0 and self.pieces[b].kind == "girder"]

    def dress(self, worker: Piece) -> set[str]:
        """MW-A.24, MW-A.61."""
        found = set()
        with_hat = any(worker in row and any(p.kind == "hat" for p in row) for row in self.turn_pieces)
        if self.on("hat_required") and with_hat and worker.number not in self.site.worn.values():
            found.add("hat_missing")
        if self.on("upright_required"):
            _, _, _, w, i, j, k = self.site.poses[worker.number]
            if 1 - 2 * (i * i + j * j) / (w * w + i * i + j * j + k * k) < math.cos(math.radians(30)):
                found.add("not_upright")
        return found

    def worker_reasons(self, whole: bool) -> set[str]:
        """MW-J.16, MW-J.20, and MW-JW.1 to MW-JW.9 if all is there."""
        site, how = self.site, self.how
        row = list(self.step_of)
        workers = [p for p in row if p.kind == "worker"]
        loads = [p.number for p in row if p.kind in ("beam", "brick")]
        worker = workers[0]
        if worker.number not in site.poses:
            return set()
        found = self.dress(worker)
        under = self.under(worker)
        if not under:
            found.add("feet_not_on_girder")
        right = [g for g in under if g.colour in self.what.colours]
        if under and not right:
            found.add("wrong_girder_colour")
        if right and self.on("foreman"):
            right = [g for g in right if self.is_highest(g)]
            if not right:
                found.add("not_highest_of_colour")
        if not whole:
            return found
        w = worker.number
        if how == "NEAR_EDGE":
            feet = [t for t in site.of(w) if t.part in LEGS and t.b in [g.number for g in right]]
            if not any(min(t.there[0], LENGTH - t.there[1]) <= EDGE_ZONE for t in feet):
                found.add("not_at_edge")
        elif how == "TRANSPORT_BEAM":
            if not site.rests(loads[0], w, ARMS):
                found.add("beam_not_on_shoulder")
        elif how == "CONNECT":
            arms = {t.b for t in site.of(loads[0]) if t.b >= 0 and t.other_part in ARMS}
            mates = [v for v in arms & self.before if self.pieces[v].kind == "worker"]
            held = [v for v in mates if site.rests(loads[0], w, ARMS) or site.rests(loads[0], v, ARMS)]
            if w not in arms or not held:
                found.add("workers_not_connected")
        elif how == "ADDITIONAL_WORKER":
            beside = self.under(workers[1])
            if not beside:
                found.add("feet_not_on_girder")
            else:
                if right and not set(beside) & set(right):
                    found.add("second_worker_elsewhere")
                found |= self.dress(workers[1])
        elif not self.loaded(w, loads):
            found.add("load_not_on_arm")
        return found

    def is_highest(self, girder: Piece) -> bool:
        same = {p: top for p, top in self.heights.items() if self.pieces[p].colour == girder.colour}
        return girder.number in same and same[girder.number] >= max(same.values()) - LEVEL

    def loaded(self, worker: int, loads: list[int]) -> bool:
        """MW-J.17: every load on an arm, or on a load that is."""
        good = {p for p in loads if self.site.rests(p, worker, ARMS)}
        for _ in loads:
            good |= {p for p in loads if any(self.site.rests(p, other) for other in good)}
        return good == set(loads)

    # -- clean-up ---------------------------------------------------------------------------------------------------

    def clean_up(self) -> Playing:
        self.phase = "CLEANUP"
        self.begin_cleaning()
        while True:
            clear, supports = self.duties()
            choices = {f"retrieve {p}" for p in clear}
            choices |= {f"push back {p}" for p in clear if p.kind == "girder" and self.can_be_pushed(p)}
            choices |= {f"{p} return" for p in supports}
            choices |= set() if self.on("skyscraper") else {f"{p} leave" for p in supports}
            choice, outcome = yield self.boss.seat, choices or {"clean done"}
            if choice == "clean done":
                break
            piece = next(p for p in (*clear, *supports) if f" {p} " in f" {choice} ")
            if choice.startswith("push"):
                self.pushes[piece] = self.pushes.get(piece, 0) + 1
                if self.measure(outcome) and piece not in self.duties()[0]:
                    self.fallen.discard(piece)
                continue
            self.fallen.discard(piece)
            if not choice.endswith("leave"):
                gone = [piece, *(self.pieces[hat] for hat, w in self.site.worn.items() if w == piece.number)]
                for p in gone:
                    self.put_away(p)
                self.measure(outcome)
        self.fallen = set()
        if not self.on("skyscraper") and not self.there("support") and not self.there("girder"):
            if self.options["collapse_rebuild"] == "halt":
                raise Halted("halt")
            yield from self.design(again=True)
        elif self.used_up():
            raise Halted("halt")
        self.reveal()

    def begin_cleaning(self) -> None:
        self.turn_pieces, self.step_of, self.placed, self.pushes = [], {}, set(), {}
        self.bury()

    def measure(self, outcome: str | None) -> bool:
        """False if there was an accident: then somebody else cleans up."""
        assert outcome is not None
        self.site, found = Site.measured(outcome)
        self.fallen |= {self.pieces[p] for p in found["fell"]}
        if "accident" in found:
            self.lose(self.options["cleanup_accident_cost"] == "1")
            self.begin_cleaning()
            return False
        self.bury()
        return True

    def bury(self) -> None:
        """MW-15.8, MW-A.49."""
        if not self.on("skyscraper"):
            return
        for piece in self.pieces:
            if piece.where == "site" and piece.kind in ("worker", "hat", "beam", "brick"):
                on = self.site.touched(piece.number)
                if FLOOR in on or (INSERT in on and piece in self.fallen):
                    piece.where = "dead"
        for hat, worker in self.site.worn.items():
            if self.pieces[worker].where == "dead":
                self.pieces[hat].where = "dead"

    def duties(self) -> tuple[list[Piece], list[Piece]]:
        clear = [p for p in self.pieces if p.where == "site" and p.kind != "support" and self.must_go(p)]
        return clear, [p for p in self.there("support") if p in self.fallen]

    def must_go(self, piece: Piece) -> bool:
        """MW-10.2, MW-14.3, MW-15.9."""
        on = self.site.touched(piece.number)
        fell = piece in self.fallen
        if SURFACE in on or (self.on("crane") and fell and PLATFORM in on):
            return True
        return self.on("skyscraper") and piece.kind == "girder" and (FLOOR in on or (fell and INSERT in on))

    def can_be_pushed(self, girder: Piece) -> bool:
        """MW-A.28."""
        spans = [t.along for t in self.site.of(girder.number) if t.b == SURFACE]
        one_side = all(to < LENGTH // 2 for _, to in spans) or all(start > LENGTH // 2 for start, _ in spans)
        elsewhere = self.site.carriers(girder.number) - {SURFACE}
        few = self.pushes.get(girder, 0) < int(self.options["push_limit"])
        return bool(spans) and one_side and bool(elsewhere) and few

    # -- the end ----------------------------------------------------------------------------------------------------

    def places(self) -> dict[int, int]:
        """MW-12.1 to MW-12.8."""

        def merit(player: Player) -> tuple[bool, bool, int, int]:
            won = self.cause == "awards" and player is self.boss
            won = won or (self.cause == "certificates" and player.plays)
            counts = player.plays or self.on("halt_includes_out")
            return won, counts, player.certificates + player.awards, player.awards

        return {p.seat: 1 + sum(merit(q) > merit(p) for q in self.players) for p in self.players}
